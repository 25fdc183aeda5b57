package world

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
)

// NumberBits returns the word that stores v. Every NaN has one bit pattern.
func NumberBits(v float64) uint64 {
	if v != v {
		return canonicalNaN
	}
	return math.Float64bits(v)
}

// canonicalNaN is the bit pattern of math.NaN, the same on every CPU.
const canonicalNaN = 0x7ff8000000000001

// wholeOf returns the whole part of a stored number from 0 to most; 0 for any other number. A received row may
// have any number, and Go converts those out of range differently on different CPUs.
func wholeOf(word, most uint64) uint64 {
	if v := math.Float64frombits(word); v >= 0 && v <= float64(most) {
		return uint64(v)
	}
	return 0
}

// Quantize brings a number into the field's range and onto its steps. NaN becomes the minimum
// of a range.
func (f *Field) Quantize(v float64) float64 {
	ranged := f.Min < f.Max
	if ranged && !(v >= f.Min) {
		v = f.Min
	}
	if ranged && v > f.Max {
		v = f.Max
	}
	if f.Step <= 0 {
		return v
	}
	n := math.Floor(v/f.Step + 0.5)
	switch {
	case ranged && float64(n*f.Step) > f.Max:
		n--
	case ranged && float64(n*f.Step) < f.Min:
		n++
	}
	return float64(n*f.Step) + 0 // -0 becomes 0
}

// StringField returns the value of a string field of a row.
func StringField(row Row, f *Field) string { return textIn(row.Words(f), f.Cap) }

// textIn returns the text in the words of a field of at most cap bytes.
func textIn(words []uint64, cap int) string {
	var buf [MaxString]byte
	n := int(min(words[0], uint64(cap)))
	for i := 0; i < (n+7)/8; i++ {
		binary.LittleEndian.PutUint64(buf[8*i:], words[1+i])
	}
	return string(buf[:n])
}

// PutString writes a string field of a row. It returns an error if the string is longer than
// the field allows.
func PutString(row Row, f *Field, v string) error { return putText(row.Words(f), f, v) }

// putText is PutString for the words of the field itself.
func putText(words []uint64, f *Field, v string) error {
	if len(v) > f.Cap {
		return fmt.Errorf("%s holds at most %d bytes, not %d", f.Name, f.Cap, len(v))
	}
	var buf [MaxString]byte
	copy(buf[:], v)
	words[0] = uint64(len(v))
	for i := 0; i < (f.Cap+7)/8; i++ {
		words[1+i] = binary.LittleEndian.Uint64(buf[8*i:])
	}
	return nil
}

// fieldText returns a field's value for messages to people.
func fieldText(row Row, f *Field) string { return f.exactText(row.Words(f)) }

// exactText is fieldText for the words of the field.
func (f *Field) exactText(words []uint64) string {
	w := words[0]
	switch f.Kind {
	case Bool:
		return fmt.Sprint(w != 0)
	case Ref:
		return ObjectID(w).String()
	case String:
		return fmt.Sprintf("%q", textIn(words, f.Cap))
	case Count:
		return fmt.Sprint(w)
	}
	return fmt.Sprintf("%v (%016x)", math.Float64frombits(w), w)
}

// String returns the id as messages and scripts show it: 16 hexadecimal digits.
func (id ObjectID) String() string { return fmt.Sprintf("%016x", uint64(id)) }

// ParseObjectID reads what String returns.
func ParseObjectID(text string) (id ObjectID, ok bool) {
	n, err := strconv.ParseUint(text, 16, 64)
	return ObjectID(n), err == nil && ObjectID(n).String() == text
}

// MarshalText returns the id as String does: it does not fit into a JSON number.
func (id ObjectID) MarshalText() ([]byte, error) { return []byte(id.String()), nil }

// Text returns the field's value in a row as a script would write it.
func (f *Field) Text(row Row) string { return f.text(row.Words(f)) }

// text is Text for the words of the field.
func (f *Field) text(words []uint64) string {
	if f.Kind == Number {
		return strconv.FormatFloat(math.Float64frombits(words[0]), 'g', -1, 64)
	}
	return f.exactText(words)
}
