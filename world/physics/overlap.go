package physics

import (
	"cmp"
	"slices"
)

// OverlapCircle appends the slots of the bodies that touch a circle of radius
// r metres about c, in the order of their keys.
func (f *Finder) OverlapCircle(c Vec, r float64, mask uint64, out []int32) []int32 {
	if !c.finite() || !(r >= 0) {
		return out
	}
	start := len(out)
	round := stripOf(c, c, r)
	f.each(&round, func(slot int32) {
		b, d, seen := f.visible(slot, mask, 0)
		if !seen {
			return
		}
		far := d.radius() + r + slop
		if b.CentreOfMass(d).sub(c).lengthSquared() > float64(far*far) {
			return
		}
		if !f.do(nearestWork * len(d.parts)) {
			return
		}
		if _, distance := d.nearestTo(b.ToBody(c)); distance <= r {
			out = append(out, slot)
		}
	})
	f.state.sortByKey(out[start:])
	return out
}

// OverlapBox appends the slots of the bodies that touch a box of full size w
// by h metres about c, turned by angle radians, in the order of their keys.
func (f *Finder) OverlapBox(c Vec, w, h, angle float64, mask uint64, out []int32) []int32 {
	if !(w >= 0) || !(h >= 0) {
		return out
	}
	box := BoxShape(w, h)
	return f.overlaps(&box, c, angle, mask, out)
}

// OverlapShape appends the slots of the bodies that touch a shape, a polygon
// say, with its origin at a place and turned by angle radians, in the order of
// their keys. A shape that Def.Prepare would refuse touches nothing.
func (f *Finder) OverlapShape(shape *Shape, at Vec, angle float64, mask uint64, out []int32) []int32 {
	if shape.Check() != nil {
		return out
	}
	return f.overlaps(shape, at, angle, mask, out)
}

func (f *Finder) overlaps(shape *Shape, at Vec, angle float64, mask uint64, out []int32) []int32 {
	if !at.finite() || !finite(angle) {
		return out
	}
	start := len(out)
	p := castCorners(shape, angle)
	box := p.boxAt(at)
	reach := p.farthest()
	f.each(&box, func(slot int32) {
		b, d, seen := f.visible(slot, mask, 0)
		if !seen {
			return
		}
		apart := b.CentreOfMass(d).sub(at)
		far := d.radius() + reach + slop
		if apart.lengthSquared() > float64(far*far) {
			return
		}
		if !f.do(touchWork * len(d.pieces())) {
			return
		}
		if b.touches(d, &p, apart) {
			out = append(out, slot)
		}
	})
	f.state.sortByKey(out[start:])
	return out
}

// boxAt returns the box around corners whose origin is at a place.
func (p *corners) boxAt(at Vec) strip {
	lo, hi := p.points[0], p.points[0]
	for _, c := range p.points[1:p.count] {
		lo, hi = Vec{min(lo.X, c.X), min(lo.Y, c.Y)}, Vec{max(hi.X, c.X), max(hi.Y, c.Y)}
	}
	return strip{area: area{at.X + lo.X - p.radius, at.Y + lo.Y - p.radius, at.X + hi.X + p.radius,
		at.Y + hi.Y + p.radius}}
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
