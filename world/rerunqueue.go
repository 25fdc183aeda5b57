package world

// rerunQueue has the objects that a rerun runs again in a block.
type rerunQueue struct {
	again   SlotSet // objects that are run again
	queue   []int32 // of these, objects whose hooks have not run yet
	births  int     // how many births of the block have been followed
	ops     int     // how many operations have been followed
	fresh   []Op    // operations of the objects that are run again
	entryOf []int32 // by slot, for objects that are run again: the object's entry in After of the block
	listed  SlotSet // objects with an entry in After of the block
	born    SlotSet // objects that were spawned in the block in the history
}

func (q *rerunQueue) begin() {
	q.again.reset()
	q.queue, q.births, q.ops = q.queue[:0], 0, 0
}

// add adds an object, and reports whether it is new.
func (q *rerunQueue) add(slot int32) bool {
	if !q.again.add(slot) {
		return false
	}
	q.queue = append(q.queue, slot)
	return true
}

// next takes an object off the queue.
func (q *rerunQueue) next() (slot int32, ok bool) {
	if len(q.queue) == 0 {
		return 0, false
	}
	slot = q.queue[len(q.queue)-1]
	q.queue = q.queue[:len(q.queue)-1]
	return slot, true
}

func (q *rerunQueue) has(slot int32) bool { return q.again.Has(slot) }

// list returns the objects that are run again.
func (q *rerunQueue) list() []int32 { return q.again.Slots() }

// units returns them as a set.
func (q *rerunQueue) units() *SlotSet { return &q.again }

// newBirths returns those of the births in the block that have not been returned
// yet.
func (q *rerunQueue) newBirths(births []birth) []birth {
	from := q.births
	q.births = len(births)
	return births[from:]
}

// newOps returns those of the operations in the block that have not been
// returned yet.
func (q *rerunQueue) newOps(ops []Op) []Op {
	from := q.ops
	q.ops = len(ops)
	return ops[from:]
}

// keepOps keeps the operations of the objects that are run again.
func (q *rerunQueue) keepOps(ops []Op) { q.fresh = append(q.fresh[:0], ops...) }

// keptOps returns them.
func (q *rerunQueue) keptOps() []Op { return q.fresh }

// readEntries notes which objects have an entry in after.
func (q *rerunQueue) readEntries(after *undoLog) {
	q.listed.reset()
	for _, slot := range after.list() {
		q.listed.add(slot)
	}
}

// isListed reports whether an object had an entry when readEntries was called.
func (q *rerunQueue) isListed(slot int32) bool { return q.listed.Has(slot) }

// readBirths notes which objects were spawned in the block.
func (q *rerunQueue) readBirths(births []birth) {
	q.born.reset()
	for i := range births {
		q.born.add(births[i].Slot)
	}
}

// isBorn reports whether readBirths noted an object.
func (q *rerunQueue) isBorn(slot int32) bool { return q.born.Has(slot) }

// indexEntries notes which entries of after belong to the objects that are run
// again; slots is how many slots there are.
func (q *rerunQueue) indexEntries(after *undoLog, slots int) {
	for len(q.entryOf) < slots {
		q.entryOf = append(q.entryOf, -1)
	}
	for _, slot := range q.again.Slots() {
		q.entryOf[slot] = -1
	}
	for i, slot := range after.list() {
		q.entryOf[slot] = int32(i)
	}
}

// entry returns the entry of an object; -1 for none.
func (q *rerunQueue) entry(slot int32) int { return int(q.entryOf[slot]) }
