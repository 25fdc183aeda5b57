package simtest_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/world"
)

// ticking is a game of bombs: an input of a player lights one, which counts down and explodes, unless another input
// puts it out. The match counts seconds, and what exploded.
const ticking = `
game { state = { seconds = 0, exploded = 0, late = 0, left = 0, blown = 0, rung = 0 } }
function onStart() spawn("Mine") every(1, "second") after(3, "once") after(3, "second") end
function second() game.seconds = game.seconds + 1 end
function once() game.late = game.late + tickNumber() game.left = timeLeft("second") stopTimer("once") end
Ship = object "Ship" { input = { Fire = "bool" }, body = { shape = { circle = 0.5 } }, lod = LEVEL, state = { lit = 0, at = 0 } }
function Ship:applyInput(input)
  if input:pressed("Fire") then
    objects("Mine")[1]:arm()
    after(0.7, "bell")
    if timeLeft("explode") then stopTimer("explode") else self.lit = self.lit + 1 after(0.5, "explode") end
  end
end
function Ship:explode()
  self.at = tickNumber()
  game.exploded = game.exploded + 1
  if self.lit % 3 == 0 then error("a dud") end
end
function onJoin(p) spawn("Ship", { owner = p, x = 3 * p }) end
function bell() game.rung = game.rung + 1 end
Mine = object "Mine" { lod = LEVEL, state = { armed = 0 } }
function Mine:arm()
  self.armed = self.armed + 1
  if timeLeft("blow") then stopTimer("blow") else after(0.6, "blow") end
end
function Mine:blow() game.blown = game.blown + 1 end
`

// TestTimers tests that timers call their functions in the same ticks on all machines, when inputs that start and stop
// them come late, and in replays, which every match of this package verifies.
func TestTimers(t *testing.T) {
	for _, level := range []string{"predict", "interpolate"} {
		t.Run(level, func(t *testing.T) {
			onLines(t, "bad", func(t *testing.T, line memlink.Profile) { playTimers(t, level, line) })
		})
	}
}

func playTimers(t *testing.T, level string, line memlink.Profile) {
	sim := simtest.New(t, simtest.Options{Seed: 4, Clients: 3, Profile: line, Compile: compile,
		Bundle:   bundle.New("ticking", world.Source{Name: "game.lua", Text: fmt.Sprintf("LEVEL = %q\n", level) + ticking}),
		Controls: func(i int) client.Controls { return &driver{uint64(i) + 3} },
		Client:   func(_ int, cfg *client.Config) { cfg.Verify = true }})
	everybodyPlays(sim)
	sim.Run(20 * time.Second)
	sim.Drain()
	n := sim.AgreeOnHashes()
	number := func(name string) float64 { return matchNumber(t, sim, name) }
	// The first "second" is that of after, which replaced every.
	if number("seconds") != 1 || number("late") != 181 || number("left") != 0 {
		t.Errorf("%v seconds, tick %v", number("seconds"), number("late"))
	}
	r := sim.Host.Report(sim.Now)
	late := line.Delay == 0 || r.Rewinds.Count >= 5 && sim.Report(0).Rewinds.Count >= 20
	if number("blown") < 3 || number("rung") < 5 {
		t.Errorf("%v mines were blown up, the bell rang %v times", number("blown"), number("rung"))
	}
	if number("exploded") < 10 || r.ScriptErrors == 0 || !late || n < 1000 {
		t.Errorf("%v explosions, %d errors, %d rewinds, %d of a client, %d ticks compared", number("exploded"), r.ScriptErrors, r.Rewinds.Count, sim.Report(0).Rewinds.Count, n)
	}
}

// TestTimersOutliveAReload tests that a timer goes on under new scripts with its function, and stops under scripts
// without it.
func TestTimersOutliveAReload(t *testing.T) {
	t.Parallel()
	script := func(text string) *bundle.Bundle {
		return bundle.New("clock", world.Source{Name: "game.lua", Text: "game { state = { seconds = 0 } }\n" + text})
	}
	sim := simtest.New(t, simtest.Options{Seed: 4, Clients: 1, Profile: memlink.Bad(), Compile: compile,
		Bundle: script(`function onStart() every(1, "second") end function second() game.seconds = game.seconds + 1 end`)})
	sim.Run(1500 * time.Millisecond)
	const tens = `function second() game.seconds = game.seconds + 10 end function never() after(1, "second") end`
	for _, step := range []struct {
		text string
		want float64 // seconds that are added in 4 s
	}{{"", 4}, {tens, 40}, {`function onStart() end`, 0}, {tens, 0}} {
		if step.text != "" {
			at, err := swap(t, sim, script(step.text))
			must(t, err)
			for sim.Host.Now() <= at {
				sim.Run(simtest.PollEvery)
			}
		}
		before := matchNumber(t, sim, "seconds")
		sim.Run(4 * time.Second)
		if got := matchNumber(t, sim, "seconds") - before; got != step.want {
			t.Errorf("%s: %v seconds more, want %v", step.text, got, step.want)
		}
	}
	sim.Drain()
	sim.AgreeOnHashes()
}

// matchNumber returns a number of the state of the match.
func matchNumber(t *testing.T, sim *simtest.Sim, name string) float64 {
	t.Helper()
	s, schema := sim.Host.State(), sim.Host.Schema()
	slot, _ := s.Find(world.MatchID)
	match := world.NewFieldReader(&schema.Classes[s.Objects[slot].Class], s.Row(slot))
	v, err := match.Number(name)
	if err != nil {
		t.Fatal(err)
	}
	return v
}
