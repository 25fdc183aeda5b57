package runtime

import (
	"time"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/world"
)

// inputOnly is the role of a client that sends, receives and acknowledges, and does not simulate. It
// has the world of the newest keyframe that it asked for, to know which objects are its player's.
type inputOnly struct {
	look     *world.World
	found    bool       // it has asked for a keyframe since it joined
	lookAt   world.Tick // a keyframe from here on is to be asked for; 0: none
	complete world.Tick // the log has come up to here
	first    world.Tick // the first keyframe's ...
	hash     uint64     // ... and its hash
}

// begin takes the world of a keyframe, to find the objects of the player in it.
func (o *inputOnly) begin(c *endpoint, s *world.State, script world.Script, _ *wire.Keyframe) error {
	if o.look == nil {
		o.look = world.New()
		o.first, o.complete, o.hash = s.Tick, s.Tick, s.Hash()
		c.Log.Info("joined", "player", c.Session.Player, "tick", uint32(s.Tick), "objects", s.Len())
	} else {
		o.found = true
	}
	o.look.Load(s, script.Schema())
	c.Session.Stage = StagePlaying
	return nil
}

func (o *inputOnly) scripts(*endpoint) {}

// record notes how far the log has come, and what makes it worth while to look again.
func (o *inputOnly) record(c *endpoint, r *wire.Record, _ uint32) {
	e := &r.Event
	if e.Kind == world.JoinEvent && e.Player == c.Session.Player || e.Kind == world.BundleEvent {
		o.lookAt = max(o.lookAt, e.Tick)
	}
	if r.Committed {
		o.complete = max(o.complete, e.Tick)
	}
}

func (o *inputOnly) correction(*endpoint, wire.Correction) error { return nil }

func (o *inputOnly) snapshot(*endpoint, *wire.Snapshot) {}

func (o *inputOnly) cueUpdates(*endpoint, wire.Cues) error { return nil }

func (o *inputOnly) stateReply(*endpoint, wire.StateReply) error { return nil }

func (o *inputOnly) revise(world.ObjectID, world.PlayerID, world.Tick, world.Input) {}

func (o *inputOnly) view(*endpoint, *View) {}

func (o *inputOnly) report(*Report) {}

func (o *inputOnly) status() roleStatus {
	if o.look == nil {
		return roleStatus{}
	}
	return roleStatus{World: o.look, Now: o.look.Now.Tick, Arrived: o.found, Done: true, Confirmed: o.first, Hash: o.hash}
}

// seek has the client ask for the world again, when the log has come to tick t, if it does not know an
// object.
func (o *inputOnly) seek(id world.ObjectID, t world.Tick) {
	if _, known := o.look.Find(id); !known && o.lookAt == 0 {
		o.lookAt = t
	}
}

// frame sends inputs at the pace of the clock.
func (o *inputOnly) frame(c *endpoint, now time.Duration) { o.play(c, now, false) }

// play is frame. all: the screen shows all objects as snapshots have them.
func (o *inputOnly) play(c *endpoint, now time.Duration, all bool) {
	if !c.Clock.Synced() {
		return
	}
	if o.lookAt != 0 && o.complete > o.lookAt && c.Library.complete() {
		o.lookAt = 0 // a keyframe has what is to be looked at by now
		_ = c.ready()
		return
	}
	due, newest := c.due(now), c.Inputs.newest()
	if o.found {
		c.gather(now, o.look)
	}
	switch {
	case o.found && due > newest:
		if c.Stats.Pace.Playing == 0 {
			c.Stats.Pace.Playing = now
		}
		c.Replica.placeOwn(o.look, c.Session.Player)
		for t := max(newest+1, due-min(due, maxStep)); t <= due; t++ {
			o.look.Now.Tick = t - 1 // for the controls: it is another tick
			c.sample(o.look, t, all)
		}
		c.send(now, o.look, nil)
	case now >= resendAt(c, o.stepAt(c, now)):
		c.send(now, o.look, nil)
	}
}

// wakeAt returns when a tick is due, or something is to be sent.
func (o *inputOnly) wakeAt(c *endpoint, now time.Duration) time.Duration {
	if !c.Clock.Synced() {
		return link.Never
	}
	step := o.stepAt(c, now)
	at := min(step, resendAt(c, step))
	if o.found {
		at = min(at, c.gatherAt())
	}
	return at
}

// stepAt returns when the next tick is sampled; never before the client knows its objects.
func (o *inputOnly) stepAt(c *endpoint, now time.Duration) time.Duration {
	if !o.found {
		return link.Never
	}
	return tickAt(c, c.Inputs.newest()+1, now)
}
