package client

import (
	"time"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/world"
)

// steering samples and sends the inputs of a client that does not simulate. It has the world of the
// newest keyframe that it requested, to know which objects its player owns.
type steering struct {
	player   world.PlayerID
	look     *world.World
	found    bool       // it has requested a keyframe since it joined
	lookAt   world.Tick // a keyframe of this tick or a later one is to be requested; 0: none
	lookLast world.Tick // and after that one of this tick
	waits    bool       // for the keyframe
	complete world.Tick // the last complete tick
	first    world.Tick // the tick of the first keyframe ...
	hash     uint64     // ... and its hash
}

// begin takes the world of a keyframe, in which it finds the objects of the player.
func (o *steering) begin(of *session, s *world.State, schema *world.Schema) {
	o.player = of.Player()
	if o.look == nil {
		o.look = world.New()
		o.first, o.complete, o.hash = s.Tick, s.Tick, s.Hash()
	} else {
		o.found = true
	}
	o.look.Load(s, schema)
	o.waits = false
	of.Play()
}

// record notes the last complete tick, and events after which the player may own other
// objects.
func (o *steering) record(r *wire.Record) {
	e := &r.Event
	if e.Kind == world.JoinEvent && e.Player == o.player || e.Kind == world.BundleEvent {
		o.renewAt(e.Tick)
	}
	if r.Committed {
		o.complete = max(o.complete, e.Tick)
	}
}

// seek makes the client request a keyframe when the log is complete up to tick t, if it does not know
// an object of its player.
func (o *steering) seek(id world.ObjectID, owner world.PlayerID, t world.Tick) {
	if owner != o.player || o.lookAt != 0 {
		return
	}
	if _, known := o.look.Find(id); !known {
		o.renewAt(t)
	}
}

// renewAt has the client request a keyframe of tick t, besides one that it is about to request.
func (o *steering) renewAt(t world.Tick) {
	if o.lookAt == 0 {
		o.lookAt = t
	}
	o.lookLast = max(o.lookLast, t)
}

// renew requests the keyframe that is due, if there is one.
func (o *steering) renew(c *endpoint, now time.Duration) {
	if o.waits || o.lookAt == 0 || o.complete <= o.lookAt || !c.library.complete() {
		return
	}
	if o.lookAt = 0; o.lookLast >= o.complete {
		o.lookAt = o.lookLast
	}
	o.waits = true
	c.session.Renew(now, &c.mail, c.sent.number())
}

func (o *steering) status() roleStatus {
	if o.look == nil {
		return roleStatus{}
	}
	return roleStatus{world: o.look, now: o.look.Now.Tick, arrived: true, done: true, confirmed: o.first, hash: o.hash}
}

// frame sends inputs at the pace of the clock. drawn is the last frame of a client that shows all objects with the
// interpolation delay; it is nil at others.
func (o *steering) frame(c *endpoint, now time.Duration, drawn *lastFrame) {
	if !c.clock.synced() {
		return
	}
	o.renew(c, now)
	due, newest := c.clock.due(now), c.sent.newest()
	if o.found {
		c.sampler.gather(now, &c.clock, o.look, o.player)
	}
	switch {
	case o.found && due > newest:
		c.times.arrive(now)
		c.replica.placeOwn(o.look, o.player)
		for t := max(newest+1, due-min(due, wire.MaxInputs)); t <= due; t++ {
			o.look.Now.Tick = t - 1 // the tick that the controls see
			o.switchTo(&c.library, c.library.inForce(t))
			c.sampler.sample(o.look, o.player, &c.sent, t)
			shown := c.replica.viewTime(c.clock.frame(now, t-1), drawn != nil)
			shown.drawIn(drawn, now)
			c.sent.noteView(t, shown)
			c.sent.each(t, o.player, func(e *world.Event, _ bool) {
				if e.Input.Buttons != 0 { // a gun may shoot while a button is down, too
					e.Sight = shown.sight(o.player, e.Object, c.sent.presses(t, e.Object))
				}
			})
		}
		o.send(c, now)
	case now >= c.sent.resendAt(c.clock.tickLength(), o.stepAt(&c.clock, &c.sent, now)):
		o.send(c, now)
	}
}

// switchTo puts a bundle in force, if the client has it: the host takes inputs of that one soon. What its hooks change
// comes with the keyframe.
func (o *steering) switchTo(l *library, number uint32) {
	if number > o.look.Now.Bundle && l.script(number) != nil {
		o.look.Migrate(l.schema(number), number)
	}
}

// send sends the inputs. While the client waits for a keyframe it keeps them: the host starts anew with the
// acknowledgements in the packets that follow it.
func (o *steering) send(c *endpoint, now time.Duration) {
	if o.waits {
		return
	}
	c.sent.send(now, &c.mail, &c.receiver, &c.replica, c.cues.ack(), nil,
		c.library.bundle(o.look.Now.Bundle).Rules.Redundancy)
}

// wakeAt returns when a tick is due, or something is to be sent.
func (o *steering) wakeAt(c *endpoint, now time.Duration) time.Duration {
	if !c.clock.synced() {
		return link.Never
	}
	step := o.stepAt(&c.clock, &c.sent, now)
	at := step
	if !o.waits {
		at = min(at, c.sent.resendAt(c.clock.tickLength(), step))
	}
	if o.found {
		at = min(at, c.sampler.gatherAt(&c.clock))
	}
	return at
}

// stepAt returns when the next tick is sampled; link.Never until the client knows its
// objects.
func (o *steering) stepAt(clock *clock, sent *sentInputs, now time.Duration) time.Duration {
	if !o.found {
		return link.Never
	}
	return clock.tickAt(sent.newest()+1, now)
}
