package lint

import (
	"strings"
	"testing"

	"github.com/hindcast/hindcast/world"
)

var testSetup = world.Setup{TickRate: 60, Seed: 7, Substeps: 2, Width: 40, Height: 30, RepeatInputTicks: 15, GraceTicks: 1800}

// bundle returns a set of files written as {"ship.lua", text, "game.lua", text}.
func bundle(parts ...string) []world.Source {
	var files []world.Source
	for i := 0; i+1 < len(parts); i += 2 {
		files = append(files, world.Source{Name: parts[i], Text: parts[i+1]})
	}
	return files
}

const ship = `Ship = object "Ship" {
  input = { Accel = "bool", aim = "number" },
  state = { fuel = 1, hits = 0 }, aux = { team = 0 },
  objProps = { power = 3 },
  body = { shape = { circle = 0.5 } },
}
Crate = object "Crate" {}
function Ship:help() return self.fuel end
function Ship:applyInput(input)
  if input.Accel then self:setForce(input.aim, 0) end
%s
end
`

// TestCheck: lines put into applyInput (line 11 of ship.lua), and what is
// found, "" for nothing.
func TestCheck(t *testing.T) {
	for body, want := range map[string]string{
		"self.fuel = self.hits + self.team":                             "",
		"self.fule = 1":                                                 "ship.lua:11:6: Ship has no field or method fule; did you mean fuel?",
		"self.fuel = self.zebra":                                        "ship.lua:11:18: Ship has no field or method zebra; there are fuel, hits and team, or declare a field in state: zebra = 0",
		"self:help()":                                                   "",
		"self:hlep()":                                                   "ship.lua:11:6: Ship has no method hlep; did you mean help?",
		"self:getPositon()":                                             "ship.lua:11:6: Ship has no method getPositon; did you mean getPosition?",
		"self.owner, self.hits = 1, self.owner":                         "ship.lua:11:6: owner can only be read; write self:setOwner(player)",
		"local p = self.objProps self.fuel = p.power":                   "",
		"local p = self.objProps self.fuel = p.pwoer":                   "ship.lua:11:39: Ship.objProps has no pwoer; did you mean power?",
		"self.fuel = self.objProps.pow":                                 "ship.lua:11:27: Ship.objProps has no pow; there is only power, or declare it in objProps",
		"if input.Acel then end":                                        "ship.lua:11:10: Ship declares no input Acel; did you mean Accel?",
		"local s = spawn('Ship') s.fuel = 1 s.fule = 1":                 "ship.lua:11:38: Ship has no field or method fule; did you mean fuel?",
		"spawn('Crate', { owner = 1, fuel = 2 })":                       "ship.lua:11:29: spawn: Crate has no fuel; spawn takes x, y, angle, vx, vy, w, owner and the fields of Crate",
		"spawn('Crat')":                                                 "ship.lua:11:8: spawn: there is no class Crat; did you mean Crate?",
		"for _, s in ipairs(objects('Ship')) do s.hits = s.hist end":    "ship.lua:11:51: Ship has no field or method hist; did you mean hits?",
		"local n = nearest('Ship', 0, 0) if n then n.team = n.tame end": "ship.lua:11:54: Ship has no field or method tame; there are fuel, hits and team, or declare a field in state: tame = 0",
		"objects('Shp')":                                                "ship.lua:11:10: objects: there is no class Shp; did you mean Ship?",
		"local w = objects('Wall')":                                     "",
		"level('main') self.fuel = #level()":                            "",
		"level(self.fuel > 1 and 'mian' or 'main')":                     "ship.lua:11:26: level: game.toml has no [level.mian]; did you mean main?",
		"level('mian')":                                                 "ship.lua:11:8: level: game.toml has no [level.mian]; did you mean main?",
		"game.round = 1":                                                "",
		"game.ruond = 1":                                                "ship.lua:11:6: game has no field or method ruond; did you mean round?",
		"local self = nearest('Crate', 0, 0) self.fuel = 1":             "ship.lua:11:42: Crate has no field or method fuel; it is a field of Ship, or declare a field in state: fuel = 0",
		"local o = nearest('Ship', 0, 0) o = other() o.zebra = 1":       "", // what other gives is not known
		"local function spawn(a) return a end spawn('Nope')":            "",
		"local é = self.fule":                                           "ship.lua:11:16: ",
	} {
		files := bundle("game.lua", "game { state = { round = 1 } }\nfunction other(a) return a end", "ship.lua", strings.Replace(ship, "%s", body, 1))
		var got []string
		for _, f := range Check(files, testSetup) {
			got = append(got, f.String())
		}
		all := strings.Join(got, "\n")
		switch {
		case strings.Contains(body, "é"): // not Lua: found by the compiler
			if !strings.HasPrefix(all, "ship.lua:11:") {
				t.Errorf("%s: %q", body, all)
			}
		case all != want:
			t.Errorf("%s:\ngot  %q\nwant %q", body, all, want)
		}
	}
}

// TestCheckOfArguments: calls put into applyInput (line 11 of ship.lua), and what is found,
// "" for nothing.
func TestCheckOfArguments(t *testing.T) {
	for body, want := range map[string]string{
		"self:setForce(1)":                                       "ship.lua:11:6: setForce takes 2 arguments, and is called with 1; the signature is setForce(fx, fy)",
		"self:setForce(1, 2)":                                    "",
		"self:setForce(1, 2, 3)":                                 "ship.lua:11:6: setForce takes 2 arguments, and is called with 3; the signature is setForce(fx, fy)",
		"self:setForce(self:getVelocity())":                      "", // a call may give any number of values
		"self:setForce((self:getVelocity()))":                    "ship.lua:11:6: setForce takes 2 arguments, and is called with 1; the signature is setForce(fx, fy)",
		"self:setForce(1, 2, 3, self:getVelocity())":             "ship.lua:11:6: setForce takes 2 arguments, and is called with 3 or more; the signature is setForce(fx, fy)",
		"local f = function(...) self:setForce(...) end f(1, 2)": "",
		"self:setTorque()":                                       "ship.lua:11:6: setTorque takes 1 argument, and is called with none; the signature is setTorque(torque)",
		"local x = self:getMass(1)":                              "ship.lua:11:16: getMass takes no arguments, and is called with 1; the signature is getMass()",
		"self:attach()":                                          "ship.lua:11:6: attach takes 1 to 3 arguments, and is called with none; the signature is attach(holder [, dx [, dy]])",
		"self:attach(other(), 1)":                                "",
		"raycast(0, 0, 1)":                                       "ship.lua:11:1: raycast takes at least 4 arguments, and is called with 3; the signature is raycast(x1, y1, x2, y2, ...)",
		"local o = raycast(0, 0, 1, 1, 'wall', 'default')":       "",
		"local hit = raycast(0, 0, 1, 1) if hit then hit:setTorque(1, 2) end": "ship.lua:11:49: setTorque takes 1 argument, and is called with 2; the signature is setTorque(torque)",
		"local h = self:getHolder() if h then h:setTorque() end":              "ship.lua:11:40: setTorque takes 1 argument, and is called with none; the signature is setTorque(torque)",
		"rope(self, other(), {}, 1)":                                          "ship.lua:11:1: rope takes 1 to 3 arguments, and is called with 4; the signature is rope(a [, b [, options]])",
		"math.max()":                                                          "ship.lua:11:6: max takes at least 1 argument, and is called with none; the signature is max(x, ...)",
		"self.fuel = math.floor(1, 2)":                                        "ship.lua:11:18: floor takes 1 argument, and is called with 2; the signature is floor(x)",
		"self.fuel = random(1, 2) + random()":                                 "",
		"print()":                                                             "",
		"local function cue() end cue()":                                      "",
		"local math = { max = function() end } math.max()":                    "",
		"local a = other() a:setForce(1)":                                     "", // what other gives is not known
		"if input:pressd('Accel') then end":                                   "ship.lua:11:10: an input has no method pressd; did you mean pressed?",
		"local s = input:down('Accel')":                                       "ship.lua:11:17: an input has no method down; there are held, pressed, released and presses",
		"local s = input:held('Accel')":                                       "",
		"self:help(1, 2)":                                                     "", // a method of the script
	} {
		files := bundle("game.lua", "function other(a) return a end", "ship.lua", strings.Replace(ship, "%s", body, 1))
		var got []string
		for _, f := range Check(files, testSetup) {
			got = append(got, f.String())
		}
		if all := strings.Join(got, "\n"); all != want {
			t.Errorf("%s:\ngot  %q\nwant %q", body, all, want)
		}
	}
}

// TestCheckOfWholeFiles: declarations, and errors beside them in one run.
func TestCheckOfWholeFiles(t *testing.T) {
	for _, c := range []struct {
		name  string
		files []string
		want  []string // parts of each line, in order
	}{
		{"what a class that is missing may have", []string{"a.lua", "A = object \"A\" {}", "game.lua", "function tick() for _, o in ipairs(overlapCircle(0, 0, 1)) do o:take() end spawn('Ball') end"},
			[]string{"game.lua:1:83: spawn: there is no class Ball; the scripts declare A"}},
		{"no class at all", []string{"game.lua", "function onJoin(p) spawn('Ship') end"},
			[]string{"game.lua:1:27: spawn: there is no class Ship; the scripts declare no class"}},
		{"unused inputs", []string{"a.lua", "A = object \"A\" { input = { Fire = \"bool\",\n  Jump = \"bool\" } }\nfunction A:applyInput(input) if input.Fire then end end"},
			[]string{"a.lua:2:3: A declares the input Jump, and nothing reads it"}},
		{"no applyInput", []string{"a.lua", "A = object \"A\" { input = { Fire = \"bool\" } }"},
			[]string{"a.lua:1:28: A declares the input Fire and has no applyInput; read it in function A:applyInput(input)"}},
		{"an input that goes elsewhere", []string{"a.lua", "A = object \"A\" { input = { Fire = \"bool\" } }\nlocal function f(i) return i.Fire end\nfunction A:applyInput(input) f(input) end"}, nil},
		{"an input by a computed name", []string{"a.lua", "A = object \"A\" { input = { Fire = \"bool\" } }\nfunction A:applyInput(input) for _, k in ipairs({ 'Fire' }) do if input[k] then end end end"}, nil},
		{"no hook", []string{"a.lua", "A = object \"A\" {}\nfunction A:onColide() end\nfunction A.onContcat(self) end"},
			[]string{"a.lua:3:12: A:onContcat is not a hook; did you mean onContact?", "a.lua:2:12: A:onColide is not a hook, and nothing calls it; the hooks are"}},
		{"what a hook is given", []string{"a.lua", "A = object \"A\" { body = { shape = { circle = 1 } } }\nfunction A:onContact(other, contact) other:setForce(1) contact:setTorque(1) end\nfunction A.onTrigger(self, other) other:remove(1) end\nobject \"Zone\" { body = { sensor = true, shape = { circle = 1 } } }"},
			[]string{"a.lua:2:44: setForce takes 2 arguments, and is called with 1", "a.lua:2:64: a contact has no method setTorque; there are", "a.lua:3:41: remove takes no arguments, and is called with 1"}},
		{"called, so no hook", []string{"a.lua", "A = object \"A\" {}\nfunction A:onColide() end\nfunction A:tick() self:onColide() end"}, nil},
		{"functions of the host program", []string{"game.lua", "game { calls = { onRound = { \"number\" } } }\nfunction onRound(n) end"}, nil},
		{"no function of the host program", []string{"game.lua", "game { calls = { onRound = { \"number\" } } }"}, []string{"game.lua:1:18: game.calls.onRound: there is no function onRound(number) in game.lua"}},
		{"game.lua", []string{"game.lua", "function onJon(p) end\nfunction helper() end"}, []string{"game.lua:1:10: onJon is not a hook, and nothing calls it; did you mean onJoin?"}},
		{"declared by code", []string{"a.lua", "local s = { x = 1 }\nA = object \"A\" { state = s }\nfunction A:tick() self.x = self.zebra end"},
			[]string{"a.lua:3:33: A has no field or method zebra; there is only x, or declare a field in state: zebra = 0"}},
		{"errors and lints", []string{"a.lua", "A = object \"A\" { state = { n = 0 } }\nfunction A:tick() self.m = 1 end", "b.lua", "B = object \"B\" {\n  order = \"x\" }", "c.lua", "local x = = 1"},
			[]string{"c.lua:1:9: syntax error near \"=\"; look before it", "b.lua:2:3: B.order is not a finite number", "a.lua:2:24: A has no field or method m; declare a field in state: m = 0"}},
		{"a file that ends with an error, and what else is wrong", []string{"game.lua", "function onLeave(p) objects(\"Nono\") end", "ship.lua", "local t\nlocal x = t.x\nShip = object \"Ship\" {}"},
			[]string{"ship.lua:2:1: attempt to index a nil value", "game.lua:1:30: objects: there is no class Nono; the scripts declare Ship"}},
		{"a module that is missing, and what else is wrong", []string{"game.lua", "function onLeave(p) objects(\"Nono\") end", "ship.lua", "local m = require(\"m\")\nShip = object \"Ship\" {}"},
			[]string{"ship.lua:1:11: require(\"m\"): there is no file", "game.lua:1:30: objects: there is no class Nono; the scripts declare Ship"}},
		{"a name that is missing, and what else is wrong", []string{"game.lua", "function onLeave(p) objects(\"Nono\") end", "ship.lua", "local y = nothing.x\nShip = object \"Ship\" {}"},
			[]string{"ship.lua:1:11: nothing is not defined", "game.lua:1:30: objects: there is no class Nono; the scripts declare Ship"}},
		{"what think gives", []string{"a.lua", "A = object \"A\" { input = { Fire = \"bool\" } }\nfunction A:think() local f = function() return { x = 1 } end return { Fir = true } end\nfunction A:applyInput(i) if i.Fire then end end"},
			[]string{"a.lua:2:71: A declares no input Fir; did you mean Fire?"}},
		{"constants of a class, beside an error", []string{"a.lua", "A = object \"A\" {}\nA.speed = 3\nfunction A:tick() local x = self.speed end", "b.lua", "x = = 1"}, []string{"b.lua:1:3: "}},
		{"names that are not there, and declarations", []string{"a.lua", "A = object \"A\" {\n  body = { shape = { circl = 1 } },\n}\nfunction A:tick() local x, y = math.mx(1), math.flor(2) tset() end"},
			[]string{"a.lua:2:3: A: unknown key body.shape.circl; there are circle", "a.lua:4:37: math.mx does not exist; did you mean math.max?", "a.lua:4:49: math.flor does not exist; did you mean math.floor?", "a.lua:4:57: tset is not defined"}},
		{"a declaration that needs a name which is not there", []string{"a.lua", "A = object \"A\" { body = { shape = { circle = RADIUS } } }"}, []string{"a.lua:1:46: RADIUS is not defined"}},
		{"a layer of a class in a file that does not parse", []string{"a.lua", "A = object \"A\" { body = { shape = { circle = 1 }, collides = { \"b\" } } }", "b.lua", "B = object \"B\" { body = { layer = \"b\", shape = { circle = 1 } }"},
			[]string{"b.lua:1:1: syntax error: the file ends too early"}},
		{"what follows from a file that does not parse", []string{
			"a.lua", "A = object \"A\" { input = { Go = \"bool\" } }\nfunction A:tick() spawn(\"B\") self:help() helper() objects(\"Bb\") self.zz = 1 end\nlocal b = B.speed",
			"b.lua", "B = object(\"B\") { state = { n = 1 }\nfunction A:help() end\nfunction A:applyInput(i) if i.Go then end end\nfunction helper() end"},
			[]string{"b.lua:1:17: syntax error near \"{\"", "a.lua:2:60: objects: there is no class Bb; did you mean B?", "a.lua:2:70: A has no field or method zz"}},
		{"names that a file which does not parse may define, and one that it cannot", []string{"a.lua", "local a, b = helper, nowhere", "b.lua", "function helper() end\nlocal x = = 1"},
			[]string{"b.lua:2:9: syntax error", "a.lua:1:22: nowhere is not defined"}},
		{"keys", []string{"a.lua", "A = object \"A\" { input = { Go = \"bool\", aim = { \"number\" } },\n  controls = { Go = { \"ArowUp\", \"w\", \"é\", \"Esc\", \"pad:lx\", \"pad:q\" }, aim = { \"-pad:LX\", \"mouse\", \"-d\", \"stick\" } } }\nfunction A:applyInput(i) A.x(i) end\nfunction A.x() end"},
			[]string{`a.lua:2:24: A.controls.Go: there is not a key or button "ArowUp"; did you mean arrowup?`, `a.lua:2:51: A.controls.Go: "pad:lx" is not a key or button; it moves a "number"; Go is a "bool"`,
				`a.lua:2:61: A.controls.Go: there is not a key or button "pad:q"; did you mean pad:a?`, `there is not a key or button "stick"; docs/scripting.md lists the names`}},
		{"looks", []string{"a.lua", "A = object \"A\" { look = { shape = \"trangle\", color = \"#ff\" } }"},
			[]string{`a.lua:1:36: A.look.shape: there is no shape "trangle"; did you mean triangle?`, `a.lua:1:55: A.look.color: "#ff" is not a colour`}},
		{"what only runs when loading", []string{"a.lua", "A = object \"A\" { bdy = {} }"}, []string{"a.lua:1:18: A: unknown key bdy; there are body"}},
	} {
		got := Check(bundle(c.files...), testSetup)
		ok := len(got) == len(c.want)
		for i := range got {
			ok = ok && strings.Contains(got[i].String(), c.want[i])
		}
		if !ok {
			t.Errorf("%s: got\n%v\nwant\n%s", c.name, got, strings.Join(c.want, "\n"))
		}
	}
}

// TestCheckOutside: test files and bots, which see a game from outside.
func TestCheckOutside(t *testing.T) {
	game := bundle("ship.lua", strings.Replace(ship, "%s", "", 1))
	tests := func(name, text string) []Finding {
		return CheckTests(game, testSetup, bundle(name, text))
	}
	bot := func(name, text string) []Finding { return CheckBot(game, testSetup, bundle(name, text)[0]) }
	for _, c := range []struct {
		check func(name, text string) []Finding
		text  string
		want  []string
	}{
		{tests, "test('a', function(t)\n  local w = t:world { players = 1 }\n  w:step(2) w:input(1, { Accel = true, aim = 1 })\n  t:eq(objects('Ship')[1].fuel, 1) t:ok(w:spawn('Crate', { x = 1 }).id)\nend)", nil},
		{tests, "test('a', function(t)\n  local w = t:world {}\n  w:stp(2) t:eqal(1, 2)\n  w:input(1, { Acel = true })\n  t:eq(objects('Shp'), objects('Ship')[1].fule)\n  local c = w:spawn('Crate', { fuel = 1 }) c.q = 1\n  tset() math.mx()\nend)",
			[]string{"x.lua:3:5: a test's world has no method stp; did you mean step?", "x.lua:3:14: a test has no method eqal; there are world, eq", "x.lua:4:16: no class declares an input Acel; did you mean Accel?",
				"x.lua:5:17: objects: there is no class Shp; did you mean Ship?", "x.lua:5:43: Ship has no field or method fule; did you mean fuel?", "x.lua:6:32: spawn: Crate has no fuel", "x.lua:6:46: a test changes its world through w only, and q would change it",
				"x.lua:7:3: tset is not defined", "x.lua:7:15: math.mx does not exist"}},
		{tests, "test('a', function(t) local function world() end world() local t = {} t:anything() end)", nil},
		{bot, "function bot(me, world)\n  local s = world.nearest('Ship', me.x or 0, 0)\n  if s and s.fuel > 1 and me.hits > 0 then return { Accel = true } end\n  return { aim = world.random() }\nend", []string{"x.lua:2:38: me has no field or method x"}},
		{bot, "function bot(me, world)\n  local s = world.nearst('Ship', 0, 0) or world.objects('Shp')[1]\n  return { Acel = me.fule }\nend",
			[]string{"x.lua:2:19: a bot's world has no nearst; did you mean nearest?", "x.lua:2:58: objects: there is no class Shp; did you mean Ship?", "x.lua:3:12: me declares no input Acel; did you mean Accel?", "x.lua:3:22: me has no field or method fule; did you mean fuel?"}},
		{tests, "test('a', function(t)\n  local w = t:world {}\n  w:step(1, 2) t:eq(1) w:seenBy(1)\n  nearest('Ship', 1)\nend)",
			[]string{"x.lua:3:5: step takes at most 1 argument, and is called with 2", "x.lua:3:18: eq takes 2 to 3 arguments, and is called with 1", "x.lua:3:26: seenBy takes 2 arguments, and is called with 1",
				"x.lua:4:3: nearest takes 3 to 4 arguments, and is called with 2"}},
		{bot, "function bot(me, world)\n  world.nearest('Ship', 1)\n  return world.steer(1, 0)\nend",
			[]string{"x.lua:2:9: nearest takes 3 to 4 arguments, and is called with 2", "x.lua:3:16: steer takes 4 arguments, and is called with 2"}},
		{bot, "local x = 1", []string{"x.lua:1:"}},
		{bot, "function bot(me", []string{"x.lua:1:"}},
	} {
		got := c.check("x.lua", c.text)
		ok := len(got) == len(c.want)
		for i := range got {
			ok = ok && strings.HasPrefix(got[i].String(), c.want[i])
		}
		if !ok {
			t.Errorf("%s\ngot  %v\nwant %q", c.text, got, c.want)
		}
	}
}

const viewLua = `
local big = 3
onCue("boom", function(c)
  flash { x = c.x, y = c.y, color = "#fa0", size = big, ms = 200 }
  if c.mine then text { x = c.x, y = c.y + 1, text = c.name .. " " .. c.what } end
end)
onCue("bang", function(c) sound {} sound { wave = "noise", freq = 900, volume = 0.7, ms = 40 } end)
onCueMoved("boom", function(c) flash { x = c.x } end)
onCueCancelled("boom", function(c) print("no", c.object) end)
`

// TestCheckView: view.lua is checked like the files of the simulation.
func TestCheckView(t *testing.T) {
	for _, view := range []string{`onCue("x", 5)`, `onCue("x", function() end) onCue("x", function() end)`, `flash { x = 1 }`, "\nX = object \"X\" {}", `shake()`, `x = = 1`} {
		if found := Check(bundle("game.lua", "", "view.lua", view), testSetup); len(found) == 0 || found[0].File != "view.lua" {
			t.Errorf("%s\nCheck finds %v", view, found)
		}
	}
	if found := Check(bundle("game.lua", "", "view.lua", viewLua), testSetup); len(found) > 0 {
		t.Errorf("Check finds %v", found)
	}
}

// TestBrokenViewHidesNothing: a view.lua that does not load, because of a name that does not exist, is checked like one
// that does, and so are the other files. What keeps it from loading comes first.
func TestBrokenViewHidesNothing(t *testing.T) {
	files := bundle("game.lua", "function onLeave(p) objects(\"Nono\") end", "ship.lua", "Ship = object \"Ship\" { state = { fuel = 1 } }", "view.lua",
		"hud(function(v)\n  text { v.me.fule }\n  local n = objects(\"Ship\")\nend)\nnowhere()\nonCue(\"boom\", function(c) flash { x = 1, colour = \"#fff\" } end)")
	view := files[2].Text
	want := []string{"view.lua:5:1: nowhere is not defined", "game.lua:1:30: objects: there is no class Nono", "view.lua:2:15: ", "view.lua:3:13: objects is for hooks",
		"view.lua:6:"}
	got := Check(files, testSetup)
	ok := len(got) >= len(want)
	for i := range min(len(got), len(want)) {
		ok = ok && strings.HasPrefix(got[i].String(), want[i])
	}
	if !ok {
		t.Errorf("got\n%v\nwant\n%s", got, strings.Join(want, "\n"))
	}

	// What the others declare is not known if they do not load. The rest of view.lua is checked.
	for i, broken := range []string{"local x = = 1", "local x = anywhere"} {
		view := strings.Replace(strings.Replace(view, "nowhere()", "", 1), "(v)", "(v) scoreboard { columns = { \"kills\" } } local a, b = v.all(\"Boat\"), v.me.fule", 1)
		got := Check(bundle("game.lua", "", "ship.lua", broken, "view.lua", view), testSetup)
		if len(got) != 3 || got[0].File != "ship.lua" || got[1].Line != 3 || got[2].Line != 6 {
			t.Errorf("broken script %d: got %v", i, got)
		}
	}
}

// TestEveryFindingHasAHint: every finding says what to do.
func TestEveryFindingHasAHint(t *testing.T) {
	for _, text := range []string{"x = = 1", "function f(", "A = object 'A' { zzz = 1 }", "A = object 'A' { state = { s = 'x' } }", "print(foo)",
		"math.random()", "x()", "A = object 'A' { body = {} }", "A = object 'A' { input = { a = 1 } }", "print = 1", "local t = nil; t.x = 1", "object 'A' {} object 'A' {}"} {
		got := Check(bundle("a.lua", text), testSetup)
		if len(got) == 0 {
			t.Errorf("%s: nothing is found", text)
		}
		for _, f := range got {
			if f.Hint == "" && !hinted(f.Message) {
				t.Errorf("%s: %v has no hint", text, f)
			}
		}
	}
}

// FuzzCheck: Check survives any file.
func FuzzCheck(f *testing.F) {
	f.Add(strings.Replace(ship, "%s", "local a, b = self.x, nearest('Ship', 1, 2).y", 1))
	f.Add("game { state = {} } function tick() game.x = 1 end")
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 4<<10 {
			return
		}
		for _, found := range Check(bundle("a.lua", text), testSetup) {
			if found.Line < 1 || found.Column < 1 || found.Message == "" {
				t.Errorf("%+v", found)
			}
		}
	})
}

// TestOwnNames: a function of the game's own is not checked as one of the library.
func TestOwnNames(t *testing.T) {
	files := bundle("a.lua", "function level(a, b, c) return a end", "game.lua", "function tick() print(level('cave', 2, 3)) end")
	if found := Check(files, testSetup); len(found) > 0 {
		t.Error(found)
	}
}
