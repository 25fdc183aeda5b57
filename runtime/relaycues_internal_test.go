package runtime

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/internal/replicate"
	"github.com/hindcast/hindcast/runtime/internal/view"
	"github.com/hindcast/hindcast/world"
)

// TestDueCues tests that a change of a cue that has been shown is an event, and that a
// cue that has not been shown changes without one.
func TestDueCues(t *testing.T) {
	t.Parallel()
	const tick = 10 * time.Millisecond
	var events []string
	var sender replicate.CueSender
	r := remoteCues{report: func(e CueEvent) {
		events = append(events, fmt.Sprint(e.Kind, " ", e.Cue.Tick, " ", e.Was.Tick, " ", e.Age))
	}}
	cue := func(t world.Tick) world.Cue {
		return world.Cue{CueKey: world.CueKey{Tick: t, Object: 5, Name: "boom"}}
	}
	deliver := func() {
		if err := r.read(sender.Datagram(0, wire.MaxDatagram), func(*world.Cue, bool) bool { return true }); err != nil {
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

// TestCueForOne tests that a cue whose owner changes fires for one player and is
// cancelled for the other.
func TestCueForOne(t *testing.T) {
	t.Parallel()
	mine, others := world.Cue{CueKey: world.CueKey{Tick: 1, Name: "x"}, To: world.CueOwner, Owner: 1}, world.Cue{CueKey: world.CueKey{Tick: 2, Name: "x"}, To: world.CueOwner, Owner: 2}
	for _, c := range []struct {
		before *world.Cue // sent; nil: none
		e      view.CueUpdate
		want   string
	}{
		{nil, view.CueUpdate{Change: view.CueFired, Cue: mine}, "fired"},
		{nil, view.CueUpdate{Change: view.CueFired, Cue: others}, ""},
		{&mine, view.CueUpdate{Change: view.CueMoved, Cue: mine, Was: mine}, ""},
		{nil, view.CueUpdate{Change: view.CueMoved, Cue: mine, Was: others}, "fired"},
		{&mine, view.CueUpdate{Change: view.CueMoved, Cue: others, Was: mine}, "cancelled"},
		{nil, view.CueUpdate{Change: view.CueMoved, Cue: others, Was: others}, ""},
		{nil, view.CueUpdate{Change: view.CueCancelled, Cue: others}, ""},
		{&mine, view.CueUpdate{Change: view.CueCancelled, Cue: mine}, "cancelled"},
	} {
		p := &peer{admission: admission{player: 1}}
		p.replica.spectates = true
		var receiver replicate.CueReceiver
		what := ""
		deliver := func() {
			what = ""
			changes, err := receiver.Read(p.replica.cues.Datagram(0, wire.MaxDatagram))
			switch {
			case err != nil || len(changes) == 0:
			case changes[0].Cue == nil:
				what = "cancelled"
			default:
				what = "fired"
			}
		}
		if c.before != nil {
			p.replica.fireCue(0, 1, c.before)
			deliver()
		}
		p.replica.RelayCue(0, 1, &c.e, func(*world.Cue) bool { return true })
		if deliver(); what != c.want {
			t.Errorf("%+v: %q, want %q", c.e, what, c.want)
		}
	}
}
