package wire

import (
	"math"
	"slices"

	"github.com/hindcast/hindcast/world"
)

// snapshotModel is what has been learnt of the numbers of a snapshot. Classes
// move in different ways, so they are told apart.
type snapshotModel struct {
	left, gone, more bitModel
	classNumber      numberModel
	classes          []classModel // for the classes whose numbers are equal modulo so many
}

// maxClassModels bounds the memory of a model.
const maxClassModels = 8

// classModel is for the objects of a class, or of a few.
type classModel struct {
	owned    bitModel // the owner changed
	owner    numberModel
	pushed   bitModel         // the push goes on
	velocity [2]numberModel   // of the middle, of spin
	position [2]numberModel   // x and y, angle
	fields   [levels]bitModel // some changed; by what speed did
	word     numberModel
}

// continueFrom begins with what another has learnt.
func (m *snapshotModel) continueFrom(from *snapshotModel, l *SnapshotLayout) {
	kinds := append(m.classes[:0], from.classes...)
	if n := min(len(l.classes), maxClassModels); len(kinds) != n { // from is of nothing
		kinds = slices.Grow(kinds[:0], n)[:n]
		clear(kinds)
	}
	*m = *from
	m.classes = kinds
}

// entity codes e and its fields; was and before are what the base knows.
func (c *snapshotCoder) entity(was *Entity, before []int64, e *Entity, fields []int64) {
	m := &c.model.classes[int(e.Class)%len(c.model.classes)]
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

func (c *snapshotCoder) owner(m *classModel, was, e *Entity) {
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
