package world

import (
	"slices"

	"github.com/hindcast/hindcast/world/physics"
)

// BeginOrder freezes what objects see of each other until EndOrder. What
// happens until then is not noted: a tick that needs it is run again as a whole.
func (w *World) BeginOrder() { w.beginOrder(-1) }

// BeginBlock is BeginOrder for block i of the tick: the orders of the schema,
// once to steer and once to tick, then the contacts, then the departures.
func (w *World) BeginBlock(i int) {
	contacts := i == w.schema.ContactBlock()
	if w.trace == nil {
		i = -1
	}
	w.beginOrder(i)
	if contacts {
		w.endJoints()
	}
}

func (w *World) beginOrder(block int) {
	w.order++
	w.block, w.checkpoint = block, 0
	w.redo.reset(w.Now.Stride)
	if !w.undoing {
		w.undo.reset(w.Now.Stride)
	}
	w.first = len(w.undo.slots)
	w.notes.reads, w.notes.looks, w.notes.births, w.notes.cues = w.notes.reads[:0], w.notes.looks[:0], w.notes.births[:0], dropCues(w.notes.cues)
	w.ops = w.ops[:0]
	if block < 0 && w.ticking {
		w.runWhole()
	}
}

// runWhole notes that this tick can't be run again in part.
func (w *World) runWhole() {
	if w.trace != nil {
		w.trace.whole = true
	}
}

// EndOrder carries out the writes to others, by (acting object, sequence).
func (w *World) EndOrder() {
	w.flush()
	if w.block >= 0 {
		b := &w.trace.blocks[w.block]
		b.ops, w.ops = w.ops, b.ops
		b.reads, w.notes.reads = w.notes.reads, b.reads
		b.looks, w.notes.looks = w.notes.looks, b.looks
		b.births, w.notes.births = w.notes.births, b.births
		b.cues, w.notes.cues = w.notes.cues, b.cues
		w.keep(b)
	}
	w.ops = w.ops[:0]
	w.block = -1
}

// keep notes how the slots that changed in this order are now and, after the
// physics step, how they were.
func (w *World) keep(b *block) {
	b.after.reset(w.Now.Stride)
	for _, slot := range w.undo.slots[w.first:] {
		b.after.take(w.Now, int(slot), w.acting[slot])
	}
	if w.block >= w.schema.ContactBlock() {
		b.before, w.undo = w.undo, b.before
	}
}

// touch keeps what a slot was like before it first changes in this order, and
// in this trial.
func (w *World) touch(slot int) {
	switch st := &w.stamps[slot]; {
	case st.order != w.order:
		*st = stamp{w.order, int32(len(w.undo.slots)), w.checkpoint}
		w.undo.take(w.Now, slot, w.acting[slot])
	case st.trial < w.checkpoint:
		st.trial = w.checkpoint
		w.redo.take(w.Now, slot, w.acting[slot])
	}
}

// touchedNow reports whether a slot may have changed in this order.
func (w *World) touchedNow(slot int32) bool { return w.stamps[slot].order == w.order }

// See gives the state in which the acting object sees another, and the slot
// there: itself as it is now, all others as they were when the order began.
// ok is false for an object that is not there (any more). What it gives may be
// read until the next write.
func (w *World) See(id ObjectID) (s *State, slot int, ok bool) {
	slot, ok = w.Find(id)
	if ok && w.mine(slot) {
		return w.Now, slot, true
	}
	w.noteObject(id, slot, ok)
	if !ok || w.hides(int32(slot)) {
		return w.Now, 0, false // nobody goes before the end of the tick
	}
	if w.undoing {
		w.late.fetch(int32(slot))
	}
	if st := w.stamps[slot]; st.order == w.order {
		s = &w.undo.at
		return s, int(st.entry), s.Objects[st.entry].ID != 0
	}
	return w.Now, slot, true
}

// bodies is the physics of when the order began, for queries: contacts and
// joints are left out. Between BeginSeen and EndSeen they stand where the screen
// showed them.
func (w *World) bodies() *physics.State {
	if w.asSeen.moved {
		return &w.asSeen.bodies
	}
	if w.undoing {
		w.late.fetch(physics.AllBodies)
	}
	if len(w.undo.slots) == w.first {
		return &w.Now.Physics
	}
	if w.othersOf != w.order {
		w.othersOf = w.order
		w.others.Bodies = append(w.others.Bodies[:0], w.Now.Physics.Bodies...)
		for i := len(w.undo.slots) - 1; i >= w.first; i-- {
			if slot := w.undo.slots[i]; w.touchedNow(slot) && w.stamps[slot].entry == int32(i) {
				w.others.Bodies[slot] = w.undo.at.Physics.Bodies[i]
			}
		}
	}
	return &w.others
}

// mine reports whether the acting object may change slot at once: it is
// itself, or has been spawned by it in the present order.
func (w *World) mine(slot int) bool {
	if slot == w.actor {
		return true
	}
	a := &w.acting[slot]
	return w.actor >= 0 && a.bornIn == w.order && a.bornTo == int32(w.actor)
}

// The blocks of a tick, in their sequence: the orders steer, the orders tick,
// contacts, departures.

// SteerBlock is the block in which objects of an order get their inputs.
func (s *Schema) SteerBlock(order int32) int { return s.orderAt(order) }

// TickBlock is the block in which objects of an order tick.
func (s *Schema) TickBlock(order int32) int { return len(s.orders) + s.orderAt(order) }

// ContactBlock is the block of contact hooks.
func (s *Schema) ContactBlock() int { return 2 * len(s.orders) }

// RemovalBlock is the block in which objects that go say so.
func (s *Schema) RemovalBlock() int { return s.ContactBlock() + 1 }

func (s *Schema) blocks() int { return s.RemovalBlock() + 1 }

// Orders are those that classes have, ascending.
func (s *Schema) Orders() []int32 { return s.orders }

func (s *Schema) orderAt(order int32) int {
	i, _ := slices.BinarySearch(s.orders, order)
	return i
}

// phase is 1 while objects are steered, 2 while they tick, 3 in contacts, 4 in
// departures; 0 in what comes before.
func (s *Schema) phase(block int) uint8 {
	switch {
	case block < 0:
		return 0
	case block < len(s.orders):
		return 1
	case block < s.ContactBlock():
		return 2
	case block == s.ContactBlock():
		return 3
	}
	return 4
}

// hooks are those that run in a block.
func (s *Schema) hooks(block int) HookSet {
	switch s.phase(block) {
	case 1:
		return 1<<ApplyInput | 1<<Think | 1<<Simulate | 1<<Verify
	case 2:
		return 1<<OnTick | 1<<OnGameTick
	case 3:
		return 1<<OnContact | 1<<OnContactEnd | 1<<OnTrigger | 1<<OnJointBreak
	}
	return 1 << OnRemove
}
