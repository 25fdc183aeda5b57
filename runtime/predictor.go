package runtime

import (
	"fmt"
	"time"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

// predictor is the role of a client that simulates the room, ahead of the host, with the inputs that
// it knows.
type predictor struct {
	tl           *timeline.Timeline
	shared       sharedSet
	log          clientLog
	agreement    agreement
	displaced    displacements
	motion       motion
	presentation presentation
	cues         cueReporter
	published    published
	pace         pace
	claimer      claimer
}

// begin makes the Timeline that starts with the keyframe.
func (p *predictor) begin(c *endpoint, s *world.State, script world.Script, m *wire.Keyframe) error {
	b := c.Library.bundle(s.Bundle)
	p.tl = timeline.New(script, timeline.Options{
		States:      c.history(script.Schema().Setup.TickRate),
		Bundle:      s.Bundle,
		Client:      c.Session.Player,
		PoseHistory: b.Ticks(b.Rules.MaxSeen),
		Check:       c.Cfg.Verify,
		Provenance:  true,
		Ran: func(w *world.World, trace *world.Trace) {
			c.Errors.collect(w, c.Log)
			p.cues.ran(w.Now.Tick, trace)
		},
		Print: printTo("", c.Log),
	})
	p.shared.restart(p.tl)
	p.log.restart(s.Tick, c.Now)
	p.agreement.restart(s)
	p.pace.restart()
	p.cues.restart(c, p.tl)
	p.tl.KeepScripts(0) // until keepScripts
	p.scripts(c)
	if err := p.tl.Start(timeline.Keyframe{State: s, Poses: m.PoseHistory, Held: m.LastInputs}); err != nil {
		return err
	}
	p.shared.begin(s)
	p.keepScripts(c)
	c.Session.Stage = StagePlaying
	p.published.restore(c.Cfg.Frames, p.tl.At(s.Tick))
	c.Log.Info("joined", "player", c.Session.Player, "tick", uint32(s.Tick), "objects", s.Len())
	return nil
}

// scripts adds the scripts that are here to the Timeline, and inserts the switches that waited for
// one. It forgets the scripts that no tick needs.
func (p *predictor) scripts(c *endpoint) {
	c.Library.forget(p.tl.FirstScript())
	c.Library.each(p.tl.AddScript)
	for _, e := range p.log.takeWaiting() {
		p.insert(c, e)
	}
}

// keepScripts makes the Timeline keep the scripts that inputs still on their way can have been made
// with. The host accepts inputs of the bundle in force max_rewind before its present, for ticks up to
// max_ahead after it.
func (p *predictor) keepScripts(c *endpoint) {
	t := p.log.completeTo()
	b := c.Library.bundle(p.tl.At(t).Bundle)
	window := b.Ticks(b.Rules.MaxRewind) + b.Ticks(b.Rules.MaxAhead)
	p.tl.KeepScripts(c.Library.inForce(t - min(t, window)))
}

// insert puts an event of the log into the Timeline.
func (p *predictor) insert(c *endpoint, e world.Event) {
	if err := p.log.insert(p.tl, e); err != nil {
		c.Stats.TooOld++
	}
}

// farthest is how many seconds the log may be ahead of this client. A record beyond that is malformed.
const farthest = 300

// record puts one entry of the log, which a HostPacket brought, into the Timeline.
func (p *predictor) record(c *endpoint, r *wire.Record, packet uint32) {
	e := r.Event
	p.log.came(r, packet)
	switch {
	case e.Tick > p.tl.Now()+world.Tick(farthest*c.rate()):
		c.over(fmt.Errorf("%w: record for tick %d at tick %d", wire.ErrMalformed, e.Tick, p.tl.Now()))
	case p.log.before(e.Tick): // the keyframe has it
	case r.Patch != nil:
		p.log.keepPatch(r)
	case r.Committed:
		p.log.mark(commitMark{Tick: e.Tick, Seq: r.Seq, Hash: r.Hash})
	case wire.UsesChannel(e.Kind):
		e.Object = c.Receiver.Object(r.Channel)
		p.insert(c, e)
	default:
		p.insert(c, e)
	}
}

// correction replaces the guess of this player's object and its island, at a tick that is not
// complete, by the host's state.
func (p *predictor) correction(c *endpoint, m wire.Correction) error {
	c.countState(len(m.State))
	at := p.tl.At(m.Tick)
	if at == nil || m.Tick <= p.log.completeTo() {
		return nil // complete here already: there is nothing left to guess
	}
	part, err := world.ParseState(m.State, p.tl.SchemaOf(at))
	if err != nil {
		return err
	}
	p.displaced.correct(c, p.tl, &m, part)
	p.tl.Correct(part)
	return nil
}

// stateReply handles the host's state of a tick that this client asked for.
func (p *predictor) stateReply(c *endpoint, m wire.StateReply) error {
	return p.agreement.reply(c, p.tl, m)
}

// frame reconciles with what Poll brought, then, for each tick that is due, samples the controls and
// steps, then sends.
func (p *predictor) frame(c *endpoint, now time.Duration) {
	watch := c.stopwatch()
	p.reconcile(c)
	if c.Session.Stage != StagePlaying {
		return
	}
	if p.pace.atPresent() {
		c.gather(now, p.tl.World())
		p.motion.frameDue(c, p.tl, now)
	}
	stepped := p.advance(c, now)
	if c.Session.Stage == StagePlaying {
		p.published.finalize(c.Cfg.Frames, p.tl.At(p.tl.Now()))
	}
	p.cues.flush(c, p.log.completeTo())
	if stepped || now >= resendAt(c, p.pace.stepAt(c, p.tl.Now(), now)) {
		c.send(now, p.tl.World(), p.claimer.claim(c, p.tl, p.log.completeTo()))
		p.motion.send(c, p.tl, now)
	}
	if stepped {
		c.Stats.Pace.TickMS.Add(watch())
		c.Stats.Pace.Lead.Add(c.Clock.Stats().Lead.Seconds() * float64(c.rate()))
	}
}

// wakeAt returns when a tick is due, or something is to be sent.
func (p *predictor) wakeAt(c *endpoint, now time.Duration) time.Duration {
	at := min(tickAt(c, p.pace.next(p.tl.Now()), now), resendAt(c, p.pace.stepAt(c, p.tl.Now(), now)))
	if p.pace.atPresent() {
		at = min(at, p.motion.frameAt(c), c.gatherAt())
	}
	return at
}

// reconcile rewinds to the oldest dirty tick and simulates to the present again. Then it confirms
// the ticks that are complete.
func (p *predictor) reconcile(c *endpoint) {
	from := p.log.completeTo()
	if p.log.extend(p.tl.Now(), p.log.holdAt(c.Library.holdAt()), c.Receiver.Received(), c.Now) {
		p.tl.Complete(p.log.completeTo(), p.log.from())
		p.keepScripts(c)
	}
	if err := p.shared.complete(c, p.tl, &p.log, &p.agreement, from); err != nil {
		c.over(err)
		return
	}
	if p.tl.Dirty() == 0 {
		p.displaced.reportRefused(c, p.tl)
	} else if err := p.rewind(c); err != nil {
		c.over(err)
		return
	}
	p.log.takeMarks(func(m *commitMark) { p.agreement.compare(c, p.tl.At(m.Tick), m) })
	p.agreement.name(c, p.tl, p.log.completeTo())
	if p.shared.anchored() || !p.agreement.naming() { // otherwise agreement still needs these states
		p.tl.Release(p.log.completeTo())
	}
}

// rewind rewinds and reports what was displaced. The error is what check mode found.
func (p *predictor) rewind(c *endpoint) error {
	p.published.restore(c.Cfg.Frames, p.tl.At(p.tl.Dirty()-1))
	p.displaced.note(p.tl)
	p.presentation.noteDrawn(p.tl, c.frameTime(p.tl.Now()))
	watch := c.stopwatch()
	r := p.tl.Rewind()
	c.Stats.Rewinds.add(r, watch())
	if c.Cfg.Verify {
		if m := p.tl.Check(r); m != nil {
			return fmt.Errorf("%w: %w", timeline.ErrDesync, m)
		}
	}
	p.displaced.rewound(c, p.tl, &p.log, p.displaced.reportRefused(c, p.tl))
	p.presentation.hideJumps(p.tl, c.frameTime(p.tl.Now()))
	return nil
}

// advance steps to the tick that is due. It never goes back; it holds where
// scripts are missing, or where the history would end.
func (p *predictor) advance(c *endpoint, now time.Duration) (stepped bool) {
	due, limit := c.due(now), p.pace.limit()
	p.pace.begin(due)
	hold := p.log.holdAt(c.Library.holdAt())
	confirmed, _ := p.agreement.confirmed()
	for n := 0; p.tl.Now() < due && n < limit; n++ {
		next := p.tl.Now() + 1
		if hold != 0 && next >= hold || int(next-confirmed) >= p.tl.States()-1 {
			p.hold(c, due)
			break
		}
		if p.pace.atPresent() {
			for _, own := range c.sample(p.tl.World(), next, false) { // guesses: the host has yet to apply them
				p.tl.Guess(world.Event{Kind: world.InputEvent, Tick: next, Object: own.Object, Player: c.Session.Player, Bundle: own.Bundle, Input: own.Input}, own.Unshared)
			}
			p.motion.guessPoses(c, p.tl, next)
			p.motion.tickFrame(c, p.tl, next)
		}
		p.tl.Step()
		stepped = true
	}
	if !p.pace.atPresent() && due != 0 && p.tl.Now() >= due {
		p.arrive(c, now)
	}
	return stepped
}

// arrive notes that the client is at the present.
func (p *predictor) arrive(c *endpoint, now time.Duration) {
	p.pace.arrive()
	p.motion.start(now)
	p.cues.open(p.tl.Now())
	if c.Stats.Pace.Playing == 0 {
		c.Stats.Pace.Playing = now
	}
}

// hold counts the ticks that were due and could not be simulated. If the log has not gone on for
// stuckTime, the client asks for a keyframe.
func (p *predictor) hold(c *endpoint, due world.Tick) {
	c.Stats.Pace.Held += p.pace.hold(p.tl.Now(), due)
	if p.log.stuck(c.Now, stuckTime) && c.Library.complete() {
		c.resync("the log has not gone on")
	}
}

// revise replaces an input that is still a guess.
func (p *predictor) revise(object world.ObjectID, player world.PlayerID, t world.Tick, in world.Input) {
	p.tl.Revise(object, player, t, in)
}

// status returns how far the client has come.
func (p *predictor) status() roleStatus {
	if p.tl == nil {
		return roleStatus{}
	}
	t, hash := p.agreement.confirmed()
	return roleStatus{World: p.tl.World(), Now: p.tl.Now(), Arrived: p.pace.atPresent(), Done: t >= p.tl.Now() || p.agreement.broken() && !p.agreement.naming(),
		Confirmed: t, Hash: hash, Desync: p.agreement.first()}
}

// cueUpdates does nothing: this client finds cues by itself.
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

// report fills in what only a client that simulates has.
func (p *predictor) report(r *Report) {
	r.HistoryBytes, r.Corrections.Causes, r.Repredictions.Causes = p.tl.Bytes(), p.displaced.causes(Correction), p.displaced.causes(Reprediction)
}

// stuckTime is how long a client that holds waits for the log to go on before
// it asks for a keyframe.
const stuckTime = 3 * time.Second
