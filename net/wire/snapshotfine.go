package wire

// Places and speeds are told in units. Of an object that nothing disturbs more is known
// after a while: a place that it must have come through lies within half a unit of each
// one told. Both ends reckon that alike, in whole numbers.

// fine is what is known of an object beyond its Place and Speed.
type fine struct{ place, speed [3]int8 } // fineUnits to a unit

const (
	fineUnits = 64
	fineEdge  = fineUnits/2 - 2 // short of half a unit: there it would soon be the next one
)

// hold is the nearest to v that rounds to 0 units.
func hold(v int64) int8 { return int8(min(max(v, -fineEdge), fineEdge)) }

func (e *Entity) fineSpeed(i int) int64 { return int64(e.Speed[i])*fineUnits + int64(e.fine.speed[i]) }
func (e *Entity) finePlace(i int) int64 { return int64(e.Place[i])*fineUnits + int64(e.fine.place[i]) }

// refineSpeed takes over what damping should have left of a speed, finely, if the speed is
// that to a unit.
func (e *Entity) refineSpeed(i int, finely, coast int64) {
	if size(int64(e.Speed[i])-coast) <= 1 {
		e.fine.speed[i] = hold(finely - int64(e.Speed[i])*fineUnits)
	}
}

// refinePlace takes over where an object should have come, beyond the place it has, if
// that was nearly as expected. What is too much for the place was the speed's mistake,
// in part: a quarter of it is put right.
func (e *Entity) refinePlace(i int, beyond, off int64, g *glide, units int64) {
	if size(off) > 2 {
		return
	}
	e.fine.place[i] = hold(beyond)
	mistake := int64(e.fine.place[i]) - beyond
	if e.Speed[i] == 0 {
		e.fine.speed[i] = 0 // at rest, most likely
	} else if took := (g.first + g.last) * units; took > 0 {
		e.fine.speed[i] = hold(int64(e.fine.speed[i]) + mistake*secondUnits/took/4)
	}
}
