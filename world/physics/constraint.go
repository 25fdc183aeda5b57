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
type softness struct{ Bias, Mass, Impulse, Rigid float64 }

// softFor computes the factors for a stiffness in hertz, a damping ratio and
// sub-steps of h seconds.
func softFor(hertz, damping, h float64) softness {
	omega := float64(2 * math.Pi * hertz)
	a1 := float64(2*damping) + float64(h*omega)
	a2 := float64(float64(h*omega) * a1)
	a3 := 1 / (1 + a2)
	return softness{Bias: omega / a1, Mass: float64(a2 * a3), Impulse: a3, Rigid: 1}
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
	A, B     int32 // ranks
	First    int32 // of its points
	Count    uint8 // of its points
	Rolls    bool  // rolling is resisted
	Normal   Vec
	InvMA    float64 // of the two bodies
	InvIA    float64
	InvMB    float64
	InvIB    float64
	Friction float64
	Surface  float64 // m/s along the tangent that friction aims at
}

// constraintPoint is one point of contact. With anchors ra and rb from the
// two centres of mass and the normal n, the levers are ra x n and ra . n: the
// second is also ra x t for the tangent t, n turned by a quarter.
type constraintPoint struct {
	NormalA, NormalB   float64 // levers of the normal, metres
	TangentA, TangentB float64 // levers of the tangent, metres
	Offset             float64 // separation if both anchors coincided, metres
	Separation         float64 // at the present poses of the bodies, metres
	NormalMass         float64 // kg that the point feels along the normal
	TangentMass        float64
	NormalImpulse      float64 // N s of this sub-step
	TangentImpulse     float64
	Total              float64 // N s of the whole step
	Passing            float64 // N s of the visits that do not count for the step
}

// constraintEnd has the parts of a constraint that are not needed in every sub-step.
type constraintEnd struct {
	Restitution float64
	Rolling     float64    // metres: most torque by normal force
	Rolled      float64    // N m s of this sub-step
	Approach    [2]float64 // by point: normal velocity at the start of the step, below 0 when closing in
	ID          [2]uint16  // by point
}

// hasPushed reports whether the bodies pushed each other at the point in any sub-step.
func hasPushed(p *constraintPoint) bool { return p.Total > 0 || p.Passing > 0 }

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
	return cs.points[c.First : c.First+int32(c.Count)]
}

// add adds the constraint of two parts, from a manifold and the impulses of the step
// before.
func (cs *constraints) add(m *manifold, pa, pb part, old *Contact, bodies *rankedBodies) {
	a, b := pa.Rank, pb.Rank
	oa, ob := bodies.outline(a), bodies.outline(b)
	ma, mb := bodies.motions().of(a), bodies.motions().of(b)
	cs.pairs, cs.ends = longer(cs.pairs), longer(cs.ends)
	c, end := &cs.pairs[len(cs.pairs)-1], &cs.ends[len(cs.ends)-1]
	*end = constraintEnd{}
	c.A, c.B, c.First, c.Count, c.Rolls, c.Normal = a, b, int32(len(cs.points)), uint8(m.Count), false, m.Normal
	c.InvMA, c.InvIA, c.InvMB, c.InvIB = ma.InvM, ma.InvI, mb.InvM, mb.InvI
	c.Friction = math.Sqrt(float64(oa.Def.Friction * ob.Def.Friction))
	c.Surface = oa.Def.SurfaceSpeed + ob.Def.SurfaceSpeed
	end.Restitution = max(oa.Def.Restitution, ob.Def.Restitution)
	if most := max(oa.Def.Rolling, ob.Def.Rolling); most > 0 {
		end.Rolling = float64(most * max(oa.Def.pieces()[pa.Index].Radius, ob.Def.pieces()[pb.Index].Radius))
		c.Rolls = end.Rolling > 0
	}
	d := ob.Centre.sub(oa.Centre)
	dn, dv := d.dot(m.Normal), mb.V.sub(ma.V).dot(m.Normal)
	for i := range m.Count {
		from := &m.Points[i]
		ra, rb := from.At, from.At.sub(d)
		cs.points = longer(cs.points)
		p := &cs.points[len(cs.points)-1]
		p.NormalA, p.NormalB = ra.cross(m.Normal), rb.cross(m.Normal)
		p.TangentA, p.TangentB = ra.dot(m.Normal), rb.dot(m.Normal)
		p.Offset = from.Separation + dn
		p.Separation = p.Offset + p.TangentB - p.TangentA
		p.NormalMass = pointMass(ma, mb, p.NormalA, p.NormalB)
		p.TangentMass = pointMass(ma, mb, p.TangentA, p.TangentB)
		end.Approach[i] = dv + float64(mb.W*p.NormalB) - float64(ma.W*p.NormalA)
		end.ID[i] = from.ID
		p.NormalImpulse, p.TangentImpulse, p.Passing, p.Total = 0, 0, 0, 0
		if old != nil {
			inheritImpulses(p, old, from.ID)
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
func pointMass(a, b *movement, leverA, leverB float64) float64 {
	k := a.InvM + b.InvM + float64(a.InvI*float64(leverA*leverA)) + float64(b.InvI*float64(leverB*leverB))
	if k > 0 {
		return 1 / k
	}
	return 0
}

// inheritImpulses takes over the impulses of the same point in the previous step.
func inheritImpulses(p *constraintPoint, old *Contact, id uint16) {
	for i := range old.Count {
		if old.ID[i] == id {
			p.NormalImpulse, p.TangentImpulse = old.Normal[i], old.Tangent[i]
			return
		}
	}
}

// check asserts that each pair of bodies has its points, and the masses of the bodies.
func (cs *constraints) check(bodies *rankedBodies) {
	points := int32(0)
	for i := range cs.pairs {
		c := &cs.pairs[i]
		a, b := bodies.motions().of(c.A), bodies.motions().of(c.B)
		if c.A >= c.B || c.First != points || c.Count < 1 || c.Count > 2 || c.InvMA != a.InvM || c.InvMB != b.InvM || c.InvIA != a.InvI || c.InvIB != b.InvI {
			violated("the constraint %+v at point %d", *c, points)
		}
		if c.InvMA == 0 && c.InvMB == 0 {
			violated("a constraint of the ranks %d and %d, which nothing pushes", c.A, c.B)
		}
		points += int32(c.Count)
	}
	if int(points) != len(cs.points) || len(cs.ends) != len(cs.pairs) {
		violated("%d pairs of %d points, with %d points and %d ends", len(cs.pairs), points, len(cs.points), len(cs.ends))
	}
}
