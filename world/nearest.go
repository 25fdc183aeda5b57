package world

import (
	"slices"

	"github.com/hindcast/hindcast/world/physics"
)

// nearest looks for the object of some classes that is nearest to a point.
type nearest struct {
	q       Queries
	at      physics.Vec
	classes []int
	bodies  []physics.Body
	slot    int // the nearest one so far
	ok      bool
}

const (
	// nearbyBodies is how many bodies nearest looks at before it asks how many objects of its classes there are: what
	// a hook asks makes it run again.
	nearbyBodies = 64
	// nearestWork is the work of each body that nearest looks at.
	nearestWork = 1
)

// measure looks at a body, and returns the square of the distance of the nearest object so far, which was far.
func (n *nearest) measure(slot int32, far float64) float64 {
	w := n.q.w
	o, b := &w.Now.Objects[slot], &n.bodies[slot]
	if b.Key == 0 || o.ID == 0 || !slices.Contains(n.classes, int(o.Class)) || o.ID == n.q.without || w.unseen(slot) {
		return far
	}
	dx, dy := b.X-n.at.X, b.Y-n.at.Y
	d := float64(dx*dx) + float64(dy*dy)
	if d < far || d == far && (!n.ok || o.ID < w.Now.Objects[n.slot].ID) {
		n.slot, n.ok, far = int(slot), true, d
	}
	return far
}

// search finds the nearest object, within a distance whose square is far, and returns the square of its distance; far
// if there is none.
func (n *nearest) search(f *physics.Finder, far float64) float64 {
	if f.Closest(n.at, far, nearbyBodies, func(slot int32, now float64) float64 {
		far = n.measure(slot, now)
		return far
	}) {
		return far
	}
	members := n.q.w.members(n.classes)
	if f.Closest(n.at, far, len(members), func(slot int32, now float64) float64 {
		far = n.measure(slot, now)
		return far
	}) {
		return far
	}
	for _, slot := range members {
		if int(slot) < len(n.bodies) {
			far = n.measure(slot, far)
		}
	}
	return far
}

// pay counts the work of a search that looked as far as r metres: that of the bodies there, or of all objects of the
// classes if these are fewer.
func (n *nearest) pay(f *physics.Finder, r float64) {
	w := n.q.w
	most := nearbyBodies
	found := f.Count(n.at, r, most)
	if found > most {
		for _, class := range n.classes {
			w.read(read{Kind: readClass, Slot: int32(class)})
		}
		most = max(most, len(w.members(n.classes)))
		found = min(f.Count(n.at, r, most), most)
	}
	w.lookup.done(f)
	w.lookup.work += nearestWork * found
}

// members returns the slots of the objects of some classes, in the order of State.Run. Some may be unseen. It is valid
// until the next call.
func (w *World) members(classes []int) []int32 {
	l := &w.lookup
	if !l.hasLists(w) {
		l.found = w.scanMembers(classes, l.found[:0])
		return l.found
	}
	l.found = l.found[:0]
	for _, class := range classes {
		l.found = append(l.found, l.classes[class]...)
	}
	if len(classes) > 1 {
		slices.Sort(l.found)
	}
	for i, at := range l.found {
		l.found[i] = l.run[at]
	}
	if w.Check {
		assert(slices.Equal(l.found, w.scanMembers(classes, nil)), "the lists of the classes %v are out of date",
			classes)
	}
	return l.found
}

// scanMembers is members without lists.
func (w *World) scanMembers(classes []int, out []int32) []int32 {
	for _, slot := range w.Now.Run {
		if slices.Contains(classes, int(w.Now.Objects[slot].Class)) && !w.spawnedNow(slot) {
			out = append(out, slot)
		}
	}
	return out
}

// scansForLists is how many times queries of an order look through all objects before they make lists of these. Lists
// of few objects do not pay.
const (
	scansForLists = 1
	leastForLists = 256 // objects
)

// hasLists reports whether there are lists of the classes in the present order, and makes them if that pays.
func (l *lookup) hasLists(w *World) bool {
	switch {
	case l.order == 0 || len(w.Now.Run) < leastForLists:
		return false
	case l.listed == l.order:
		return true
	case l.listsOf != l.order:
		l.listsOf, l.scans = l.order, 0
	}
	if l.scans++; l.scans <= scansForLists {
		return false
	}
	l.listed = l.order
	l.run = append(l.run[:0], w.Now.Run...)
	for len(l.classes) < len(w.Schema().Classes) {
		l.classes = append(l.classes, nil)
	}
	for i := range l.classes {
		l.classes[i] = l.classes[i][:0]
	}
	for at, slot := range l.run {
		if c := w.Now.Objects[slot].Class; !w.spawnedNow(slot) {
			l.classes[c] = append(l.classes[c], int32(at))
		}
	}
	return true
}
