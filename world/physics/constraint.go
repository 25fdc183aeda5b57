package physics

import "math"

// Numbers of the contact solver, after Erin Catto's "Solver2D" (2024).
const (
	contactHertz   = 38.0 // stiffness of contacts, at most a quarter of the sub-step rate
	contactDamping = 10.0 // damping ratio
	pushOutSpeed   = 3.0  // m/s at which overlapping bodies part
	bounceSpeed    = 1.0  // m/s below which nothing bounces, unless Params says otherwise
	bounceRounds   = 4    // visits to the points of a constraint, which disturb each other
)

// softness is a spring and damper as factors of an impulse. rigid is the
// factor for what is not soft.
type softness struct{ bias, mass, impulse, rigid float64 }

// softFor computes the factors for a stiffness in hertz, a damping ratio and
// sub-steps of h seconds.
func softFor(hertz, damping, h float64) softness {
	omega := float64(2 * math.Pi * hertz)
	a1 := float64(2*damping) + float64(h*omega)
	a2 := float64(float64(h*omega) * a1)
	a3 := 1 / (1 + a2)
	return softness{bias: omega / a1, mass: float64(a2 * a3), impulse: a3, rigid: 1}
}

// constraint keeps two bodies apart at up to two points, and holds them by
// friction.
type constraint struct {
	a, b        int32 // ranks
	count       int32
	normal      Vec
	friction    float64
	restitution float64
	surface     float64 // m/s along the tangent that friction aims at
	rolling     float64 // metres: most torque by normal force
	rolled      float64 // N m s of this sub-step
	points      [2]constraintPoint
}

// constraintPoint is one point of contact. With anchors ra and rb from the
// two centres of mass and the normal n, the levers are ra x n and ra . n: the
// second is also ra x t for the tangent t, n turned by a quarter.
type constraintPoint struct {
	normalA, normalB   float64 // levers of the normal, metres
	tangentA, tangentB float64 // levers of the tangent, metres
	offset             float64 // separation if both anchors coincided, metres
	normalMass         float64 // kg that the point feels along the normal
	tangentMass        float64
	normalImpulse      float64 // N s of this sub-step
	tangentImpulse     float64
	most               float64 // greatest normalImpulse of the step
	total              float64 // N s of the whole step
	approach           float64 // normal velocity at the start of the step, below 0 when closing in
	id                 uint16
}

// constrain fills c from a manifold and the impulses of the step before.
func (sv *Solver) constrain(c *constraint, m *manifold, pa, pb part, old *Contact) {
	a, b := pa.rank, pb.rank
	oa, ob := &sv.outlines[a], &sv.outlines[b]
	ma, mb := &sv.moving[a], &sv.moving[b]
	c.a, c.b, c.count, c.normal = a, b, int32(m.count), m.normal
	c.friction = math.Sqrt(float64(oa.def.Friction * ob.def.Friction))
	c.restitution = max(oa.def.Restitution, ob.def.Restitution)
	c.surface = oa.def.SurfaceSpeed + ob.def.SurfaceSpeed
	if most := max(oa.def.Rolling, ob.def.Rolling); most > 0 {
		c.rolling = float64(most * max(oa.def.parts[pa.index].Radius, ob.def.parts[pb.index].Radius))
	}
	d := ob.centre.sub(oa.centre)
	for i := range m.count {
		p, from := &c.points[i], &m.points[i]
		ra, rb := from.at, from.at.sub(d)
		p.id = from.id
		p.normalA, p.normalB = ra.cross(m.normal), rb.cross(m.normal)
		p.tangentA, p.tangentB = ra.dot(m.normal), rb.dot(m.normal)
		p.offset = from.separation + d.dot(m.normal)
		p.normalMass = pointMass(ma, mb, p.normalA, p.normalB)
		p.tangentMass = pointMass(ma, mb, p.tangentA, p.tangentB)
		p.approach = mb.v.sub(ma.v).dot(m.normal) + float64(mb.w*p.normalB) - float64(ma.w*p.normalA)
		if old != nil {
			p.inherit(old)
		}
	}
	sv.activate(a)
	sv.activate(b)
}

// roll resists the turn of one body against the other, as friction resists
// sliding. Its impulse is made anew each step.
func (c *constraint) roll(a, b *movement) {
	normal := c.points[0].normalImpulse
	if c.count == 2 {
		normal += c.points[1].normalImpulse
	}
	most := float64(c.rolling * normal)
	sum := clamp(c.rolled-float64(turnMass(a, b)*(b.w-a.w)), -most, most)
	twist(a, b, sum-c.rolled)
	c.rolled = sum
}

func (sv *Solver) activate(rank int32) {
	if m := &sv.moving[rank]; !m.constrained && sv.outlines[rank].moves() {
		m.constrained = true
		sv.active = append(sv.active, rank)
	}
}

// pointMass is the mass in kg that a point of contact feels along a direction
// with the given levers.
func pointMass(a, b *movement, leverA, leverB float64) float64 {
	k := a.invM + b.invM + float64(a.invI*float64(leverA*leverA)) + float64(b.invI*float64(leverB*leverB))
	if k > 0 {
		return 1 / k
	}
	return 0
}

// inherit takes over the impulses of the same point in the step before.
func (p *constraintPoint) inherit(old *Contact) {
	for i := range old.Count {
		if old.ID[i] == p.id {
			p.normalImpulse, p.tangentImpulse = old.Normal[i], old.Tangent[i]
			return
		}
	}
}

// warmStart applies the impulses of the sub-step before.
func (sv *Solver) warmStart(cs []constraint) {
	for i := range cs {
		c := &cs[i]
		a, b := &sv.moving[c.a], &sv.moving[c.b]
		for j := range c.count {
			p := &c.points[j]
			p.pushNormal(a, b, c.normal, p.normalImpulse)
			p.pushTangent(a, b, c.normal, p.tangentImpulse)
		}
		if c.rolling > 0 {
			twist(a, b, c.rolled)
		}
	}
}

// pushNormal applies an impulse along the normal n: to b, and against a.
func (p *constraintPoint) pushNormal(a, b *movement, n Vec, impulse float64) {
	a.v = a.v.addScaled(n, -float64(impulse*a.invM))
	a.w -= float64(float64(impulse*a.invI) * p.normalA)
	b.v = b.v.addScaled(n, float64(impulse*b.invM))
	b.w += float64(float64(impulse*b.invI) * p.normalB)
}

// pushTangent applies an impulse along n turned by a quarter.
func (p *constraintPoint) pushTangent(a, b *movement, n Vec, impulse float64) {
	t := Vec{-n.Y, n.X}
	a.v = a.v.addScaled(t, -float64(impulse*a.invM))
	a.w -= float64(float64(impulse*a.invI) * p.tangentA)
	b.v = b.v.addScaled(t, float64(impulse*b.invM))
	b.w += float64(float64(impulse*b.invI) * p.tangentB)
}

// solve makes the impulses that keep the bodies apart, then those of friction.
// pushOut makes those that overlap part, softly; without it their velocities
// are only relaxed. It is written with local numbers because it takes most of
// the time of a step.
func (sv *Solver) solve(cs []constraint, soft softness, pushOut bool) {
	invH := 1 / sv.h
	for i := range cs {
		c := &cs[i]
		a, b := &sv.moving[c.a], &sv.moving[c.b]
		n, d := c.normal, b.d.sub(a.d)
		va, wa, vb, wb := a.v, a.w, b.v, b.w
		for j := range c.count {
			p := &c.points[j]
			s := p.offset + d.dot(n) +
				(float64(b.cos*p.tangentB) + float64(b.sin*p.normalB)) -
				(float64(a.cos*p.tangentA) + float64(a.sin*p.normalA))
			bias, mass, give := 0.0, soft.rigid, 0.0
			if s > 0 {
				bias = float64(s * invH) // may close in until they touch
			} else if pushOut {
				bias, mass, give = max(float64(soft.bias*s), -pushOutSpeed), soft.mass, soft.impulse
			}
			vn := vb.sub(va).dot(n) + float64(wb*p.normalB) - float64(wa*p.normalA)
			sum := p.normalImpulse - float64(float64(p.normalMass*mass)*(vn+bias)) - float64(give*p.normalImpulse)
			if sum < 0 {
				sum = 0 // never pulls
			}
			impulse := sum - p.normalImpulse
			p.normalImpulse = sum
			if sum > p.most {
				p.most = sum
			}
			va, vb = va.addScaled(n, -float64(impulse*a.invM)), vb.addScaled(n, float64(impulse*b.invM))
			wa -= float64(float64(impulse*a.invI) * p.normalA)
			wb += float64(float64(impulse*b.invI) * p.normalB)
		}
		t := Vec{-n.Y, n.X}
		for j := range c.count {
			p := &c.points[j]
			vt := vb.sub(va).dot(t) + float64(wb*p.tangentB) - float64(wa*p.tangentA)
			most := float64(c.friction * p.normalImpulse)
			sum := clamp(p.tangentImpulse-float64(p.tangentMass*(vt-c.surface)), -most, most)
			impulse := sum - p.tangentImpulse
			p.tangentImpulse = sum
			va, vb = va.addScaled(t, -float64(impulse*a.invM)), vb.addScaled(t, float64(impulse*b.invM))
			wa -= float64(float64(impulse*a.invI) * p.tangentA)
			wb += float64(float64(impulse*b.invI) * p.tangentB)
		}
		a.v, a.w, b.v, b.w = va, wa, vb, wb
		if c.rolling > 0 {
			c.roll(a, b)
		}
	}
}

// tally adds the impulses of a sub-step to those of the step.
func tally(cs []constraint) {
	for i := range cs {
		c := &cs[i]
		for j := range c.count {
			c.points[j].total += c.points[j].normalImpulse
		}
	}
}

// bounce gives back the approach speed, times the restitution, where bodies
// pushed each other in this step, and the friction that comes with the push.
func (sv *Solver) bounce(cs []constraint) {
	for i := range cs {
		c := &cs[i]
		if c.restitution == 0 || !c.bounces(sv.bounceSpeed) {
			continue
		}
		a, b := &sv.moving[c.a], &sv.moving[c.b]
		var given [2]float64
		for range bounceRounds {
			for j := range c.count {
				if c.points[j].bounces(sv.bounceSpeed) {
					given[j] = c.bouncePoint(a, b, &c.points[j], given[j])
				}
			}
		}
		for j := range c.count {
			c.points[j].total += given[j]
			c.rubBounce(a, b, &c.points[j], given[j])
		}
	}
}

func (c *constraint) bounces(speed float64) bool {
	return c.points[0].bounces(speed) || c.points[1].bounces(speed)
}

func (p *constraintPoint) bounces(speed float64) bool { return p.approach < -speed && p.most > 0 }

// bouncePoint brings one point to the speed at which it is to part. given is
// the impulse of this bounce so far; the sum is returned and never pulls.
func (c *constraint) bouncePoint(a, b *movement, p *constraintPoint, given float64) float64 {
	vn := b.v.sub(a.v).dot(c.normal) + float64(b.w*p.normalB) - float64(a.w*p.normalA)
	sum := max(given-float64(p.normalMass*(vn+float64(c.restitution*p.approach))), 0)
	p.pushNormal(a, b, c.normal, sum-given)
	return sum
}

// rubBounce is the friction of a bounce alone.
func (c *constraint) rubBounce(a, b *movement, p *constraintPoint, normalImpulse float64) {
	n := c.normal
	vt := b.v.sub(a.v).dot(Vec{-n.Y, n.X}) + float64(b.w*p.tangentB) - float64(a.w*p.tangentA)
	most := float64(c.friction * normalImpulse)
	p.pushTangent(a, b, n, clamp(-float64(p.tangentMass*vt), -most, most))
}
