package world

import (
	"slices"

	"github.com/hindcast/hindcast/world/physics"
)

// difference is what a rerun has made different from the history so far.
type difference struct {
	dirty  slotSet        // objects that differ from the history at this point
	before slotSet        // objects that differed before the physics step
	shape  slotSet        // dirty objects that only one side has, or with another class
	was    []physics.Body // by slot: where a dirty object was in the history
	whole  bool           // the state as a whole differs, because its players or its schema do
}

func (d *difference) has(slot int32) bool { return d.dirty.has(slot) }

func (d *difference) len() int { return len(d.dirty.slots()) }

// list returns the slots of the dirty objects, in no order.
func (d *difference) list() []int32 { return d.dirty.slots() }

// add makes an object dirty, and keeps where it was in the history. It reports
// whether the object was clean.
func (d *difference) add(slot int32, was *physics.Body) bool {
	if !d.dirty.add(slot) {
		return false
	}
	d.remember(slot, was)
	return true
}

// addKnown is add for an object of which it is known where it was.
func (d *difference) addKnown(slot int32) { d.dirty.add(slot) }

// remember keeps where an object was in the history.
func (d *difference) remember(slot int32, b *physics.Body) {
	for int(slot) >= len(d.was) {
		d.was = append(d.was, physics.Body{})
	}
	d.was[slot] = *b
}

// body returns where a dirty object was in the history.
func (d *difference) body(slot int32) *physics.Body { return &d.was[slot] }

// compareShape notes whether a dirty object exists on one side only, or has
// another class.
func (d *difference) compareShape(slot int32, a, b *Object) {
	if a.ID != b.ID || a.Class != b.Class || a.Removed != b.Removed {
		d.shape.add(slot)
	}
}

// shapes returns the slots of objects that only one side has, or with another
// class. Some may be clean by now.
func (d *difference) shapes() []int32 { return d.shape.slots() }

func (d *difference) hasShape(slot int32) bool { return d.shape.has(slot) }

// dropShapes forgets the shapes of clean objects.
func (d *difference) dropShapes() {
	left := d.shape.slots()
	d.shape.reset()
	for _, slot := range left {
		if d.dirty.has(slot) {
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

// setAll makes the state as a whole differ.
func (d *difference) setAll() { d.whole = true }

// comparePlayers notes whether the players of the room differ.
func (d *difference) comparePlayers(a, b *State) { d.whole = !slices.Equal(a.Players, b.Players) }

// step starts the physics step: all objects are clean, and differed before it
// returns those that were dirty.
func (d *difference) step() {
	d.before, d.dirty = d.dirty, d.before
	d.dirty.reset()
}

func (d *difference) differed(slot int32) bool { return d.before.has(slot) }

// listBefore returns the slots of the objects that differed before the physics
// step.
func (d *difference) listBefore() []int32 { return d.before.slots() }
