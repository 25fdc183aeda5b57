package api

// physicsAPI describes joints.
func physicsAPI() []Section { return []Section{jointAPI(), jointMethodAPI()} }

func jointAPI() Section {
	return Section{Title: "Joints", Kind: Functions,
		Text: "In hooks: each connects two bodies, or one body and the world if b is nil, and returns the joint, " +
			"an object of the class `Joint`. " +
			"All take `ax, ay, bx, by` (the ends, in the frames of a and b), `break_force` (N), `break_torque` (N " +
			"m) and `collide`; see [scripting.md](scripting.md#joints).",
		Members: list("rope(a: Object, b?: Object, options?: JointOptions) -> joint: Joint",
			"keeps the ends at most `length` apart",
			"rod(a: Object, b?: Object, options?: JointOptions) -> joint: Joint",
			"keeps the ends `length` apart", "spring(a: Object, b?: Object, options?: JointOptions) -> joint: Joint",
			"pulls towards `length`: `hertz` (2), `damping` (0.3), `min`, `max`",
			"hinge(a: Object, b?: Object, options?: JointOptions) -> joint: Joint",
			"turns freely: `min`, `max`, `speed`, `max_torque`, `hertz`, `damping`",
			"weld(a: Object, b?: Object, options?: JointOptions) -> joint: Joint",
			"holds both together: `hertz`, `damping`, `turn_hertz`, `turn_damping`",
			"slider(a: Object, b?: Object, options?: JointOptions) -> joint: Joint",
			"b moves along `axis` (0): `min`, `max`, `speed`, `max_force`, `hertz`, `damping`",
			"wheel(a: Object, b?: Object, options?: JointOptions) -> joint: Joint",
			"b turns, with a spring along `axis` (pi/2): `hertz` (4), `damping` (0.7), `min`, `max`, `speed`, "+
				"`max_torque`")}
}

func jointMethodAPI() Section {
	return Section{Title: "Methods of joints", Of: "Object", Kind: Methods,
		Text: "A joint has `bodyA`, `bodyB` (the bodies that it connects), `valid()` and `remove()`, and these " +
			"methods, which take effect when the current order ends.",
		Members: list(
			"setMotor(speed: number, max: number)", "m/s or rad/s, and the most N or N m; max 0 switches the motor off",
			"setLimits(min: number, max: number)", "metres, or radians of a hinge",
			"setLength(length: number)", "of a rope, rod or spring",
			"setSpring(hertz: number, damping: number)", "0 Hz switches the spring off; damping 1 does not oscillate")}
}
