package timeline_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/hindcast/hindcast/runtime/internal/stub"
	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
	"pgregory.net/rapid"
)

// TestLateEqualsOnTime tests that events that arrive late, in any order, give the states of a
// run in which nothing is late.
func TestLateEqualsOnTime(t *testing.T) {
	rewinds, deepest := 0, 0
	ticks := 0
	missing := func() string {
		if rewinds >= 100 && deepest >= 10 {
			return ""
		}
		return fmt.Sprintf("%d rewinds, the deepest %d ticks", rewinds, deepest)
	}
	draws.Until(t, 0, missing, func(t *rapid.T) {
		const window = 16
		m := stub.DrawMatch(t, window)
		prompt := timeline.New(stub.MustCompile(), timeline.Options{States: 128, Check: true})
		for _, e := range m.Events {
			stub.Insert(prompt, e)
		}
		late := timeline.New(stub.MustCompile(), timeline.Options{States: 128, Check: true})
		for tick := world.Tick(1); tick <= m.Ticks+window; tick++ {
			prompt.Step()
			for _, i := range stub.Arriving(&m, tick) {
				stub.Insert(late, m.Events[i])
			}
			r := late.Rewind()
			ticks += 2 + r.Ran
			if r.From != 0 {
				rewinds, deepest = rewinds+1, max(deepest, r.Ticks)
			}
			late.Step()
		}
		for tick := world.Tick(1); tick <= prompt.Now(); tick++ {
			if a, b := prompt.At(tick), late.At(tick); a.Hash() != b.Hash() {
				t.Fatalf("%v", world.Diff(a, b, prompt.Schema(tick), 4))
			}
		}
		if d := late.Verify(0); d != nil {
			t.Fatalf("verify: %v", d)
		}
	})
	draws.Simulated(t, ticks, rewinds)
}

func TestEventsOlderThanTheHistoryAreRefused(t *testing.T) {
	tl := timeline.New(stub.MustCompile(), timeline.Options{States: 8, Check: true})
	for range 20 {
		tl.Step()
	}
	_, err := tl.Insert(world.Event{Tick: 12, Kind: world.JoinEvent, Player: 1}, timeline.Origin{})
	if tl.At(12) != nil || !errors.Is(err, timeline.ErrTooOld) {
		t.Errorf("an event for tick 12 of 20, with 8 kept: %v", err)
	}
	if _, err := tl.Insert(world.Event{Tick: 14, Kind: world.JoinEvent, Player: 1}, timeline.Origin{}); err != nil {
		t.Errorf("tick 14: %v", err)
	}
	if r := tl.Rewind(); r.From != 14 || r.Ticks != 7 {
		t.Errorf("rewound %+v", r)
	}
}

func TestInputThatChangesNothingIsNotRewoundFor(t *testing.T) {
	tl := timeline.New(stub.MustCompile(), timeline.Options{States: 64, Check: true})
	stub.Insert(tl, world.Event{Tick: 2, Kind: world.JoinEvent, Player: 1})
	ship := stub.ShipOf(1, 2)
	input := func(tick world.Tick, b uint32) world.Event {
		return world.Event{Tick: tick, Kind: world.InputEvent, Object: ship, Bundle: 1, Input: world.Input{Buttons: b}}
	}
	stub.Insert(tl, input(3, stub.Accel))
	for range 10 {
		tl.Step()
	}
	stub.Insert(tl, input(5, stub.Accel)) // the same as the repeated one
	if r := tl.Rewind(); r.From != 0 {
		t.Errorf("rewound %+v for an input that was guessed rightly", r)
	}
	stub.Insert(tl, input(6, 0))
	if r := tl.Rewind(); r.From != 6 || r.Ticks != 5 || r.Objects == 0 {
		t.Errorf("rewound %+v, want from 6", r)
	}
}

// TestInputOfAMissingBundle tests that an input made by the declarations of a missing
// bundle counts as neutral, and that its tick is simulated again when the bundle is added.
func TestInputOfAMissingBundle(t *testing.T) {
	tl := timeline.New(stub.MustCompile(), timeline.Options{States: 64, Check: true})
	stub.Insert(tl, world.Event{Tick: 2, Kind: world.JoinEvent, Player: 1})
	input := world.Event{Tick: 5, Kind: world.InputEvent, Player: 1, Object: stub.ShipOf(1, 2), Bundle: 2, Input: world.Input{Buttons: stub.Accel}}
	stub.Insert(tl, input)
	for range 10 {
		tl.Step()
	}
	before := tl.At(10).Hash()
	tl.AddScript(2, stub.MustCompile())
	if r := tl.Rewind(); r.From != 5 || r.Ticks != 6 || tl.At(10).Hash() == before {
		t.Errorf("rewound %+v for a bundle by which an input of tick 5 was made", r)
	}
	tl.AddScript(2, stub.MustCompile())
	if r := tl.Rewind(); r.From != 0 {
		t.Errorf("rewound %+v for a bundle that was here", r)
	}
}

// TestKeptStatesHaveTheirScripts tests how long scripts are kept after a bundle switch. States of
// before the switch are kept for questions long after no tick can be simulated under their
// scripts, and cannot be read without them. The scripts are removed with the last of them.
func TestKeptStatesHaveTheirScripts(t *testing.T) {
	const states, rewind, at = 300, 10, 100
	tl := timeline.New(stub.MustCompile(), timeline.Options{States: states, Check: true})
	tl.AddScript(2, stub.MustCompile())
	stub.Insert(tl, world.Event{Tick: at, Kind: world.BundleEvent, Bundle: 2})
	old := 0 // how often a state of before the switch was kept when no tick before it could change
	for tl.Now() < at+2*states {
		tl.Step()
		committed := tl.Now() - min(tl.Now(), rewind)
		tl.Release(committed)
		for tick := tl.Now() - min(tl.Now(), states); tick <= tl.Now(); tick++ {
			s := tl.At(tick)
			if s == nil {
				continue
			}
			if tl.Scripts().Of(s.Bundle) == nil {
				t.Fatalf("at tick %d the state of tick %d is kept, the script of bundle %d is not", tl.Now(), tick, s.Bundle)
			}
			if s.Bundle == 1 && committed > at {
				old++
			}
		}
	}
	if old < states {
		t.Errorf("old states were kept %d times: the test did not show what it names", old)
	}
	if tl.Scripts().Of(1) != nil || tl.Scripts().Of(2) == nil {
		t.Errorf("%d ticks after the switch: script 1 kept: %v, script 2: %v", tl.Now()-at, tl.Scripts().Of(1) != nil, tl.Scripts().Of(2) != nil)
	}
}

func TestSteppingAllocatesNothing(t *testing.T) {
	tl := timeline.New(stub.MustCompile(), timeline.Options{States: 32})
	stub.Insert(tl, world.Event{Tick: 2, Kind: world.JoinEvent, Player: 1})
	for range 200 {
		tl.Step()
	}
	if n := testing.AllocsPerRun(100, func() { tl.Step() }); n > 0 {
		t.Errorf("a tick allocates %v times", n)
	}
}

func TestRewindingAllocatesNothing(t *testing.T) {
	tl := timeline.New(stub.MustCompile(), timeline.Options{States: 32})
	stub.Insert(tl, world.Event{Tick: 2, Kind: world.JoinEvent, Player: 1})
	ship := stub.ShipOf(1, 2)
	objects, ran := 0, 0
	late := func() {
		tl.Step()
		stub.Insert(tl, world.Event{Tick: tl.Now() - 8, Kind: world.InputEvent, Player: 1, Object: ship, Bundle: 1, Input: world.Input{Buttons: uint32(tl.Now() % 8)}})
		r := tl.Rewind()
		objects, ran = objects+r.Objects, ran+r.Full
	}
	for range 400 {
		if tl.Now() < 12 {
			tl.Step()
			continue
		}
		late()
	}
	if n := testing.AllocsPerRun(200, late); n > 0 {
		t.Errorf("a tick and a rewind allocate %v times", n)
	}
	if objects == 0 || objects > ran/2 {
		t.Errorf("%d of %d objects were run again: these were no partial rewinds", objects, ran)
	}
}
