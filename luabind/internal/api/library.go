package api

import (
	"maps"
	"slices"
	"strings"

	"github.com/hindcast/hindcast/luabind/internal/ident"
)

// Library knows every name that belongs to the language and its library, as
// the sections describe them.
type Library struct {
	globals  map[string]bool
	members  map[string]map[string]bool // of the tables among the globals
	methods  map[string]bool            // of objects
	called   map[string]*Member         // functions and methods: "spawn", "math.abs", ":setForce"
	reserved []string
}

// otherGlobals are the globals of every script that are not functions.
var otherGlobals = []string{"_VERSION", "arena", "game"}

// otherReserved are the members that every object has besides its methods.
var otherReserved = []string{"class", "id", "objProps", "owner"}

// ofScripts is the library of a game's scripts. It never changes.
var ofScripts = readLibrary(slices.Concat(gameAPI(), libraryAPI()))

// NewLibrary returns the library of a game's scripts, with extra functions that
// files of a special kind can call.
func NewLibrary(extra ...string) *Library {
	if len(extra) == 0 {
		return ofScripts
	}
	l := *ofScripts
	l.globals = maps.Clone(l.globals)
	for _, n := range extra {
		l.globals[n] = true
	}
	return &l
}

// later are the functions that the library did not have at first. A game may have globals of its own with these names,
// because it may be older.
var later = []string{After, Every, "entry", "fillTeams", "getmetatable", "level", "pcall", "player", "rawequal",
	"rawget", "rawset", "require", "resetStats", "setmetatable", "setTeam", "smallestTeam", "stats", "stopTimer",
	"takeOver", "teamColor", "teams", "tell", "timeLeft", "xpcall"}

// Without returns the library without those functions of its that a game, which assigns these globals, has of its own.
func (l *Library) Without(assigned map[string]bool) *Library {
	own := slices.DeleteFunc(slices.Clone(later), func(n string) bool { return !assigned[n] })
	if len(own) == 0 {
		return l
	}
	less := *l
	less.globals, less.called = maps.Clone(l.globals), maps.Clone(l.called)
	for _, n := range own {
		delete(less.globals, n)
		delete(less.called, n)
	}
	return &less
}

// readLibrary reads the names out of sections.
func readLibrary(sections []Section) *Library {
	l := &Library{
		globals: map[string]bool{},
		members: map[string]map[string]bool{},
		methods: map[string]bool{},
		called:  map[string]*Member{},
	}
	for _, s := range sections {
		switch {
		case s.Kind == Functions && s.Of == "":
			addNames(l.globals, s.Members)
			l.addCalled("", s.Members)
		case s.Kind == Functions:
			l.globals[s.Of] = true
			l.members[s.Of] = map[string]bool{}
			addNames(l.members[s.Of], s.Members)
			l.addCalled(s.Of+".", s.Members)
		case s.Kind == Methods && s.Of == "Object":
			addNames(l.methods, s.Members)
			l.addCalled(":", s.Members)
		}
	}
	for _, n := range otherGlobals {
		l.globals[n] = true
	}
	l.reserved = append(ident.Keys(l.methods), otherReserved...)
	slices.Sort(l.reserved)
	return l
}

func addNames(to map[string]bool, members []Member) {
	for i := range members {
		to[members[i].Name] = true
	}
}

// addCalled notes the members that can be called.
func (l *Library) addCalled(prefix string, members []Member) {
	for i := range members {
		if m := &members[i]; m.Params != nil {
			l.called[prefix+m.Name] = m
		}
	}
}

// Function returns a function of the library: a global, or a member of the table base. It
// is nil if there is none.
func (l *Library) Function(base, name string) *Member {
	if base != "" {
		name = base + "." + name
	}
	return l.called[name]
}

// Method returns a method of all objects, nil if there is none.
func (l *Library) Method(name string) *Member { return l.called[":"+name] }

// Has reports whether name is a global of the library.
func (l *Library) Has(name string) bool { return l.globals[name] }

// Globals returns the globals of the library, sorted.
func (l *Library) Globals() []string { return ident.Keys(l.globals) }

// HasMethod reports whether every object has a method of this name.
func (l *Library) HasMethod(name string) bool { return l.methods[name] }

// Reserved returns the names that no field and no method of a script may take,
// sorted.
func (l *Library) Reserved() []string { return l.reserved }

// HasMember reports whether base is a table of the library with the member key.
func (l *Library) HasMember(base, key string) bool { return l.members[base][key] }

// NoMember returns what is wrong with base.key: "" unless base is a table of
// the library without such a member.
func (l *Library) NoMember(base, key string) string {
	m, ok := l.members[base]
	if !ok || m[key] {
		return ""
	}
	return base + "." + key + " does not exist" + Instead(base+"."+key, ident.Keys(m), base+".")
}

// instead says what to use in the place of well-known names that are left out.
var instead = map[string]string{
	"Instance": "spawn(\"Class\", { x = 1, y = 2 }) makes an object",
	"None":     "nothing is written nil",
	"Vector2":  "the functions of vec take and return two numbers; or write a class with setmetatable",
	"Vector3":  "the functions of vec take and return two numbers; or write a class with setmetatable",
	"delay":    "after(seconds, \"name\") calls a function of the class later",
	"love": "this is no LÖVE game: state is declared, hooks run in each tick, and look and view.lua " +
		"say what is shown",
	"minetest":        "this is no Luanti mod: classes are declared with object \"Name\" { ... }",
	"core":            "this is no Luanti mod: classes are declared with object \"Name\" { ... }",
	"math.clamp":      "write math.max(low, math.min(x, high))",
	"math.round":      "write math.floor(x + 0.5)",
	"math.sign":       "write x > 0 and 1 or x < 0 and -1 or 0",
	"null":            "nothing is written nil",
	"collectgarbage":  "scripts do without: the memory of a hook is freed for them",
	"debug":           "print(...) writes to the log, with file and line",
	"setfenv":         "globals are frozen after loading: share through a table or a module",
	"getfenv":         "globals are frozen after loading: share through a table or a module",
	"tick":            "now() is the time of the world in seconds",
	"typeof":          "type(v) gives the type of a value, and o.class the name of an object's class",
	"warn":            "print(...) writes to the log",
	"script":          "this is no Roblox script: classes are declared with object \"Name\" { ... }",
	"spawn_entity":    "spawn(\"Class\", { x = 1, y = 2 }) makes an object",
	"string.split":    "loop over s:gmatch(\"[^,]+\")",
	"table.clear":     "write t = {}",
	"table.clone":     "copy it in a loop over pairs(t)",
	"table.find":      "loop over ipairs(t)",
	"table.getn":      "write #t",
	"table.maxn":      "write #t",
	"table.pack":      "write { ... }, and select(\"#\", ...) for their number",
	"task":            "after(seconds, \"name\") calls a function of the class later",
	"this":            "the object is called self, in a function with a colon: function Ship:tick()",
	"undefined":       "nothing is written nil",
	"wait":            "a hook cannot wait: after(seconds, \"name\") calls a function of the class later",
	"workspace":       "objects(\"Class\") are the objects of a class",
	"math.randomseed": "random() is seeded by the room",
	"dofile":          "all files of the game are loaded, in name order; share through globals",
	"loadstring":      "scripts are loaded once",
	"load":            "scripts are loaded once",
	"coroutine":       "keep a step number in state instead",
	"os":              "now() is the time of the world in seconds",
	"io":              "scripts reach the world only; print goes to the log",
	"_G":              "globals are frozen after loading; keep what changes in state",
}

// leftOut are the globals of Lua 5.1, and of programs that look for later versions, that scripts do not have.
var leftOut = []string{"_ENV", "_G", "arg", "bit", "bit32", "collectgarbage", "coroutine", "debug", "dofile",
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
	near := ident.Nearest(strings.TrimPrefix(name, prefix), known)
	if len(near) == 0 {
		return ""
	}
	return "; did you mean " + prefix + near[0] + "?"
}
