package timeline

import (
	"fmt"
	"testing"

	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"github.com/hindcast/hindcast/world"
	"pgregory.net/rapid"
)

// naive is the inputLog written the slow way: everything known, asked anew.
type naive struct {
	entries  map[world.Tick]entry
	repeat   world.Tick
	complete world.Tick
}

func (n *naive) at(t world.Tick) world.Input {
	for s := t; ; s-- {
		if e, ok := n.entries[s]; ok {
			if min(t, n.complete) > s+n.repeat {
				return world.Input{}
			}
			in := e.input
			if s < t { // what is repeated is down all the time
				in.Held = [world.MaxButtons]uint8{}
			}
			return in
		}
		if s == 0 {
			return world.Input{}
		}
	}
}

// TestInputLogAgainstNaive: effective inputs are the naive ones, and what is
// reported covers all ticks that changed, and begins with the first of them.
func TestInputLogAgainstNaive(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		const end = 40
		l := &inputLog{repeat: 5, complete: world.Tick(rapid.SampledFrom([]int{0, 1 << 30}).Draw(t, "complete"))}
		n := &naive{entries: map[world.Tick]entry{}, repeat: 5, complete: l.complete}
		for range rapid.IntRange(1, 40).Draw(t, "steps") {
			var before [end]world.Input
			for i := range before {
				before[i] = n.at(world.Tick(i))
			}
			complete := n.complete
			var told [end]bool
			dirty := world.Tick(0)
			l.changed = func(_ steering, from, to world.Tick, _ change) {
				dirty = earlier(dirty, from)
				for i := from; i <= to && i < end; i++ {
					told[i] = true
				}
			}
			stepInputs(t, l, n)
			settled := n.complete != complete
			first := world.Tick(0)
			for i := range before {
				got, _ := l.at(steering{7, 1}, world.Tick(i))
				want := n.at(world.Tick(i))
				if got.input != want {
					t.Fatalf("tick %d: input %v, want %v", i, got.input, want)
				}
				if want != before[i] {
					first = earlier(first, world.Tick(i))
					if !told[i] {
						t.Fatalf("the input of tick %d changed, which was not reported", i)
					}
				}
			}
			if first == 0 && dirty != 0 && dirty < end && !settled { // where a guess was right, settle may report too much
				t.Fatalf("nothing changed; reported %d", dirty)
			}
		}
	})
}

// stepInputs makes one change to both logs.
func stepInputs(t *rapid.T, l *inputLog, n *naive) {
	tick := world.Tick(rapid.IntRange(1, 39).Draw(t, "tick"))
	if n.complete < 1000 && rapid.IntRange(0, 4).Draw(t, "settle") == 0 {
		tick = max(tick, n.complete)
		for at, e := range n.entries {
			if e.guess && at <= tick {
				delete(n.entries, at)
			}
		}
		n.complete = tick
		l.settle(tick)
		return
	}
	e := entry{tick: tick, bundle: 1, guess: n.complete < 1000 && rapid.Bool().Draw(t, "guess"),
		input: world.Input{Buttons: uint32(rapid.IntRange(0, 2).Draw(t, "buttons"))}}
	if e.input.Buttons == 1 && rapid.Bool().Draw(t, "part") {
		e.input.Press(0, 0.5)
	}
	if n.complete < 1000 && tick <= n.complete {
		return // nothing more comes for a tick that is complete
	}
	duplicate := l.put(steering{7, 1}, e)
	old, had := n.entries[tick]
	if had != duplicate && !(had && old.guess && !e.guess) {
		t.Fatalf("tick %d: duplicate %v, had one: %v", tick, duplicate, had)
	}
	if !had || old.guess && !e.guess {
		n.entries[tick] = e
	}
}

// TestPruneChangesNoLaterTick, and keeps nothing that none of them needs.
func TestPruneChangesNoLaterTick(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		const end = 60
		of := steering{7, 1}
		l := &inputLog{repeat: 5, complete: world.Tick(rapid.SampledFrom([]int{20, 1 << 30}).Draw(t, "complete")),
			changed: func(steering, world.Tick, world.Tick, change) {}}
		for range rapid.IntRange(1, 20).Draw(t, "inputs") {
			in := world.Input{Buttons: uint32(rapid.IntRange(0, 2).Draw(t, "buttons"))}
			if in.Buttons == 1 {
				in.Press(0, rapid.SampledFrom([]float64{0.5, 1}).Draw(t, "part"))
			}
			l.put(of, entry{tick: world.Tick(rapid.IntRange(1, 39).Draw(t, "tick")), bundle: 1, input: in})
		}
		oldest := world.Tick(rapid.IntRange(0, 45).Draw(t, "oldest"))
		var before [end]world.Input
		needed := false
		for i := oldest + 1; i < end; i++ {
			e, own := l.at(of, i)
			before[i] = e.input
			needed = needed || own || e.input != (world.Input{})
		}
		l.prune(oldest)
		for i := oldest + 1; i < end; i++ {
			if e, _ := l.at(of, i); e.input != before[i] {
				t.Fatalf("tick %d: %v, before %v", i, e.input, before[i])
			}
		}
		if got := l.oldestBundle(2); needed != (got == 1) || l.steered(of.object) != needed {
			t.Fatalf("needed %v; bundle %d is kept, steered %v", needed, got, l.steered(of.object))
		}
	})
}

// TestForgettingTellsOfAllTicksThatChange: those too that are settled, but can be run again still.
func TestForgettingTellsOfAllTicksThatChange(t *testing.T) {
	forgot := 0
	missing := func() string {
		if forgot >= 10 {
			return ""
		}
		return fmt.Sprintf("%d ticks changed", forgot)
	}
	draws.Until(t, 0, missing, func(t *rapid.T) {
		const end = 60
		of, told := steering{7, 1}, [end]bool{}
		l := &inputLog{repeat: 5, complete: 20, changed: func(_ steering, from, to world.Tick, _ change) {
			for i := from; i <= min(to, end-1); i++ {
				told[i] = true
			}
		}}
		for range rapid.IntRange(1, 20).Draw(t, "inputs") {
			alone := rapid.Bool().Draw(t, "alone")
			l.put(of, entry{tick: world.Tick(rapid.IntRange(1, 39).Draw(t, "tick")), bundle: 1, guess: alone, alone: alone,
				input: world.Input{Buttons: uint32(rapid.IntRange(0, 2).Draw(t, "buttons"))}})
		}
		settled := world.Tick(rapid.IntRange(1, 45).Draw(t, "settled"))
		var before [end]world.Input
		for i := range before {
			e, _ := l.at(of, world.Tick(i))
			before[i] = e.input
		}
		told = [end]bool{}
		l.forgetOwn(settled, func(world.ObjectID) bool { return true })
		for i := range before {
			e, _ := l.at(of, world.Tick(i))
			switch {
			case e.input == before[i]:
			case !told[i]:
				t.Fatalf("tick %d: %v, before %v, and it was not told of", i, e.input, before[i])
			default:
				forgot++
			}
			if e.alone && e.tick <= settled {
				t.Fatalf("tick %d still has the input of tick %d, that only this client has", i, e.tick)
			}
		}
	})
}
