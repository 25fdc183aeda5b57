package gametest

import (
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/hindcast/hindcast/scripts"
)

// TestGamesBuiltIn runs the tests of every game that is built in.
func TestGamesBuiltIn(t *testing.T) {
	for _, name := range scripts.Games() {
		fsys, _ := scripts.Builtin(name)
		game, err := scripts.Load(fsys, name)
		if err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		r, err := Run(name, game, Options{Out: &out, Verbose: true})
		if err != nil || r.Failed > 0 || r.Run < 5 {
			t.Errorf("%s: %+v, %v\n%s", name, r, err, out.String())
		}
	}
}

// tested returns a small game with a test file.
func tested(t *testing.T, tests string) *scripts.Game {
	t.Helper()
	files := map[string]string{
		"game.toml": "name = \"small\"\n[arena]\nwalls = true\n",
		"ship.lua": `Ship = object "Ship" {
  input = { Accel = "bool", aim = "number" }, state = { fuel = 10, on = false },
  body = { shape = { circle = 0.5 } },
}
function Ship:applyInput(input)
  self:setForce(input.Accel and 4 or 0, 0)
  self.on = input.Accel
  self.fuel = self.fuel - math.abs(input.aim)
end
Bad = object "Bad" {}
function Bad:tick() local x = nil + 1 end
Mother = object "Mother" {}
function Mother:onSpawn() spawn("Child") end
Child = object "Child" {}
function Child:onSpawn() error("stillborn") end
Deep = object "Deep" {}
local function down() error("deep") end
function Deep:tick() down() end`,
		"game.lua":      "function onJoin(player) print('hello', player) spawn('Ship', { owner = player }) end game { calls = { move = { 'ref', 'number', 'bool' } } } function move(ship, x, up) ship:setPosition(x, up and 1 or 0) end",
		"game_test.lua": tests,
	}
	fsys := fstest.MapFS{}
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	game, err := scripts.Load(fsys, "small")
	if err != nil {
		t.Fatal(err)
	}
	return game
}

func run(t *testing.T, tests string, o Options) string {
	t.Helper()
	var out strings.Builder
	o.Out = &out
	if _, err := Run("small", tested(t, tests), o); err != nil {
		return err.Error()
	}
	return out.String()
}

// TestCloseNumbers: what is not equal is shown so that it looks different, with what to do.
func TestCloseNumbers(t *testing.T) {
	out := run(t, `test("close", function(t)
  t:eq(0.1 + 0.2, 0.3)
  t:eq({ a = { 0.1 + 0.2 } }, { a = { 0.3 } })
  t:near(0.1 + 0.2, 0.3, 0)
  t:eq(0.31, 0.3)
  t:eq(0 / 0, 0 / 0)
end)`, Options{})
	const hint = "; numbers that were computed are seldom equal: t:near(got, want, 1e-9)\n"
	for _, want := range []string{
		":2: got 0.30000000000000004, want 0.3" + hint,
		":3: got {a = {0.30000000000000004}}, want {a = {0.3}}" + hint,
		":4: got 0.30000000000000004, want 0.3 within 0\n",
		":5: got 0.31, want 0.3\n",
		":6: got nan, want nan; nan is equal to nothing, not even to itself\n",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("the output lacks %q:\n%s", want, out)
		}
	}
}

// TestConstantsInTests: a test sees the objProps of a class, its own and those that it inherits, and cannot change them.
func TestConstantsInTests(t *testing.T) {
	game := trialGame(t, map[string]string{"game.toml": "name = \"small\"\n", "game.lua": `
local both = { 1, 2 }
Zombie = object "Zombie" { objProps = { speed = 2.5, push = 0.5, list = both, again = both, think = function() end, deep = { name = "x", on = true } } }
Brute = object "Brute" { extends = Zombie, objProps = { speed = 1 } }
function onStart() spawn("Brute") spawn("Zombie") end`, "game_test.lua": `
for _, net in ipairs({ "alone", "bad" }) do
  test(net, function(t)
    local w = t:world { players = 1, net = net == "bad" and "bad" or nil }
    w:step(10)
    local z, b = objects("Zombie")[2], objects("Brute")[1]
    t:eq(z.objProps, { speed = 2.5, push = 0.5, list = { 1, 2 }, again = { 1, 2 }, deep = { name = "x", on = true } })
    t:eq({ b.objProps.speed, b.objProps.push, #b.objProps.list, b.objProps.think }, { 1, 0.5, 2 })
    t:eq(w:seenBy(1, function() return objects("Zombie")[1].objProps.push end), 0.5)
    local keys = {}
    for k in pairs(z.objProps) do keys[#keys + 1] = k end
    t:eq(#keys, 5)
    t:ok(not pcall(function() z.objProps.speed = 3 end), "written")
    t:ok(not pcall(function() z.objProps.deep.name = "y" end), "written inside")
  end)
end`})
	var out strings.Builder
	r, err := Run("small", game, Options{Out: &out, Verbose: true})
	if err != nil || r.Failed > 0 || r.Run != 2 {
		t.Errorf("%+v, %v\n%s", r, err, out.String())
	}
}

// TestOutput: the output has the form of that of go test.
func TestOutput(t *testing.T) {
	const tests = `
test("passes", function(t)
  t:world { players = 1 }
  t:log("a note")
end)
test("fails", function(t)
  local w = t:world()
  t:log("a note", 1, { 2, x = "y" })
  t:eq(1, 2)
  t:eq({ 1, { 2 } }, { 1, { 2 } })
  t:near(1, 1.4, 0.5)
  t:near(1, 2, 0.5, "far")
  t:ok(false, "no")
  t:fail("the", "end")
  t:fail("not reached")
end)
test("scripts fail", function(t)
  local w = t:world()
  w:spawn("Bad")
  w:step(3)
end)
test("scripts fail deep inside", function(t)
  local w = t:world()
  w:spawn("Deep")
end)
test("scripts fail when they should", function(t)
  local w = t:world()
  w:spawn("Mother")
  t:eq(#w:errors(), 1)
  t:eq(w:errors(), {})
end)`
	for _, c := range []struct {
		o    Options
		want string
	}{
		{Options{}, `--- FAIL: fails (0.00s)
    small/game_test.lua:8: a note 1 {2, x = "y"}
    small/game_test.lua:9: got 1, want 2
    small/game_test.lua:12: far: got 1, want 2 within 0.5
    small/game_test.lua:13: no: got false
    small/game_test.lua:14: the end
--- FAIL: scripts fail (0.00s)
    small/game_test.lua:17: a script failed: small/ship.lua:11: attempt to perform arithmetic on a nil value
--- FAIL: scripts fail deep inside (0.00s)
    small/game_test.lua:22: a script failed: small/ship.lua:17: deep; small/ship.lua:17 in down, called from small/ship.lua:18 in Deep:tick
FAIL
FAIL	small	0.000s
`},
		{Options{Verbose: true, Run: regexp.MustCompile("^pass")}, `=== RUN   passes
--- PASS: passes (0.00s)
    small/game_test.lua:4: a note
    printed: game.lua:1: hello	1
PASS
ok  	small	0.000s
`},
		{Options{Run: regexp.MustCompile("should")}, "ok  \tsmall\t0.000s\n"},
		{Options{Run: regexp.MustCompile("nothing")}, "ok  \tsmall\t0.000s [no tests to run]\n"},
	} {
		if got := run(t, tests, c.o); got != c.want {
			t.Errorf("%+v: got\n%s\nwant\n%s", c.o, got, c.want)
		}
	}
}

// TestGameTests: each row has the body of a test and a part of its output; "" means that
// it passes.
func TestGameTests(t *testing.T) {
	for body, want := range map[string]string{
		`local w = t:world { players = 2 }  t:eq(#players(), 2)  t:eq(#objects("Ship"), 2)`:                            "",
		`local w = t:world { players = 1 }  w:input(1, { Accel = true })  w:step()  t:eq(objects("Ship")[1].on, true)`: "",
		`local w = t:world { players = 1 }  w:input(1, { aim = -1 })  w:step(4)  t:eq(objects("Ship")[1].fuel, 6)`:     "",
		`local w = t:world { players = 1, seed = 9, empty = true }  t:eq(#objects("Wall"), 0)`:                         "",
		`local w = t:world { players = 1 }
		 local mine, other = objects("Ship")[1], w:spawn("Ship", { x = 5, owner = 1 })
		 w:input(1, {}) w:input(1, { Accel = true }, other) w:step()
		 t:eq(mine.on, false) t:eq(other.on, true)`: "",
		`local w = t:world { players = 1, net = "bad" }
		 w:input(1, { Accel = true }) w:step(60)
		 local ahead = w:seenBy(1, function() return tickNumber() end)
		 t:ok(ahead > tickNumber(), "the client is ahead")
		 t:ok(w:confirmed(function() return tickNumber() end) < tickNumber(), "the confirmed is behind")
		 w:settle() t:eq(w:confirmed(function() return objects("Ship")[1].on end), true)`: "",
		`local w = t:world { players = 1 }  local a, b = w:seenBy(1, function() return 1, 2 end)  t:eq(a + b, 3)`: "",
		`local w = t:world { players = 2, net = "lan" } w:step(60)
		 local ship = objects("Ship")[1]
		 t:eq(w:seenBy(2, function() return objects("Ship")[1] end), ship)
		 t:eq(w:confirmed(function() return ship.fuel end), 10)`: "",
		`objects("Ship")`:                               "",
		`t:eq(#objects("Ship"), 0)`:                     "",
		`objects("Shp")`:                                "there is no class Shp",
		`t:world() t:world()`:                           "one world",
		`t:world { player = 1 }`:                        "unknown key player; there are players",
		`t:world { players = "two" }`:                   `players = "two"`,
		`t:world { net = "soup" }`:                      "want off, lan",
		`t.world()`:                                     "called with a colon",
		`local w = t:world() w:input(1, { Acel = 1 })`:  "Acel",
		`local w = t:world() w:input(1, { Accel = 1 })`: "there is no player 1",
		`local w = t:world { players = 1 } w:input(1, { Accel = true, Acel = true })`:                "input: no class declares an input Acel; the classes declare: Accel, ",
		`local w = t:world { players = 1 } w:input(1, { Accel = true, aim = "x" })`:                  "input: the table sets aim to a string, not a number",
		`local w = t:world { players = 1 } w:seenBy(2, function() end)`:                              "there is no player 2",
		`local w = t:world { players = 1, net = "lan" } w:seenBy(2, function() end)`:                 "there is no player 2",
		`local w = t:world() w:spawn("Shp")`:                                                         "there is no class Shp",
		`local w = t:world() t:eq(w:spawn("Ship", { fuel = 3, x = 2 }).fuel, 3)`:                     "",
		`local w = t:world { players = 1, net = "lan" } t:eq(w:spawn("Ship", { fuel = 4 }).fuel, 4)`: "",
		`local w = t:world() w:spawn("Ship", { fuel = "full" })`:                                     "Ship.fuel",
		`local w = t:world() w:spawn("Ship", { fuel = print })`:                                      "spawn: fuel cannot be a function",
		`local w = t:world() w:step(-1)`:                                                             "step(-1)",
		`local w = t:world { players = 1 } objects("Ship")[1].fuel = 1`:                              "through w only",
		`local w = t:world { players = 1 } spawn("Ship")`:                                            "through w only",
		`while true do end`: "the test used up its budget",
		`local function f(...) return f(1, ...) end f()`: "too deep",
		`error("deep")`: "small/game_test.lua:2: deep",
		`local w = t:world { players = 1 } t:eq(game.x, 1)`:                                        "game has no field or method x",
		`local w = t:world { players = 1 } w:seenBy(1, function() error("inside") end)`:            "inside",
		`local n = 0 local w = t:world() for i = 1, 3 do w:step() n = n + 1 end t:eq(n, 3)`:        "",
		`local w = t:world() t:eq(tickNumber(), 2) w:step(5) t:eq(tickNumber(), 7)`:                "",
		`local w = t:world { players = 1, net = "lan" } t:eq(w:spawn("Ship", { x = 3 }).fuel, 10)`: "",
	} {
		got := run(t, "test(\"it\", function(t)\n"+body+"\nend)", Options{})
		if want == "" && !strings.HasPrefix(got, "ok") || want != "" && !strings.Contains(got, want) {
			t.Errorf("%s\ngot\n%s\nwant %q", body, got, want)
		}
	}
}

// TestGamesThatAsk: players of a test answer nothing to entry { ... }, with a network and without.
func TestGamesThatAsk(t *testing.T) {
	game := tested(t, `
test("alone", function(t) t:world { players = 2 }  t:eq(#objects("Ship"), 2)  t:eq(stats(2).kit, "none") end)
test("over a network", function(t) t:world { players = 2, net = "bad" }  t:eq(#objects("Ship"), 2)  t:eq(stats(2).kit, "none") end)`)
	for i := range game.Bundle.Files {
		if f := &game.Bundle.Files[i]; f.Name == "game.lua" {
			f.Text = `entry { kit = { "Scout", "Tank" } } player { state = { kit = str(8) } }
function onJoin(p, asked) stats(p).kit = asked.kit or "none" spawn('Ship', { owner = p }) end`
		}
	}
	var out strings.Builder
	if r, err := Run("small", game, Options{Out: &out}); err != nil || r.Failed > 0 || r.Run != 2 {
		t.Errorf("%+v, %v\n%s", r, err, out.String())
	}
}

// TestPlayersComeAndGoInTests: players join and leave in the middle of a test, which sees the cues of the game and what
// it tells players.
func TestPlayersComeAndGoInTests(t *testing.T) {
	body := func(net string) string {
		return `
  local w = t:world { players = 1` + net + ` }
  t:eq(w:join { team = "Blue", kit = "Tank" }, 2)
  t:eq(w:join(), 3)
  w:settle()
  t:eq(#w:cues(), 4) t:eq(#w:cues("nothing"), 0)
  local hi = w:cues("hi")
  t:eq(#hi, 3) t:eq(hi[2].team .. hi[2].kit, "BlueTank") t:eq(hi[3].team .. hi[3].kit, "nilnil") t:eq(hi[1].loud, true) t:eq(hi[1].name, "hi") t:eq(hi[1].object, nil)
  t:ok(hi[1].age > hi[3].age) t:eq(w:cues("born")[1].object, objects("Bug")[1])
  t:eq(w:told(2), { "welcome 2", "1 bug" }) t:eq(#w:told(9), 0)
  w:input(2, {}) w:leave(2) w:step(70)
  t:eq(game.gone, 2) t:eq(#players(), 2)
  t:eq(w:join { kit = "Scout" }, 4) t:eq(#players(), 3)`
	}
	fails := func(code string) string { return "local w = t:world { players = 1 }\n" + code }
	game := tested(t, `
test("alone", function(t)`+body("")+` end)
test("over a network", function(t)`+body(`, net = "bad"`)+` end)
test("question", function(t) `+fails(`w:join { kt = "Tank" }`)+` end)
test("option", function(t) `+fails(`w:join { kit = "Tnk" }`)+` end)
test("full", function(t) `+fails(`for _ = 1, 9 do w:join() end`)+` end)
test("gone", function(t) local w = t:world { players = 1, net = "lan" }
w:leave(1) w:seenBy(1, function() end) end)
test("nobody", function(t) `+fails(`w:leave(2)`)+` end)
test("twice", function(t) `+fails(`w:leave(1) w:leave(1)`)+` end)`)
	game.Bundle.Rules.MaxPlayers, game.Bundle.Setup.GraceTicks = 8, 60
	for i := range game.Bundle.Files {
		if f := &game.Bundle.Files[i]; f.Name == "game.lua" {
			f.Text = `teams { Red = {}, Blue = {} } entry { team = "choose", kit = { "Scout", "Tank" } }
game { state = { gone = 0 } }
Bug = object "Bug" {}
function Bug:onSpawn() cue("born", {}) end
function onStart() spawn("Bug") end
function onJoin(p, asked)
  cue("hi", { team = tostring(asked.team), kit = tostring(asked.kit), loud = true })
  tell(p, "welcome " .. p) tell(p, #objects("Bug") .. " bug")
end
function onLeave(p) game.gone = p end`
		}
	}
	var out strings.Builder
	if r, err := Run("small", game, Options{Out: &out}); err != nil || r.Failed != 6 || r.Run != 8 {
		t.Errorf("%+v, %v", r, err)
	}
	got := out.String()
	for _, want := range []string{"join: the entry form has no question kt; it has kit and team", `join: kit = "Tnk": the answers are Tank and Scout`,
		"there are 8 players: the game takes 8", "player 1 has left", "there is no player 2 who could leave", "there is no player 1 who could leave"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
}

// TestListsAndRecordsOfStateInChecks: they are compared by their contents, and shown so.
func TestListsAndRecordsOfStateInChecks(t *testing.T) {
	game := tested(t, `
test("equal", function(t)
  local w = t:world { players = 1 }
  local b = objects("Bug")[1]
  t:eq(b.bag, { 1, 2 }) t:eq({ 1, 2 }, b.bag) t:eq(b.bag, b.bag) t:eq(b.rec, { a = 1, s = "" })
  t:eq(b.slots, { { n = 4, o = b } }) t:eq({ deep = { b.slots[1] } }, { deep = { { n = 4, o = b } } })
end)
test("different", function(t)
  t:world { players = 1 }
  local b = objects("Bug")[1]
  t:eq(b.bag, { 1, 3 }, "bag") t:eq(b.rec, { a = 1 }) t:eq(b.slots, { { n = 4 } }) t:eq(b.bag, 1) t:log(b.bag)
end)`)
	for i := range game.Bundle.Files {
		if f := &game.Bundle.Files[i]; f.Name == "game.lua" {
			f.Text = `object "Bug" { state = { bag = list("number", 4), rec = record { a = 1, s = str(4) }, slots = list(record { n = 0, o = ref() }, 3) } }
function onJoin(p) local b = spawn("Bug", { owner = p, bag = { 1, 2 } }) table.insert(b.slots, { n = 4, o = b }) end`
		}
	}
	var out strings.Builder
	if r, err := Run("small", game, Options{Out: &out}); err != nil || r.Failed != 1 || r.Run != 2 {
		t.Errorf("%+v, %v\n%s", r, err, out.String())
	}
	for _, want := range []string{"bag: got {1, 2}, want {1, 3}", `got {a = 1, s = ""}, want {a = 1}`, "got {{n = 4, o = Bug ",
		"got {1, 2}, want 1", ": {1, 2}\n"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
}

// TestTestFilesThatDoNotLoad: every problem, with its place.
func TestTestFilesThatDoNotLoad(t *testing.T) {
	for tests, want := range map[string]string{
		"test(\"a\", function(t) end": "small/game_test.lua:1: ",
		"\ntest(\"a\")":               "small/game_test.lua:2: test: the second argument",
		"test(\"a\", function(t) end)\ntest(\"a\", function(t) end)": "small/game_test.lua:2: test: a test \"a\" is already declared in line 1",
		"local n = 0\ntest(\"a\", function(t) n = n + 1 end)":        "small/game_test.lua:2: ",
		"test(\"a\", function(t) tset(1) end)":                       "tset is not defined",
		"test(\"a\", function(t) test(\"b\", function(t) end) end)":  "while the files are loaded",
	} {
		if got := run(t, tests, Options{}); !strings.Contains(got, want) {
			t.Errorf("%s\ngot %s\nwant %q", tests, got, want)
		}
	}
}

// TestGameTestsAreRepeatable: a match on a bad line, with its seed.
func TestGameTestsAreRepeatable(t *testing.T) {
	const tests = `test("it", function(t)
  local w = t:world { players = 3, net = "awful", seed = 5 }
  for i = 1, 30 do
    w:input(i % 3 + 1, { Accel = i % 2 == 0, aim = i / 30 })
    w:step(7)
  end
  local x, y = w:seenBy(2, function() return objects("Ship")[3]:getPosition() end)
  t:fail(x, y, tickNumber())
end)`
	first := run(t, tests, Options{})
	if again := run(t, tests, Options{}); again != first || !strings.Contains(first, "game_test.lua:8: ") {
		t.Errorf("first\n%s\nagain\n%s", first, again)
	}
}

// TestCalls: a test calls functions of game.lua, with and without a network.
func TestCalls(t *testing.T) {
	for _, net := range []string{"", ", net = \"average\""} {
		tests := `test("it", function(t)
  local w = t:world { players = 1` + net + ` }
  local ship = w:spawn("Ship", { x = 1 })
  w:call("move", ship, 7.5, true)
  local x, y = ship:getPosition()
  t:near(x, 7.5, 0.2)
  t:near(y, 1, 0.2)
  w:call("mve", ship)
end)`
		got := run(t, tests, Options{})
		if want := `small/game_test.lua:8: call: no such function: "mve"; the game declares move(ref, number, bool)`; !strings.Contains(strings.Replace(got, "8: no such", "8: call: no such", 1), want) || strings.Contains(got, "lua:6") || strings.Contains(got, "lua:7") {
			t.Errorf("%sgot %s\nwant %s", net, got, want)
		}
	}
}

// TestTheTimeLimit tests a game whose first test would step for an hour: it fails when the time is over, between two
// ticks, and the one after it does not run.
func TestTheTimeLimit(t *testing.T) {
	game := tested(t, `
test("endless", function(t) local w = t:world() for i = 1, 10000 do w:step(100) end end)
test("short", function(t) t:world():step(1) end)`)
	now, shares := time.Duration(0), 0
	for _, limit := range []time.Duration{0, time.Minute} {
		var out strings.Builder
		o := Options{Out: &out, Limit: limit, Progress: func(float64) { shares++ },
			Stopwatch: func() time.Duration { now += 10 * time.Millisecond; return now }}
		if limit == 0 {
			o.Run = regexp.MustCompile("short")
		}
		began := now
		r, err := Run("small", game, o)
		if err != nil {
			t.Fatal(err)
		}
		if limit == 0 && r != (Result{Run: 1}) {
			t.Errorf("without a limit: %+v\n%s", r, out.String())
		}
		const why = "the time limit of all tests, 1m0s, is over (-timeout)"
		if limit > 0 && (r != Result{Run: 1, Failed: 1, Left: 1} || strings.Count(out.String(), why) != 2 || now-began > limit+time.Second) {
			t.Errorf("with a limit, after %v: %+v\n%s", now-began, r, out.String())
		}
	}
	if shares != 2 {
		t.Errorf("%d times progress", shares)
	}
}
