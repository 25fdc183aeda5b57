package physics

// bounce returns the approach speed, times the restitution, where bodies that closed in
// faster than speed pushed each other in this step, and applies the friction that comes
// with that push.
func (cs *constraints) bounce(moving []movement, speed float64) {
	for i := range cs.pairs {
		end := &cs.ends[i]
		if end.restitution == 0 {
			continue
		}
		c := &cs.pairs[i]
		points := cs.pointsOf(c)
		var bounces [2]bool
		for j := range points {
			bounces[j] = end.approach[j] < -speed && points[j].hasPushed()
		}
		if !bounces[0] && !bounces[1] {
			continue
		}
		a, b := &moving[c.a], &moving[c.b]
		var total [2]float64
		for range bounceRounds {
			for j := range points {
				if bounces[j] {
					total[j] = points[j].bouncePoint(c.normal, a, b, float64(end.restitution*end.approach[j]), total[j])
				}
			}
		}
		for j := range points {
			points[j].total += total[j]
			points[j].rub(c, a, b, total[j])
		}
	}
}

// bouncePoint brings one point to speed, which is below 0: the speed with which it would close in
// backwards. total is the impulse of this bounce so far. It returns the sum, which never pulls.
func (p *constraintPoint) bouncePoint(n Vec, a, b *movement, speed, total float64) float64 {
	vn := b.v.sub(a.v).dot(n) + float64(b.w*p.normalB) - float64(a.w*p.normalA)
	sum := max(total-float64(p.normalMass*(vn+speed)), 0)
	impulse := sum - total
	a.pushAlong(n, -impulse, p.normalA)
	b.pushAlong(n, impulse, p.normalB)
	return sum
}

// rub is the friction of a bounce alone.
func (p *constraintPoint) rub(c *constraint, a, b *movement, normalImpulse float64) {
	t := Vec{-c.normal.Y, c.normal.X}
	vt := b.v.sub(a.v).dot(t) + float64(b.w*p.tangentB) - float64(a.w*p.tangentA)
	most := float64(c.friction * normalImpulse)
	impulse := clamp(-float64(p.tangentMass*vt), -most, most)
	a.pushAlong(t, -impulse, p.tangentA)
	b.pushAlong(t, impulse, p.tangentB)
}
