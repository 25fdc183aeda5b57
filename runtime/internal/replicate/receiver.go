package replicate

import (
	"cmp"
	"errors"
	"slices"
	"time"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/detmath"
)

// ErrStale is the error of a snapshot that cannot be read any more, because its scripts, its
// baseline or a row are missing, or it was overtaken by one under newer scripts.
var ErrStale = errors.New("stale snapshot")

// ErrDuplicate is the error of a snapshot that was read before.
var ErrDuplicate = errors.New("duplicate snapshot")

// Receiver decodes the snapshots for a client, and keeps the baselines of later ones.
type Receiver struct {
	schema     *world.Schema // of bundle
	layout     *wire.SnapshotLayout
	bundle     uint32
	kept       []wire.Snapshot // possible baselines, by number
	spare      wire.Snapshot
	newest     uint32        // the newest snapshot read
	newestBase uint32        // the newest baseline of those read
	shownBase  uint32        // the baseline of the newest snapshot
	mine       wire.Snapshot // scratch of Refine: one object, as this client has it
	shown      wire.Snapshot // what Read returned of the newest snapshot
	rows       rowReceiver
	checked    bool
}

// NewReceiver returns a receiver without a baseline. check turns on the assertions of its
// invariants.
func NewReceiver(check bool) Receiver { return Receiver{checked: check} }

// Limits of the baselines that a receiver keeps: how many, and how far before the newest
// baseline that a snapshot was built on. A snapshot that is overtaken by one with a newer
// baseline can still be read.
const (
	maxKept   = 64
	overtaken = 32
)

// Newest returns the number of the newest snapshot read, to be acknowledged. 0: none.
func (r *Receiver) Newest() uint32 { return r.newest }

// Schema returns the schema of the last snapshot. It is nil before the first snapshot.
func (r *Receiver) Schema() *world.Schema { return r.schema }

// Restart makes the spectated objects of a keyframe the only baseline, and returns it. seq is its
// number as a snapshot.
func (r *Receiver) Restart(schema *world.Schema, keyframe *world.State, seq uint32) *wire.Snapshot {
	r.use(keyframe.Bundle, schema)
	var base wire.Snapshot
	fill(&base, r.layout, keyframe, spectated(keyframe, schema, nil), seq)
	r.kept, r.newest, r.newestBase = append(r.kept[:0], base), seq, seq
	return &base
}

// use makes the receiver decode snapshots with the schema of a bundle.
func (r *Receiver) use(bundle uint32, schema *world.Schema) {
	if r.bundle != bundle {
		r.bundle, r.schema, r.layout = bundle, schema, wire.NewSnapshotLayout(schema)
	}
}

// Read decodes a snapshot. schemaOf returns the schema of a bundle, nil if the client
// does not have its scripts. The snapshot may be read until the next call of Read, and
// must not be changed.
func (r *Receiver) Read(data []byte, schemaOf func(bundle uint32) *world.Schema) (*wire.Snapshot, error) {
	seq, of, bundle, err := wire.SnapshotHead(data)
	if err != nil {
		return nil, err
	}
	base := r.baseline(of)
	if of != 0 && base != nil {
		bundle = base.Bundle
	}
	schema := schemaOf(bundle)
	switch {
	case schema == nil || base == nil || bundle < r.bundle:
		return nil, ErrStale
	case r.find(seq) != nil:
		return nil, ErrDuplicate
	}
	r.use(bundle, schema)
	switch err := wire.ParseSnapshot(data, r.layout, r.rows.usable(), base, &r.spare); {
	case errors.Is(err, wire.ErrNoRow):
		return nil, ErrStale
	case err != nil:
		return nil, err
	}
	r.rows.use(&r.spare)
	m := r.spare
	r.keep(of)
	if r.checked {
		r.check()
	}
	out := r.withNewest(&m)
	if m.Seq == r.newest {
		r.shown, r.shownBase = *out, of
	}
	return out, nil
}

// Had reports whether the baseline of the newest snapshot has an object. If that snapshot itself does not, the host does
// not send the object any more.
func (r *Receiver) Had(id world.ObjectID) bool {
	base := r.find(r.shownBase)
	if base == nil {
		return false
	}
	_, had := base.Find(id)
	return had
}

// Row takes in a row. The error wraps wire.ErrMalformed.
func (r *Receiver) Row(row wire.Row) error { return r.rows.add(row) }

// NewestRow returns the number of the newest row, to be acknowledged; 0 if the host needs to know
// of none.
func (r *Receiver) NewestRow() uint32 { return r.rows.toAcknowledge() }

// baseline finds the snapshot that another is built on. 0 is the empty one.
func (r *Receiver) baseline(seq uint32) *wire.Snapshot {
	if seq == 0 {
		return &wire.Snapshot{}
	}
	return r.find(seq)
}

func (r *Receiver) find(seq uint32) *wire.Snapshot {
	if i, ok := r.search(seq); ok {
		return &r.kept[i]
	}
	return nil
}

func (r *Receiver) search(seq uint32) (at int, found bool) {
	return slices.BinarySearchFunc(
		r.kept,
		seq,
		func(s wire.Snapshot, seq uint32) int { return cmp.Compare(s.Seq, seq) },
	)
}

// keep adds the snapshot just read to the baselines. The host builds on newer and newer
// ones, so those long before the newest baseline are dropped. If there are still too
// many, the oldest other than that baseline is dropped.
func (r *Receiver) keep(base uint32) {
	i, _ := r.search(r.spare.Seq)
	r.newest, r.newestBase = max(r.newest, r.spare.Seq), max(r.newestBase, base)
	r.kept = slices.Insert(r.kept, i, r.spare)
	r.spare = wire.Snapshot{}
	n := 0
	for n < len(r.kept) && r.kept[n].Seq < r.newestBase && r.newestBase-r.kept[n].Seq > overtaken {
		n++
	}
	r.kept = slices.Delete(r.kept, 0, n)
	if len(r.kept) > maxKept {
		oldest := 0
		if r.kept[0].Seq == r.newestBase {
			oldest = 1
		}
		r.kept = slices.Delete(r.kept, oldest, oldest+1)
	}
}

// Update returns the proxy update of an object as of the tick of its entity. Its Fields are those
// of the FieldsTick, those that are sent to nobody being 0; nil if they are not known.
func (r *Receiver) Update(m *wire.Snapshot, e *wire.Entity) world.ProxyUpdate {
	u := world.ProxyUpdate{
		Object:   e.ID,
		Bundle:   m.Bundle,
		Class:    e.Class,
		Owner:    e.Owner,
		Pose:     e.Pose.Dequantize(),
		Velocity: e.Velocity.Dequantize(),
	}
	if e.FieldsTick == 0 {
		return u
	}
	u.Fields = r.noFields(e.Class)
	r.layout.PutFields(u.Fields, e.Class, m.Fields(e, r.layout))
	return u
}

// UpdateNow is Update as of the tick of the snapshot: an object whose entity is older has
// moved on with its velocity, for at most limit.
func (r *Receiver) UpdateNow(m *wire.Snapshot, e *wire.Entity, limit time.Duration) world.ProxyUpdate {
	u := r.Update(m, e)
	past := min(float64(m.Tick-e.Tick)/float64(r.schema.Setup.TickRate), limit.Seconds())
	u.X, u.Y, u.Angle = u.X+float64(u.VX*past), u.Y+float64(u.VY*past), detmath.Wrap(u.Angle+float64(u.W*past))
	return u
}

// Refine compares a snapshot with an object of this client's state s of its tick. It reports
// whether they are the same once the state is quantised. Otherwise it replaces the values of the
// update that are the same by those of the state, which are more exact. Fields are compared in the
// state then as well, which is of their own tick and may be s. Without it the fields of s stand. If kept is set, the
// pose of s stands as well.
func (r *Receiver) Refine(
	u *world.ProxyUpdate,
	m *wire.Snapshot,
	e *wire.Entity,
	s *world.State,
	slot int,
	then *world.State,
	kept bool,
) (same bool) {
	r.mine.Reset(0, m.Bundle, m.Tick)
	r.layout.AddObject(&r.mine, s, slot, s.Objects[slot].Owner)
	mine := &r.mine.Entities[0]
	near, sameFields := kept || e.Near(mine), r.refineFields(u, m, e, s, slot, then, kept)
	if mine.Owner == e.Owner && near && sameFields {
		return true
	}
	if near {
		b := s.Body(slot)
		u.Pose, u.Velocity = b.Pose, b.Velocity
	}
	return false
}

// FieldsAgree reports whether a state of the tick of an object's fields in a snapshot has the same ones.
func (r *Receiver) FieldsAgree(m *wire.Snapshot, e *wire.Entity, then *world.State) bool {
	slot, here := then.Find(e.ID)
	if !here || then.Objects[slot].Class != e.Class {
		return false
	}
	theirs := m.Fields(e, r.layout)
	compared := max(len(theirs)-r.layout.OwnersWords(e.Class), 0)
	ours := r.layout.Row(0, then, slot, then.Objects[slot].Owner).Words
	return len(ours) >= compared && slices.Equal(ours[:compared], theirs[:compared])
}

// refineFields is Refine for the fields. Fields that only the owner
// gets tell it what the host did, and are not compared.
func (r *Receiver) refineFields(
	u *world.ProxyUpdate,
	m *wire.Snapshot,
	e *wire.Entity,
	s *world.State,
	slot int,
	then *world.State,
	kept bool,
) (same bool) {
	row := s.Row(slot)
	theirs, mine := m.Fields(e, r.layout), r.mine.Fields(&r.mine.Entities[0], r.layout)
	past := mine
	if then == nil {
		past = theirs
	} else if then != s {
		slot, here := then.Find(e.ID)
		if past = theirs; here && then.Objects[slot].Class == e.Class {
			past = r.layout.Row(0, then, slot, then.Objects[slot].Owner).Words
		}
	}
	if !u.Fields.Known() {
		u.Fields = r.noFields(e.Class)
	}
	same = true
	compared := len(theirs) - r.layout.OwnersWords(e.Class)
	class, n := &r.schema.Classes[e.Class], 0
	for i := range class.Fields {
		ours, into := row.Words(&class.Fields[i]), u.Fields.Words(&class.Fields[i])
		for j := range into {
			switch {
			case n >= len(theirs): // sent to nobody
				if kept {
					into[j] = ours[j]
				}
			case n >= compared || past[n] == theirs[n] || mine[n] == theirs[n]:
				into[j] = ours[j]
			default:
				same = false
			}
			n++
		}
	}
	return same
}

// noFields returns fields of a class that are all 0.
func (r *Receiver) noFields(class uint16) world.Row {
	c := &r.schema.Classes[class]
	return world.NewRow(c, make([]uint64, c.Words()))
}
