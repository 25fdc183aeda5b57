package world

import (
	"math"
	"slices"
)

// DefIndex returns the index, in Schema.Defs, of the prepared Def of the class.
func (c *Class) DefIndex() uint32 { return c.layout.def }

// Words returns how many words of an object's row its fields take.
func (c *Class) Words() int { return c.layout.words }

// A FieldShower returns what a function of a script makes of two values of a field; see
// ShowFunctions. ok is false if there is no such value, and the field steps.
type FieldShower func(c *Class, field int, a, b Value, part float64) (v Value, ok bool)

// Between writes into row the shown values of an object's fields at a part, from 0 to 1, of the time
// between two rows, by the Show of each field. A list whose length has changed steps. So do the fields
// of ShowFunction if show is nil.
func (c *Class) Between(row, from, to Row, part float64, show FieldShower) {
	if part >= 1 {
		row.Set(to)
		return
	}
	row.Set(from)
	for i := range c.Fields {
		f := &c.Fields[i]
		if f.Show == ShowStep || f.List != 0 && c.Fields[i-f.List].Len(from) != c.Fields[i-f.List].Len(to) {
			continue
		}
		switch {
		case f.Show == ShowFunction:
			if show != nil && part > 0 && c.Has(to, i) {
				showWith(show, c, i, row, to, part)
			}
		case f.Kind == Number:
			f.blend(row, to, part)
		}
	}
}

// EachShown calls f for each field of ShowFunction whose value differs between two rows, with both values: the
// arguments that its function gets between them.
func (c *Class) EachShown(from, to Row, f func(field int, a, b Value)) {
	for i := range c.Fields {
		field := &c.Fields[i]
		if field.Show != ShowFunction || !c.Has(from, i) || !c.Has(to, i) ||
			field.List != 0 && c.Fields[i-field.List].Len(from) != c.Fields[i-field.List].Len(to) ||
			slices.Equal(from.Words(field), to.Words(field)) {
			continue
		}
		f(i, field.value(from), field.value(to))
	}
}

// showWith replaces the value of a field in row by what a function returns for it and the value in to.
func showWith(show FieldShower, c *Class, field int, row, to Row, part float64) {
	f := &c.Fields[field]
	if slices.Equal(row.Words(f), to.Words(f)) {
		return
	}
	v, ok := show(c, field, f.value(row), f.value(to), part)
	switch {
	case !ok || v.Kind != f.Kind:
	case f.Kind == String:
		_ = PutString(row, f, v.Text) // if it is too long, the field steps
	default:
		row.SetWord(f, v.Word)
	}
}

// blend moves a number in row towards that in to.
func (f *Field) blend(row, to Row, part float64) {
	a, b := math.Float64frombits(row.Word(f)), math.Float64frombits(to.Word(f))
	if a == b {
		return
	}
	way := b - a
	if f.Show == ShowShortest {
		way -= float64(2 * math.Pi * math.Floor(way/(2*math.Pi)+0.5))
	}
	v := a + float64(way*part)
	if f.Show == ShowShortest {
		v -= float64(2 * math.Pi * math.Floor(v/(2*math.Pi)+0.5))
	}
	row.SetWord(f, NumberBits(v))
}
