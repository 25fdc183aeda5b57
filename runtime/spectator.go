package runtime

import (
	"time"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/internal/view"
	"github.com/hindcast/hindcast/world"
)

// spectator is the role of a client that does not simulate, and shows the snapshots that the host
// sends.
type spectator struct {
	inputOnly
	waiting view.CueQueue // cues that it is sent and has not shown
}

// frame fires the cues that are due, and sends inputs at the pace of the clock.
func (o *spectator) frame(c *endpoint, now time.Duration) {
	if c.Replica.begun() && o.waiting.Len() > 0 {
		c.Replica.show(c.frameTime(o.status().Now))
		o.fireDue(c, c.Replica.moment())
	}
	o.play(c, now, true)
}

// cueFrames is how many times a tick a spectator looks whether a cue is due.
const cueFrames = 4

// wakeAt returns when a tick or perhaps a cue is due, or something is to be sent.
func (o *spectator) wakeAt(c *endpoint, now time.Duration) time.Duration {
	at := o.inputOnly.wakeAt(c, now)
	if c.Replica.begun() && o.waiting.Len() > 0 {
		at = min(at, c.Now+c.tickLength()/cueFrames)
	}
	return at
}

// snapshot asks for the world again when an object of this player's has come that the client
// cannot steer yet.
func (o *spectator) snapshot(c *endpoint, m *wire.Snapshot) {
	for i := range m.Entities {
		e := &m.Entities[i]
		if e.Owner == c.Session.Player && c.Replica.entityClass(e).Hooks.Has(world.ApplyInput) {
			o.seek(e.ID, e.Tick)
		}
	}
}

// view fills v with the moment that snapshots show.
func (o *spectator) view(c *endpoint, v *View) {
	c.Replica.showSpectated(v, o.status().World, c.frameTime(o.status().Now))
	v.present(c.Session.Names)
}

// cueUpdates handles cue updates from the host.
func (o *spectator) cueUpdates(c *endpoint, m wire.Cues) error {
	if c.Cfg.Cues == nil {
		return nil
	}
	q := &o.waiting
	for i := range m.Updates {
		e := &m.Updates[i]
		switch e.Change {
		case wire.CueFired:
			q.Add(e.Cue)
		case wire.CueMoved:
			if q.Drop(e.Was) {
				q.Add(e.Cue)
			} else {
				c.Cfg.Cues(CueEvent{CueMoved, e.Cue, world.Cue{CueKey: e.Was}})
			}
		case wire.CueCancelled:
			if !q.Drop(e.Cue.CueKey) {
				c.Cfg.Cues(CueEvent{Kind: CueCancelled, Cue: e.Cue})
			}
		}
	}
	return nil
}

// fireDue fires the cues of the ticks that are shown by now.
func (o *spectator) fireDue(c *endpoint, moment float64) {
	for _, cue := range o.waiting.Due(moment) {
		c.Cfg.Cues(CueEvent{Kind: CueFired, Cue: cue})
	}
}
