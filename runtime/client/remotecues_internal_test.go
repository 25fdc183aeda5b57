package client

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/internal/replicate"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/world"
)

// TestDueCues tests that a change of a cue that has been shown is an event, and that a
// cue that has not been shown changes without one.
func TestDueCues(t *testing.T) {
	t.Parallel()
	const tick = 10 * time.Millisecond
	var events []string
	var sender replicate.CueSender
	r := remoteCues{report: func(e room.CueEvent) {
		events = append(events, fmt.Sprint(e.Kind, " ", e.Cue.Tick, " ", e.Was.Tick, " ", e.Age))
	}}
	cue := func(t world.Tick) world.Cue {
		return world.Cue{CueKey: world.CueKey{Tick: t, Object: 5, Name: "boom"}}
	}
	deliver := func() {
		err := r.read(sender.Datagram(0, wire.MaxDatagram), func(*world.Cue, bool) bool { return true }, func(*world.Cue) {})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, t := range []world.Tick{12, 10, 11, 14} {
		sender.Fire(0, cue(t), true, false)
	}
	sender.Fire(0, cue(8), false, false)
	deliver()
	sender.Cancel(0, cue(11).CueKey)
	sender.Move(0, cue(12).CueKey, cue(13))
	deliver()
	r.fire(0, 13.5, 20, tick)
	sender.Move(0, cue(10).CueKey, cue(9))
	sender.Cancel(0, cue(13).CueKey)
	deliver()
	r.fire(0, 13.5, 20, tick)
	want := []string{"fired 8 0 120ms", "fired 10 0 35ms", "fired 13 0 5ms", "cancelled 13 0 70ms", "moved 9 10 110ms"}
	if !slices.Equal(events, want) || r.waiting.Len() != 1 {
		t.Errorf("events %q, want %q; %d are due", events, want, r.waiting.Len())
	}
}
