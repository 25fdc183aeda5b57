package runtime_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/hindcast/hindcast/runtime"
	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
	"pgregory.net/rapid"
)

// match is a generated history: events, and the tick at which each arrives.
type match struct {
	ticks   world.Tick
	events  []world.Event
	arrival []world.Tick
}

// drawMatch generates joins, leaves, spawns, gifts and inputs, of which many
// come late, in any order, and some never.
func drawMatch(t *rapid.T, window world.Tick) match {
	m := match{ticks: world.Tick(rapid.IntRange(20, 60).Draw(t, "ticks"))}
	add := func(e world.Event, late int) {
		m.events = append(m.events, e)
		m.arrival = append(m.arrival, max(e.Tick, 1)+world.Tick(late))
	}
	players := rapid.IntRange(1, 4).Draw(t, "players")
	for p := 1; p <= players; p++ {
		join := world.Tick(rapid.IntRange(1, 10).Draw(t, "join"))
		add(world.Event{Tick: join, Kind: world.JoinEvent, Player: world.PlayerID(p)}, 0)
		ship := shipOf(world.PlayerID(p), join)
		for tick := join + 1; tick < m.ticks; tick++ {
			if rapid.IntRange(0, 3).Draw(t, "have") == 0 {
				continue // lost
			}
			late := rapid.IntRange(0, int(window)).Draw(t, "late")
			in := world.Input{Buttons: uint32(rapid.IntRange(0, 7).Draw(t, "buttons"))}
			add(world.Event{Tick: tick, Kind: world.InputEvent, Player: world.PlayerID(p), Object: ship, Bundle: 1, Input: in}, late)
		}
	}
	for range rapid.IntRange(0, 3).Draw(t, "spawns") {
		add(world.Event{Tick: world.Tick(rapid.IntRange(2, 19).Draw(t, "spawn tick")), Kind: world.SpawnEvent, Class: "Crate",
			Place: world.Placement{Pose: physics.Pose{X: rapid.Float64Range(-8, 8).Draw(t, "x")}}}, rapid.IntRange(0, int(window)).Draw(t, "late"))
	}
	return m
}

// shipOf is the id of the ship that a lone joiner of that tick gets. Ids don't
// depend on what else happened, but two joins in one tick share a sequence.
var shipIDs = map[[2]uint32]world.ObjectID{}

func shipOf(p world.PlayerID, join world.Tick) world.ObjectID {
	key := [2]uint32{uint32(p), uint32(join)}
	if id, ok := shipIDs[key]; ok {
		return id
	}
	tl := runtime.NewTimeline(mustCompile(), runtime.Options{States: 16})
	for q := world.PlayerID(1); q <= p; q++ {
		insert(tl, world.Event{Tick: join, Kind: world.JoinEvent, Player: q})
	}
	for tl.Now() < join {
		tl.Step()
	}
	s := tl.At(join)
	for _, slot := range s.Run {
		if s.Objects[slot].Owner == p {
			shipIDs[key] = s.Objects[slot].ID
		}
	}
	return shipIDs[key]
}

func mustCompile() world.Script {
	script, err := compileStub(nil, stubGame().Setup)
	if err != nil {
		panic(err)
	}
	return script
}

func insert(tl *runtime.Timeline, e world.Event) {
	if _, err := tl.Insert(e, runtime.Origin{}); err != nil {
		panic(err)
	}
}

// TestLateEqualsOnTime: whatever comes late, in whatever order, the states
// are those of a run in which nothing was late.
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
		m := drawMatch(t, window)
		prompt := runtime.NewTimeline(mustCompile(), runtime.Options{States: 128})
		for _, e := range m.events {
			insert(prompt, e)
		}
		late := runtime.NewTimeline(mustCompile(), runtime.Options{States: 128})
		for tick := world.Tick(1); tick <= m.ticks+window; tick++ {
			prompt.Step()
			for _, i := range arriving(&m, tick) {
				insert(late, m.events[i])
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

// arriving are the events that come before tick is simulated, in an order
// that has nothing to do with theirs.
func arriving(m *match, tick world.Tick) (out []int) {
	for i, at := range m.arrival {
		if at == tick {
			out = append(out, i)
		}
	}
	slices.Reverse(out)
	return out
}

func TestEventsOlderThanTheHistoryAreRefused(t *testing.T) {
	tl := runtime.NewTimeline(mustCompile(), runtime.Options{States: 8})
	for range 20 {
		tl.Step()
	}
	_, err := tl.Insert(world.Event{Tick: 12, Kind: world.JoinEvent, Player: 1}, runtime.Origin{})
	if tl.At(12) != nil || !errors.Is(err, runtime.ErrTooOld) {
		t.Errorf("an event for tick 12 of 20, with 8 kept: %v", err)
	}
	if _, err := tl.Insert(world.Event{Tick: 14, Kind: world.JoinEvent, Player: 1}, runtime.Origin{}); err != nil {
		t.Errorf("tick 14: %v", err)
	}
	if r := tl.Rewind(); r.From != 14 || r.Ticks != 7 {
		t.Errorf("rewound %+v", r)
	}
}

func TestInputThatChangesNothingIsNotRewoundFor(t *testing.T) {
	tl := runtime.NewTimeline(mustCompile(), runtime.Options{States: 64})
	insert(tl, world.Event{Tick: 2, Kind: world.JoinEvent, Player: 1})
	ship := shipOf(1, 2)
	input := func(tick world.Tick, b uint32) world.Event {
		return world.Event{Tick: tick, Kind: world.InputEvent, Object: ship, Bundle: 1, Input: world.Input{Buttons: b}}
	}
	insert(tl, input(3, accel))
	for range 10 {
		tl.Step()
	}
	insert(tl, input(5, accel)) // what was repeated anyway
	if r := tl.Rewind(); r.From != 0 {
		t.Errorf("rewound %+v for an input that was guessed rightly", r)
	}
	insert(tl, input(6, 0))
	if r := tl.Rewind(); r.From != 6 || r.Ticks != 5 || r.Objects == 0 {
		t.Errorf("rewound %+v, want from 6", r)
	}
}

// TestInputOfABundleThatComesLater: an input made by the declarations of a bundle
// that is not here yet counts as neutral, and is run again when the bundle is here.
func TestInputOfABundleThatComesLater(t *testing.T) {
	tl := runtime.NewTimeline(mustCompile(), runtime.Options{States: 64})
	insert(tl, world.Event{Tick: 2, Kind: world.JoinEvent, Player: 1})
	input := world.Event{Tick: 5, Kind: world.InputEvent, Player: 1, Object: shipOf(1, 2), Bundle: 2, Input: world.Input{Buttons: accel}}
	insert(tl, input)
	for range 10 {
		tl.Step()
	}
	before := tl.At(10).Hash()
	tl.AddScript(2, mustCompile())
	if r := tl.Rewind(); r.From != 5 || r.Ticks != 6 || tl.At(10).Hash() == before {
		t.Errorf("rewound %+v for a bundle by which an input of tick 5 was made", r)
	}
	tl.AddScript(2, mustCompile())
	if r := tl.Rewind(); r.From != 0 {
		t.Errorf("rewound %+v for a bundle that was here", r)
	}
}

// TestKeptStatesHaveTheirScripts: states of before a switch are kept for questions
// long after no tick can be run under its scripts any more, and cannot be read
// without them. With the last of those states the scripts go.
func TestKeptStatesHaveTheirScripts(t *testing.T) {
	const states, rewind, at = 300, 10, 100
	tl := runtime.NewTimeline(mustCompile(), runtime.Options{States: states})
	tl.AddScript(2, mustCompile())
	insert(tl, world.Event{Tick: at, Kind: world.BundleEvent, Bundle: 2})
	old := 0 // how often a state of before the switch was kept when no tick of then could be run any more
	for tl.Now() < at+2*states {
		tl.Step()
		final := tl.Now() - min(tl.Now(), rewind)
		tl.Release(final)
		for tick := tl.Now() - min(tl.Now(), states); tick <= tl.Now(); tick++ {
			s := tl.At(tick)
			if s == nil {
				continue
			}
			if tl.Script(s.Bundle) == nil {
				t.Fatalf("at tick %d the state of tick %d is kept, the script of bundle %d is not", tl.Now(), tick, s.Bundle)
			}
			if s.Bundle == 1 && final > at {
				old++
			}
		}
	}
	if old < states {
		t.Errorf("old states were kept %d times: the test did not show what it names", old)
	}
	if tl.Script(1) != nil || tl.Script(2) == nil {
		t.Errorf("%d ticks after the switch: script 1 kept: %v, script 2: %v", tl.Now()-at, tl.Script(1) != nil, tl.Script(2) != nil)
	}
}

func TestSteppingAllocatesNothing(t *testing.T) {
	tl := runtime.NewTimeline(mustCompile(), runtime.Options{States: 32})
	insert(tl, world.Event{Tick: 2, Kind: world.JoinEvent, Player: 1})
	for range 200 {
		tl.Step()
	}
	if n := testing.AllocsPerRun(100, tl.Step); n > 0 {
		t.Errorf("a tick allocates %v times", n)
	}
}

func TestRewindingAllocatesNothing(t *testing.T) {
	tl := runtime.NewTimeline(mustCompile(), runtime.Options{States: 32})
	insert(tl, world.Event{Tick: 2, Kind: world.JoinEvent, Player: 1})
	ship := shipOf(1, 2)
	objects, ran := 0, 0
	late := func() {
		tl.Step()
		insert(tl, world.Event{Tick: tl.Now() - 8, Kind: world.InputEvent, Player: 1, Object: ship, Bundle: 1, Input: world.Input{Buttons: uint32(tl.Now() % 8)}})
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
