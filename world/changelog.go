package world

import "github.com/hindcast/hindcast/world/physics"

// changeLog keeps the values of slots before they changed in the present order, which
// other objects see. It also keeps their values at the last checkpoint, to which
// World.undo can go back. Before the physics step of a partial rerun it keeps the
// changes of all orders, because that step undoes them.
type changeLog struct {
	order       uint64  // number of the present order, ever rising
	stamps      []stamp // by slot
	undo        undoLog // slots as they were before they first changed in an order
	first       int     // the first entry of undo that is of the present order
	checkpoint  uint64  // the last checkpoint of this order; 0: there was none
	checkpoints uint64  // number of the last checkpoint, ever rising
	// slots that had changed in the order, as they were before they changed again after a checkpoint
	redo undoLog
}

// stamp says when a slot last changed.
type stamp struct {
	order      uint64
	entry      int32 // in undo
	checkpoint uint64
}

// logMark is a point of a changeLog.
type logMark struct{ undo, redo int }

// begin starts an order. keep keeps the changes of the orders before it.
func (c *changeLog) begin(stride int, keep bool) {
	c.order++
	c.checkpoint = 0
	c.redo.reset(stride)
	if !keep {
		c.undo.reset(stride)
	}
	c.first = c.undo.len()
}

// number returns the number of the present order.
func (c *changeLog) number() uint64 { return c.order }

// grow makes room for n slots.
func (c *changeLog) grow(n int) {
	for len(c.stamps) < n {
		c.stamps = append(c.stamps, stamp{})
	}
}

// touch keeps the values of a slot before it changes for the first time in the
// present order, and since the last checkpoint.
func (c *changeLog) touch(s *State, slot int, a *activity) {
	switch st := &c.stamps[slot]; {
	case st.order != c.order:
		*st = stamp{c.order, int32(c.undo.len()), c.checkpoint}
		c.undo.take(s, slot, *a)
	case st.checkpoint < c.checkpoint:
		st.checkpoint = c.checkpoint
		c.redo.take(s, slot, *a)
	}
}

// touched reports whether a slot may have changed in the present order.
func (c *changeLog) touched(slot int32) bool { return c.stamps[slot].order == c.order }

// before returns the entry of undo with the values of a slot when the present order
// began. ok is false if the slot has not changed since.
func (c *changeLog) before(slot int32) (u *undoLog, entry int, ok bool) {
	st := &c.stamps[slot]
	return &c.undo, int(st.entry), st.order == c.order
}

// stateBefore returns before as a state, in which the object has the slot entry.
func (c *changeLog) stateBefore(slot int32) (s *State, entry int, ok bool) {
	st := &c.stamps[slot]
	return c.undo.state(), int(st.entry), st.order == c.order
}

// jointBefore returns the joint of an entry of the state of stateBefore. known
// is false for another state.
func (c *changeLog) jointBefore(s *State, entry int) (j *physics.Joint, ok, known bool) {
	if s != c.undo.state() {
		return nil, false, false
	}
	j, ok = c.undo.joint(entry)
	return j, ok, true
}

// unchanged reports whether nothing has changed in the present order.
func (c *changeLog) unchanged() bool { return c.undo.len() == c.first }

// bodiesBefore restores the bodies that have changed in the present order to their
// values when it began.
func (c *changeLog) bodiesBefore(bodies []physics.Body) {
	for i := c.undo.len() - 1; i >= c.first; i-- {
		if slot := c.undo.list()[i]; c.touched(slot) && c.stamps[slot].entry == int32(i) {
			bodies[slot] = *c.undo.body(i)
		}
	}
}

// after appends to out the present values of the slots that have changed in the present
// order.
func (c *changeLog) after(out *undoLog, s *State, of []activity) {
	for _, slot := range c.undo.list()[c.first:] {
		out.take(s, int(slot), of[slot])
	}
}

// exchange exchanges the kept entries with those of u.
func (c *changeLog) exchange(u *undoLog) { *u, c.undo = c.undo, *u }

// keep keeps the values of a slot for the end of the tick, whether it changes
// or not.
func (c *changeLog) keep(s *State, slot int, a activity) { c.undo.take(s, slot, a) }

// takeBack restores all kept values in s.
func (c *changeLog) takeBack(s *State) { c.undo.putBack(s, 0) }

// reset drops all changes.
func (c *changeLog) reset(stride int) { c.undo.reset(stride) }

// endCheckpoints ends the checkpoints of the order until the next mark.
func (c *changeLog) endCheckpoints() { c.checkpoint = 0 }

// mark makes a checkpoint. nested says that another one is in force.
func (c *changeLog) mark(stride int, nested bool) logMark {
	if !nested {
		c.redo.reset(stride)
	}
	c.newCheckpoint()
	return logMark{c.undo.len(), c.redo.len()}
}

func (c *changeLog) newCheckpoint() {
	c.checkpoints++
	c.checkpoint = c.checkpoints
}

// undoTo restores, in s and of, the slots that have changed since a mark.
func (c *changeLog) undoTo(m logMark, s *State, of []activity) {
	for i := c.redo.len() - 1; i >= m.redo; i-- {
		c.redo.restore(i, s, of)
	}
	c.redo.cut(m.redo)
	c.untouch(m.undo, s, of)
	c.newCheckpoint() // the copies in redo are used up
}

// untouch restores the slots that were first touched in this order since undo had a
// number of entries. Entries that touch did not make stay.
func (c *changeLog) untouch(from int, s *State, of []activity) {
	kept := from
	for i := from; i < c.undo.len(); i++ {
		if st := &c.stamps[c.undo.list()[i]]; st.order == c.order && st.entry == int32(i) {
			c.undo.restore(i, s, of)
			*st = stamp{}
			continue
		}
		if kept != i {
			c.undo.move(kept, i)
		}
		kept++
	}
	c.undo.cut(kept)
}
