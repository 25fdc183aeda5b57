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
func (st *stance) along(n Vec, turnsWithA bool) row {
	ra := st.ra
	if turnsWithA {
		ra = ra.add(st.apart)
	}
	return row{n, ra.cross(n), st.rb.cross(n)}
}

func (r row) push(a, b *movement, impulse float64) {
	a.pushAlong(r.n, -impulse, r.sa)
	b.pushAlong(r.n, impulse, r.sb)
}

// speed returns how fast the anchors part along the row.
func (r row) speed(a, b *movement) float64 {
	return b.v.sub(a.v).dot(r.n) + float64(b.w*r.sb) - float64(a.w*r.sa)
}

func (r row) mass(a, b *movement) float64 { return a.pointMass(b, r.sa, r.sb) }

// twist applies an impulse in N m s that turns b, and a the other way.
func (a *movement) twist(b *movement, impulse float64) {
	if a.invM != 0 {
		a.w -= float64(impulse * a.invI)
	}
	if b.invM != 0 {
		b.w += float64(impulse * b.invI)
	}
}

// turnMass returns the inertia that a joint feels when it turns b against a.
func (a *movement) turnMass(b *movement) float64 {
	if k := a.invI + b.invI; k > 0 {
		return 1 / k
	}
	return 0
}

// pushAnchors applies an impulse in N s at the anchors.
func (st *stance) pushAnchors(a, b *movement, p Vec) {
	a.pushBody(p, -a.invM, a.w-float64(a.invI*st.ra.cross(p)))
	b.pushBody(p, b.invM, b.w+float64(b.invI*st.rb.cross(p)))
}

// anchorSpeed returns how fast B's anchor moves away from A's.
func (st *stance) anchorSpeed(a, b *movement) Vec {
	return Vec{
		(b.v.X - float64(b.w*st.rb.Y)) - (a.v.X - float64(a.w*st.ra.Y)),
		(b.v.Y + float64(b.w*st.rb.X)) - (a.v.Y + float64(a.w*st.ra.X)),
	}
}

// anchorEffect returns the matrix that turns an impulse at the anchors into a velocity
// between them: (xx, xy; xy, yy).
func (st *stance) anchorEffect(a, b *movement) (xx, xy, yy float64) {
	m := a.invM + b.invM
	xx = m + float64(a.invI*float64(st.ra.Y*st.ra.Y)) + float64(b.invI*float64(st.rb.Y*st.rb.Y))
	yy = m + float64(a.invI*float64(st.ra.X*st.ra.X)) + float64(b.invI*float64(st.rb.X*st.rb.X))
	xy = -float64(a.invI*float64(st.ra.X*st.ra.Y)) - float64(b.invI*float64(st.rb.X*st.rb.Y))
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
	return sum - float64(float64(mass*f.mass)*(v+float64(f.bias*off))) - float64(f.impulse*sum)
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
		return max(softness{bias: 1 / c.h, mass: 1}.solve(sum, gap, v, mass), 0)
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
