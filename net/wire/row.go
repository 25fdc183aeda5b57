package wire

import (
	"encoding/binary"
	"math/bits"

	"github.com/hindcast/hindcast/world"
)

// MaxRowWords is the largest number of words in a Row.
const MaxRowWords = world.MaxRow

// MaxRows is how many Rows to one client can be in use at a time: from when the host sends one
// until the client acknowledges a Snapshot that has it or newer fields.
const MaxRows = 8

// AppendRow appends the bytes of m. The words are coded as a change from zeros.
func AppendRow(b []byte, m *Row) []byte {
	b = append(b, byte(KindRow))
	b = binary.AppendUvarint(b, uint64(m.Number))
	b = binary.AppendUvarint(b, uint64(m.Bundle))
	b = appendObject(b, m.Object)
	b = binary.AppendUvarint(b, uint64(m.Class))
	b = binary.AppendUvarint(b, uint64(m.Tick))
	b = binary.AppendUvarint(b, uint64(len(m.Words)))
	b = append(b, 0)
	at := len(b)
	var model numberModel
	c := writeBits(b)
	c.words(&model, make([]int64, len(m.Words)), m.Words)
	b = c.finish()
	b[at-1] = byte(len(b) - at)
	return b
}

// ParseRow reads a Row. The error wraps ErrMalformed.
func ParseRow(b []byte) (Row, error) {
	r := open(b, KindRow)
	m := Row{
		Number: r.uint32("number"),
		Bundle: r.uint32("bundle"),
		Object: r.object("object"),
		Class:  uint16(r.uvarint("class", 1<<16-1)),
		Tick:   r.tick("tick"),
	}
	n := int(r.uvarint("words", MaxRowWords))
	size := r.byte("size")
	coded := r.rest("bits")
	if !r.failed() && size != byte(len(coded)) {
		r.fail("size", "%d bytes of bits, but the low 8 bits of their number are %d", len(coded), size)
	}
	if r.failed() {
		return m, r.failure()
	}
	m.Words = make([]int64, n)
	var model numberModel
	c := readBits(coded)
	c.words(&model, m.Words, m.Words) // from zeros
	if !c.complete() {
		r.fail("bits", "they do not end where the message does")
	}
	return m, r.failure()
}

// words codes the words of a row as a change from old.
func (c *bitCoder) words(m *numberModel, old, words []int64) {
	activity := 0
	for i := range words {
		d := c.signed(m, activity, 0, words[i]-old[i])
		words[i] = old[i] + d
		if d != 0 {
			activity = min(activity+1, 2)
		}
	}
}

// ChangeBytes estimates how many bytes a Snapshot takes for the words of a row that were old
// before. If old is empty, they were zeros.
func ChangeBytes(old, words []int64) float64 {
	n := 0.0
	for i, w := range words {
		if len(old) > 0 {
			w -= old[i]
		}
		if w != 0 {
			n += float64(bits.Len64(uint64(size(w)))) + changedBits
		} else {
			n += keptBits
		}
	}
	return n / 8
}

// What ChangeBytes takes a word to cost in bits, besides the significant ones.
const (
	changedBits = 3    // of a word that has changed
	keptBits    = 0.25 // of one that has not
)

// Fits reports whether a row can be that of an entity of a snapshot, whose class has so many words.
func (m *Row) Fits(bundle uint32, e *Entity, words int) bool {
	return m.Bundle == bundle && m.Object == e.ID && m.Class == e.Class && len(m.Words) == words
}

// Rows are the Rows to one client that Snapshots can refer to, at most MaxRows. The zero value
// has none.
type Rows struct{ kept [MaxRows]Row }

// Put adds a row in the place of the one MaxRows before it.
func (r *Rows) Put(row Row) { r.kept[row.Number%MaxRows] = row }

// Drop removes a row.
func (r *Rows) Drop(number uint32) {
	if r.Get(number) != nil {
		r.kept[number%MaxRows] = Row{}
	}
}

// Get returns a row by its number, nil if it is not here.
func (r *Rows) Get(number uint32) *Row {
	if r == nil || number == 0 || r.kept[number%MaxRows].Number != number {
		return nil
	}
	return &r.kept[number%MaxRows]
}

// Of returns the row of an object, the newest if there are several; nil if there is none.
func (r *Rows) Of(id world.ObjectID) (found *Row) {
	if r == nil {
		return nil
	}
	for i := range r.kept {
		if k := &r.kept[i]; k.Number != 0 && k.Object == id && (found == nil || k.Number > found.Number) {
			found = k
		}
	}
	return found
}

// Each calls f for each row, which f may drop.
func (r *Rows) Each(f func(*Row)) {
	for i := range r.kept {
		if r.kept[i].Number != 0 {
			f(&r.kept[i])
		}
	}
}

// short returns the row whose number has these low bits, nil if it is not here.
func (r *Rows) short(low uint16) *Row {
	if r == nil {
		return nil
	}
	if k := &r.kept[low%MaxRows]; k.Number != 0 && uint16(k.Number) == low {
		return k
	}
	return nil
}
