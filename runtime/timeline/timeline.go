package timeline

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/hindcast/hindcast/world"
)

// ErrTooOld: an event for a tick that cannot change any more.
var ErrTooOld = errors.New("older than the history kept")

// ErrNoScript: a bundle whose script the Timeline does not have.
var ErrNoScript = errors.New("no script")

// Timeline is the ordered log of events of a room plus a ring of its states,
// one a tick. Putting an event into the past marks its tick dirty; Rewind
// goes back to the oldest dirty tick and runs again, with all that is known by
// then, what can come out otherwise (rewind.go). Host and client run the same Timeline.
type Timeline struct {
	scripts map[uint32]world.Script // by bundle number
	keep    uint32                  // of these, at least those from this number on stay
	events  []world.Event           // all but inputs, in the order in which they happen
	inputs  inputLog
	moves   moveLog
	own     frameLog
	guesses []guess
	placed  []world.ProxyUpdate
	places  places     // what a client was told of stand-ins
	exact   *SharedRun // what a client knows for certain of its last final tick; nil: all that it simulates
	fault   fault

	world  *world.World
	past   history
	trail  trail      // see KeepSeen
	first  world.Tick // the first one that may be kept
	oldest world.Tick // the first one that ticks can be run again from
	now    world.Tick // the last one
	dirty  world.Tick // the first tick to be run again, 0: none
	stale  []stale    // what there is to be run again
	reason []stale    // what the last Rewind ran again
	told   stale      // with what the move began that was traced last
	origin Origin     // of what was inserted last
	causes int        // events that made ticks dirty since the last Rewind
	fresh  world.Tick // ticks up to here have been run once

	runner runner
	part   *world.PartialRerun

	check bool      // note what rewinds do
	ran   []ranTick // what the last one did
	onRun func(w *world.World, trace *world.Trace)
}

// Options is what a Timeline is made of besides its first script.
type Options struct {
	// States is how many ticks the Timeline keeps: events can go as far back.
	States int
	// Bundle is the number of the first script; 0 means 1.
	Bundle uint32
	// Client is the player whose client this is. 0 is a host or a replay, for which no
	// input is on its way: an object without an input for a tick repeats its last one,
	// then is neutral, as the Setup says.
	Client world.PlayerID
	// PoseHistory is for how many ticks before any that can still be run asSeen knows
	// where objects were.
	PoseHistory world.Tick
	// Check notes what each Rewind does, for Check.
	Check bool
	// Provenance notes how objects come to differ in a Rewind, for Explain.
	Provenance bool
	// Fault flips one bit after a tick.
	Fault Fault
	// Ran is called after every tick that is run, the first time or again. The World and the
	// trace may be read during the call. May be nil.
	Ran func(w *world.World, trace *world.Trace)
	// Print takes what scripts print in the first run of a tick. May be nil.
	Print func(t world.Tick, by world.ObjectID, line string)
}

// Fault flips one bit of an object after a tick, to see that a desync is noticed.
type Fault struct {
	Tick   world.Tick // 0: never
	Object int        // in the order in which hooks run, from 1
}

// Origin says where an event comes from.
type Origin struct {
	// Record is the position of the event in the log that the host relays. Of two inputs for
	// the same tick the one with the higher Record counts; with an equal one, the first.
	Record uint32
	Packet uint32 // the number of the packet that brought it; 0: none did
	LateBy int    // ticks by which the host had it late
	// Unrelayed events are not in the log that the host relays: not all clients
	// simulate their object.
	Unrelayed bool
}

// guess is a state that stands in for the simulated one until its tick is
// confirmed: a correction.
type guess struct {
	tick world.Tick
	part *world.State
}

// fault is a Fault and what came of it.
type fault struct {
	Fault
	missed bool           // there was no such object
	id     world.ObjectID // of the one that was hit
}

// New starts at the empty state before tick 1.
func New(first world.Script, o Options) *Timeline {
	setup := &first.Schema().Setup
	tl := &Timeline{scripts: map[uint32]world.Script{max(o.Bundle, 1): first}, world: world.New(), past: newHistory(o.States), keep: math.MaxUint32,
		fault: fault{Fault: o.Fault}, check: o.Check, onRun: o.Ran}
	tl.inputs = inputLog{repeat: setup.RepeatInputTicks, complete: math.MaxUint32, changed: tl.inputChanged}
	tl.own.changed = tl.frameChanged
	tl.runner = runner{tl: tl}
	tl.part = world.NewPartialRerun(tl.world)
	if o.Provenance {
		tl.part.TrackProvenance()
	}
	tl.trail = make(trail, o.PoseHistory+2)
	tl.world.Client, tl.world.Print, tl.world.Check = o.Client, o.Print, o.Check
	tl.world.PosesAt = tl.pastOf(tl.world)
	tl.world.Load(nil, first.Schema())
	tl.world.Now.Bundle = max(o.Bundle, 1)
	tl.save()
	return tl
}

// Keyframe is what a simulation can go on from: a state, and what the ticks after it
// need of the time before.
type Keyframe struct {
	State *world.State
	// Poses is the pose history of the ticks before, in bytes; nil: nothing was anywhere.
	Poses []byte
	// Held are the newest inputs up to the state's tick: the ones that later ticks repeat.
	Held []world.Event
}

// Start makes a keyframe the oldest state and the present, and forgets all else. The script
// of the state's bundle must be there. On a client inputs may be missing from here on because
// they are on their way: until Complete, the last one is repeated without limit.
func (tl *Timeline) Start(k Keyframe) error {
	if err := tl.reset(k.State); err != nil {
		return err
	}
	if err := tl.takeTrail(k.Poses); err != nil {
		return err
	}
	for i := range k.Held {
		e := &k.Held[i]
		tl.inputs.put(steering{e.Object, e.Player}, entry{tick: e.Tick, bundle: e.Bundle, input: e.Input})
	}
	return nil
}

// Keyframe is what a simulation of all that happens after tick t can start from; t must be
// kept. relayed leaves out inputs that not all clients are told of.
func (tl *Timeline) Keyframe(t world.Tick, relayed bool) Keyframe {
	return Keyframe{State: tl.At(t), Poses: tl.trailTo(t), Held: tl.inputs.last(t, relayed)}
}

func (tl *Timeline) reset(s *world.State) error {
	script, ok := tl.scripts[s.Bundle]
	if !ok {
		return fmt.Errorf("keyframe: %w of bundle %d", ErrNoScript, s.Bundle)
	}
	tl.events, tl.inputs.tracks, tl.guesses = nil, nil, nil
	tl.places, tl.exact = places{}, nil
	tl.moves.tracks, tl.own.tracks = nil, nil
	tl.inputs.complete = math.MaxUint32
	if tl.world.Client != 0 {
		tl.inputs.complete = s.Tick
	}
	tl.first, tl.oldest, tl.now, tl.fresh, tl.dirty = s.Tick, s.Tick, s.Tick, s.Tick, 0
	tl.past.clear()
	clear(tl.trail)
	tl.stale = tl.stale[:0]
	tl.world.Load(s, script.Schema())
	tl.save()
	return nil
}

// KeepCues has the traces of all ticks to come keep their cues, or not.
func (tl *Timeline) KeepCues(on bool) { tl.world.KeepCues = on }

// Cues are the cues of tick t, if they were kept.
func (tl *Timeline) Cues(t world.Tick) []world.Cue { return tl.frame(t).Trace.Cues(nil) }

// AddScript makes a script known as bundle number, so that a BundleEvent can
// put it in force.
func (tl *Timeline) AddScript(number uint32, script world.Script) {
	known := tl.scripts[number] != nil
	tl.scripts[number] = script
	if !known { // without it, inputs made by its declarations were read as neutral ones
		tl.inputs.reread(number)
		tl.own.reread(number)
	}
}

// Script is the script of a bundle, nil if it is not kept.
func (tl *Timeline) Script(number uint32) world.Script { return tl.scripts[number] }

// KeepScripts keeps the scripts from a number on, however long no tick needs them.
func (tl *Timeline) KeepScripts(from uint32) { tl.keep = from }

// World is the world at the present. It may be read between calls.
func (tl *Timeline) World() *world.World { return tl.world }

// States is how many ticks the Timeline can keep.
func (tl *Timeline) States() int { return len(tl.past.ring) }

// Now is the last tick simulated.
func (tl *Timeline) Now() world.Tick { return tl.now }

// Oldest is the first tick that ticks can be run again from.
func (tl *Timeline) Oldest() world.Tick { return tl.oldest }

// Dirty is the first tick that the next Rewind runs again; 0: none.
func (tl *Timeline) Dirty() world.Tick { return tl.dirty }

// FaultMissed reports, once, that there was no such object as Options.Fault names.
func (tl *Timeline) FaultMissed() bool {
	missed := tl.fault.missed
	tl.fault.missed = false
	return missed
}

// At is the state after tick t, nil if it is not kept. It changes when a
// Rewind runs the tick again.
func (tl *Timeline) At(t world.Tick) *world.State {
	if t < tl.first || t > tl.now || tl.frame(t) == nil {
		return nil
	}
	return &tl.frame(t).State
}

func (tl *Timeline) frame(t world.Tick) *world.HistoryEntry { return tl.past.frame(t) }

// AtOrAfter is the state after tick t or, if that is not kept, after the next
// tick of which it is.
func (tl *Timeline) AtOrAfter(t world.Tick) *world.State {
	for t = max(t, tl.first); t < tl.now; t++ {
		if s := tl.At(t); s != nil {
			return s
		}
	}
	return tl.At(tl.now)
}

// finish tells that nothing up to tick t changes any more: of the ticks before
// it few states are kept, and none can be run again.
func (tl *Timeline) Release(t world.Tick) {
	for ; tl.oldest < t; tl.oldest++ {
		tl.leave(tl.oldest)
		tl.past.thin(tl.oldest)
	}
	tl.places.forget(tl.oldest)
}

// Schema is the schema in force after tick t.
func (tl *Timeline) Schema(t world.Tick) *world.Schema {
	return tl.scripts[tl.At(t).Bundle].Schema()
}

// SchemaOf is the schema that a state of this Timeline's has.
func (tl *Timeline) SchemaOf(s *world.State) *world.Schema { return tl.scripts[s.Bundle].Schema() }

// Insert puts an event into the log. An event for a tick already simulated
// makes it dirty, unless it changes nothing. duplicate reports an input for a
// tick that has one.
func (tl *Timeline) Insert(e world.Event, from Origin) (duplicate bool, err error) {
	tl.origin = from
	if e.Tick <= tl.oldest {
		return false, fmt.Errorf("%s event for tick %d: %w (from %d)", e.Kind, e.Tick, ErrTooOld, tl.oldest+1)
	}
	if e.Kind == world.BundleEvent && tl.scripts[e.Bundle] == nil {
		return false, fmt.Errorf("%w of bundle %d: AddScript first", ErrNoScript, e.Bundle)
	}
	switch of := (steering{e.Object, e.Player}); e.Kind {
	case world.InputEvent:
		return tl.inputs.put(of, entry{tick: e.Tick, bundle: e.Bundle, input: e.Input, seq: from.Record, alone: from.Unrelayed}), nil
	case world.OwnerPoseEvent:
		return tl.insertMove(of, moveEntry{tick: e.Tick, at: e.Place}), nil
	case world.FrameEvent:
		return tl.own.put(of, frameEntry{tick: e.Tick, number: e.Number, dt: e.DT, bundle: e.Bundle, input: e.Input}), nil
	}
	i, _ := slices.BinarySearchFunc(tl.events, e, compareEvents)
	tl.events = slices.Insert(tl.events, i, e)
	tl.mark(stale{from: e.Tick, to: e.Tick, player: e.Player, event: e.Kind, why: change{kind: CauseEvent, tick: e.Tick}})
	return false, nil
}

// Guess notes what this client's own player does: an input, an owner's pose or an independent
// frame that the log has yet to confirm. unrelayed: the log will not do so.
func (tl *Timeline) Guess(e world.Event, unrelayed bool) {
	switch of := (steering{e.Object, e.Player}); e.Kind {
	case world.InputEvent:
		tl.inputs.put(of, entry{tick: e.Tick, bundle: e.Bundle, input: e.Input, guess: true, alone: unrelayed})
	case world.OwnerPoseEvent:
		tl.insertMove(of, moveEntry{tick: e.Tick, at: e.Place, guess: true})
	case world.FrameEvent:
		tl.own.put(of, frameEntry{tick: e.Tick, number: e.Number, dt: e.DT, bundle: e.Bundle, input: e.Input, guess: true, made: e.Tick})
	}
}

// Revise replaces this client's own input for a tick, if it is still a guess.
func (tl *Timeline) Revise(object world.ObjectID, player world.PlayerID, t world.Tick, in world.Input) {
	tl.inputs.revise(steering{object, player}, t, in)
}

// InputAt is the input that the log has of a player for an object in tick t itself: ok is false
// where a substitute stands in. relayed tells whether all clients are told of it.
func (tl *Timeline) InputAt(object world.ObjectID, player world.PlayerID, t world.Tick) (e world.Event, relayed, ok bool) {
	had, ok := tl.inputs.at(steering{object, player}, t)
	if !ok {
		return world.Event{}, false, false
	}
	return world.Event{Kind: world.InputEvent, Tick: t, Object: object, Player: player, Bundle: had.bundle, Input: had.input}, had.said(), true
}

// EachInput calls f for all inputs that the log has, by object, player and tick; relayed tells
// whether all clients are told of it.
func (tl *Timeline) EachInput(f func(e world.Event, relayed bool)) {
	for i := range tl.inputs.tracks {
		tr := &tl.inputs.tracks[i]
		for j := range tr.entries {
			e := &tr.entries[j]
			f(world.Event{Kind: world.InputEvent, Tick: e.tick, Object: tr.of.object, Player: tr.of.player, Bundle: e.bundle, Input: e.input}, e.said())
		}
	}
}

// FrameReached is the highest number of a player's independent frames for an object that the log has.
func (tl *Timeline) FrameReached(object world.ObjectID, player world.PlayerID) uint32 {
	return tl.own.reached(steering{object, player})
}

// CertainTo is the newest tick up to limit before which nothing is a guess of this client's.
// Others' events may still be on their way.
func (tl *Timeline) CertainTo(limit world.Tick) world.Tick {
	return tl.movesKnownTo(tl.own.knownTo(tl.inputs.knownTo(limit)))
}

// guessState puts a correction in the place of what tick part.Tick gives.
func (tl *Timeline) Correct(part *world.State) {
	if part.Tick <= tl.oldest {
		return
	}
	tl.guesses = append(tl.guesses, guess{part.Tick, part})
	tl.touch(part.Tick)
}

// Complete tells that every event up to tick t is in the log, as the record in from said: what
// stood in for missing ones goes.
func (tl *Timeline) Complete(t world.Tick, from Origin) {
	tl.origin = from
	tl.inputs.forgetOwn(t, tl.knownAt(t))
	tl.inputs.settle(t)
	tl.settleMoves(t)
	tl.settleFrames(t)
	tl.guesses = slices.DeleteFunc(tl.guesses, func(g guess) bool {
		if tl.exact != nil { // own objects of which the log says nothing stay as they were corrected
			return g.tick <= tl.oldest
		}
		if g.tick <= t {
			tl.touch(g.tick)
		}
		return g.tick <= t
	})
}

// stale is what has to be run again: an object's input in some ticks or, when
// object is 0, a tick as a whole; or no more than what is put in at its end.
type stale struct {
	object   world.ObjectID
	end      bool
	from, to world.Tick

	player world.PlayerID  // whose input or event it was
	event  world.EventKind // of CauseEvent
	why    change
	origin Origin // of what told
	now    world.Tick
}

// touch marks tick t, if it has been simulated, to be run again as a whole: a
// correction begins or ends.
func (tl *Timeline) touch(t world.Tick) {
	tl.mark(stale{from: t, to: t, why: change{kind: CauseComputed, tick: t}})
}

// touchEnd marks tick t: something else is put in at its end.
func (tl *Timeline) touchEnd(t world.Tick) {
	tl.mark(stale{end: true, from: t, to: t, why: change{kind: CauseTold, tick: t}})
}

// inputChanged marks the ticks in which an object's input may be another.
func (tl *Timeline) inputChanged(of steering, from, to world.Tick, why change) {
	tl.mark(stale{object: of.object, from: from, to: to, player: of.player, why: why})
}

// mark notes what is stale of the ticks that have been simulated.
func (tl *Timeline) mark(s stale) {
	s.from, s.to, s.now, s.origin = max(s.from, tl.oldest+1), min(s.to, tl.now), tl.now, tl.origin
	if s.from > s.to {
		return
	}
	tl.stale = append(tl.stale, s)
	tl.dirty = earlier(tl.dirty, s.from)
	tl.causes++
}

// compareEvents is the order in which the events of a tick happen: a total
// order on what they say, so that it doesn't matter in which one they came.
func compareEvents(a, b world.Event) int {
	p, q := &a.Place, &b.Place
	return cmp.Or(cmp.Compare(a.Tick, b.Tick), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Player, b.Player),
		cmp.Compare(a.Object, b.Object), cmp.Compare(a.Bundle, b.Bundle), cmp.Compare(a.Class, b.Class),
		cmp.Compare(p.Owner, q.Owner), cmp.Compare(p.X, q.X), cmp.Compare(p.Y, q.Y), cmp.Compare(p.Angle, q.Angle),
		cmp.Compare(p.VX, q.VX), cmp.Compare(p.VY, q.VY), cmp.Compare(p.W, q.W))
}

// Step simulates the next tick.
func (tl *Timeline) Step() {
	before := tl.frame(tl.now)
	tl.now++
	if ticks := len(tl.past.ring); int(tl.now-tl.first) >= ticks {
		if tl.first >= tl.oldest {
			tl.leave(tl.first)
		}
		tl.first = tl.now - world.Tick(ticks) + 1
		tl.oldest = max(tl.oldest, tl.first)
	}
	tl.world.Rerun = tl.now <= tl.fresh
	tl.fresh = max(tl.fresh, tl.now)
	f := tl.past.next(tl.now)
	f.State.CopyFrom(&before.State)
	tl.world.Enter(&f.State, &f.Trace, tl.scripts[f.State.Bundle].Schema())
	tl.runner.run(tl.world)
	tl.ranTick()
	if tl.now%64 == 0 {
		tl.prune()
	}
}

// save keeps the world's state, of which the World made the slots, as that of
// its tick.
func (tl *Timeline) save() {
	f := tl.past.next(tl.world.Now.Tick)
	f.State.CopyFrom(tl.world.Now)
	f.Trace = world.Trace{}
	tl.enterPresent()
}

// enterPresent puts the world at the present state.
func (tl *Timeline) enterPresent() {
	s := tl.At(tl.now)
	tl.world.Enter(s, nil, tl.scripts[s.Bundle].Schema())
}

func (tl *Timeline) ranTick() {
	if tl.onRun != nil {
		tl.onRun(tl.world, &tl.frame(tl.world.Now.Tick).Trace)
	}
}

// prune forgets what no tick that can still be run needs.
func (tl *Timeline) prune() {
	n, _ := slices.BinarySearchFunc(tl.events, tl.oldest+1, func(e world.Event, t world.Tick) int { return cmp.Compare(e.Tick, t) })
	tl.events = slices.Delete(tl.events, 0, n)
	tl.inputs.prune(tl.oldest)
	tl.moves.prune(tl.oldest)
	tl.own.prune(tl.oldest)
	if tl.world.SpareSlots() > 64 {
		tl.world.ReleaseSlots(tl.frames)
	}
	first := tl.FirstScript()
	// order: deleting is the same in any order
	for number := range tl.scripts {
		if number < first {
			delete(tl.scripts, number)
		}
	}
}

// firstScript is the lowest number of a bundle that is still needed: for the
// states that are kept, and for the inputs known and to come.
func (tl *Timeline) FirstScript() uint32 {
	return min(tl.keep, tl.own.oldestBundle(tl.inputs.oldestBundle(tl.AtOrAfter(tl.first).Bundle)))
}

// frames gives all frames that can be run again, or from.
func (tl *Timeline) frames(yield func(*world.HistoryEntry) bool) {
	for t := tl.oldest; t <= tl.now; t++ {
		if !yield(tl.frame(t)) {
			return
		}
	}
}

// Bytes is the memory of the history: states and traces.
func (tl *Timeline) Bytes() int { return tl.past.bytes() + tl.trail.bytes() }
