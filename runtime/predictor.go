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
	cfg          *ClientConfig
	player       world.PlayerID
	tl           *timeline.Timeline // nil before the keyframe
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
	rewinds      rewindStats
	errors       errorLog
}

func newPredictor(cfg *ClientConfig) *predictor {
	return &predictor{cfg: cfg, agreement: agreement{report: cfg.Confirmed, log: cfg.Log}, displaced: displacements{moved: cfg.Moved, log: cfg.Log},
		motion: newMotion(cfg), pace: newPace(cfg.CatchUp), cues: cueReporter{report: cfg.Cues}, published: published{frames: cfg.Frames}}
}

// begin makes the Timeline that starts with the keyframe.
func (p *predictor) begin(c *endpoint, now time.Duration, s *world.State, script world.Script, m *wire.Keyframe) error {
	b := c.Library.bundle(s.Bundle)
	p.player = c.Session.Player()
	p.tl = timeline.New(script, timeline.Options{
		States:      keptStates(p.cfg.History, script.Schema().Setup.TickRate),
		Bundle:      s.Bundle,
		Client:      p.player,
		PoseHistory: b.Ticks(b.Rules.MaxSeen),
		Check:       p.cfg.Verify,
		Provenance:  true,
		Ran: func(w *world.World, trace *world.Trace) {
			p.errors.collect(w, p.cfg.Log)
			p.cues.ran(w.Now.Tick, trace)
		},
		Print: printTo("", p.cfg.Log),
	})
	p.shared.restart(p.tl)
	p.log.restart(s.Tick, now)
	p.agreement.restart(s)
	p.displaced.restart(p.player)
	p.pace.restart()
	p.cues.restart(p.tl, p.player, s.Tick)
	p.tl.KeepScripts(0) // until keepScripts
	if err := p.scripts(&c.Library); err != nil {
		return err
	}
	if err := p.tl.Start(timeline.Keyframe{State: s, Poses: m.PoseHistory, Held: m.LastInputs}); err != nil {
		return err
	}
	p.shared.begin(s)
	p.keepScripts(&c.Library)
	c.Session.Play()
	p.published.restore(p.tl, s.Tick)
	p.cfg.Log.Info("joined", "player", p.player, "tick", uint32(s.Tick), "objects", s.Len())
	return nil
}

// keptStates returns how many ticks to keep: at least atLeast, and enough for the host's window,
// the trips, and lost datagrams that are sent again. With fewer, a client on a bad line could
// never reach its present.
func keptStates(atLeast, tickRate int) int { return max(atLeast, 4*tickRate, 256) }

// scripts adds the client's scripts to the Timeline, and inserts the switches that waited for one.
// It drops scripts that no tick needs.
func (p *predictor) scripts(l *library) error {
	l.forget(p.tl.FirstScript())
	l.each(p.tl.AddScript)
	for _, e := range p.log.takeWaiting() {
		if err := p.insert(e); err != nil {
			return err
		}
	}
	return nil
}

// keepScripts makes the Timeline keep the scripts for whose declarations inputs may still be under
// way. The host accepts inputs of the bundle in force max_rewind before its present, for ticks up to
// max_ahead after it.
func (p *predictor) keepScripts(l *library) {
	t := p.log.completeTo()
	b := l.bundle(p.tl.At(t).Bundle)
	window := b.Ticks(b.Rules.MaxRewind) + b.Ticks(b.Rules.MaxAhead)
	p.tl.KeepScripts(l.inForce(t - min(t, window)))
}

// insert puts an event of the log into the Timeline. A host that sends one for a tick that is
// complete and no longer kept breaks the protocol.
func (p *predictor) insert(e world.Event) error {
	if err := p.log.insert(p.tl, e); err != nil {
		return fmt.Errorf("%w: %w", wire.ErrMalformed, err)
	}
	return nil
}

// farthest is how many seconds ahead of this client a record of the log may be. A record beyond that
// is malformed.
const farthest = 300

// record inserts one record of the log from a HostPacket into the Timeline.
func (p *predictor) record(r *wire.Record, packet uint32) error {
	t := r.Event.Tick
	p.log.came(r, packet)
	switch {
	case t > p.tl.Now()+world.Tick(farthest*p.tl.World().Schema().Setup.TickRate):
		return fmt.Errorf("%w: record for tick %d at tick %d", wire.ErrMalformed, t, p.tl.Now())
	case p.log.before(t): // the keyframe has it
	case r.Patch != nil:
		p.log.keepPatch(r)
	case r.Committed:
		p.log.mark(commitMark{Tick: t, Seq: r.Seq, Hash: r.Hash})
	default:
		return p.insert(r.Event)
	}
	return nil
}

// correction replaces the guess of this player's object and its island, at a tick that is not
// complete, by the host's state.
func (p *predictor) correction(m *wire.Correction) error {
	at := p.tl.At(m.Tick)
	if at == nil || m.Tick <= p.log.completeTo() {
		return nil // already complete: there is no guess left
	}
	part, err := world.ParseState(m.State, p.tl.Scripts().SchemaOf(at))
	if err != nil {
		return err
	}
	p.displaced.correct(p.tl, m, part)
	p.tl.Correct(part)
	return nil
}

// stateReply handles the host's state of a tick that this client requested.
func (p *predictor) stateReply(m *wire.StateReply) error { return p.agreement.reply(p.tl, m) }

// frame reconciles with the records that Poll received. Then it samples the controls and steps for
// each tick that is due, and sends.
func (p *predictor) frame(c *endpoint, now time.Duration) error {
	watch := stopwatch(p.cfg.Stopwatch)
	if err := p.reconcile(c, now); err != nil {
		return err
	}
	if p.pace.atPresent() {
		c.Sampler.gather(now, &c.Clock, p.tl.World(), p.player)
		p.motion.frameDue(&c.Sampler, &c.Clock, p.tl, p.player, now)
	}
	stepped := p.advance(c, now)
	if c.Session.Playing() {
		p.published.finalize(p.tl)
	}
	p.cues.fire(c, now, p.tl, p.log.completeTo(), p.pace.atPresent())
	if stepped || now >= c.Sent.resendAt(c.Clock.tickLength(), p.pace.stepAt(&c.Clock, p.tl.Now(), now)) {
		claim := p.claimer.claim(p.tl, p.player, &c.Log, p.log.completeTo())
		c.Sent.send(now, &c.Out, &c.Log, &c.Replica, c.Cues.ack(), claim, c.Library.bundle(p.tl.World().Now.Bundle).Rules.Redundancy)
		p.motion.send(now, &c.Out, p.tl, p.player)
	}
	if stepped {
		p.pace.stepped(watch(), c.Clock.leadTicks())
	}
	return nil
}

// wakeAt returns when a tick is due, or something is to be sent.
func (p *predictor) wakeAt(c *endpoint, now time.Duration) time.Duration {
	at := min(c.Clock.tickAt(p.pace.next(p.tl.Now()), now), c.Sent.resendAt(c.Clock.tickLength(), p.pace.stepAt(&c.Clock, p.tl.Now(), now)))
	if p.pace.atPresent() {
		at = c.Cues.wakeAt(min(at, p.motion.frameAt(&c.Clock), c.Sampler.gatherAt(&c.Clock)), c.Clock.tickLength())
	}
	return at
}

// reconcile rewinds to the oldest dirty tick and simulates to the present again. Then it confirms
// the ticks that are complete.
func (p *predictor) reconcile(c *endpoint, now time.Duration) error {
	defer p.agreement.ask(now, &c.Out)
	from := p.log.completeTo()
	if p.log.extend(p.tl.Now(), p.log.holdAt(c.Library.holdAt()), c.Log.received(), now) {
		p.tl.Complete(p.log.completeTo(), p.log.from())
		p.keepScripts(&c.Library)
	}
	if err := p.shared.complete(p.tl, &p.log, &p.agreement, from); err != nil {
		return err
	}
	if err := p.rewind(c, now); err != nil {
		return err
	}
	p.log.takeMarks(func(m *commitMark) { p.agreement.compare(p.tl.At(m.Tick), m) })
	p.agreement.name(p.tl, p.log.completeTo())
	if p.shared.anchored() || !p.agreement.naming() { // otherwise agreement still needs these states
		p.tl.Release(p.log.completeTo())
	}
	return nil
}

// rewind rewinds, if a tick is dirty, and reports what was displaced. The error is what check mode
// found.
func (p *predictor) rewind(c *endpoint, now time.Duration) error {
	if p.tl.Dirty() == 0 {
		at := newOccasion(c, now, p.tl)
		p.displaced.reportRefused(&at, p.tl)
		return nil
	}
	p.published.restore(p.tl, p.tl.Dirty()-1)
	p.displaced.note(p.tl)
	p.presentation.noteDrawn(p.tl, c.Clock.frame(now, p.tl.Now()))
	watch := stopwatch(p.cfg.Stopwatch)
	r := p.tl.Rewind()
	p.rewinds.add(r, watch())
	if p.cfg.Verify {
		if m := p.tl.Check(r); m != nil {
			return fmt.Errorf("%w: %w", timeline.ErrDesync, m)
		}
	}
	at := newOccasion(c, now, p.tl)
	p.displaced.rewound(&at, p.tl, &p.log, p.displaced.reportRefused(&at, p.tl))
	p.presentation.hideJumps(p.tl, c.Clock.frame(now, p.tl.Now()))
	return nil
}

// advance steps to the tick that is due. It never goes back. It holds where scripts are
// missing, or where the history would end.
func (p *predictor) advance(c *endpoint, now time.Duration) (stepped bool) {
	due, limit := c.Clock.due(now), p.pace.limit()
	p.pace.begin(due)
	hold := p.log.holdAt(c.Library.holdAt())
	confirmed, _ := p.agreement.confirmed()
	for n := 0; p.tl.Now() < due && n < limit; n++ {
		next := p.tl.Now() + 1
		if hold != 0 && next >= hold || int(next-confirmed) >= p.tl.Past().Ticks()-1 {
			p.hold(c, now, due)
			break
		}
		if p.pace.atPresent() {
			c.Sampler.sample(p.tl.World(), p.player, &c.Sent)
			c.Sent.noteView(next, c.Replica.viewTime(c.Clock.frame(now, p.tl.Now()), false))
			for _, own := range c.Sent.of(next) { // guesses: the host has yet to apply them
				p.tl.Guess(world.Event{Kind: world.InputEvent, Tick: next, Object: own.Object, Player: p.player, Bundle: own.Bundle, Input: own.Input}, own.Unshared)
			}
			p.motion.guessPoses(p.tl, p.player, next)
			p.motion.tickFrame(&c.Sampler, &c.Clock, p.tl, p.player, next)
		}
		p.tl.Step()
		stepped = true
	}
	if !p.pace.atPresent() && due != 0 && p.tl.Now() >= due {
		p.pace.arrive()
		p.motion.start(now)
		p.cues.open(p.tl.Now())
		c.Times.arrive(now)
	}
	return stepped
}

// hold counts the ticks that were due and could not be simulated. If no tick has become complete
// for stuckTime, the client requests a keyframe.
func (p *predictor) hold(c *endpoint, now time.Duration, due world.Tick) {
	p.pace.hold(p.tl.Now(), due)
	if p.log.stuck(now, stuckTime) && c.Library.complete() {
		p.cfg.Log.Warn("asking for a keyframe", "reason", "the log has not advanced")
		c.Session.Resync(now, &c.Out, c.Sent.number())
	}
}

// revise replaces an input that is still a guess.
func (p *predictor) revise(object world.ObjectID, t world.Tick, in world.Input) {
	p.tl.Revise(object, p.player, t, in)
}

// status returns how far the client has come.
func (p *predictor) status() roleStatus {
	if p.tl == nil {
		return roleStatus{Simulates: true}
	}
	t, hash := p.agreement.confirmed()
	return roleStatus{Simulates: true, World: p.tl.World(), Timeline: p.tl, Now: p.tl.Now(), Arrived: p.pace.atPresent(), Done: t >= p.tl.Now() || p.agreement.broken() && !p.agreement.naming(),
		Confirmed: t, Hash: hash, Desync: p.agreement.first()}
}

// lacksCue reports whether a cue from the host is new here.
func (p *predictor) lacksCue(c *world.Cue, found bool) bool { return p.cues.lacks(c, found) }

// view fills v with the present, between the last two ticks, and with interpolated objects at the
// moment of the interpolation buffer.
func (p *predictor) view(v *View, r *replica, t frameTime, names map[world.PlayerID]string) {
	v.Rewinds, v.Corrections, v.Repredictions = p.rewinds.count(), p.displaced.count(Correction), p.displaced.count(Reprediction)
	w := p.tl.World()
	v.show(w.Now, w.Schema())
	p.presentation.showPresent(v, p.tl, t)
	p.presentation.showInterpolated(v, p.tl, r, t)
	p.presentation.showCarried(v, p.tl, t)
	for _, q := range w.Now.Players {
		if q.Left == 0 {
			v.Players = append(v.Players, ViewPlayer{q.ID, names[q.ID]})
		}
	}
}

// report fills in the counters that only a predictor has.
func (p *predictor) report(r *Report) {
	repredictions := p.displaced.counted(Reprediction)
	r.Rewinds, r.Corrections, r.Repredictions = p.rewinds.counts(), p.displaced.counted(Correction), &repredictions
	r.Confirmed, r.HistoryBytes, r.ScriptErrors = p.agreement.counted(), p.tl.Past().Bytes(), p.errors.Count()
	p.pace.report(r)
}

// stuckTime is how long a client that holds waits for a complete tick before it
// requests a keyframe.
const stuckTime = 3 * time.Second

// stopwatch returns a function that says how many milliseconds have passed since, by a clock; 0
// without one.
func stopwatch(clock func() time.Duration) func() float64 {
	if clock == nil {
		return func() float64 { return 0 }
	}
	begin := clock()
	return func() float64 { return float64(clock()-begin) / float64(time.Millisecond) }
}
