package world

// agenda has the objects that a rerun runs again in a block.
type agenda struct {
	again   SlotSet // objects that are run again
	queue   []int32 // of these, objects whose hooks have not run yet
	births  int     // how many births of the block have been followed
	ops     int     // how many operations have been followed
	fresh   []Op    // operations of the objects that are run again
	entryOf []int32 // by slot, for objects that are run again: the object's entry in After of the block
	listed  SlotSet // objects with an entry in After of the block
}

func (a *agenda) begin() {
	a.again.reset()
	a.queue, a.births, a.ops = a.queue[:0], 0, 0
}

// add adds an object, and reports whether it is new.
func (a *agenda) add(slot int32) bool {
	if !a.again.add(slot) {
		return false
	}
	a.queue = append(a.queue, slot)
	return true
}

// next takes an object off the queue.
func (a *agenda) next() (slot int32, ok bool) {
	if len(a.queue) == 0 {
		return 0, false
	}
	slot = a.queue[len(a.queue)-1]
	a.queue = a.queue[:len(a.queue)-1]
	return slot, true
}

func (a *agenda) has(slot int32) bool { return a.again.Has(slot) }

// list returns the objects that are run again.
func (a *agenda) list() []int32 { return a.again.Slots() }

// units returns them as a set.
func (a *agenda) units() *SlotSet { return &a.again }

// newBirths returns those of the births in the block that have not been returned
// yet.
func (a *agenda) newBirths(births []birth) []birth {
	from := a.births
	a.births = len(births)
	return births[from:]
}

// newOps returns those of the operations in the block that have not been
// returned yet.
func (a *agenda) newOps(ops []Op) []Op {
	from := a.ops
	a.ops = len(ops)
	return ops[from:]
}

// keepOps keeps the operations of the objects that are run again.
func (a *agenda) keepOps(ops []Op) { a.fresh = append(a.fresh[:0], ops...) }

// keptOps returns them.
func (a *agenda) keptOps() []Op { return a.fresh }

// readEntries notes which objects have an entry in after.
func (a *agenda) readEntries(after *undoLog) {
	a.listed.reset()
	for _, slot := range after.list() {
		a.listed.add(slot)
	}
}

// isListed reports whether an object had an entry when readEntries was called.
func (a *agenda) isListed(slot int32) bool { return a.listed.Has(slot) }

// indexEntries notes which entries of after belong to the objects that are run
// again; slots is how many slots there are.
func (a *agenda) indexEntries(after *undoLog, slots int) {
	for len(a.entryOf) < slots {
		a.entryOf = append(a.entryOf, -1)
	}
	for _, slot := range a.again.Slots() {
		a.entryOf[slot] = -1
	}
	for i, slot := range after.list() {
		a.entryOf[slot] = int32(i)
	}
}

// entry returns the entry of an object; -1 for none.
func (a *agenda) entry(slot int32) int { return int(a.entryOf[slot]) }
