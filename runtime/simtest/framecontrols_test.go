package simtest_test

import (
	"math"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/world"
)

// counters add up their inputs, in ticks and in independent frames.
const counters = `
local inputs = {
  any = "bool", at_end = { "bool", merge = "last" },
  last = { "number", min = -50, max = 50 }, sum = { "number", min = -50, max = 50, merge = "sum" },
  mean = { "number", min = -50, max = 50, merge = "mean" }, far = { "number", min = -50, max = 50, merge = "furthest" },
}
local counts = { any = 0, at_end = 0, parts = 0, last = 0, sum = 0, mean = 0, far = 0, most = 0 }
local function count(self, input)
  if input.any then self.any = self.any + 1 end
  if input.at_end then self.at_end = self.at_end + 1 end
  self.parts = self.parts + input:held("any")
  self.last, self.sum = self.last + input.last, self.sum + input.sum
  self.mean, self.far = self.mean + input.mean, self.far + input.far
  self.most = math.max(self.most, input.far)
end
Counter = object "Counter" { input = inputs, state = counts }
function Counter:applyInput(input) count(self, input) end
Framed = object "Framed" { input = inputs, state = counts, ticking = "independent" }
function Framed:simulate(input, dt) count(self, input) end
`

const countersGame = `function onJoin(player)
  spawn("Counter", { owner = player })
  spawn("Framed", { owner = player })
end`

// fidget taps a button for one frame in seven, turns a wheel by one in every fifth, and
// has an axis at 1 but for a frame in six, in which it is at 31.
type fidget struct {
	over         bool
	frames, taps map[string]int // by class
	wheel, area  map[string]float64
}

func (*fidget) Input(world.Reader, int) world.Input { panic("asked once a tick") }

func (f *fidget) FrameInput(r world.Reader, slot int) (in world.Input) {
	class := r.Class(slot)
	if f.over {
		return in
	}
	f.frames[class.Name]++
	n := f.frames[class.Name]
	if n%7 == 0 {
		f.taps[class.Name]++
		in.Buttons = 3
	}
	at := 1.0
	if n%6 == 0 {
		at = 31
	}
	for i := range class.Inputs {
		switch field := &class.Inputs[i]; {
		case field.Merge == world.MergeSum && n%5 == 0:
			in.Axes[field.Index] = 1
			f.wheel[class.Name]++
		case field.Axis && field.Merge != world.MergeSum:
			in.Axes[field.Index] = at
		}
	}
	f.area[class.Name] += at
	return in
}

// TestFramesAreMerged tests a Go program with four or five frames per tick on a bad
// line. The host gets inputs that are merged by the declared rules, and no tap and no
// step of a wheel is lost.
func TestFramesAreMerged(t *testing.T) {
	t.Parallel()
	for _, every := range []time.Duration{0, 16 * time.Millisecond} {
		player := &fidget{frames: map[string]int{}, taps: map[string]int{}, wheel: map[string]float64{}, area: map[string]float64{}}
		bundle := ownersRoom("game.lua", countersGame, "counters.lua", counters)
		bundle.Setup.RepeatInputTicks = 1
		sim := simtest.New(t, simtest.Options{Seed: 3, Clients: 1, Profile: memlink.Bad(), Bundle: bundle, Compile: compile,
			Controls: func(int) client.Controls { return player },
			Client:   func(_ int, cfg *client.Config) { cfg.FrameEvery = every }})
		sim.RunUntil(20*time.Second, "a player", func() bool { return sim.Clients[0].Playing() })
		sim.Run(8 * time.Second)
		player.over = true
		sim.Run(time.Second)
		host := sim.Host.Report(sim.Now)
		for _, class := range []string{"Counter", "Framed"} {
			areMerged(t, sim, class, player)
		}
		if host.Inputs.DroppedOld > 0 || host.Owners.Cut > 0 {
			t.Errorf("inputs %+v, owners %+v", host.Inputs, *host.Owners)
		}
		sim.Drain()
		sim.AgreeOnHashes()
	}
}

// areMerged fails unless the objects of a class, which add up their inputs, had those that the declared rules make of the
// frames of a player, of which several end in each tick.
func areMerged(t *testing.T, sim *simtest.Sim, class string, player *fidget) {
	t.Helper()
	s, schema := sim.Host.StateAt(sim.Host.Committed()), sim.Host.Schema()
	of := func(field string) float64 { return sumOf(s, schema, class, field) }
	frames, taps := float64(player.frames[class]), float64(player.taps[class])
	ticks := frames * 4 * 60 / 1000
	t.Logf("%s: %v frames, %v taps, %v of the wheel; any %v, at the end %v, parts %v, last %v, sum %v, mean %v, far %v", class,
		frames, taps, player.wheel[class], of("any"), of("at_end"), of("parts"), of("last"), of("sum"), of("mean"), of("far"))
	if taps < 100 || of("sum") != player.wheel[class] || of("any") != taps || of("most") != 31 {
		t.Errorf("%s: of %v of the wheel %v came, of %v taps %v", class, player.wheel[class], of("sum"), taps, of("any"))
	}
	if of("at_end") > taps/2 || of("at_end") < taps/8 { // one frame in four ends a tick
		t.Errorf("%s: of %v taps %v were at the end of a tick", class, taps, of("at_end"))
	}
	if parts := of("parts"); math.Abs(parts-taps*64*4*60/1000) > parts/10 {
		t.Errorf("%s: %v parts in %v taps of 4 ms", class, parts, taps)
	}
	if mean := of("mean"); math.Abs(mean-player.area[class]*4*60/1000) > mean/20 {
		t.Errorf("%s: the mean is %v, of %v", class, mean/ticks, player.area[class]/frames)
	}
	if of("far") < of("mean")*1.5 || of("last") > of("far")*0.75 {
		t.Errorf("%s: furthest %v, mean %v, last %v", class, of("far"), of("mean"), of("last"))
	}
}

// TestFramesOfSpectatorsAreMerged tests the same for spectators, who make no independent frames.
func TestFramesOfSpectatorsAreMerged(t *testing.T) {
	t.Parallel()
	player := &fidget{frames: map[string]int{}, taps: map[string]int{}, wheel: map[string]float64{}, area: map[string]float64{}}
	bundle := ownersRoom("game.lua", countersGame, "counters.lua", counters)
	bundle.Setup.RepeatInputTicks = 1
	sim := simtest.New(t, simtest.Options{Seed: 3, Clients: 1, Profile: memlink.Average(), Bundle: bundle, Compile: compile,
		Controls: func(int) client.Controls { return player },
		Client:   func(_ int, cfg *client.Config) { cfg.Kind = client.Spectator }})
	sim.Run(6 * time.Second)
	player.over = true
	sim.Run(time.Second)
	areMerged(t, sim, "Counter", player)
}
