package timeline

import (
	"errors"
	"fmt"
	"math"

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
	scripts scripts

	events eventLog
	inputs inputLog
	poses  ownerPoseLog
	frames independentLog

	world       *world.World
	past        history
	poseHistory poseHistory
	dirty       dirtySpans

	// These replace, at the end of a tick, what the simulation gives.
	corrections corrections
	proxies     proxyUpdates
	anchor      anchor
	fault       fault

	runner  runner
	part    *world.PartialRerun
	reading *world.World // memory of ReadBetween; nil: there is none, or it is in use
	shadow  *world.World // memory of Verify; nil: there is none

	check  bool    // assert invariants, and note what rewinds do
	reruns []rerun // what the last Rewind did
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
	// Unrelayed inputs and host events are not in the log that the host relays: not all clients
	// simulate their object.
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
	tl := &Timeline{scripts: newScripts(bundle, first), world: world.New(), past: newHistory(o.States),
		fault: fault{Fault: o.Fault}, check: o.Check, ran: o.Ran}
	tl.inputs = inputLog{rule: repetition{setup.RepeatInputTicks, math.MaxUint32}, fades: tl.fades, changed: tl.dirty.input}
	tl.frames = independentLog{changed: tl.dirty.frame}
	tl.poseHistory = newPoseHistory(o.PoseHistory, &tl.past, &tl.scripts)
	tl.dirty = dirtySpans{past: &tl.past}
	tl.runner = runner{scripts: &tl.scripts, events: &tl.events, inputs: &tl.inputs, poses: &tl.poses, frames: &tl.frames}
	tl.part = world.NewPartialRerun(tl.world)
	if o.Provenance {
		tl.part.Provenance().Track()
	}
	tl.world.Client, tl.world.Print, tl.world.Check = o.Client, o.Print, o.Check
	tl.world.PosesAt = tl.poseHistory.forWorld(tl.world, true)
	tl.world.Load(nil, first.Schema())
	tl.world.Now.Bundle = bundle
	tl.past.start(tl.world.Now)
	tl.enterPresent()
	return tl
}

// KeepCues sets whether the traces of all ticks to come keep their cues.
func (tl *Timeline) KeepCues(on bool) { tl.world.KeepCues = on }

// Cues returns the cues of tick t, which must be one that can be simulated again, if they were
// kept.
func (tl *Timeline) Cues(t world.Tick) []world.Cue { return tl.past.entry(t).Trace.Cues(nil) }

// AddScript makes a script known as bundle number, so that a BundleEvent can put it in force.
func (tl *Timeline) AddScript(number uint32, script world.Script) {
	if tl.scripts.add(number, script) {
		tl.inputs.reread(number)
		tl.frames.reread(number)
	}
}

// Script returns the script of a bundle, nil if it is not kept.
func (tl *Timeline) Script(number uint32) world.Script { return tl.scripts.of(number) }

// KeepScripts keeps the scripts of bundles from a number on, however long no tick needs them.
func (tl *Timeline) KeepScripts(from uint32) { tl.scripts.keepFrom(from) }

// FirstScript returns the lowest number of a bundle that is still needed: for the states that are
// kept, and for the inputs that are known and to come.
func (tl *Timeline) FirstScript() uint32 {
	needed := tl.inputs.oldestBundle(tl.past.oldestKept().Bundle)
	return tl.scripts.first(tl.frames.oldestBundle(needed))
}

// World returns the world at the present. It may be read between calls.
func (tl *Timeline) World() *world.World { return tl.world }

// States returns how many ticks the Timeline can keep.
func (tl *Timeline) States() int { return tl.past.ticks() }

// Now returns the last tick simulated.
func (tl *Timeline) Now() world.Tick {
	_, now := tl.past.bounds()
	return now
}

// Oldest returns the first tick from which ticks can be simulated again.
func (tl *Timeline) Oldest() world.Tick {
	oldest, _ := tl.past.bounds()
	return oldest
}

// Dirty returns the first tick that the next Rewind simulates again; 0: none.
func (tl *Timeline) Dirty() world.Tick { return tl.dirty.firstTick() }

// FaultMissed reports, once, that there was no such object as Options.Fault names.
func (tl *Timeline) FaultMissed() bool { return tl.fault.takeMissed() }

// At returns the state after tick t, nil if it is not kept. It changes when a Rewind simulates the
// tick again.
func (tl *Timeline) At(t world.Tick) *world.State { return tl.past.at(t) }

// AtOrAfter returns the state after the first tick from t on that is kept; after the present if t
// is later.
func (tl *Timeline) AtOrAfter(t world.Tick) *world.State { return tl.past.atOrAfter(t) }

// Schema returns the schema in force after tick t, which must be kept.
func (tl *Timeline) Schema(t world.Tick) *world.Schema { return tl.scripts.schema(tl.At(t)) }

// SchemaOf returns the schema of a state of this Timeline's.
func (tl *Timeline) SchemaOf(s *world.State) *world.Schema { return tl.scripts.schema(s) }

// TranslateInput reads an input that was made under a bundle by the names of its fields, as
// class declares them. The neutral input is the same in all bundles. Without the bundle's
// script all inputs are neutral.
func (tl *Timeline) TranslateInput(in world.Input, bundle uint32, class *world.Class) world.Input {
	return tl.scripts.translate(in, bundle, class)
}

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
	if e.Kind == world.BundleEvent && tl.scripts.of(e.Bundle) == nil {
		return false, fmt.Errorf("%w of bundle %d: AddScript first", ErrNoScript, e.Bundle)
	}
	switch of := (control{e.Object, e.Player}); e.Kind {
	case world.InputEvent:
		return tl.inputs.put(of, newInput(&e, from.Record, flagIf(from.Unrelayed, unrelayed))), nil
	case world.OwnerPoseEvent:
		return tl.insertOwnerPose(of, newOwnerPose(&e, 0)), nil
	case world.FrameEvent:
		return tl.frames.put(of, newFrame(&e, 0)), nil
	}
	tl.events.insert(loggedEvent{e, from.Unrelayed})
	tl.dirty.event(&e)
	return false, nil
}

// Guess notes what this client's own player does: an input, an owner's pose or an independent
// frame that the log has yet to confirm. unrelayedInput says that the log will not do so.
func (tl *Timeline) Guess(e world.Event, unrelayedInput bool) {
	switch of := (control{e.Object, e.Player}); e.Kind {
	case world.InputEvent:
		tl.inputs.put(of, newInput(&e, 0, guessed|flagIf(unrelayedInput, unrelayed)))
	case world.OwnerPoseEvent:
		tl.insertOwnerPose(of, newOwnerPose(&e, guessed))
	case world.FrameEvent:
		tl.frames.put(of, newFrame(&e, guessed))
	}
}

// Revise replaces this client's own input for a tick, if it still is a guess.
func (tl *Timeline) Revise(object world.ObjectID, player world.PlayerID, t world.Tick, in world.Input) {
	tl.inputs.revise(control{object, player}, t, in)
}

// InputAt returns the input that the log has of a player for an object in tick t itself, not a
// substitute; ok is false if there is none. relayed reports whether all clients get it.
func (tl *Timeline) InputAt(object world.ObjectID, player world.PlayerID, t world.Tick) (e world.Event, relayed, ok bool) {
	of := control{object, player}
	had, own := tl.inputs.seek(of, t, false)
	if !own {
		return world.Event{}, false, false
	}
	return inputEvent(of, &had), had.Flags.relayed(), true
}

// fades reports whether a repeated input of an object may differ from the input that it repeats.
func (tl *Timeline) fades(id world.ObjectID) bool {
	slot, here := tl.world.Find(id)
	if !here {
		return tl.scripts.fade("")
	}
	return tl.scripts.fade(tl.world.Class(slot).Name)
}

// EachInput calls f for all inputs that the log has, by object, player and tick; relayed tells
// whether all clients get it.
func (tl *Timeline) EachInput(f func(e world.Event, relayed bool)) { tl.inputs.each(f) }

// Steered reports whether the log has inputs, poses or frames of any player for an object.
func (tl *Timeline) Steered(id world.ObjectID) bool {
	return tl.poses.steered(id) || tl.frames.steered(id) || tl.inputs.steered(id)
}

// FrameReached returns the highest number of a player's independent frames for an object that the
// log has.
func (tl *Timeline) FrameReached(object world.ObjectID, player world.PlayerID) uint32 {
	return tl.frames.reached(control{object, player})
}

// CertainTo returns the newest tick up to limit before which nothing is a guess of this client's.
// Events of others may still be on their way.
func (tl *Timeline) CertainTo(limit world.Tick) world.Tick {
	return tl.poses.certainTo(tl.frames.certainTo(tl.inputs.certainTo(limit)), tl.mattered)
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
	tl.inputs.dropUnrelayed(t, tl.sharedAt(t))
	tl.inputs.complete(t)
	tl.completeOwnerPoses(t)
	tl.completeFrames(t)
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
		tl.past.release()
	}
	tl.proxies.prune(tl.Oldest())
}

// Step simulates the next tick.
func (tl *Timeline) Step() {
	tl.poseHistory.keep(tl.past.leaving())
	before, next, again := tl.past.step()
	tl.world.Rerun = again
	next.State.CopyFrom(&before.State)
	tl.world.Enter(&next.State, &next.Trace, tl.scripts.schema(&next.State))
	tl.run(tl.world)
	tl.noteTick()
	if tl.Now()%64 == 0 {
		tl.prune()
	}
	if tl.check {
		tl.checkParts()
	}
}

// enterPresent puts the world at the present state.
func (tl *Timeline) enterPresent() {
	s := tl.At(tl.Now())
	tl.world.Enter(s, nil, tl.scripts.schema(s))
}

// noteTick calls Options.Ran for the tick that the world has ended.
func (tl *Timeline) noteTick() {
	if tl.ran != nil {
		tl.ran(tl.world, &tl.past.entry(tl.world.Now.Tick).Trace)
	}
}

// prune removes what no tick needs that can still be simulated again.
func (tl *Timeline) prune() {
	oldest := tl.Oldest()
	tl.events.prune(oldest)
	tl.inputs.prune(oldest)
	tl.poses.prune(oldest)
	tl.frames.prune(oldest)
	if tl.world.SpareSlots() > 64 {
		tl.world.ReleaseSlots(tl.past.live)
	}
	tl.scripts.prune(tl.FirstScript())
	if tl.check {
		tl.events.checkAfter(oldest)
	}
}

// checkParts asserts the invariants of all parts.
func (tl *Timeline) checkParts() {
	tl.past.check()
	tl.dirty.check()
	tl.events.check()
	tl.inputs.check("inputs")
	tl.poses.check("poses")
	tl.frames.check("frames")
}

// Bytes returns the memory of the history in bytes: states, traces and poses.
func (tl *Timeline) Bytes() int { return tl.past.bytes() + tl.poseHistory.bytes() }
