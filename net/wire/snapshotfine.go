package wire

// Poses and velocities are quantised to units. Over several snapshots of an object
// that nothing disturbs, more becomes known: the predicted position lies within
// half a unit of each position that was sent. Both ends keep that estimate alike,
// in whole numbers.

// fine is what is known of an object beyond its quantised pose and velocity.
type fine struct{ pose, velocity [3]int8 } // fineUnits to a unit

const (
	fineUnits = 64
	maxFine   = fineUnits/2 - 2 // less than half a unit, or it would soon round to the next one
)

// clampFine returns the value nearest to v that rounds to 0 units.
func clampFine(v int64) int8 { return int8(min(max(v, -maxFine), maxFine)) }

func (e *Entity) fineVelocity(i int) int64 {
	return int64(e.Velocity[i])*fineUnits + int64(e.fine.velocity[i])
}

func (e *Entity) finePose(i int) int64 { return int64(e.Pose[i])*fineUnits + int64(e.fine.pose[i]) }

// refineVelocity keeps the fraction of the damped velocity, finely, if the
// velocity is the damped one to a unit.
func (e *Entity) refineVelocity(i int, finely, coast int64) {
	if size(int64(e.Velocity[i])-coast) <= 1 {
		e.fine.velocity[i] = clampFine(finely - int64(e.Velocity[i])*fineUnits)
	}
}

// refinePose keeps beyond, the part of the prediction that the quantised pose
// leaves out, if the residual off is small. What is too much for half a unit was
// an error of the velocity, in part: a quarter of it corrects the fine velocity.
func (e *Entity) refinePose(i int, beyond, off int64, g *glide, units int64) {
	if size(off) > 2 {
		return
	}
	e.fine.pose[i] = clampFine(beyond)
	mistake := int64(e.fine.pose[i]) - beyond
	if e.Velocity[i] == 0 {
		e.fine.velocity[i] = 0 // most likely at rest
	} else if took := g.duration() * units; took > 0 {
		e.fine.velocity[i] = clampFine(int64(e.fine.velocity[i]) + mistake*secondUnits/took/4)
	}
}
