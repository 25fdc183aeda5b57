package wire

// A number of a snapshot is written as how far it is from where it was to be
// expected: speed by damping and by the push there was before, place and angle
// by both speeds. What is expected rightly costs next to nothing.

// accelerationUnits is how much finer a push is than a speed.
const accelerationUnits = 64

// motion codes how e moves and where it is, and gives by how much its speed was not as
// expected.
func (c *snapshotCoder) motion(m *classModel, was, e *Entity) (off [3]int64) {
	class, ticks := &c.layout.classes[e.Class], int64(c.tick-was.Tick)
	move, turning := c.glides(int(e.Class), class, ticks)
	var coast, finely [3]int64 // what damping leaves of its speed
	for i, g := range [3]*glide{move, move, turning} {
		finely[i] = scale(was.fineSpeed(i), g.keep)
		coast[i] = divide(finely[i], fineUnits)
	}
	off = c.velocity(m, was, e, ticks, coast)
	e.fine = fine{}
	for i := range finely {
		e.refineSpeed(i, finely[i], coast[i])
	}
	c.position(m, was, e, move, [2]int64{int64(e.Velocity[0]) - coast[0], int64(e.Velocity[1]) - coast[1]}, max(level(off[0]), level(off[1])))
	c.angle(m, was, e, turning, level(off[2]))
	return off
}

// glides are how objects of a class go on for some ticks. Nearly always they were asked
// for before.
func (c *snapshotCoder) glides(number int, class *classLayout, ticks int64) (move, turning *glide) {
	k := &c.glideCache[number%len(c.glideCache)]
	if k.class != class || k.ticks != ticks {
		*k = cachedGlides{class, ticks, class.move.over(ticks), class.turn.over(ticks)}
	}
	return &k.move, &k.turning
}

// cachedGlides are those of a class.
type cachedGlides struct {
	class         *classLayout
	ticks         int64
	move, turning glide
}

// velocity codes how fast e is, and gives by how much that was not as expected.
func (c *snapshotCoder) velocity(m *classModel, was, e *Entity, ticks int64, coast [3]int64) (off [3]int64) {
	expected := c.pushed(m, was, e, ticks, coast)
	busy := [3]int{} // by the push a tick there was before, and whether it moves at all
	for _, push := range was.acceleration {
		busy[0] = max(busy[0], level(int64(push)/accelerationUnits))
	}
	if busy[0] == 0 && was.Velocity != (Velocity{}) {
		busy[0] = 1
	}
	for i := range expected {
		off[i] = c.signed(&m.velocity[i/2], busy[i], side(int64(was.Velocity[i])), int64(e.Velocity[i])-expected[i])
		e.Velocity[i] = c.within("speed", expected[i], off[i], maxVelocity)
		for j := i + 1; j < len(busy); j++ {
			busy[j] = max(busy[j], level(off[i]))
		}
		e.acceleration[i] = was.acceleration[i]
		if ticks > 0 {
			e.acceleration[i] = int32((int64(e.Velocity[i]) - coast[i]) * accelerationUnits / ticks)
		}
	}
	return off
}

// pushed is the speed to be expected: left alone, an object would have slowed down by
// damping; or it is pushed as before, if that was not long ago.
func (c *snapshotCoder) pushed(m *classModel, was, e *Entity, ticks int64, coast [3]int64) [3]int64 {
	if was.acceleration == (Velocity{}) || ticks > c.layout.rate/4 {
		return coast
	}
	var pushed [3]int64
	gain := int64(0)
	for i := range pushed {
		pushed[i] = coast[i] + int64(was.acceleration[i])*ticks/accelerationUnits
		gain += size(int64(e.Velocity[i])-coast[i]) - size(int64(e.Velocity[i])-pushed[i])
	}
	if c.bit(&m.pushed, gain > 0) {
		return pushed
	}
	return coast
}

// position codes where e is. A push that stayed the same would have taken it to where it is
// expected. A knock at some moment took it from there along the change of speed that it
// made: so of x and y, that whose speed changed more comes first, and says where to
// expect the other.
func (c *snapshotCoder) position(m *classModel, was, e *Entity, g *glide, change [2]int64, busy int) {
	major := 0
	if size(change[1]) > size(change[0]) {
		major = 1
	}
	aside := int64(0)
	for _, i := range [2]int{major, 1 - major} {
		finely := was.finePlace(i) + g.way(was.fineSpeed(i), e.fineSpeed(i), PositionUnits/VelocityUnits)
		expected := divide(finely, fineUnits) + aside
		off := c.signed(&m.position[0], busy, side(int64(was.Velocity[i])), int64(e.Pose[i])-expected)
		e.Pose[i] = c.within("place", expected, off, maxPosition)
		e.refinePlace(i, finely-int64(e.Pose[i])*fineUnits, off, g, PositionUnits/VelocityUnits)
		busy = level(off)
		if change[major] != 0 {
			aside = share(off, change[1-major], change[major])
		}
	}
}

// angle codes how e is turned.
func (c *snapshotCoder) angle(m *classModel, was, e *Entity, g *glide, busy int) {
	finely := was.finePlace(2) + g.way(was.fineSpeed(2), e.fineSpeed(2), TurnUnits/VelocityUnits)
	expected := divide(finely, fineUnits)
	off := c.signed(&m.position[1], busy, side(int64(was.Velocity[2])), turn(int64(e.Pose[2])-expected))
	if off != turn(off) {
		c.fail("angle")
	}
	e.Pose[2] = int32((expected + off) & (TurnUnits - 1))
	e.refinePlace(2, finely-(expected+off)*fineUnits, off, g, TurnUnits/VelocityUnits)
}

// turn takes an angle to within half a turn, the shortest way round.
func turn(v int64) int64 { return (v+TurnUnits/2)&(TurnUnits-1) - TurnUnits/2 }

// share is v times a/b, rounded.
func share(v, a, b int64) int64 {
	if b < 0 {
		a, b = -a, -b
	}
	return divide(v*a, b)
}

// within is expected + d, which must not be further from 0 than most.
func (c *snapshotCoder) within(field string, expected, d, most int64) int32 {
	v := expected + d
	if d > 4*most || d < -4*most || v > most || v < -most {
		c.fail(field)
		return 0
	}
	return int32(v)
}
