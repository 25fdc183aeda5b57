package physics

// bounce returns the approach speed, times the restitution, where bodies that closed in
// faster than speed pushed each other in this step, and applies the friction that comes
// with that push.
func (cs *constraints) bounce(moving []movement, speed float64) {
	for i := range cs.pairs {
		end := &cs.ends[i]
		if end.Restitution == 0 {
			continue
		}
		c := &cs.pairs[i]
		points := cs.pointsOf(c)
		var bounces [2]bool
		for j := range points {
			bounces[j] = end.Approach[j] < -speed && hasPushed(&points[j])
		}
		if !bounces[0] && !bounces[1] {
			continue
		}
		a, b := &moving[c.A], &moving[c.B]
		var total [2]float64
		for range bounceRounds {
			for j := range points {
				if bounces[j] {
					total[j] = bouncePoint(&points[j], c.Normal, a, b, float64(end.Restitution*end.Approach[j]), total[j])
				}
			}
		}
		for j := range points {
			points[j].Total += total[j]
			rub(&points[j], c, a, b, total[j])
		}
	}
}

// bouncePoint brings one point to speed, which is below 0: the speed with which it would close in
// backwards. total is the impulse of this bounce so far. It returns the sum, which never pulls.
func bouncePoint(p *constraintPoint, n Vec, a, b *movement, speed, total float64) float64 {
	vn := b.V.sub(a.V).dot(n) + float64(b.W*p.NormalB) - float64(a.W*p.NormalA)
	sum := max(total-float64(p.NormalMass*(vn+speed)), 0)
	impulse := sum - total
	pushAlong(a, n, -impulse, p.NormalA)
	pushAlong(b, n, impulse, p.NormalB)
	return sum
}

// rub is the friction of a bounce alone.
func rub(p *constraintPoint, c *constraint, a, b *movement, normalImpulse float64) {
	t := Vec{-c.Normal.Y, c.Normal.X}
	vt := b.V.sub(a.V).dot(t) + float64(b.W*p.TangentB) - float64(a.W*p.TangentA)
	most := float64(c.Friction * normalImpulse)
	impulse := clamp(-float64(p.TangentMass*vt), -most, most)
	pushAlong(a, t, -impulse, p.TangentA)
	pushAlong(b, t, impulse, p.TangentB)
}
