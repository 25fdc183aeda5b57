package runtime

import (
	"time"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/world"
)

// Limits of what a client does in one frame.
const (
	// catchUp is how many ticks a client simulates in one frame while it comes
	// from a keyframe to the present.
	catchUp = 64
	// maxStep is how many it steps at once when a frame came late.
	maxStep = 16
)

// sentInputs are this client's inputs of the last ticks, to be repeated until
// the host has them: those of tick t at t % MaxInputs.
type sentInputs [wire.MaxInputs]struct {
	tick    world.Tick
	inputs  []ownInput
	revised bool // to be repeated, though the host has had inputs of the tick
}

type ownInput struct {
	object world.ObjectID
	bundle uint32
	input  world.Input
	alone  bool // not all simulate the object
}

// Frame is one frame of the client: reconcile with what Poll brought, then,
// for each tick that is due, sample the controls and step, then send.
func (c *Client) Frame(now time.Duration) {
	c.now = now
	if c.stage != StagePlaying {
		return
	}
	if c.cfg.Blind {
		c.showDueCues()
		c.blindFrame(now)
		return
	}
	watch := c.stopwatch()
	c.reconcile()
	c.gather(now)
	c.frameDue(now)
	stepped := c.advance(now)
	c.finalize()
	c.flushCues()
	if stepped || now-c.lastSend >= c.tickLength() {
		c.send(now)
	}
	if stepped {
		c.stats.tickMS.Add(watch())
		c.stats.lead.Add(c.clock.Stats().Lead.Seconds() * float64(c.rate()))
	}
}

// restored tells that the client has gone back to s.
func (c *Client) restored(s *world.State) {
	if c.cfg.Frames != nil {
		c.unshown = true
		c.cfg.Frames.RestoreFrame(s)
	}
}

// finalize tells what the present is, if it is another than when it was told last.
func (c *Client) finalize() {
	if c.cfg.Frames == nil || c.stage != StagePlaying || !c.unshown && c.shown == c.tl.Now() {
		return
	}
	c.unshown, c.shown = false, c.tl.Now()
	c.cfg.Frames.FinalizeFrame(c.tl.At(c.tl.Now()))
}

func (c *Client) setup() *world.Setup       { return &c.tl.World().Schema().Setup }
func (c *Client) rate() int                 { return c.setup().TickRate }
func (c *Client) tickLength() time.Duration { return time.Second / time.Duration(c.rate()) }

// due is the tick that the client should be at by now.
func (c *Client) due(now time.Duration) world.Tick {
	if c.leaving || !c.clock.Synced() {
		return 0
	}
	return world.Tick(c.clock.Present(now) / c.tickLength())
}

// advance steps to the tick that is due. It never goes back; it holds where
// scripts are missing, or where the history would end.
func (c *Client) advance(now time.Duration) (stepped bool) {
	due, limit := c.due(now), maxStep
	if !c.caughtUp {
		limit = catchUp
	}
	hold := c.holdAt()
	for n := 0; c.tl.Now() < due && n < limit; n++ {
		next := c.tl.Now() + 1
		if hold != 0 && next >= hold || int(next-c.confirmed) >= c.tl.States()-1 {
			c.hold(due)
			break
		}
		if c.caughtUp {
			c.sample(next)
			c.sayPlaces(next)
			if c.cfg.FrameEvery == 0 {
				c.makeFrame(c.motion.last+c.tickLength(), next)
			}
		}
		c.tl.Step()
		stepped = true
	}
	if !c.caughtUp && due != 0 && c.tl.Now() >= due {
		c.arrive(now)
	}
	return stepped
}

// arrive: the client is at the present.
func (c *Client) arrive(now time.Duration) {
	c.caughtUp, c.motion.last = true, now
	if c.cues != nil {
		c.cues.Open(c.Now())
	}
	if c.stats.playing == 0 {
		c.stats.playing = now
	}
}

// holdAt is the first tick that needs scripts which are not here, 0: none. A
// switch in the log may come before its announcement.
func (c *Client) holdAt() world.Tick {
	t := c.library.holdAt()
	for i := range c.late {
		t = earlierTick(t, c.late[i].Tick)
	}
	return t
}

// hold counts the ticks that could not be simulated when they were due. When
// nothing has been confirmed for long, the client asks for a keyframe.
func (c *Client) hold(due world.Tick) {
	if c.heldTo < due {
		c.stats.held += int(due - max(c.heldTo, c.tl.Now()))
		c.heldTo = due
	}
	if c.now-c.moved > stuckTime && c.library.complete() {
		c.resync("the log has not gone on")
	}
}

// sample asks the controls for the inputs of the coming tick and notes them
// as guesses: the host has yet to apply them. A player steers at most
// wire.MaxRuns objects, the first in the order in which hooks run.
func (c *Client) sample(t world.Tick) {
	slot := &c.sent[t%wire.MaxInputs]
	slot.tick, slot.inputs, slot.revised = t, slot.inputs[:0], false
	w := c.tl.World()
	w.BeginOrder() // what the controls may look at
	for _, at := range w.Now.Run {
		o, class := &w.Now.Objects[at], w.Class(int(at))
		if o.Owner != c.player || !class.Hooks.Has(world.ApplyInput) || len(slot.inputs) == wire.MaxRuns {
			continue
		}
		in := c.played(w, int(at))
		slot.inputs = append(slot.inputs, ownInput{o.ID, w.Now.Bundle, in, class.LOD != world.Predict})
		c.stats.inputs.Sent++
	}
	c.noteSeen(t)
	if c.cfg.Blind {
		return
	}
	for _, own := range slot.inputs {
		c.tl.Guess(world.Event{Kind: world.InputEvent, Tick: t, Object: own.object, Player: c.player, Bundle: own.bundle, Input: own.input}, own.alone)
	}
}

// send tells the host this client's inputs that it does not have yet, what
// has arrived, and where this client believes its object was.
func (c *Client) send(now time.Duration) {
	c.lastSend = now
	c.outSeq++
	m := wire.InputPacket{Seq: c.outSeq, Ack: c.in.Ack(), Snapshot: c.replica.acked(), Runs: c.runs(c.redundancy())}
	if claim, ok := c.claim(); ok && !c.cfg.Blind {
		m.Claim = &claim
	}
	c.buf = wire.AppendInputPacket(c.buf[:0], &m)
	if len(m.Runs) > wire.MaxRuns || len(c.buf) > wire.MaxDatagram { // a great many objects: the newest tick must do
		m.Runs = c.runs(1)
		c.buf = wire.AppendInputPacket(c.buf[:0], &m)
	}
	c.datagramOut(now, c.buf)
	if !c.cfg.Blind {
		c.sendMotion(now)
	}
}

// redundancy is of how many ticks inputs are repeated until the host has them.
func (c *Client) redundancy() world.Tick {
	if b := c.Bundle(); b != nil {
		return world.Tick(b.Rules.Redundancy)
	}
	return wire.MaxInputs
}

// runs gathers the unacknowledged inputs of the newest ticks, object by object.
func (c *Client) runs(ticks world.Tick) []wire.InputRun {
	runs := c.runBuf[:0]
	newest := c.newestSampled()
	for t := newest - min(newest, ticks-1); t <= newest; t++ {
		s := &c.sent[t%wire.MaxInputs]
		if s.tick != t || t == 0 || c.hasReached(t) && !s.revised {
			continue
		}
		for _, own := range s.inputs {
			runs = addToRun(runs, t, own)
		}
	}
	c.runBuf = runs
	return runs
}

// addToRun appends an input to the run that it continues, or begins one.
func addToRun(runs []wire.InputRun, t world.Tick, own ownInput) []wire.InputRun {
	for i := range runs {
		r := &runs[i]
		if r.Object == own.object && r.Bundle == own.bundle && r.First+world.Tick(len(r.Inputs)) == t {
			r.Inputs = append(r.Inputs, own.input)
			return runs
		}
	}
	if len(runs) < cap(runs) { // reuse the Inputs of an earlier frame
		runs = runs[:len(runs)+1]
	} else {
		runs = append(runs, wire.InputRun{})
	}
	r := &runs[len(runs)-1]
	*r = wire.InputRun{Object: own.object, Bundle: own.bundle, First: t, Inputs: append(r.Inputs[:0], own.input)}
	return runs
}

func (c *Client) newestSampled() (t world.Tick) {
	for i := range c.sent {
		t = max(t, c.sent[i].tick)
	}
	return t
}

// hasReached reports whether the host has told that the inputs of tick t came.
func (c *Client) hasReached(t world.Tick) bool {
	a := &c.acked
	return t == a.Newest || t < a.Newest && (a.Newest-t > 16 || a.Mask&(1<<(a.Newest-t-1)) != 0)
}

// claim is where this client has its first object that all simulate at the newest
// tick for which it knows everybody's inputs.
func (c *Client) claim() (wire.Claim, bool) {
	t := c.knownTo()
	s := c.tl.At(t)
	if s == nil || t <= c.claimed || c.tl.Dirty() != 0 && t >= c.tl.Dirty() {
		return wire.Claim{}, false
	}
	for _, slot := range s.Run {
		o := &s.Objects[slot]
		if o.Owner == c.player && s.Body(int(slot)).Key != 0 && c.tl.Schema(t).Classes[o.Class].LOD == world.Predict {
			c.claimed = t
			return claimFor(s, int(slot), c.in.Received()), true
		}
	}
	return wire.Claim{}, false
}

// knownTo is the newest tick whose inputs are no guess of this client's. Others'
// inputs may still be on their way: the claim says how much of the log it knew.
func (c *Client) knownTo() world.Tick {
	t := c.tl.CertainTo(min(c.hostAt, c.tl.Now()))
	return max(t, c.settled)
}

// blindFrame sends inputs at the pace of the clock without simulating.
func (c *Client) blindFrame(now time.Duration) {
	if !c.clock.Synced() {
		return
	}
	if c.lookAt != 0 && c.settled > c.lookAt && c.library.complete() {
		c.lookAt = 0 // a keyframe has what is to be looked at by now
		_ = c.ready()
		return
	}
	due := c.due(now)
	newest := c.newestSampled()
	c.gather(now)
	if c.caughtUp && due > newest {
		c.arrive(now)
		c.replica.placeOwn(c.tl.World(), c.player)
		for t := max(newest+1, due-min(due, maxStep)); t <= due; t++ {
			c.tl.World().Now.Tick = t - 1 // for the controls: it is another tick
			c.sample(t)
		}
		c.send(now)
	} else if now-c.lastSend >= c.tickLength() {
		c.send(now)
	}
}
