package physics

import "fmt"

// CircleAt returns a circle of radius r metres about c.
func CircleAt(c Vec, r float64) Shape {
	return Shape{Kind: Circle, Radius: r, Points: [MaxPoints]Vec{c}}
}

// BoxAt returns a box of full width w and height h metres about c, turned by angle
// radians.
func BoxAt(c Vec, w, h, angle float64) Shape {
	s, at := BoxShape(w, h), NewBody(0, 0, c, angle)
	for i := range s.Count {
		s.Points[i] = at.ToWorld(s.Points[i])
		s.Normals[i] = s.Normals[i].rotate(at.Cos, at.Sin)
	}
	return s
}

// Rounded returns a polygon whose outline is r metres further out.
func (s Shape) Rounded(r float64) Shape {
	s.Radius = r
	return s
}

// CapsuleShape returns all points within r metres of the line from a to b.
func CapsuleShape(a, b Vec, r float64) Shape {
	s := SegmentShape(a, b)
	s.Kind, s.Radius = Capsule, r
	return s
}

// SegmentShape returns a line from a to b, hit from both sides. Only bodies that
// are not dynamic can have it.
func SegmentShape(a, b Vec) Shape {
	along := b.sub(a)
	n, _ := Vec{along.Y, -along.X}.normal()
	return Shape{Kind: Segment, Count: 2, Points: [MaxPoints]Vec{a, b}, Normals: [MaxPoints]Vec{n, n.neg()}}
}

// linkEnds returns which ends of a link have a neighbour.
type linkEnds uint8

const (
	linkBefore linkEnds = 1 << iota
	linkAfter
)

// ChainShapes makes the links of a line through the points, to be the Shapes
// of a body that is not dynamic. A chain is hit from the right as one goes from
// point to point: a loop counter-clockwise from the outside, a floor listed
// from right to left from above. What slides along it does not catch on its
// inner points. loop joins the last point to the first. It returns an error that wraps
// ErrShape for too few or too many points, and for points that are too near each other.
func ChainShapes(points []Vec, loop bool) ([]Shape, error) {
	n := len(points)
	if n < 2 || loop && n < 3 {
		return nil, fmt.Errorf("%w: a chain of %d points: it has at least 2, a loop 3", ErrShape, n)
	}
	links := n - 1
	if loop {
		links = n
	}
	if links > MaxParts {
		return nil, fmt.Errorf("%w: a chain of %d links: a body has at most %d", ErrShape, links, MaxParts)
	}
	shapes := make([]Shape, 0, links)
	for i := range links {
		s := SegmentShape(points[i], points[(i+1)%n])
		s.Kind = Link
		if loop || i > 0 {
			s.link |= linkBefore
			s.Points[2] = points[(i+n-1)%n]
		}
		if loop || i+2 < n {
			s.link |= linkAfter
			s.Points[3] = points[(i+2)%n]
		}
		if err := s.Check(); err != nil {
			return nil, fmt.Errorf("link %d: %w", i+1, err)
		}
		shapes = append(shapes, s)
	}
	return shapes, nil
}

// checkLine refuses capsules, segments and links that are too short or whose
// normals are wrong.
func (s *Shape) checkLine() error {
	if s.Count != 2 {
		return fmt.Errorf("%w: %d points, a capsule or segment has 2", ErrShape, s.Count)
	}
	for i, p := range s.Points[:4] {
		if err := checkPoint(i+1, p); err != nil {
			return err
		}
	}
	if s.Kind != Capsule && s.Radius != 0 {
		return fmt.Errorf("%w: a segment has no radius, not %v", ErrShape, s.Radius)
	}
	if l := s.Points[1].sub(s.Points[0]).length(); !(l >= slop) {
		return fmt.Errorf("%w: the ends are %v m apart: at least %v", ErrShape, l, slop)
	}
	if want := SegmentShape(s.Points[0], s.Points[1]); s.Normals != want.Normals {
		return fmt.Errorf("%w: wrong normals: use CapsuleShape, SegmentShape or ChainShapes", ErrShape)
	}
	return nil
}

// smooth takes out of a manifold with a link what a chain has not: hits from
// behind, and hits on the end of a link where the chain goes on.
func (m *manifold) smooth(p, q *corners, d Vec, limit float64) {
	if m.count == 0 {
		return
	}
	if p.kind == Link {
		m.smoothLink(p, q, d, limit)
		return
	}
	m.mirror(d.neg())
	m.swapIDs()
	m.smoothLink(q, p, d.neg(), limit)
	m.mirror(d)
	m.swapIDs()
}

func (m *manifold) swapIDs() {
	for i := range m.count {
		p := &m.points[i]
		p.id = p.id>>8 | p.id<<8
	}
}

// smoothLink does so for link p and the shape q at d.
func (m *manifold) smoothLink(p, q *corners, d Vec, limit float64) {
	n := p.normals[0]
	middle := Vec{}
	for i := range q.count {
		middle = middle.addScaled(q.points[i], 1/float64(q.count))
	}
	if n.dot(middle.add(d).sub(p.points[0])) < 0 {
		m.count = 0
		return
	}
	if p.admits(m.normal) {
		return
	}
	m.count, m.round = 0, -1
	along := Vec{-n.Y, n.X}
	lo, hi := along.dot(p.points[0]), along.dot(p.points[1])
	least, most := q.reachAlong(along, d)
	if least >= hi || most <= lo {
		return
	}
	if q.count == 1 {
		return // it is the neighbour's: a circle over the link itself has its normal
	}
	m.layFlat(p, q, n, d, limit)
}

// reachAlong returns the least and the greatest coordinate of the points along a direction.
func (c *corners) reachAlong(along, d Vec) (least, most float64) {
	for i := range c.count {
		at := along.dot(c.points[i].add(d))
		if i == 0 {
			least, most = at, at
		}
		least, most = min(least, at), max(most, at)
	}
	return least, most
}

// layFlat makes the manifold with the link's own side as the reference.
func (m *manifold) layFlat(p, q *corners, n, d Vec, limit float64) {
	skin := p.radius + q.radius
	ref, inc := p.sideOf(0, Vec{}), q.sideOf(q.facing(n), d)
	m.normal = n
	along := Vec{-n.Y, n.X}
	lower, upper := along.dot(ref.a), along.dot(ref.b)
	first, last := along.dot(inc.b), along.dot(inc.a)
	if last <= lower || first >= upper {
		return
	}
	m.keepPoint(n, ref.a, between(inc.b, inc.a, first, last, lower), id(ref.ia, inc.ib), limit+skin)
	m.keepPoint(n, ref.a, between(inc.a, inc.b, last, first, upper), id(ref.ib, inc.ia), limit+skin)
	m.thicken(skin, (p.radius-q.radius)/2)
}

// admits reports whether a hit in direction m is one that the link answers
// for. Beyond its first end that is its neighbour's, or no body's where the
// chain is hollow; beyond its second end it is the link's own, as far as the
// neighbour's normal.
func (c *corners) admits(m Vec) bool {
	const slack = 1e-9
	n := c.normals[0]
	if m.dot(n) < -slack {
		return false
	}
	along := Vec{-n.Y, n.X}
	switch side := m.dot(along); {
	case side < -slack:
		return c.link&linkBefore == 0
	case side > slack && c.link&linkAfter != 0:
		after := c.points[3].sub(c.points[1])
		next, _ := Vec{after.Y, -after.X}.normal()
		return along.cross(after) > 0 && m.cross(next) >= -slack
	}
	return true
}
