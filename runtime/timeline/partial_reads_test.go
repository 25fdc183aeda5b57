package timeline_test

import (
	"testing"

	"github.com/hindcast/hindcast/runtime/internal/stub"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
)

// TestReadOfAWholeTickIsRepeated tests that an object that reads the past is run again after a change
// in a tick that was simulated again as a whole, also if that tick had other scripts for a
// while.
func TestReadOfAWholeTickIsRepeated(t *testing.T) {
	hooks := ruleHooks{
		"Ball.tick": func(c *ruledCall) error {
			if c.count("Egg") > 0 {
				return c.put(15, -15)
			}
			return c.put(10, -15)
		},
		"Egg.tick":   func(c *ruledCall) error { return c.remove(c.id()) },
		"Watch.tick": func(c *ruledCall) error { return c.lookBack(17, 27) },
	}
	others := ruleHooks{"Ball.tick": func(c *ruledCall) error { return c.put(15, -15) }, "Watch.tick": hooks["Watch.tick"], "Egg.tick": hooks["Egg.tick"]}
	for name, late := range map[string]world.Event{
		"spawned": {Tick: 10, Kind: world.SpawnEvent, Class: "Egg"},
		"scripts": {Tick: 10, Kind: world.BundleEvent, Bundle: 2},
	} {
		t.Run(name, func(t *testing.T) {
			tl := timeline.New(newRuled(t, hooks), timeline.Options{States: 64, Check: true})
			tl.AddScript(2, newRuled(t, others))
			tl.AddScript(3, newRuled(t, hooks))
			stub.Insert(tl, world.Event{Tick: 11, Kind: world.BundleEvent, Bundle: 3})
			for range 30 {
				tl.Step()
			}
			before := tl.At(30).Hash()
			stub.Insert(tl, late)
			r := tl.Rewind()
			if tl.At(30).Hash() == before || r.Whole.Events == 0 {
				t.Errorf("%+v: the rewind changed nothing, or was a partial one", r)
			}
			if d := tl.Verify(1); d != nil {
				t.Error(d)
			}
		})
	}
}

// TestReadInAnEventHookIsRepeated tests that a hook of an event that reads the past is run again.
func TestReadInAnEventHookIsRepeated(t *testing.T) {
	tl := timeline.New(newRuled(t, ruleHooks{
		"Ball.tick": aside, "Egg.onSpawn": func(c *ruledCall) error { return c.lookBack(8, 20) },
	}), timeline.Options{States: 64, Check: true})
	stub.Insert(tl, world.Event{Tick: 1, Kind: world.JoinEvent, Player: 1})
	stub.Insert(tl, world.Event{Tick: 20, Kind: world.SpawnEvent, Class: "Egg"})
	for range 30 {
		tl.Step()
	}
	before := tl.At(30).Hash()
	for down, tick := range []world.Tick{14, 10} {
		stub.Insert(tl, world.Event{Tick: tick, Kind: world.InputEvent, Player: 1, Object: pilotOf(t, tl), Bundle: 1, Input: world.Input{Buttons: uint32(down)}})
	}
	if r := tl.Rewind(); tl.At(30).Hash() == before {
		t.Errorf("%+v: the rewind changed nothing", r)
	}
	if d := tl.Verify(1); d != nil {
		t.Error(d)
	}
}

// TestReadIsTrackedAfterARerun tests that an object that reads the past only since it was run again
// is run again after a later change there.
func TestReadIsTrackedAfterARerun(t *testing.T) {
	tl := timeline.New(newRuled(t, ruleHooks{
		"Ball.tick": aside,
		"Watch.tick": func(c *ruledCall) error {
			if c.State().Tick == 27 && c.down() {
				return c.lookBack(17, 27)
			}
			return nil
		},
	}), timeline.Options{States: 64, Check: true})
	stub.Insert(tl, world.Event{Tick: 1, Kind: world.JoinEvent, Player: 1})
	for range 30 {
		tl.Step()
	}
	input := func(tick world.Tick, buttons uint32) {
		stub.Insert(tl, world.Event{Tick: tick, Kind: world.InputEvent, Player: 1, Object: pilotOf(t, tl), Bundle: 1, Input: world.Input{Buttons: buttons}})
	}
	input(14, 0)
	input(28, 0)
	input(27, 1)
	tl.Rewind()
	before := tl.At(30).Hash()
	input(10, 1)
	if r := tl.Rewind(); tl.At(30).Hash() == before || r.Whole.Sum() > 0 {
		t.Errorf("%+v: the second rewind changed nothing, or was a whole one", r)
	}
	if d := tl.Verify(1); d != nil {
		t.Error(d)
	}
}

// TestReadBeforeASwitch tests what asSeen shows of a time when no class had asSeen. It is the
// same whether the states of that time are still kept or not, and for a Timeline that began
// with one of them.
func TestReadBeforeASwitch(t *testing.T) {
	watch := ruleHooks{"Watch.tick": func(c *ruledCall) error {
		before := c.n()
		if c.State().Tick < 14 {
			return nil
		}
		if err := c.lookBack(9, c.State().Tick); err != nil {
			return err
		}
		return c.setN(c.id(), before*2+c.n())
	}}
	begin := func() *timeline.Timeline {
		tl := timeline.New(newRuledOf(t, watch, false), timeline.Options{States: 64, PoseHistory: 20, Check: true})
		tl.AddScript(2, newRuled(t, watch))
		return tl
	}
	play := func(tl *timeline.Timeline, finish bool) {
		stub.Insert(tl, world.Event{Tick: 15, Kind: world.BundleEvent, Bundle: 2})
		for tl.Now() < 30 {
			tl.Step()
			if finish {
				tl.Release(tl.Now() - min(tl.Now(), 2))
			}
		}
	}
	host, long, late := begin(), begin(), begin()
	for _, tl := range []*timeline.Timeline{host, long} {
		stub.Insert(tl, world.Event{Tick: 10, Kind: world.SpawnEvent, Class: "Ball", Place: world.Placement{Pose: physics.Pose{X: 10, Y: -15}}})
		for tl.Now() < 13 {
			tl.Step()
		}
	}
	keyframe, err := world.ParseState(world.AppendState(nil, host.At(13), host.Schema(13)), host.Schema(13))
	if err != nil {
		t.Fatal(err)
	}
	if err := late.Start(timeline.Keyframe{State: keyframe, Poses: host.Keyframe(13, false).Poses}); err != nil {
		t.Fatal(err)
	}
	play(host, true)
	play(long, false)
	play(late, true)
	if a, b, c := host.At(30).Hash(), long.At(30).Hash(), late.At(30).Hash(); a != b || a != c {
		t.Errorf("hashes %016x of who keeps few states, %016x many, %016x of who came later", a, b, c)
	}
	for _, slot := range long.At(30).Run {
		o := &long.At(30).Objects[slot]
		if n := long.At(30).Row(int(slot)).State[0]; long.Schema(30).Classes[o.Class].Name == "Watch" && n != 0b1_0000_1111_1111_1111 {
			t.Errorf("the ball was seen in ticks %b: from the switch on, not where it was not spawned yet", n)
		}
	}
}
