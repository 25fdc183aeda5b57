package view

import (
	"cmp"
	"slices"
	"time"

	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
)

// Blend remembers how interpolated objects were drawn in the last frame. So an object
// that changes between the interpolated moment and the client's present continues from
// where it was drawn. It changes when a bundle switch changes its level of detail, or
// when its owner changes.
//
// In each frame, Begin is called, and Own for each object of an interpolated class that the present has. Then
// Interpolate, Stays and AtPresent are called for the objects of the frame, then End. The zero value is ready for use.
type Blend struct {
	last, next []Drawn // interpolated objects of the last and of this frame, by id
	// objects of an interpolated class drawn at the present: in the last frame, by id; in this one
	present, staying []world.ObjectID
	tick             world.Tick // of the last frame
	bundle           uint32
	now              time.Duration // of this frame
	own, owned       []owned       // as decided in the last frame, in this one, by id
}

// owned says whether an object of an interpolated class is drawn as this player's own, at the present, and
// since when.
type owned struct {
	id    world.ObjectID
	own   bool
	since time.Duration
}

// LeastStay is how long an object stays with a way of being drawn. Each input that becomes known can change
// who owns an object at the present, and by what it is carried. On a bad line it would flicker.
const LeastStay = 150 * time.Millisecond

func findOwned(list []owned, id world.ObjectID) (int, bool) {
	return slices.BinarySearchFunc(list, id, func(o owned, id world.ObjectID) int { return cmp.Compare(o.id, id) })
}

// Begin begins a frame.
func (b *Blend) Begin(now time.Duration) { b.now = now }

// Own notes whether this player owns an object of an interpolated class at the present.
func (b *Blend) Own(id world.ObjectID, own bool) {
	o := owned{id, own, b.now}
	if i, known := findOwned(b.own, id); known && (b.own[i].own == own || b.now-b.own[i].since < LeastStay) {
		o = b.own[i]
	} else if !known && !own {
		return
	}
	i, _ := findOwned(b.owned, id)
	b.owned = slices.Insert(b.owned, i, o)
}

// IsOwn reports whether an object of an interpolated class is drawn at the present in this frame, because this
// player owns it.
func (b *Blend) IsOwn(id world.ObjectID) bool {
	i, known := findOwned(b.owned, id)
	return known && b.owned[i].own
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
	b.own, b.owned = b.owned, b.own[:0]
	b.tick, b.bundle = t, bundle
}
