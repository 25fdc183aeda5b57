package physics

import "github.com/hindcast/hindcast/world/detmath"

// movement has the values of a body that sub-steps change.
type movement struct {
	v           Vec     // m/s
	w           float64 // rad/s
	d           Vec     // metres moved since the start of the step
	turn        float64 // radians turned since the start of the step
	cos, sin    float64 // of the turn; 1, 0 for circles, whose surface does not turn
	invM, invI  float64
	gain        gain
	pace        pace
	round       bool // a circle
	constrained bool
	held        bool   // was held back at a limit
	cut         bool   // its way was shortened: it is a bullet
	rounds      uint32 // a bit for each round in which it has a constraint
}

// gain is the velocity that the forces on a body add in each sub-step: acceleration
// times length, in m/s and rad/s.
type gain struct {
	v Vec
	w float64
}

// pace is the factor by which a Def's damping changes a velocity in each sub-step.
type pace struct{ linear, angular float64 }

// sumForces sums the forces. If they are not finite they are forgotten.
func (m *movement) sumForces(b *Body, d *Def, rules *stepRules) {
	fx, fy, torque := b.FX+b.ImpFX, b.FY+b.ImpFY, b.Torque+b.ImpT
	if !finite(fx) || !finite(fy) || !finite(torque) {
		b.FX, b.FY, b.Torque = 0, 0, 0
		fx, fy, torque, m.held = 0, 0, 0, true
	}
	switch {
	case !d.ForcePerMass:
		fx, fy, torque = float64(fx*d.inverseMass()), float64(fy*d.inverseMass()), float64(torque*d.inverseInertia())
	case d.FixedRotation:
		torque = 0
	}
	m.gain.v = Vec{
		fx + float64(rules.GravityX*d.GravityScale),
		fy + float64(rules.GravityY*d.GravityScale),
	}.scale(
		rules.h,
	)
	m.gain.w = float64(rules.h * torque)
}

// accelerate is one sub-step of forces and damping.
func (m *movement) accelerate() {
	m.v = m.v.add(m.gain.v).scale(m.pace.linear)
	m.w = float64((m.w + m.gain.w) * m.pace.angular)
	if m.v.lengthSquared() > MaxSpeed*MaxSpeed || m.w > MaxSpin || m.w < -MaxSpin {
		m.holdSpeeds()
	}
}

// holdSpeeds keeps the speeds within the limits.
func (m *movement) holdSpeeds() {
	holdSpeed(&m.v.X, &m.v.Y)
	hold(&m.w, MaxSpin)
	m.held = true
}

func (m *movement) advance(h float64) {
	m.d = m.d.addScaled(m.v, h)
	m.turn += float64(h * m.w)
}

// setTurn computes cosine and sine of the turn so far, as the rotation whose
// half angle has the tangent turn/2: exactly a rotation, and off by less than
// turn^3/12. The nearest point of a circle does not turn with it.
func (m *movement) setTurn() {
	if m.round || m.turn == 0 {
		return
	}
	t := m.turn / 2
	tt := float64(t * t)
	inv := 1 / (1 + tt)
	m.cos, m.sin = float64((1-tt)*inv), float64(m.turn*inv)
}

// displace moves the body as its centre of mass moved and turned.
func (b *Body) displace(d *Def, m *movement) {
	b.X += m.d.X
	b.Y += m.d.Y
	if m.turn == 0 {
		return
	}
	cos, sin := b.Cos, b.Sin
	b.Angle = detmath.Wrap(b.Angle + m.turn)
	b.Sin, b.Cos = detmath.Sincos(b.Angle)
	if d.centreOfMass() != (Vec{}) {
		shift := d.centreOfMass().rotate(cos, sin).sub(d.centreOfMass().rotate(b.Cos, b.Sin))
		b.X += shift.X
		b.Y += shift.Y
	}
}
