package wire

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/hindcast/hindcast/world"
)

// Units of a Pose: how finely objects are told of that are shown and not simulated.
const (
	PositionUnits = 512  // a metre
	TurnUnits     = 1024 // a turn
	VelocityUnits = 256  // a metre or, of spin, a turn a second
)

// Bounds of a Pose: those of the world, and some room. Spin is in turns a second.
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

// Entity is what a snapshot tells of one object: how it was at the end of Tick.
type Entity struct {
	ID           world.ObjectID
	Class        uint16 // its number in the schema
	Owner        world.PlayerID
	Tick         world.Tick
	Pose         Pose
	Velocity     Velocity
	acceleration Velocity // what changed Velocity besides damping, from one snapshot to the next: VelocityUnits/accelerationUnits a tick
	fine         fine     // what is known besides
	words        int      // where its fields begin in Snapshot.words
}

// Snapshot is what a client knows, once it has it, of the objects that it does
// not simulate. One is written as what changed since another, its base, that
// the client has acknowledged. What it does not bring anew is as in the base:
// an Entity whose Tick is older than the Snapshot's.
//
// It also holds what has been learnt of how numbers change, on which the
// bytes of those built on it depend. A Snapshot must not change while others
// may be built on it, but for Reset.
type Snapshot struct {
	Seq      uint32 // from 1; 0: of nothing
	Bundle   uint32 // by whose schema: that of the Layout
	Tick     world.Tick
	Entities []Entity // by ID
	words    []int64
	model    snapshotModel
}

// Reset makes s an empty snapshot, in the memory that it has.
func (s *Snapshot) Reset(seq, bundle uint32, tick world.Tick) {
	*s = Snapshot{Seq: seq, Bundle: bundle, Tick: tick, Entities: s.Entities[:0], words: s.words[:0], model: snapshotModel{classes: s.model.classes[:0]}}
}

// Add adds an object after those with lower ids. fields has as many words as
// the layout says.
func (s *Snapshot) Add(e Entity, fields []int64) {
	e.words = len(s.words)
	s.words = append(s.words, fields...)
	s.Entities = append(s.Entities, e)
}

// Fields are the words of one of the entities.
func (s *Snapshot) Fields(e *Entity, l *SnapshotLayout) []int64 {
	return s.words[e.words : e.words+l.classes[e.Class].words]
}

// AppendSnapshot appends the bytes of m as built on base, which must be a
// snapshot of the same layout that the client has, or an empty one. Entities of
// m that are not brought anew must be as in base; all others must have m's
// Tick. It completes m, so that others can be built on it.
//
// It does not look at MaxDatagram: the caller leaves out what is too much.
func AppendSnapshot(b []byte, l *SnapshotLayout, base, m *Snapshot) []byte {
	b = append(b, byte(KindSnapshot))
	b = binary.AppendUvarint(b, uint64(m.Seq))
	b = binary.AppendUvarint(b, uint64(m.Seq-base.Seq))
	if base.Seq == 0 {
		b = binary.AppendUvarint(b, uint64(m.Bundle))
	}
	b = binary.AppendUvarint(b, uint64(m.Tick-base.Tick))
	b = append(b, 0)
	at := len(b)
	m.model.continueFrom(&base.model, l)
	c := snapshotCoder{bitCoder: writeBits(b), model: &m.model, layout: l, tick: m.Tick}
	c.write(base, m)
	b = c.finish()
	b[at-1] = byte(len(b) - at)
	return b
}

// SnapshotHead reads which snapshot b is and which is its base, for the caller to find
// that. If it is 0, the empty one, bundle says by whose Layout to read; else that
// is the base's.
func SnapshotHead(b []byte) (seq, base, bundle uint32, err error) {
	r := openDatagram(b, KindSnapshot)
	seq, base, bundle = r.snapshotHead()
	return seq, base, bundle, r.err
}

func (r *reader) snapshotHead() (seq, base, bundle uint32) {
	seq = r.uint32("seq")
	back := r.uint32("base")
	if r.err == nil && (back == 0 || back > seq) {
		r.fail("base", "snapshot %d is built on %d before it", seq, back)
	}
	if base = seq - back; base == 0 {
		bundle = r.uint32("bundle")
	}
	return seq, base, bundle
}

// ParseSnapshot reads a Snapshot into m, whose memory it uses again. base is the
// one that SnapshotHead names. After an error the content of m means nothing.
func ParseSnapshot(b []byte, l *SnapshotLayout, base, m *Snapshot) error {
	r := openDatagram(b, KindSnapshot)
	seq, of, bundle := r.snapshotHead()
	if r.err == nil && of != base.Seq {
		r.fail("base", "built on snapshot %d, not %d", of, base.Seq)
	}
	if base.Seq != 0 {
		bundle = base.Bundle
	}
	since := r.uint32("tick")
	if r.err == nil && since > math.MaxUint32-uint32(base.Tick) {
		r.fail("tick", "%d after the %d of the base", since, base.Tick)
	}
	size := r.byte("size") // a code that is cut off may well be the code of something else
	if r.err == nil && size != byte(len(r.b)) {
		r.fail("size", "%d bytes of bits, not a multiple of 256 and %d", len(r.b), size)
	}
	coded := r.b
	if r.err != nil {
		return r.err
	}
	m.Reset(seq, bundle, base.Tick+world.Tick(since))
	m.model.continueFrom(&base.model, l)
	c := snapshotCoder{bitCoder: readBits(coded), model: &m.model, layout: l, tick: m.Tick}
	c.read(base, m)
	switch {
	case c.badField != "":
		r.fail(c.badField, "out of bounds")
	case !c.complete():
		r.fail("bits", "they do not end where the message does")
	}
	return r.err
}

// snapshotCoder writes or reads the entities of one snapshot.
type snapshotCoder struct {
	bitCoder
	model      *snapshotModel
	layout     *SnapshotLayout
	tick       world.Tick
	glideCache [maxClassModels]cachedGlides
	badField   string // reading: the field that cannot be
}

// write codes each entity of base (kept, brought anew, gone), then the new ones.
func (c *snapshotCoder) write(base, m *Snapshot) {
	at := 0
	for i := range base.Entities {
		was := &base.Entities[i]
		for at < len(m.Entities) && m.Entities[at].ID < was.ID {
			at++
		}
		if at == len(m.Entities) || m.Entities[at].ID != was.ID {
			c.fate(fateGone)
			continue
		}
		e := &m.Entities[at]
		if e.Tick == was.Tick && e.Tick != c.tick {
			c.fate(fateKept)
			e.acceleration, e.fine = was.acceleration, was.fine
			continue
		}
		c.fate(fateUpdated)
		c.entity(was, base.Fields(was, c.layout), e, m.Fields(e, c.layout))
	}
	for i := range m.Entities {
		e := &m.Entities[i]
		if !base.has(e.ID) {
			c.bit(&c.model.more, true)
			c.identity(e)
			c.entity(&Entity{Tick: c.tick}, c.zeroFields(e), e, m.Fields(e, c.layout))
		}
	}
	c.bit(&c.model.more, false)
}

// read does what write does, and puts the entities into m in their order.
func (c *snapshotCoder) read(base, m *Snapshot) {
	for i := range base.Entities {
		was := &base.Entities[i]
		fields := base.Fields(was, c.layout)
		switch c.fate(0) {
		case fateKept:
			m.Add(*was, fields)
		case fateUpdated:
			m.Add(Entity{ID: was.ID, Class: was.Class, Tick: c.tick}, fields)
			e := &m.Entities[len(m.Entities)-1]
			c.entity(was, fields, e, m.Fields(e, c.layout))
		}
		if c.stop() {
			return
		}
	}
	old := len(m.Entities)
	for c.bit(&c.model.more, false) && !c.stop() {
		e := Entity{Tick: c.tick}
		c.identity(&e)
		if n := len(m.Entities); e.ID == 0 || n > old && e.ID <= m.Entities[n-1].ID || base.has(e.ID) || n == world.MaxObjects {
			c.fail("object")
		}
		if c.stop() {
			return
		}
		m.Add(e, c.zeroFields(&e))
		last := &m.Entities[len(m.Entities)-1]
		c.entity(&Entity{Tick: c.tick}, c.zeroFields(last), last, m.Fields(last, c.layout))
	}
	m.sort(old)
}

// zeroFields are the fields of an entity before it is there.
func (c *snapshotCoder) zeroFields(e *Entity) []int64 {
	return c.layout.none[:c.layout.classes[e.Class].words]
}

// fail notes what cannot be; stop reports whether reading has to end.
func (c *snapshotCoder) fail(field string) {
	if c.badField == "" {
		c.badField = field
	}
}

func (c *snapshotCoder) stop() bool {
	if c.overrun() {
		c.fail("objects")
	}
	return c.badField != ""
}

func (s *Snapshot) has(id world.ObjectID) bool {
	_, ok := s.Find(id)
	return ok
}

// Find gives the place of an object in Entities.
func (s *Snapshot) Find(id world.ObjectID) (at int, ok bool) {
	return slices.BinarySearchFunc(s.Entities, id, func(e Entity, id world.ObjectID) int {
		switch {
		case e.ID < id:
			return -1
		case e.ID > id:
			return 1
		}
		return 0
	})
}

// sort puts the entities from old on, which are in order, among those before.
func (s *Snapshot) sort(old int) {
	if old == len(s.Entities) {
		return
	}
	slices.SortFunc(s.Entities, func(a, b Entity) int {
		if a.ID < b.ID {
			return -1
		}
		return 1
	})
}

// what becomes of an entity of the base.
const (
	fateUpdated = iota + 1
	fateKept
	fateGone
)

func (c *snapshotCoder) fate(f int) int {
	if !c.bit(&c.model.left, f != fateUpdated) {
		return fateUpdated
	}
	if !c.bit(&c.model.gone, f == fateGone) {
		return fateKept
	}
	return fateGone
}

// identity codes what never changes of an object.
func (c *snapshotCoder) identity(e *Entity) {
	e.ID = world.ObjectID(c.raw(uint64(e.ID), 64))
	e.Class = uint16(c.signed(&c.model.classNumber, 0, 0, int64(e.Class)))
	if int(e.Class) >= len(c.layout.classes) {
		c.fail("class")
		e.Class = 0
	}
}
