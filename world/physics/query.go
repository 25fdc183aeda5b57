package physics

import (
	"cmp"
	"math"
	"slices"
)

// Hit is the intersection of a ray with a body.
type Hit struct {
	Slot     int     // of the body
	Point    Vec     // in the world, metres
	Normal   Vec     // unit vector out of the body; against the ray where it starts inside
	Fraction float64 // 0 at the start of the ray, 1 at its end; 0 where it starts inside
}

// Found is a body and the point of its outline nearest to the point of the query.
type Found struct {
	Slot     int     // of the body
	Point    Vec     // the point of the query itself, if it is inside the body
	Distance float64 // metres, 0 inside
}

// visible reports whether a query sees a body, and its Def.
func (b *Body) visible(defs []Def, mask, ignore uint64) (*Def, bool) {
	if b.Key == 0 || b.Key == ignore || int(b.Def) >= len(defs) {
		return nil, false
	}
	d := &defs[b.Def]
	return d, d.prepared && !d.Sensor && d.Layer&mask != 0
}

// visible reports whether a query sees the body in a slot, and its Def.
func (f *Finder) visible(slot int32, mask, ignore uint64) (b *Body, d *Def, ok bool) {
	b = &f.state.Bodies[slot]
	d, ok = b.visible(f.defs, mask, ignore)
	return b, d, ok
}

// Raycast finds the first body between two points; of two at the same
// fraction the one with the lower key. The body with key ignore is not seen; 0
// ignores none.
func (f *Finder) Raycast(from, to Vec, mask, ignore uint64) (first Hit, ok bool) {
	f.rays(from, to, mask, ignore, func(hit Hit) {
		if !ok || compareHits(f.state, hit, first) < 0 {
			first, ok = hit, true
		}
	})
	return first, ok
}

// RaycastAll appends all bodies that the ray meets, by (fraction, key).
func (f *Finder) RaycastAll(from, to Vec, mask, ignore uint64, out []Hit) []Hit {
	start := len(out)
	f.rays(from, to, mask, ignore, func(hit Hit) { out = append(out, hit) })
	slices.SortFunc(out[start:], func(a, b Hit) int { return compareHits(f.state, a, b) })
	return out
}

// rays calls met with the bodies that the ray meets, in any order.
func (f *Finder) rays(from, to Vec, mask, ignore uint64, met func(hit Hit)) {
	if !from.finite() || !to.finite() {
		return
	}
	line := stripOf(from, to, 0)
	f.each(&line, func(slot int32) {
		b, d, seen := f.visible(slot, mask, ignore)
		if !seen || !nearSegment(b.CentreOfMass(d), d.reach, from, to) {
			return
		}
		if !f.do(rayWork * len(d.parts)) {
			return
		}
		if hit, ok := b.raycast(d, from, to); ok {
			hit.Slot = int(slot)
			met(hit)
		}
	})
}

func compareHits(s *State, a, b Hit) int {
	if c := cmp.Compare(a.Fraction, b.Fraction); c != 0 {
		return c
	}
	return cmp.Compare(s.Bodies[a.Slot].Key, s.Bodies[b.Slot].Key)
}

// nearSegment is a quick test, a little too generous.
func nearSegment(p Vec, reach float64, from, to Vec) bool {
	far := reach + slop
	return toSegment(p, segment{a: from, b: to}).sub(p).lengthSquared() <= float64(far*far)
}

// raycast casts the ray at one body: the first hit of its parts counts.
func (b *Body) raycast(d *Def, from, to Vec) (Hit, bool) {
	start, end := b.ToBody(from), b.ToBody(to)
	var n Vec
	t, ok := 0.0, false
	for i := range d.parts {
		pn, pt, met := d.parts[i].raycast(start, end)
		if met && (!ok || pt < t) {
			n, t, ok = pn, pt, true
		}
	}
	if !ok {
		return Hit{}, false
	}
	if n == (Vec{}) {
		n, _ = from.sub(to).normal()
	} else {
		n = n.rotate(b.Cos, b.Sin)
	}
	return Hit{Point: from.addScaled(to.sub(from), t), Normal: n, Fraction: t}, true
}

// raycast casts the ray at a shape in the body's frame. A ray from inside has no
// normal.
func (s *Shape) raycast(from, to Vec) (n Vec, t float64, ok bool) {
	switch {
	case s.Kind == Circle:
		c := s.Points[0]
		return rayCircle(from.sub(c), to.sub(c), s.Radius)
	case s.Kind == Polygon && s.Radius == 0:
		return rayPolygon(from, to, s)
	}
	if s.Radius > 0 {
		if _, distance := s.nearestTo(from); distance == 0 {
			return Vec{}, 0, true
		}
	}
	return s.rayRounded(from, to)
}

// rayRounded meets the sides, moved out by the radius, and the round corners.
func (s *Shape) rayRounded(from, to Vec) (n Vec, t float64, ok bool) {
	d := to.sub(from)
	for i := range s.Count {
		if s.Kind == Link && i == 1 {
			break // its back is open
		}
		side := s.Normals[i]
		a, b := s.Points[i].addScaled(side, s.Radius), s.Points[next(i, s.Count)].addScaled(side, s.Radius)
		if at, met := raySide(from, d, a, b, side); met && (!ok || at < t) {
			n, t, ok = side, at, true
		}
	}
	if s.Radius == 0 {
		return n, t, ok
	}
	for _, p := range s.Points[:s.Count] {
		if pn, at, met := rayCircle(from.sub(p), to.sub(p), s.Radius); met && (!ok || at < t) {
			n, t, ok = pn, at, true
		}
	}
	return n, t, ok
}

// raySide meets the segment from a to b from the side of its normal.
func raySide(from, d, a, b, normal Vec) (t float64, ok bool) {
	towards, out := normal.dot(d), normal.dot(from.sub(a))
	if !(towards < 0) || out < 0 {
		return 0, false
	}
	t = -out / towards
	along := b.sub(a)
	at := from.addScaled(d, t).sub(a).dot(along)
	return t, t <= 1 && at >= 0 && at <= along.lengthSquared()
}

// rayCircle casts the ray at a circle about the origin. A ray from inside has no
// normal.
func rayCircle(from, to Vec, r float64) (n Vec, t float64, ok bool) {
	outside := from.lengthSquared() - float64(r*r)
	if outside <= 0 {
		return Vec{}, 0, true
	}
	d := to.sub(from)
	dd, along := d.lengthSquared(), from.dot(d)
	root := float64(along*along) - float64(dd*outside)
	if along >= 0 || root < 0 {
		return Vec{}, 0, false
	}
	t = (-along - math.Sqrt(root)) / dd
	if !(t <= 1) {
		return Vec{}, 0, false
	}
	n, _ = from.addScaled(d, t).normal()
	return n, max(t, 0), true
}

// rayPolygon clips the ray by each side. A ray from inside has no normal.
func rayPolygon(from, to Vec, s *Shape) (n Vec, t float64, ok bool) {
	d := to.sub(from)
	enter, leave := 0.0, 1.0
	for i := range s.Count {
		side := s.Normals[i]
		out, towards := side.dot(from.sub(s.Points[i])), side.dot(d)
		switch {
		case towards < 0:
			if at := -out / towards; at > enter || at == enter && out > 0 {
				enter, n = at, side
			}
		case towards > 0:
			leave = min(leave, -out/towards)
		case out > 0:
			return Vec{}, 0, false
		}
		if enter > leave {
			return Vec{}, 0, false
		}
	}
	return n, enter, true
}

// Nearest finds the body whose outline is nearest to p and at most within
// metres away; of two at the same distance the one with the lower key. The
// body with key ignore is not seen.
func (f *Finder) Nearest(p Vec, within float64, mask, ignore uint64) (best Found, ok bool) {
	if !p.finite() || !(within >= 0) {
		return best, false
	}
	round := stripOf(p, p, within)
	best.Distance = within
	f.each(&round, func(slot int32) {
		b, d, seen := f.visible(slot, mask, ignore)
		if !seen {
			return
		}
		far := d.reach + within + slop
		if b.CentreOfMass(d).sub(p).lengthSquared() > float64(far*far) {
			return
		}
		if !f.do(nearestWork * len(d.parts)) {
			return
		}
		q, distance := d.nearestTo(b.ToBody(p))
		if !(distance <= best.Distance) || ok && distance == best.Distance && b.Key > f.state.Bodies[best.Slot].Key {
			return
		}
		best, ok = Found{Slot: int(slot), Point: b.ToWorld(q), Distance: distance}, true
		if distance == 0 {
			best.Point = p
		}
	})
	if !ok {
		return Found{}, false
	}
	return best, true
}

// nearestTo is that of the nearest part.
func (d *Def) nearestTo(p Vec) (q Vec, distance float64) {
	q, distance = d.parts[0].nearestTo(p)
	for i := 1; i < len(d.parts); i++ {
		if pq, far := d.parts[i].nearestTo(p); far < distance {
			q, distance = pq, far
		}
	}
	return q, distance
}

// nearestTo returns the point of the shape nearest to p, in the body's frame,
// and how far it is: p itself and 0 if it lies inside.
func (s *Shape) nearestTo(p Vec) (q Vec, distance float64) {
	if s.Kind == Circle {
		n, length := p.sub(s.Points[0]).normal()
		if length <= s.Radius {
			return p, 0
		}
		return s.Points[0].addScaled(n, s.Radius), length - s.Radius
	}
	q, distance = s.nearestOfHull(p)
	if distance <= s.Radius {
		return p, 0
	}
	if s.Radius > 0 {
		n, _ := p.sub(q).normal()
		return q.addScaled(n, s.Radius), distance - s.Radius
	}
	return q, distance
}

func (s *Shape) nearestOfHull(p Vec) (q Vec, distance float64) {
	best := -1.0
	for i := range s.Count {
		a := s.Points[i]
		if s.Count > 2 && s.Normals[i].dot(p.sub(a)) <= 0 {
			continue
		}
		on := toSegment(p, segment{a: a, b: s.Points[next(i, s.Count)]})
		if dd := on.sub(p).lengthSquared(); best < 0 || dd < best {
			q, best = on, dd
		}
	}
	if best < 0 {
		return p, 0
	}
	return q, math.Sqrt(best)
}
