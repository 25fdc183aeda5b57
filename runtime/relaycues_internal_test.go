package runtime

import (
	"fmt"
	"slices"
	"testing"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/internal/replicate"
	"github.com/hindcast/hindcast/runtime/internal/view"
	"github.com/hindcast/hindcast/world"
)

// TestDueCues tests that a change of a cue that has been shown is an event, and that a
// cue that has not been shown changes without one.
func TestDueCues(t *testing.T) {
	t.Parallel()
	var events []string
	role := &spectator{onCue: func(e CueEvent) { events = append(events, fmt.Sprint(e.Kind, " ", e.Cue.Tick, " ", e.Was.Tick)) }}
	cue := func(tick world.Tick) world.Cue {
		return world.Cue{CueKey: world.CueKey{Tick: tick, Object: 5, Name: "boom"}}
	}
	take := func(list ...wire.CueUpdate) { role.cueUpdates(wire.Cues{Updates: list}) }
	take(wire.CueUpdate{Cue: cue(12)}, wire.CueUpdate{Cue: cue(10)}, wire.CueUpdate{Cue: cue(11)}, wire.CueUpdate{Cue: cue(14)})
	take(wire.CueUpdate{Change: wire.CueCancelled, Cue: cue(11)}, wire.CueUpdate{Change: wire.CueMoved, Cue: cue(13), Was: cue(12).CueKey})
	role.fireDue(13)
	take(wire.CueUpdate{Change: wire.CueMoved, Cue: cue(9), Was: cue(10).CueKey}, wire.CueUpdate{Change: wire.CueCancelled, Cue: cue(13)})
	want := []string{"fired 10 0", "fired 13 0", "moved 9 10", "cancelled 13 0"}
	if !slices.Equal(events, want) || role.waiting.Len() != 1 {
		t.Errorf("events %q, want %q; %d are due", events, want, role.waiting.Len())
	}
}

// TestCueForOne tests that a cue whose owner changes fires for one player and is
// cancelled for the other.
func TestCueForOne(t *testing.T) {
	t.Parallel()
	h := &Host{relevancy: replicate.NewFilter(nil)}
	mine, others := world.Cue{To: world.CueOwner, Owner: 1}, world.Cue{To: world.CueOwner, Owner: 2}
	for _, c := range []struct {
		e    view.CueUpdate
		what byte
		ok   bool
	}{
		{view.CueUpdate{Change: view.CueFired, Cue: mine}, wire.CueFired, true},
		{view.CueUpdate{Change: view.CueFired, Cue: others}, wire.CueFired, false},
		{view.CueUpdate{Change: view.CueMoved, Cue: mine, Was: mine}, wire.CueMoved, true},
		{view.CueUpdate{Change: view.CueMoved, Cue: mine, Was: others}, wire.CueFired, true},
		{view.CueUpdate{Change: view.CueMoved, Cue: others, Was: mine}, wire.CueCancelled, true},
		{view.CueUpdate{Change: view.CueMoved, Cue: others, Was: others}, wire.CueFired, false},
		{view.CueUpdate{Change: view.CueCancelled, Cue: others}, wire.CueCancelled, false},
	} {
		if e, ok := h.cueFor(&peer{seat: seat{player: 1}}, &c.e); ok != c.ok || ok && e.Change != c.what {
			t.Errorf("%+v: %d %v", c.e, e.Change, ok)
		}
	}
}
