package physics

import (
	"math"
	"slices"

	"github.com/hindcast/hindcast/world/detmath"
)

// Continuous collision. Contacts are made for what a body may meet with the
// velocities at the start of a step; this is for what they cannot see: a body
// that is struck in the step, and one that spins. A body that moved far for
// its size is taken back along its way, as a straight line and an even turn,
// to where its kernel first met a static body: the kernel is its shape, half as
// thick, so that what slides, rests or grazes is left alone and contacts do
// the rest. It is alone in that, so nothing ties islands together. A bullet is
// also taken back to where it met moving bodies near it; they are not changed.

const (
	touchGap    = 0.1 * slop // metres at which two outlines count as meeting
	leastGap    = 1e-9       // metres: nearer than twice this they overlap
	impactSteps = 32
	stuck       = 1.0 / 64 // share of the way within which a body was there from the start
)

// sweepFast shortens the ways of bodies that would pass through others.
func (sv *Solver) sweepFast(pairs []uint64) {
	bullets := false
	for rank := range sv.bodies.Outlines {
		o, m := &sv.bodies.Outlines[rank], &sv.bodies.Moving[rank]
		if o.Kind != Dynamic || o.Asleep || o.Def.Sensor || !m.D.finite() || !finite(m.Turn) || !m.isFast(o.Def) {
			continue
		}
		bullets = bullets || o.Def.Bullet
		if hit := sv.firstImpact(int32(rank)); hit.t < 1 {
			m.shorten(hit.t)
			m.stop(hit)
		}
	}
	if bullets {
		sv.sweepBullets(pairs)
	}
}

// isFast reports whether a body moved so far that it could have passed through something thin.
func (m *movement) isFast(d *Def) bool {
	return m.D.length()+float64(math.Abs(m.Turn)*d.radius()) > d.thickness()/2
}

// meeting is an impact: its time as a share of the way, its point from the centre of mass of one
// body, and the direction in which the other body is.
type meeting struct {
	t      float64
	at     Vec
	normal Vec
}

func (a meeting) orEarlier(b meeting) meeting {
	if b.t < a.t {
		return b
	}
	return a
}

// stop removes the approach from the velocity of a body that met a static one where it already was
// at the start of the step. Contacts could not stop it, because they are straight.
func (m *movement) stop(hit meeting) {
	if hit.t > stuck {
		return
	}
	lever := hit.at.cross(hit.normal)
	approach := m.V.dot(hit.normal) + float64(m.W*lever)
	k := m.InvM + float64(m.InvI*float64(lever*lever))
	if approach > 0 && k > 0 {
		impulse := approach / k
		m.V = m.V.addScaled(hit.normal, -float64(impulse*m.InvM))
		m.W -= float64(float64(impulse*m.InvI) * lever)
	}
}

func (m *movement) shorten(t float64) {
	m.D = m.D.scale(t)
	m.Turn = float64(m.Turn * t)
}

// firstImpact returns when a body first meets a static one: at 1 if it meets none.
func (sv *Solver) firstImpact(rank int32) meeting {
	o, m := &sv.bodies.Outlines[rank], &sv.bodies.Moving[rank]
	way := sv.bp.wayBox(o.Centre, m.D, o.Def.radius())
	way.Rank = rank
	sv.ways = append(sv.ways, way)
	first := meeting{t: 1}
	for i := range sv.bp.statics {
		b := &sv.bp.statics[i]
		if b.Lo > way.Hi {
			break
		}
		if b.Kind != Static || b.Sensor || b.Hi < way.Lo || !b.crosses(&way) {
			continue
		}
		other := &sv.bodies.Outlines[b.Rank]
		if o.Def.meets(other.Def) && !sv.joints.keepApart(rank, b.Rank) {
			_, q := sv.bodies.turned(b.Part)
			first = first.orEarlier(sv.impactWith(rank, q, other.Centre))
		}
	}
	return first
}

// impactWith returns when any part of a body meets q about centre, which does not move.
func (sv *Solver) impactWith(rank int32, q *corners, centre Vec) meeting {
	o, m := &sv.bodies.Outlines[rank], &sv.bodies.Moving[rank]
	first := meeting{t: 1}
	for i := range o.Def.pieceKernels() {
		p := o.kernel(int32(i))
		first = first.orEarlier(impact(&p, m, o.Def.radius(), q, &movement{}, centre.sub(o.Centre)))
	}
	return first
}

// kernel is that of a part, turned.
func (o *outline) kernel(part int32) (c corners) {
	c.turn(&o.Def.pieceKernels()[part], o.Def.centreOfMass(), o.Cos, o.Sin)
	return c
}

// sweepBullets shortens the ways of bullets that would pass through a moving
// body whose box their own met at the start of the step.
func (sv *Solver) sweepBullets(pairs []uint64) {
	sv.cuts = sv.cuts[:0]
	for _, packed := range pairs {
		pa, pb := int32(packed>>32), int32(uint32(packed))
		a, b := sv.bodies.Parts[pa].Rank, sv.bodies.Parts[pb].Rank
		oa, ob := &sv.bodies.Outlines[a], &sv.bodies.Outlines[b]
		if !oa.Def.Bullet && !ob.Def.Bullet || oa.Def.Sensor || ob.Def.Sensor || !oa.moves() || !ob.moves() ||
			sv.joints.keepApart(a, b) {
			continue
		}
		if oa.Def.Bullet {
			sv.meetBullet(a, sv.bodies.Parts[pa].Index, b, pb)
		}
		if ob.Def.Bullet {
			sv.meetBullet(b, sv.bodies.Parts[pb].Index, a, pa)
		}
	}
	// Only now, so that each sees the whole ways of the others.
	slices.SortStableFunc(sv.cuts, func(x, y cut) int {
		if x.t < y.t {
			return -1
		}
		return int(math.Copysign(1, x.t-y.t))
	})
	for _, c := range sv.cuts {
		if m := &sv.bodies.Moving[c.bullet]; !m.Cut {
			m.shorten(c.t)
			m.Cut = true
		}
	}
}

// cut is an impact of a bullet.
type cut struct {
	bullet int32
	t      float64
}

// meetBullet notes when a part of a bullet meets a part of a moving body.
func (sv *Solver) meetBullet(bullet, part, other, otherPart int32) {
	o, m := &sv.bodies.Outlines[bullet], &sv.bodies.Moving[bullet]
	if o.Kind != Dynamic || !m.isFast(o.Def) {
		return
	}
	p := o.kernel(part)
	_, q := sv.bodies.turned(otherPart)
	hit := impact(&p, m, o.Def.radius(), q, &sv.bodies.Moving[other], sv.bodies.Outlines[other].Centre.sub(o.Centre))
	if hit.t < 1 {
		sv.cuts = append(sv.cuts, cut{bullet, hit.t})
	}
}

// impact is when p, which moves by m, and q, which moves by n, first meet: at 1
// if they do not, or overlap from the start. d leads
// from p's centre to q's. It advances by no more than what the two can close
// in along the line between their nearest points (conservative advancement:
// Brian Mirtich, "Impulse-based Dynamic Simulation", 1996).
func impact(p *corners, m *movement, reach float64, q *corners, n *movement, d Vec) (hit meeting) {
	move := m.D.sub(n.D)
	spin := float64(math.Abs(m.Turn)*reach) + float64(math.Abs(n.Turn)*q.far())
	skin := p.Radius + q.Radius
	target := touchGap
	for step := range impactSteps {
		pt, qt := p.at(float64(m.Turn*hit.t)), q.at(float64(n.Turn*hit.t))
		var apart float64
		hit.at, hit.normal, apart = partGap(&pt, &qt, d.addScaled(move, -hit.t))
		gap := apart - skin
		if step == 0 {
			if target = min(target, gap/2); !(target > leastGap) || !faces(p, q, d) {
				return meeting{t: 1}
			}
		}
		if gap <= target {
			return hit
		}
		rate := move.dot(hit.normal) + spin
		if !(rate > 0) {
			return meeting{t: 1}
		}
		if hit.t += (gap - float64(target/2)) / rate; hit.t >= 1 {
			return meeting{t: 1}
		}
	}
	return hit
}

// faces reports whether q is on the side from which p can be hit, and the other way round: a link of
// a chain can be hit from one side.
func faces(p, q *corners, d Vec) bool {
	if p.Kind == Link && p.Normals[0].dot(d.sub(p.Points[0])) < 0 {
		return false
	}
	return q.Kind != Link || q.Normals[0].dot(d.add(q.Points[0])) <= 0
}

// far is the greatest distance of the outline from the centre of mass.
func (c *corners) far() float64 {
	far := 0.0
	for i := range c.Count {
		far = max(far, c.Points[i].length())
	}
	return far + c.Radius
}

// at is the corners, turned further.
func (c *corners) at(turn float64) corners {
	t := *c
	if turn == 0 {
		return t
	}
	sin, cos := detmath.Sincos(turn)
	for i := range t.Count {
		t.Points[i] = c.Points[i].rotate(cos, sin)
		t.Normals[i] = c.Normals[i].rotate(cos, sin)
	}
	return t
}

// partGap is how far apart the hulls of p and q at d are, 0 if they overlap,
// the nearest point of p, and the direction from there to q.
func partGap(p, q *corners, d Vec) (at, towards Vec, gap float64) {
	if p.holds(q.Points[0].add(d)) || q.holds(p.Points[0].sub(d)) {
		return Vec{}, Vec{1, 0}, 0
	}
	best := -1.0
	for i := range p.Count {
		s := sideOf(p, i, Vec{})
		for j := range q.Count {
			o := sideOf(q, j, d)
			if crosses(s, o) {
				return Vec{}, Vec{1, 0}, 0
			}
			on, off, _ := nearest(s, o)
			if dd := off.sub(on).lengthSquared(); best < 0 || dd < best {
				best, at, towards = dd, on, off.sub(on)
			}
		}
	}
	towards, gap = towards.normal()
	return at, towards, gap
}

// holds reports whether a point lies inside a hull that has an inside.
func (c *corners) holds(at Vec) bool {
	for i := range c.Count {
		if c.Normals[i].dot(at.sub(c.Points[i])) > 0 {
			return false
		}
	}
	return c.Count > 2
}

// wayBox is the box of a circle about centre that moves by move.
func (bp *broadphase) wayBox(centre, move Vec, reach float64) box {
	b := box{
		Lo:     grid(centre.X + min(move.X, 0) - reach),
		Hi:     grid(centre.X + max(move.X, 0) + reach),
		Bottom: grid(centre.Y + min(move.Y, 0) - reach),
		Top:    grid(centre.Y + max(move.Y, 0) + reach),
	}
	if bp.turned {
		b.Lo, b.Hi, b.Bottom, b.Top = b.Bottom, b.Top, b.Lo, b.Hi
	}
	return b
}

// core is the radius of the greatest circle about the middle of a shape that
// stays inside: how thin it is.
func (s *Shape) core() float64 {
	if s.Kind != Polygon {
		return s.Radius
	}
	return s.inner() + s.Radius
}

// inner is the core of a polygon without its radius.
func (s *Shape) inner() float64 {
	middle := s.massOfPolygon(1).centre
	least := math.Inf(1)
	for i := range s.Count {
		least = min(least, s.Normals[i].dot(s.Points[i].sub(middle)))
	}
	return least
}

// kernel is the shape half as thick.
func (s *Shape) kernel() Shape {
	k := *s
	if s.Kind != Polygon {
		k.Radius = s.Radius / 2
		return k
	}
	off := float64(s.core() / 2)
	k.Radius = max(s.Radius-off, 0)
	if off -= s.Radius; off > 0 {
		k.inset(s, off)
	}
	return k
}

// inset moves the sides of polygon s inwards by off, less than its core.
func (k *Shape) inset(s *Shape, off float64) {
	hull := s.Points[:s.Count]
	for i := range s.Count {
		n := s.Normals[i]
		hull = clipHull(hull, n, n.dot(s.Points[i])-off)
	}
	*k = Shape{Kind: Polygon}
	for i, p := range hull {
		after := hull[next(i, len(hull))]
		n, length := Vec{after.Y - p.Y, p.X - after.X}.normal()
		if length > 1e-9 && k.Count < MaxPoints {
			k.Points[k.Count], k.Normals[k.Count] = p, n
			k.Count++
		}
	}
}

// clipHull is what of a convex hull is not beyond a line: n . p <= at.
func clipHull(hull []Vec, n Vec, at float64) (kept []Vec) {
	for i, p := range hull {
		q := hull[next(i, len(hull))]
		dp, dq := n.dot(p)-at, n.dot(q)-at
		if dp <= 0 {
			kept = append(kept, p)
		}
		if dp < 0 && dq > 0 || dp > 0 && dq < 0 {
			kept = append(kept, p.addScaled(q.sub(p), dp/(dp-dq)))
		}
	}
	return kept
}
