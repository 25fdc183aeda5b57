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

// stiffest returns a quarter of the rate of sub-steps of h seconds, in hertz: a spring that
// is stiffer would not be stable.
func stiffest(h float64) float64 { return 0.25 / h }

// constraints keep pairs of bodies apart, in the order of their keys. What every sub-step reads is close
// together in memory, and apart from the rest.
type constraints struct {
	pairs  []constraint
	points []constraintPoint // of the first pair, of the second, and so on
	ends   []constraintEnd   // by pair
}

// constraint keeps two bodies apart at one or two points, and applies friction.
type constraint struct {
	a, b     int32 // ranks
	first    int32 // of its points
	count    uint8 // of its points
	rolls    bool  // rolling is resisted
	normal   Vec
	invMA    float64 // of the two bodies
	invIA    float64
	invMB    float64
	invIB    float64
	friction float64
	surface  float64 // m/s along the tangent that friction aims at
}

// constraintPoint is one point of contact. With anchors ra and rb from the
// two centres of mass and the normal n, the levers are ra x n and ra . n: the
// second is also ra x t for the tangent t, n turned by a quarter.
type constraintPoint struct {
	normalA, normalB   float64 // levers of the normal, metres
	tangentA, tangentB float64 // levers of the tangent, metres
	offset             float64 // separation if both anchors coincided, metres
	separation         float64 // at the present poses of the bodies, metres
	normalMass         float64 // kg that the point feels along the normal
	tangentMass        float64
	normalImpulse      float64 // N s of this sub-step
	tangentImpulse     float64
	total              float64 // N s of the whole step
	passing            float64 // N s of the visits that do not count for the step
}

// constraintEnd has the parts of a constraint that are not needed in every sub-step.
type constraintEnd struct {
	restitution float64
	rolling     float64    // metres: most torque by normal force
	rolled      float64    // N m s of this sub-step
	approach    [2]float64 // by point: normal velocity at the start of the step, below 0 when closing in
	id          [2]uint16  // by point
}

// hasPushed reports whether the bodies pushed each other at the point in any sub-step.
func (p *constraintPoint) hasPushed() bool { return p.total > 0 || p.passing > 0 }

func (cs *constraints) reset() {
	cs.pairs, cs.points, cs.ends = cs.pairs[:0], cs.points[:0], cs.ends[:0]
}

// len returns how many pairs there are.
func (cs *constraints) len() int { return len(cs.pairs) }

// all returns the constraints of the pairs.
func (cs *constraints) all() []constraint { return cs.pairs }

// at returns the points of a pair, and what goes with them.
func (cs *constraints) at(i int32) ([]constraintPoint, *constraintEnd) {
	return cs.pointsOf(&cs.pairs[i]), &cs.ends[i]
}

// pointsOf returns the points of a pair.
func (cs *constraints) pointsOf(c *constraint) []constraintPoint {
	return cs.points[c.first : c.first+int32(c.count)]
}

// add adds the constraint of two parts, from a manifold and the impulses of the step
// before.
func (cs *constraints) add(m *manifold, pa, pb part, old *Contact, bodies *rankedBodies) {
	a, b := pa.rank, pb.rank
	oa, ob := bodies.outline(a), bodies.outline(b)
	ma, mb := bodies.motions().of(a), bodies.motions().of(b)
	cs.pairs, cs.ends = longer(cs.pairs), longer(cs.ends)
	c, end := &cs.pairs[len(cs.pairs)-1], &cs.ends[len(cs.ends)-1]
	*end = constraintEnd{}
	c.a, c.b, c.first, c.count, c.rolls, c.normal = a, b, int32(len(cs.points)), uint8(m.count), false, m.normal
	c.invMA, c.invIA, c.invMB, c.invIB = ma.invM, ma.invI, mb.invM, mb.invI
	c.friction = math.Sqrt(float64(oa.def.Friction * ob.def.Friction))
	c.surface = oa.def.SurfaceSpeed + ob.def.SurfaceSpeed
	end.restitution = max(oa.def.Restitution, ob.def.Restitution)
	if most := max(oa.def.Rolling, ob.def.Rolling); most > 0 {
		end.rolling = float64(most * max(oa.def.pieces()[pa.index].Radius, ob.def.pieces()[pb.index].Radius))
		c.rolls = end.rolling > 0
	}
	d := ob.centre.sub(oa.centre)
	dn, dv := d.dot(m.normal), mb.v.sub(ma.v).dot(m.normal)
	for i := range m.count {
		from := &m.points[i]
		ra, rb := from.at, from.at.sub(d)
		cs.points = longer(cs.points)
		p := &cs.points[len(cs.points)-1]
		p.normalA, p.normalB = ra.cross(m.normal), rb.cross(m.normal)
		p.tangentA, p.tangentB = ra.dot(m.normal), rb.dot(m.normal)
		p.offset = from.separation + dn
		p.separation = p.offset + p.tangentB - p.tangentA
		p.normalMass = ma.pointMass(mb, p.normalA, p.normalB)
		p.tangentMass = ma.pointMass(mb, p.tangentA, p.tangentB)
		end.approach[i] = dv + float64(mb.w*p.normalB) - float64(ma.w*p.normalA)
		end.id[i] = from.id
		p.normalImpulse, p.tangentImpulse, p.passing, p.total = 0, 0, 0, 0
		if old != nil {
			p.inheritImpulses(old, from.id)
		}
	}
}

// longer returns a slice one more element, of any content.
func longer[T any](s []T) []T {
	if n := len(s); n < cap(s) {
		return s[:n+1]
	}
	var zero T
	return append(s, zero)
}

// pointMass returns the mass in kg that a point of contact feels along a direction
// with the given levers.
func (a *movement) pointMass(b *movement, leverA, leverB float64) float64 {
	k := a.invM + b.invM + float64(a.invI*float64(leverA*leverA)) + float64(b.invI*float64(leverB*leverB))
	if k > 0 {
		return 1 / k
	}
	return 0
}

// inheritImpulses takes over the impulses of the same point in the previous step.
func (p *constraintPoint) inheritImpulses(old *Contact, id uint16) {
	for i := range old.Count {
		if old.ID[i] == id {
			p.normalImpulse, p.tangentImpulse = old.Normal[i], old.Tangent[i]
			return
		}
	}
}

// check asserts that each pair of bodies has its points, and the masses of the bodies.
func (cs *constraints) check(bodies *rankedBodies) {
	points := int32(0)
	for i := range cs.pairs {
		c := &cs.pairs[i]
		a, b := bodies.motions().of(c.a), bodies.motions().of(c.b)
		if c.a >= c.b || c.first != points || c.count < 1 || c.count > 2 || c.invMA != a.invM || c.invMB != b.invM ||
			c.invIA != a.invI ||
			c.invIB != b.invI {
			violated("the constraint %+v at point %d", *c, points)
		}
		if c.invMA == 0 && c.invMB == 0 {
			violated("a constraint of the ranks %d and %d, which nothing pushes", c.a, c.b)
		}
		points += int32(c.count)
	}
	if int(points) != len(cs.points) || len(cs.ends) != len(cs.pairs) {
		violated("%d pairs of %d points, with %d points and %d ends", len(cs.pairs), points, len(cs.points),
			len(cs.ends))
	}
}
