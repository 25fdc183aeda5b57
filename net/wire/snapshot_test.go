package wire

import (
	"errors"
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
	"pgregory.net/rapid"
)

// sampleLayout has one class without fields and damping, and one with both.
func sampleLayout() *SnapshotLayout { return NewSnapshotLayout(sampleSchema()) }

func sampleSchema() *world.Schema {
	body := &world.BodySpec{Def: physics.Def{Type: physics.Dynamic, Shape: physics.CircleShape(0.5), Density: 1, LinearDamping: 0.5}}
	schema, err := world.NewSchema([]world.Class{
		{Name: "Rock"},
		{Name: "Ball", Body: body, Fields: []world.Field{
			{Name: "hp", Default: []uint64{0}}, {Name: "name", Kind: world.String, Cap: 8, Default: []uint64{0, 0}}}},
	}, world.Setup{TickRate: 60, Substeps: 4, Width: 10, Height: 10})
	if err != nil {
		panic(err)
	}
	return schema
}

// sampleBase returns the baseline of the sample: snapshot 40, with three objects.
func sampleBase() *Snapshot {
	m := &Snapshot{Seq: 40, Bundle: 1, Tick: 1200}
	m.Add(Entity{ID: ship, Class: 0, Tick: 1200, FieldsTick: 1200, Pose: Pose{512, -1024, 1000}, Velocity: Velocity{256, 0, 64}}, nil)
	m.Add(Entity{ID: ship + 1, Class: 1, Owner: 3, Tick: 1197, FieldsTick: 1197, Pose: Pose{0, 5120, 0}, Velocity: Velocity{-128, 512, 0}}, []int64{200, 0, 0})
	m.Add(Entity{ID: ship + 2, Class: 0, Tick: 1200, FieldsTick: 1200}, nil)
	return m
}

// sampleSnapshot has two objects with new values, one of which the baseline lacks, and one
// that is unchanged. One object of the baseline is gone.
func sampleSnapshot() Snapshot {
	m := Snapshot{Seq: 43, Bundle: 1, Tick: 1209, Behind: 2, Settled: 1180}
	m.Add(Entity{ID: 9, Class: 1, Owner: 300, Tick: 1209, FieldsTick: 1209, Pose: Pose{-700, 80, 1023}, Velocity: Velocity{0, -30, 2}}, []int64{200, 0, 0})
	m.Add(Entity{ID: ship, Class: 0, Tick: 1209, FieldsTick: 1209, Pose: Pose{589, -1024, 14}, Velocity: Velocity{256, 0, 64}}, nil)
	m.Add(Entity{ID: ship + 1, Class: 1, Owner: 3, Tick: 1197, FieldsTick: 1197, Pose: Pose{0, 5120, 0}, Velocity: Velocity{-128, 512, 0}}, []int64{200, 0, 0})
	return m
}

// sampleRows has the rows that the sample can refer to: newer fields of an object of the
// baseline, and the fields of a new object.
func sampleRows() *Rows {
	rows := &Rows{}
	rows.Put(Row{Number: 7, Bundle: 1, Object: ship + 1, Class: 1, Tick: 1198, Words: []int64{-66, 8, 0x6c6f676f6c}})
	rows.Put(Row{Number: 8, Bundle: 1, Object: 9, Class: 1, Tick: 1199, Words: []int64{4, 5, 6}})
	return rows
}

// sampleRowSnapshot has one object with the fields of a row, one whose fields are those of the
// baseline still, and a new one whose fields are not known.
func sampleRowSnapshot() Snapshot {
	m := Snapshot{Seq: 44, Bundle: 1, Tick: 1210, Lacks: 15}
	m.Add(Entity{ID: 5, Class: 1, Tick: 1210}, []int64{0, 0, 0})
	m.Add(Entity{ID: 9, Class: 1, Tick: 1210, FieldsTick: 1199}, []int64{4, 5, 6})
	m.Add(Entity{ID: ship + 1, Class: 1, Owner: 3, Tick: 1210, FieldsTick: 1197, Pose: Pose{-40, 5320, 0}, Velocity: Velocity{-128, 512, 0}}, []int64{200, 0, 0})
	return m
}

// appendSampleSnapshot and parseSampleSnapshot use sampleBase as the baseline, or the empty
// one if sampleBase is newer.
func appendSampleSnapshot(b []byte, m *Snapshot) []byte {
	return AppendSnapshot(b, sampleLayout(), sampleRows(), baseFor(m.Seq), m)
}

func parseSampleSnapshot(b []byte) (m Snapshot, err error) {
	seq, of, _, err := SnapshotHead(b)
	if err != nil {
		return m, err
	}
	base := baseFor(seq)
	if of != base.Seq {
		base = &Snapshot{}
	}
	m = sampleSnapshot() // used before
	err = ParseSnapshot(b, sampleLayout(), sampleRows(), base, &m)
	return m, err
}

func baseFor(seq uint32) *Snapshot {
	if seq > 40 {
		return sampleBase()
	}
	return &Snapshot{}
}

// genPose draws objects at rest, slow ones, and any.
func genPose(t *rapid.T, most int32) Pose {
	limit := draw(t, rapid.SampledFrom([]int32{0, 5, 3000, most}))
	p := Pose{}
	for i := range p {
		p[i] = draw(t, rapid.Int32Range(-limit, limit))
	}
	return p
}

// genEntity draws an object. was is its entity in the baseline, nil if there is none.
func genEntity(t *rapid.T, was Entity, tick world.Tick) Entity {
	e := Entity{ID: was.ID, Class: was.Class, Owner: was.Owner, Tick: tick, FieldsTick: tick}
	if draw(t, rapid.IntRange(0, 9)) == 0 {
		e.Owner = draw(t, rapid.SampledFrom([]world.PlayerID{0, 1, 65535}))
	}
	e.Pose, e.Velocity = genPose(t, maxPosition), Velocity(genPose(t, maxVelocity))
	if draw(t, rapid.Bool()) {
		e.Velocity = was.Velocity
	}
	e.Pose[2] &= TurnUnits - 1
	return e
}

// genObject draws an object with its fields. These are changed, or those of the baseline, or
// those of a row.
func genObject(t *rapid.T, l *SnapshotLayout, rows *Rows, was Entity, fields []int64, tick world.Tick) (Entity, []int64) {
	e := genEntity(t, was, tick)
	row := rows.Of(e.ID)
	switch early := draw(t, rapid.IntRange(0, 3)); {
	case len(fields) == 0:
	case early == 0:
		e.FieldsTick = was.FieldsTick
		return e, fields
	case early == 1 && row != nil && row.Class == e.Class && row.Tick > was.FieldsTick && row.Tick < tick:
		e.FieldsTick = row.Tick
		return e, row.Words
	}
	return e, genFields(t, l, e.Class, fields)
}

func genFields(t *rapid.T, l *SnapshotLayout, class uint16, was []int64) []int64 {
	out := slices.Clone(was)
	for i := range out {
		if draw(t, rapid.IntRange(0, 3)) == 0 {
			out[i] = draw(t, rapid.Int64())
		}
	}
	return out
}

// genNext draws a snapshot that may follow another one: its objects are unchanged, updated,
// gone or new.
func genNext(t *rapid.T, l *SnapshotLayout, rows *Rows, base *Snapshot, seq uint32, tick world.Tick) *Snapshot {
	type object struct {
		e      Entity
		fields []int64
	}
	var all []object
	for i := range base.Entities {
		was := &base.Entities[i]
		fields := base.Fields(was, l)
		switch draw(t, rapid.IntRange(0, 7)) {
		case 0:
		case 1, 2:
			all = append(all, object{*was, fields})
		default:
			e, fields := genObject(t, l, rows, *was, fields, tick)
			all = append(all, object{e, fields})
		}
	}
	for range draw(t, rapid.IntRange(0, 3)) {
		class := draw(t, rapid.Uint16Range(0, 3))
		fresh := Entity{ID: world.ObjectID(draw(t, rapid.Uint64Range(1, math.MaxUint64))), Class: class}
		if draw(t, rapid.IntRange(0, 3)) == 0 {
			fresh.ID = 9
		}
		same := func(o object) bool { return o.e.ID == fresh.ID }
		if !base.has(fresh.ID) && !slices.ContainsFunc(all, same) {
			e, fields := genObject(t, l, rows, fresh, l.none[:l.classes[class].words], tick)
			all = append(all, object{e, fields})
		}
	}
	slices.SortFunc(all, func(a, b object) int {
		if a.e.ID < b.e.ID {
			return -1
		}
		return 1
	})
	m := &Snapshot{Seq: seq, Bundle: base.Bundle, Tick: tick, Lacks: min(tick, world.Tick(draw(t, rapid.IntRange(0, 300))))}
	for _, o := range all {
		m.Add(o.e, o.fields)
	}
	return m
}

func genSnapshot(t *rapid.T) Snapshot {
	seq := draw(t, rapid.SampledFrom([]uint32{1, 40, 41, 43, 1e6}))
	base := baseFor(seq)
	return *genNext(t, sampleLayout(), sampleRows(), base, seq, base.Tick+world.Tick(draw(t, rapid.IntRange(0, 200))))
}

// genRow draws a row of an object of the baseline.
func genRow(t *rapid.T, rows *Rows, l *SnapshotLayout, base *Snapshot, number uint32, tick world.Tick) {
	if len(base.Entities) == 0 || tick == 0 {
		return
	}
	e := draw(t, rapid.SampledFrom(base.Entities))
	rows.Put(Row{Number: number, Bundle: base.Bundle, Object: e.ID, Class: e.Class, Tick: tick - 1, Words: genFields(t, l, e.Class, base.Fields(&e, l))})
}

// In a long exchange, each snapshot has one of the last ones as its baseline. The receiver
// reads what was written, fields included.
func TestSnapshotChain(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		l := sampleLayout()
		sent, got, rows := []*Snapshot{{}}, []*Snapshot{{}}, &Rows{}
		tick := world.Tick(0)
		for i := range draw(t, rapid.IntRange(1, 12)) {
			tick += world.Tick(draw(t, rapid.IntRange(0, 6)))
			at := draw(t, rapid.IntRange(max(0, i-4), i))
			genRow(t, rows, l, sent[at], uint32(i+1), tick)
			m := genNext(t, l, rows, sent[at], uint32(i+1), tick)
			b := AppendSnapshot(nil, l, rows, sent[at], m)
			if len(b) > MaxDatagram {
				return
			}
			back := &Snapshot{}
			if err := ParseSnapshot(b, l, rows, got[at], back); err != nil {
				t.Fatalf("snapshot %d on %d: %v", m.Seq, at, err)
			}
			if !slices.EqualFunc(back.Entities, m.Entities, func(x, y Entity) bool {
				fields := slices.Equal(back.Fields(&x, l), m.Fields(&y, l))
				x.words, y.words = 0, 0
				return x == y && fields
			}) || !reflect.DeepEqual(back.model, m.model) {
				t.Fatalf("snapshot %d on %d\nis   %+v\nnot  %+v", m.Seq, at, back, m)
			}
			sent, got = append(sent, m), append(got, back)
		}
	})
}

// FuzzParseSnapshot: for any bytes, the parser returns an error that wraps ErrMalformed, or a
// snapshot that can be written and read again.
func FuzzParseSnapshot(f *testing.F) {
	sample := sampleSnapshot()
	b := appendSampleSnapshot(nil, &sample)
	f.Add(b)
	f.Add(b[:len(b)/2])
	f.Add(append(b, 0xff))
	f.Add(appendSampleSnapshot(nil, &Snapshot{Seq: 1, Tick: 60}))
	f.Add(appendSampleSnapshot(nil, new(sampleRowSnapshot())))
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := parseSampleSnapshot(b)
		if err != nil {
			if !errors.Is(err, ErrMalformed) && !errors.Is(err, ErrNoRow) {
				t.Fatal(err)
			}
			return
		}
		l, base := sampleLayout(), baseFor(m.Seq)
		if _, of, _, _ := SnapshotHead(b); of != base.Seq {
			base = &Snapshot{}
		}
		again := AppendSnapshot(nil, l, sampleRows(), base, &m)
		if len(again) > MaxDatagram { // other numbers may be expected of the same objects
			return
		}
		var back Snapshot
		if err := ParseSnapshot(again, l, sampleRows(), base, &back); err != nil || !same(back, m) {
			t.Fatalf("%+v\nbecame %+v, %v", m, back, err)
		}
	})
}

// No bytes make a reader allocate much: each object in a message takes some bits.
func TestSnapshotOfMany(t *testing.T) {
	l, m := sampleLayout(), &Snapshot{}
	const size = MaxDatagram - 6
	for first := range 256 {
		b := []byte{byte(KindSnapshot), 1, 1, 1, 1, size & 0xff}
		for i := range size {
			b = append(b, byte(first+i*first))
		}
		_ = ParseSnapshot(b, l, nil, &Snapshot{}, m)
		if n := len(m.Entities); n > MaxDatagram/8 {
			t.Fatalf("%d objects out of %d bytes", n, len(b))
		}
	}
}

func TestSnapshotAllocations(t *testing.T) {
	l, base, m, got := sampleLayout(), sampleBase(), sampleSnapshot(), Snapshot{}
	b := make([]byte, 0, MaxDatagram)
	round := func() {
		b = AppendSnapshot(b[:0], l, nil, base, &m)
		if err := ParseSnapshot(b, l, nil, base, &got); err != nil {
			t.Fatal(err)
		}
	}
	round()
	if n := testing.AllocsPerRun(100, round); n != 0 {
		t.Errorf("%v allocations for a snapshot written and read", n)
	}
}

// Whole numbers in fields are exact; other numbers are rounded to a float32.
func TestSnapshotNumbers(t *testing.T) {
	for _, v := range []float64{0, 1, -1, 100, 1 << 40, -1 << 52, 0.5, -2.25, math.Inf(1), math.MaxFloat32} {
		if got := unpackNumber(packNumber(v)); got != v {
			t.Errorf("%v became %v", v, got)
		}
	}
	if got := unpackNumber(packNumber(math.Pi)); got != float64(float32(math.Pi)) {
		t.Errorf("pi became %v", got)
	}
	if got := unpackNumber(packNumber(math.NaN())); got == got {
		t.Errorf("NaN became %v", got)
	}
}

// Angles wrap around; other values are clamped to their range.
func TestPoseUnits(t *testing.T) {
	for _, c := range []struct {
		angle float64
		units int32
	}{{0, 0}, {math.Pi / 2, 256}, {-math.Pi / 2, 768}, {math.Pi, 512}, {-0.0001, 0}} {
		if got := inUnits(c.angle, TurnUnits/(2*math.Pi), maxPosition) & (TurnUnits - 1); got != c.units {
			t.Errorf("angle %v is %d units, not %d", c.angle, got, c.units)
		}
		if back := (Pose{2: c.units}).Dequantize().Angle; math.Abs(back-c.angle) > math.Pi/TurnUnits {
			t.Errorf("%d units are %v, not %v", c.units, back, c.angle)
		}
	}
	if inUnits(math.NaN(), 1, 5) != 0 || inUnits(1e300, 1, 5) != 5 || inUnits(-1e300, 1, 5) != -5 {
		t.Error("out of range")
	}
}

// No values of fields take more bytes in a Row than MostRowBytes says, but for a twentieth.
func TestMostRowBytes(t *testing.T) {
	fields := world.AppendList(nil, "a", 60, false, []world.Field{{Default: []uint64{0}}})
	fields = append(fields, world.Field{Name: "on", Kind: world.Bool, Default: []uint64{0}}, world.Field{Name: "who", Kind: world.Ref, Default: []uint64{0}},
		world.Field{Name: "part", Min: -3, Max: 5, Step: 0.5, Default: []uint64{0}}, world.Field{Name: "name", Kind: world.String, Cap: 40, Default: make([]uint64, 6)})
	schema, err := world.NewSchema([]world.Class{{Name: "A", Fields: fields}}, world.Setup{TickRate: 60, Substeps: 4, Width: 10, Height: 10})
	if err != nil {
		t.Fatal(err)
	}
	l := NewSnapshotLayout(schema)
	most := l.MostRowBytes(0)
	draws.Check(t, func(t *rapid.T) {
		row := Row{Number: draw(t, rapid.Uint32()), Bundle: 1, Tick: math.MaxUint32}
		for i := range l.classes[0].fields {
			f := &l.classes[0].fields[i]
			for j := range f.Words() {
				row.Words = append(row.Words, longestWord(f, j, draw(t, rapid.Uint64())>>draw(t, rapid.IntRange(0, 63))))
			}
		}
		if n := len(AppendRow(nil, &row)); n > most+most/20+8 {
			t.Errorf("%d bytes, more than %d", n, most)
		}
	})
	if most < 500 || most > 800 {
		t.Errorf("68 words take %d bytes", most)
	}
}

// PutFields restores a row of fields from the words of a snapshot.
func TestPutFields(t *testing.T) {
	l, class := sampleLayout(), &sampleSchema().Classes[1]
	row := world.NewRow(class, []uint64{world.NumberBits(12.5), 3, 0x636261})
	var words []int64
	for i := range l.classes[1].fields {
		words = appendField(words, &l.classes[1].fields[i], row)
	}
	back := world.NewRow(class, make([]uint64, class.Words()))
	if l.PutFields(back, 1, words); !back.Equal(row) {
		t.Errorf("%x became %x", row, back)
	}
}
