package world

// activity counts what one object has done in a tick.
type activity struct {
	spawns, ops, randoms uint32
	born                 uint8    // the phase in which it was spawned, 0: before this tick
	handed               bool     // to belong to heir
	heir                 PlayerID // from the end of the tick
	cues                 uint8
	bornTo               int32  // the slot of the actor that may change it at once ...
	bornIn               uint64 // ... in this order
	spent                int64  // of its hooks' budget ...
	spentIn              uint64 // ... in this order
}

const activitySize = 32 // bytes

// same reports whether two objects have done the same, as far as it matters after
// the order: ops only numbers the operations within it.
func (a activity) same(b activity) bool {
	a.ops, a.bornTo, a.bornIn, b.ops, b.bornTo, b.bornIn = 0, 0, 0, 0, 0, 0
	a.spent, a.spentIn, b.spent, b.spentIn = 0, 0, 0, 0
	return a == b
}

// begin begins the activity of an object that is spawned in a phase.
func (a *activity) begin(phase uint8) { *a = activity{born: phase} }

// bornBefore reports whether the object was spawned before a phase.
func (a *activity) bornBefore(phase uint8) bool { return a.born < phase }

// lend makes that the object in slot to may change this one at once in an order.
func (a *activity) lend(to int, order uint64) { a.bornTo, a.bornIn = int32(to), order }

// lentTo reports whether the object in slot to may change this one at once in an order.
func (a *activity) lentTo(to int, order uint64) bool {
	return a.bornIn == order && a.bornTo == int32(to)
}

// random counts a random number, and returns how many there are with it.
func (a *activity) random() uint32 {
	a.randoms++
	return a.randoms
}

// spawned returns how many numbers of spawns are used.
func (a *activity) spawned() uint32 { return a.spawns }

// spawn uses the next number of a spawn.
func (a *activity) spawn() { a.spawns++ }

// op numbers an operation on another object.
func (a *activity) op() uint32 {
	a.ops++
	return a.ops
}

// cue counts a cue; ok is false if there are too many.
func (a *activity) cue() (ok bool) {
	if ok = a.cues < MaxCues; ok {
		a.cues++
	}
	return ok
}

// give gives the object to a player at the end of the tick.
func (a *activity) give(heir PlayerID) { a.handed, a.heir = true, heir }

// newOwner returns to whom the object is to belong, if that changes.
func (a *activity) newOwner() (heir PlayerID, ok bool) { return a.heir, a.handed }

// clearNewOwner notes that the object belongs to its heir.
func (a *activity) clearNewOwner() { a.handed = false }

// spentOn returns how many instructions the hooks of the object have used in an order.
func (a *activity) spentOn(order uint64) int64 {
	if a.spentIn == order {
		return a.spent
	}
	return 0
}

// spend adds n instructions to the result of spentOn.
func (a *activity) spend(n int64, order uint64) {
	a.spent, a.spentIn = n+a.spentOn(order), order
}

// restore goes back to what the object had done before. The budget that it has used since stays used.
func (a *activity) restore(before *activity) {
	spent, spentIn := a.spent, a.spentIn
	*a = *before
	a.spent, a.spentIn = spent, spentIn
}
