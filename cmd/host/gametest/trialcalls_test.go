package gametest

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/hindcast/hindcast/luabind"
)

// tried returns what a trial run of a game.lua finds: errors, with the calls in which they happened, doubtful ones, and
// what it did not reach.
func triedGame(t *testing.T, text string) (errors, doubtful, missed []string, found Trial) {
	t.Helper()
	game := trialGame(t, map[string]string{"game.toml": "name = \"small\"\n", "game.lua": text})
	if _, err := game.Compile(luabind.Compile); err != nil {
		t.Fatal(err)
	}
	found = Try(game, TrialOptions{})
	for _, e := range found.Errors {
		errors = append(errors, e.Place()+" "+e.Message)
	}
	for _, e := range found.Doubtful {
		doubtful = append(doubtful, e.Place()+" "+e.Message+": "+e.Why)
	}
	slices.Sort(errors)
	slices.Sort(doubtful)
	return errors, doubtful, found.Missed, found
}

// TestTrialCalls: a trial run calls the functions of calls, with values of the kinds that they declare.
func TestTrialCalls(t *testing.T) {
	errors, doubtful, missed, found := triedGame(t, `
Bomb = object "Bomb" { body = { shape = { circle = 0.4 } } }
function Bomb:onSpawn() after(2, "explode") end
function Bomb:explode() error("explodes") end
game { state = { n = 0, lvl = 0 }, calls = { go = { "player", "string" }, start = { "number" }, bomb = { "player" },
  kick = { "player", "number" }, read = { "string" }, hit = { "ref" }, stage = { "number" }, on = { "bool" }, team = { "player", "string" } } }
function bomb(p) spawn("Bomb", { owner = p }) end
function go(p, s) error("go") end
function start(n) if n == 0 then error("zero") end
  error("start") end
function kick(p, n) if n == 4321 then error("kick") end end
function read(s) error("no such file") end
function hit(o) o:missing() end
function stage(n) if n < 700 or n > 900 then error("no such level") end game.lvl = n end
function on(b) if b then error("on") end
  error("off") end
function team(p, s) if s ~= "red" and s ~= "blue" then error("no team") end end
function tick() if game.lvl > 0 then error("tick " .. game.lvl) end end`)
	if want := []string{"game.lua:4 explodes", "game.lua:8 go"}; !slices.Equal(errors, want) {
		t.Errorf("errors %q, want %q", errors, want)
	}
	if want := map[string]string{"game.lua:8": "/go x"}; !maps.Equal(found.Calls, want) {
		t.Errorf("calls %q, want %q", found.Calls, want)
	}
	for i, want := range []string{`game.lua:11 kick: the trial run wrote /kick 4321 for a player`,
		`game.lua:12 no such file: the trial run called read("x") itself`, "game.lua:13 Bomb has no field or method missing: look at o.class first: the trial run called hit(a Bomb) itself",
		`game.lua:15 on: the trial run called on(true) itself`, `game.lua:16 off: the trial run called on(false) itself`,
		`game.lua:17 no team: the trial run wrote /team x for a player`, "game.lua:18 tick 700: the trial run called the functions of calls itself",
		`game.lua:9 zero: the trial run called start(0) itself`, `game.lua:10 start: the trial run called start(1) itself`} {
		if !slices.ContainsFunc(doubtful, func(s string) bool { return strings.HasPrefix(s, want) }) {
			t.Errorf("%d: %q is not doubtful, but %q", i, want, doubtful)
		}
	}
	if len(doubtful) != 9 || missed != nil || found.Spawned != nil {
		t.Errorf("%q are doubtful, missed %q, spawned %q", doubtful, missed, found.Spawned)
	}
}

// TestTrialOfCallsIsTheSame: what is found does not depend on anything but the game.
func TestTrialOfCallsIsTheSame(t *testing.T) {
	const game = `game { state = { a = 0, b = str(8) }, calls = { one = { "player", "number", "bool" }, two = { "player", "string", "string" } } }
function one(p, n, b) game.a = n if b and n == 2 then error("n " .. n) end end
function two(p, s, u) game.b = s .. u end`
	first, doubts, _, _ := triedGame(t, game)
	if second, again, _, _ := triedGame(t, game); !slices.Equal(first, second) || !slices.Equal(doubts, again) || len(doubts) != 2 {
		t.Errorf("%q and %q, then %q and %q", first, doubts, second, again)
	}
}

// TestTrialOfTimers: a trial run waits for the timers of the game, and of objects that it spawned itself. What is due
// later is named.
func TestTrialOfTimers(t *testing.T) {
	errors, doubtful, missed, found := triedGame(t, `
Bomb = object "Bomb" { state = { item = 1 }, body = { shape = { circle = 0.4 } } }
function Bomb:onSpawn() after(2, "explode") after(500, "rot") end
function Bomb:explode() error("explodes") end
function Bomb:rot() end
game { state = { n = 0 } }
function onStart() after(25, "over") every(9999, "never") end
function over() error("over") end
function never() end
function unused() after(1, "unused") end`)
	if want := []string{"game.lua:4 explodes", "game.lua:8 over"}; !slices.Equal(errors, want) || doubtful != nil {
		t.Errorf("errors %q, want %q; doubtful %q", errors, want, doubtful)
	}
	if want := []string{"the timer Bomb:rot", "the timer never"}; !slices.Equal(missed, want) || !slices.Equal(found.Spawned, []string{"Bomb"}) {
		t.Errorf("missed %q, want %q; spawned %q", missed, want, found.Spawned)
	}
}

// TestTrialOfCallsOfAClass: what only a function of calls spawns is no class that nothing in the game spawns, and its
// hooks for contacts are reached.
func TestTrialOfCallsOfAClass(t *testing.T) {
	errors, doubtful, missed, found := triedGame(t, `
Ball = object "Ball" { body = { shape = { circle = 0.4 } } }
function Ball:onContact(other) error("touched") end
game { calls = { ball = { "player" } } }
function ball(p) if #objects("Ball") < 2 then spawn("Ball", { x = 20 * #objects("Ball") }) end end`)
	if want := []string{"game.lua:3 touched"}; !slices.Equal(errors, want) || doubtful != nil || missed != nil || found.Spawned != nil {
		t.Errorf("errors %q, want %q; doubtful %q, missed %q, spawned %q", errors, want, doubtful, missed, found.Spawned)
	}
}

// TestTrialOfAnEntryForm: players of a trial run choose each option of an entry form, and one chooses none.
func TestTrialOfAnEntryForm(t *testing.T) {
	errors, doubtful, _, _ := triedGame(t, `
teams { Red = {}, Blue = {} }
entry { team = "choose", kit = { "Scout", "Tank", "Medic", "Spy" }, note = "Choose" }
Scout = object "Scout" {}
function onJoin(p, asked)
  if asked.kit == nil then error("none") end
  if asked.kit == "Spy" and asked.team == "Red" then error("a red spy") end
  spawn(asked.kit, { owner = p })
end`)
	if want := []string{"game.lua:6 none", "game.lua:7 a red spy", "game.lua:8 spawn: there is no class Medic; the scripts declare Scout", "game.lua:8 spawn: there is no class Tank; the scripts declare Scout"}; !slices.Equal(errors, want) || doubtful != nil {
		t.Errorf("errors %q, want %q; doubtful %q", errors, want, doubtful)
	}
}

// TestTrialWritesLongTexts: players write longer texts than a field has room for.
func TestTrialWritesLongTexts(t *testing.T) {
	_, doubtful, _, _ := triedGame(t, `
player { state = { tool = str(12) } }
game { calls = { give = { "player", "string" }, take = { "player", "string" } } }
function give(p, tool) stats(p).tool = tool end
function take(p, tool) stats(p).tool = tool:sub(1, 12) end`)
	if len(doubtful) != 1 || !strings.HasPrefix(doubtful[0], "game.lua:4 ") || !strings.Contains(doubtful[0], "/give words that go on") {
		t.Errorf("%q", doubtful)
	}
}
