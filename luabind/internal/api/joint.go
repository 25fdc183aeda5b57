package api

// physicsAPI describes joints.
func physicsAPI() []Section { return []Section{jointAPI(), jointMethodAPI()} }

func jointAPI() Section {
	return Section{Title: "Joints", Kind: Functions,
		Text: "In hooks: each ties two bodies, or one to the world where b is nil, and gives the joint, an object of the class `Joint`. " +
			"All take `ax, ay, bx, by` (the ends, in the frames of a and b), `break_force` (N), `break_torque` (N m) and `collide`; see [scripting.md](scripting.md#joints).",
		Members: list(
			"rope(a: Object, b?: Object, options?: JointOptions) -> joint: Joint", "at most `length` apart",
			"rod(a: Object, b?: Object, options?: JointOptions) -> joint: Joint", "always `length` apart",
			"spring(a: Object, b?: Object, options?: JointOptions) -> joint: Joint", "`length` at rest, `hertz` (2), `damping` (0.3), `min`, `max`",
			"hinge(a: Object, b?: Object, options?: JointOptions) -> joint: Joint", "turns freely: `min`, `max`, `speed`, `max_torque`, `hertz`, `damping`",
			"weld(a: Object, b?: Object, options?: JointOptions) -> joint: Joint", "holds: `hertz`, `damping`, `turn_hertz`, `turn_damping`",
			"slider(a: Object, b?: Object, options?: JointOptions) -> joint: Joint", "b moves along `axis` (0): `min`, `max`, `speed`, `max_force`, `hertz`, `damping`",
			"wheel(a: Object, b?: Object, options?: JointOptions) -> joint: Joint", "b turns, sprung along `axis` (pi/2): `hertz` (4), `damping` (0.7), `min`, `max`, `speed`, `max_torque`",
		)}
}

func jointMethodAPI() Section {
	return Section{Title: "Methods of joints", Of: "Object", Kind: Methods,
		Text: "A joint has `bodyA`, `bodyB` (what it ties), `valid()` and `remove()`, and these. They take effect when the present order ends.",
		Members: list(
			"setMotor(speed: number, max: number)", "m/s or rad/s, and at most so many N or N m; 0 switches it off",
			"setLimits(min: number, max: number)", "metres, or radians of a hinge",
			"setLength(length: number)", "of a rope, rod or spring",
			"setSpring(hertz: number, damping: number)", "0 Hz switches it off; damping 1 does not swing",
		)}
}
