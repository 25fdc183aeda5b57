package world

import "slices"

// acting is which object acts, and what the objects have done in the tick.
type acting struct {
	actor    int        // slot of the object whose hook runs, or -1
	unit     int        // slot of the object whose outermost hook runs, or -1: the unit of a rerun
	activity []activity // by slot
}

// nobody makes that no object acts.
func (a *acting) nobody() { a.actor, a.unit = -1, -1 }

// beginTick forgets what the objects did in the tick before.
func (a *acting) beginTick() { clear(a.activity) }

// grow makes room for n slots.
func (a *acting) grow(n int) {
	for len(a.activity) < n {
		a.activity = append(a.activity, activity{})
	}
}

// act makes slot the acting object and returns the one before.
func (a *acting) act(slot int) (before int) {
	before, a.actor = a.actor, slot
	if before < 0 || slot < 0 {
		a.unit = slot
	}
	return before
}

// slot returns the slot of the acting object; -1 for none.
func (a *acting) slot() int { return a.actor }

// outermost returns the slot of the object whose outermost hook runs; -1 for none.
func (a *acting) outermost() int { return a.unit }

// of returns the activity of the object in a slot.
func (a *acting) of(slot int) *activity { return &a.activity[slot] }

// all returns the activities by slot.
func (a *acting) all() []activity { return a.activity }

// mine reports whether the acting object may change slot at once in an order.
func (a *acting) mine(slot int, order uint64) bool {
	return slot == a.actor || a.actor >= 0 && a.activity[slot].lentTo(a.actor, order)
}

// number gives an operation that the acting object asks for its place in the order. by is the object's id.
func (a *acting) number(op *Op, by ObjectID) {
	op.number(by, a.activity[a.actor].op(), int32(a.unit))
}

// opQueue has the operations on other objects, which are due when the order ends.
type opQueue struct {
	list []Op
	// Chains of the operations that an object may ask for again (see asksAgain): for each operation the one before it
	// that is by the same object, -1 for none, and the last one of each object.
	before []int32
	last   map[ObjectID]int32
}

// asksAgain reports whether the object that asked for an operation of a kind can ask whether it did.
func asksAgain(kind OpKind) bool {
	return kind == AttachTo || kind == LetGo || kind == SetOwner || kind == SetText || kind == carries
}

// add adds an operation.
func (q *opQueue) add(op *Op) {
	before := int32(-1)
	if asksAgain(op.Kind) {
		before = q.lastOf(op.actor)
		if q.last == nil {
			q.last = map[ObjectID]int32{}
		}
		q.last[op.actor] = int32(len(q.list))
	}
	q.list, q.before = append(q.list, *op), append(q.before, before)
}

// lastOf returns the last operation in the chain of an object, -1 for none.
func (q *opQueue) lastOf(actor ObjectID) int32 {
	if i, ok := q.last[actor]; ok {
		return i
	}
	return -1
}

// all returns the operations.
func (q *opQueue) all() []Op { return q.list }

// len returns how many operations there are.
func (q *opQueue) len() int { return len(q.list) }

// cut drops all operations but the first n.
func (q *opQueue) cut(n int) {
	for i := len(q.list) - 1; i >= n; i-- {
		if op := &q.list[i]; asksAgain(op.Kind) {
			q.last[op.actor] = q.before[i]
		}
	}
	q.list, q.before = q.list[:n], q.before[:n]
	if n == 0 {
		clear(q.last)
	}
}

// sort sorts the operations by (acting object, sequence). Their chains end.
func (q *opQueue) sort() {
	clear(q.last)
	slices.SortFunc(q.list, compareOps)
}

// handIn gives the operations to take, and keeps the memory that it returns.
func (q *opQueue) handIn(take func(ops []Op) (memory []Op)) {
	q.list, q.before = take(q.list), q.before[:0]
	clear(q.last)
}

// ending has the slots that the end of the tick may change.
type ending struct {
	handed  []int32 // of objects that may change owner
	removed []int32 // of objects that may be removed
}

// clear empties both lists.
func (e *ending) clear() { e.handed, e.removed = e.handed[:0], e.removed[:0] }

// hand adds an object that may change owner.
func (e *ending) hand(slot int) { e.handed = append(e.handed, int32(slot)) }

// remove adds an object that may be removed.
func (e *ending) remove(slot int) { e.removed = append(e.removed, int32(slot)) }

// newOwners returns the slots of the objects that may change owner.
func (e *ending) newOwners() []int32 { return e.handed }

// removals returns the slots of the objects that may be removed.
func (e *ending) removals() []int32 { return e.removed }
