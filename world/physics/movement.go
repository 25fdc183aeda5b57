package physics

import "github.com/hindcast/hindcast/world/detmath"

// movement has the values of a body that sub-steps change.
type movement struct {
	V           Vec     // m/s
	W           float64 // rad/s
	D           Vec     // metres moved since the start of the step
	Turn        float64 // radians turned since the start of the step
	Cos, Sin    float64 // of the turn; 1, 0 for circles, whose surface does not turn
	InvM, InvI  float64
	Gain        gain
	Pace        pace
	Round       bool // a circle
	Constrained bool
	Held        bool   // was held back at a limit
	Cut         bool   // its way was shortened: it is a bullet
	Rounds      uint32 // a bit for each round in which it has a constraint
}

// gain is the velocity that the forces on a body add in each sub-step: acceleration
// times length, in m/s and rad/s.
type gain struct {
	V Vec
	W float64
}

// pace is the factor by which a Def's damping changes a velocity in each sub-step.
type pace struct{ linear, angular float64 }

// sumForces sums the forces. If they are not finite they are forgotten.
func sumForces(m *movement, b *Body, d *Def, rules *stepRules) {
	fx, fy, torque := b.FX+b.ImpFX, b.FY+b.ImpFY, b.Torque+b.ImpT
	if !finite(fx) || !finite(fy) || !finite(torque) {
		b.FX, b.FY, b.Torque = 0, 0, 0
		fx, fy, torque, m.Held = 0, 0, 0, true
	}
	switch {
	case !d.ForcePerMass:
		fx, fy, torque = float64(fx*d.inverseMass()), float64(fy*d.inverseMass()), float64(torque*d.inverseInertia())
	case d.FixedRotation:
		torque = 0
	}
	m.Gain.V = Vec{fx + float64(rules.GravityX*d.GravityScale), fy + float64(rules.GravityY*d.GravityScale)}.scale(rules.H)
	m.Gain.W = float64(rules.H * torque)
}

// accelerate is one sub-step of forces and damping.
func accelerate(m *movement) {
	m.V = m.V.add(m.Gain.V).scale(m.Pace.linear)
	m.W = float64((m.W + m.Gain.W) * m.Pace.angular)
	if m.V.lengthSquared() > MaxSpeed*MaxSpeed || m.W > MaxSpin || m.W < -MaxSpin {
		holdSpeeds(m)
	}
}

// holdSpeeds keeps the speeds within the limits.
func holdSpeeds(m *movement) {
	holdSpeed(&m.V.X, &m.V.Y)
	hold(&m.W, MaxSpin)
	m.Held = true
}

func advance(m *movement, h float64) {
	m.D = m.D.addScaled(m.V, h)
	m.Turn += float64(h * m.W)
}

// setTurn computes cosine and sine of the turn so far, as the rotation whose
// half angle has the tangent turn/2: exactly a rotation, and off by less than
// turn^3/12. The nearest point of a circle does not turn with it.
func setTurn(m *movement) {
	if m.Round || m.Turn == 0 {
		return
	}
	t := m.Turn / 2
	tt := float64(t * t)
	inv := 1 / (1 + tt)
	m.Cos, m.Sin = float64((1-tt)*inv), float64(m.Turn*inv)
}

// displace moves the body as its centre of mass moved and turned.
func (b *Body) displace(d *Def, m *movement) {
	b.X += m.D.X
	b.Y += m.D.Y
	if m.Turn == 0 {
		return
	}
	cos, sin := b.Cos, b.Sin
	b.Angle = detmath.Wrap(b.Angle + m.Turn)
	b.Sin, b.Cos = detmath.Sincos(b.Angle)
	if d.centreOfMass() != (Vec{}) {
		shift := d.centreOfMass().rotate(cos, sin).sub(d.centreOfMass().rotate(b.Cos, b.Sin))
		b.X += shift.X
		b.Y += shift.Y
	}
}
