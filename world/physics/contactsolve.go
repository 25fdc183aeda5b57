package physics

// The visits to contacts, which take most of the time of a step. They are
// written with local numbers, and t is an impulse by what it moves.

// warmStart applies the impulses of the sub-step before.
func (sv *Solver) warmStart(cs *constraints) {
	for i := range cs.pairs {
		c := &cs.pairs[i]
		a, b, n := &sv.moving[c.a], &sv.moving[c.b], c.normal
		va, wa, vb, wb := a.v, a.w, b.v, b.w
		points := cs.pointsOf(c)
		for j := range points {
			p := &points[j]
			t := float64(p.normalImpulse * c.invMA)
			va = Vec{va.X - float64(n.X*t), va.Y - float64(n.Y*t)}
			t = float64(p.normalImpulse * c.invMB)
			vb = Vec{vb.X + float64(n.X*t), vb.Y + float64(n.Y*t)}
			wa -= float64(float64(p.normalImpulse*c.invIA) * p.normalA)
			wb += float64(float64(p.normalImpulse*c.invIB) * p.normalB)
			t = float64(p.tangentImpulse * c.invMA)
			va = Vec{va.X + float64(n.Y*t), va.Y - float64(n.X*t)}
			t = float64(p.tangentImpulse * c.invMB)
			vb = Vec{vb.X - float64(n.Y*t), vb.Y + float64(n.X*t)}
			wa -= float64(float64(p.tangentImpulse*c.invIA) * p.tangentA)
			wb += float64(float64(p.tangentImpulse*c.invIB) * p.tangentB)
		}
		a.v, a.w, b.v, b.w = va, wa, vb, wb
		if c.rolls {
			twist(a, b, cs.ends[i].rolled)
		}
	}
}

// visit makes the impulses of some pairs that keep the bodies apart, then
// those of friction. Bodies that overlap part, softly: or, relaxed, do not.
// moved says that the bodies have moved since the last visit, and that the
// impulses count for the step.
func (sv *Solver) visit(cs *constraints, from, to int, soft softness, moved bool) {
	invH := 1 / sv.h
	relaxed := soft.impulse == 0
	for i := from; i < to; i++ {
		c := &cs.pairs[i]
		a, b, n := &sv.moving[c.a], &sv.moving[c.b], c.normal
		points := cs.pointsOf(c)
		var away float64 // by which they have moved apart along the normal
		if moved {
			away = b.d.sub(a.d).dot(n)
		}
		va, wa, vb, wb := a.v, a.w, b.v, b.w
		for j := range points {
			p := &points[j]
			if moved {
				p.separation = p.separated(a, b, away)
			}
			vn := (float64((vb.X-va.X)*n.X) + float64((vb.Y-va.Y)*n.Y)) + float64(wb*p.normalB) - float64(wa*p.normalA)
			var sum float64
			switch {
			case p.separation > 0: // may close in until they touch
				sum = p.normalImpulse - float64(float64(p.normalMass*soft.rigid)*(vn+float64(p.separation*invH)))
			case relaxed:
				sum = p.normalImpulse - float64(float64(p.normalMass*soft.rigid)*vn)
			default:
				bias := float64(soft.bias * p.separation)
				if bias < -pushOutSpeed {
					bias = -pushOutSpeed
				}
				sum = p.normalImpulse - float64(float64(p.normalMass*soft.mass)*(vn+bias)) - float64(soft.impulse*p.normalImpulse)
			}
			if sum < 0 {
				sum = 0 // never pulls
			}
			impulse := sum - p.normalImpulse
			p.normalImpulse = sum
			p.pushed += sum
			t := float64(impulse * c.invMA)
			va = Vec{va.X - float64(n.X*t), va.Y - float64(n.Y*t)}
			t = float64(impulse * c.invMB)
			vb = Vec{vb.X + float64(n.X*t), vb.Y + float64(n.Y*t)}
			wa -= float64(float64(impulse*c.invIA) * p.normalA)
			wb += float64(float64(impulse*c.invIB) * p.normalB)
		}
		for j := range points {
			p := &points[j]
			vt := (float64((vb.Y-va.Y)*n.X) - float64((vb.X-va.X)*n.Y)) + float64(wb*p.tangentB) - float64(wa*p.tangentA)
			most := float64(c.friction * p.normalImpulse)
			sum := p.tangentImpulse - float64(p.tangentMass*(vt-c.surface))
			if sum > most {
				sum = most
			} else if sum < -most {
				sum = -most
			}
			impulse := sum - p.tangentImpulse
			p.tangentImpulse = sum
			t := float64(impulse * c.invMA)
			va = Vec{va.X + float64(n.Y*t), va.Y - float64(n.X*t)}
			t = float64(impulse * c.invMB)
			vb = Vec{vb.X - float64(n.Y*t), vb.Y + float64(n.X*t)}
			wa -= float64(float64(impulse*c.invIA) * p.tangentA)
			wb += float64(float64(impulse*c.invIB) * p.tangentB)
			if moved {
				p.total += p.normalImpulse
			}
		}
		a.v, a.w, b.v, b.w = va, wa, vb, wb
		if c.rolls {
			cs.roll(i, a, b)
		}
	}
}

// relaxed is the softness that only ends the approach of bodies.
func (f softness) relaxed() softness { return softness{mass: f.rigid, rigid: f.rigid} }

// measure computes how far apart the points are by now.
func (c *constraint) measure(a, b *movement, points []constraintPoint) {
	away := b.d.sub(a.d).dot(c.normal)
	for j := range points {
		points[j].separation = points[j].separated(a, b, away)
	}
}

// separated is how far apart a point is by now, if the two bodies have moved
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
	sum := clamp(end.rolled-float64(turnMass(a, b)*(b.w-a.w)), -most, most)
	twist(a, b, sum-end.rolled)
	end.rolled = sum
}
