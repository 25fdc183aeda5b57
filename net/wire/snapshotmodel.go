package wire

import (
	"math"

	"github.com/hindcast/hindcast/world"
)

// A number of a snapshot is written as how far it is from where it was to be
// expected: speed by damping and by the push there was before, place and angle
// by both speeds. What is expected rightly costs next to nothing.

// snapshotModel is what has been learnt of the numbers of a snapshot. Classes
// move in different ways, so some of them are told apart.
type snapshotModel struct {
	left, gone, more chance
	class            numbers
	kinds            [4]entityModel
}

// entityModel is for the classes whose numbers are equal modulo four.
type entityModel struct {
	owned  chance // the owner changed
	owner  numbers
	pushed chance     // the push goes on
	speed  [2]numbers // of the middle, of spin
	place  [2]numbers // x and y, angle
	fields chance     // some changed
	word   numbers
}

// entity codes e and its fields; was and before are what the base knows.
func (c *snapshotCoder) entity(was *Entity, before []int64, e *Entity, fields []int64) {
	m := &c.model.kinds[int(e.Class)%len(c.model.kinds)]
	c.owner(m, was, e)
	ticks := int64(c.tick - was.Tick)
	c.speed(m, was, e, ticks)
	c.place(m, was, e, ticks)
	if len(fields) == 0 || !c.bit(&m.fields, differ(before, fields)) {
		return
	}
	busy := 0
	for i := range fields {
		d := c.signed(&m.word, busy, fields[i]-before[i])
		fields[i] = before[i] + d
		busy = stir(busy, d)
	}
}

func differ(a, b []int64) bool {
	for i := range a {
		if a[i] != b[i] {
			return true
		}
	}
	return false
}

// stir counts the numbers that were not 0, up to 2.
func stir(busy int, v int64) int {
	if v != 0 && busy < 2 {
		busy++
	}
	return busy
}

func (c *snapshotCoder) owner(m *entityModel, was, e *Entity) {
	if !c.bit(&m.owned, e.Owner != was.Owner) {
		e.Owner = was.Owner
		return
	}
	owner := int64(was.Owner) + c.signed(&m.owner, 0, int64(e.Owner)-int64(was.Owner))
	if owner < 0 || owner > math.MaxUint16 {
		c.fail("owner")
	}
	e.Owner = world.PlayerID(owner)
}

// pushUnits is how much finer a push is than a speed.
const pushUnits = 64

// speed codes how e moves. Left alone it would have slowed down by damping; or
// it is pushed as before.
func (c *snapshotCoder) speed(m *entityModel, was, e *Entity, ticks int64) {
	class := &c.layout.classes[e.Class]
	keep, keepTurn := power(class.keep, ticks), power(class.keepTurn, ticks)
	coast := [3]int64{scale(was.Speed[0], keep), scale(was.Speed[1], keep), scale(was.Speed[2], keepTurn)}
	expected := coast
	if was.push != (Pose{}) {
		var pushed [3]int64
		gain := int64(0)
		for i := range pushed {
			pushed[i] = coast[i] + int64(was.push[i])*ticks/pushUnits
			gain += size(int64(e.Speed[i])-coast[i]) - size(int64(e.Speed[i])-pushed[i])
		}
		if c.bit(&m.pushed, gain > 0) {
			expected = pushed
		}
	}
	busy := 0
	for i := range expected {
		d := c.signed(&m.speed[i/2], busy, int64(e.Speed[i])-expected[i])
		busy = stir(busy, d)
		e.Speed[i] = c.within("speed", expected[i], d, maxSpeed)
		e.push[i] = was.push[i]
		if ticks > 0 {
			e.push[i] = int32((int64(e.Speed[i]) - coast[i]) * pushUnits / ticks)
		}
	}
}

func size(v int64) int64 { return max(v, -v) }

// place codes where e is: with the mean of both speeds it would have come there.
func (c *snapshotCoder) place(m *entityModel, was, e *Entity, ticks int64) {
	busy := 0
	for i := range e.Place {
		units := int64(PlaceUnits / SpeedUnits)
		if i == 2 {
			units = TurnUnits / SpeedUnits
		}
		way := (int64(was.Speed[i]) + int64(e.Speed[i])) * ticks * units
		expected := int64(was.Place[i]) + divide(way, 2*c.layout.rate)
		off := int64(e.Place[i]) - expected
		if i == 2 {
			off = turn(off)
		}
		d := c.signed(&m.place[i/2], busy, off)
		busy = stir(busy, d)
		if i < 2 {
			e.Place[i] = c.within("place", expected, d, maxPlace)
			continue
		}
		if d != turn(d) {
			c.fail("angle")
		}
		e.Place[i] = int32((expected + d) & (TurnUnits - 1))
	}
}

// turn takes an angle to within half a turn, the shortest way round.
func turn(v int64) int64 { return (v+TurnUnits/2)&(TurnUnits-1) - TurnUnits/2 }

// divide rounds to the nearest.
func divide(a, b int64) int64 {
	if a < 0 {
		return -((-a + b/2) / b)
	}
	return (a + b/2) / b
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

// keepOne is what is kept of a speed that is not damped: a share in 2^-31ths.
const keepOne = 1 << 31

// power is a share to the power of n.
func power(share uint64, n int64) uint64 {
	out := uint64(keepOne)
	for ; n > 0 && out > 0; n >>= 1 {
		if n&1 != 0 {
			out = out * share >> 31
		}
		share = share * share >> 31
	}
	return out
}

// scale is v times a share, rounded.
func scale(v int32, share uint64) int64 {
	if v < 0 {
		return -scale(-v, share)
	}
	return int64((uint64(v)*share + keepOne/2) >> 31)
}
