package world

import (
	"cmp"
	"fmt"
	"slices"
)

// assert panics if an invariant of this package does not hold: a mistake in this
// code or in what drives it, never bad input from outside. Callers test
// Options.Check before they compute what it gets.
func assert(ok bool, format string, args ...any) {
	if !ok {
		violated(format, args...)
	}
}

// violated panics as assert does. Loops over many objects test the invariant themselves and
// call it, because the arguments of assert are allocated even if the invariant holds.
func violated(format string, args ...any) {
	panic("world: " + fmt.Sprintf(format, args...))
}

// check asserts that a state is consistent: the sorted lists name each object
// once, slots agree with bodies and joints, and free slots are empty.
func checkState(s *State, schema *Schema) {
	assert(s.Rows.Stride == schema.rowWords(), "the rows of the state have %d words, those of the schema %d",
		s.Rows.Stride, schema.rowWords())
	assert(len(s.Run) == len(s.ByID), "%d objects by order and %d by id", len(s.Run), len(s.ByID))
	assert(s.Rows.fits(len(s.Objects)) && len(s.Physics.Bodies) == len(s.Objects),
		"%d objects, rows of %d words, %d bodies", len(s.Objects), s.Rows.Stride, len(s.Physics.Bodies))
	assert(
		slices.IsSortedFunc(s.Run, func(a, b int32) int { return compareRun(&s.Objects[a], &s.Objects[b]) }),
		"objects out of order",
	)
	assert(
		slices.IsSortedFunc(s.ByID, func(a, b int32) int { return cmp.Compare(s.Objects[a].ID, s.Objects[b].ID) }),
		"ids out of order",
	)
	assert(
		slices.IsSortedFunc(s.Players, func(a, b Player) int { return cmp.Compare(a.ID, b.ID) }),
		"players out of order",
	)
	assert(slices.IsSortedFunc(s.Suspended, compareSuspensions), "suspensions out of order")
	live := 0
	for slot := range s.Objects {
		o, b := &s.Objects[slot], s.Body(slot)
		if o.ID == 0 {
			if b.Key != 0 || s.Rows.version(slot) != nil {
				violated("slot %d has a body or aux fields, and no object", slot)
			}
			continue
		}
		live++
		if int(o.Class) >= len(schema.Classes) {
			violated("object %s is of class %d of %d", o.ID, o.Class, len(schema.Classes))
		}
		if have, want := len(s.Row(slot).Aux), auxWords(&schema.Classes[o.Class]); have != want {
			violated("object %s has %d words of aux fields of %d", o.ID, have, want)
		}
		if b.Key != 0 && (b.Key != uint64(o.ID) || int(b.Def) >= len(schema.Defs)) {
			violated("object %s has the body %016x of def %d", o.ID, b.Key, b.Def)
		}
	}
	assert(live == len(s.Run), "%d objects, %d of them listed", live, len(s.Run))
	for i := range s.Physics.Joints {
		j := &s.Physics.Joints[i]
		if j.Gone() {
			continue // its event comes in the next physics step
		}
		if slot, ok := s.Find(ObjectID(j.Key)); !ok || j.Key != j.KeyB && !schema.isJoint(s.Objects[slot].Class) {
			violated("joint %016x: no object stands for it", j.Key)
		}
	}
}

// checkSlots asserts that each object of the state has the slot that the history
// gives it.
func (w *World) checkSlots() {
	for _, slot := range w.Now.Run {
		id := w.Now.Objects[slot].ID
		if at, ok := w.slots.find(uint64(id)); !ok || at != int(slot) {
			violated("object %s is in slot %d, not %d", id, slot, at)
		}
	}
}

// checkEnd asserts the invariants at the end of a tick.
func (w *World) checkEnd() {
	assert(w.acting.slot() < 0, "the tick ends within a hook of slot %d", w.acting.slot())
	assert(w.ops.len() == 0, "%d operations were not carried out", w.ops.len())
	assert(!w.progress.isBeforeStep(), "the tick ends before its physics step")
	w.checkSlots()
	checkState(w.Now, w.Schema())
}
