package world

import (
	"math"

	"github.com/hindcast/hindcast/world/physics"
)

// Queries are queries about many objects at once, for script code and for code that
// reads between two ticks. Script code sees all objects as they were when the order
// began.
//
// Queries is a value. Its zero value is not usable.
type Queries struct {
	w       *World
	without ObjectID // the object that is left out; 0: none
}

// Without returns queries that leave one object out, such as the caller's own.
func (q Queries) Without(id ObjectID) Queries { return Queries{q.w, id} }

// RayHit is the intersection of a ray with a body. Fraction is 0 at the start of the
// ray and 1 at its end.
type RayHit struct {
	Object           ObjectID
	X, Y             float64 // the point, metres
	NormalX, NormalY float64 // unit vector out of the body
	Fraction         float64
}

// Raycast returns the first body between two points on the layers in mask.
func (q Queries) Raycast(x1, y1, x2, y2 float64, mask uint64) (RayHit, bool) {
	w, r := q.w, q.w.aimed(x1, y1, x2, y2)
	w.readRegion(regionAround(r.from.X, r.from.Y, r.to.X, r.to.Y, queryMargin))
	w.looked(r.from.X, r.from.Y, r.to.X, r.to.Y, 0, mask)
	f := w.finder()
	defer w.lookup.done(f)
	return r.hit(w.rayHit(f.Raycast(r.from, r.to, mask, uint64(q.without))))
}

// RaycastAll appends the slots of all bodies that the ray of Raycast meets, the nearest first;
// among bodies at equal distance the one with the lowest id comes first.
func (q Queries) RaycastAll(x1, y1, x2, y2 float64, mask uint64, out []int32) []int32 {
	w, r := q.w, q.w.aimed(x1, y1, x2, y2)
	w.readRegion(regionAround(r.from.X, r.from.Y, r.to.X, r.to.Y, queryMargin))
	w.looked(r.from.X, r.from.Y, r.to.X, r.to.Y, 0, mask)
	f := w.finder()
	hits := w.lookup.raycastAll(func(memory []physics.Hit) []physics.Hit {
		return f.RaycastAll(r.from, r.to, mask, uint64(q.without), memory)
	})
	w.lookup.done(f)
	for i := range hits {
		out = append(out, int32(hits[i].Slot))
	}
	return out
}

// CircleCast is Raycast for a circle of radius r metres, at least physics.MinSize, whose centre
// moves along the line.
func (q Queries) CircleCast(x1, y1, x2, y2, r float64, mask uint64) (RayHit, bool) {
	w, a := q.w, q.w.aimed(x1, y1, x2, y2)
	w.readRegion(regionAround(a.from.X, a.from.Y, a.to.X, a.to.Y, r+queryMargin))
	w.looked(a.from.X, a.from.Y, a.to.X, a.to.Y, r, mask)
	circle := physics.CircleShape(r)
	way := physics.Vec{X: a.to.X - a.from.X, Y: a.to.Y - a.from.Y}
	f := w.finder()
	defer w.lookup.done(f)
	return a.hit(w.rayHit(f.ShapeCast(&circle, a.from, 0, way, mask, uint64(q.without))))
}

func (w *World) rayHit(hit physics.Hit, ok bool) (RayHit, bool) {
	if !ok {
		return RayHit{}, false
	}
	return RayHit{Object: w.Now.Objects[hit.Slot].ID, X: hit.Point.X, Y: hit.Point.Y,
		NormalX: hit.Normal.X, NormalY: hit.Normal.Y, Fraction: hit.Fraction}, true
}

// queryMargin is by how many metres the recorded region of a query is wider than its arguments.
// Bodies outside of it cannot change the result.
const queryMargin = 0.1

// actorID returns the acting object, 0 for none.
func (w *World) actorID() ObjectID {
	if actor := w.acting.slot(); actor >= 0 {
		return w.Now.Objects[actor].ID
	}
	return 0
}

// OverlapCircle appends the slots of the bodies that touch a circle, in the order of their ids.
func (q Queries) OverlapCircle(x, y, r float64, mask uint64, out []int32) []int32 {
	w := q.w
	n := len(out)
	w.readRegion(regionAround(x, y, x, y, r+queryMargin))
	w.looked(x, y, x, y, r, mask)
	f := w.finder()
	defer w.lookup.done(f)
	return q.drop(f.OverlapCircle(physics.Vec{X: x, Y: y}, r, mask, out), n)
}

// OverlapBox is OverlapCircle for an upright box with its centre at x, y and the full size wd, ht.
func (q Queries) OverlapBox(x, y, wd, ht float64, mask uint64, out []int32) []int32 {
	w := q.w
	n := len(out)
	w.readRegion(regionAround(x-float64(wd/2), y-float64(ht/2), x+float64(wd/2), y+float64(ht/2), queryMargin))
	w.looked(x, y, x, y, length(wd, ht)/2, mask)
	f := w.finder()
	defer w.lookup.done(f)
	return q.drop(f.OverlapBox(physics.Vec{X: x, Y: y}, wd, ht, 0, mask, out), n)
}

// OverlapPolygon is OverlapCircle for the convex hull of 3 to 8 corners, given as x and y in turn.
// It returns the error of physics.PolygonShape for corners that make no polygon.
func (q Queries) OverlapPolygon(corners []float64, mask uint64, out []int32) ([]int32, error) {
	w := q.w
	var points []physics.Vec
	lo, hi := physics.Vec{X: math.Inf(1), Y: math.Inf(1)}, physics.Vec{X: math.Inf(-1), Y: math.Inf(-1)}
	for i := 0; i+1 < len(corners); i += 2 {
		p := physics.Vec{X: corners[i], Y: corners[i+1]}
		lo, hi = physics.Vec{X: min(lo.X, p.X), Y: min(lo.Y, p.Y)}, physics.Vec{X: max(hi.X, p.X), Y: max(hi.Y, p.Y)}
		points = append(points, p)
	}
	shape, err := physics.PolygonShape(points)
	if err != nil {
		return out, err
	}
	n := len(out)
	w.readRegion(regionAround(lo.X, lo.Y, hi.X, hi.Y, queryMargin))
	mid := physics.Vec{X: (lo.X + hi.X) / 2, Y: (lo.Y + hi.Y) / 2}
	w.looked(mid.X, mid.Y, mid.X, mid.Y, length(hi.X-lo.X, hi.Y-lo.Y)/2, mask)
	f := w.finder()
	defer w.lookup.done(f)
	return q.drop(f.OverlapShape(&shape, physics.Vec{}, 0, mask, out), n), nil
}

// drop removes the object to be left out from the slots that a query appended.
func (q Queries) drop(out []int32, from int) []int32 {
	kept := out[:from]
	for _, slot := range out[from:] {
		if q.w.Now.Objects[slot].ID != q.without {
			kept = append(kept, slot)
		}
	}
	return kept
}

// OfClass appends the slots of the objects of a class in the order of spawning. If several objects
// spawned some in one tick, the first one of each comes before the second one of each, by id.
func (q Queries) OfClass(class int, out []int32) []int32 {
	one := [1]int{class}
	return q.OfClasses(one[:], out)
}

// OfClasses is OfClass for the objects of several classes. Those of classes with a lower Order come first.
func (q Queries) OfClasses(classes []int, out []int32) []int32 {
	w := q.w
	for _, class := range classes {
		w.read(read{Kind: readClass, Slot: int32(class)})
	}
	members := w.members(classes)
	w.lookup.work += len(members) / membersPerWork
	for _, slot := range members {
		if !w.unseen(slot) {
			w.lookedAt(slot)
			out = append(out, slot)
		}
	}
	return out
}

// membersPerWork is how many objects of a class are as much work as an addition.
const membersPerWork = 4

// spawnedNow reports whether an object has been spawned in the present order.
func (w *World) spawnedNow(slot int32) bool {
	before, entry, changed := w.log.before(slot)
	return changed && before.object(entry).ID == 0
}

// unseen reports whether an object was spawned in the present order, or did not exist at the
// moment of beginSeen.
func (w *World) unseen(slot int32) bool {
	return w.asSeen.hides(slot) || w.spawnedNow(slot)
}

// Nearest returns the object of a class that is nearest to a point and within the given distance in
// metres. Among objects at equal distance it returns the one with the lowest id.
func (q Queries) Nearest(x, y float64, class int, within float64) (slot int, ok bool) {
	one := [1]int{class}
	return q.NearestOf(x, y, one[:], within)
}

// NearestOf is Nearest for the objects of several classes.
func (q Queries) NearestOf(x, y float64, classes []int, within float64) (slot int, ok bool) {
	w := q.w
	n := nearest{q: q, at: physics.Vec{X: x, Y: y}, classes: classes, bodies: w.shownBodies().Bodies}
	f := w.finder()
	far := n.search(f, float64(within*within))
	r := math.Sqrt(far)
	w.readRegion(regionAround(x, y, x, y, r+queryMargin))
	n.pay(f, r)
	for _, class := range classes {
		if c := &w.Schema().Classes[class]; c.Body != nil {
			w.looked(x, y, x, y, r, w.Schema().Defs[c.DefIndex()].Layer)
		}
	}
	return n.slot, n.ok
}
