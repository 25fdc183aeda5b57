package replicate

import (
	"cmp"
	"slices"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/world"
)

// rowSender brings one client the fields of objects that would take too much of a snapshot:
// as rows, on the reliable stream for bulk. It knows which rows the snapshots can refer to.
//
// Rows may take the bytes that a snapshot leaves of its limit, or a quarter of that limit if it
// leaves less.
type rowSender struct {
	inUse  wire.Rows
	newest uint32 // the number of the last row
	acked  uint32 // the newest row that the client has
	credit float64
	waits  []wait // by object
	buf    []byte
}

// wait is an object whose fields the client has not had since a tick.
type wait struct {
	object   world.ObjectID
	since    world.Tick
	still    bool // it waits in this snapshot, too
	reported bool // as one that waits for long
}

// Shares of the bytes of a snapshot.
const (
	inlinePart  = 8 // a change of fields that takes more than one in so many is sent as a row
	rowPart     = 4 // rows may always take one in so many of the bytes, as often as a snapshot is sent
	mostPerWord = 9 // bytes of a word, about
)

// restart forgets all rows.
func (r *rowSender) restart() { r.inUse, r.waits = wire.Rows{}, r.waits[:0] }

// acknowledge notes the newest row that the client has.
func (r *rowSender) acknowledge(number uint32) {
	if number <= r.newest {
		r.acked = max(r.acked, number)
	}
}

// usable returns the rows that snapshots can refer to, once they have arrived.
func (r *rowSender) usable() *wire.Rows { return &r.inUse }

// arrived returns the row of an object that the client has, nil if there is none.
func (r *rowSender) arrived(id world.ObjectID) *wire.Row {
	if row := r.inUse.Of(id); row != nil && row.Number <= r.acked {
		return row
	}
	return nil
}

// begin prepares for the objects that wait in another snapshot.
func (r *rowSender) begin() {
	for i := range r.waits {
		r.waits[i].still = false
	}
}

// wait notes that the client lacks the fields that an object has at tick t.
func (r *rowSender) wait(id world.ObjectID, t world.Tick) {
	i, ok := slices.BinarySearchFunc(
		r.waits,
		id,
		func(w wait, id world.ObjectID) int { return cmp.Compare(w.object, id) },
	)
	if !ok {
		r.waits = slices.Insert(r.waits, i, wait{object: id, since: t})
	}
	r.waits[i].still = true
}

// end forgets objects that no longer wait, and rows that are no longer in use: base has fields of
// their tick or a later one, or the object is not sent any more.
func (r *rowSender) end(base *wire.Snapshot) {
	r.inUse.Each(func(row *wire.Row) {
		w := r.waitOf(row.Object)
		if i, ok := base.Find(row.Object); ok && base.Entities[i].FieldsTick >= row.Tick {
			if w != nil {
				w.since, w.reported = row.Tick, false
			}
		} else if w != nil && w.still {
			return
		}
		r.inUse.Drop(row.Number)
	})
	r.waits = slices.DeleteFunc(r.waits, func(w wait) bool { return !w.still })
}

func (r *rowSender) waitOf(id world.ObjectID) *wait {
	i, ok := slices.BinarySearchFunc(
		r.waits,
		id,
		func(w wait, id world.ObjectID) int { return cmp.Compare(w.object, id) },
	)
	if !ok {
		return nil
	}
	return &r.waits[i]
}

// urgency returns how long an object has waited at tick t, in ticks, at least 1.
func (r *rowSender) urgency(id world.ObjectID, t world.Tick) float64 {
	return float64(t - r.waitOf(id).since + 1)
}

// earn adds what a snapshot of n bytes leaves to rows.
func (r *rowSender) earn(n, limit int) {
	r.credit = min(r.credit+float64(max(limit-n, limit/rowPart)), float64(limit))
}

// mayBegin reports whether another row may be sent now.
func (r *rowSender) mayBegin() bool {
	next := r.newest + 1
	return r.credit > 0 && (next <= wire.MaxRows || r.inUse.Get(next-wire.MaxRows) == nil)
}

// send encodes the next row.
func (r *rowSender) send(row wire.Row) []byte {
	r.newest = row.Number
	r.inUse.Put(row)
	r.buf = wire.AppendRow(r.buf[:0], &row)
	r.credit -= float64(len(r.buf))
	return r.buf
}

// weigh decides whether the fields of a candidate are to be sent as a row.
func (s *Sender) weigh(state *world.State, c *candidate, viewer world.PlayerID, limit int) {
	o := &state.Objects[c.slot]
	room := float64(limit) / inlinePart
	if float64(s.layout.Words(o.Class)*mostPerWord) <= room {
		return
	}
	s.probe.Reset(0, state.Bundle, state.Tick)
	s.layout.AddObject(&s.probe, state, int(c.slot), viewer)
	var old []int64
	if c.baseline >= 0 {
		old = s.base.Fields(&s.base.Entities[c.baseline], s.layout)
	}
	if c.change = wire.ChangeBytes(old, s.probe.Fields(&s.probe.Entities[0], s.layout)); c.change > room {
		c.early, c.change = true, 0
		s.rows.wait(o.ID, state.Tick)
		c.urgency = max(c.urgency, s.rows.urgency(o.ID, state.Tick)*c.nearness) // the row is shown with it
	}
}

// addEarly adds an object to a snapshot with the fields of a row that the client has, or else
// with those of the baseline.
func (s *Sender) addEarly(m *wire.Snapshot, state *world.State, c *candidate, viewer world.PlayerID) {
	s.layout.AddObject(m, state, int(c.slot), viewer)
	added := &m.Entities[len(m.Entities)-1]
	fields, tick := s.layout.ZeroFields(added.Class), world.Tick(0) // not known
	if c.baseline >= 0 {
		e := &s.base.Entities[c.baseline]
		fields, tick = s.base.Fields(e, s.layout), e.FieldsTick
	}
	if row := s.rows.arrived(added.ID); row != nil && row.Tick > tick {
		fields, tick = row.Words, row.Tick
	}
	m.SetFields(added, fields, tick)
}

// Row encodes the next row that may be sent to viewer after the last snapshot, which was of this state. It
// returns nil if there is none. The caller sends it on the reliable stream, and calls Row again.
// The bytes are valid until then. If they cannot be sent, the caller calls RowLost.
func (s *Sender) Row(state *world.State, viewer world.PlayerID) []byte {
	if s.checked {
		assert(s.of == s, "another sender has made a snapshot since that of these rows")
	}
	if !s.rows.mayBegin() {
		return nil
	}
	best, most := -1, 0.0
	for i := range s.candidates {
		c := &s.candidates[i]
		id := state.Objects[c.slot].ID
		if !c.early || s.rows.inUse.Of(id) != nil {
			continue
		}
		urgency := float64(s.rows.urgency(id, state.Tick) * c.nearness)
		if c.baseline < 0 || s.base.Entities[c.baseline].FieldsTick == 0 {
			urgency += unsent
		}
		if urgency > most {
			best, most = i, urgency
		}
	}
	if best < 0 {
		return nil
	}
	return s.rows.send(s.layout.Row(s.rows.newest+1, state, int(s.candidates[best].slot), viewer))
}

// RowLost forgets the row that Row returned last, so that its object is sent in another one.
func (s *Sender) RowLost() {
	s.rows.inUse.Drop(s.rows.newest)
	s.rows.newest--
}

// EachLate calls f for each object of the last snapshot whose fields the client has lacked for so
// many ticks, once for each wait, with its slot.
func (s *Sender) EachLate(state *world.State, ticks world.Tick, f func(slot int)) {
	for i := range s.rows.waits {
		w := &s.rows.waits[i]
		if slot, ok := state.Find(w.object); ok && !w.reported && state.Tick-w.since > ticks {
			w.reported = true
			f(slot)
		}
	}
}

// EachLeftOut calls f for each object that the last snapshot had no room for, even alone, with its
// slot.
func (s *Sender) EachLeftOut(f func(slot int)) {
	for i := range s.candidates {
		if c := &s.candidates[i]; c.tooLong {
			f(int(c.slot))
		}
	}
}
