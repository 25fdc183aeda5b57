package simtest_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/world"
)

// climbing is a game of two levels. A press now and then leads from one to the other. The match counts how many have
// begun, and what hooks know of them.
const climbing = `
game { state = { begun = 0, here = str(8), size = 0 } }
function onStart(name)
  game.begun, game.here = game.begun + 1, level() .. (name == level() and "" or "?")
end
Ship = object "Ship" { input = { Fire = "bool" }, body = { shape = { circle = 0.5 } }, lod = LEVEL, state = { presses = 0 } }
function Ship:applyInput(input)
  if input:pressed("Fire") then
    self.presses = self.presses + 1
    if self.presses % 3 == 0 then level(level() == "main" and "roof" or "main") end
  end
end
function Ship:tick() self:applyForce(arena.width - 20, 0) end
Crate = object "Crate" { body = { shape = { box = { 1, 1 } } }, lod = LEVEL }
Flag = object "Flag" {}
function tick() game.size = arena.width end
function onJoin(p) spawn("Ship", { owner = p, x = 3 * p - 6 }) end
`

// climbingGame returns the bundle of climbing.
func climbingGame(level string) *bundle.Bundle {
	b := bundle.New("climbing", world.Source{Name: "game.lua", Text: fmt.Sprintf("LEVEL = %q\n", level) + climbing})
	b.Setup.Width, b.Setup.Height = 20, 20
	b.Setup.Walls = []world.Wall{{Y: -9.5, W: 20, H: 1}, {Y: 9.5, W: 20, H: 1}}
	b.Setup.Spawns = []world.Spawn{{Class: "Crate", Count: 4, W: 10, H: 10, Speed: 2}, {Class: "Flag", Count: 1}}
	b.Setup.Levels = []world.Level{{Name: "roof", Width: 12, Height: 12, Walls: []world.Wall{{X: -5.5, W: 1, H: 12}, {X: 5.5, W: 1, H: 12}, {W: 3, H: 0.5, Angle: 0.5}},
		Spawns: []world.Spawn{{Class: "Crate", Count: 2, Y: 3, W: 4}}}}
	return b
}

// TestLevels tests that a level begins in the same tick on all machines, when inputs that lead to it come late. Replays,
// which every match of this package verifies, have the same levels.
func TestLevels(t *testing.T) {
	for _, level := range []string{"predict", "interpolate"} {
		t.Run(level, func(t *testing.T) {
			onLines(t, "bad", func(t *testing.T, line memlink.Profile) {
				sim := playLevels(t, level, line, client.Predictor)
				sim.Drain()
				n, r := sim.AgreeOnHashes(), sim.Host.Report(sim.Now)
				if late := r.Rewinds.Count >= 3 && sim.Report(0).Rewinds.Count >= 20; n < 1000 || line.Delay > 0 && !late {
					t.Errorf("%d rewinds, %d of a client, %d ticks compared", r.Rewinds.Count, sim.Report(0).Rewinds.Count, n)
				}
			})
		})
	}
}

// TestSpectatorsSeeLevels tests that a spectator sees the walls of the level in force.
func TestSpectatorsSeeLevels(t *testing.T) {
	t.Parallel()
	sim := playLevels(t, "predict", memlink.Bad(), client.Spectator)
	var host, seen room.View
	sim.RunUntil(10*time.Second, "the spectator sees the level in force", func() bool {
		sim.Host.View(&host)
		sim.Clients[2].View(&seen)
		return seen.Level == host.Level && slices.Equal(wallsOf(&seen), wallsOf(&host))
	})
}

// playLevels plays a match of climbing with two predicting clients and one of a kind.
func playLevels(t *testing.T, level string, line memlink.Profile, third client.Kind) *simtest.Sim {
	sim := simtest.New(t, simtest.Options{Seed: 4, Clients: 3, Profile: line, Compile: compile, Bundle: climbingGame(level),
		Controls: func(i int) client.Controls { return &driver{uint64(i) + 3} },
		Client: func(i int, cfg *client.Config) {
			cfg.Verify = true
			if i == 2 {
				cfg.Kind = third
			}
		}})
	everybodyPlays(sim)
	for range 20 {
		sim.Run(time.Second)
		var v room.View
		sim.Host.View(&v)
		if matchNumber(t, sim, "size") != v.Width { // the level has begun in this tick, after the hook of game
			sim.Run(20 * time.Millisecond)
			sim.Host.View(&v)
		}
		if want := map[string]int{"main": 2, "roof": 3}[v.Level]; len(wallsOf(&v)) != want || matchNumber(t, sim, "size") != v.Width {
			t.Errorf("level %q, %v m wide, has %v", v.Level, v.Width, wallsOf(&v))
		}
	}
	if begun, n := matchNumber(t, sim, "begun"), sim.Host.Report(sim.Now).ScriptErrors; begun < 6 || n > 0 {
		t.Errorf("%v levels, %d errors", begun, n)
	}
	return sim
}

// wallsOf lists the walls of a view.
func wallsOf(v *room.View) (walls []string) {
	for i := range v.Bodies {
		if b := &v.Bodies[i]; b.Class == world.WallClass {
			walls = append(walls, fmt.Sprintf("%v %v %.2f %v", b.X, b.Y, b.Angle, b.Shape))
		}
	}
	slices.Sort(walls)
	return walls
}

// TestLevelEdits tests that a bundle switch replaces what is declared in another way in the level in force, and nothing
// else, while everybody stays.
func TestLevelEdits(t *testing.T) {
	t.Parallel()
	game := func(edit func(s *world.Setup), more string) *bundle.Bundle {
		b := climbingGame("predict")
		b.Files[0].Text = strings.Replace(b.Files[0].Text, "level(level()", "print(level()", 1) + more
		edit(&b.Setup)
		return b
	}
	sim := simtest.New(t, simtest.Options{Seed: 4, Clients: 2, Profile: memlink.Bad(), Compile: compile, Bundle: game(func(*world.Setup) {}, ""),
		Controls: func(i int) client.Controls { return &driver{uint64(i) + 3} }})
	sim.Run(5 * time.Second)
	for _, step := range []struct {
		what                          string
		edit                          func(s *world.Setup)
		walls, crates, flags          int
		newWalls, newCrates, newFlags bool
	}{
		{"a wall moves", func(s *world.Setup) { s.Walls[0].Y = -8 }, 2, 4, 1, true, false, false},
		{"there are more crates", func(s *world.Setup) { s.Walls[0].Y = -8; s.Spawns[0].Count = 5 }, 2, 5, 1, false, true, false},
		{"a wall and no crates", func(s *world.Setup) { s.Walls = s.Walls[:1]; s.Spawns = s.Spawns[1:] }, 1, 0, 1, true, true, false},
		{"another level changes", func(s *world.Setup) { s.Walls = s.Walls[:1]; s.Spawns = s.Spawns[1:]; s.Levels[0].Walls = nil }, 1, 0, 1, false, false, false},
		{"there are as many as before", func(*world.Setup) {}, 2, 4, 1, true, true, false},
		{"a hook asks for the roof", func(*world.Setup) {}, 3, 2, 0, true, true, true},
		{"there is no roof any more", func(s *world.Setup) { s.Levels = nil }, 2, 4, 1, true, true, true},
	} {
		before, more := objectsOf(sim), "-- "+step.what
		if step.what == "a hook asks for the roof" {
			more = "\nfunction Flag:tick() if level() == 'main' then level('roof') end end"
		}
		switchTo(t, sim, game(step.edit, more))
		sim.Run(3 * time.Second)
		now := objectsOf(sim)
		for class, want := range map[string]int{world.WallClass: step.walls, "Crate": step.crates, "Flag": step.flags, "Ship": 2} {
			if len(now[class]) != want {
				t.Errorf("%s: %d %ss, want %d", step.what, len(now[class]), class, want)
			}
		}
		for class, isNew := range map[string]bool{world.WallClass: step.newWalls, "Crate": step.newCrates, "Flag": step.newFlags, "Ship": false} {
			if same := slices.Equal(before[class], now[class]); same == isNew {
				t.Errorf("%s: the %ss were replaced: %v", step.what, class, !same)
			}
		}
	}
	sim.Drain()
	sim.AgreeOnHashes()
}

// objectsOf lists the objects of a room by class.
func objectsOf(sim *simtest.Sim) map[string][]world.ObjectID {
	out := map[string][]world.ObjectID{}
	s, schema := sim.Host.State(), sim.Host.Schema()
	for _, slot := range s.Run {
		name := schema.Classes[s.Objects[slot].Class].Name
		out[name] = append(out[name], s.Objects[slot].ID)
	}
	return out
}
