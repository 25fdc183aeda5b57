package physics

import "github.com/hindcast/hindcast/world/detmath"

// substep moves the bodies that touch through h seconds.
func (sv *Solver) substep() {
	invH := 1 / sv.h
	for _, rank := range sv.active {
		sv.moving[rank].accelerate()
	}
	sv.warmStartJoints()
	sv.free.warmStart(sv.moving)
	sv.fixed.warmStart(sv.moving)
	sv.burdened.warmStart(sv.moving)
	for range jointVisits {
		sv.solveJoints(true)
	}
	sv.free.visit(sv.moving, sv.soft.aims(invH), false)
	sv.fixed.visit(sv.moving, sv.hard.aims(invH), false)
	sv.visitBurdened()
	for _, rank := range sv.active {
		sv.moving[rank].move(sv.h)
		sv.moving[rank].turnBy()
	}
	sv.turnJoints()
	for range jointRelaxes {
		sv.solveJoints(false)
	}
	sv.free.visit(sv.moving, sv.soft.relaxed().aims(invH), true)
	sv.fixed.visit(sv.moving, sv.hard.relaxed().aims(invH), true)
	sv.relaxBurdened()
	sv.tallyJoints()
}

// restitution makes bodies bounce, after the last sub-step.
func (sv *Solver) restitution() {
	sv.bounceRounds(&sv.free)
	sv.bounceRounds(&sv.fixed)
	sv.bounce(&sv.burdened)
}

// moveFree moves the bodies that touch nothing, with the same arithmetic.
func (sv *Solver) moveFree(substeps int) {
	for rank := range sv.outlines {
		m := &sv.moving[rank]
		if m.Constrained || !sv.outlines[rank].moves() {
			continue
		}
		for range substeps {
			m.accelerate()
			m.move(sv.h)
		}
	}
}

// accelerate is one sub-step of forces and damping.
func (m *movement) accelerate() {
	m.V = m.V.add(m.Gain.V).scale(m.Pace.linear)
	m.W = float64((m.W + m.Gain.W) * m.Pace.angular)
	if m.V.lengthSquared() > MaxSpeed*MaxSpeed || m.W > MaxSpin || m.W < -MaxSpin {
		m.hold()
	}
}

// hold keeps the speeds within the limits.
func (m *movement) hold() {
	holdSpeed(&m.V.X, &m.V.Y)
	hold(&m.W, MaxSpin)
	m.Held = true
}

func (m *movement) move(h float64) {
	m.D = m.D.addScaled(m.V, h)
	m.Turn += float64(h * m.W)
}

// turnBy computes cosine and sine of the turn so far, as the rotation whose
// half angle has the tangent turn/2: exactly a rotation, and off by less than
// turn^3/12. The nearest point of a circle does not turn with it.
func (m *movement) turnBy() {
	if m.Round || m.Turn == 0 {
		return
	}
	t := m.Turn / 2
	tt := float64(t * t)
	inv := 1 / (1 + tt)
	m.Cos, m.Sin = float64((1-tt)*inv), float64(m.Turn*inv)
}

// finish writes positions and velocities back. Static bodies are not written, except for forces that were
// put on them, and sleeping bodies not at all.
func (sv *Solver) finish(s *State) {
	for rank := range sv.outlines {
		o := &sv.outlines[rank]
		b := &s.Bodies[o.Slot]
		if b.ImpFX != 0 || b.ImpFY != 0 || b.ImpT != 0 {
			b.ImpFX, b.ImpFY, b.ImpT = 0, 0, 0
		}
		if !o.moves() {
			continue
		}
		m := &sv.moving[rank]
		if !m.V.finite() || !finite(m.W) || !m.D.finite() || !finite(m.Turn) {
			*m = movement{Held: true}
		}
		if o.Kind == Dynamic || m.Held { // of others not even the sign of a zero: islands share them
			b.VX, b.VY, b.W = m.V.X, m.V.Y, m.W
		}
		b.displace(o.Def, m)
		if b.sanitise() || m.Held {
			sv.Clamped++
		}
	}
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
