package replicate

import (
	"fmt"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/world"
)

// rowReceiver keeps the rows that a client was sent, and knows which one is to be acknowledged.
type rowReceiver struct {
	kept   wire.Rows
	newest uint32 // the newest row
	used   uint32 // the newest row whose fields, or later ones, a snapshot has
}

// add takes in a row, which must be the next one.
func (r *rowReceiver) add(row wire.Row) error {
	if row.Number != r.newest+1 {
		return fmt.Errorf("%w: row %d after row %d", wire.ErrMalformed, row.Number, r.newest)
	}
	r.newest = row.Number
	r.kept.Put(row)
	return nil
}

// usable returns the rows that snapshots can refer to.
func (r *rowReceiver) usable() *wire.Rows { return &r.kept }

// use notes which rows a snapshot refers to, or replaces by later fields: the host knows that
// these have come.
func (r *rowReceiver) use(m *wire.Snapshot) {
	r.kept.Each(func(row *wire.Row) {
		if i, ok := m.Find(row.Object); ok && m.Entities[i].FieldsTick >= row.Tick {
			r.used = max(r.used, row.Number)
		}
	})
}

// toAcknowledge returns the number of the newest row, 0 if the host knows that it has come.
func (r *rowReceiver) toAcknowledge() uint32 {
	if r.used == r.newest {
		return 0
	}
	return r.newest
}

// withNewest returns m with the newest fields that are known of each object whose fields are of an
// earlier tick: those of a row, or of a snapshot that was read before. The host knows of neither
// yet, so m has the fields of its baseline.
func (r *Receiver) withNewest(m *wire.Snapshot) *wire.Snapshot {
	out := m
	for i := range m.Entities {
		if m.Entities[i].FieldsTick == m.Entities[i].Tick {
			continue
		}
		if fields, tick := r.newestFields(m, &m.Entities[i]); tick != m.Entities[i].FieldsTick {
			if out == m {
				out = m.Clone() // m may become a baseline
			}
			out.SetFields(&out.Entities[i], fields, tick)
		}
	}
	return out
}

func (r *Receiver) newestFields(m *wire.Snapshot, e *wire.Entity) (fields []int64, tick world.Tick) {
	fields, tick = m.Fields(e, r.layout), e.FieldsTick
	if row := r.rows.usable().
		Of(e.ID); row != nil && row.Fits(m.Bundle, e, len(fields)) && row.Tick > tick &&
		row.Tick <= e.Tick {
		fields, tick = row.Words, row.Tick
	}
	look := func(k *wire.Snapshot) {
		at, ok := k.Find(e.ID)
		if !ok || k.Bundle != m.Bundle || k.Entities[at].Class != e.Class {
			return
		}
		if was := &k.Entities[at]; was.FieldsTick > tick && was.FieldsTick <= e.Tick {
			fields, tick = k.Fields(was, r.layout), was.FieldsTick
		}
	}
	look(&r.shown)
	for i := range r.kept {
		look(&r.kept[i])
	}
	return fields, tick
}
