package physics

import "math"

// row is a direction along which a joint pushes its two bodies, with the
// levers of the two centres of mass.
type row struct {
	n      Vec
	sa, sb float64
}

// along returns the row in direction n through the anchors. Where the direction
// turns with A, what B's anchor lies off A's is part of A's lever.
func along(st *stance, n Vec, turnsWithA bool) row {
	ra := st.RA
	if turnsWithA {
		ra = ra.add(st.Apart)
	}
	return row{n, ra.cross(n), st.RB.cross(n)}
}

func (r row) push(a, b *movement, impulse float64) {
	pushAlong(a, r.n, -impulse, r.sa)
	pushAlong(b, r.n, impulse, r.sb)
}

// speed returns how fast the anchors part along the row.
func (r row) speed(a, b *movement) float64 {
	return b.V.sub(a.V).dot(r.n) + float64(b.W*r.sb) - float64(a.W*r.sa)
}

func (r row) mass(a, b *movement) float64 { return pointMass(a, b, r.sa, r.sb) }

// twist applies an impulse in N m s that turns b, and a the other way.
func twist(a, b *movement, impulse float64) {
	if a.InvM != 0 {
		a.W -= float64(impulse * a.InvI)
	}
	if b.InvM != 0 {
		b.W += float64(impulse * b.InvI)
	}
}

// turnMass returns the inertia that a joint feels when it turns b against a.
func turnMass(a, b *movement) float64 {
	if k := a.InvI + b.InvI; k > 0 {
		return 1 / k
	}
	return 0
}

// pushAnchors applies an impulse in N s at the anchors.
func pushAnchors(st *stance, a, b *movement, p Vec) {
	pushBody(a, p, -a.InvM, a.W-float64(a.InvI*st.RA.cross(p)))
	pushBody(b, p, b.InvM, b.W+float64(b.InvI*st.RB.cross(p)))
}

// anchorSpeed returns how fast B's anchor moves away from A's.
func anchorSpeed(st *stance, a, b *movement) Vec {
	return Vec{
		(b.V.X - float64(b.W*st.RB.Y)) - (a.V.X - float64(a.W*st.RA.Y)),
		(b.V.Y + float64(b.W*st.RB.X)) - (a.V.Y + float64(a.W*st.RA.X)),
	}
}

// anchorEffect returns the matrix that turns an impulse at the anchors into a velocity
// between them: (xx, xy; xy, yy).
func anchorEffect(st *stance, a, b *movement) (xx, xy, yy float64) {
	m := a.InvM + b.InvM
	xx = m + float64(a.InvI*float64(st.RA.Y*st.RA.Y)) + float64(b.InvI*float64(st.RB.Y*st.RB.Y))
	yy = m + float64(a.InvI*float64(st.RA.X*st.RA.X)) + float64(b.InvI*float64(st.RB.X*st.RB.X))
	xy = -float64(a.InvI*float64(st.RA.X*st.RA.Y)) - float64(b.InvI*float64(st.RB.X*st.RB.Y))
	return xx, xy, yy
}

// solve2 solves (xx, xy; xy, yy) p = v, or gives 0 if it cannot be solved.
func solve2(xx, xy, yy float64, v Vec) Vec {
	det := float64(xx*yy) - float64(xy*xy)
	if !(det > 0) {
		return Vec{}
	}
	det = 1 / det
	return Vec{
		float64(det * (float64(yy*v.X) - float64(xy*v.Y))),
		float64(det * (float64(xx*v.Y) - float64(xy*v.X))),
	}
}

// solve returns the sum of impulses after one visit to a thing that must be held:
// off is how far it is from where it must be, v how fast that grows.
func (f softness) solve(sum, off, v, mass float64) float64 {
	return sum - float64(float64(mass*f.Mass)*(v+float64(f.Bias*off))) - float64(f.Impulse*sum)
}

// spring is a spring and damper as factors for one sub-step of h seconds. With
// omega = 2 pi hertz and mass m it gives the impulse
// -m (pull*off + give*v) with v after the impulse, where pull = h omega^2. A
// slow spring takes off at the start of the sub-step, which keeps its energy;
// a fast one at the end, which keeps it stable; between the two it is mixed.
// No spring is faster than a quarter of the sub-step rate.
type spring struct{ pull, give, share float64 }

func springFor(hertz, damping, h float64) spring {
	omega := float64(2 * math.Pi * min(hertz, stiffest(h)))
	z := float64(float64(h*omega) * float64(h*omega))
	atEnd := clamp((z-0.25)/0.75, 0, 1)
	give := float64(atEnd*z) + float64(float64(2*damping)*float64(h*omega))
	return spring{pull: float64(h * float64(omega*omega)), give: give, share: 1 / (1 + give)}
}

// solve returns the sum of impulses after one visit.
func (s spring) solve(sum, off, v, mass float64) float64 {
	return sum - float64(s.share*(sum+float64(mass*(float64(s.pull*off)+float64(s.give*v)))))
}

// limit returns the sum of impulses after one visit to a stop that is gap away and
// comes nearer by -v. Like a contact it never pulls.
func (c *jointed) limit(sum, gap, v, mass float64, firm softness) float64 {
	if gap > 0 {
		return max(softness{Bias: 1 / c.h, Mass: 1}.solve(sum, gap, v, mass), 0)
	}
	return max(firm.solve(sum, gap, v, mass), 0)
}

// motor returns the sum of impulses after one visit to a motor.
func (c *jointed) motor(v, mass float64) float64 {
	most := float64(c.h * c.joint.MaxForce)
	return clamp(c.joint.Impulse[rowMotor]-float64(mass*(v-c.joint.Speed)), -most, most)
}

// swap puts a new sum of impulses into a row and returns the difference.
func swap(row *float64, sum float64) float64 {
	was := *row
	*row = sum
	return sum - was
}
