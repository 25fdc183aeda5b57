package world

import (
	"math"

	"github.com/hindcast/hindcast/world/physics"
)

// RerunProvenance tracks how the dirty objects of a rewind came to differ, if
// Track was called.
type RerunProvenance struct {
	at   rerunWorld // the world that runs the tick
	diff *difference

	log    *provenance    // nil: nothing is tracked
	before *physics.State // before the tick that is run as a whole
}

// Tracks reports whether Track was called.
func (y *RerunProvenance) Tracks() bool { return y.log != nil }

// Track makes later rewinds track how each dirty object came to differ.
func (y *RerunProvenance) Track() {
	if y.log == nil {
		y.log = &provenance{}
	}
}

// Of appends how the object in a slot came to differ in the rewind, from where
// the difference began to the object itself, or nothing if that is not known.
// history returns the entries that were run again and the one before them, and nil
// for others.
func (y *RerunProvenance) Of(slot int, history func(Tick) *HistoryEntry, out []ProvenanceStep) []ProvenanceStep {
	return y.log.trace(int32(slot), history, out)
}

// DoubtInput notes that an object has a changed input in a tick that is about to be run
// again as a whole.
func (y *RerunProvenance) DoubtInput(slot int) { y.log.doubtInput(int32(slot)) }

// clear starts a rewind.
func (y *RerunProvenance) clear() { y.log.clear() }

// differs notes that an object differs, which may only have been run again so
// far.
func (y *RerunProvenance) differs(slot int32) { y.log.differs(slot) }

// ranFor notes that an object is run again because of another one, or of none
// (-1).
func (y *RerunProvenance) ranFor(slot int32, kind ProvenanceKind, from int32) {
	if y.log == nil {
		return
	}
	if _, known := y.log.step(slot); known && y.diff.has(slot) {
		return
	}
	if y.note(slot, kind, from) {
		y.log.onlyRan()
	}
}

// note notes how an object came to differ: from another object, or from none
// (-1). It returns false if the log is full.
func (y *RerunProvenance) note(slot int32, kind ProvenanceKind, from int32) bool {
	if y.log.full() {
		return false
	}
	block := y.at.block()
	if kind >= FromTouch {
		block = -1
	}
	y.log.addFrom(slot, from, ProvenanceStep{
		Kind:    kind,
		Object:  y.at.id(slot),
		Tick:    y.at.now().Tick,
		Block:   block,
		differs: true,
	})
	return true
}

// read returns a dirty object because of which a hook that read r is run again.
func (y *RerunProvenance) read(r *read) int32 {
	if y.log == nil {
		return -1
	}
	if r.Kind == readObject {
		if slot, ok := y.at.find(uint64(r.ID)); ok {
			return int32(slot)
		}
		return r.Slot
	}
	some := y.diff.objects()
	if r.Kind == readClass {
		some = y.diff.shapes()
	}
	for _, slot := range some.Slots() {
		if y.diff.has(slot) && (r.Kind == readClass || y.diff.inRegion(slot, r)) {
			return slot
		}
	}
	return -1
}

// pastRead returns a dirty object that hooks can see in the past; -1 if there is none.
func (y *RerunProvenance) pastRead() int32 {
	if y.log == nil {
		return -1
	}
	for _, slot := range y.diff.objects().Slots() {
		if int(slot) < len(y.at.now().Objects) && y.at.now().Objects[slot].ID != 0 &&
			y.at.schema().Classes[y.at.now().Objects[slot].Class].Seen != nil {
			return slot
		}
	}
	return -1
}

// contact returns an object that began or ceased to touch the one in a slot, by the
// contacts of the tick: a dirty one, if there is any. Otherwise only the history has the contact, with the nearest
// dirty one of those whose contacts differ.
func (y *RerunProvenance) contact(slot int32, contacts []Contact, stirred []int32) int32 {
	if y.log == nil {
		return -1
	}
	id, best := y.at.id(slot), int32(-1)
	for i := range contacts {
		e := &contacts[i]
		if e.A != id && e.B != id {
			continue
		}
		other := e.A ^ e.B ^ id
		if at, ok := y.at.find(uint64(other)); ok && (best < 0 || y.diff.has(int32(at))) {
			best = int32(at)
		}
	}
	if best >= 0 && y.diff.has(best) {
		return best
	}
	b, least := y.at.now().Body(int(slot)), math.Inf(1)
	for _, other := range stirred {
		if o := y.at.now().Body(int(other)); other != slot && y.diff.has(other) {
			x, y := o.X-b.X, o.Y-b.Y
			if square := float64(x*x) + float64(y*y); square < least {
				best, least = other, square
			}
		}
	}
	return best
}

// jointBreak returns a dirty object of a joint that ended.
func (y *RerunProvenance) jointBreak(e *JointBreak) int32 {
	for _, id := range [...]ObjectID{e.A, e.B} {
		if slot, ok := y.at.find(uint64(id)); ok && y.diff.has(int32(slot)) {
			return int32(slot)
		}
	}
	return -1
}

// pushed notes the objects that the physics step moved differently and that did
// not differ before it.
func (y *RerunProvenance) pushed() {
	if y.log == nil {
		return
	}
	for _, slot := range y.diff.objects().Slots() {
		if !y.diff.objectsBefore().Has(slot) && !y.log.full() {
			y.log.addPushed(slot, y.at.id(slot), y.at.now().Tick)
		}
	}
}

// rest searches for the provenance of objects for which it is unknown at the end of a
// tick.
func (y *RerunProvenance) rest() {
	if y.log == nil {
		return
	}
	y.log.begin()
	for _, slot := range y.diff.objects().Slots() {
		if t, known := y.log.tick(slot); !known || !y.diff.objectsBefore().Has(slot) && t != y.at.now().Tick {
			y.log.forget(slot)
		}
	}
	y.log.spread(y.passer(y.diff.has), y.at.find, &y.at.now().Physics)
}

// replaced notes that the dirty objects from the nth on differ because of an
// update from outside.
func (y *RerunProvenance) replaced(n int) {
	if y.log == nil {
		return
	}
	for _, slot := range y.diff.objects().Slots()[n:] {
		y.note(slot, FromEvent, -1)
	}
}

// joined notes that the dirty objects from the nth on differ because of joints that updates from outside keep, such as
// that of an object which is carried: from the other body of the joint, if that differs, otherwise from the updates.
func (y *RerunProvenance) joined(n int) {
	if y.log == nil || n == y.diff.objects().Len() {
		return
	}
	y.log.begin()
	for _, slot := range y.diff.objects().Slots()[n:] {
		y.log.forget(slot)
	}
	y.log.spread(y.passer(y.diff.has), y.at.find, &y.at.now().Physics)
	for _, slot := range y.log.unknownSlots() {
		if _, known := y.log.step(slot); !known {
			y.note(slot, FromEvent, -1)
		}
	}
}

// passer returns a function that gives an object of unknown provenance that of a
// neighbour, and reports whether it did. has says which neighbours count besides
// the dirty ones.
func (y *RerunProvenance) passer(has func(slot int32) bool) func(from, to int32, kind ProvenanceKind) bool {
	return func(from, to int32, kind ProvenanceKind) bool {
		if _, known := y.log.step(to); known || !y.diff.has(to) || !has(from) && !y.diff.has(from) {
			return false
		}
		if _, known := y.log.step(from); !known {
			return false
		}
		y.note(to, kind, from)
		return true
	}
}

// beginWhole notes which objects are dirty in the state before a tick that is run
// as a whole.
func (y *RerunProvenance) beginWhole(before *State) {
	y.before = &before.Physics
	y.log.enterWhole(y.diff.objects().Slots())
}

// endWhole finds the provenance of the objects that are dirty after a tick that was run
// as a whole: from objects that were dirty before it or have a changed input, along the
// trace of the tick; otherwise from an event in it.
func (y *RerunProvenance) endWhole(tick *Trace) {
	if y.log == nil {
		return
	}
	y.log.begin()
	for _, slot := range y.diff.objects().Slots() {
		if !y.log.wasDirty(slot) {
			y.log.forget(slot)
		}
	}
	y.log.takeDoubts(func(slot int32) { y.note(slot, FromInput, -1) })
	pass := y.passer(y.log.wasDirty)
	for known := -1; len(y.log.unknownSlots()) > 0 && known != y.log.len(); {
		known = y.log.len()
		y.spreadActivity(tick, pass)
		y.log.spread(pass, y.at.find, y.before, &y.at.now().Physics)
	}
	for _, slot := range y.log.unknownSlots() {
		if _, known := y.log.step(slot); !known {
			y.note(slot, FromEvent, -1)
		}
	}
}

// spreadActivity carries known provenance along the operations and reads of the tick's
// hooks.
func (y *RerunProvenance) spreadActivity(tick *Trace, pass func(from, to int32, kind ProvenanceKind) bool) {
	for i := range tick.blockCount() {
		b := tick.block(i)
		y.at.enterBlock(i)
		for j := range b.Reads {
			r := &b.Reads[j]
			if slot, ok := y.at.find(uint64(r.ID)); ok && r.Kind == readObject {
				pass(int32(slot), r.Unit, FromRead)
			}
		}
		for j := range b.Births {
			pass(b.Births[j].Unit, b.Births[j].Slot, FromSpawn)
		}
		for j := range b.Ops {
			if slot, ok := y.at.find(uint64(b.Ops[j].Target)); ok {
				pass(b.Ops[j].by(), int32(slot), FromWrite)
			}
		}
	}
	y.at.enterBlock(-1)
}
