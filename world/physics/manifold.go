package physics

import "math"

// speculative is how far apart, in metres, two outlines already make a
// manifold. Bodies that close in on each other make one from further away.
const speculative = 4 * slop

// outline is a body as the narrow phase sees it, turned as it stands at the
// start of the step. All points are relative to the centre of mass.
type outline struct {
	centre Vec // of mass, in the world
	v      Vec // expected velocity in this step, m/s
	w      float64
	def    *Def
	first  int32   // index of its first part among all
	cos    float64 // of the angle
	sin    float64
	slot   int32
	kind   BodyType
	asleep bool
}

// isFixed reports whether nothing pushes the body in this step.
func (o *outline) isFixed() bool { return o.kind != Dynamic || o.asleep }

// moves reports whether the step moves the body.
func (o *outline) moves() bool { return o.kind >= Kinematic && !o.asleep }

// canChange reports whether a pair can change in this step: if not, its contact,
// should it have one, stays as it is.
func (a *outline) canChange(b *outline) bool {
	return !a.isFixed() || !b.isFixed() || a.def.Sensor || b.def.Sensor
}

// isIdle reports whether the step does not move the body whatever its velocity.
func (o *outline) isIdle() bool { return o.kind < Kinematic || o.asleep }

// isSensor reports whether the body is a sensor. One whose Def is not known is none.
func (o *outline) isSensor() bool { return o.def != nil && o.def.Sensor }

// leaveContact reports whether two bodies leave a contact as it is. One of a kinematic body, which another may have
// become, is left if neither is a sensor.
func (a *outline) leaveContact(b *outline, c *Contact) bool {
	return a.isFixed() && b.isFixed() &&
		(a.isIdle() && b.isIdle() || c.Flags&SensorContact == 0 && !a.isSensor() && !b.isSensor())
}

// swept returns the box of what the body can reach in a step of dt seconds.
func (o *outline) swept(dt float64) (lo, hi Vec) {
	reach := o.def.radius() + speculative
	lo = Vec{o.centre.X - reach, o.centre.Y - reach}
	hi = Vec{o.centre.X + reach, o.centre.Y + reach}
	move := o.v.scale(dt)
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
	count   int // 0: not filled yet
	kind    ShapeKind
	link    linkEnds
	box     bool // four sides, of which two and two are parallel
	radius  float64
	points  [MaxPoints]Vec
	normals [MaxPoints]Vec
}

// turnedCorners returns the corners of a body's part, and fills them the first time.
func (o *outline) turnedCorners(c *corners, part int32) *corners {
	if c.count == 0 {
		c.turn(&o.def.pieces()[part], o.def.centreOfMass(), o.cos, o.sin)
	}
	return c
}

// turn fills c with the shape, turned by cos and sin about the body's origin,
// relative to the centre of mass.
func (c *corners) turn(s *Shape, centre Vec, cos, sin float64) {
	c.count, c.kind, c.radius, c.link = s.Count, s.Kind, s.Radius, s.linked()
	if s.Kind == Circle {
		c.count, c.box = 1, false
		if s.Points[0] == centre {
			c.points[0] = Vec{}
			return
		}
	}
	c.box = s.Count == 4 && s.Normals[2] == s.Normals[0].neg() && s.Normals[3] == s.Normals[1].neg()
	for i := range c.count {
		c.points[i] = s.Points[i].sub(centre).rotate(cos, sin)
		c.normals[i] = s.Normals[i].rotate(cos, sin)
	}
	if s.Kind == Link {
		c.points[2], c.points[3] = s.Points[2].sub(centre).rotate(cos, sin), s.Points[3].sub(centre).rotate(cos, sin)
	}
}

// bounds returns the box of the outline about centre.
func (c *corners) bounds(centre Vec) (lo, hi Vec) {
	lo, hi = c.points[0], c.points[0]
	for _, p := range c.points[1:c.count] {
		lo.X, lo.Y = min(lo.X, p.X), min(lo.Y, p.Y)
		hi.X, hi.Y = max(hi.X, p.X), max(hi.Y, p.Y)
	}
	skin := Vec{c.radius, c.radius}
	return lo.sub(skin).add(centre), hi.add(skin).add(centre)
}

// manifold is where two outlines touch or soon may: up to two points and one
// normal, from A to B.
type manifold struct {
	normal Vec
	count  int
	points [2]manifoldPoint
	// how far apart, in metres, the two features that met are when they touch, if both are points or circles;
	// otherwise -1
	round float64
}

// manifoldPoint lies midway between the two outlines, relative to A's centre
// of mass.
type manifoldPoint struct {
	at         Vec
	separation float64 // metres, below 0 where they overlap
	id         uint16
}

// apart returns where b lies from a, and how near outlines must be that can come
// together in dt seconds. Those of the two are not if their circles are so far
// apart that rounding does not matter.
func (a *outline) apart(b *outline, dt float64) (d Vec, limit float64, near bool) {
	d = b.centre.sub(a.centre)
	limit = speculative + float64(dt*a.closingBound(b))
	reach := a.def.radius() + b.def.radius() + limit
	return d, limit, !(d.lengthSquared() > float64(1.0001*float64(reach*reach)))
}

// meet fills m with the points of p and q, at d from p, that are nearer than
// limit.
func (m *manifold) meet(p, q *corners, d Vec, limit float64) {
	m.count, m.round = 0, -1
	switch {
	case p.count == 1 && q.count == 1:
		at := p.points[0]
		m.collideCircles(p.radius, q.radius, d.add(q.points[0]).sub(at), limit)
		m.shiftPoints(at)
	case q.count == 1:
		m.collidePolygonCircle(p, q.radius, d.add(q.points[0]), limit)
	case p.count == 1:
		at := p.points[0]
		m.collidePolygonCircle(q, p.radius, at.sub(d), limit)
		m.mirror(d)
	default:
		m.collidePolygons(p, q, d, limit)
	}
	if p.kind == Link || q.kind == Link {
		m.smooth(p, q, d, limit)
	}
}

// shiftPoints moves the points of a manifold.
func (m *manifold) shiftPoints(by Vec) {
	for i := range m.count {
		m.points[i].at = m.points[i].at.add(by)
	}
}

// closingBound returns a speed that no two points of a and b close in with.
func (a *outline) closingBound(b *outline) float64 {
	return b.v.sub(a.v).length() + float64(math.Abs(a.w)*a.def.radius()) + float64(math.Abs(b.w)*b.def.radius())
}

// mirror turns a manifold from B to A into one from A to B; d leads from A's
// centre to B's.
func (m *manifold) mirror(d Vec) {
	m.normal = m.normal.neg()
	for i := range m.count {
		m.points[i].at = m.points[i].at.add(d)
	}
}

// dropMisses drops the points that will not touch within the step: those
// beyond the speculative distance that do not close in fast enough, and
// corners and circles that pass each other by.
func (m *manifold) dropMisses(a, b *outline, d Vec, dt float64) {
	kept := 0
	for i := range m.count {
		p := &m.points[i]
		if p.separation > speculative && m.misses(p, a, b, d, dt) {
			continue
		}
		if kept < i {
			m.points[kept] = *p
		}
		kept++
	}
	m.count = kept
}

// moveAt returns how far B moves against A at a point within the step.
func (p *manifoldPoint) moveAt(a, b *outline, d Vec, dt float64) Vec {
	rb := p.at.sub(d)
	return Vec{
		(b.v.X - float64(b.w*rb.Y)) - (a.v.X - float64(a.w*p.at.Y)),
		(b.v.Y + float64(b.w*rb.X)) - (a.v.Y + float64(a.w*p.at.X)),
	}.scale(dt)
}

// hits reports whether the bodies overlap or will within the step.
func (m *manifold) hits(a, b *outline, dt float64) bool {
	d := b.centre.sub(a.centre)
	for i := range m.count {
		p := &m.points[i]
		if p.separation <= 0 || p.separation+p.moveAt(a, b, d, dt).dot(m.normal) <= 0 {
			return true
		}
	}
	return false
}

func (m *manifold) misses(p *manifoldPoint, a, b *outline, d Vec, dt float64) bool {
	move := p.moveAt(a, b, d, dt)
	if p.separation+move.dot(m.normal) > speculative {
		return true
	}
	if m.round < 0 {
		return false
	}
	between := m.normal.scale(p.separation + m.round)
	t := clamp(-between.dot(move)/move.lengthSquared(), 0, 1)
	return between.addScaled(move, t).length() > m.round+speculative
}

// touchReach is how far apart, in metres, two outlines may be that still count as touching for ContactPoints: after a
// step they may have moved.
const touchReach = 10 * speculative

// ContactPoints appends the points in the world in which the bodies of a contact of s touch.
func ContactPoints(s *State, defs []Def, c *Contact, out []Vec) []Vec {
	if c.Count == 0 || c.Gone() {
		return out
	}
	a, b := &s.Bodies[c.SlotA], &s.Bodies[c.SlotB]
	da, db := &defs[a.Def], &defs[b.Def]
	var p, q corners
	p.turn(&da.pieces()[c.PartA], da.centreOfMass(), a.Cos, a.Sin)
	q.turn(&db.pieces()[c.PartB], db.centreOfMass(), b.Cos, b.Sin)
	at := a.CentreOfMass(da)
	var m manifold
	m.meet(&p, &q, b.CentreOfMass(db).sub(at), touchReach)
	for i := range m.count {
		out = append(out, at.add(m.points[i].at))
	}
	return out
}
