package wire

import (
	"math"
	"slices"

	"github.com/hindcast/hindcast/world"
)

// snapshotModel is what has been learnt of the numbers of a snapshot. Classes
// move in different ways, so they are told apart.
type snapshotModel struct {
	left, gone, more chance
	class            numbers
	kinds            []entityModel // for the classes whose numbers are equal modulo so many
}

// mostKinds bounds the memory of a model.
const mostKinds = 8

// entityModel is for the objects of a class, or of a few.
type entityModel struct {
	owned  chance // the owner changed
	owner  numbers
	pushed chance         // the push goes on
	speed  [2]numbers     // of the middle, of spin
	place  [2]numbers     // x and y, angle
	fields [levels]chance // some changed; by what speed did
	word   numbers
}

// goOn begins with what another has learnt.
func (m *snapshotModel) goOn(from *snapshotModel, l *Layout) {
	kinds := append(m.kinds[:0], from.kinds...)
	if n := min(len(l.classes), mostKinds); len(kinds) != n { // from is of nothing
		kinds = slices.Grow(kinds[:0], n)[:n]
		clear(kinds)
	}
	*m = *from
	m.kinds = kinds
}

// entity codes e and its fields; was and before are what the base knows.
func (c *snapshotCoder) entity(was *Entity, before []int64, e *Entity, fields []int64) {
	m := &c.model.kinds[int(e.Class)%len(c.model.kinds)]
	c.owner(m, was, e)
	off := c.motion(m, was, e)
	if len(fields) == 0 || !c.bit(&m.fields[max(level(off[0]), level(off[1]))], differ(before, fields)) {
		return
	}
	busy := 0
	for i := range fields {
		d := c.signed(&m.word, busy, 0, fields[i]-before[i])
		fields[i] = before[i] + d
		if d != 0 {
			busy = min(busy+1, 2)
		}
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

func (c *snapshotCoder) owner(m *entityModel, was, e *Entity) {
	if !c.bit(&m.owned, e.Owner != was.Owner) {
		e.Owner = was.Owner
		return
	}
	owner := int64(was.Owner) + c.signed(&m.owner, 0, 0, int64(e.Owner)-int64(was.Owner))
	if owner < 0 || owner > math.MaxUint16 {
		c.fail("owner")
	}
	e.Owner = world.PlayerID(owner)
}
