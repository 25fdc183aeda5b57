package world

import (
	"encoding/binary"
	"fmt"
	"math"
)

// appendRow appends the fields of an object. Whole numbers, and numbers on
// their declared steps, are short; so are booleans, texts and empty lists. Each
// field is, by its kind: a number, the zigzag varint of its steps (of 1, if it
// declares none) times 2, or a 1 and its 8 bytes; a boolean or the length of a
// list, a varint; a ref, a 0, or a 1 and its 8 bytes; a text, its length as a
// varint, and its bytes. Fields of items that a list does not have are left out.
func (c *Class) appendRow(b []byte, row Row) []byte {
	for i := range c.Fields {
		f := &c.Fields[i]
		if !c.Has(row, i) {
			continue
		}
		switch word := row.Word(f); f.Kind {
		case Number:
			b = f.appendNumber(b, word)
		case Ref:
			if b = append(b, byte(flag(word != 0))); word != 0 {
				b = binary.LittleEndian.AppendUint64(b, word)
			}
		case String:
			b = binary.AppendUvarint(b, word)
			b = append(b, StringField(row, f)...)
		default:
			b = binary.AppendUvarint(b, word)
		}
	}
	return b
}

// maxSteps bounds the numbers that are sent as steps. Beyond it, their 8 bytes are as
// short.
const maxSteps = 1 << 40

func (f *Field) stepOrOne() float64 {
	if f.Step > 0 {
		return f.Step
	}
	return 1
}

func (f *Field) appendNumber(b []byte, word uint64) []byte {
	n := math.Floor(math.Float64frombits(word)/f.stepOrOne() + 0.5)
	if n > -maxSteps && n < maxSteps && math.Float64bits(float64(n*f.stepOrOne())) == word {
		steps := int64(n)
		return binary.AppendUvarint(b, uint64(steps<<1^steps>>63)<<1)
	}
	return binary.LittleEndian.AppendUint64(append(b, 1), word)
}

// isTidy reports whether appendRow keeps every bit of a row: unused words are as in a new object.
func (c *Class) isTidy(row Row) bool {
	for i := range c.Fields {
		f := &c.Fields[i]
		words := row.Words(f)
		switch {
		case !c.Has(row, i):
			for j, w := range words {
				if w != f.Default[j] {
					return false
				}
			}
		case f.Kind == Count && words[0] > uint64(f.Cap):
			return false
		case f.Kind == String:
			var again [1 + MaxString/8]uint64
			if words[0] > uint64(f.Cap) || putText(again[:], f, StringField(row, f)) != nil ||
				!equal(again[:len(words)], words) {
				return false
			}
		}
	}
	rest := row.State[c.layout.flat:]
	return equal(rest, make([]uint64, len(rest)))
}

func equal(a, b []uint64) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// parseRow reads what appendRow wrote into a row of zeros.
func (c *Class) parseRow(r *reader, row Row) {
	for i := range c.Fields {
		copy(row.Words(&c.Fields[i]), c.Fields[i].Default)
	}
	for i := range c.Fields {
		if f := &c.Fields[i]; r.err == nil && c.Has(row, i) {
			f.parse(r, row)
		}
	}
}

func (f *Field) parse(r *reader, row Row) {
	switch f.Kind {
	case Number:
		v := r.uvarint()
		if v == 1 {
			row.SetWord(f, r.u64())
			return
		}
		if v&1 != 0 || v>>2 >= maxSteps {
			r.fail(fmt.Errorf("%s: no number begins with %d", f.Name, v))
			return
		}
		v >>= 1
		row.SetWord(f, math.Float64bits(float64(float64(int64(v>>1)^-int64(v&1))*f.stepOrOne())))
	case Ref:
		row.SetWord(f, 0)
		if r.u8() != 0 {
			row.SetWord(f, r.u64())
		}
	case String:
		n := r.uvarint()
		if n > uint64(f.Cap) {
			r.fail(fmt.Errorf("%s: a text of %d bytes, it holds %d", f.Name, n, f.Cap))
			return
		}
		r.fail(PutString(row, f, string(r.take(int(n)))))
	default:
		row.SetWord(f, r.uvarint())
		if f.Kind == Count && row.Word(f) > uint64(f.Cap) {
			r.fail(fmt.Errorf("%s: %d items, it holds %d", f.Name, row.Word(f), f.Cap))
		}
	}
}

// uvarint reads a number as binary.AppendUvarint writes it.
func (r *reader) uvarint() (v uint64) {
	for shift := 0; ; shift += 7 {
		c := r.u8()
		if r.err != nil || shift > 63 || shift == 63 && c > 1 {
			r.fail(fmt.Errorf("a number of more than 64 bits"))
			return 0
		}
		v |= uint64(c&0x7f) << shift
		if c < 0x80 {
			return v
		}
	}
}
