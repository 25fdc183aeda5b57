package client

import (
	"time"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/world"
)

// inputOnly is the role of a client that sends, receives and acknowledges, and does not simulate.
type inputOnly struct {
	nonSimulating
	steers steering
}

// begin takes the world of a keyframe, in which it finds the objects of the player.
func (o *inputOnly) begin(
	of *session,
	_ *library,
	_ *clock,
	_ time.Duration,
	s *world.State,
	script world.Script,
	_ *wire.Keyframe,
) error {
	o.steers.begin(of, s, script.Schema())
	return nil
}

func (o *inputOnly) record(r *wire.Record, _ uint32) error {
	o.steers.record(r)
	return nil
}

func (o *inputOnly) snapshot(*replica, *library, *clock, *wire.Snapshot) {}

func (o *inputOnly) lacksCue(*world.Cue, bool) bool { return false }

// frame sends inputs at the pace of the clock.
func (o *inputOnly) frame(c *endpoint, now time.Duration) error {
	o.steers.frame(c, now, nil)
	return nil
}

func (o *inputOnly) wakeAt(c *endpoint, now time.Duration) time.Duration {
	return o.steers.wakeAt(c, now)
}

func (o *inputOnly) view(*room.View, *replica, frameTime, map[world.PlayerID]wire.RosterEntry) {}

func (o *inputOnly) status() roleStatus { return o.steers.status() }
