package physics

import "fmt"

// has lists the parts of a kind of joint.
type has struct{ limits, motor, spring, turnSpring, axis, length, turns bool }

// parts returns the parts of the joint's kind.
func (k JointKind) parts() has {
	switch k {
	case Distance:
		return has{limits: true, spring: true, length: true}
	case Hinge:
		return has{limits: true, motor: true, spring: true, turns: true}
	case Weld:
		return has{turnSpring: true, turns: true}
	case Slider:
		return has{limits: true, motor: true, spring: true, axis: true, turns: true}
	case Wheel:
		return has{limits: true, motor: true, spring: true, axis: true, turns: true}
	}
	return has{}
}

// CheckJoint reports values of a joint that Step ignores. Numbers that the solver
// cannot work with are errors of Joint.Check, which it reports too.
func CheckJoint(j *Joint, p Params) []Finding {
	f := findings{where: fmt.Sprintf("joint %016x", j.Key)}
	if err := j.Check(); err != nil {
		f.add(Ignored, "%v", err)
		return f.all
	}
	if j.Gone() {
		return nil // the next Step reports it, and uses nothing of it
	}
	f.checkMotor(j)
	f.checkLimits(j)
	f.checkSpring(j, p)
	f.checkTarget(j)
	f.checkGeometry(j)
	return f.all
}

func (f *findings) checkMotor(j *Joint) {
	on, force := j.Flags&JointMotor != 0, j.MaxForce
	if j.Kind == Target {
		force = 0 // it counts without a motor
	}
	switch {
	case !j.Kind.parts().motor:
		f.ignored(on || j.Speed != 0 || force != 0,
			"Speed = %v, MaxForce = %v: this kind has no motor; Hinge, Slider and Wheel have", j.Speed, j.MaxForce)
	case !on:
		f.ignored(j.Speed != 0 || force != 0,
			"Speed = %v, MaxForce = %v: the motor is off; add JointMotor to Flags", j.Speed, j.MaxForce)
	default:
		f.ignored(force == 0, "MaxForce = 0: the motor has no force; give N, or N m for Hinge and Wheel")
	}
}

func (f *findings) checkLimits(j *Joint) {
	on, set := j.Flags&JointLimits != 0, j.Min != 0 || j.Max != 0
	switch {
	case !j.Kind.parts().limits:
		f.ignored(on || set, "Min = %v, Max = %v: this kind has no limits", j.Min, j.Max)
	case !on:
		f.ignored(set, "Min = %v, Max = %v: the limits are off; add JointLimits to Flags", j.Min, j.Max)
	case j.Kind == Distance:
		f.ignored(!(j.Max > 0), "Max = %v: the anchors cannot be that near; give the greatest distance in metres",
			j.Max)
	}
}

func (f *findings) checkSpring(j *Joint, p Params) {
	on, kind := j.Flags&JointSpring != 0, j.Kind.parts()
	switch {
	case kind.spring && !on:
		f.ignored(j.Hertz != 0 || j.Damping != 0,
			"Hertz = %v, Damping = %v: the spring is off; add JointSpring to Flags", j.Hertz, j.Damping)
	case kind.spring || j.Kind == Weld && on:
		f.ignored(j.Hertz == 0, "Hertz = 0: the spring has no force; give its frequency")
	case j.Kind == Weld:
		f.ignored(j.Hertz == 0 && j.Damping != 0, "Damping = %v: without Hertz the weld is stiff", j.Damping)
	}
	if kind.turnSpring {
		f.ignored(j.TurnHertz == 0 && j.TurnDamping != 0, "TurnDamping = %v: without TurnHertz the weld is stiff",
			j.TurnDamping)
	} else {
		f.ignored(j.TurnHertz != 0 || j.TurnDamping != 0, "TurnHertz = %v, TurnDamping = %v count for Weld only",
			j.TurnHertz, j.TurnDamping)
	}
	most := float64(0.25*float64(max(p.Substeps, 1))) / p.DT
	f.ignored(most < j.Hertz, "Hertz = %v acts as %v: a spring is no faster than a quarter of the sub-step rate",
		j.Hertz, most)
	f.ignored(most < j.TurnHertz,
		"TurnHertz = %v acts as %v: a spring is no faster than a quarter of the sub-step rate", j.TurnHertz, most)
}

func (f *findings) checkTarget(j *Joint) {
	if j.Kind == Target {
		f.ignored(j.Hertz == 0, "Hertz = 0: the target does not pull; give the frequency of its spring")
		f.ignored(j.MaxForce == 0, "MaxForce = 0: the target does not pull; give N")
	}
}

func (f *findings) checkGeometry(j *Joint) {
	kind := j.Kind.parts()
	f.ignored(!kind.axis && j.Axis != 0, "Axis = %v counts for Slider and Wheel only", j.Axis)
	f.ignored(!kind.length && j.Length != 0, "Length = %v counts for Distance only", j.Length)
	f.ignored(!kind.turns && j.BreakTorque != 0,
		"BreakTorque = %v: this kind holds no angle, so no torque breaks it", j.BreakTorque)
	rod := j.Kind == Distance && j.Flags&(JointLimits|JointSpring) == 0
	f.ignored(rod && j.Length < slop,
		"Length = %v: a rod needs a length; NewDistance measures it, and a Hinge holds two points together",
		j.Length)
}

// checkJointIn looks at Joints[i] among the bodies of s.
func (f *findings) checkJointIn(s *State, defs []Def, p Params, i int) {
	j := &s.Joints[i]
	where := fmt.Sprintf("joint %016x", j.Key)
	f.at(where, CheckJoint(j, p))
	f.where = where
	f.ignored(i > 0 && compareJoints(s.Joints[i-1], *j) >= 0,
		"it comes after a joint that it must precede, or its key occurs twice: add joints with State.AddJoint")
	if j.Gone() {
		return
	}
	if s.keyAt(j.SlotA) != j.KeyA || s.keyAt(j.SlotB) != j.KeyB {
		f.add(
			Ignored,
			"its bodies are not in slots %d and %d, so the next Step drops it: add joints with "+
				"State.AddJoint, and take bodies out with State.Remove",
			j.SlotA,
			j.SlotB,
		)
		return
	}
	a, b := &s.Bodies[j.SlotA], (*Body)(nil)
	if j.SlotB >= 0 {
		b = &s.Bodies[j.SlotB]
	}
	f.ignored(fixedEnds(defs, a, b)&jointFixed == jointFixed, "neither of its bodies is dynamic")
	f.checkAnchors(s, defs, j)
}

// checkAnchors reports anchors that are farther apart than the two bodies reach, where the joint
// holds them together: anchors given in the world instead of in the frame of a body.
func (f *findings) checkAnchors(s *State, defs []Def, j *Joint) {
	if j.Kind == Distance || j.Kind == Target {
		return
	}
	a := &s.Bodies[j.SlotA]
	at, reach := j.AnchorB, reachOf(a, defs)
	if j.SlotB >= 0 {
		b := &s.Bodies[j.SlotB]
		at, reach = b.ToWorld(j.AnchorB), reach+reachOf(b, defs)
	}
	apart := a.ToWorld(j.AnchorA).sub(at)
	if j.Kind == Slider || j.Kind == Wheel {
		turned := NewBody(0, 0, Vec{}, a.Angle+j.Axis)
		apart = Vec{Y: apart.unrotate(turned.Cos, turned.Sin).Y} // they may be apart along the axis
	}
	f.ignored(
		apart.length() > reach,
		"its anchors are %.3g m apart, and it will pull them together: anchors are in the frames of "+
			"their bodies (Body.ToBody); NewJoint computes them",
		apart.length(),
	)
}

func reachOf(b *Body, defs []Def) float64 {
	if d := b.def(defs); d != nil {
		return d.radius()
	}
	return 0
}
