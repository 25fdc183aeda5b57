package physics

// bounce gives back the approach speed, times the restitution, where bodies
// pushed each other in this step, and the friction that comes with the push.
func (sv *Solver) bounce(cs *constraints) {
	for i := range cs.pairs {
		end := &cs.ends[i]
		if end.restitution == 0 {
			continue
		}
		c := &cs.pairs[i]
		points := cs.pointsOf(c)
		var bounces [2]bool
		for j := range points {
			bounces[j] = end.approach[j] < -sv.bounceSpeed && points[j].pushed()
		}
		if !bounces[0] && !bounces[1] {
			continue
		}
		a, b := &sv.moving[c.a], &sv.moving[c.b]
		var given [2]float64
		for range bounceRounds {
			for j := range points {
				if bounces[j] {
					given[j] = points[j].bounce(c.normal, a, b, float64(end.restitution*end.approach[j]), given[j])
				}
			}
		}
		for j := range points {
			points[j].total += given[j]
			points[j].rub(c, a, b, given[j])
		}
	}
}

// bounce brings one point to the speed, below 0, with which it is to close in
// backwards. given is the impulse of this bounce so far; the sum is returned
// and never pulls.
func (p *constraintPoint) bounce(n Vec, a, b *movement, speed, given float64) float64 {
	vn := b.v.sub(a.v).dot(n) + float64(b.w*p.normalB) - float64(a.w*p.normalA)
	sum := max(given-float64(p.normalMass*(vn+speed)), 0)
	impulse := sum - given
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
