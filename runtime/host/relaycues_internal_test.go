package host

import (
	"testing"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/internal/replicate"
	"github.com/hindcast/hindcast/runtime/internal/view"
	"github.com/hindcast/hindcast/world"
)

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
