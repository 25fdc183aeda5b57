package view

import (
	"cmp"
	"slices"

	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
)

// Blend remembers how interpolated objects were drawn in the last frame. So an object
// that changes between the interpolated moment and the client's present continues from
// where it was drawn. It changes when a bundle switch changes its level of detail, or
// when its owner changes.
//
// In each frame, Interpolate, Stays and AtPresent are called for the objects of the
// frame, then End. The zero value is ready for use.
type Blend struct {
	last, next       []Drawn          // interpolated objects of the last and of this frame, by id
	present, staying []world.ObjectID // objects of an interpolated class drawn at the present: in the last frame, by id; in this one
	tick             world.Tick       // of the last frame
	bundle           uint32
}

// Drawn is where an object is drawn.
type Drawn struct {
	ID world.ObjectID
	At physics.Pose
}

func findDrawn(list []Drawn, id world.ObjectID) (int, bool) {
	return slices.BinarySearchFunc(list, id, func(d Drawn, id world.ObjectID) int { return cmp.Compare(d.ID, id) })
}

// Last returns the tick and the bundle of the last frame.
func (b *Blend) Last() (world.Tick, uint32) { return b.tick, b.bundle }

// Hold makes objects that were drawn at the present in the last frame stay there until
// they are interpolated, as after a bundle switch.
func (b *Blend) Hold(ids []world.ObjectID) {
	b.present = append(b.present, ids...)
	slices.Sort(b.present)
}

// WasAtPresent reports whether an object of an interpolated class was drawn at the
// present in the last frame.
func (b *Blend) WasAtPresent(id world.ObjectID) bool {
	_, was := slices.BinarySearch(b.present, id)
	return was
}

// WasInterpolated returns where an object was drawn if it was interpolated in the last
// frame.
func (b *Blend) WasInterpolated(id world.ObjectID) (at physics.Pose, was bool) {
	i, was := findDrawn(b.last, id)
	if !was {
		return physics.Pose{}, false
	}
	return b.last[i].At, true
}

// Interpolate notes an object that is interpolated in this frame. It is called in the
// order of ids.
func (b *Blend) Interpolate(id world.ObjectID, at physics.Pose) {
	b.next = append(b.next, Drawn{id, at})
}

// Interpolated returns where an object is drawn if it is interpolated in this frame.
func (b *Blend) Interpolated(id world.ObjectID) (at physics.Pose, ok bool) {
	i, ok := findDrawn(b.next, id)
	if !ok {
		return physics.Pose{}, false
	}
	return b.next[i].At, true
}

// Stays reports whether a proxy is drawn at the present: it was in the last frame, and is
// not interpolated yet.
func (b *Blend) Stays(id world.ObjectID) bool {
	_, interpolated := findDrawn(b.next, id)
	return !interpolated && b.WasAtPresent(id)
}

// AtPresent notes an object of an interpolated class that is drawn at the present in this
// frame.
func (b *Blend) AtPresent(id world.ObjectID) { b.staying = append(b.staying, id) }

// End ends the frame of a tick and bundle.
func (b *Blend) End(t world.Tick, bundle uint32) {
	slices.Sort(b.staying)
	b.last, b.next = b.next, b.last[:0]
	b.present, b.staying = b.staying, b.present[:0]
	b.tick, b.bundle = t, bundle
}
