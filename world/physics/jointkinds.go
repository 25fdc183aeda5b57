package physics

// The joints as rows that are visited one after the other: soft rows first, hard ones
// last. Each visit changes the sums of impulses in the Joint and the velocities of the
// two bodies.

// solve makes the impulses of one visit. pushOut lets springs act and brings bodies
// back to where they must be; without it their velocities are only relaxed.
func (c *jointed) solve(a, b *movement, st *stance, firm softness, pushOut bool) {
	switch c.joint.Kind {
	case Distance:
		c.solveDistance(a, b, st, firm, pushOut)
	case Hinge:
		c.solveHinge(a, b, st, firm, pushOut)
	case Weld:
		c.solveWeld(a, b, st, firm, pushOut)
	case Slider, Wheel:
		c.solveSlider(a, b, st, firm, pushOut)
	case Target:
		c.solveTarget(a, b, st, pushOut)
	}
}

func (c *jointed) solveDistance(a, b *movement, st *stance, firm softness, pushOut bool) {
	n, length := st.apart.normal()
	r := st.along(n, false)
	mass, p := r.mass(a, b), &c.joint.Impulse
	if c.joint.Flags&(JointSpring|JointLimits) == 0 {
		r.push(a, b, swap(&p[rowX], firm.solve(p[rowX], length-c.joint.Length, r.speed(a, b), mass)))
		return
	}
	c.alongLine(a, b, r, mass, length-c.joint.Length, length, firm, pushOut)
}

// alongLine lets spring and limits act along a row: off is what the spring
// feels, at what the limits see.
func (c *jointed) alongLine(a, b *movement, r row, mass, off, at float64, firm softness, pushOut bool) {
	p := &c.joint.Impulse
	if c.joint.Flags&JointSpring != 0 && pushOut {
		r.push(a, b, swap(&p[rowY], c.spring.solve(p[rowY], off, r.speed(a, b), mass)))
	}
	if c.joint.Flags&JointLimits == 0 {
		return
	}
	r.push(a, b, swap(&p[rowLower], c.limit(p[rowLower], at-c.joint.Min, r.speed(a, b), mass, firm)))
	r.push(a, b, -swap(&p[rowUpper], c.limit(p[rowUpper], c.joint.Max-at, -r.speed(a, b), mass, firm)))
}

func (c *jointed) solveHinge(a, b *movement, st *stance, firm softness, pushOut bool) {
	mass, p := a.turnMass(b), &c.joint.Impulse
	if c.joint.Flags&JointSpring != 0 && pushOut {
		a.twist(b, swap(&p[rowAngle], c.spring.solve(p[rowAngle], st.angle, b.w-a.w, mass)))
	}
	if c.joint.Flags&JointMotor != 0 {
		a.twist(b, swap(&p[rowMotor], c.motor(b.w-a.w, mass)))
	}
	if c.joint.Flags&JointLimits != 0 {
		a.twist(b, swap(&p[rowLower], c.limit(p[rowLower], st.angle-c.joint.Min, b.w-a.w, mass, firm)))
		a.twist(b, -swap(&p[rowUpper], c.limit(p[rowUpper], c.joint.Max-st.angle, a.w-b.w, mass, firm)))
	}
	c.holdPoint(a, b, st, firm)
}

// holdPoint keeps the two anchors together.
func (c *jointed) holdPoint(a, b *movement, st *stance, f softness) {
	v := st.anchorSpeed(a, b).addScaled(st.apart, f.bias)
	xx, xy, yy := st.anchorEffect(a, b)
	p := solve2(xx, xy, yy, v)
	sum := Vec{c.joint.Impulse[rowX], c.joint.Impulse[rowY]}
	change := p.scale(-f.mass).addScaled(sum, -f.impulse)
	c.joint.Impulse[rowX], c.joint.Impulse[rowY] = sum.X+change.X, sum.Y+change.Y
	st.pushAnchors(a, b, change)
}

// A weld is stiff where its hertz are 0, and otherwise a spring that acts once a
// sub-step.
func (c *jointed) solveWeld(a, b *movement, st *stance, firm softness, pushOut bool) {
	turn, place := firm, firm
	if c.joint.TurnHertz > 0 {
		turn = softFor(min(c.joint.TurnHertz, stiffest(c.h)), c.joint.TurnDamping, c.h)
	}
	if c.joint.Hertz > 0 {
		place = softFor(min(c.joint.Hertz, stiffest(c.h)), c.joint.Damping, c.h)
	}
	if pushOut || c.joint.TurnHertz == 0 {
		p := &c.joint.Impulse[rowAngle]
		a.twist(b, swap(p, turn.solve(*p, st.angle, b.w-a.w, a.turnMass(b))))
	}
	if pushOut || c.joint.Hertz == 0 {
		c.holdPoint(a, b, st, place)
	}
}

func (c *jointed) solveSlider(a, b *movement, st *stance, firm softness, pushOut bool) {
	n, p := c.line(st), &c.joint.Impulse
	r := st.along(n, true)
	mass, at := r.mass(a, b), st.apart.dot(n)
	switch {
	case c.joint.Flags&JointMotor == 0:
	case c.joint.Kind == Wheel:
		a.twist(b, swap(&p[rowMotor], c.motor(b.w-a.w, a.turnMass(b))))
	default:
		r.push(a, b, swap(&p[rowMotor], c.motor(r.speed(a, b), mass)))
	}
	c.alongLine(a, b, r, mass, at, at, firm, pushOut)
	side := Vec{-n.Y, n.X}
	across := st.along(side, true)
	if c.joint.Kind == Wheel {
		across.push(a, b,
			swap(&p[rowX], firm.solve(p[rowX], st.apart.dot(side), across.speed(a, b), across.mass(a, b))))
		return
	}
	c.holdLine(a, b, st, across, firm)
}

// holdLine keeps B's anchor on the line and B from turning, both at once.
func (c *jointed) holdLine(a, b *movement, st *stance, across row, f softness) {
	xx := a.invM + b.invM + float64(a.invI*float64(across.sa*across.sa)) + float64(b.invI*float64(across.sb*across.sb))
	xy := float64(a.invI*across.sa) + float64(b.invI*across.sb)
	yy := a.invI + b.invI
	if yy == 0 {
		yy = 1 // neither turns
	}
	off := Vec{st.apart.dot(across.n), st.angle}
	v := Vec{across.speed(a, b), b.w - a.w}.addScaled(off, f.bias)
	p := solve2(xx, xy, yy, v)
	sum := Vec{c.joint.Impulse[rowX], c.joint.Impulse[rowAngle]}
	change := p.scale(-f.mass).addScaled(sum, -f.impulse)
	c.joint.Impulse[rowX], c.joint.Impulse[rowAngle] = sum.X+change.X, sum.Y+change.Y
	across.push(a, b, change.X)
	a.twist(b, change.Y)
}

// A target acts once a sub-step, as a spring that never pulls harder than
// MaxForce.
func (c *jointed) solveTarget(a, b *movement, st *stance, pushOut bool) {
	if !pushOut || c.joint.Hertz == 0 {
		return
	}
	c.holdPoint(a, b, st, softFor(min(c.joint.Hertz, stiffest(c.h)), c.joint.Damping, c.h))
	sum := Vec{c.joint.Impulse[rowX], c.joint.Impulse[rowY]}
	most := float64(c.h * c.joint.MaxForce)
	if l := sum.length(); l > most {
		held := sum.scale(most / l)
		st.pushAnchors(a, b, held.sub(sum))
		sum = held
	}
	c.joint.Impulse[rowX], c.joint.Impulse[rowY] = sum.X, sum.Y
}
