package wire

import (
	"math"
	"slices"

	"github.com/hindcast/hindcast/world"
)

// snapshotModel holds the probabilities that have been learnt from a chain of
// snapshots. Classes move in different ways, so each has a model of its own.
type snapshotModel struct {
	left, gone, more bitModel
	classNumber      numberModel
	classes          []classModel // class n uses classes[n % len(classes)]
}

// maxClassModels bounds the memory of a snapshotModel.
const maxClassModels = 8

// classModel holds the probabilities for the objects of one class, or of a few
// classes that share it.
type classModel struct {
	ownerChanged bitModel
	owner        numberModel
	motion       motionModel
	fields       [levels]bitModel // some field changed; by the level of the velocity residuals
	early        bitModel         // the fields are those of an earlier tick
	row          bitModel         // these are those of a Row
	aux          bitModel         // some aux field changed
	word         numberModel
}

// empty returns a model that has learnt nothing, in the memory of m.
func (m *snapshotModel) empty() snapshotModel { return snapshotModel{classes: m.classes[:0]} }

// continueFrom makes m a copy of from, with one class model for each class of l,
// but at most maxClassModels.
func (m *snapshotModel) continueFrom(from *snapshotModel, l *SnapshotLayout) {
	classes := append(m.classes[:0], from.classes...)
	if n := min(l.count(), maxClassModels); len(classes) != n { // from is empty
		classes = slices.Grow(classes[:0], n)[:n]
		clear(classes)
	}
	*m = *from
	m.classes = classes
}

// entity codes e and its fields as a change from what the baseline has: old and
// oldFields.
func (c *snapshotCoder) entity(old *Entity, oldFields []int64, e *Entity, fields []int64) {
	m := &c.model.classes[int(e.Class)%len(c.model.classes)]
	c.owner(m, old, e)
	off := c.motion(&m.motion, old, e)
	early := e.FieldsTick != c.tick
	switch {
	case len(fields) == 0 || !c.bits.bit(&m.fields[max(level(off[0]), level(off[1]))],
		early || differ(oldFields, fields)):
		e.FieldsTick = c.tick
	case !c.bits.bit(&m.early, early):
		e.FieldsTick = c.tick
		c.words(m, c.layout.runs(e.Class), oldFields, fields)
	case !c.bits.bit(&m.row, e.FieldsTick != old.FieldsTick):
		e.FieldsTick = old.FieldsTick
	default:
		c.fromRow(old.FieldsTick, e, fields)
	}
}

// words codes the fields of an entity as a change from old.
func (c *snapshotCoder) words(m *classModel, runs []run, old, fields []int64) {
	for _, r := range runs {
		was, now := old[r.From:r.To], fields[r.From:r.To]
		if !r.Aux || c.bits.bit(&m.aux, differ(was, now)) {
			c.bits.words(&m.word, was, now)
		}
	}
}

// fromRow codes that fields are those of a row, by the low bits of its number.
func (c *snapshotCoder) fromRow(after world.Tick, e *Entity, fields []int64) {
	var number uint32
	if row := c.rows.Of(e.ID); row != nil {
		number = row.Number
	}
	row := c.rows.short(uint16(c.bits.raw(uint64(number), 16)))
	switch {
	case row == nil:
		c.noRow = true
	case !row.Fits(c.bundle, e, len(fields)) || row.Tick <= after || row.Tick >= c.tick:
		c.fail("row")
	default:
		e.FieldsTick = row.Tick
		copy(fields, row.Words)
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

func (c *snapshotCoder) owner(m *classModel, old, e *Entity) {
	if !c.bits.bit(&m.ownerChanged, e.Owner != old.Owner) {
		e.Owner = old.Owner
		return
	}
	owner := int64(old.Owner) + c.bits.signed(&m.owner, 0, 0, int64(e.Owner)-int64(old.Owner))
	if owner < 0 || owner > math.MaxUint16 {
		c.fail("owner")
	}
	e.Owner = world.PlayerID(owner)
}

// What happens to an entity of the baseline.
const (
	fateUpdated = iota + 1
	fateKept
	fateGone
)

func (c *snapshotCoder) fate(f int) int {
	if !c.bits.bit(&c.model.left, f != fateUpdated) {
		return fateUpdated
	}
	if !c.bits.bit(&c.model.gone, f == fateGone) {
		return fateKept
	}
	return fateGone
}

// more codes whether another new entity follows.
func (c *snapshotCoder) more(follows bool) bool { return c.bits.bit(&c.model.more, follows) }

// identity codes what never changes about an object.
func (c *snapshotCoder) identity(e *Entity) {
	e.ID = world.ObjectID(c.bits.raw(uint64(e.ID), 64))
	e.Class = uint16(c.bits.signed(&c.model.classNumber, 0, 0, int64(e.Class)))
	if int(e.Class) >= c.layout.count() {
		c.fail("class")
		e.Class = 0
	}
}
