package world

import (
	"slices"

	"github.com/hindcast/hindcast/world/physics"
)

// difference has the objects that a rerun has made different from the history so far.
type difference struct {
	at rerunWorld // the world that runs the tick

	dirty  SlotSet        // objects that differ from the history at this point
	before SlotSet        // objects that differed before the physics step
	shape  SlotSet        // dirty objects that only one side has, or with another class or place in the order of hooks
	was    []physics.Body // by slot: the body of a dirty object in the history
	whole  bool           // the state as a whole differs, because its players, its level or its schema do
	read   uint64         // written by readAhead; it has no meaning
}

// has reports whether an object is dirty.
func (d *difference) has(slot int32) bool { return d.dirty.Has(slot) }

// objects returns the dirty objects, in no order.
func (d *difference) objects() *SlotSet { return &d.dirty }

// objectsBefore returns the objects that differed before the physics step.
func (d *difference) objectsBefore() *SlotSet { return &d.before }

// shapes returns the objects that only one side has, or with another class or place in the order of
// hooks. Some may be clean by now.
func (d *difference) shapes() *SlotSet { return &d.shape }

// add makes an object dirty, and keeps its body in the history. It reports whether the
// object was clean.
func (d *difference) add(slot int32, was *physics.Body) bool {
	if !d.dirty.add(slot) {
		return false
	}
	d.remember(slot, was)
	return true
}

// addKnown is add for an object whose body in the history is already kept.
func (d *difference) addKnown(slot int32) { d.dirty.add(slot) }

// spoil makes an object dirty; o and b are the object and the body in the history.
func (d *difference) spoil(slot int32, o *Object, b *physics.Body) {
	d.addKnown(slot)
	d.remember(slot, b)
	d.compareShape(slot, &d.at.now().Objects[slot], o)
}

// remember keeps the body of an object in the history.
func (d *difference) remember(slot int32, b *physics.Body) {
	for int(slot) >= len(d.was) {
		d.was = append(d.was, physics.Body{})
	}
	d.was[slot] = *b
}

// compareShape notes whether a dirty object exists on one side only, has another class, or has
// another place in the order of hooks, in which a hook gets the objects of a class.
func (d *difference) compareShape(slot int32, a, b *Object) {
	if a.ID != b.ID || a.Class != b.Class || a.Removed != b.Removed || compareRun(a, b) != 0 {
		d.shape.add(slot)
	}
}

// dropShapes drops the shapes of clean objects.
func (d *difference) dropShapes() {
	left := d.shape.Slots()
	d.shape.reset()
	for _, slot := range left {
		if d.dirty.Has(slot) {
			d.shape.add(slot)
		}
	}
}

// reset makes all objects clean.
func (d *difference) reset() {
	d.dirty.reset()
	d.shape.reset()
	d.whole = false
}

// all reports whether the state as a whole differs.
func (d *difference) all() bool { return d.whole }

// compareRooms notes whether the state as a whole differs. It returns false if
// the objects of the two states cannot be compared.
func (d *difference) compareRooms(a, b *State) (comparable bool) {
	comparable = a.Bundle == b.Bundle && a.Rows.Stride == b.Rows.Stride
	d.whole = !comparable || !slices.Equal(a.Players, b.Players) || !slices.Equal(a.Suspended, b.Suspended)
	d.compareLevels(a, b)
	return comparable
}

// compareLevels notes that the state as a whole differs if another level is in force: hooks may know its size without
// reading an object.
func (d *difference) compareLevels(a, b *State) {
	d.whole = d.whole || levelOf(a, d.at.schema()) != levelOf(b, d.at.schema())
}

// step starts the physics step: all objects are clean, and objectsBefore has
// those that were dirty.
func (d *difference) step() {
	d.before, d.dirty = d.dirty, d.before
	d.dirty.reset()
}

// affects reports whether the result of a read may differ.
func (d *difference) affects(r *read) bool {
	switch r.Kind {
	case readObject:
		if slot := r.Slot; slot >= 0 && d.at.id(slot) == r.ID {
			return d.has(slot)
		}
		slot, ok := d.at.find(uint64(r.ID))
		return ok && d.has(int32(slot))
	case readClass:
		return slices.ContainsFunc(d.shape.Slots(), d.has)
	}
	return slices.ContainsFunc(d.dirty.Slots(), func(slot int32) bool { return d.inRegion(slot, r) })
}

// inRegion reports whether a dirty object is or was in the region of a read.
func (d *difference) inRegion(slot int32, r *read) bool {
	defs := d.at.schema().Defs
	return reaches(r, d.at.now().Body(int(slot)), defs) || reaches(r, &d.was[slot], defs)
}

// anySeen reports whether a dirty object is of a class that asSeen moves.
func (d *difference) anySeen() bool {
	for _, slot := range d.dirty.Slots() {
		o := &d.at.now().Objects[slot]
		if o.ID == 0 || d.shape.Has(slot) || d.at.schema().Classes[o.Class].Seen != nil {
			return true
		}
	}
	return false
}

// readAhead reads the dirty objects into the cache. Otherwise the code that follows
// would wait for each of them, because the states of a tick that was run long ago are
// not in a near cache.
func (d *difference) readAhead(from, tick *State) {
	n := uint64(0)
	for _, s := range [...]*State{from, tick} {
		for _, slot := range d.dirty.Slots() {
			if int(slot) < len(s.Objects) {
				n += uint64(s.Objects[slot].ID)
				if s.Rows.Stride > 0 {
					n += s.Rows.flat(int(slot))[0]
				}
			}
		}
	}
	d.read += n
}
