package goscript

import "github.com/hindcast/hindcast/world"

// leaf is a declared value: a field of a class, or one of the values of which each
// item of a list consists. Its zero value is of no class.
type leaf struct {
	Of     *declaration
	In     *list // nil: no list
	Field  world.Field
	Index  int // in the Fields of the class; in a list, of the first item
	Offset int // its first word in the row, likewise
}

// declared returns the class. It fails for a handle that was never declared.
func (l *leaf) declared() *declaration {
	if l == nil {
		fail("a handle of no field: declare it with a method of the Class, of the Game or of a List")
	}
	return l.Of
}

// set changes the declaration.
func (l *leaf) set(change func(f *world.Field)) {
	d := l.declared()
	d.mayDeclare()
	change(&l.Field)
	if f := &l.Field; f.Kind == world.Number {
		switch at := caller(); {
		case (f.Min != 0 || f.Max != 0) && !(f.Min < f.Max):
			d.problem(at, "%s.%s: the range %v to %v: its minimum must be less than its maximum", d.name(), f.Name, f.Min, f.Max)
		case !(f.Step >= 0) || f.Min < f.Max && f.Step > f.Max-f.Min:
			d.problem(at, "%s.%s: step = %v: must be 0 (every value), or fit into the range", d.name(), f.Name, f.Step)
		}
	}
}

// layOut appends the field to those of the class.
func (l *leaf) layOut(fields []world.Field) []world.Field {
	l.quantize()
	l.Index, l.Offset = len(fields), words(fields)
	return append(fields, l.Field)
}

// quantize brings the default of a number into its range.
func (l *leaf) quantize() {
	if l.Field.Kind == world.Number {
		l.Field.Default = []uint64{world.NumberBits(l.Field.Quantize(numberOf(l.Field.Default[0])))}
	}
}

// words returns how many words fields take.
func words(fields []world.Field) (n int) {
	for i := range fields {
		n += fields[i].Words()
	}
	return n
}

// at returns the index and the offset of the leaf of an object, or of an item,
// counted from 1, of its list.
func (l *leaf) at(o Object, item int) (row []uint64, index, offset int) {
	row = o.row(l.declared())
	switch {
	case l.In == nil && item != 0:
		fail("%s.%s is no list: it has no item %d", l.Of.name(), l.Field.Name, item-1)
	case l.In == nil:
		return row, l.Index, l.Offset
	}
	l.In.check(row, item, l.Field.Name)
	leaves, span := l.In.size()
	return row, l.Index + (item-1)*leaves, l.Offset + (item-1)*span
}

// word returns the value of a leaf that is one word.
func (l *leaf) word(o Object, item int) uint64 {
	row, _, offset := l.at(o, item)
	return row[offset]
}

// text returns the value of a text.
func (l *leaf) text(o Object, item int) string {
	row, _, offset := l.at(o, item)
	f := l.Field
	f.Offset = offset
	return world.StringField(row, &f)
}

// put writes a value.
func (l *leaf) put(o Object, item int, v Setting) {
	_, index, _ := l.at(o, item)
	o.do(v.op(o.ID(), index))
}

// plain returns the index of a field that is not in a list. It is for spawning.
func (l *leaf) plain() int {
	if l.In != nil {
		fail("%s%s is in a list: append to the list when the object is there", l.In.title(), l.Field.Name)
	}
	return l.Index
}

// number quantizes a number.
func (l *leaf) number(v float64) uint64 {
	l.declared()
	return world.NumberBits(l.Field.Quantize(v))
}

// bound checks the length of a text.
func (l *leaf) bound(v string) string {
	if d := l.declared(); len(v) > l.Field.Cap {
		fail("%s.%s holds at most %d bytes, not %d", d.name(), l.Field.Name, l.Field.Cap, len(v))
	}
	return v
}
