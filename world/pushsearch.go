package world

import (
	"math"
	"slices"

	"github.com/hindcast/hindcast/world/physics"
)

// pushSearch searches for the object that pushed another one. It goes from body to body,
// along contacts and joints, through bodies that were pushed in the same tick.
type pushSearch struct {
	y           *provenance
	tick        Tick
	first, last int32   // the steps of those that were pushed in that tick
	queue       []int32 // steps
	next        []int32 // by index in queue: the index from which it was reached
	known       []int32 // by slot: the newest step before first after which it differed; -1: none
	pushed      []int32 // by slot: its step from first to last; -1: none, or it is in the queue
}

// mostPushes is the largest number of bodies in a search. In a larger heap the
// provenance of a push is unknown.
const mostPushes = 64

// findPusher finds the previous step of an object that was pushed.
func (y *provenance) findPusher(at int32, history func(Tick) *HistoryEntry) {
	f := pushSearch{y: y, tick: y.steps[at].Tick, first: at, last: at + 1, queue: []int32{at}, next: []int32{-1}}
	y.steps[at].before = -1
	now, before := history(f.tick), history(f.tick-1)
	if now == nil || before == nil {
		return
	}
	for f.first > 0 && f.isPush(f.first-1) {
		f.first--
	}
	for int(f.last) < len(y.steps) && f.isPush(f.last) {
		f.last++
	}
	f.index(at)
	for i := 0; i < len(f.queue) && i < mostPushes; i++ {
		slot := y.steps[f.queue[i]].slot
		for _, s := range [...]*physics.State{&now.State.Physics, &before.State.Physics} {
			if f.neighbours(s, slot, i) {
				return
			}
		}
	}
	if from := f.nearest(&now.State, y.steps[at].slot); from >= 0 {
		y.steps[at].before, y.steps[at].Kind = from, FromMiss
	}
}

// index finds the steps of slots.
func (f *pushSearch) index(at int32) {
	f.known, f.pushed = make([]int32, len(f.y.of)), make([]int32, len(f.y.of))
	for slot := range f.known {
		f.known[slot], f.pushed[slot] = -1, -1
	}
	for i := range f.y.steps[:f.last] {
		switch s := &f.y.steps[i]; {
		case int32(i) >= f.first && int32(i) != at:
			f.pushed[s.slot] = int32(i)
		case int32(i) < f.first && s.differs:
			f.known[s.slot] = int32(i)
		}
	}
}

func (f *pushSearch) isPush(at int32) bool {
	s := &f.y.steps[at]
	return s.Tick == f.tick && s.Block < 0 &&
		(s.before == pushed || s.Kind == FromTouch || s.Kind == FromMiss || s.Kind == FromJoint)
}

// neighbours continues with the neighbours of a slot, and reports whether the search is over.
func (f *pushSearch) neighbours(s *physics.State, slot int32, from int) bool {
	for i := range s.Contacts {
		c := &s.Contacts[i]
		if (c.SlotA == slot || c.SlotB == slot) && c.Flags&physics.SensorContact == 0 && !c.Gone() &&
			f.reach(c.SlotA^c.SlotB^slot, from, FromTouch) {
			return true
		}
	}
	for i := range s.Joints {
		j := &s.Joints[i]
		if (j.SlotA == slot || j.SlotB == slot) && f.reach(j.SlotA^j.SlotB^slot, from, FromJoint) {
			return true
		}
	}
	return false
}

// reach handles a slot that the search has reached. If its object differed before, it
// is the pusher: the steps from there back to the beginning of the search are linked.
func (f *pushSearch) reach(slot int32, from int, kind ProvenanceKind) bool {
	if slot < 0 || int(slot) >= len(f.known) {
		return false
	}
	steps, source := f.y.steps, f.known[slot]
	if at := f.pushed[slot]; source < 0 && at >= 0 {
		f.pushed[slot] = -1
		if steps[at].before < 0 {
			f.queue, f.next = append(f.queue, at), append(f.next, int32(from))
			steps[at].Kind = kind // the kind by which it is reached; overwritten if it is on the path
			return false
		}
		if f.comesFrom(at) {
			return false // it would be its own cause
		}
		source = at // found earlier
	}
	if source < 0 {
		return false
	}
	for place := int32(from); place >= 0; place = f.next[place] {
		at := f.queue[place]
		was := steps[at].Kind
		steps[at].before, steps[at].Kind = source, kind
		source, kind = at, was
	}
	return true
}

// comesFrom reports whether a step came from one whose cause is being searched.
func (f *pushSearch) comesFrom(at int32) bool {
	for ; at >= 0; at = f.y.steps[at].before {
		if slices.Contains(f.queue, at) {
			return true
		}
	}
	return false
}

// nearest returns the step of the object nearest to a slot among those that differed
// before: the two touched in the history, and not now. -1 means none.
func (f *pushSearch) nearest(s *State, slot int32) int32 {
	best, least := int32(-1), math.Inf(1)
	if int(slot) >= len(s.Objects) {
		return -1
	}
	b := s.Body(int(slot))
	for at := f.first - 1; at >= 0; at-- {
		step := &f.y.steps[at]
		if step.slot == slot || !step.differs || int(step.slot) >= len(s.Objects) {
			continue
		}
		o := s.Body(int(step.slot))
		if d := max(math.Abs(o.X-b.X), math.Abs(o.Y-b.Y)); o.Key != 0 && d < least {
			best, least = at, d
		}
	}
	return best
}
