package wire

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"

	"github.com/hindcast/hindcast/world"
)

// The units of a Pose and a Velocity.
const (
	PositionUnits = 512  // to a metre
	TurnUnits     = 1024 // to a turn
	VelocityUnits = 256  // to a metre a second or, of an angular velocity, a turn a second
)

// The bounds of a Pose and a Velocity, in units either way: those of the world,
// and some room.
const (
	maxPosition = 1 << 27
	maxVelocity = 1 << 20
)

// Pose is the quantised pose of an object: x and y in PositionUnits, the angle in
// TurnUnits, from 0 to TurnUnits-1.
type Pose [3]int32

// Velocity is the quantised velocity of an object: x, y and angular, all in
// VelocityUnits.
type Velocity [3]int32

// ErrNoRow is the error of a Snapshot that refers to a Row which Rows does not have.
var ErrNoRow = errors.New("row missing")

// Entity is what a Snapshot says of one object: its state at the end of Tick. Its fields are all
// of one tick, too, which is earlier while a change of them is on its way in a Row.
type Entity struct {
	ID         world.ObjectID
	Class      uint16 // its number in the schema
	Owner      world.PlayerID
	Tick       world.Tick
	FieldsTick world.Tick // of the fields, at most Tick; 0: they are not known yet
	Pose       Pose
	Velocity   Velocity
	// by how much each tick changed Velocity besides damping, in units of VelocityUnits/accelerationUnits
	acceleration Velocity
	fine         fine
	words        int // where its fields begin in Snapshot.words
}

// Snapshot is the state of the objects that a client does not simulate, as the
// client knows it. A Snapshot is sent as a change from its baseline: an earlier one
// that the client has acknowledged, or the empty one. An entity that the change
// leaves out is as in the baseline, and its Tick is older than the Snapshot's. Fields whose
// FieldsTick is not the Tick of the Snapshot are as in the baseline, or those of a Row.
//
// A Snapshot also holds the probabilities learnt so far, which the encoding of
// those that are built on it depends on. So it must not change while it may be a
// baseline, except by Reset.
type Snapshot struct {
	Seq     uint32 // from 1; 0 is the empty one
	Bundle  uint32 // whose schema the SnapshotLayout is of
	Tick    world.Tick
	Behind  uint8      // how many ticks before Tick those inputs of the client's player end that it has the effects of
	Settled world.Tick // up to this tick, at most Tick, the client has all cues of replicated objects of its player
	// objects of the client's player that were spawned in the last Lacks ticks up to Tick may not have fitted; 0: all did
	Lacks    world.Tick
	Entities []Entity // by ID
	words    []int64
	model    snapshotModel
}

// Reset makes s a snapshot without entities and reuses its memory.
func (s *Snapshot) Reset(seq, bundle uint32, tick world.Tick) {
	*s = Snapshot{
		Seq:      seq,
		Bundle:   bundle,
		Tick:     tick,
		Entities: s.Entities[:0],
		words:    s.words[:0],
		model:    s.model.empty(),
	}
}

// Add appends an entity, whose ID is above those before it. fields has as many
// words as the layout gives its class.
func (s *Snapshot) Add(e Entity, fields []int64) {
	e.words = len(s.words)
	s.words = append(s.words, fields...)
	s.Entities = append(s.Entities, e)
}

// The bytes of memory of the parts of a Snapshot.
var (
	snapshotMemory = int(reflect.TypeFor[Snapshot]().Size())
	entityMemory   = int(reflect.TypeFor[Entity]().Size())
	classMemory    = int(reflect.TypeFor[classModel]().Size())
)

// Memory returns how many bytes of memory s takes.
func (s *Snapshot) Memory() int {
	return snapshotMemory + cap(s.Entities)*entityMemory + cap(s.words)*8 + cap(s.model.classes)*classMemory
}

// Clone returns a copy of s to be changed, which is not to be a baseline.
func (s *Snapshot) Clone() *Snapshot {
	return &Snapshot{
		Seq:      s.Seq,
		Bundle:   s.Bundle,
		Tick:     s.Tick,
		Behind:   s.Behind,
		Settled:  s.Settled,
		Lacks:    s.Lacks,
		Entities: slices.Clone(s.Entities),
		words:    slices.Clone(s.words),
	}
}

// SetFields replaces the fields of e, one of s.Entities, by those that it had at the end of a tick.
func (s *Snapshot) SetFields(e *Entity, fields []int64, tick world.Tick) {
	e.FieldsTick, e.words = tick, len(s.words)
	s.words = append(s.words, fields...)
}

// Fields returns the words of the fields of e, one of s.Entities.
func (s *Snapshot) Fields(e *Entity, l *SnapshotLayout) []int64 {
	return s.words[e.words : e.words+l.Words(e.Class)]
}

// AppendSnapshot appends m to b as a change from base, which must be a snapshot
// of the same layout that the client has, or an empty one. An entity of m that is
// to be left out must be as in base; all others must have the Tick of m. Fields with
// another FieldsTick must be those of base, or those of the object's row in rows, which the
// client must have. The call completes m, so that it can be a baseline.
//
// AppendSnapshot does not check MaxDatagram: the caller leaves out entities until
// the result fits.
func AppendSnapshot(b []byte, l *SnapshotLayout, rows *Rows, base, m *Snapshot) []byte {
	b = append(b, byte(KindSnapshot))
	b = binary.AppendUvarint(b, uint64(m.Seq))
	b = binary.AppendUvarint(b, uint64(m.Seq-base.Seq))
	if base.Seq == 0 {
		b = binary.AppendUvarint(b, uint64(m.Bundle))
	}
	since := 2 * uint64(m.Tick-base.Tick)
	if m.Lacks == 0 {
		b = binary.AppendUvarint(b, since)
	} else {
		b = binary.AppendUvarint(b, since+1)
		b = binary.AppendUvarint(b, uint64(m.Lacks))
	}
	b = binary.AppendUvarint(b, uint64(m.Tick-m.Settled))
	b = append(b, m.Behind, 0)
	at := len(b)
	m.model.continueFrom(&base.model, l)
	c := snapshotCoder{bits: writeBits(b), model: &m.model, layout: l, rows: rows, bundle: m.Bundle, tick: m.Tick}
	c.write(base, m)
	b = c.bits.finish()
	b[at-1] = byte(len(b) - at)
	return b
}

// SnapshotHead reads the numbers of the snapshot in b and of its baseline, so that
// the caller can look up the baseline. If base is 0, the empty snapshot, then bundle
// says whose layout to parse with; otherwise the bundle is the baseline's.
// The error wraps ErrMalformed.
func SnapshotHead(b []byte) (seq, base, bundle uint32, err error) {
	r := openDatagram(b, KindSnapshot)
	seq, base, bundle = readSnapshotHead(&r)
	return seq, base, bundle, r.failure()
}

func readSnapshotHead(r *reader) (seq, base, bundle uint32) {
	seq = r.uint32("seq")
	back := r.uint32("base")
	if !r.failed() && (back == 0 || back > seq) {
		r.fail("base", "snapshot %d cannot be a change from the one %d before it", seq, back)
	}
	if base = seq - back; base == 0 {
		bundle = r.uint32("bundle")
	}
	return seq, base, bundle
}

// ParseSnapshot reads a Snapshot into m and reuses its memory. base is the
// snapshot that SnapshotHead names; rows has the rows that it may refer to, and may be nil.
// The error wraps ErrNoRow if one of them is missing, otherwise ErrMalformed; after it the content
// of m is undefined.
func ParseSnapshot(b []byte, l *SnapshotLayout, rows *Rows, base, m *Snapshot) error {
	r := openDatagram(b, KindSnapshot)
	seq, of, bundle := readSnapshotHead(&r)
	if !r.failed() && of != base.Seq {
		r.fail("base", "a change from snapshot %d, not %d", of, base.Seq)
	}
	if base.Seq != 0 {
		bundle = base.Bundle
	}
	since := r.uvarint("tick", 2*(math.MaxUint32-uint64(base.Tick))+1)
	tick, lacks := base.Tick+world.Tick(since/2), uint32(0)
	if since%2 != 0 {
		if lacks = r.uint32("lacks"); !r.failed() && (lacks == 0 || lacks > uint32(tick)) {
			r.fail("lacks", "the last %d ticks up to tick %d", lacks, tick)
		}
	}
	unsettled := r.uint32("unsettled")
	if !r.failed() && unsettled > uint32(tick) {
		r.fail("unsettled", "%d ticks before tick %d", unsettled, tick)
	}
	behind := r.byte("behind")
	size := r.byte("size") // without it, truncated bits could decode as something else
	coded := r.rest("bits")
	if !r.failed() && size != byte(len(coded)) {
		r.fail("size", "%d bytes of bits, but the low 8 bits of their number are %d", len(coded), size)
	}
	if r.failed() {
		return r.failure()
	}
	m.Reset(seq, bundle, tick)
	m.Behind, m.Settled, m.Lacks = behind, m.Tick-world.Tick(unsettled), world.Tick(lacks)
	m.model.continueFrom(&base.model, l)
	c := snapshotCoder{bits: readBits(coded), model: &m.model, layout: l, rows: rows, bundle: m.Bundle, tick: m.Tick}
	c.read(base, m)
	switch {
	case c.noRow:
		return fmt.Errorf("snapshot %d: %w", seq, ErrNoRow)
	case c.badField != "":
		r.fail(c.badField, "out of bounds")
	case !c.bits.complete():
		r.fail("bits", "they do not end where the message does")
	}
	return r.failure()
}

// snapshotCoder writes or reads the entities of one snapshot. The same code does
// both: see bitCoder.
type snapshotCoder struct {
	bits       bitCoder
	model      *snapshotModel
	layout     *SnapshotLayout
	rows       *Rows
	bundle     uint32
	tick       world.Tick
	glideCache [maxClassModels]cachedGlides
	badField   string // reading: the first field that is out of bounds
	noRow      bool   // reading: a row is missing
}

// write codes the fate of each entity of base, then the new entities.
func (c *snapshotCoder) write(base, m *Snapshot) {
	at := 0
	for i := range base.Entities {
		old := &base.Entities[i]
		for at < len(m.Entities) && m.Entities[at].ID < old.ID {
			at++
		}
		if at == len(m.Entities) || m.Entities[at].ID != old.ID {
			c.fate(fateGone)
			continue
		}
		e := &m.Entities[at]
		if e.Tick == old.Tick && e.Tick != c.tick {
			c.fate(fateKept)
			e.acceleration, e.fine = old.acceleration, old.fine
			continue
		}
		c.fate(fateUpdated)
		c.entity(old, base.Fields(old, c.layout), e, m.Fields(e, c.layout))
	}
	for i := range m.Entities {
		e := &m.Entities[i]
		if !base.has(e.ID) {
			c.more(true)
			c.identity(e)
			c.entity(&Entity{Tick: c.tick}, c.layout.ZeroFields(e.Class), e, m.Fields(e, c.layout))
		}
	}
	c.more(false)
}

// read decodes what write encodes, and puts the entities into m by ID.
func (c *snapshotCoder) read(base, m *Snapshot) {
	for i := range base.Entities {
		old := &base.Entities[i]
		fields := base.Fields(old, c.layout)
		switch c.fate(0) {
		case fateKept:
			m.Add(*old, fields)
		case fateUpdated:
			m.Add(Entity{ID: old.ID, Class: old.Class, Tick: c.tick}, fields)
			e := &m.Entities[len(m.Entities)-1]
			c.entity(old, fields, e, m.Fields(e, c.layout))
		}
		if c.stop() {
			return
		}
	}
	first := len(m.Entities) // of the new ones
	for c.more(false) && !c.stop() {
		e := Entity{Tick: c.tick}
		c.identity(&e)
		if n := len(
			m.Entities,
		); e.ID == 0 || n > first && e.ID <= m.Entities[n-1].ID || base.has(e.ID) ||
			n == world.MaxObjects {
			c.fail("object")
		}
		if c.stop() {
			return
		}
		zero := c.layout.ZeroFields(e.Class)
		m.Add(e, zero)
		last := &m.Entities[len(m.Entities)-1]
		c.entity(&Entity{Tick: c.tick}, zero, last, m.Fields(last, c.layout))
	}
	if first < len(m.Entities) {
		slices.SortFunc(m.Entities, func(a, b Entity) int { return cmp.Compare(a.ID, b.ID) })
	}
}

// fail notes the first field that is out of bounds.
func (c *snapshotCoder) fail(field string) {
	if c.badField == "" {
		c.badField = field
	}
}

// stop reports whether reading has to end.
func (c *snapshotCoder) stop() bool {
	if c.bits.overrun() {
		c.fail("objects")
	}
	return c.badField != "" || c.noRow
}

func (s *Snapshot) has(id world.ObjectID) bool {
	_, ok := s.Find(id)
	return ok
}

// Find returns the index of an object in Entities. It is not slices.BinarySearchFunc, which copies an Entity for each
// comparison: hosts search for each object of each snapshot.
func (s *Snapshot) Find(id world.ObjectID) (at int, ok bool) {
	end := len(s.Entities)
	for at < end {
		if middle := (at + end) / 2; s.Entities[middle].ID < id {
			at = middle + 1
		} else {
			end = middle
		}
	}
	return at, at < len(s.Entities) && s.Entities[at].ID == id
}
