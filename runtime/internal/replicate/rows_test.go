package replicate

import (
	"errors"
	"slices"
	"testing"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
	"pgregory.net/rapid"
)

// wideWords is how many numbers a wide object of vault has.
const wideWords = 200

// vault is a room of some balls in a row, and of chests with many fields; some of each.
func vault(t testing.TB, balls, chests int) (*world.State, *world.Schema) {
	t.Helper()
	body := &world.BodySpec{Def: physics.Def{Type: physics.Dynamic, Shape: physics.CircleShape(0.2), Density: 1}}
	chest := world.Class{Name: "Chest", Body: body, Fields: world.AppendList(nil, "items", wideWords, false, []world.Field{{Default: []uint64{0}}})}
	schema, err := world.NewSchema([]world.Class{{Name: "Ball", Body: body}, chest}, bundle.DefaultSetup())
	if err != nil {
		t.Fatal(err)
	}
	w := world.New()
	w.Load(nil, schema)
	w.Begin()
	w.BeginOrder()
	w.SpawnLevel(func(int, *world.Event) {})
	game, _ := w.Match()
	w.Act(game)
	for i := range balls + chests {
		class := "Ball"
		if i >= balls {
			class = "Chest"
		}
		if _, err := w.Spawn(class, world.Placement{Pose: physics.Pose{X: float64(i)}}); err != nil {
			t.Fatal(err)
		}
	}
	w.EndOrder()
	w.End()
	s := &world.State{}
	s.CopyFrom(w.Now)
	return s, schema
}

// fillChest gives n fields of the chest in a slot values that no snapshot has room for.
func fillChest(s *world.State, slot int32, n int) {
	words := s.Row(int(slot)).State
	words[0] = wideWords
	for i := range n {
		words[1+i] = world.NumberBits(float64(int(s.Tick)*1e9 + i*77777))
	}
}

// chestsOf returns the slots of the objects with fields.
func chestsOf(s *world.State, slots []int32) (chests []int32) {
	for _, slot := range slots {
		if s.Objects[slot].Class == 1 {
			chests = append(chests, slot)
		}
	}
	return chests
}

// words quantises the fields of an object of a state.
func words(l *wire.SnapshotLayout, s *world.State, slot int32) []int64 {
	return l.Row(1, s, int(slot), 0).Words
}

// TestWideChangeIsSentAsARow: a change of fields that takes too much of a snapshot does not keep
// others from being sent. The object keeps its fields until the client has the row.
func TestWideChangeIsSentAsARow(t *testing.T) {
	s, schema := vault(t, 8, 1)
	slots := spectated(s, schema, nil)
	sender, receiver := from(schema, s, 1), NewReceiver(true)
	receiver.Restart(schema, s, 1)
	chest := chestsOf(s, slots)[0]
	drive(s, 3)
	changed := s.Tick
	fillChest(s, chest, wideWords)
	send := func() *wire.Snapshot {
		b := sender.Snapshot(s, schema, slots, 0, 400)
		m, err := receiver.Read(b, func(uint32) *world.Schema { return schema })
		if err != nil || len(b) > 400 {
			t.Fatalf("%d bytes, %v", len(b), err)
		}
		for i := range m.Entities {
			if e := &m.Entities[i]; e.Tick != s.Tick {
				t.Errorf("%s is sent as of tick %d", e.ID, e.Tick)
			}
		}
		return m
	}
	fieldsTick := func(m *wire.Snapshot) world.Tick {
		i, _ := m.Find(s.Objects[chest].ID)
		return m.Entities[i].FieldsTick
	}
	if got := fieldsTick(send()); got >= changed {
		t.Errorf("the fields are of tick %d before the row is sent", got)
	}
	b := sender.Row(s, 0)
	row, err := wire.ParseRow(b)
	if err != nil || row.Tick != changed || sender.Row(s, 0) != nil {
		t.Fatalf("%+v, %v, or a second row", row, err)
	}
	drive(s, 3)
	if got := fieldsTick(send()); got >= changed || sender.Row(s, 0) != nil {
		t.Errorf("the fields are of tick %d before the row is acknowledged, or it is sent again", got)
	}
	if err := receiver.Row(row); err != nil || receiver.NewestRow() != 1 {
		t.Fatalf("%v; row %d is acknowledged", err, receiver.NewestRow())
	}
	drive(s, 3)
	if got := fieldsTick(send()); got != changed || receiver.NewestRow() != 1 {
		t.Errorf("the fields are of tick %d after the row has come; row %d is acknowledged", got, receiver.NewestRow())
	}
	drive(s, 3)
	sender.Acknowledge(receiver.Newest(), receiver.NewestRow())
	if m := send(); fieldsTick(m) != changed || receiver.NewestRow() != 0 {
		t.Errorf("the fields are of tick %d, and row %d is acknowledged still", fieldsTick(m), receiver.NewestRow())
	}
	drive(s, 3)
	fillChest(s, chest, 5) // which a snapshot has room for
	sender.Acknowledge(receiver.Newest(), receiver.NewestRow())
	if m := send(); fieldsTick(m) != s.Tick || sender.Row(s, 0) != nil {
		t.Errorf("the fields are of tick %d in the snapshot of tick %d", fieldsTick(m), s.Tick)
	}
}

// A row that the link refuses is sent again.
func TestRowLost(t *testing.T) {
	s, schema := vault(t, 0, 1)
	slots := spectated(s, schema, nil)
	sender := from(schema, s, 1)
	drive(s, 3)
	fillChest(s, slots[0], wideWords)
	sender.Snapshot(s, schema, slots, 0, 400)
	first := slices.Clone(sender.Row(s, 0))
	sender.RowLost()
	if first == nil || sender.Row(s, 0) != nil { // it has cost its bytes
		t.Fatal("no row, or two at once")
	}
	for range 10 {
		drive(s, 3)
		sender.Snapshot(s, schema, slots, 0, 400)
	}
	row, err := wire.ParseRow(sender.Row(s, 0))
	if err != nil || row.Number != 1 || row.Tick != s.Tick {
		t.Errorf("row %d of tick %d, %v", row.Number, row.Tick, err)
	}
}

// An acknowledgement of a row that was not sent is ignored.
func TestSenderIgnoresWrongRows(t *testing.T) {
	s, schema := vault(t, 0, 1)
	slots := spectated(s, schema, nil)
	sender := from(schema, s, 1)
	drive(s, 3)
	fillChest(s, slots[0], wideWords)
	sender.Snapshot(s, schema, slots, 0, 1000)
	sender.Acknowledge(1, 1)
	sender.Row(s, 0)
	for _, number := range []uint32{2, 9, 1 << 31} {
		if sender.Acknowledge(1, number); sender.rows.arrived(s.Objects[slots[0]].ID) != nil {
			t.Fatalf("row %d was acknowledged, which was not sent", number)
		}
	}
}

// A receiver refuses rows out of order, and keeps no more than MaxRows.
func TestReceiverRefusesRows(t *testing.T) {
	r := NewReceiver(true)
	for number := range uint32(3 * wire.MaxRows) {
		if err := r.Row(wire.Row{Number: number + 1, Bundle: 1, Object: 7, Words: []int64{1}}); err != nil {
			t.Fatal(err)
		}
	}
	for _, number := range []uint32{0, 1, 3 * wire.MaxRows, 3*wire.MaxRows + 2} {
		if err := r.Row(wire.Row{Number: number}); !errors.Is(err, wire.ErrMalformed) {
			t.Errorf("row %d: %v", number, err)
		}
	}
	kept := 0
	r.rows.usable().Each(func(*wire.Row) { kept++ })
	if kept != wire.MaxRows {
		t.Errorf("%d rows are kept", kept)
	}
}

// While many fields change all the time, small objects are sent nearly as often as otherwise,
// and the fields still arrive.
func TestWideObjectsLeaveRoom(t *testing.T) {
	const limit, rounds = 300, 200
	play := func(change bool) (updates, rows int) {
		s, schema := vault(t, 50, 3)
		slots := spectated(s, schema, nil)
		sender, receiver := from(schema, s, 1), NewReceiver(true)
		receiver.Restart(schema, s, 1)
		for range rounds {
			drive(s, 3)
			if change {
				for _, slot := range chestsOf(s, slots) {
					fillChest(s, slot, wideWords)
				}
			}
			m, err := receiver.Read(sender.Snapshot(s, schema, slots, 0, limit), func(uint32) *world.Schema { return schema })
			if err != nil {
				t.Fatal(err)
			}
			for i := range m.Entities {
				if e := &m.Entities[i]; e.Class == 0 && e.Tick == s.Tick {
					updates++
				}
			}
			for b := sender.Row(s, 0); b != nil; b = sender.Row(s, 0) {
				row, err := wire.ParseRow(b)
				if err == nil {
					err = receiver.Row(row)
				}
				if err != nil {
					t.Fatal(err)
				}
				rows++
			}
			sender.Acknowledge(receiver.Newest(), receiver.NewestRow())
		}
		return updates, rows
	}
	alone, none := play(false)
	beside, rows := play(true)
	if none != 0 || rows < rounds*limit/rowPart/2000 || beside < alone*9/10 {
		t.Errorf("small objects are sent %d times, beside changing fields %d times; these came in %d rows, and in %d unchanged", alone, beside, rows, none)
	}
}

// rowLine is a line between a sender and a receiver: it loses snapshots and acknowledgements, and
// rows arrive late, in order.
type rowLine struct {
	t        *rapid.T
	sender   *Sender
	receiver Receiver
	schema   *world.Schema
	rows     []wire.Row                       // on their way
	acks     [][2]uint32                      // on their way
	history  map[world.Tick]*world.State      // that were sent
	fresh    map[world.ObjectID][2]world.Tick // the newest tick seen of an object and of its fields
}

// round sends a snapshot of a state.
func (l *rowLine) round(s *world.State, slots []int32, limit int) {
	kept := &world.State{}
	kept.CopyFrom(s)
	l.history[s.Tick] = kept
	b := l.sender.Snapshot(s, l.schema, slots, 0, limit)
	for r := l.sender.Row(s, 0); r != nil; r = l.sender.Row(s, 0) {
		row, err := wire.ParseRow(r)
		if err != nil {
			l.t.Fatal(err)
		}
		l.rows = append(l.rows, row)
	}
	if rapid.IntRange(0, 9).Draw(l.t, "lost") > 1 {
		m, err := l.receiver.Read(b, func(uint32) *world.Schema { return l.schema })
		if err != nil {
			l.t.Fatal(err)
		}
		l.compare(m)
	}
	for n := rapid.IntRange(0, min(2, len(l.rows))).Draw(l.t, "rows"); n > 0; n-- {
		if err := l.receiver.Row(l.rows[0]); err != nil {
			l.t.Fatal(err)
		}
		l.rows = l.rows[1:]
	}
	l.acks = append(l.acks, [2]uint32{l.receiver.Newest(), l.receiver.NewestRow()})
	for len(l.acks) > 2 {
		if rapid.Bool().Draw(l.t, "ack") {
			l.sender.Acknowledge(l.acks[0][0], l.acks[0][1])
		}
		l.acks = l.acks[1:]
	}
}

// compare checks that all fields of an object are those of one tick, which never goes back.
func (l *rowLine) compare(m *wire.Snapshot) {
	for i := range m.Entities {
		e := &m.Entities[i]
		if was := l.fresh[e.ID]; e.Tick >= was[0] { // else it is as in a baseline older than what has come since
			if e.FieldsTick < was[1] || e.FieldsTick > e.Tick {
				l.t.Fatalf("%s of tick %d with fields of tick %d, after %v", e.ID, e.Tick, e.FieldsTick, was)
			}
			l.fresh[e.ID] = [2]world.Tick{e.Tick, e.FieldsTick}
		}
		if e.Class == 0 || e.FieldsTick == 0 {
			continue
		}
		s := l.history[e.FieldsTick]
		slot, _ := s.Find(e.ID)
		if !slices.Equal(m.Fields(e, l.receiver.layout), words(l.receiver.layout, s, int32(slot))) {
			l.t.Fatalf("%s has other fields than in tick %d", e.ID, e.FieldsTick)
		}
	}
}

// TestRowsOverALossyLine: whatever is lost, all fields that a client has of an object are of one
// tick; in the end it has those of the present.
func TestRowsOverALossyLine(t *testing.T) {
	start, schema := vault(t, 4, 6)
	draws.Check(t, func(t *rapid.T) {
		s := &world.State{}
		s.CopyFrom(start)
		all := spectated(s, schema, nil)
		l := &rowLine{t: t, sender: NewSender(new(Workspace), schema, s.Bundle, true), receiver: NewReceiver(true), schema: schema,
			history: map[world.Tick]*world.State{}, fresh: map[world.ObjectID][2]world.Tick{}}
		limit := rapid.SampledFrom([]int{100, 400, 1000}).Draw(t, "limit")
		for range rapid.IntRange(1, 60).Draw(t, "rounds") {
			drive(s, 3)
			for _, slot := range chestsOf(s, all) {
				if rapid.IntRange(0, 3).Draw(t, "change") == 0 {
					fillChest(s, slot, rapid.SampledFrom([]int{1, 20, wideWords}).Draw(t, "words"))
				}
			}
			l.round(s, all, limit)
		}
		s.Tick++
		for range 2000 { // nothing changes any more
			s.Tick += 3
			l.round(s, all, limit)
			if l.upToDate(s) {
				return
			}
		}
		t.Fatalf("fields are still missing: %v", l.fresh)
	})
}

// upToDate reports whether the client has all fields of a state.
func (l *rowLine) upToDate(s *world.State) bool {
	m := l.receiver.find(l.receiver.Newest())
	if m == nil || len(m.Entities) < 10 {
		return false
	}
	for i := range m.Entities {
		e := &m.Entities[i]
		slot, _ := s.Find(e.ID)
		if e.Class == 1 && (e.FieldsTick == 0 || !slices.Equal(m.Fields(e, l.receiver.layout), words(l.receiver.layout, s, int32(slot)))) {
			return false
		}
	}
	return true
}
