package gametest

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/hindcast/hindcast/luabind"
	"github.com/hindcast/hindcast/scripts"
)

func trialGame(t *testing.T, files map[string]string) *scripts.Game {
	t.Helper()
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

// TestTrialReachesHooks: in a trial run objects touch, enter a sensor and are removed, and players join and leave, although
// nothing in the game brings that about. What cannot be reached is named.
func TestTrialReachesHooks(t *testing.T) {
	game := trialGame(t, map[string]string{
		"game.toml": "name = \"small\"\n[players]\ngrace = 60000\n[arena]\nwidth = 400\nheight = 400\n[[spawn]]\nclass = \"Gate\"\nx = 150\n[[spawn]]\nclass = \"Rock\"\nx = -150\n",
		"things.lua": `
Gate = object "Gate" { body = { type = "static", shape = { circle = 2 }, sensor = true } }
function Gate:onTrigger(other) error("trigger") end
Rock = object "Rock" { state = { hits = 0 }, body = { shape = { circle = 1 } } }
function Rock:onContact(other) self.hits = self.hits + 1 error("contact") end
function Rock:onContactEnd(other) error("end") end
function Rock:onRemove() error("removed") end
Never = object "Never" { body = { shape = { circle = 1 } } }
function Never:onSpawn() error("spawned by nobody") end
Bullet = object "Bullet" { input = { Go = "bool" }, body = { shape = { circle = 1 } } }
function Bullet:applyInput() end
function Bullet:onContact(other, contact) error("bullet") end
function Bullet:onTrigger() end
function Bullet:onRemove() error("bullet removed") end
Mark = object "Mark" { state = { at = ref() }, body = { shape = { circle = 1 }, sensor = true } }
function Mark:onTrigger() self.at.x = 1 end
Needy = object "Needy" { state = { who = ref(), lives = 0 }, body = { shape = { circle = 1 }, sensor = true } }
function Needy:onTrigger() if not self.who then error("nobody") end if self.lives == 0 then error("dead") end error("always") end
Void = object "Void" { state = { hp = 1 } }
function Void:onRemove() error("void removed") end
Told = object "Told" { body = { shape = { circle = 1 } } }
function Told:onSpawn(args) self:setPosition(args.place.x, 0) end
Alone = object "Alone" { body = { shape = { circle = 1 }, sensor = true } }
function Alone:onTrigger(other) local t = {} t.x.y = 1 end
Ship = object "Ship" { body = { shape = { circle = 1 } } }`,
		"game.lua": `
function onJoin(p) if p == 3 then error("join") end spawn("Ship", { owner = p, y = 150 - 100 * p }) end
function onLeave(p) error("leave") end`,
	})
	found := Try(game, TrialOptions{})
	var said []string
	for _, e := range found.Errors {
		said = append(said, e.Full())
	}
	for _, want := range []string{"trigger", "contact; what the hook wrote before stays", "end", "removed", "join", "leave",
		"bullet", "bullet removed", "void removed", "spawned by nobody", "attempt to index a nil value (field 'x') with key 'y'"} {
		if !slices.Contains(said, want) {
			t.Errorf("the trial run does not find %q, but %q", want, said)
		}
	}
	if found.Missed != nil || len(said) != 11 || found.Cut != NotCut {
		t.Errorf("missed %q; found %q; cut: %d", found.Missed, said, found.Cut)
	}
	if want := []string{"Alone", "Bullet", "Mark", "Needy", "Never", "Told", "Void"}; !slices.Equal(found.Spawned, want) {
		t.Errorf("spawned of %q, want of %q", found.Spawned, want)
	}
	said = nil
	for _, e := range found.Doubtful {
		said = append(said, e.Full())
	}
	slices.Sort(said)
	if len(said) != 3 || !strings.Contains(said[0], "field 'at'") || !strings.Contains(said[1], "field 'place'") || said[2] != "nobody" {
		t.Errorf("doubtful are %q", said)
	}
}

// TestTrialLeavesContactsAlone: the trial run brings together only what can touch, and leaves time for the contacts of the
// game. Here a sensor flies to a wall all the time, and the layers of the others do not let them touch it.
func TestTrialLeavesContactsAlone(t *testing.T) {
	for name, zombie := range map[string]string{"of other layers": `layer = "zombie", collides = { "wall" }`,
		"that another names": `layer = "zombie", collides = { "wall", "zombie" }`, "that senses, too": `sensor = true, layer = "zombie"`} {
		game := trialGame(t, map[string]string{"game.toml": "name = \"small\"\n[arena]\nwalls = true\n", "game.lua": `
Bullet = object "Bullet" { body = { shape = { circle = 0.1 }, sensor = true, bullet = true, layer = "bullet", collides = { "zombie", "wall" } } }
function Bullet:onTrigger(other) error("boo " .. other.class) end
Zombie = object "Zombie" { body = { shape = { circle = 0.5 }, ` + zombie + ` } }
function tick()
  if #objects("Bullet") == 0 then spawn("Bullet", { vx = 30 }) end
  if #objects("Zombie") == 0 then spawn("Zombie", { x = 3, y = 3 }) end
end`})
		found := Try(game, TrialOptions{})
		if len(found.Errors) != 1 || found.Errors[0].Message != "boo Wall" || found.Missed != nil {
			t.Errorf("a zombie %s: found %v, missed %q", name, found.Errors, found.Missed)
		}
	}
}

// TestTrialOfAbstractClasses: of a class that others extend and that nothing spawns, the trial spawns nothing, and finds its
// mistakes in those that inherit them. A hook is reached when it is called for a class that inherits it.
func TestTrialOfAbstractClasses(t *testing.T) {
	game := trialGame(t, map[string]string{"game.toml": "name = \"small\"\n", "game.lua": `
Shape = object "Shape" { state = { a = 0 }, body = { shape = { circle = 1 } }, input = { Go = "bool" } }
function Shape:area() error("area is missing in " .. self.class) end
function Shape:tick() self.a = self:area() end
function Shape:think() error("think is missing") end
function Shape:applyInput(input) if input.Go then self.a = 0 end end
function Shape:onContact(other) if other:is("Shape") then error("inherited") end end
Square = object "Square" { extends = Shape }
function Square:area() return 4 end
function Square:think() return {} end
Round = object "Round" { extends = Square }
function Round:area() return 3 end
Base = object "Base" {}
function Base:tick() error("it may be spawned") end
Kind = object "Kind" { extends = Base }
function Kind:tick() end
function onJoin(p) spawn("Square", { owner = p }) end
function onLeave(p) if #objects("Shape") > 9 then spawn(p > 1e6 and "Base" or "Kind") end end`})
	found := Try(game, TrialOptions{})
	var said []string
	for _, e := range found.Errors {
		said = append(said, e.Class+": "+e.Message)
	}
	slices.Sort(said)
	if want := []string{"Base: it may be spawned", "Square: inherited"}; !slices.Equal(said, want) || found.Doubtful != nil {
		t.Errorf("the trial run finds %q, want %q; doubtful: %v", said, want, found.Doubtful)
	}
	if want := []string{"Base", "Kind", "Round"}; !slices.Equal(found.Spawned, want) || found.Missed != nil {
		t.Errorf("spawned of %q, want of %q; missed %q", found.Spawned, want, found.Missed)
	}
}

// TestTrialEndsWithinATick: a trial run on a machine that stands still ends although a single tick takes longer than it
// may take.
func TestTrialEndsWithinATick(t *testing.T) {
	game := trialGame(t, map[string]string{"game.toml": "name = \"heavy\"\n[[spawn]]\nclass = \"Rock\"\ncount = 500\n",
		"game.lua": "Rock = object \"Rock\" {}\nfunction Rock:tick() error(\"here\") end\nfunction onLeave(p) end"})
	now, ticks := time.Duration(0), 0
	found := Try(game, TrialOptions{Stopwatch: func() time.Duration {
		now += time.Second // each hook takes so long: a tick takes 500 s
		return now
	}, Progress: func(float64) { ticks++ }})
	if found.Cut != TooLong || now > 130*time.Second || ticks > 0 || len(found.Errors) != 1 || found.Errors[0].Message != "here" {
		t.Errorf("cut: %d after %v and %d ticks, found %v", found.Cut, now, ticks, found.Errors)
	}
}

// TestTrialSaysThatPartsOfItEnd: also of the part that calls functions of calls, which is played after the game.
func TestTrialSaysThatPartsOfItEnd(t *testing.T) {
	for _, heavy := range []bool{false, true} {
		work := map[bool]string{true: "for i = 1, 20000 do end"}[heavy]
		game := trialGame(t, map[string]string{"game.toml": "name = \"slow\"\n", "game.lua": `
game { state = { on = false }, calls = { go = { "player", "number" } } }
function go(p, n) game.on = true end
function tick() if game.on then ` + work + ` end end`})
		want := map[bool]Cut{true: TooMuch}[heavy]
		if found := try(game, TrialOptions{}, 60*time.Millisecond); found.Cut != want {
			t.Errorf("%v: cut: %d, want %d", heavy, found.Cut, want)
		}
	}
}

// TestTrialEnds: a trial run of a game whose ticks are much work ends when it has done so much, and says so, whatever time
// passes. It shows how far it is. On a machine that takes long for a game whose ticks are little work, it says that.
func TestTrialEnds(t *testing.T) {
	const light = "Rock = object \"Rock\" {} function Rock:onJointBreak() end function Rock:tick() end" // a joint is never there
	heavy := strings.Replace(light, "tick() end", "tick() for i = 1, 20000 do end end", 1)
	for _, test := range []struct {
		name, script string
		passes       time.Duration // each time somebody looks
		want         Cut
	}{
		{"little work", light, 0, NotCut},
		{"little work on a busy machine", light, time.Millisecond, NotCut},
		{"little work on a machine that stands still", light, time.Second, TooLong},
		{"much work", heavy, 0, TooMuch},
		{"much work on a busy machine", heavy, time.Millisecond, TooMuch},
	} {
		game := trialGame(t, map[string]string{"game.toml": "name = \"slow\"\n[[spawn]]\nclass = \"Rock\"\ncount = 20\n", "game.lua": test.script})
		now, shares := time.Duration(0), []float64{}
		found := try(game, TrialOptions{Stopwatch: func() time.Duration { now += test.passes; return now }, Progress: func(share float64) { shares = append(shares, share) }}, time.Second)
		if found.Cut != test.want || !slices.IsSorted(shares) || len(shares) == 0 || test.want != NotCut && shares[len(shares)-1] < 0.8 {
			t.Errorf("%s: cut: %d after %v and %d ticks: %v", test.name, found.Cut, now, len(shares), shares[max(0, len(shares)-3):])
		}
	}
}

// TestHUDsBuiltIn: what the games built in show takes less than a tenth of what it may.
func TestHUDsBuiltIn(t *testing.T) {
	for _, name := range []string{"soccer", "arena"} {
		fsys, _ := scripts.Builtin(name)
		game, err := scripts.Load(fsys, name)
		if err != nil {
			t.Fatal(err)
		}
		found := Try(game, TrialOptions{})
		t.Logf("%s: %+v", name, found.Shown)
		if most := luabind.HUDInstructions / 10; found.Shown.HUD == 0 || found.Shown.HUD > most || found.Shown.Camera > most ||
			name == "soccer" && found.Shown.Camera == 0 {
			t.Errorf("%s: %+v of %d instructions", name, found.Shown, luabind.HUDInstructions)
		}
	}
}

// TestTheCostOfAHUD: a trial run knows what hud and camera take.
func TestTheCostOfAHUD(t *testing.T) {
	game := trialGame(t, map[string]string{"game.toml": "name = \"dear\"\n", "game.lua": "function onLeave(p) end",
		"view.lua": "hud(function(s) for i = 1, 4000 do end end)\ncamera(function(s) for i = 1, 6000 do end end)"})
	if c := Try(game, TrialOptions{}).Shown; c.HUD < 4000 || c.HUD > 16_000 || 2*c.Camera < 3*c.HUD-1000 || 2*c.Camera > 3*c.HUD+1000 {
		t.Errorf("%+v", c)
	}
}

// TestTrialOfHUDAndCamera: a trial run finds the mistakes of both functions.
func TestTrialOfHUDAndCamera(t *testing.T) {
	game := trialGame(t, map[string]string{"game.toml": "name = \"wrong\"\n", "game.lua": "-- nothing",
		"view.lua": "hud(function(v) error(\"draw\") end)\ncamera(function(v) error(\"cam\") end)"})
	var said []string
	for _, e := range Try(game, TrialOptions{}).Errors {
		said = append(said, e.Place()+" "+e.Message)
	}
	if want := []string{"view.lua:1 draw", "view.lua:2 cam"}; !slices.Equal(said, want) {
		t.Errorf("found %q, not %q", said, want)
	}
}

// TestTrialOfShow: a trial run finds the functions for show that fail, of fields that change and of others, and not
// those that would only fail with a value that the game does not give.
func TestTrialOfShow(t *testing.T) {
	game := trialGame(t, map[string]string{"game.toml": "name = \"wrong\"\n[[spawn]]\nclass = \"Ship\"\n", "game.lua": `
local NAMES = { { n = 1 } }
Ship = object "Ship" { body = { shape = { circle = 1 } }, state = {
  bumps = { "number", show = function(a, b, f) return a.x + b end },
  late = { "number", show = function(a, b, f) if b > 50 then error("late") end return b end },
  good = { "number", show = function(a, b, f) return a + (b - a) * f end },
  kept = { str(4), show = function(a, b, f) return #a end },
  other = { "number", default = 1, min = 0, max = 1, show = function(a, b, f) if a < 1 then error("less") end return b end },
  index = { "number", default = 1, show = function(a, b, f) return NAMES[b].n end },
  list = list({ "number", show = function(a, b, f) while true do end end }, 3),
} }
function Ship:tick() self.bumps = self.bumps + 1 self.late = self.late + 1 self.good = self.good + 1 end
Rare = object "Rare" { state = { on = { "bool", show = function(a, b, f) return 1 end } } }`})
	var said []string
	for _, e := range Try(game, TrialOptions{}).Errors {
		said = append(said, e.Place()+" "+e.Message)
	}
	slices.Sort(said)
	for i, want := range []string{"game.lua:10 Ship.list[1]: the function of show used up its budget of 500 instructions",
		"game.lua:13 Rare.on: the function of show must return true or false, not a number",
		"game.lua:4 Ship.bumps: attempt to index a number value", "game.lua:5 Ship.late: late",
		"game.lua:7 Ship.kept: the function of show must return a string, not a number", "game.lua:8 Ship.other: less"} {
		if i >= len(said) || !strings.HasPrefix(said[i], want) {
			t.Errorf("found %q, not %q", said, want)
		}
	}
	if len(said) != 6 {
		t.Errorf("found %q", said)
	}
}

// TestTrialShowsNoReferencesToWhatIsGone: view.lua finds nil in a reference to an object that was removed.
func TestTrialShowsNoReferencesToWhatIsGone(t *testing.T) {
	game := trialGame(t, map[string]string{"game.toml": "name = \"small\"\n", "game.lua": `
Rock = object "Rock" { state = { left = 90 }, body = { shape = { circle = 0.5 } } }
function Rock:tick() self.left = self.left - 1 if self.left == 0 then self:remove() end end
Hero = object "Hero" { state = { foe = ref() }, body = { shape = { circle = 0.5 } } }
function onJoin(p) spawn("Hero", { owner = p, foe = spawn("Rock", { x = 9 }) }) end`, "view.lua": `
hud(function(v)
  local me = v.me
  if me and me.foe and not v.object(me.foe) then error("it is gone") end
  if me and not me.foe then error("it is nil") end
end)`})
	if found := Try(game, TrialOptions{}); len(found.Errors) != 1 || found.Errors[0].Message != "it is nil" {
		t.Errorf("found %v", found.Errors)
	}
}
