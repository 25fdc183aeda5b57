package runtime

import (
	"time"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/world"
)

// sample asks the controls for the inputs of the coming tick. A player steers at most wire.MaxRuns
// objects, the first ones in the order in which hooks run. all says that the client shows all objects
// with the interpolation delay.
func (c *endpoint) sample(w *world.World, t world.Tick, all bool) []ownInput {
	c.Inputs.begin(t)
	r := w.Reader()
	s := r.State()
	for _, at := range s.Run {
		o, class := &s.Objects[at], r.Class(int(at))
		if o.Owner != c.Session.Player || !class.Hooks.Has(world.ApplyInput) || len(c.Inputs.of(t)) == wire.MaxRuns {
			continue
		}
		in := c.played(r, int(at))
		c.Inputs.add(t, ownInput{o.ID, s.Bundle, in, class.LOD != world.Predict})
		c.Stats.Inputs.Sent++
	}
	if shown, latest, ok := c.Replica.viewTime(c.frameTime(s.Tick)); ok {
		c.Inputs.noteView(t, shown, latest, all)
	}
	return c.Inputs.of(t)
}

// send sends the inputs that the host has not acknowledged, acknowledgements and, from a predictor,
// a claim.
func (c *endpoint) send(now time.Duration, w *world.World, claim *wire.Claim) {
	s := &c.Inputs
	m := wire.InputPacket{Seq: s.next(now), Ack: c.Receiver.Ack(), Snapshot: c.Replica.acked(), Claim: claim}
	c.datagramOut(now, s.encode(&m, c.redundancy(w)))
}

// redundancy returns the number of ticks whose inputs are repeated until the host has
// them.
func (c *endpoint) redundancy(w *world.World) world.Tick {
	if b := c.Library.bundle(w.Now.Bundle); b != nil {
		return world.Tick(b.Rules.Redundancy)
	}
	return wire.MaxInputs
}

// frameTime returns the time of the last Poll or Update, with the present at a tick.
func (c *endpoint) frameTime(tick world.Tick) frameTime {
	t := frameTime{now: c.Now, host: c.Clock.HostTime(c.Now), synced: c.Clock.Synced(), alpha: 1}
	if t.synced {
		past := c.Clock.Present(c.Now) - c.tickLength()*time.Duration(tick)
		t.alpha = min(max(float64(past)/float64(c.tickLength()), 0), 1)
	}
	if c.Cfg.Verify {
		assert(t.alpha >= 0 && t.alpha <= 1, "a frame is %v of the way from one tick to the next", t.alpha)
	}
	return t
}
