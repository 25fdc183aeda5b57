package physics

import "math"

// The visits to contacts, which take most of the time of a step. What a
// processor cannot foresee, they do not ask: so they have min where another
// one would have if.

// aim is the target of a visit to a point of contact: a speed with which the two bodies
// part, by how far apart they are, how much of that at once, and how much of the
// impulse so far to keep.
type aim struct{ rate, mass, keep float64 }

// aims are those at a gap, which may close, and at an overlap.
type aims [2]aim

// aims of a softness, with 1/h.
func (f softness) aims(invH float64) aims {
	return aims{{rate: invH, mass: f.rigid, keep: 1}, {rate: f.bias, mass: f.mass, keep: 1 - f.impulse}}
}

// relaxed returns the softness that only ends the approach of bodies.
func (f softness) relaxed() softness { return softness{mass: f.rigid, rigid: f.rigid} }

// warmStart applies the impulses of the sub-step before.
func (cs *constraints) warmStart(moving []movement) {
	for i := range cs.pairs {
		c := &cs.pairs[i]
		a, b := &moving[c.a], &moving[c.b]
		p := &cs.points[c.first]
		push, rub := p.normalImpulse, p.tangentImpulse
		wa := a.w - float64(c.invIA*(float64(p.normalImpulse*p.normalA)+float64(p.tangentImpulse*p.tangentA)))
		wb := b.w + float64(c.invIB*(float64(p.normalImpulse*p.normalB)+float64(p.tangentImpulse*p.tangentB)))
		if c.count == 2 {
			q := &cs.points[c.first+1]
			push += q.normalImpulse
			rub += q.tangentImpulse
			wa -= float64(c.invIA * (float64(q.normalImpulse*q.normalA) + float64(q.tangentImpulse*q.tangentA)))
			wb += float64(c.invIB * (float64(q.normalImpulse*q.normalB) + float64(q.tangentImpulse*q.tangentB)))
		}
		impulse := c.impulse(push, rub)
		a.pushBody(impulse, -c.invMA, wa)
		b.pushBody(impulse, c.invMB, wb)
		if c.rolls {
			a.twist(b, cs.ends[i].rolled)
		}
	}
}

// impulse returns that of the two along the normal and along the tangent.
func (c *constraint) impulse(normal, tangent float64) Vec {
	return Vec{
		float64(c.normal.X*normal) - float64(c.normal.Y*tangent),
		float64(c.normal.Y*normal) + float64(c.normal.X*tangent),
	}
}

// pushBody changes the velocity by an impulse times the inverse mass, and sets the spin. A body that cannot be
// pushed is not written, because islands share it: an impulse that has become infinite in one island would
// be a NaN in all.
func (m *movement) pushBody(impulse Vec, invM, w float64) {
	if invM != 0 {
		m.v, m.w = m.v.addScaled(impulse, invM), w
	}
}

// pushAlong pushes in direction n, with the lever of the centre of mass.
func (m *movement) pushAlong(n Vec, impulse, lever float64) {
	if m.invM != 0 { // as in pushBody
		m.v = m.v.addScaled(n, float64(impulse*m.invM))
		m.w += float64(float64(impulse*m.invI) * lever)
	}
}

// velocities returns those of B against A along the normal and the tangent, but
// for their spins.
func (c *constraint) velocities(a, b *movement) (vn, vt float64) {
	dx, dy := b.v.X-a.v.X, b.v.Y-a.v.Y
	return float64(dx*c.normal.X) + float64(dy*c.normal.Y),
		float64(dy*c.normal.X) - float64(dx*c.normal.Y) - c.surface
}

// visit visits one pair.
func (cs *constraints) visit(moving []movement, at int, to *aims, moved bool) {
	if cs.pairs[at].count == 1 {
		cs.visitOnes(moving, at, at+1, to, moved)
	} else {
		cs.visitTwos(moving, at, at+1, to, moved)
	}
}

// visitOnes makes the impulses of some pairs of one point: first that which
// keeps the bodies apart, then that of friction. moved says that the bodies
// have moved since the last visit, and that the impulses count for the step.
func (cs *constraints) visitOnes(moving []movement, from, end int, to *aims, moved bool) {
	for i := from; i < end; i++ {
		c := &cs.pairs[i]
		a, b := &moving[c.a], &moving[c.b]
		p := &cs.points[c.first]
		if moved {
			p.separation = p.separated(a, b, c.movedApart(a, b))
		}
		vn, vt := c.velocities(a, b)
		wa, wb := a.w, b.w
		push := p.press(vn+(float64(wb*p.normalB)-float64(wa*p.normalA)), to)
		wa -= float64(push * float64(c.invIA*p.normalA))
		wb += float64(push * float64(c.invIB*p.normalB))
		rub := p.drag(vt+(float64(wb*p.tangentB)-float64(wa*p.tangentA)), c.friction)
		wa -= float64(rub * float64(c.invIA*p.tangentA))
		wb += float64(rub * float64(c.invIB*p.tangentB))
		impulse := c.impulse(push, rub)
		a.pushBody(impulse, -c.invMA, wa)
		b.pushBody(impulse, c.invMB, wb)
		p.countVisit(moved)
		if c.rolls {
			cs.roll(i, a, b)
		}
	}
}

// visitTwos does so for pairs of two points.
func (cs *constraints) visitTwos(moving []movement, from, end int, to *aims, moved bool) {
	for i := from; i < end; i++ {
		c := &cs.pairs[i]
		a, b := &moving[c.a], &moving[c.b]
		p, q := &cs.points[c.first], &cs.points[c.first+1]
		if moved {
			away := c.movedApart(a, b)
			p.separation, q.separation = p.separated(a, b, away), q.separated(a, b, away)
		}
		vn, vt := c.velocities(a, b)
		wa, wb, invM := a.w, b.w, c.invMA+c.invMB
		push := p.press(vn+(float64(wb*p.normalB)-float64(wa*p.normalA)), to)
		vn += float64(push * invM)
		wa -= float64(push * float64(c.invIA*p.normalA))
		wb += float64(push * float64(c.invIB*p.normalB))
		more := q.press(vn+(float64(wb*q.normalB)-float64(wa*q.normalA)), to)
		push += more
		wa -= float64(more * float64(c.invIA*q.normalA))
		wb += float64(more * float64(c.invIB*q.normalB))
		rub := p.drag(vt+(float64(wb*p.tangentB)-float64(wa*p.tangentA)), c.friction)
		vt += float64(rub * invM)
		wa -= float64(rub * float64(c.invIA*p.tangentA))
		wb += float64(rub * float64(c.invIB*p.tangentB))
		more = q.drag(vt+(float64(wb*q.tangentB)-float64(wa*q.tangentA)), c.friction)
		rub += more
		wa -= float64(more * float64(c.invIA*q.tangentA))
		wb += float64(more * float64(c.invIB*q.tangentB))
		impulse := c.impulse(push, rub)
		a.pushBody(impulse, -c.invMA, wa)
		b.pushBody(impulse, c.invMB, wb)
		p.countVisit(moved)
		q.countVisit(moved)
		if c.rolls {
			cs.roll(i, a, b)
		}
	}
}

// press makes the impulse, never a pull, with which the bodies have at the
// point the speed that they should have; v is that which they have.
func (p *constraintPoint) press(v float64, to *aims) (impulse float64) {
	aim := &to[math.Float64bits(p.separation)>>63]
	bias := float64(aim.rate * p.separation)
	if bias < -pushOutSpeed {
		bias = -pushOutSpeed
	}
	sum := 0 - min(float64(float64(p.normalMass*aim.mass)*(v+bias))-float64(aim.keep*p.normalImpulse), 0)
	impulse = sum - p.normalImpulse
	p.normalImpulse = sum
	return impulse
}

// drag makes the impulse of friction against the speed v along the tangent.
func (p *constraintPoint) drag(v, friction float64) (impulse float64) {
	most := float64(friction * p.normalImpulse)
	sum := min(0-min(float64(p.tangentMass*v)-p.tangentImpulse, most), most)
	impulse = sum - p.tangentImpulse
	p.tangentImpulse = sum
	return impulse
}

// countVisit adds up the impulse of a visit.
func (p *constraintPoint) countVisit(moved bool) {
	if moved {
		p.total += p.normalImpulse
	} else {
		p.passing += p.normalImpulse
	}
}

// measure computes how far apart the points are by now.
func (c *constraint) measure(a, b *movement, points []constraintPoint) {
	away := c.movedApart(a, b)
	for j := range points {
		points[j].separation = points[j].separated(a, b, away)
	}
}

// movedApart returns by how much the bodies have moved apart along the normal.
func (c *constraint) movedApart(a, b *movement) float64 {
	return float64((b.d.X-a.d.X)*c.normal.X) + float64((b.d.Y-a.d.Y)*c.normal.Y)
}

// separated returns how far apart a point is by now, if the two bodies have moved
// apart so far along the normal.
func (p *constraintPoint) separated(a, b *movement, away float64) float64 {
	return p.offset + away + (float64(b.cos*p.tangentB) + float64(b.sin*p.normalB)) -
		(float64(a.cos*p.tangentA) + float64(a.sin*p.normalA))
}

// roll resists the turn of one body against the other, as friction resists
// sliding. Its impulse is made anew each step.
func (cs *constraints) roll(i int, a, b *movement) {
	c, end := &cs.pairs[i], &cs.ends[i]
	points := cs.pointsOf(c)
	normal := points[0].normalImpulse
	if len(points) == 2 {
		normal += points[1].normalImpulse
	}
	most := float64(end.rolling * normal)
	sum := clamp(end.rolled-float64(a.turnMass(b)*(b.w-a.w)), -most, most)
	a.twist(b, sum-end.rolled)
	end.rolled = sum
}
