package runtime

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/world"
)

// ErrTooOld: an event for a tick that cannot change any more.
var ErrTooOld = errors.New("older than the history kept")

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
	placed  []world.Told
	places  places    // what a client was told of stand-ins
	exact   *knownRun // what a client knows for certain of its last final tick; nil: all that it simulates
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
	record source     // of what is being inserted
	causes int        // events that made ticks dirty since the last Rewind
	fresh  world.Tick // ticks up to here have been run once

	runner runner
	part   *world.Part

	checking bool                 // note what rewinds do
	ran      []ranTick            // what the last one did
	cues     *cueBook             // is told of the cues of every tick run; may be nil
	onRun    func(w *world.World) // after every tick run, first time or again; may be nil
}

// guess is a state that stands in for the simulated one until its tick is
// confirmed: a correction.
type guess struct {
	tick world.Tick
	part *world.State
}

// fault flips one bit after a tick, to see the desync noticed.
type fault struct {
	tick   world.Tick
	object int
	missed bool           // there was no such object
	id     world.ObjectID // of the one that was hit
}

// NewTimeline starts at the empty state before tick 1, with first as bundle
// number 1. It keeps the states of as many ticks as states says: events can go
// as far back. An object without an input for a tick repeats its last one,
// then is neutral, as the Setup says.
func NewTimeline(first world.Script, states int) *Timeline {
	setup := &first.Schema().Setup
	tl := &Timeline{scripts: map[uint32]world.Script{1: first}, world: world.New(), past: newHistory(states), keep: math.MaxUint32}
	tl.inputs = inputLog{repeat: setup.RepeatInputTicks, complete: math.MaxUint32, changed: tl.inputChanged}
	tl.own.changed = tl.frameChanged
	tl.runner = runner{tl: tl}
	tl.part = world.NewPart(tl.world)
	tl.world.Past = tl.pastOf(tl.world)
	tl.world.Load(nil, first.Schema())
	tl.save()
	return tl
}

// reset makes s the oldest state and the present, and forgets all else. From
// here on inputs may be missing because they are on their way: until settle,
// the last one is repeated without limit.
func (tl *Timeline) reset(s *world.State) error {
	script, ok := tl.scripts[s.Bundle]
	if !ok {
		return fmt.Errorf("keyframe of bundle %d, which is not here", s.Bundle)
	}
	tl.events, tl.inputs.tracks, tl.guesses = nil, nil, nil
	tl.places, tl.exact = places{}, nil
	tl.moves.tracks, tl.own.tracks = nil, nil
	tl.inputs.complete = s.Tick
	tl.first, tl.oldest, tl.now, tl.fresh, tl.dirty = s.Tick, s.Tick, s.Tick, s.Tick, 0
	tl.past.clear()
	clear(tl.trail)
	tl.stale = tl.stale[:0]
	tl.world.Load(s, script.Schema())
	tl.save()
	return nil
}

// tellCues has the book told of the cues of all ticks to come.
func (tl *Timeline) tellCues(b *cueBook) { tl.cues, tl.world.KeepCues = b, b != nil }

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

// Now is the last tick simulated.
func (tl *Timeline) Now() world.Tick { return tl.now }

// At is the state after tick t, nil if it is not kept. It changes when a
// Rewind runs the tick again.
func (tl *Timeline) At(t world.Tick) *world.State {
	if t < tl.first || t > tl.now || tl.frame(t) == nil {
		return nil
	}
	return &tl.frame(t).State
}

func (tl *Timeline) frame(t world.Tick) *world.Frame { return tl.past.frame(t) }

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
func (tl *Timeline) finish(t world.Tick) {
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

// Insert puts an event into the log. An event for a tick already simulated
// makes it dirty, unless it changes nothing. duplicate reports an input for a
// tick that has one.
func (tl *Timeline) Insert(e world.Event) (duplicate bool, err error) { return tl.insert(e, false) }

// insert is Insert; alone: not all are told of it.
func (tl *Timeline) insert(e world.Event, alone bool) (duplicate bool, err error) {
	if e.Tick <= tl.oldest {
		return false, fmt.Errorf("%s event for tick %d: %w (from %d)", e.Kind, e.Tick, ErrTooOld, tl.oldest+1)
	}
	if e.Kind == world.BundleEvent && tl.scripts[e.Bundle] == nil {
		return false, fmt.Errorf("%w: bundle %d: AddScript first", bundle.ErrInvalid, e.Bundle)
	}
	switch of := (steering{e.Object, e.Player}); e.Kind {
	case world.InputEvent:
		return tl.inputs.put(of, entry{tick: e.Tick, bundle: e.Bundle, input: e.Input, seq: tl.record.seq, alone: alone}), nil
	case world.MoveEvent:
		return tl.insertMove(of, moveEntry{tick: e.Tick, at: e.Place}), nil
	case world.FrameEvent:
		return tl.own.put(of, frameEntry{tick: e.Tick, number: e.Number, dt: e.DT, bundle: e.Bundle, input: e.Input}), nil
	}
	i, _ := slices.BinarySearchFunc(tl.events, e, compareEvents)
	tl.events = slices.Insert(tl.events, i, e)
	tl.mark(stale{from: e.Tick, to: e.Tick, player: e.Player, event: e.Kind, why: change{kind: CauseEvent, tick: e.Tick}})
	return false, nil
}

// guessInput notes this client's own input, which the log has yet to confirm.
// alone: the log will not do so.
func (tl *Timeline) guessInput(of steering, t world.Tick, bundle uint32, in world.Input, alone bool) {
	tl.inputs.put(of, entry{tick: t, bundle: bundle, input: in, guess: true, alone: alone})
}

// guessState puts a correction in the place of what tick part.Tick gives.
func (tl *Timeline) guessState(part *world.State) {
	if part.Tick <= tl.oldest {
		return
	}
	tl.guesses = append(tl.guesses, guess{part.Tick, part})
	tl.touch(part.Tick)
}

// settle tells that every event up to tick t is in the log: what stood in for
// missing ones goes.
func (tl *Timeline) settle(t world.Tick) {
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
	record source // that told
	now    world.Tick
}

// source is the record of the log by which a client, or the lateness by which a
// host, learned of something.
type source struct {
	seq   uint32
	frame uint32 // of the HostPacket that brought it
	late  int    // ticks; on a host
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
	s.from, s.to, s.now, s.record = max(s.from, tl.oldest+1), min(s.to, tl.now), tl.now, tl.record
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
		tl.onRun(tl.world)
	}
	if tl.cues != nil {
		t := tl.world.Now.Tick
		tl.cues.ran(t, &tl.frame(t).Trace)
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
	first := tl.firstScript()
	// order: deleting is the same in any order
	for number := range tl.scripts {
		if number < first {
			delete(tl.scripts, number)
		}
	}
}

// firstScript is the lowest number of a bundle that is still needed: for the
// states that are kept, and for the inputs known and to come.
func (tl *Timeline) firstScript() uint32 {
	return min(tl.keep, tl.own.oldestBundle(tl.inputs.oldestBundle(tl.AtOrAfter(tl.first).Bundle)))
}

// frames gives all frames that can be run again, or from.
func (tl *Timeline) frames(yield func(*world.Frame) bool) {
	for t := tl.oldest; t <= tl.now; t++ {
		if !yield(tl.frame(t)) {
			return
		}
	}
}

// Bytes is the memory of the history: states and traces.
func (tl *Timeline) Bytes() int { return tl.past.bytes() + tl.trail.bytes() }
