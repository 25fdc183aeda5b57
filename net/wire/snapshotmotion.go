package wire

// Each number of a pose and a velocity is coded as its residual: its distance
// from a prediction. The velocity is predicted from damping and from the last
// acceleration, the pose from both velocities. A residual of 0 costs a small
// fraction of a bit.

// accelerationUnits is how many units of Entity.acceleration make one of
// velocity.
const accelerationUnits = 64

// motionModel holds the probabilities for the poses and velocities of a class.
type motionModel struct {
	accelerated bitModel       // the last acceleration continues
	velocity    [2]numberModel // linear, angular
	pose        [2]numberModel // position, angle
}

// motion codes the velocity and the pose of e, and returns the residuals of the
// velocity.
func (c *snapshotCoder) motion(m *motionModel, old, e *Entity) (off [3]int64) {
	ticks := int64(c.tick - old.Tick)
	linear, angular := c.glides(e.Class, ticks)
	var coast, finely [3]int64 // the velocity that damping leaves: in VelocityUnits, and in fineUnits of these
	for i, g := range [3]*glide{linear, linear, angular} {
		finely[i] = g.damped(old.fineVelocity(i))
		coast[i] = divide(finely[i], fineUnits)
	}
	off = c.velocity(m, old, e, ticks, coast)
	e.setMotion(old, ticks, coast, finely)
	change := [2]int64{int64(e.Velocity[0]) - coast[0], int64(e.Velocity[1]) - coast[1]}
	c.position(m, old, e, linear, change, max(level(off[0]), level(off[1])))
	c.angle(m, old, e, angular, level(off[2]))
	return off
}

// setMotion sets what follows from the velocity of e: its acceleration since
// old, and its fine velocity.
func (e *Entity) setMotion(old *Entity, ticks int64, coast, finely [3]int64) {
	e.acceleration = old.acceleration
	e.fine = fine{}
	for i := range coast {
		if ticks > 0 {
			e.acceleration[i] = int32((int64(e.Velocity[i]) - coast[i]) * accelerationUnits / ticks)
		}
		e.refineVelocity(i, finely[i], coast[i])
	}
}

// activity returns the level of the last acceleration, at least 1 if the object moves.
func (e *Entity) activity() int {
	v := 0
	for _, a := range e.acceleration {
		v = max(v, level(int64(a)/accelerationUnits))
	}
	if v == 0 && e.Velocity != (Velocity{}) {
		v = 1
	}
	return v
}

// glides returns how objects of a class move on for some ticks. Most objects of a
// snapshot ask for the same ticks, so the last answer for each class is kept.
func (c *snapshotCoder) glides(class uint16, ticks int64) (linear, angular *glide) {
	k := &c.glideCache[int(class)%len(c.glideCache)]
	if !k.valid || k.class != class || k.ticks != ticks {
		*k = cachedGlides{valid: true, class: class, ticks: ticks}
		k.linear, k.angular = c.layout.glides(class, ticks)
	}
	return &k.linear, &k.angular
}

// cachedGlides are the glides of a class for some ticks.
type cachedGlides struct {
	valid           bool
	class           uint16
	ticks           int64
	linear, angular glide
}

// velocity codes the velocity of e, and returns its residuals.
func (c *snapshotCoder) velocity(m *motionModel, old, e *Entity, ticks int64, coast [3]int64) (off [3]int64) {
	expected := c.expectedVelocity(m, old, e, ticks, coast)
	activity := [3]int{old.activity()}
	for i := range expected {
		off[i] = c.bits.signed(&m.velocity[i/2], activity[i], side(int64(old.Velocity[i])),
			int64(e.Velocity[i])-expected[i])
		e.Velocity[i] = c.within("velocity", expected[i], off[i], maxVelocity)
		for j := i + 1; j < len(activity); j++ {
			activity[j] = max(activity[j], level(off[i]))
		}
	}
	return off
}

// expectedVelocity predicts the velocity: damping alone has acted, or the last
// acceleration continues, if it is not older than a quarter of a second.
func (c *snapshotCoder) expectedVelocity(m *motionModel, old, e *Entity, ticks int64, coast [3]int64) [3]int64 {
	if old.acceleration == (Velocity{}) || ticks > c.layout.quarterSecond() {
		return coast
	}
	var accelerated [3]int64
	gain := int64(0)
	for i := range accelerated {
		accelerated[i] = coast[i] + int64(old.acceleration[i])*ticks/accelerationUnits
		gain += size(int64(e.Velocity[i])-coast[i]) - size(int64(e.Velocity[i])-accelerated[i])
	}
	if c.bits.bit(&m.accelerated, gain > 0) {
		return accelerated
	}
	return coast
}

// position codes x and y of e. A constant acceleration would have moved the
// object to the predicted position. A collision moved it from there in the
// direction in which it changed the velocity: so the axis whose velocity changed
// more is coded first, and its residual improves the prediction of the other.
func (c *snapshotCoder) position(m *motionModel, old, e *Entity, g *glide, change [2]int64, activity int) {
	major := 0
	if size(change[1]) > size(change[0]) {
		major = 1
	}
	aside := int64(0)
	for _, i := range [2]int{major, 1 - major} {
		finely := old.finePose(i) + g.way(old.fineVelocity(i), e.fineVelocity(i), PositionUnits/VelocityUnits)
		expected := divide(finely, fineUnits) + aside
		off := c.bits.signed(&m.pose[0], activity, side(int64(old.Velocity[i])), int64(e.Pose[i])-expected)
		e.Pose[i] = c.within("position", expected, off, maxPosition)
		e.refinePose(i, finely-int64(e.Pose[i])*fineUnits, off, g, PositionUnits/VelocityUnits)
		activity = level(off)
		if change[major] != 0 {
			aside = share(off, change[1-major], change[major])
		}
	}
}

// angle codes the angle of e.
func (c *snapshotCoder) angle(m *motionModel, old, e *Entity, g *glide, activity int) {
	finely := old.finePose(2) + g.way(old.fineVelocity(2), e.fineVelocity(2), TurnUnits/VelocityUnits)
	expected := divide(finely, fineUnits)
	off := c.bits.signed(&m.pose[1], activity, side(int64(old.Velocity[2])), turn(int64(e.Pose[2])-expected))
	if off != turn(off) {
		c.fail("angle")
	}
	e.Pose[2] = int32((expected + off) & (TurnUnits - 1))
	e.refinePose(2, finely-(expected+off)*fineUnits, off, g, TurnUnits/VelocityUnits)
}

// turn returns the equivalent of an angle within half a turn either way.
func turn(v int64) int64 { return (v+TurnUnits/2)&(TurnUnits-1) - TurnUnits/2 }

// share returns v times a/b, rounded.
func share(v, a, b int64) int64 {
	if b < 0 {
		a, b = -a, -b
	}
	return divide(v*a, b)
}

// within returns expected + d, and fails if that is beyond limit on either side.
func (c *snapshotCoder) within(field string, expected, d, limit int64) int32 {
	v := expected + d
	if d > 4*limit || d < -4*limit || v > limit || v < -limit {
		c.fail(field)
		return 0
	}
	return int32(v)
}
