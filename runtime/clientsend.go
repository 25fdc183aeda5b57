package runtime

import (
	"time"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/world"
)

// sample asks the controls for the inputs of the coming tick. A player steers at most
// wire.MaxRuns objects, the first in the order in which hooks run. all: the screen shows all objects as
// snapshots have them.
func (c *Client) sample(w *world.World, t world.Tick, all bool) []ownInput {
	c.inputs.begin(t)
	w.BeginOrder() // what the controls may look at
	for _, at := range w.Now.Run {
		o, class := &w.Now.Objects[at], w.Class(int(at))
		if o.Owner != c.player || !class.Hooks.Has(world.ApplyInput) || len(c.inputs.of(t)) == wire.MaxRuns {
			continue
		}
		in := c.played(w, int(at))
		c.inputs.add(t, ownInput{o.ID, w.Now.Bundle, in, class.LOD != world.Predict})
		c.stats.inputs.Sent++
	}
	if shown, latest, ok := c.replica.viewTime(c.frameTime(c.role.now())); ok {
		c.inputs.noteView(t, shown, latest, all)
	}
	return c.inputs.of(t)
}

// send tells the host this client's inputs that it does not have yet, what has arrived, and, if it
// simulates, where it has its object.
func (c *Client) send(now time.Duration, claim *wire.Claim) {
	s := &c.inputs
	m := wire.InputPacket{Seq: s.next(now), Ack: c.receiver.Ack(), Snapshot: c.replica.acked(), Runs: s.runs(c.redundancy()), Claim: claim}
	c.buf = wire.AppendInputPacket(c.buf[:0], &m)
	if len(m.Runs) > wire.MaxRuns || len(c.buf) > wire.MaxDatagram { // a great many objects: the newest tick must do
		m.Runs = s.runs(1)
		c.buf = wire.AppendInputPacket(c.buf[:0], &m)
	}
	c.datagramOut(now, c.buf)
}

// redundancy is of how many ticks inputs are repeated until the host has them.
func (c *Client) redundancy() world.Tick {
	if b := c.Bundle(); b != nil {
		return world.Tick(b.Rules.Redundancy)
	}
	return wire.MaxInputs
}

// frameTime is the time of the last Poll or Frame, with the present at a tick.
func (c *Client) frameTime(tick world.Tick) frameTime {
	t := frameTime{now: c.now, host: c.clock.HostTime(c.now), synced: c.clock.Synced(), alpha: 1}
	if t.synced {
		past := c.clock.Present(c.now) - c.tickLength()*time.Duration(tick)
		t.alpha = min(max(float64(past)/float64(c.tickLength()), 0), 1)
	}
	return t
}
