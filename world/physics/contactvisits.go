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
	return aims{{rate: invH, mass: f.Rigid, keep: 1}, {rate: f.Bias, mass: f.Mass, keep: 1 - f.Impulse}}
}

// relaxed returns the softness that only ends the approach of bodies.
func (f softness) relaxed() softness { return softness{Mass: f.Rigid, Rigid: f.Rigid} }

// warmStart applies the impulses of the sub-step before.
func (cs *constraints) warmStart(moving []movement) {
	for i := range cs.pairs {
		c := &cs.pairs[i]
		a, b := &moving[c.A], &moving[c.B]
		p := &cs.points[c.First]
		push, rub := p.NormalImpulse, p.TangentImpulse
		wa := a.W - float64(c.InvIA*(float64(p.NormalImpulse*p.NormalA)+float64(p.TangentImpulse*p.TangentA)))
		wb := b.W + float64(c.InvIB*(float64(p.NormalImpulse*p.NormalB)+float64(p.TangentImpulse*p.TangentB)))
		if c.Count == 2 {
			q := &cs.points[c.First+1]
			push += q.NormalImpulse
			rub += q.TangentImpulse
			wa -= float64(c.InvIA * (float64(q.NormalImpulse*q.NormalA) + float64(q.TangentImpulse*q.TangentA)))
			wb += float64(c.InvIB * (float64(q.NormalImpulse*q.NormalB) + float64(q.TangentImpulse*q.TangentB)))
		}
		impulse := impulseOf(c, push, rub)
		pushBody(a, impulse, -c.InvMA, wa)
		pushBody(b, impulse, c.InvMB, wb)
		if c.Rolls {
			twist(a, b, cs.ends[i].Rolled)
		}
	}
}

// impulseOf returns that of the two along the normal and along the tangent.
func impulseOf(c *constraint, normal, tangent float64) Vec {
	return Vec{float64(c.Normal.X*normal) - float64(c.Normal.Y*tangent), float64(c.Normal.Y*normal) + float64(c.Normal.X*tangent)}
}

// pushBody changes the velocity by an impulse times the inverse mass, and sets the spin. A body that cannot be
// pushed is not written, because islands share it: an impulse that has become infinite in one island would
// be a NaN in all.
func pushBody(m *movement, impulse Vec, invM, w float64) {
	if invM != 0 {
		m.V, m.W = m.V.addScaled(impulse, invM), w
	}
}

// pushAlong pushes in direction n, with the lever of the centre of mass.
func pushAlong(m *movement, n Vec, impulse, lever float64) {
	if m.InvM != 0 { // as in pushBody
		m.V = m.V.addScaled(n, float64(impulse*m.InvM))
		m.W += float64(float64(impulse*m.InvI) * lever)
	}
}

// velocitiesOf returns those of B against A along the normal and the tangent, but
// for their spins.
func velocitiesOf(c *constraint, a, b *movement) (vn, vt float64) {
	dx, dy := b.V.X-a.V.X, b.V.Y-a.V.Y
	return float64(dx*c.Normal.X) + float64(dy*c.Normal.Y),
		float64(dy*c.Normal.X) - float64(dx*c.Normal.Y) - c.Surface
}

// visit visits one pair.
func (cs *constraints) visit(moving []movement, at int, to *aims, moved bool) {
	if cs.pairs[at].Count == 1 {
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
		a, b := &moving[c.A], &moving[c.B]
		p := &cs.points[c.First]
		if moved {
			p.Separation = separated(p, a, b, movedApart(c, a, b))
		}
		vn, vt := velocitiesOf(c, a, b)
		wa, wb := a.W, b.W
		push := press(p, vn+(float64(wb*p.NormalB)-float64(wa*p.NormalA)), to)
		wa -= float64(push * float64(c.InvIA*p.NormalA))
		wb += float64(push * float64(c.InvIB*p.NormalB))
		rub := drag(p, vt+(float64(wb*p.TangentB)-float64(wa*p.TangentA)), c.Friction)
		wa -= float64(rub * float64(c.InvIA*p.TangentA))
		wb += float64(rub * float64(c.InvIB*p.TangentB))
		impulse := impulseOf(c, push, rub)
		pushBody(a, impulse, -c.InvMA, wa)
		pushBody(b, impulse, c.InvMB, wb)
		countVisit(p, moved)
		if c.Rolls {
			cs.roll(i, a, b)
		}
	}
}

// visitTwos does so for pairs of two points.
func (cs *constraints) visitTwos(moving []movement, from, end int, to *aims, moved bool) {
	for i := from; i < end; i++ {
		c := &cs.pairs[i]
		a, b := &moving[c.A], &moving[c.B]
		p, q := &cs.points[c.First], &cs.points[c.First+1]
		if moved {
			away := movedApart(c, a, b)
			p.Separation, q.Separation = separated(p, a, b, away), separated(q, a, b, away)
		}
		vn, vt := velocitiesOf(c, a, b)
		wa, wb, invM := a.W, b.W, c.InvMA+c.InvMB
		push := press(p, vn+(float64(wb*p.NormalB)-float64(wa*p.NormalA)), to)
		vn += float64(push * invM)
		wa -= float64(push * float64(c.InvIA*p.NormalA))
		wb += float64(push * float64(c.InvIB*p.NormalB))
		more := press(q, vn+(float64(wb*q.NormalB)-float64(wa*q.NormalA)), to)
		push += more
		wa -= float64(more * float64(c.InvIA*q.NormalA))
		wb += float64(more * float64(c.InvIB*q.NormalB))
		rub := drag(p, vt+(float64(wb*p.TangentB)-float64(wa*p.TangentA)), c.Friction)
		vt += float64(rub * invM)
		wa -= float64(rub * float64(c.InvIA*p.TangentA))
		wb += float64(rub * float64(c.InvIB*p.TangentB))
		more = drag(q, vt+(float64(wb*q.TangentB)-float64(wa*q.TangentA)), c.Friction)
		rub += more
		wa -= float64(more * float64(c.InvIA*q.TangentA))
		wb += float64(more * float64(c.InvIB*q.TangentB))
		impulse := impulseOf(c, push, rub)
		pushBody(a, impulse, -c.InvMA, wa)
		pushBody(b, impulse, c.InvMB, wb)
		countVisit(p, moved)
		countVisit(q, moved)
		if c.Rolls {
			cs.roll(i, a, b)
		}
	}
}

// press makes the impulse, never a pull, with which the bodies have at the
// point the speed that they should have; v is that which they have.
func press(p *constraintPoint, v float64, to *aims) (impulse float64) {
	aim := &to[math.Float64bits(p.Separation)>>63]
	bias := float64(aim.rate * p.Separation)
	if bias < -pushOutSpeed {
		bias = -pushOutSpeed
	}
	sum := 0 - min(float64(float64(p.NormalMass*aim.mass)*(v+bias))-float64(aim.keep*p.NormalImpulse), 0)
	impulse = sum - p.NormalImpulse
	p.NormalImpulse = sum
	return impulse
}

// drag makes the impulse of friction against the speed v along the tangent.
func drag(p *constraintPoint, v, friction float64) (impulse float64) {
	most := float64(friction * p.NormalImpulse)
	sum := min(0-min(float64(p.TangentMass*v)-p.TangentImpulse, most), most)
	impulse = sum - p.TangentImpulse
	p.TangentImpulse = sum
	return impulse
}

// countVisit adds up the impulse of a visit.
func countVisit(p *constraintPoint, moved bool) {
	if moved {
		p.Total += p.NormalImpulse
	} else {
		p.Passing += p.NormalImpulse
	}
}

// measure computes how far apart the points are by now.
func measure(c *constraint, a, b *movement, points []constraintPoint) {
	away := movedApart(c, a, b)
	for j := range points {
		points[j].Separation = separated(&points[j], a, b, away)
	}
}

// movedApart returns by how much the bodies have moved apart along the normal.
func movedApart(c *constraint, a, b *movement) float64 {
	return float64((b.D.X-a.D.X)*c.Normal.X) + float64((b.D.Y-a.D.Y)*c.Normal.Y)
}

// separated returns how far apart a point is by now, if the two bodies have moved
// apart so far along the normal.
func separated(p *constraintPoint, a, b *movement, away float64) float64 {
	return p.Offset + away + (float64(b.Cos*p.TangentB) + float64(b.Sin*p.NormalB)) -
		(float64(a.Cos*p.TangentA) + float64(a.Sin*p.NormalA))
}

// roll resists the turn of one body against the other, as friction resists
// sliding. Its impulse is made anew each step.
func (cs *constraints) roll(i int, a, b *movement) {
	c, end := &cs.pairs[i], &cs.ends[i]
	points := cs.pointsOf(c)
	normal := points[0].NormalImpulse
	if len(points) == 2 {
		normal += points[1].NormalImpulse
	}
	most := float64(end.Rolling * normal)
	sum := clamp(end.Rolled-float64(turnMass(a, b)*(b.W-a.W)), -most, most)
	twist(a, b, sum-end.Rolled)
	end.Rolled = sum
}
