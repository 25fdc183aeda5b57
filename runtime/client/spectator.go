package client

import (
	"time"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/internal/view"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/world"
)

// spectator is the role of a client that does not simulate, and shows the snapshots that the host
// sends. It can steer objects.
type spectator struct {
	nonSimulating
	steers   steering
	carrying carrying
	fields   view.FieldHold
	drawn    lastFrame
}

// begin takes the world of a keyframe, which has the shapes of walls, and the objects of the player.
func (o *spectator) begin(
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

func (o *spectator) record(r *wire.Record, _ uint32) error {
	o.steers.record(r)
	return nil
}

// frame fires the cues that are due, and sends inputs at the pace of the clock.
func (o *spectator) frame(c *endpoint, now time.Duration) error {
	if _, begun := c.replica.moment(); begun {
		if c.cues.pending() {
			c.replica.show(c.clock.frame(now, o.status().now))
		}
		moment, _ := c.replica.moment()
		c.cues.fire(now, moment, moment, c.clock.tickLength())
	}
	o.steers.frame(c, now, &o.drawn)
	return nil
}

// wakeAt returns when a tick or perhaps a cue is due, or something is to be sent.
func (o *spectator) wakeAt(c *endpoint, now time.Duration) time.Duration {
	at := o.steers.wakeAt(c, now)
	if _, begun := c.replica.moment(); begun {
		at = c.cues.wakeAt(at, c.clock.tickLength())
	}
	return at
}

// snapshot requests a keyframe when there is an object of this player that the client cannot
// steer yet.
func (o *spectator) snapshot(r *replica, _ *library, _ *clock, m *wire.Snapshot) {
	for i := range m.Entities {
		if e := &m.Entities[i]; r.schema().Classes[e.Class].Hooks.Has(world.ApplyInput) {
			o.steers.seek(e.ID, e.Owner, e.Tick)
		}
	}
}

// view fills v with the moment that snapshots show.
func (o *spectator) view(v *room.View, r *replica, t frameTime, names map[world.PlayerID]wire.RosterEntry) {
	r.showSpectated(v, o.status().world, t)
	o.carrying.draw(v, t.now, holdOf)
	o.drawn.keep(v, t.now)
	presentPlayers(v, names)
	o.fields.Begin(t.now, v.TickRate)
	v.EachFields(func(id world.ObjectID, class *world.Class, row world.Row, _ *room.ViewBody) world.Row {
		return o.fields.Show(id, class, row, view.FromSnapshots, r.buffer.FieldsMoment(id))
	})
	o.fields.End()
}

func (o *spectator) status() roleStatus { return o.steers.status() }

// lacksCue reports that a spectator finds no cues by itself.
func (o *spectator) lacksCue(*world.Cue, bool) bool { return true }
