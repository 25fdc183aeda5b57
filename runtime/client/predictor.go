package client

import (
	"cmp"
	"fmt"
	"time"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/internal/side"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

// predictor is the role of a client that simulates the room, ahead of the host, with the inputs that
// it knows.
type predictor struct {
	cfg          *Config
	tl           *timeline.Timeline // nil before the keyframe
	shared       sharedSet
	relayed      relayedLog
	confirmation confirmation
	displaced    displacements
	motion       motion
	presentation presentation
	cues         cueReporter
	frames       frameNotifier
	pace         pace
	ahead        lookahead
	claimer      claimer
	rewinds      side.RewindStats
	rewound      OverlayRewind // the last rewind
	guessed      world.Tick    // the newest tick for which poses and frames were guessed
	tooMuch      tooMuch
	slicing      slicing
	spent        time.Duration // the work of this frame
	tickWork     time.Duration // that of the last step
	uninformed   int           // how many snapshots in a row lacked the effects of inputs of this client
	begun        begunSnapshots
	errors       *side.ScriptLog
}

func newPredictor(cfg *Config, errors *side.ScriptLog) *predictor {
	p := &predictor{
		cfg:          cfg,
		confirmation: confirmation{report: cfg.Confirmed, log: cfg.Log},
		displaced:    displacements{report: cfg.Displaced, log: cfg.Log},
		motion:       newMotion(cfg),
		pace:         newPace(cfg.CatchUp),
		cues:         cueReporter{report: cfg.Cues},
		frames:       frameNotifier{frames: cfg.Frames},
		errors:       errors,
	}
	p.errors.ReportTo(cfg.ScriptError)
	p.presentation.starts = p.motion.startOf
	p.shared = newSharedSet(p.errors.Asked("predicted", cfg.Log), &p.presentation.decay)
	return p
}

// begin makes the Timeline that starts with the keyframe.
func (p *predictor) begin(
	of *session,
	l *library,
	clock *clock,
	now time.Duration,
	s *world.State,
	script world.Script,
	m *wire.Keyframe,
) error {
	b := l.bundle(s.Bundle)
	player := of.Player()
	p.tl = timeline.New(script, timeline.Options{
		States:      keptStates(p.cfg.History, script.Schema().Setup.TickRate),
		Bundle:      s.Bundle,
		Client:      player,
		PoseHistory: b.Ticks(b.Rules.MaxSeen),
		Check:       p.cfg.Verify,
		Provenance:  true,
		Stop:        p.cfg.Stop,
		Prices:      cmp.Or(p.cfg.Prices, timeline.TypicalPrices),
		Ran: func(w *world.World, trace *world.Trace) {
			p.errors.Collect(w, l.from(w.Now.Bundle), p.cfg.Log)
			p.cues.ran(w.Now.Tick, trace)
		},
		Print: side.PrintTo("", p.cfg.Log),
	})
	p.shared.restart(p.tl)
	p.relayed.restart(s.Tick, now)
	p.confirmation.restart(s)
	p.displaced.restart(player)
	p.pace.restart()
	p.guessed, p.slicing, p.begun = 0, slicing{}, begunSnapshots{}
	p.tooMuch.restart()
	p.ahead.start(&p.cfg.Prediction, clock)
	p.cues.restart(p.tl, player, s.Tick)
	p.tl.KeepScripts(0) // until keepScripts
	if err := p.scripts(l); err != nil {
		return err
	}
	if err := p.tl.Start(timeline.Keyframe{State: s, Poses: m.PoseHistory, Held: m.LastInputs}); err != nil {
		return err
	}
	p.shared.begin(s)
	p.keepScripts(l)
	of.Play()
	p.frames.restore(p.tl, s.Tick)
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
	for _, e := range p.relayed.takeWaiting() {
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
	t := p.relayed.completeTo()
	b := l.bundle(p.tl.At(t).Bundle)
	window := b.Ticks(b.Rules.MaxRewind) + b.Ticks(b.Rules.MaxAhead)
	p.tl.KeepScripts(l.inForce(t - min(t, window)))
}

// insert puts an event of the log into the Timeline. A host that sends one for a tick that is
// complete and no longer kept breaks the protocol.
func (p *predictor) insert(e world.Event) error {
	if err := p.relayed.insert(p.tl, e); err != nil {
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
	p.relayed.came(r, packet)
	switch {
	case t > p.tl.Now()+world.Tick(farthest*p.tl.World().Schema().Setup.TickRate):
		return fmt.Errorf("%w: record for tick %d at tick %d", wire.ErrMalformed, t, p.tl.Now())
	case p.relayed.before(t): // the keyframe has it
	case r.Patch != nil:
		p.relayed.keepPatch(r)
	case r.Committed:
		p.relayed.mark(commitMark{tick: t, seq: r.Seq, hash: r.Hash})
	default:
		return p.insert(r.Event)
	}
	return nil
}

// correction replaces the guess of this player's object and its island, at a tick that is not
// complete, by the host's state.
func (p *predictor) correction(m *wire.Correction) error {
	at := p.tl.At(m.Tick)
	if at == nil || m.Tick <= p.relayed.takenTo() {
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
func (p *predictor) stateReply(m *wire.StateReply) error { return p.confirmation.reply(p.tl, m) }

// frame reconciles with the records that Poll received. Then it samples the controls and steps for
// each tick that is due, and sends. The error is timeline.ErrInterrupted if Config.Stop has given up a tick.
func (p *predictor) frame(c *endpoint, now time.Duration) (err error) {
	defer func() {
		if p.tl.Interrupted() {
			_ = recover() // the panic of the hook that was not called
			err = timeline.ErrInterrupted
		}
	}()
	watch, player := stopwatch(p.cfg.Stopwatch), p.tl.World().Client
	p.spent = 0
	if err := p.reconcile(c, now); err != nil {
		return err
	}
	p.ahead.begin(&p.cfg.Prediction, &c.clock, p.tl.World(), player)
	if p.pace.atPresent() {
		c.sampler.gather(now, &c.clock, p.tl.World(), player)
		p.motion.frameDue(&c.sampler, &c.clock, p.tl, player, now, p.presentation.drawnAt(p.tl, now))
	}
	stepped := p.advance(c, now)
	sampled := false
	if p.pace.atPresent() { // inputs do not wait
		late := max(c.clock.late(now), p.leftOver(c.clock.due(now), &c.clock))
		sampled = sampleTo(p.ahead.sampledTo(late), c, p.tl, now, &p.presentation)
	}
	if c.session.Playing() {
		p.frames.finalize(p.tl)
	}
	behind := c.clock.behind(now) || p.slicing.on
	p.cues.fire(p.tl, p.relayed.completeTo(), behind, p.shared.moment(), c.clock.tickLength())
	if p.pace.atPresent() {
		p.cues.fireRemote(now, p.tl, &c.replica, &c.cues, &c.clock)
	}
	if stepped || sampled || now >= c.sent.resendAt(c.clock.tickLength(), p.pace.stepAt(&c.clock, p.tl.Now(), now)) {
		claim := p.claimer.claim(p.tl, player, &c.receiver, p.relayed.completeTo(), p.shared.culls(p.tl))
		c.sent.send(now, &c.mail, &c.receiver, &c.replica, c.cues.ack(), claim,
			c.library.bundle(p.tl.World().Now.Bundle).Rules.Redundancy)
		p.motion.send(now, &c.mail, p.tl, player, c.clock.smoothedRTT() < 2*c.clock.tickLength())
	}
	if stepped {
		p.pace.stepped(watch(), c.clock.leadTicks())
	}
	return nil
}

// wakeAt returns when a tick is due, or something is to be sent.
func (p *predictor) wakeAt(c *endpoint, now time.Duration) time.Duration {
	if p.slicing.on {
		return now
	}
	at := min(c.clock.tickAt(p.pace.next(p.tl.Now()), now),
		c.sent.resendAt(c.clock.tickLength(), p.pace.stepAt(&c.clock, p.tl.Now(), now)))
	if p.pace.atPresent() {
		at = c.cues.wakeAt(min(at, p.motion.frameAt(&c.clock), c.sampler.gatherAt(&c.clock)), c.clock.tickLength())
	}
	return at
}

// advance steps to the tick that is due. It never goes back. It holds where scripts are
// missing, or where the history would end. What is more work than a frame may be is left for the next frames: before
// them the client hears of the host, and sends.
func (p *predictor) advance(c *endpoint, now time.Duration) (stepped bool) {
	due, limit, player := c.clock.due(now), p.pace.limit(), p.tl.World().Client
	p.pace.begin(due)
	hold := p.relayed.holdAt(c.library.holdAt())
	known := p.relayed.knownTo(c.receiver.received())
	needed := p.needed()
	each := p.allowance(&c.clock)
	defer func() { p.tooMuch.frame(p.spent, each.Work) }()
	for n := 0; p.tl.Now() < due && n < limit && p.spent <= mostWork*each.Work; n++ {
		next := p.tl.Now() + 1
		predicted := next > known
		rests := p.slicing.rests(now) && p.pace.atPresent() || int(next-needed) >= p.tl.Past().Ticks()-1
		if rests || predicted && p.tooMuch.waits(next, c.receiver.hostAt()) {
			p.wait(c, now, due)
			break
		}
		if hold != 0 && next >= hold {
			p.hold(&c.session, &c.mail, now, due, c.library.complete(), c.sent.number())
			break
		}
		if p.pace.atPresent() && next > p.guessed {
			if p.ahead.exceeds(next, c.receiver.hostAt(), &p.cfg.Prediction, &c.clock) {
				p.pace.stop()
				p.ahead.wait(now, &c.clock, p.tl.Now())
				p.relayed.wait(now) // nothing is stuck
				break
			}
			sampleTo(p.ahead.sampledTo(next), c, p.tl, now, &p.presentation)
			p.guessed = next
			p.motion.guessPoses(p.tl, player, next)
			p.motion.tickFrame(&c.sampler, &c.clock, p.tl, player, now, next, p.presentation.drawnAt(p.tl, now))
		}
		p.tl.Allow(timeline.Allowance{})
		if predicted {
			p.tl.Allow(each)
		}
		if p.tl.Step().GivenUp {
			p.tooMuch.note(next, c.receiver.hostAt())
			p.wait(c, now, due)
			break
		}
		p.slicing.stepped()
		p.tickWork = p.tl.Spent()
		p.spent += p.tickWork
		p.motion.stepped(p.tl, player, p.pace.atPresent())
		stepped = true
		p.ahead.goOn()
	}
	if !p.pace.atPresent() && due != 0 && p.tl.Now() >= due {
		p.pace.arrive()
		p.motion.start(now)
		p.cues.open(p.tl.Now())
		c.times.arrive(now)
	}
	return stepped
}

// allowance returns how much work a predicted tick may be. One that is more is given up: the host suspends the hooks to
// blame in it, and the client waits until it knows which. A tick of which it has the whole log is never given up.
func (p *predictor) allowance(clock *clock) timeline.Allowance {
	return timeline.Allowance{Work: timeline.Allowed(clock.tickLength()), Mostly: true}
}

// needed returns the oldest tick whose state is still needed.
func (p *predictor) needed() world.Tick {
	t, _ := p.confirmation.confirmed()
	if to := p.tl.RewoundTo(); to != 0 {
		t = min(t, to)
	}
	return min(t, p.relayed.completeTo())
}

// wait waits with the tick after the present, which was given up. Inputs do not wait: until it is simulated the client
// stays that far behind, and catches up steadily.
func (p *predictor) wait(c *endpoint, now time.Duration, due world.Tick) {
	if p.pace.atPresent() {
		p.ahead.wait(now, &c.clock, p.tl.Now())
	}
	p.hold(&c.session, &c.mail, now, due, c.library.complete(), c.sent.number())
}

// sampleTo samples the inputs up to a tick, looks where their hooks want to, and inserts them as guesses:
// the host has yet to apply them.
func sampleTo(
	to world.Tick,
	c *endpoint,
	tl *timeline.Timeline,
	now time.Duration,
	shown *presentation,
) (sampled bool) {
	player := tl.World().Client
	for t := max(c.sent.newest(), tl.Now()) + 1; t <= to; t++ {
		c.sampler.sample(tl.World(), player, &c.sent, t)
		c.sent.noteView(t, c.replica.viewTime(c.clock.frame(now, tl.Now()), false))
		drawn := shown.drawnAt(tl, now)
		c.sent.each(t, player, func(e *world.Event, unshared bool) {
			e.Sight = tl.Look(e, drawn)
			tl.Guess(*e, unshared)
		})
		sampled = true
	}
	return sampled
}

// hold counts the ticks that were due and could not be simulated. If no tick has become complete
// for stuckTime, the client requests a keyframe, unless it lacks scripts. sent is the number of its last packet.
func (p *predictor) hold(of *session, out *side.Mailbox, now time.Duration, due world.Tick, scripts bool, sent uint32) {
	p.pace.hold(p.tl.Now(), due)
	if p.relayed.stuck(now, stuckTime) && scripts {
		p.cfg.Log.Warn("asking for a keyframe", "reason", "the log has not advanced")
		of.Resync(now, out, sent)
	}
}

// revise replaces an input that is still a guess.
func (p *predictor) revise(object world.ObjectID, t world.Tick, in world.Input) {
	p.tl.Revise(object, p.tl.World().Client, t, in)
}

// status returns how far the client has come.
func (p *predictor) status() roleStatus {
	if p.tl == nil {
		return roleStatus{simulates: true}
	}
	t, hash := p.confirmation.confirmed()
	return roleStatus{
		simulates: true,
		world:     p.tl.World(),
		timeline:  p.tl,
		now:       p.tl.Now(),
		arrived:   p.pace.atPresent(),
		waits:     p.ahead.waits(),
		done:      t >= p.tl.Now() || p.confirmation.broken() && !p.confirmation.naming(),
		complete:  p.relayed.completeTo(),
		rewound:   &p.rewound,
		confirmed: t,
		hash:      hash,
		desync:    p.confirmation.first(),
	}
}

// lacksCue reports whether a cue from the host is new here.
func (p *predictor) lacksCue(c *world.Cue, found bool) bool { return p.cues.lacks(c, found) }

// ownCue takes a cue of a replicated object of this client's player that has happened at the host.
func (p *predictor) ownCue(c *world.Cue) { p.cues.happened(c) }

// view fills v with the present, between the last two ticks, and with interpolated objects at the
// moment of the interpolation buffer.
func (p *predictor) view(v *room.View, r *replica, t frameTime, names map[world.PlayerID]wire.RosterEntry) {
	v.InputDelay = p.ahead.inputDelay()
	v.Rewinds = p.rewinds.Count()
	v.Corrections, v.Repredictions = p.displaced.count(room.Correction), p.displaced.count(room.Reprediction)
	w := p.tl.World()
	v.Show(w.Now, w.Schema())
	for _, q := range w.Now.Players {
		if q.Left == 0 {
			v.AddPlayer(q.ID, names[q.ID].Name, names[q.ID].Ping)
		}
	}
	p.presentation.limit(p.shared.mayCull(p.tl))
	p.presentation.showPresent(v, p.tl, t)
	p.presentation.showInterpolated(v, p.tl, r, t, p.shared.shown.drawnPast)
	p.shared.show(v, p.tl, t)
	p.presentation.showCarried(v, p.tl, t, p.shared.past)
	p.presentation.holdFields(v, p.tl, r, &p.shared.shown, t)
}

// report fills in the counters that only a predictor has.
func (p *predictor) report(r *room.Report) {
	p.tooMuch.report(r)
	repredictions := p.displaced.counted(room.Reprediction)
	r.Rewinds, r.Corrections, r.Repredictions = p.rewinds.Counts(), p.displaced.counted(room.Correction), &repredictions
	r.Confirmed, r.HistoryBytes, r.ScriptErrors = p.confirmation.counted(), p.tl.Past().Bytes(), p.errors.Count()
	p.pace.report(r)
	p.ahead.report(r)
	p.shared.report(r)
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

func (p *predictor) inputs(f func(e world.Event)) {
	if p.tl == nil {
		return
	}
	p.tl.Log().EachInput(func(e world.Event, relayed bool) {
		if relayed && !p.relayed.before(e.Tick) && e.Tick <= p.relayed.completeTo() {
			f(e)
		}
	})
}
