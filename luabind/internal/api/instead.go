package api

import (
	"slices"
	"strings"

	"github.com/hindcast/hindcast/luabind/internal/ident"
)

// What stands for whole groups of names.
const (
	colours        = "a colour is a text, such as \"#f90\" or \"orange\""
	hooksRun       = "hooks are functions of a class, which run in each tick: function Ship:tick() ... end"
	noBits         = "there are no operations on bits: math.floor(x / 2 ^ n) % 2 is bit n"
	notGMod        = "this is no GMod script: classes are declared with object \"Name\" { ... }"
	pairsOfNumbers = "the functions of vec take and return two numbers; or write a class with setmetatable"
	readInputs     = "declare an input with controls, and read it in applyInput"
	shows          = "look and view.lua say what is shown"
	theTime        = "now() is the time of the world in seconds"
)

// instead says what to use in the place of well-known names that are left out. The members of tables are in lower case,
// and found however they are written.
var instead = map[string]string{
	"math.mod":           "write a % b",
	"math.hypot":         "write vec.length(x, y)",
	"math.dist":          "write vec.distance(x1, y1, x2, y2)",
	"vec.len":            "write vec.length(x, y)",
	"vec.dist":           "write vec.distance(x1, y1, x2, y2)",
	"string.includes":    "write s:find(part, 1, true)",
	"setTimeout":         "after(seconds, \"name\") calls a function of the class once, later",
	"setInterval":        "every(seconds, \"name\") calls a function of the class again and again",
	"parseInt":           "write math.floor(tonumber(text) or 0)",
	"parseFloat":         "write tonumber(text) or 0",
	"int":                "write math.floor(x)",
	"float":              "write tonumber(text) or 0",
	"echo":               "print(...) writes to the log",
	"True":               "write true",
	"False":              "write false",
	"super":              "the hook of the class that is extended is called with its name: Enemy.tick(self)",
	"attach":             "it is a method: self:attach(holder)",
	"detach":             "it is a method: self:detach()",
	"asSeen":             "it is a method: self:asSeen(function() ... end)",
	"string.gfind":       "write s:gmatch(pattern)",
	"string.tolower":     "write s:lower()",
	"string.toupper":     "write s:upper()",
	"string.endswith":    "write s:sub(-#ending) == ending",
	"string.charat":      "write s:sub(i, i)",
	"string.replace":     "write s:gsub(pattern, to)",
	"string.indexof":     "write s:find(part, 1, true)",
	"string.contains":    "write s:find(part, 1, true)",
	"string.length":      "write #s",
	"string.tolowercase": "write s:lower()",
	"string.touppercase": "write s:upper()",
	"string.substring":   "write s:sub(i, j)",
	"ents":               "objects(\"Class\") are the objects of a class",
	"sub":                "write s:sub(i, j)",
	"tonum":              "write tonumber(v)",
	"tostr":              "write tostring(v)",
	"len":                "write #t",
	"range":              "write for i = 1, n do",
	"AddCSLuaFile":       notGMod,
	"CFrame":             pairsOfNumbers,
	"Color3":             colours,
	"CurTime":            theTime,
	"ENT":                notGMod,
	"Enum":               "keys and the like are written as texts: controls = { Fire = \"space\" }",
	"GAMEMODE":           notGMod,
	"GM":                 notGMod,
	"Instance":           "spawn(\"Class\", { x = 1, y = 2 }) makes an object",
	"IsValid":            "write o and o:valid()",
	"LocalPlayer":        "self.owner is the number of the player who steers self; view.lua has v.me and v.player",
	"Msg":                "print(...) writes to the log",
	"MsgN":               "print(...) writes to the log",
	"None":               "nothing is written nil",
	"Players":            "players() lists the numbers of the players; stats(player) has their fields",
	"PrintTable":         "print(...) writes to the log",
	"RealTime":           theTime,
	"ReplicatedStorage":  "every client has all files of the game",
	"RunService":         hooksRun,
	"SWEP":               notGMod,
	"UDim2":              shows,
	"UserInputService":   readInputs,
	"Vector":             pairsOfNumbers,
	"Vector2":            pairsOfNumbers,
	"Vector3":            pairsOfNumbers,
	"_G":                 "write _G.name with a name: globals are frozen after loading; keep what changes in state",
	"abs":                "write math.abs(x)",
	"add":                "write table.insert(t, v)",
	"all":                "write for _, v in ipairs(t) do",
	"atan2":              "write math.atan2(y, x)",
	"band":               noBits,
	"bit":                noBits,
	"bit32":              noBits,
	"bor":                noBits,
	"btn":                readInputs,
	"btnp":               readInputs,
	"ceil":               "write math.ceil(x)",
	"circ":               shows,
	"circfill":           shows,
	"cls":                shows,
	"collectgarbage":     "scripts do without: the memory of a hook is freed for them",
	"console":            "print(...) writes to the log",
	"core":               "this is no Luanti mod: classes are declared with object \"Name\" { ... }",
	"cos":                "write math.cos(x), with x in radians",
	"debug":              "print(...) writes to the log, with file and line",
	"del":                "write table.remove(t, i)",
	"delay":              "after(seconds, \"name\") calls a function of the class later",
	"destroy":            "write o:remove()",
	"dofile":             "all files of the game are loaded, in name order; share through globals",
	"dt":                 "all ticks last the same time, 1 / tick_rate of game.toml: write it into a constant",
	"dump":               "print the fields that you want to see",
	"floor":              "write math.floor(x)",
	"flr":                "write math.floor(x)",
	"foreach":            "write for _, v in ipairs(t) do",
	"getfenv":            "globals are frozen after loading: share through a table or a module",
	"hook":               hooksRun,
	"import":             "require(\"lib.vector\") loads lib/vector.lua",
	"include":            "require(\"lib.vector\") loads lib/vector.lua",
	"input":              "applyInput is given it: function Ship:applyInput(input)",
	"instance_create":    "spawn(\"Class\", { x = 1, y = 2 }) makes an object",
	"io":                 "scripts reach the world only; print goes to the log",
	"load":               "scripts are loaded once",
	"loadstring":         "scripts are loaded once",
	"love": "this is no LÖVE game: state is declared, hooks run in each tick, and look and view.lua say what " +
		"is shown",
	"math.approach":     "write math.min(x + step, target), or math.max(x - step, target)",
	"math.clamp":        "write math.max(low, math.min(x, high))",
	"math.inf":          "write math.huge",
	"math.infinity":     "write math.huge",
	"math.lerp":         "write a + (b - a) * t",
	"math.maxinteger":   "all numbers are of one kind, whole up to 2^53",
	"math.mininteger":   "all numbers are of one kind, whole up to 2^53",
	"math.noise":        "random() is the source of chance",
	"math.rand":         "write random(a, b)",
	"math.randomseed":   "random() is seeded by the room",
	"math.round":        "write math.floor(x + 0.5)",
	"math.sign":         "write x > 0 and 1 or x < 0 and -1 or 0",
	"math.tau":          "write 2 * math.pi",
	"math.tointeger":    "all numbers are of one kind: write math.floor(x)",
	"math.type":         "all numbers are of one kind: x == math.floor(x) says whether x is whole",
	"max":               "write math.max(a, b)",
	"mget":              "keep it in a list of state: list(\"number\", 64)",
	"mid":               "write math.max(low, math.min(x, high))",
	"min":               "write math.min(a, b)",
	"minetest":          "this is no Luanti mod: classes are declared with object \"Name\" { ... }",
	"music":             "sound { ... } in view.lua plays a sound, in the onCue of a cue",
	"net":               "a cue tells the clients: cue(\"name\", { x = 1 }), and onCue in view.lua shows it",
	"new":               "spawn(\"Class\", { x = 1, y = 2 }) makes an object",
	"null":              "nothing is written nil",
	"number":            "type(v) gives a text: type(v) == \"number\"",
	"os":                "now() is the time of the world in seconds",
	"print_r":           "print(...) writes to the log",
	"printf":            "write print(string.format(...))",
	"printh":            "print(...) writes to the log",
	"pset":              shows,
	"rectfill":          shows,
	"remove":            "write o:remove(), or table.remove(t, i)",
	"rnd":               "random() gives 0 to 1, and random(n) 1 to n",
	"script":            "this is no Roblox script: classes are declared with object \"Name\" { ... }",
	"self":              "a function with a colon has it: function Ship:tick(); in game.lua, game has the state",
	"setfenv":           "globals are frozen after loading: share through a table or a module",
	"sfx":               "sound { ... } in view.lua plays a sound, in the onCue of a cue",
	"sgn":               "write x > 0 and 1 or x < 0 and -1 or 0",
	"shl":               noBits,
	"shr":               noBits,
	"sin":               "write math.sin(x), with x in radians",
	"spawn_entity":      "spawn(\"Class\", { x = 1, y = 2 }) makes an object",
	"spr":               shows,
	"sqrt":              "write math.sqrt(x)",
	"string.explode":    "loop over s:gmatch(\"[^,]+\")",
	"string.pack":       "fields of state are sent as they are declared",
	"string.split":      "loop over s:gmatch(\"[^,]+\")",
	"string.startswith": "write s:sub(1, #start) == start",
	"string.trim":       "write s:match(\"^%s*(.-)%s*$\")",
	"table.clear":       "write t = {}",
	"table.clone":       "copy it in a loop over pairs(t)",
	"table.contains":    "loop over ipairs(t)",
	"table.copy":        "copy it in a loop over pairs(t)",
	"table.count":       "count in a loop over pairs(t)",
	"table.create":      "write {}",
	"table.find":        "loop over ipairs(t)",
	"table.foreach":     "write for k, v in pairs(t) do",
	"table.foreachi":    "write for i, v in ipairs(t) do",
	"table.getn":        "write #t",
	"table.hasvalue":    "loop over ipairs(t)",
	"table.maxn":        "write #t",
	"table.move":        "copy the values in a loop",
	"table.new":         "write {}",
	"table.pack":        "write { ... }, and select(\"#\", ...) for their number",
	"task":              "after(seconds, \"name\") calls a function of the class later",
	"this":              "the object is called self, in a function with a colon: function Ship:tick()",
	"tick":              "now() is the time of the world in seconds",
	"time":              theTime,
	"timer":             "after(seconds, \"name\") calls a function of the class later",
	"try":               "errors are caught with pcall(function() ... end)",
	"switch":            "write if x == 1 then ... elseif x == 2 then ... end",
	"typeof":            "type(v) gives the type of a value, and o.class the name of an object's class",
	"undefined":         "nothing is written nil",
	"utf8":              "texts are bytes: #s, s:sub(i, j) and s:byte(i)",
	"util":              notGMod,
	"vec2":              pairsOfNumbers,
	"vec3":              pairsOfNumbers,
	"vector":            pairsOfNumbers,
	"wait":              "a hook cannot wait: after(seconds, \"name\") calls a function of the class later",
	"warn":              "print(...) writes to the log",
	"workspace":         "objects(\"Class\") are the objects of a class",
}

// leftOut are the globals of Lua 5.1, and of programs that look for later versions, that scripts do not have.
var leftOut = []string{"_ENV", "_G", "arg", "bit", "bit32", "collectgarbage", "debug", "dofile",
	"gcinfo", "getfenv", "io", "jit", "load", "loadfile", "loadstring",
	"module", "newproxy", "os", "package", "rawlen", "setfenv", "utf8"}

// LeftOut reports whether a global is one of Lua that scripts do not have.
func LeftOut(global string) bool { return slices.Contains(leftOut, global) }

// Instead returns the end of a message about a name that does not exist: what
// to use instead, or the known name that is most like it; "" for neither.
// Prefix stands before each known name.
func Instead(name string, known []string, prefix string) string {
	if hint, ok := instead[name]; ok {
		return "; " + hint
	}
	if hint, ok := instead[strings.ToLower(name)]; ok && strings.Contains(name, ".") {
		return "; " + hint
	}
	near := ident.Nearest(strings.TrimPrefix(name, prefix), known)
	if len(near) == 0 {
		return ""
	}
	return "; did you mean " + prefix + near[0] + "?"
}
