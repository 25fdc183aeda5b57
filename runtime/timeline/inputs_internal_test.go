package timeline

import (
	"fmt"
	"testing"

	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"github.com/hindcast/hindcast/world"
	"pgregory.net/rapid"
)

// naive is a slow inputLog: it keeps all inputs, and searches them for each question.
type naive struct {
	entries map[world.Tick]inputEntry
	rule    repetition
}

func (n *naive) at(t world.Tick) world.Input {
	for s := t; ; s-- {
		if e, ok := n.entries[s]; ok {
			if min(t, n.rule.completeTo) > s+n.rule.ticks {
				return world.Input{}
			}
			in := e.Payload
			if s < t { // a repeated button is down for all of the tick
				in.Held = [world.MaxButtons]uint8{}
			}
			return in
		}
		if s == 0 {
			return world.Input{}
		}
	}
}

// TestInputLogAgainstNaive tests that effective inputs are those of naive, and that the
// reported ticks include all that changed and begin with the first of them.
func TestInputLogAgainstNaive(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		const end = 40
		l := &inputLog{sights: &sightLog{}, fades: func(world.ObjectID) bool { return false }, rule: repetition{5, world.Tick(rapid.SampledFrom([]int{0, 1 << 30}).Draw(t, "complete"))}}
		n := &naive{entries: map[world.Tick]inputEntry{}, rule: l.rule}
		for range rapid.IntRange(1, 40).Draw(t, "steps") {
			var before [end]world.Input
			for i := range before {
				before[i] = n.at(world.Tick(i))
			}
			completeTo := n.rule.completeTo
			var reported [end]bool
			dirty := world.Tick(0)
			l.changed = func(_ trackKey, from, to world.Tick, _ change) {
				dirty = earlier(dirty, from)
				for i := from; i <= to && i < end; i++ {
					reported[i] = true
				}
			}
			stepInputs(t, l, n)
			completed := n.rule.completeTo != completeTo
			first := world.Tick(0)
			for i := range before {
				got := l.inputIn(trackKey{7, 1}, world.Tick(i))
				want := n.at(world.Tick(i))
				if got != want {
					t.Fatalf("tick %d: input %v, want %v", i, got, want)
				}
				if want != before[i] {
					first = earlier(first, world.Tick(i))
					if !reported[i] {
						t.Fatalf("the input of tick %d changed, which was not reported", i)
					}
				}
			}
			if first == 0 && dirty != 0 && dirty < end && !completed { // where a guess was right, complete may report too much
				t.Fatalf("nothing changed; reported %d", dirty)
			}
		}
	})
}

// stepInputs makes one change to both logs.
func stepInputs(t *rapid.T, l *inputLog, n *naive) {
	tick := world.Tick(rapid.IntRange(1, 39).Draw(t, "tick"))
	if n.rule.completeTo < 1000 && rapid.IntRange(0, 4).Draw(t, "settle") == 0 {
		tick = max(tick, n.rule.completeTo)
		for at, e := range n.entries {
			if e.Flags.guessed() && at <= tick {
				delete(n.entries, at)
			}
		}
		n.rule.completeTo = tick
		l.complete(tick)
		return
	}
	e := inputEntry{Tick: tick, Bundle: 1, Flags: flagIf(n.rule.completeTo < 1000 && rapid.Bool().Draw(t, "guess"), guessed),
		Payload: world.Input{Buttons: uint32(rapid.IntRange(0, 2).Draw(t, "buttons"))}}
	if e.Payload.Buttons == 1 && rapid.Bool().Draw(t, "part") {
		e.Payload.Press(0, 0.5)
	}
	if n.rule.completeTo < 1000 && tick <= n.rule.completeTo {
		return // nothing more comes for a tick that is complete
	}
	duplicate := l.put(trackKey{7, 1}, e, nil)
	old, had := n.entries[tick]
	if had != duplicate && !(had && old.Flags.guessed() && !e.Flags.guessed()) {
		t.Fatalf("tick %d: duplicate %v, had one: %v", tick, duplicate, had)
	}
	if !had || old.Flags.guessed() && !e.Flags.guessed() {
		n.entries[tick] = e
	}
}

// TestPruneChangesNoLaterTick also tests that prune keeps nothing that no later tick needs.
func TestPruneChangesNoLaterTick(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		const end = 60
		of := trackKey{7, 1}
		l := &inputLog{sights: &sightLog{}, fades: func(world.ObjectID) bool { return false }, rule: repetition{5, world.Tick(rapid.SampledFrom([]int{20, 1 << 30}).Draw(t, "complete"))},
			changed: func(trackKey, world.Tick, world.Tick, change) {}}
		for range rapid.IntRange(1, 20).Draw(t, "inputs") {
			in := world.Input{Buttons: uint32(rapid.IntRange(0, 2).Draw(t, "buttons"))}
			if in.Buttons == 1 {
				in.Press(0, rapid.SampledFrom([]float64{0.5, 1}).Draw(t, "part"))
			}
			l.put(of, inputEntry{Tick: world.Tick(rapid.IntRange(1, 39).Draw(t, "tick")), Bundle: 1, Payload: in}, nil)
		}
		oldest := world.Tick(rapid.IntRange(0, 45).Draw(t, "oldest"))
		var before [end]world.Input
		needed := false
		for i := oldest + 1; i < end; i++ {
			e := newest(l.find(of), i, false)
			before[i] = l.inputIn(of, i)
			needed = needed || e != nil && e.Tick == i || before[i] != (world.Input{})
		}
		l.prune(oldest)
		for i := oldest + 1; i < end; i++ {
			if got := l.inputIn(of, i); got != before[i] {
				t.Fatalf("tick %d: %v, before %v", i, got, before[i])
			}
		}
		if got := l.oldestBundle(2); needed != (got == 1) || l.steered(of.Object) != needed {
			t.Fatalf("needed %v; bundle %d is kept, steered %v", needed, got, l.steered(of.Object))
		}
	})
}

// TestDropUnrelayedReportsAllTicksThatChange: ticks that are complete, but can still be
// simulated again, are among them.
func TestDropUnrelayedReportsAllTicksThatChange(t *testing.T) {
	forgot := 0
	missing := func() string {
		if forgot >= 10 {
			return ""
		}
		return fmt.Sprintf("%d ticks changed", forgot)
	}
	draws.Until(t, 0, missing, func(t *rapid.T) {
		const end = 60
		of, reported := trackKey{7, 1}, [end]bool{}
		l := &inputLog{sights: &sightLog{}, fades: func(world.ObjectID) bool { return false }, rule: repetition{5, 20}, changed: func(_ trackKey, from, to world.Tick, _ change) {
			for i := from; i <= min(to, end-1); i++ {
				reported[i] = true
			}
		}}
		for range rapid.IntRange(1, 20).Draw(t, "inputs") {
			own := rapid.Bool().Draw(t, "unrelayed")
			l.put(of, inputEntry{Tick: world.Tick(rapid.IntRange(1, 39).Draw(t, "tick")), Bundle: 1, Flags: flagIf(own, guessed|unrelayed),
				Payload: world.Input{Buttons: uint32(rapid.IntRange(0, 2).Draw(t, "buttons"))}}, nil)
		}
		completed := world.Tick(rapid.IntRange(1, 45).Draw(t, "completed"))
		var before [end]world.Input
		for i := range before {
			before[i] = l.inputIn(of, world.Tick(i))
		}
		reported = [end]bool{}
		l.dropUnrelayed(completed, func(world.ObjectID) bool { return true })
		for i := range before {
			switch {
			case l.inputIn(of, world.Tick(i)) == before[i]:
			case !reported[i]:
				t.Fatalf("tick %d: %v, before %v, and it was not reported", i, l.inputIn(of, world.Tick(i)), before[i])
			default:
				forgot++
			}
			if e := newest(l.find(of), world.Tick(i), false); e != nil && e.Flags&unrelayed != 0 && e.Tick <= completed {
				t.Fatalf("tick %d still has the input of tick %d, that only this client has", i, e.Tick)
			}
		}
	})
}

// inputIn returns a player's effective input for an object.
func (l *inputLog) inputIn(of trackKey, t world.Tick) world.Input {
	var in boundInput
	l.effective(of, t, false, &in)
	return in.Input
}
