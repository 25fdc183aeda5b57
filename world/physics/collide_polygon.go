package physics

// parting is how much less separated the side of B must be, in metres, to be
// taken instead of A's: without it two nearly equal sides would take turns.
const parting = 0.1 * slop

// collidePolygons makes the manifold of polygon A and polygon B, whose centre
// lies at d from A's. The side that separates them best is the reference; the
// side of the other that faces it is clipped to its width. Separated polygons
// whose corners are nearest meet in one point. Radii are added at the end.
func (m *manifold) collidePolygons(a, b *corners, d Vec, limit float64) {
	skin := a.radius + b.radius
	m.collideHulls(a, b, d, limit+skin)
	if skin > 0 {
		m.thicken(skin, (a.radius-b.radius)/2)
	}
}

// thicken adds the radii of two hulls: skin is their sum, and shift how far
// the middle of the gap between the outlines is off that between the hulls.
func (m *manifold) thicken(skin, shift float64) {
	for i := range m.count {
		p := &m.points[i]
		p.at = p.at.addScaled(m.normal, shift)
		p.separation -= skin
	}
	if m.round >= 0 {
		m.round += skin
	}
}

func (m *manifold) collideHulls(a, b *corners, d Vec, limit float64) {
	edgeA, sepA := a.bestSide(b, d, limit)
	if sepA > limit {
		return
	}
	edgeB, sepB := b.bestSide(a, d.neg(), limit)
	if sepB > limit {
		return
	}
	if sepB > sepA+parting {
		m.clipSides(b, a, edgeB, d.neg(), sepB, limit)
		m.mirror(d)
		for i := range m.count {
			p := &m.points[i]
			p.id = p.id>>8 | p.id<<8
		}
		return
	}
	m.clipSides(a, b, edgeA, d, sepA, limit)
}

// bestSide returns the side of p that keeps q, at d, farthest out, and how far; or
// the first one that keeps it farther out than the limit.
func (p *corners) bestSide(q *corners, d Vec, limit float64) (side int, separation float64) {
	if p.box && q.count == 4 {
		return p.bestSideOfBox(q, d)
	}
	for i := range p.count {
		n := p.normals[i]
		least := n.dot(q.points[0])
		for j := 1; j < q.count; j++ {
			least = min(least, n.dot(q.points[j]))
		}
		if s := least - n.dot(p.points[i].sub(d)); i == 0 || s > separation {
			if side, separation = i, s; s > limit {
				break
			}
		}
	}
	return side, separation
}

// bestSideOfBox returns the side of a box that keeps four corners farthest out. The
// corner nearest to one side is farthest from the opposite one.
func (p *corners) bestSideOfBox(q *corners, d Vec) (side int, separation float64) {
	near, far := q.reachOfFour(p.normals[0])
	left, right := q.reachOfFour(p.normals[1])
	separation = near - p.normals[0].dot(p.points[0].sub(d))
	for i, least := range [...]float64{near, left, -far, -right} {
		if s := least - p.normals[i].dot(p.points[i].sub(d)); s > separation {
			side, separation = i, s
		}
	}
	return side, separation
}

// reachOfFour returns how far four corners reach along n, at least and at most.
func (c *corners) reachOfFour(n Vec) (least, most float64) {
	s, t, u, v := n.dot(c.points[0]), n.dot(c.points[1]), n.dot(c.points[2]), n.dot(c.points[3])
	return min(min(s, t), min(u, v)), max(max(s, t), max(u, v))
}

// facing returns the side of q whose normal points most against n.
func (q *corners) facing(n Vec) int {
	side, least := 0, n.dot(q.normals[0])
	for i := 1; i < q.count; i++ {
		if s := n.dot(q.normals[i]); s < least {
			side, least = i, s
		}
	}
	return side
}

// segment is two ends and the corners that they are.
type segment struct {
	a, b   Vec
	ia, ib int
}

func (p *corners) sideOf(i int, d Vec) segment {
	j := next(i, p.count)
	return segment{p.points[i].add(d), p.points[j].add(d), i, j}
}

// clipSides makes the manifold of the reference side of p against q at d. Ids
// are the corner of p in the high byte and of q in the low one.
func (m *manifold) clipSides(p, q *corners, side int, d Vec, separation, limit float64) {
	n := p.normals[side]
	ref := p.sideOf(side, Vec{})
	inc := q.sideOf(q.facing(n), d)
	apart := separation > parting || p.count == 2 && q.count == 2 && !crosses(ref, inc)
	slack := parting
	if p.radius+q.radius > 0 { // hulls lie far apart, where a small angle makes much
		slack = 1e-6
	}
	if apart && m.meetCorners(ref, inc, separation+slack, limit) {
		return
	}
	m.normal = n
	along := Vec{-n.Y, n.X}
	lower, upper := along.dot(ref.a), along.dot(ref.b)
	first, last := along.dot(inc.b), along.dot(inc.a) // the facing side runs the other way
	m.keepPoint(n, ref.a, between(inc.b, inc.a, first, last, lower), id(ref.ia, inc.ib), limit)
	m.keepPoint(n, ref.a, between(inc.a, inc.b, last, first, upper), id(ref.ib, inc.ia), limit)
}

// crosses reports whether two segments have a point in common that is no end.
func crosses(s, t segment) bool {
	along, other := s.b.sub(s.a), t.b.sub(t.a)
	ofT := along.cross(t.a.sub(s.a)) * along.cross(t.b.sub(s.a))
	ofS := other.cross(s.a.sub(t.a)) * other.cross(s.b.sub(t.a))
	return ofT < 0 && ofS < 0
}

// id names a pair of corners.
func id(a, b int) uint16 { return uint16(a<<8 | b) }

// between returns the end of a side, at coordinate from, moved towards the other
// end, at to, where it lies beyond the bound.
func between(end, other Vec, from, to, bound float64) Vec {
	if (bound-from)*(to-from) <= 0 || to == from {
		return end
	}
	t := min((bound-from)/(to-from), 1)
	return end.addScaled(other.sub(end), t)
}

// keepPoint adds a point of q to the manifold, unless it is too far out or where
// the first one is.
func (m *manifold) keepPoint(n, on, p Vec, id uint16, limit float64) {
	separation := n.dot(p.sub(on))
	if separation > limit {
		return
	}
	at := p.addScaled(n, -separation/2)
	if m.count == 1 && m.points[0].at.sub(at).lengthSquared() < slop*slop {
		return
	}
	m.points[m.count] = manifoldPoint{at: at, separation: separation, id: id}
	m.count++
}

// meetCorners makes a manifold of one point if the two nearest corners are
// really nearer than any side: that is, if they lie farther apart than the
// sides say, which is at most. It reports whether it settled the case.
func (m *manifold) meetCorners(ref, inc segment, most, limit float64) bool {
	on, off, ids := nearest(ref, inc)
	n, distance := off.sub(on).normal()
	if distance <= most {
		return false
	}
	if distance <= limit {
		m.normal, m.round, m.count = n, 0, 1
		m.points[0] = manifoldPoint{at: on.add(off).scale(0.5), separation: distance, id: ids}
	}
	return true
}

// nearest returns the nearest points of two segments that do not cross.
func nearest(ref, inc segment) (on, off Vec, ids uint16) {
	best := -1.0
	try := func(p, q Vec, name uint16) {
		if dd := q.sub(p).lengthSquared(); best < 0 || dd < best {
			best, on, off, ids = dd, p, q, name
		}
	}
	try(toSegment(inc.a, ref), inc.a, id(ref.ia, inc.ia))
	try(toSegment(inc.b, ref), inc.b, id(ref.ia, inc.ib))
	try(ref.a, toSegment(ref.a, inc), id(ref.ia, inc.ia))
	try(ref.b, toSegment(ref.b, inc), id(ref.ib, inc.ia))
	return on, off, ids
}

// toSegment returns the point of s nearest to p.
func toSegment(p Vec, s segment) Vec {
	along := s.b.sub(s.a)
	t := p.sub(s.a).dot(along) / along.lengthSquared()
	switch {
	case !(t > 0):
		return s.a
	case t >= 1:
		return s.b
	}
	return s.a.addScaled(along, t)
}
