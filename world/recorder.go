package world

import "github.com/hindcast/hindcast/world/physics"

// recorder writes the trace of a tick: the reads, operations and spawns of hooks, and
// the values of the slots that they change.
type recorder struct {
	trace *Trace     // nil: nothing is recorded
	block int        // the present block; -1: the order is not recorded
	notes blockTrace // of the present order
}

// enter makes t the trace of the ticks to come; nil for none.
func (r *recorder) enter(t *Trace) { r.trace, r.block = t, -1 }

// on reports whether ticks are recorded.
func (r *recorder) on() bool { return r.trace != nil }

// beginTick empties the trace for a tick of so many blocks.
func (r *recorder) beginTick(blocks, stride int) {
	if r.trace != nil {
		r.trace.reset(blocks, stride)
	}
}

// beginOrder starts an order, which is block i of the trace; -1: it is not
// recorded.
func (r *recorder) beginOrder(i int) {
	if r.trace == nil {
		i = -1
	}
	r.block = i
	emptyBlock(&r.notes)
}

// present returns the present block; -1 for none.
func (r *recorder) present() int { return r.block }

// presentBlock returns the record of the present block from when the tick was
// run before.
func (r *recorder) presentBlock() *blockTrace { return r.trace.block(r.block) }

// traced returns the record of a block.
func (r *recorder) traced(block int) *blockTrace { return r.trace.block(block) }

// at makes a block the present one; -1 for none.
func (r *recorder) at(block int) { r.block = block }

// endOrder ends the present order. ops are the operations that hooks asked for;
// it returns a list to use in their place.
func (r *recorder) endOrder(ops []Op, after func(b *blockTrace)) []Op {
	if r.block >= 0 {
		b := r.presentBlock()
		b.Ops, ops = ops, b.Ops
		swapLists(b, &r.notes)
		after(b)
	}
	r.block = -1
	return ops[:0]
}

// replace replaces the record of the objects in units in the history by that of the
// present order.
func (r *recorder) replace(b *blockTrace, units *SlotSet, ops []Op) {
	replaceUnits(b, units, &r.notes, ops)
}

// onlyWhole records that this tick can be run again only as a whole.
func (r *recorder) onlyWhole() {
	if r.trace != nil {
		r.trace.setOnlyWhole()
	}
}

// read adds a read, unless it is like the one before.
func (r *recorder) read(v read) {
	if r.block < 0 {
		return
	}
	if n := len(r.notes.Reads); n > 0 && r.notes.Reads[n-1] == v {
		return
	}
	r.notes.Reads = append(r.notes.Reads, v)
}

// readPast adds a past read, unless it is like the one before.
func (r *recorder) readPast(v pastRead) {
	list := &r.notes.PastReads
	if r.block < 0 && r.trace != nil {
		list = r.trace.outsidePastReads()
	}
	if n := len(*list); n == 0 || (*list)[n-1] != v {
		*list = append(*list, v)
	}
}

// birth adds the object in a slot, which a hook of the object in unit spawned.
func (r *recorder) birth(unit, slot int) {
	if r.block >= 0 {
		r.notes.Births = append(r.notes.Births, birth{int32(unit), int32(slot)})
	}
}

// steps returns the trace of the physics step.
func (r *recorder) steps() (t *physics.Trace, ok bool) {
	if r.trace == nil {
		return nil, false
	}
	return r.trace.physics(), true
}

// spawned returns how many objects the hooks of the tick spawned when it was run
// before.
func (r *recorder) spawned() int { return r.trace.spawned() }

// end returns the record of the end of the tick; nil if ticks are not recorded.
func (r *recorder) end() *endTrace {
	if r.trace == nil {
		return nil
	}
	return r.trace.tickEnd()
}

// births returns the objects spawned in the present order.
func (r *recorder) births() []birth { return r.notes.Births }

// cues returns the cues of the present order, or of what happens outside the
// blocks of the tick.
func (r *recorder) cues() *[]Cue {
	if r.block < 0 && r.trace != nil {
		return r.trace.outsideCues()
	}
	return &r.notes.Cues
}
