package timeline

import (
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/hindcast/hindcast/world"
)

// ErrTooOld is the error of an event for a tick that cannot change any more.
var ErrTooOld = errors.New("older than the history kept")

// ErrThinned is the error of a tick whose state is not kept although older ones are.
var ErrThinned = errors.New("not kept: of ticks that cannot change any more, only some states are")

// ErrAhead is the error of a tick that has not been simulated yet.
var ErrAhead = errors.New("not simulated yet")

// ErrNoScript is the error of a bundle whose script the Timeline does not have.
var ErrNoScript = errors.New("no script")

// Timeline is the ordered log of the events of a room and a history of its states, one per
// tick. An event in the past makes its tick dirty. Rewind goes back to the oldest dirty tick
// and simulates again what can come out differently.
//
// It is composed of parts that own their state; its methods connect them.
type Timeline struct {
	scripts Scripts
	log     Log

	world       *world.World
	history     history
	poseHistory poseHistory
	past        Past
	culling     Culling
	dirty       dirtySpans
	causes      Causes

	// These replace, at the end of a tick, what the simulation gives.
	corrections corrections
	proxies     proxyUpdates
	anchor      anchor
	fault       fault

	runner runner
	part   *world.PartialRerun
	shadow *world.World // memory of Verify; nil: there is none
	looker *world.World // memory of Look; nil: there is none
	prints prints

	replaced []replaced // memory of RewindWith
	left     world.Tick // the last tick of a rewind that was left before the present; 0: there is none
	prunes   bool       // prune is due

	check  bool // assert invariants, and note what rewinds do
	reruns rerunLog
	ran    func(w *world.World, trace *world.Trace)
}

// Options are the arguments of New besides the first script.
type Options struct {
	// States is how many ticks the Timeline keeps: events can go as far back. 0 means 256.
	States int
	// Bundle is the number of the first script; 0 means 1.
	Bundle uint32
	// Client is the player whose client this is. 0 is a host or a replay, for which no
	// input is on its way: an object without an input for a tick repeats its last one as long
	// as the Setup says, then gets the neutral one.
	Client world.PlayerID
	// PoseHistory is for how many ticks before any that can be simulated again asSeen knows
	// where objects were.
	PoseHistory world.Tick
	// Check asserts the invariants of the Timeline and its World, and notes what each Rewind
	// does, for Timeline.Check. Tests and check mode set it.
	Check bool
	// Provenance notes in each Rewind how objects come to differ, for Explain.
	Provenance bool
	// Fault flips one bit after a tick.
	Fault Fault
	// Ran is called after every tick that is simulated, the first time or again. The World
	// and the trace may be read during the call. May be nil.
	Ran func(w *world.World, trace *world.Trace)
	// Stop is asked before each hook. If it returns true, the Timeline is given up within the tick: the method that
	// simulates panics with ErrInterrupted, and Interrupted reports it. May be nil.
	Stop func() bool
	// Prices are those of the work that Step counts; the zero value: it counts none.
	Prices Prices
	// Print gets what scripts print in the first run of a tick. May be nil.
	Print func(t world.Tick, by world.ObjectID, line string)
}

// Origin says where an event comes from.
type Origin struct {
	// Record is the position of the event in the log that the host relays. Of two inputs for
	// the same tick, the one with the higher Record counts; if they are equal, the first.
	Record uint32
	Packet uint32 // the number of the packet that brought it; 0: none did
	LateBy int    // ticks by which it reached the host late
	// Unrelayed events are not in the log that the host relays: not all clients simulate
	// their object.
	Unrelayed bool
}

// defaultStates is how many ticks a Timeline keeps if its Options do not say it.
const defaultStates = 256

// New returns a Timeline at the empty state before tick 1. It panics without a script.
func New(first world.Script, o Options) *Timeline {
	if first == nil {
		panic("timeline: New needs a script: what a world.Compile makes of a bundle")
	}
	if o.States == 0 {
		o.States = defaultStates
	}
	setup, bundle := &first.Schema().Setup, max(o.Bundle, 1)
	tl := &Timeline{scripts: newScripts(bundle, first), world: world.New(), history: newHistory(o.States),
		fault: fault{Fault: o.Fault}, check: o.Check, ran: o.Ran}
	tl.log = newLog(repetition{setup.RepeatInputTicks, math.MaxUint32}, tl.scripts.fadesIn(tl.world), &tl.history,
		&tl.scripts, &tl.dirty)
	tl.poseHistory = newPoseHistory(o.PoseHistory, &tl.history, &tl.scripts)
	tl.past = Past{history: &tl.history, poses: &tl.poseHistory, scripts: &tl.scripts}
	tl.dirty = dirtySpans{past: &tl.history}
	tl.culling = Culling{anchor: &tl.anchor, history: &tl.history, proxies: &tl.proxies, dirty: &tl.dirty}
	tl.runner = tl.log.newRunner()
	tl.runner.hooks.stop = o.Stop
	tl.runner.hooks.work.prices = o.Prices
	tl.part = world.NewPartialRerun(tl.world)
	tl.causes = Causes{
		client:  o.Client,
		part:    tl.part,
		history: &tl.history,
		poses:   &tl.poseHistory,
		scripts: &tl.scripts,
		dirty:   &tl.dirty,
		proxies: &tl.proxies,
		runner:  &tl.runner,
	}
	if o.Provenance {
		tl.part.Provenance().Track()
	}
	tl.prints.to = o.Print
	tl.world.Client, tl.world.Print, tl.world.Check = o.Client, tl.prints.printer(), o.Check
	tl.world.PosesAt = tl.poseHistory.forWorld(tl.world, true)
	tl.world.Load(nil, first.Schema())
	tl.world.Now.Bundle = bundle
	tl.history.start(tl.world.Now)
	tl.enterPresent()
	return tl
}

// Interrupted reports whether Options.Stop has stopped the simulation within a tick. Nothing more may
// be simulated. Now is the last tick that was simulated to its end, but a rewind may have been given up after that.
func (tl *Timeline) Interrupted() bool { return tl.runner.hooks.over }

// KeepCues sets whether the traces of all ticks to come keep their cues.
func (tl *Timeline) KeepCues(on bool) { tl.world.KeepCues = on }

// AddScript makes a script known as bundle number, so that a BundleEvent can put it in force.
func (tl *Timeline) AddScript(number uint32, script world.Script) {
	if tl.scripts.add(number, script) {
		tl.log.reread(number)
	}
}

// KeepScripts keeps the scripts of bundles from a number on, however long no tick needs them.
func (tl *Timeline) KeepScripts(from uint32) { tl.scripts.keepFrom(from) }

// FirstScript returns the lowest number of a bundle that is still needed: for the states that are
// kept, and for the inputs that are known and to come.
func (tl *Timeline) FirstScript() uint32 {
	return tl.scripts.first(tl.log.oldestBundle(tl.history.oldestKept().Bundle))
}

// Scripts returns the scripts of the bundles that are kept. It may be read between calls.
func (tl *Timeline) Scripts() *Scripts { return &tl.scripts }

// Log returns what players did and will do. It may be read between calls.
func (tl *Timeline) Log() *Log { return &tl.log }

// Past returns the states that are kept, for questions about them. It may be read between calls.
func (tl *Timeline) Past() *Past { return &tl.past }

// Culling returns the part that decides which objects a client simulates only in complete ticks.
func (tl *Timeline) Culling() *Culling { return &tl.culling }

// Causes returns how objects came out of the last Rewind differently. It may be read until the
// next one.
func (tl *Timeline) Causes() *Causes { return &tl.causes }

// NewSharedRun returns the SharedRun of a Timeline's room. Begin starts it.
func NewSharedRun(tl *Timeline) *SharedRun {
	k := &SharedRun{
		w:       world.New(),
		past:    &tl.history,
		scripts: &tl.scripts,
		poses:   &tl.poseHistory,
		dirty:   &tl.dirty,
		anchor:  &tl.anchor,
		fault:   &tl.fault,
		runner:  &tl.runner,
		pulled:  &tl.log.pulls,
	}
	k.start(tl.check)
	return k
}

// World returns the world at the present. It may be read between calls.
func (tl *Timeline) World() *world.World { return tl.world }

// Now returns the last tick simulated.
func (tl *Timeline) Now() world.Tick {
	_, now := tl.history.bounds()
	return now
}

// Oldest returns the first tick from which ticks can be simulated again.
func (tl *Timeline) Oldest() world.Tick {
	oldest, _ := tl.history.bounds()
	return oldest
}

// Dirty returns the first tick that is to be simulated again; 0: none. The next Rewind begins there, or goes on with
// one that was left.
func (tl *Timeline) Dirty() world.Tick {
	if tl.left == 0 {
		return tl.dirty.firstTick()
	}
	return earlier(tl.dirty.firstTick(), tl.left+1)
}

// At returns the state after tick t, nil if it is not kept. It changes when a Rewind simulates the
// tick again.
func (tl *Timeline) At(t world.Tick) *world.State { return tl.history.at(t) }

// Schema returns the schema in force after tick t, which must be kept.
func (tl *Timeline) Schema(t world.Tick) *world.Schema { return tl.scripts.SchemaOf(tl.At(t)) }

// Insert puts an event into the log. An event for a tick that was simulated makes it dirty,
// unless it changes nothing. duplicate reports that there is an input, pose or frame in its
// place already, and this one was ignored.
//
// The error wraps ErrTooOld or ErrNoScript; the log is as before.
func (tl *Timeline) Insert(e world.Event, from Origin) (duplicate bool, err error) {
	tl.dirty.from(from)
	if oldest := tl.Oldest(); e.Tick <= oldest {
		return false, fmt.Errorf("%s event for tick %d: %w (from %d)", e.Kind, e.Tick, ErrTooOld, oldest+1)
	}
	if e.Kind == world.BundleEvent && tl.scripts.Of(e.Bundle) == nil {
		return false, fmt.Errorf("%w of bundle %d: AddScript first", ErrNoScript, e.Bundle)
	}
	return tl.log.insert(&e, from, 0), nil
}

// Guess notes what this client's own player does: an input, an owner's pose or an independent
// frame that the log has yet to confirm. unrelayed says that the log will not do so.
func (tl *Timeline) Guess(e world.Event, unrelayed bool) {
	tl.log.insert(&e, Origin{Unrelayed: unrelayed}, guessed)
}

// Revise replaces this client's own input for a tick, if it still is a guess.
func (tl *Timeline) Revise(object world.ObjectID, player world.PlayerID, t world.Tick, in world.Input) {
	tl.log.revise(object, player, t, in)
}

// Correct applies a correction: in the result of tick s.Tick, the objects of s replace those
// that were simulated, until Complete reaches that tick. The Timeline keeps s, which must not
// change.
func (tl *Timeline) Correct(s *world.State) {
	if s.Tick <= tl.Oldest() {
		return
	}
	tl.corrections.add(s)
	tl.dirty.tick(s.Tick)
}

// Complete notes that the log has every event up to tick t, as from says. Guesses up to t that
// it does not have, and corrections of ticks up to t, are dropped.
func (tl *Timeline) Complete(t world.Tick, from Origin) {
	tl.dirty.from(from)
	tl.log.complete(t, tl.world.Schema().Setup.TickRate)
	if tl.anchor.isSet() { // objects of which the log has nothing stay as they were corrected
		tl.corrections.drop(tl.Oldest(), func(world.Tick) {})
		return
	}
	tl.corrections.drop(t, tl.dirty.tick)
}

// Release notes that nothing up to tick t changes any more. Few states of earlier ticks are
// kept, and no tick can be simulated again from them.
func (tl *Timeline) Release(t world.Tick) {
	for oldest := tl.Oldest(); oldest < t; oldest++ {
		tl.poseHistory.keep(tl.At(oldest))
		tl.history.release()
	}
	tl.proxies.prune(tl.Oldest())
}

// Stepped is the result of a Step.
type Stepped struct {
	Clamped     int  // bodies that were held back at the limits of position and speed
	Crowded     bool // more pairs of bodies were close than a step handles
	FaultMissed bool // there was no such object as Options.Fault names
	// GivenUp says that the tick was more work than Allow allowed. Everything is as before the Step, except that Work
	// returns the work up to there.
	GivenUp bool
}

// Step simulates the next tick.
func (tl *Timeline) Step() Stepped {
	tl.poseHistory.keep(tl.history.leaving())
	before, next, again := tl.history.step()
	defer func() {
		if tl.Interrupted() {
			tl.history.giveUp(again)
			tl.prints.flush()
		}
	}()
	tl.world.Rerun = again
	next.State.CopyFrom(&before.State)
	tl.world.Enter(&next.State, &next.Trace, tl.scripts.SchemaOf(&next.State))
	if !tl.attempt() {
		tl.history.giveUp(again)
		tl.enterPresent()
		return Stepped{GivenUp: true}
	}
	tl.prints.flush()
	tl.noteTick()
	tl.prunes = tl.prunes || tl.Now()%64 == 0
	if tl.prunes && tl.left == 0 { // a rewind that was left knows objects by their slots
		tl.prune()
		tl.prunes = false
	}
	if tl.check {
		tl.checkParts()
	}
	return Stepped{Clamped: tl.world.Clamped(), Crowded: tl.world.Crowded(), FaultMissed: tl.fault.takeMissed()}
}

// attempt simulates the tick that the world has entered, and counts its work. It returns false if that is more than
// Allow allows.
func (tl *Timeline) attempt() (done bool) {
	work := &tl.runner.hooks.work
	if !work.begin() {
		tl.run(tl.world)
		return true
	}
	defer func() {
		work.end()
		if work.exceeded {
			_ = recover() // the panic of the hook that was not called
			tl.prints.drop()
			tl.world.GiveUp()
			done = false
		}
	}()
	tl.prints.hold()
	tl.run(tl.world)
	return true
}

// Allow sets how much work the next Step may do.
func (tl *Timeline) Allow(a Allowance) { tl.runner.hooks.work.allow = a }

// Work sets w to the work of the last Step or RewindWith, or of what it has given up. It reuses the memory of w.
func (tl *Timeline) Work(w *Work) { tl.runner.hooks.work.result(w) }

// Spent returns the sum of that work, or the work of the last SharedRun.Complete.
func (tl *Timeline) Spent() time.Duration {
	return tl.runner.hooks.work.hooks + tl.runner.hooks.work.physics
}

// enterPresent puts the world at the present state.
func (tl *Timeline) enterPresent() {
	s := tl.At(tl.Now())
	tl.world.Enter(s, nil, tl.scripts.SchemaOf(s))
}

// noteTick calls Options.Ran for the tick that the world has ended.
func (tl *Timeline) noteTick() {
	if tl.ran != nil {
		tl.ran(tl.world, &tl.history.entry(tl.world.Now.Tick).Trace)
	}
}

// prune removes what no tick needs that can still be simulated again.
func (tl *Timeline) prune() {
	oldest := tl.Oldest()
	tl.log.prune(oldest, tl.check)
	if tl.world.SpareSlots() > 64 {
		tl.world.ReleaseSlots(tl.history.live)
	}
	tl.scripts.prune(tl.FirstScript())
}

// checkParts asserts the invariants of all parts.
func (tl *Timeline) checkParts() {
	tl.history.check()
	tl.dirty.check()
	tl.log.check()
}
