package luabind

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/hindcast/hindcast/world"
)

// refused compiles one file and checks that it has exactly these problems, each
// "LINE: part of the message".
func refused(t *testing.T, text string, want ...string) {
	t.Helper()
	_, err := NewProgram(bundle("a.lua", text), testSetup)
	if err == nil {
		t.Errorf("accepted:\n%s", text)
		return
	}
	got := scriptErrors(t, err)
	for i := 0; i < max(len(got), len(want)); i++ {
		if i >= len(want) || i >= len(got) {
			t.Errorf("%s\n%d problems, not %d: %v", text, len(got), len(want), err)
			return
		}
		line, part, _ := strings.Cut(want[i], ": ")
		if strconv.Itoa(got[i].Line) != line || !strings.Contains(got[i].Message, part) || got[i].File != "a.lua" {
			t.Errorf("%s\nproblem %d is %v, not %s", text, i+1, got[i], want[i])
		}
	}
}

func TestDeclarationsRefused(t *testing.T) {
	refused(t, "X = object \"X\" {\n  stat = { a = 1 },\n  boddy = {},\n}",
		"3: X: unknown key boddy; there are body, ", "2: X: unknown key stat; there are state, ")
	refused(t, "X = object \"X\" {\n  body = {\n    shape = { circle = 1 },\n    frction = 1,\n  },\n}", "4: X: unknown key body.frction; there are friction, ")
	refused(t, "X = object \"X\" {\n  body = { shape = { circle = 0 } } }", "2: radius = 0")
	refused(t, "X = object \"X\" {\n  body = { type = \"dynamik\", shape = { circle = 1 } } }", "2: there are dynamic, ")
	refused(t, "X = object \"X\" { body = { } }", "1: X.body.shape must be one of { circle")
	refused(t, "X = object \"X\" { body = { shape = { circle = 1, box = {1, 1} } } }", "1: X.body.shape must be one of")
	refused(t, "X = object \"X\" { body = { shape = { box = { 1 } } } }", "1: X.body.shape.box needs a width and a height")
	refused(t, "X = object \"X\" { body = { shape = { polygon = { 0, 0, 1 } } } }", "1: 3 numbers: write an x and a y for each corner")
	refused(t, "X = object \"X\" { body = { shape = { polygon = { 0, 0, 1, 1, 2, 2 } } } }", "1: collinear")
	refused(t, "X = object \"X\" { body = { shape = { ring = 1 } } }", "1: unknown key body.shape.ring; there are")
	refused(t, "X = object \"X\" { body = { shape = { circle = 1 }, density = 1/0 } }", "1: X.body.density is not a finite number")
	refused(t, "X = object \"X\" { body = { shape = { circle = 1 }, bullet = 1 } }", "1: X.body.bullet must be true or false")
	refused(t, "X = object \"X\" { body = { shape = { circle = 1 }, restitution = 2 } }", "1: restitution = 2")
	refused(t, "X = object \"X\" { body = { shape = { circle = 1 }, layer = 1, collides = { wall = true } } }", "1: layer is a number, not a string", "1: X.body.collides is a list of layers")
	refused(t, "X = object \"X\" {\n  state = {\n    name = \"me\",\n    t = {},\n    id = 1,\n    [1] = 2,\n    a = 1 },\n  aux = { a = 2 } }",
		"2: X.state.1: a field needs a name of letters", "5: X.state.id: the name is reserved; these are: applyAngularImpulse, ", "3: a string field needs a maximum length: str(16, \"me\")", "4: a field with options must begin with its kind", "8: declared in state and in aux")
	refused(t, "X = object \"X\" { state = { s = str(65) } }", "1: str(65): a string field holds 1 to 64 bytes")
	refused(t, "X = object \"X\" { state = { s = str(2, \"abc\") } }", "1: str(2): the default has 3 bytes")
	refused(t, "X = object \"X\" { state = { s = lst(1) } }", "1: lst is not defined")
	refused(t, "X = object \"X\" {\n  input = {\n    a = \"boll\",\n    b = { \"number\", min = 1, max = 2 },\n    c = { \"number\", stp = 1 },\n    d = { \"number\", min = -1, max = 1, step = 1e-12 } } }",
		"3: X.input.a: an input must be \"bool\", \"number\" or", "4: the range must contain 0", "5: X.input.c: unknown key stp; there are step, ", "6: step = 1e-12")
	refused(t, "X = object \"X\" { input = { a = \"bool\" },\n controls = { a = 1, b = \"x\" } }", "2: unknown key controls.b; there are a", "2: controls.a is a number, not a string")
	refused(t, "X = object \"X\" { order = 1.5 }", "1: X.order must be a whole number")
	refused(t, "X = object \"X\" { look = { shape = 1, size = 2 } }", "1: unknown key look.size; there are", "1: look.shape is a number, not a string")
	refused(t, "X = object \"X\" { lod = \"near\" }", "1: X.lod = \"near\": must be \"predict\", \"interpolate\" or \"extrapolate\"")
	refused(t, "X = object \"X\" {}\nY = object \"X\" {}\nZ = object \"Wall\" {}\nV = object \"game\" {}\nP = object \"player\" {}",
		"2: the class X is declared twice", "3: the engine has an object class Wall itself, that of the walls of the level; give yours another name",
		"4: the engine has an object class game itself; game { state = { ... } } declares its fields", "5: the engine has an object class player itself")
	refused(t, "J = object \"Joint\" {}", "1: the engine has an object class Joint itself")
	refused(t, "game {}\nplayer {}\ngame {}\nplayer {}", "3: the class game is declared twice", "4: the class player is declared twice")
	refused(t, "player(5)", "1: what each player has must be declared with a table: player { state = { kills = 0 } }")
	refused(t, "player { calls = {} }", "1: player: unknown key calls; there are aux, state")
	refused(t, "player { state = { name = str(8) } }", "1: player.state.name: view.lua has something else under this name, as it has under mine, name and object")
	refused(t, "X = object \"X\"\nX(5)", "2: object \"X\" must be declared with a table")
	refused(t, "X = object(5) {}", "1: a class needs a name")
	refused(t, "X = object '5x' {}", "1: a class needs a name")
	refused(t, "X = object 'a-b' {}", "1: a class needs a name")
	refused(t, "X = object 'X' { state = 5, look = print }", "1: X.state is a number, not a table", "1: X.look is a function, not a table")
	refused(t, "X = object 'X' { body = { shape = { circle = 1 }, collides = 5 } }", "1: X.body.collides is a number, not a table")
	refused(t, "game { stat = {} }", "1: game: unknown key stat; there are state, ")
	refused(t, "game { input = {} }", "1: game: unknown key input")
	refused(t, "game(5)", "1: the game must be declared with a table")
}

// TestCollidesWithNothing: a body that lists no layer collides with nothing, and one without a list with all.
func TestCollidesWithNothing(t *testing.T) {
	for text, want := range map[string]uint64{"": math.MaxUint64, ", collides = {}": 0} {
		p, err := NewProgram(bundle("a.lua", "X = object \"X\" { body = { shape = { circle = 1 }"+text+" } }"), testSetup)
		if err != nil {
			t.Fatal(err)
		}
		schema := p.NewVM().Schema()
		i, _ := schema.ClassByName("X")
		if got := schema.Defs[schema.Classes[i].DefIndex()].Collides; got != want {
			t.Errorf("a body with %q collides with %x, want %x", text, got, want)
		}
	}
}

func TestLayersRefused(t *testing.T) {
	ball := "X = object \"X\" {\n  body = { shape = { circle = 1 },\n    layer = \"ship\",\n    collides = { %s } } }"
	refused(t, fmt.Sprintf(ball, `"ship", "shpi", "wal"`), `4: X.body.collides: no class is on layer "shpi"; there are ship, default, wall`,
		`4: X.body.collides: no class is on layer "wal"; there are wall, default, ship`)
	refused(t, fmt.Sprintf(ball, `"rock"`)+"\nY = object \"Y\" { body = { shape = { circle = 0 }, layer = \"rock\" } }", "5: radius = 0")
	many := func(n int) string {
		var text strings.Builder
		for i := range n {
			fmt.Fprintf(&text, "X%d = object \"X%d\" { body = { shape = { circle = 1 }, layer = \"l%d\", collides = { \"l0\", \"default\", \"wall\" } } }\n", i, i, i)
		}
		return text.String()
	}
	refused(t, many(64), `63: X62.body.layer = "l62" is one layer too many: a game has at most 64, default and wall included`)
	for _, text := range []string{many(62), fmt.Sprintf(ball, `"rock"`) + "\nY = object \"Y\" { body = { shape = { circle = 1 }, layer = \"rock\" } }"} {
		if _, err := NewProgram([]world.Source{{Name: "a.lua", Text: text}}, testSetup); err != nil {
			t.Error(err)
		}
	}
}

func TestMembersRefused(t *testing.T) {
	const x = "X = object \"X\" { state = { hp = 1 } }\n"
	refused(t, x+"function X:ontick() end", "2: X:ontick is not a hook; did you mean tick?")
	refused(t, x+"function X:applyinput() end", "2: X:applyinput is not a hook; did you mean applyInput?")
	refused(t, x+"function X:onContct() end", "2: X:onContct is not a hook; did you mean onContact?")
	refused(t, x+"function X:onSpwan() end", "2: did you mean onSpawn?")
	refused(t, x+"function X:getPosition() end", "2: X:getPosition: the name is reserved")
	refused(t, x+"function X:hp() end", "2: X has a field and a method named hp")
	refused(t, x+"X.owner = 1", "1: X:owner: the name is reserved")
	refused(t, x+"function tick() end", "2: tick is a hook of game.lua when it is a global function; did you mean a method, function Class:tick?")
	for _, fine := range []string{"function X:track() end", "function X:thinking() end", "function X:spawn() end", "function X:contact() end", "X.speed = 3", "local function tick() end", "onStart = 5"} {
		if _, err := NewProgram(bundle("a.lua", x+fine), testSetup); err != nil {
			t.Errorf("%s: %v", fine, err)
		}
	}
	_, err := NewProgram(bundle("a.lua", x, "game.lua", "function onJion(p) end"), testSetup)
	if err == nil || err.Error() != "game.lua:1: onJion is not a hook; did you mean onJoin?" {
		t.Errorf("%v", err)
	}
}

func TestHiddenMemoryRefused(t *testing.T) {
	refused(t, "count = 0\nfunction f()\n  count = count + 1\nend", "3: global count is set in a function, but globals are frozen after loading: declare count in state (self.count, or game.count)")
	refused(t, "local count = 0\nfunction f()\n  count = count + 1\nend", "3: count, a local of the file, is changed in a function")
	refused(t, "local a = 0\nfunction f()\n  return function()\n    a = 1\n  end\nend", "4: a, a local of the file, is changed")
	refused(t, "local a, b = 0, 0\nfunction f() a, b = b, a end", "2: a, a local of the file", "2: b, a local of the file")
	refused(t, "local function counter()\n  local n = 0\n  return function()\n    n = n + 1\n    return n\n  end\nend\nnext_id = counter()", "4: the local variable n is frozen after loading, and a function changes it")
	refused(t, "local function counter()\n  local n = 0\n  return function() return function() n = n + 1 end end\nend\nlocal c = counter()\nX = object \"X\" {}\nfunction X:tick() c()() end", "3: the local variable n is frozen after loading")
	refused(t, "for i = 1, 2 do function f() i = 3 end end", "1: i, a local of the file, is changed")
	refused(t, "function f() function g() end end", "1: global g is set in a function")
	refused(t, "math = {}", "1: math belongs to the language or its library")
	refused(t, "function print() end", "1: print belongs to the language or its library")
	refused(t, "function math.cube(x) end", "1: read-only")
	refused(t, "string.x = 1", "1: read-only")
	refused(t, "x = math.random(3)", "1: the world does not exist yet while the files are loaded")
	refused(t, "x = math.flor(3)", "1: math.flor does not exist; did you mean math.floor?")
	refused(t, "x = string.dump(print)", "1: string.dump does not exist")
	refused(t, "x = dofile()\ny = os.time()\nz = io.open('x')\nw = require 'x'\nv = _G\n\nt = load('x')\ns = debug",
		"4: require(\"x\"): there is no file x.lua", "1: dofile is not defined", "2: os is not defined", "3: io is not defined", "5: _G is not defined", "7: load is not defined", "8: debug is not defined")
	refused(t, "function f() return thrust + 1 end\nthrsut = 2", "1: thrust is not defined; did you mean thrsut?")
	refused(t, "x = attach", "1: attach is not defined")
	for _, fine := range []string{
		"local t = {}\nfunction f() return t.x end",
		"local function f(n) local a = 0 local function up() a = a + n end up() return a end\nx = f(3)",
		"x = x or 5",
		"do local a = 1 a = a + 1 x = a end",
		"local print = print",
		"local math = { floor = function() end } math.round = 1",
		"local a local function f() return a end a = 5",
	} {
		if _, err := NewProgram(bundle("a.lua", fine), testSetup); err != nil {
			t.Errorf("%s: %v", fine, err)
		}
	}
}

func TestSeveralFiles(t *testing.T) {
	_, err := NewProgram(bundle("b.lua", "x = = 1", "a.lua", "y = math.sine(1)\ndo goto x end", "game.lua", "function f() y = 1 end"), testSetup)
	want := []string{"b.lua:1: ", "a.lua:1: math.sine does not exist; did you mean math.sin?", "a.lua:2: goto is not in Lua 5.1", "game.lua:1: global y is set in a function"}
	for i, e := range scriptErrors(t, err) {
		if i >= len(want) || !strings.HasPrefix(e.Error(), want[i]) {
			t.Errorf("problem %d: %v", i, e)
		}
	}
	prog, err := NewProgram(bundle("game.lua", "order = order .. 'g' X = object 'X' { order = #order }", "b.lua", "order = order .. 'b'", "a.lua", "order = 'a'"), testSetup)
	if err != nil {
		t.Fatal(err)
	}
	if c := prog.Schema().Classes[0]; c.Name != "X" || c.Order != 3 {
		t.Errorf("%+v", c)
	}
}

// spaces returns n files of 60,000 spaces each.
func spaces(n int) (files []world.Source) {
	for i := range n {
		files = append(files, world.Source{Name: fmt.Sprintf("f%d.lua", i), Text: strings.Repeat(" ", 60000)})
	}
	return files
}

func TestSourcesRefused(t *testing.T) {
	for _, c := range []struct {
		name  string
		files []world.Source
		want  string
	}{
		{"twice", bundle("a.lua", "", "a.lua", ""), "in the bundle twice"},
		{"no name", bundle("", ""), "1 to 128 bytes"},
		{"colon", bundle("a:b.lua", ""), "no colon"},
		{"control", bundle("a\n.lua", ""), "control characters"},
		{"too many", make([]world.Source, 201), "at most 200"},
		{"together", spaces(18), "together"},
	} {
		if _, err := NewProgram(c.files, testSetup); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	bad := testSetup
	bad.TickRate = 5
	if _, err := NewProgram(nil, bad); err == nil {
		t.Error("a tick rate of 5 is accepted")
	}
	level := testSetup
	level.Spawns = []world.Spawn{{Class: "Nothing", Count: 1}}
	if _, err := NewProgram(bundle("a.lua", "X = object 'X' {}"), level); err == nil || !strings.Contains(err.Error(), "Nothing") {
		t.Errorf("%v", err)
	}
	if _, err := NewProgram(nil, testSetup); err != nil {
		t.Errorf("an empty bundle: %v", err)
	}
}

// TestDeclaredByCode: fields that code computes, so that the source does not list them, are
// read and written as fields too.
func TestDeclaredByCode(t *testing.T) {
	s := start(t, "a.lua", `
local fields = {}
fields.hp, fields["a" .. "mmo"] = 10, 3
local parts = { state = fields, order = 2 }
X = object("X")(parts)
local Y = object "Y" { state = { n = 1 } }
Z = {}
Z.class = object "Z" (parts)
X.tick = function(self) self.hp = self.hp + self.ammo return self.hp end
function Y:tick() self.n = self.n + 1 end
`)
	x, y := s.spawn("X"), s.spawn("Y")
	s.tick()
	if s.field(x, "hp") != 13 || s.field(y, "n") != 2 {
		t.Errorf("hp %v, n %v", s.field(x, "hp"), s.field(y, "n"))
	}
}

func TestVMsShareAProgram(t *testing.T) {
	s := start(t, "a.lua", "X = object 'X' { state = { n = 0 } } function X:tick() self.n = self.n + 1 end")
	other := s.vm.prog.NewVM()
	slot := s.spawn("X")
	for range 3 {
		for _, vm := range []*VM{s.vm, other} {
			if err := vm.Call(s.w.Actor(), world.OnTick, slot, &world.Args{}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if s.field(slot, "n") != 6 || s.vm.Schema() != other.Schema() {
		t.Errorf("n = %v", s.field(slot, "n"))
	}
}

// TestIteratorsKeepNothing: an iterator that is stored while files are loaded starts again
// in each hook.
func TestIteratorsKeepNothing(t *testing.T) {
	s := start(t, "a.lua", `
letters = { "a", "b", "c" }
step, over, from = ipairs(letters)
kstep, kover, kfrom = pairs(letters)
X = object "X" { state = { n = 0 } }
function X:tick()
  local i, v = step(over, from)
  local k, w = kstep(kover, kfrom)
  local k2 = kstep(kover, 1)
  local k3 = kstep(kover, 3)
  self.n = self.n * 100 + i * 10 + k + (v == "a" and w == "a" and k2 == 2 and k3 == nil and 0 or 5)
end`)
	slot := s.spawn("X")
	for range 2 {
		if err := s.call(world.OnTick, slot, world.Args{}); err != nil {
			t.Fatal(err)
		}
	}
	if n := s.field(slot, "n"); n != 1111 {
		t.Errorf("n = %v", n)
	}
}

// TestVMsRunConcurrently is for the race detector: VMs of one Program on several
// goroutines.
func TestVMsRunConcurrently(t *testing.T) {
	prog := everythingProgram(t)
	done := make(chan uint64)
	for range 4 {
		go func() {
			w, vm := world.New(), prog.NewVM()
			w.Load(nil, prog.Schema())
			for range 10 {
				step(t, w, vm)
			}
			done <- w.Now.Hash()
		}()
	}
	first := <-done
	for range 3 {
		if h := <-done; h != first {
			t.Errorf("%016x and %016x", first, h)
		}
	}
}

func TestErrorsHavePositions(t *testing.T) {
	s := start(t, "a_util.lua", "function half(x)\n  return x / 2\nend\nfunction check(x)\n  if not x then error('not here', 2) end\nend",
		"ship.lua", "Ship = object 'Ship' { state = { n = 0 } }\nfunction Ship:tick()\n  if self.n == 0 then\n    half(nil)\n  elseif self.n == 1 then\n    check(false)\n  elseif self.n == 2 then\n    self.nothing(1)\n  else\n    missing.field = 1\n  end\nend\nmissing = nil")
	slot := s.spawn("Ship")
	f, _ := s.w.Class(slot).Field("n")
	for n, want := range []string{"a_util.lua:2: ", "ship.lua:6: not here", "ship.lua:8: Ship has no field or method nothing", "ship.lua:10: attempt to index a nil value (global 'missing') with key 'field'"} {
		s.w.Now.Row(slot).SetWord(f, world.NumberBits(float64(n)))
		err := s.call(world.OnTick, slot, world.Args{})
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, not %q", err, want)
		}
	}
	e := scriptErrors(t, s.call(world.OnTick, slot, world.Args{}))[0]
	if e.Tick != s.w.Now.Tick || e.Object != s.w.Now.Objects[slot].ID || e.Class != "Ship" || e.Hook != world.OnTick {
		t.Errorf("%+v", e)
	}
}

// TestActorIsRestored: Call restores the acting object of the world, also after an error.
func TestActorIsRestored(t *testing.T) {
	s := start(t, "a.lua", "X = object 'X' {} function X:tick() error('no') end")
	slot := s.spawn("X")
	if err := s.call(world.OnTick, slot, world.Args{}); err == nil || s.w.Actor().Calls().Acting() != -1 {
		t.Errorf("actor %d, %v", s.w.Actor().Calls().Acting(), err)
	}
	if err := s.call(world.OnContact, slot, world.Args{}); err != nil {
		t.Errorf("a hook that the class lacks: %v", err)
	}
}

// TestMergeRules: a declaration says how inputs are merged. An unknown rule is refused, with
// its line and the rules that exist.
func TestMergeRules(t *testing.T) {
	s := start(t, "x.lua", `
X = object "X" {
  input = { a = "bool", b = { "bool", merge = "any" }, c = { "bool", merge = "last" }, d = "number", e = { "number", merge = "last" },
    f = { "number", max = 5, merge = "sum" }, g = { "number", merge = "mean" }, h = { "number", step = 0.1, merge = "furthest" } },
  controls = { f = { "wheel", "-mouse:dx" }, g = "pad:lx" },
}
function X:applyInput(input) end`)
	for i, want := range []world.Merge{0, 0, world.MergeLast, 0, 0, world.MergeSum, world.MergeMean, world.MergeFurthest} {
		if f := s.w.Class(s.spawn("X")).Inputs[i]; f.Merge != want {
			t.Errorf("%s is merged as %d", f.Name, f.Merge)
		}
	}
	refused(t, `X = object "X" { input = {
  a = { "bool", merge = "sum" },
  b = { "number", merge = "any" },
  c = { "number", merge = true },
  d = { "bool", merg = "any" } } }`,
		`2: X.input.a.merge = "sum": the rules for a bool are "any", "last"`, `3: X.input.b.merge = "any": the rules for a number are "last", "sum", "mean", "furthest"`,
		`4: X.input.c.merge = "true": the rules for a number are`, "5: X.input.d: unknown key merg; there are merge")
	refused(t, `X = object "X" { input = { a = "number", b = { "number", merge = "sum" } },
  controls = {
    a = "wheel",
    b = { "mouse:dx", "left" } } }`,
		`3: X.controls.a = "wheel" moves by amounts and has no position: declare a = { "number", merge = "sum" }`,
		`4: X.controls.b = "left" has no amounts to add up: with merge = "sum", use one of wheel, mouse:dx, mouse:dy`)
}

// TestGlobalsThatAreSetLater tests that an error names the file that sets a global after it was needed.
func TestGlobalsThatAreSetLater(t *testing.T) {
	files := bundle("bot.lua", "local x = 1\nfunction Player:think() return {} end", "player.lua", `Player = object "Player" {}`)
	_, err := NewProgram(files, testSetup)
	const want = "bot.lua:2: attempt to index a nil value with key 'think'; Player is set in player.lua, which is loaded after bot.lua: files are loaded in the order of their names"
	if err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

func TestNilInStateRefused(t *testing.T) {
	refused(t, "X = object \"X\" {\n  state = {\n    target = nil,\n  },\n}", "3: X.state.target = nil declares nothing, because nil has no type: write target = ref() for an object")
	refused(t, "game { aux = { a = nil, b = 1 } }", "1: game.aux.a = nil declares nothing")
	refused(t, "player { state = { a = nil } }", "1: player.state.a = nil declares nothing")
}
