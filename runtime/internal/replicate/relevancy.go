package replicate

import (
	"math"

	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/world"
)

// Limits of the calls of the relevancy hook, which may be slow.
const (
	maxCalls   = 4096 // in a tick
	answerHold = 15   // ticks for which an answer about an object that is not hidden is reused
)

// leaveFactor multiplies the range of an object once it is replicated, so that it does
// not appear and disappear at the border.
const leaveFactor = 1.1

// Filter decides which objects of a room are relevant to which players, by ranges,
// hidden classes and the relevancy hook; or which objects a player's client predicts.
type Filter struct {
	schema *world.Schema
	ranges []float64                                              // by class, metres; 0: any distance
	hidden bool                                                   // there is a hidden class
	hook   func(r world.Reader, viewer, object int) (bool, error) // nil: the game has none
	calls  int                                                    // calls of the hook in this tick
	counts FilterCounts
	failed func(t world.Tick, err error)
}

// FilterCounts counts the calls of the relevancy hook.
type FilterCounts struct {
	Asked   int // calls
	Failed  int // calls that returned an error
	Skipped int // calls skipped, because a tick has a limit
}

// NewFilter returns a filter that reports errors of the hook, with their tick, to failed.
func NewFilter(failed func(t world.Tick, err error)) *Filter { return &Filter{failed: failed} }

// Configure makes the filter follow a script and the rules of its bundle.
func (f *Filter) Configure(script world.Script, rules *bundle.SnapshotRules) {
	schema := script.Schema()
	if f.schema == schema {
		return
	}
	f.schema, f.hidden, f.hook = schema, false, nil
	if hook, ok := script.(world.RelevancyHook); ok && hook.HasRelevancy() {
		f.hook = hook.Relevant
	}
	f.ranges = f.ranges[:0]
	for i := range schema.Classes {
		f.ranges = append(f.ranges, rules.RangeOf(&schema.Classes[i]))
		f.hidden = f.hidden || schema.Classes[i].Ranges.Hidden
	}
}

// ConfigurePrediction makes the filter decide which objects a client predicts, by a script and the rules of
// its bundle.
func (f *Filter) ConfigurePrediction(script world.Script, rules *bundle.PredictionRules) {
	schema := script.Schema()
	if f.schema == schema {
		return
	}
	f.schema, f.hidden, f.hook = schema, false, nil
	if hook, ok := script.(world.PredictionHook); ok && hook.HasPrediction() {
		f.hook = hook.Predicted
	}
	f.ranges = f.ranges[:0]
	for i := range schema.Classes {
		f.ranges = append(f.ranges, rules.RangeOf(&schema.Classes[i]))
	}
}

// NextTick begins a tick with no calls.
func (f *Filter) NextTick() { f.calls = 0 }

// All reports whether every object is relevant to every player.
func (f *Filter) All() bool {
	for _, r := range f.ranges {
		if r != 0 {
			return false
		}
	}
	return f.hook == nil && !f.hidden
}

// Counts returns the counts since the beginning. ok is false if the scripts have no
// relevancy hook.
func (f *Filter) Counts() (counts FilterCounts, ok bool) { return f.counts, f.hook != nil }

// Set is the relevancy set of one client: the objects that are replicated to it. The
// zero value is empty.
type Set struct {
	own        []int32     // slots of the player's objects with a body, the oldest first
	relevances []relevance // by slot
	slots      []int32
}

// relevance says whether an object is relevant.
type relevance struct {
	id         world.ObjectID
	replicated bool
	asked      world.Tick // when the hook gave its last answer; 0: never
	answer     bool
}

// Select returns the slots of objects that are relevant to a player, in the same order.
// It calls the hook of the filter. The slice is valid until the next call.
func (r *Set) Select(f *Filter, room world.Reader, player world.PlayerID, slots []int32) []int32 {
	if f.All() {
		return slots
	}
	s, present := room.State(), Room{room.State(), func(f func(world.Reader)) { f(room) }}
	r.slots = r.slots[:0]
	r.findOwn(s, player)
	for len(r.relevances) < len(s.Objects) {
		r.relevances = append(r.relevances, relevance{})
	}
	for _, slot := range slots {
		known := &r.relevances[slot]
		if id := s.Objects[slot].ID; known.id != id {
			*known = relevance{id: id}
		}
		if known.replicated = r.relevant(f, present, player, int(slot), known); known.replicated {
			r.slots = append(r.slots, slot)
		}
	}
	return r.slots
}

// Room is a room after a tick, which may be past.
type Room struct {
	State *world.State
	Read  func(f func(r world.Reader)) // calls f with a Reader of the state, for the relevancy hook
}

// Sees reports whether an object is relevant to a player about which Select has not decided.
func (r *Set) Sees(f *Filter, room Room, player world.PlayerID, slot int) bool {
	r.findOwn(room.State, player)
	return r.relevant(f, room, player, slot, &relevance{})
}

// findOwn finds the objects from which the player sees others.
func (r *Set) findOwn(s *world.State, player world.PlayerID) {
	r.own = r.own[:0]
	for _, slot := range s.Run { // the oldest object comes first
		if s.Objects[slot].Owner == player && s.Body(int(slot)).Key != 0 {
			r.own = append(r.own, slot)
		}
	}
}

// Has reports whether an object is replicated. known is false if Select never decided
// about it.
func (r *Set) Has(id world.ObjectID) (replicated, known bool) {
	for i := range r.relevances {
		if r.relevances[i].id == id {
			return r.relevances[i].replicated, true
		}
	}
	return false, false
}

func (r *Set) relevant(f *Filter, room Room, player world.PlayerID, slot int, known *relevance) bool {
	o := &room.State.Objects[slot]
	hidden, reach := f.schema.Classes[o.Class].Ranges.Hidden, f.ranges[o.Class]
	switch {
	case o.Owner == player, world.HoldsState(f.schema.Classes[o.Class].Name):
		return true
	case len(r.own) == 0: // a spectator
		return !hidden
	case reach > 0 && !r.near(room.State, slot, reach, known.replicated):
		return false
	case f.hook != nil:
		return r.ask(f, room, slot, known, hidden)
	}
	return !hidden || reach > 0
}

// near reports whether an object is in range of one of the player's objects.
func (r *Set) near(s *world.State, slot int, reach float64, replicated bool) bool {
	if replicated {
		reach *= leaveFactor
	}
	at := s.Body(slot)
	for _, own := range r.own {
		if b := s.Body(int(own)); math.Hypot(b.X-at.X, b.Y-at.Y) <= reach {
			return true
		}
	}
	return false
}

// ask returns the answer of the hook: a new one for a hidden object, otherwise perhaps
// one of the last answerHold ticks. Without an answer, a hidden object is not relevant,
// and any other is.
func (r *Set) ask(f *Filter, room Room, slot int, known *relevance, hidden bool) bool {
	now := room.State.Tick
	if !hidden && known.asked != 0 && now < known.asked+answerHold {
		return known.answer
	}
	if f.calls >= maxCalls {
		f.counts.Skipped++
		return !hidden && (known.asked == 0 || known.answer)
	}
	f.calls++
	f.counts.Asked++
	answer, err := false, error(nil)
	room.Read(func(reader world.Reader) { answer, err = f.hook(reader, int(r.own[0]), slot) })
	if err != nil {
		f.counts.Failed++
		f.failed(now, err)
		answer = !hidden
	}
	known.asked, known.answer = now, answer
	return answer
}
