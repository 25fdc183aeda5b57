package view

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hindcast/hindcast/world"
)

// moveCue returns the change of a cue that was reported in one tick and appears in
// another.
func moveCue(from, to world.Tick) string {
	b := NewCueBook(1)
	b.Open(0)
	cue := func(t world.Tick) cuePage {
		return cuePage{t, []world.Cue{{CueKey: world.CueKey{Tick: t, Object: 5, Name: "boom"}}}}
	}
	b.ran = append(b.ran, cue(from))
	b.Flush(0, false)
	b.ran = append(b.ran, cuePage{tick: from}, cue(to))
	var changes []string
	for _, u := range b.Flush(0, false) {
		changes = append(changes, fmt.Sprintf("%s %d", [...]string{"fired", "moved", "cancelled"}[u.Change], u.Cue.Tick))
	}
	return strings.Join(changes, ", ")
}

// TestEffectsMoveToTicksNearby: up to 15 ticks away it is the same effect; that
// of another tick is another.
func TestEffectsMoveToTicksNearby(t *testing.T) {
	for by, want := range map[world.Tick]string{1: "moved 21", 15: "moved 35", 16: "cancelled 20, fired 36"} {
		if got := moveCue(20, 20+by); got != want {
			t.Errorf("by %d: %q, want %q", by, got, want)
		}
	}
}

// TestCuesWaitWhileBehind: while a client is behind, a cue that disappears may come in a tick that it has yet to simulate.
func TestCuesWaitWhileBehind(t *testing.T) {
	b := NewCueBook(1)
	b.Open(0)
	ran := func(t world.Tick, shots ...float64) {
		p := cuePage{tick: t}
		for i, n := range shots {
			p.cues = append(p.cues, world.Cue{CueKey: world.CueKey{Tick: t, Object: 5, Name: "shot", Count: i},
				Fields: []world.CueField{{Name: "n", Number: n}}})
		}
		b.ran = append(b.ran, p)
	}
	flush := func(behind bool, want string) {
		t.Helper()
		var changes []string
		for _, u := range b.Flush(0, behind) {
			what := fmt.Sprintf("%s %d", [...]string{"fired", "moved", "cancelled"}[u.Change], u.Cue.Tick)
			changes = append(changes, fmt.Sprint(what, ":", u.Cue.Fields[0].Number))
		}
		if got := strings.Join(changes, ", "); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	ran(20, 1)
	ran(30, 2)
	flush(false, "fired 20:1, fired 30:2")
	ran(20)
	ran(30)
	flush(true, "")
	ran(60, 1, 2)
	flush(true, "moved 60:1, moved 60:2")
	ran(50, 1) // one of the two was earlier
	ran(60, 2)
	flush(true, "moved 50:1, moved 60:2")
	ran(50)
	flush(true, "")
	ran(50, 1)
	flush(true, "")
	ran(60)
	flush(true, "")
	flush(false, "cancelled 60:2")
}

// TestCuesMoveBeforeTheBeginning: a reported cue may turn out to have happened in a tick before the book was opened. Cues
// of those ticks are not reported otherwise, whatever runs again.
func TestCuesMoveBeforeTheBeginning(t *testing.T) {
	b := NewCueBook(1)
	b.Close(5)
	b.Open(30)
	ran := func(t world.Tick, objects ...world.ObjectID) {
		p := cuePage{tick: t}
		for _, o := range objects {
			p.cues = append(p.cues, world.Cue{CueKey: world.CueKey{Tick: t, Object: o, Name: "shot"}})
		}
		b.ran = append(b.ran, p)
	}
	flush := func(committed world.Tick, want string) {
		t.Helper()
		var changes []string
		for _, u := range b.Flush(committed, false) {
			what := [...]string{"fired", "moved", "cancelled"}[u.Change]
			changes = append(changes, fmt.Sprintf("%s %d:%d", what, u.Cue.Tick, u.Cue.Object))
		}
		if got := strings.Join(changes, ", "); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	ran(25, 4, 6)
	flush(0, "")
	ran(31, 5)
	flush(0, "fired 31:5")
	ran(25, 4, 5, 6)
	ran(31)
	flush(0, "moved 25:5")
	ran(25, 4, 5, 6)
	flush(0, "")
	ran(25, 4, 6)
	flush(0, "cancelled 25:5")
	ran(25, 4, 5, 6)
	flush(0, "")
	flush(30, "")
}
