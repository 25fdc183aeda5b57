package physics

import (
	"cmp"
	"slices"
)

// OverlapCircle appends the slots of the bodies that touch a circle of radius
// r metres about c, in the order of their keys.
func OverlapCircle(s *State, defs []Def, c Vec, r float64, mask uint64, out []int32) []int32 {
	if !c.finite() || !(r >= 0) {
		return out
	}
	start := len(out)
	for slot := range s.Bodies {
		b, d, seen := s.visible(slot, defs, mask, 0)
		if !seen {
			continue
		}
		far := d.radius() + r + slop
		if b.CentreOfMass(d).sub(c).lengthSquared() > float64(far*far) {
			continue
		}
		if _, distance := d.nearestTo(b.ToBody(c)); distance <= r {
			out = append(out, int32(slot))
		}
	}
	s.sortByKey(out[start:])
	return out
}

// OverlapBox appends the slots of the bodies that touch a box of full size w
// by h metres about c, turned by angle radians, in the order of their keys.
func OverlapBox(s *State, defs []Def, c Vec, w, h, angle float64, mask uint64, out []int32) []int32 {
	if !(w >= 0) || !(h >= 0) {
		return out
	}
	box := BoxShape(w, h)
	return s.overlaps(defs, &box, c, angle, mask, out)
}

// OverlapShape appends the slots of the bodies that touch a shape, a polygon
// say, with its origin at a place and turned by angle radians, in the order of
// their keys. A shape that Def.Prepare would refuse touches nothing.
func OverlapShape(s *State, defs []Def, shape *Shape, at Vec, angle float64, mask uint64, out []int32) []int32 {
	if shape.Check() != nil {
		return out
	}
	return s.overlaps(defs, shape, at, angle, mask, out)
}

func (s *State) overlaps(defs []Def, shape *Shape, at Vec, angle float64, mask uint64, out []int32) []int32 {
	if !at.finite() || !finite(angle) {
		return out
	}
	start := len(out)
	p := castCorners(shape, angle)
	reach := p.farthest()
	for slot := range s.Bodies {
		b, d, seen := s.visible(slot, defs, mask, 0)
		if !seen {
			continue
		}
		apart := b.CentreOfMass(d).sub(at)
		far := d.radius() + reach + slop
		if apart.lengthSquared() <= float64(far*far) && b.touches(d, &p, apart) {
			out = append(out, int32(slot))
		}
	}
	s.sortByKey(out[start:])
	return out
}

// touches reports whether a part of the body, whose centre of mass is apart
// from p's origin, touches p.
func (b *Body) touches(d *Def, p *corners, apart Vec) bool {
	var q corners
	for i := range d.pieces() {
		q.turn(&d.pieces()[i], d.centreOfMass(), b.Cos, b.Sin)
		if p.sharePoint(&q, apart) {
			return true
		}
	}
	return false
}

// sharePoint reports whether p and q at d touch.
func (p *corners) sharePoint(q *corners, d Vec) bool {
	if p.count > 2 && q.count > 2 && p.radius == 0 && q.radius == 0 {
		_, pq := p.bestSide(q, d, 0)
		_, qp := q.bestSide(p, d.neg(), 0)
		return pq <= 0 && qp <= 0 // no side parts them
	}
	_, _, gap := p.partGap(q, d)
	return gap <= p.radius+q.radius
}

func (s *State) sortByKey(slots []int32) {
	slices.SortFunc(slots, func(a, b int32) int { return cmp.Compare(s.Bodies[a].Key, s.Bodies[b].Key) })
}
