package runtime

import (
	"time"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/world"
)

// inputOnly is the role of a client that sends, receives and acknowledges, and does not simulate. It
// has the world of the newest keyframe that it requested, to know which objects its player owns.
type inputOnly struct {
	look     *world.World
	found    bool       // it has requested a keyframe since it joined
	lookAt   world.Tick // a keyframe of this tick or a later one is to be requested; 0: none
	complete world.Tick // the last complete tick
	first    world.Tick // the tick of the first keyframe ...
	hash     uint64     // ... and its hash
}

// begin takes the world of a keyframe, in which it finds the objects of the player.
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

// record notes the last complete tick, and events after which the player may own other
// objects.
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

// seek makes the client request a keyframe when the log is complete up to tick t, if it does not know
// an object.
func (o *inputOnly) seek(id world.ObjectID, t world.Tick) {
	if _, known := o.look.Find(id); !known && o.lookAt == 0 {
		o.lookAt = t
	}
}

// frame sends inputs at the pace of the clock.
func (o *inputOnly) frame(c *endpoint, now time.Duration) { o.play(c, now, false) }

// play is frame. all says that the client shows all objects with the interpolation
// delay.
func (o *inputOnly) play(c *endpoint, now time.Duration, all bool) {
	if !c.Clock.Synced() {
		return
	}
	if o.lookAt != 0 && o.complete > o.lookAt && c.Library.complete() {
		o.lookAt = 0 // a keyframe requested now has the objects
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
			o.look.Now.Tick = t - 1 // the tick that the controls see
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

// stepAt returns when the next tick is sampled; link.Never until the client knows its
// objects.
func (o *inputOnly) stepAt(c *endpoint, now time.Duration) time.Duration {
	if !o.found {
		return link.Never
	}
	return tickAt(c, c.Inputs.newest()+1, now)
}
