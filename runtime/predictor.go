package runtime

import (
	"time"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/internal/view"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

// predictor is the role of a client that simulates the room, ahead of the host, with the inputs that
// it knows.
type predictor struct {
	tl           *timeline.Timeline
	known        *timeline.SharedRun // what all simulate, where that is not all; else not begun
	presentation presentation
	cues         *view.CueBook // nil: nobody asked for cues
	motion       motion

	origin   timeline.Origin // of the last record of the log
	hostAt   world.Tick      // the newest tick the host has told of
	finals   []final         // marks not confirmed yet, by tick
	givens   []given         // of ticks that are not settled, by Seq
	settled  world.Tick      // the log is complete up to here
	late     []world.Event   // switches to bundles that have not come
	moved    time.Duration   // when settled last rose
	keyframe world.Tick      // where the Timeline began

	confirmed    world.Tick // compared with the host up to here
	confirmedSum uint64
	desync       *Desync
	desyncState  world.State  // mine, of the tick that differs
	hostState    *world.State // the host's, of that tick or a later one, until it is compared

	caughtUp bool        // has reached the present once since the keyframe
	heldTo   world.Tick  // ticks up to here have been counted as held
	present  world.State // as it was before a Rewind, to see what changed
	shown    world.Tick  // the present that Frames was told of last
	unshown  bool        // it is another since
	claimed  world.Tick  // the newest tick claimed
	moves    moves
	// justCorrected: a correction changed the guess since the last Rewind.
	justCorrected bool
}

// final is the host's mark that a tick cannot change any more.
type final struct {
	tick world.Tick
	seq  uint32
	hash uint64
}

// begin makes the Timeline that starts with the keyframe.
func (p *predictor) begin(c *endpoint, s *world.State, script world.Script, m *wire.Keyframe) error {
	b := c.Library.bundle(s.Bundle)
	p.tl = timeline.New(script, timeline.Options{States: c.history(script.Schema().Setup.TickRate), Bundle: s.Bundle, Client: c.Session.Player,
		PoseHistory: b.Ticks(b.Rules.MaxSeen), Check: c.Cfg.Verify, Provenance: true, Ran: func(w *world.World, trace *world.Trace) { p.ran(c, w, trace) }, Print: printTo("", c.Log)})
	p.startCues(c)
	p.known = timeline.NewSharedRun(p.tl)
	p.finals, p.givens, p.late, p.caughtUp = p.finals[:0], p.givens[:0], nil, false
	p.tl.KeepScripts(0) // until it is known which
	p.scripts(c)
	if err := p.tl.Start(timeline.Keyframe{State: s, Poses: m.PoseHistory, Held: m.LastInputs}); err != nil {
		return err
	}
	p.known.Begin(s)
	p.settled, p.confirmed, p.keyframe, p.confirmedSum = s.Tick, s.Tick, s.Tick, s.Hash()
	p.keepScripts(c)
	c.Session.Stage, p.moved = StagePlaying, c.Now
	p.restored(c, p.tl.At(s.Tick))
	c.Log.Info("joined", "player", c.Session.Player, "tick", uint32(s.Tick), "objects", s.Len())
	return nil
}

// ran takes note of a tick that was run, the first time or again.
func (p *predictor) ran(c *endpoint, w *world.World, trace *world.Trace) {
	c.Errors.collect(w, c.Log)
	if p.cues != nil {
		p.cues.Ran(w.Now.Tick, trace)
	}
}

// startCues has the Timeline's cues told, once the client is at its present.
func (p *predictor) startCues(c *endpoint) {
	switch {
	case c.Cfg.Cues == nil:
		return
	case p.cues == nil:
		p.cues = view.NewCueBook(c.Session.Player)
	}
	p.cues.Close()
	p.tl.KeepCues(true)
}

// scripts tells the Timeline of the scripts that are here, and puts in the
// switches that waited for one. Those that no tick of it needs go.
func (p *predictor) scripts(c *endpoint) {
	c.Library.forget(p.tl.FirstScript())
	c.Library.each(p.tl.AddScript)
	waiting := p.late
	p.late = nil
	for _, e := range waiting {
		p.insert(c, e)
	}
}

// keepScripts has the Timeline keep the scripts by which inputs that are still
// on their way can have been made: the host took those of the bundle in force
// max_rewind before its present, for ticks up to max_ahead after it.
func (p *predictor) keepScripts(c *endpoint) {
	b := c.Library.bundle(p.tl.At(p.settled).Bundle)
	window := b.Ticks(b.Rules.MaxRewind) + b.Ticks(b.Rules.MaxAhead)
	p.tl.KeepScripts(c.Library.inForce(p.settled - min(p.settled, window)))
}

// frame reconciles with what Poll brought, then, for each tick that is due, samples the controls and
// steps, then sends.
func (p *predictor) frame(c *endpoint, now time.Duration) {
	watch := c.stopwatch()
	p.reconcile(c)
	if c.Session.Stage != StagePlaying {
		return
	}
	if p.caughtUp {
		c.gather(now, p.tl.World())
	}
	p.frameDue(c, now)
	stepped := p.advance(c, now)
	p.finalize(c)
	p.flushCues(c)
	if stepped || c.Inputs.due(now, c.tickLength()) {
		p.send(c, now)
	}
	if stepped {
		c.Stats.TickMS.Add(watch())
		c.Stats.Lead.Add(c.Clock.Stats().Lead.Seconds() * float64(c.rate()))
	}
}

// send sends this client's inputs, and what it says of its objects besides.
func (p *predictor) send(c *endpoint, now time.Duration) {
	var claimed *wire.Claim
	if claim, ok := p.claim(c); ok {
		claimed = &claim
	}
	c.send(now, p.tl.World(), claimed)
	p.sendMotion(c, now)
}

// restored tells that the client has gone back to s.
func (p *predictor) restored(c *endpoint, s *world.State) {
	if c.Cfg.Frames != nil {
		p.unshown = true
		c.Cfg.Frames.RestoreFrame(s)
	}
}

// finalize tells what the present is, if it is another than when it was told last.
func (p *predictor) finalize(c *endpoint) {
	if c.Cfg.Frames == nil || c.Session.Stage != StagePlaying || !p.unshown && p.shown == p.tl.Now() {
		return
	}
	p.unshown, p.shown = false, p.tl.Now()
	c.Cfg.Frames.FinalizeFrame(p.tl.At(p.tl.Now()))
}

// advance steps to the tick that is due. It never goes back; it holds where
// scripts are missing, or where the history would end.
func (p *predictor) advance(c *endpoint, now time.Duration) (stepped bool) {
	due, limit := c.due(now), maxStep
	if !p.caughtUp {
		limit = catchUp
	}
	hold := p.holdAt(c)
	for n := 0; p.tl.Now() < due && n < limit; n++ {
		next := p.tl.Now() + 1
		if hold != 0 && next >= hold || int(next-p.confirmed) >= p.tl.States()-1 {
			p.hold(c, due)
			break
		}
		if p.caughtUp {
			p.sample(c, next)
			p.sayPlaces(c, next)
			if c.Cfg.FrameEvery == 0 {
				p.makeFrame(c, p.motion.last+c.tickLength(), next)
			}
		}
		p.tl.Step()
		stepped = true
	}
	if !p.caughtUp && due != 0 && p.tl.Now() >= due {
		p.arrive(c, now)
	}
	return stepped
}

// arrive: the client is at the present.
func (p *predictor) arrive(c *endpoint, now time.Duration) {
	p.caughtUp, p.motion.last = true, now
	if p.cues != nil {
		p.cues.Open(p.tl.Now())
	}
	if c.Stats.Playing == 0 {
		c.Stats.Playing = now
	}
}

// holdAt is the first tick that needs scripts which are not here, 0: none. A
// switch in the log may come before its announcement.
func (p *predictor) holdAt(c *endpoint) world.Tick {
	t := c.Library.holdAt()
	for i := range p.late {
		t = earlierTick(t, p.late[i].Tick)
	}
	return t
}

// hold counts the ticks that could not be simulated when they were due. When
// nothing has been confirmed for long, the client asks for a keyframe.
func (p *predictor) hold(c *endpoint, due world.Tick) {
	if p.heldTo < due {
		c.Stats.Held += int(due - max(p.heldTo, p.tl.Now()))
		p.heldTo = due
	}
	if c.Now-p.moved > stuckTime && c.Library.complete() {
		c.resync("the log has not gone on")
	}
}

// sample takes the inputs of the coming tick and notes them as guesses: the host has yet to apply
// them.
func (p *predictor) sample(c *endpoint, t world.Tick) {
	for _, own := range c.sample(p.tl.World(), t, false) {
		p.tl.Guess(world.Event{Kind: world.InputEvent, Tick: t, Object: own.Object, Player: c.Session.Player, Bundle: own.Bundle, Input: own.Input}, own.Unshared)
	}
}

// claim is where this client has its first object that all simulate at the newest
// tick for which it knows everybody's inputs.
func (p *predictor) claim(c *endpoint) (wire.Claim, bool) {
	t := p.knownTo(c)
	s := p.tl.At(t)
	if s == nil || t <= p.claimed || p.tl.Dirty() != 0 && t >= p.tl.Dirty() {
		return wire.Claim{}, false
	}
	for _, slot := range s.Run {
		o := &s.Objects[slot]
		if o.Owner == c.Session.Player && s.Body(int(slot)).Key != 0 && p.tl.Schema(t).Classes[o.Class].LOD == world.Predict {
			p.claimed = t
			return claimFor(s, int(slot), c.Receiver.Received()), true
		}
	}
	return wire.Claim{}, false
}

// knownTo is the newest tick whose inputs are no guess of this client's. Others'
// inputs may still be on their way: the claim says how much of the log it knew.
func (p *predictor) knownTo(c *endpoint) world.Tick {
	t := p.tl.CertainTo(min(p.hostAt, p.tl.Now()))
	return max(t, p.settled)
}

// revise replaces an input that is still a guess.
func (p *predictor) revise(object world.ObjectID, player world.PlayerID, t world.Tick, in world.Input) {
	p.tl.Revise(object, player, t, in)
}

// world is the world at the present.
func (p *predictor) world() *world.World {
	if p.tl == nil {
		return nil
	}
	return p.tl.World()
}

// now is the last tick simulated.
func (p *predictor) now() world.Tick { return p.tl.Now() }

// acknowledged notes that the host is at tick t.
func (p *predictor) acknowledged(t world.Tick) { p.hostAt = t }

// arrived reports whether the client has reached its present since the keyframe.
func (p *predictor) arrived() bool { return p.caughtUp }

// done reports whether everything played has been confirmed, or will not be.
func (p *predictor) done() bool {
	return p.confirmed >= p.tl.Now() || p.desync != nil && p.desync.Named
}

// agreed is the last tick that was compared with the host's, with its hash, and the first difference.
func (p *predictor) agreed() (t world.Tick, hash uint64, d *Desync) {
	return p.confirmed, p.confirmedSum, p.desync
}

// cueUpdates: this client finds cues by itself.
func (p *predictor) cueUpdates(*endpoint, wire.Cues) error { return nil }

// view fills v with the present: between the last two ticks, and interpolated objects as snapshots
// have them.
func (p *predictor) view(c *endpoint, v *View) {
	w := p.tl.World()
	v.show(w.Now, w.Schema())
	t := c.frameTime(p.tl.Now())
	p.presentation.showPresent(v, p.tl, t)
	p.presentation.showInterpolated(v, p.tl, &c.Replica, t)
	for _, q := range w.Now.Players {
		if q.Left == 0 {
			v.Players = append(v.Players, ViewPlayer{q.ID, c.Session.Names[q.ID]})
		}
	}
}

// report fills in what only a client that simulates has to tell.
func (p *predictor) report(r *Report) {
	r.HistoryBytes, r.Corrections.Causes, r.Repredictions.Causes = p.tl.Bytes(), p.moves.counts[Correction].top(), p.moves.counts[Reprediction].top()
}

// flushCues reports the cues that changed in this frame.
func (p *predictor) flushCues(c *endpoint) {
	if p.cues == nil {
		return
	}
	for _, u := range p.cues.Flush(p.settled) {
		c.Cfg.Cues(cueEvent(u))
	}
}

// stuckTime is how long a client that holds waits for the log to go on before
// it asks for a keyframe.
const stuckTime = 3 * time.Second

// Limits of what a client does in one frame.
const (
	// catchUp is how many ticks a client simulates in one frame while it comes
	// from a keyframe to the present.
	catchUp = 64
	// maxStep is how many it steps at once when a frame came late.
	maxStep = 16
)
