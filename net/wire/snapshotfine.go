package wire

// Places and speeds are told in units. Of an object that nothing disturbs more is known
// after a while: a place that it must have come through lies within half a unit of each
// one told. Both ends reckon that alike, in whole numbers.

// fine is what is known of an object beyond its Place and Speed.
type fine struct{ pose, velocity [3]int8 } // fineUnits to a unit

const (
	fineUnits = 64
	maxFine   = fineUnits/2 - 2 // short of half a unit: there it would soon be the next one
)

// clampFine is the nearest to v that rounds to 0 units.
func clampFine(v int64) int8 { return int8(min(max(v, -maxFine), maxFine)) }

func (e *Entity) fineSpeed(i int) int64 {
	return int64(e.Velocity[i])*fineUnits + int64(e.fine.velocity[i])
}
func (e *Entity) finePlace(i int) int64 { return int64(e.Pose[i])*fineUnits + int64(e.fine.pose[i]) }

// refineSpeed takes over what damping should have left of a speed, finely, if the speed is
// that to a unit.
func (e *Entity) refineSpeed(i int, finely, coast int64) {
	if size(int64(e.Velocity[i])-coast) <= 1 {
		e.fine.velocity[i] = clampFine(finely - int64(e.Velocity[i])*fineUnits)
	}
}

// refinePlace takes over where an object should have come, beyond the place it has, if
// that was nearly as expected. What is too much for the place was the speed's mistake,
// in part: a quarter of it is put right.
func (e *Entity) refinePlace(i int, beyond, off int64, g *glide, units int64) {
	if size(off) > 2 {
		return
	}
	e.fine.pose[i] = clampFine(beyond)
	mistake := int64(e.fine.pose[i]) - beyond
	if e.Velocity[i] == 0 {
		e.fine.velocity[i] = 0 // at rest, most likely
	} else if took := (g.first + g.last) * units; took > 0 {
		e.fine.velocity[i] = clampFine(int64(e.fine.velocity[i]) + mistake*secondUnits/took/4)
	}
}
