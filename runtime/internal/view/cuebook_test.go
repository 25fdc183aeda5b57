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
	b.Flush(0)
	b.ran = append(b.ran, cuePage{tick: from}, cue(to))
	var changes []string
	for _, u := range b.Flush(0) {
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
