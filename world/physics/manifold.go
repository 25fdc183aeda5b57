package physics

import "math"

// speculative is how far apart, in metres, two outlines already make a
// manifold. Bodies that close in on each other make one from further away.
const speculative = 4 * slop

// outline is a body as the narrow phase sees it, turned as it stands at the
// start of the step. All points are relative to the centre of mass.
type outline struct {
	Centre Vec // of mass, in the world
	V      Vec // expected velocity in this step, m/s
	W      float64
	Def    *Def
	First  int32   // index of its first part among all
	Cos    float64 // of the angle
	Sin    float64
	Slot   int32
	Kind   BodyType
	Asleep bool
}

// isFixed reports whether nothing pushes the body in this step.
func isFixed(o *outline) bool { return o.Kind != Dynamic || o.Asleep }

// moves reports whether the step moves the body.
func moves(o *outline) bool { return o.Kind >= Kinematic && !o.Asleep }

// canChange reports whether a pair can change in this step: if not, its contact,
// should it have one, stays as it is.
func canChange(a, b *outline) bool {
	return !isFixed(a) || !isFixed(b) || a.Def.Sensor || b.Def.Sensor
}

// leavesContact reports whether a body leaves a contact as it is.
func leavesContact(o *outline, c *Contact) bool {
	switch o.Kind {
	case Dynamic:
		return o.Asleep
	case Kinematic:
		return c.Flags&SensorContact == 0
	}
	return true
}

// swept returns the box of what the body can reach in a step of dt seconds.
func swept(o *outline, dt float64) (lo, hi Vec) {
	reach := o.Def.radius() + speculative
	lo = Vec{o.Centre.X - reach, o.Centre.Y - reach}
	hi = Vec{o.Centre.X + reach, o.Centre.Y + reach}
	move := o.V.scale(dt)
	if move.X < 0 {
		lo.X += move.X
	} else {
		hi.X += move.X
	}
	if move.Y < 0 {
		lo.Y += move.Y
	} else {
		hi.Y += move.Y
	}
	return lo, hi
}

// corners are a shape's points and outward edge normals, turned: a circle has
// one point, a capsule and a segment two, and the outline is radius away from
// the hull of the points. Of a link, ghosts are the points before and after.
type corners struct {
	Count   int // 0: not filled yet
	Kind    ShapeKind
	Link    linkEnds
	Box     bool // four sides, of which two and two are parallel
	Radius  float64
	Points  [MaxPoints]Vec
	Normals [MaxPoints]Vec
}

// turnedCorners returns the corners of a body's part, and fills them the first time.
func turnedCorners(o *outline, c *corners, part int32) *corners {
	if c.Count == 0 {
		turnShape(c, &o.Def.pieces()[part], o.Def.centreOfMass(), o.Cos, o.Sin)
	}
	return c
}

// turnShape fills c with the shape, turned by cos and sin about the body's origin,
// relative to the centre of mass.
func turnShape(c *corners, s *Shape, centre Vec, cos, sin float64) {
	c.Count, c.Kind, c.Radius, c.Link = s.Count, s.Kind, s.Radius, s.linked()
	if s.Kind == Circle {
		c.Count, c.Box = 1, false
		if s.Points[0] == centre {
			c.Points[0] = Vec{}
			return
		}
	}
	c.Box = s.Count == 4 && s.Normals[2] == s.Normals[0].neg() && s.Normals[3] == s.Normals[1].neg()
	for i := range c.Count {
		c.Points[i] = s.Points[i].sub(centre).rotate(cos, sin)
		c.Normals[i] = s.Normals[i].rotate(cos, sin)
	}
	if s.Kind == Link {
		c.Points[2], c.Points[3] = s.Points[2].sub(centre).rotate(cos, sin), s.Points[3].sub(centre).rotate(cos, sin)
	}
}

// boundsOf returns the box of the outline about centre.
func boundsOf(c *corners, centre Vec) (lo, hi Vec) {
	lo, hi = c.Points[0], c.Points[0]
	for _, p := range c.Points[1:c.Count] {
		lo.X, lo.Y = min(lo.X, p.X), min(lo.Y, p.Y)
		hi.X, hi.Y = max(hi.X, p.X), max(hi.Y, p.Y)
	}
	skin := Vec{c.Radius, c.Radius}
	return lo.sub(skin).add(centre), hi.add(skin).add(centre)
}

// manifold is where two outlines touch or soon may: up to two points and one
// normal, from A to B.
type manifold struct {
	Normal Vec
	Count  int
	Points [2]manifoldPoint
	Round  float64 // how far apart, in metres, the two features that met are when they touch, if both are points or circles; otherwise -1
}

// manifoldPoint lies midway between the two outlines, relative to A's centre
// of mass.
type manifoldPoint struct {
	At         Vec
	Separation float64 // metres, below 0 where they overlap
	ID         uint16
}

// apart returns where b lies from a, and how near outlines must be that can come
// together in dt seconds. Those of the two are not if their circles are so far
// apart that rounding does not matter.
func apart(a, b *outline, dt float64) (d Vec, limit float64, near bool) {
	d = b.Centre.sub(a.Centre)
	limit = speculative + float64(dt*closingBound(a, b))
	reach := a.Def.radius() + b.Def.radius() + limit
	return d, limit, !(d.lengthSquared() > float64(1.0001*float64(reach*reach)))
}

// meet fills m with the points of p and q, at d from p, that are nearer than
// limit.
func meet(m *manifold, p, q *corners, d Vec, limit float64) {
	m.Count, m.Round = 0, -1
	switch {
	case p.Count == 1 && q.Count == 1:
		at := p.Points[0]
		collideCircles(m, p.Radius, q.Radius, d.add(q.Points[0]).sub(at), limit)
		shiftPoints(m, at)
	case q.Count == 1:
		collidePolygonCircle(m, p, q.Radius, d.add(q.Points[0]), limit)
	case p.Count == 1:
		at := p.Points[0]
		collidePolygonCircle(m, q, p.Radius, at.sub(d), limit)
		mirror(m, d)
	default:
		collidePolygons(m, p, q, d, limit)
	}
	if p.Kind == Link || q.Kind == Link {
		smooth(m, p, q, d, limit)
	}
}

// shiftPoints moves the points of a manifold.
func shiftPoints(m *manifold, by Vec) {
	for i := range m.Count {
		m.Points[i].At = m.Points[i].At.add(by)
	}
}

// closingBound returns a speed that no two points of a and b close in with.
func closingBound(a, b *outline) float64 {
	return b.V.sub(a.V).length() + float64(math.Abs(a.W)*a.Def.radius()) + float64(math.Abs(b.W)*b.Def.radius())
}

// mirror turns a manifold from B to A into one from A to B; d leads from A's
// centre to B's.
func mirror(m *manifold, d Vec) {
	m.Normal = m.Normal.neg()
	for i := range m.Count {
		m.Points[i].At = m.Points[i].At.add(d)
	}
}

// dropMisses drops the points that will not touch within the step: those
// beyond the speculative distance that do not close in fast enough, and
// corners and circles that pass each other by.
func dropMisses(m *manifold, a, b *outline, d Vec, dt float64) {
	kept := 0
	for i := range m.Count {
		p := &m.Points[i]
		if p.Separation > speculative && misses(m, p, a, b, d, dt) {
			continue
		}
		if kept < i {
			m.Points[kept] = *p
		}
		kept++
	}
	m.Count = kept
}

// moveAt returns how far B moves against A at a point within the step.
func moveAt(p *manifoldPoint, a, b *outline, d Vec, dt float64) Vec {
	rb := p.At.sub(d)
	return Vec{
		(b.V.X - float64(b.W*rb.Y)) - (a.V.X - float64(a.W*p.At.Y)),
		(b.V.Y + float64(b.W*rb.X)) - (a.V.Y + float64(a.W*p.At.X)),
	}.scale(dt)
}

// hits reports whether the bodies overlap or will within the step.
func hits(m *manifold, a, b *outline, dt float64) bool {
	d := b.Centre.sub(a.Centre)
	for i := range m.Count {
		p := &m.Points[i]
		if p.Separation <= 0 || p.Separation+moveAt(p, a, b, d, dt).dot(m.Normal) <= 0 {
			return true
		}
	}
	return false
}

func misses(m *manifold, p *manifoldPoint, a, b *outline, d Vec, dt float64) bool {
	move := moveAt(p, a, b, d, dt)
	if p.Separation+move.dot(m.Normal) > speculative {
		return true
	}
	if m.Round < 0 {
		return false
	}
	between := m.Normal.scale(p.Separation + m.Round)
	t := clamp(-between.dot(move)/move.lengthSquared(), 0, 1)
	return between.addScaled(move, t).length() > m.Round+speculative
}
