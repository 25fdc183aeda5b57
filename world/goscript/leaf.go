package goscript

import "github.com/hindcast/hindcast/world"

// leaf is a declared value: a field of a class, or one of the values of which each
// item of a list consists. Its zero value is of no class.
type leaf struct {
	of     *declaration
	in     *list // nil: no list
	spec   world.Field
	index  int // in the Fields of the class; in a list, of the first item
	offset int // its first word in its part of the row, likewise
}

// newLeaf returns a value of the objects of a class, or of the items of a list.
func newLeaf(of *declaration, in *list, f world.Field) *leaf { return &leaf{of: of, in: in, spec: f} }

// field returns the declared field.
func (l *leaf) field() world.Field { return l.spec }

// isAux reports whether the field, or its list, is declared in aux.
func (l *leaf) isAux() bool { return l.spec.Aux || l.in != nil && l.in.isAux() }

// name returns the name of the field.
func (l *leaf) name() string { return l.spec.Name }

// offsetIn returns where in an item of a list the leaf is.
func (l *leaf) offsetIn(of *list, first int) (offset int, ok bool) {
	return l.offset - first, l.in == of
}

// declared returns the class. It fails for a handle that was never declared.
func (l *leaf) declared() *declaration {
	if l == nil {
		fail("a handle of no field: declare it with a method of the Class, of the Game or of a List")
	}
	return l.of
}

// set changes the declaration.
func (l *leaf) set(change func(f *world.Field)) {
	d := l.declared()
	d.mayDeclare()
	change(&l.spec)
	if f := &l.spec; f.Kind == world.Number {
		switch at := caller(); {
		case (f.Min != 0 || f.Max != 0) && !(f.Min < f.Max):
			d.problem(at, "%s.%s: the range %v to %v: its minimum must be less than its maximum", d.name(), f.Name,
				f.Min, f.Max)
		case !(f.Step >= 0) || f.Min < f.Max && f.Step > f.Max-f.Min:
			d.problem(at, "%s.%s: step = %v: must be 0 (every value), or fit into the range", d.name(), f.Name, f.Step)
		}
	}
}

// layOut appends the field to those of the class.
func (l *leaf) layOut(fields []world.Field) []world.Field {
	return append(fields, l.layOutAt(len(fields), wordsOf(fields, l.spec.Aux)))
}

// layOutAt gives the field its index and its first word.
func (l *leaf) layOutAt(index, offset int) world.Field {
	l.quantize()
	l.index, l.offset = index, offset
	return l.spec
}

// quantize brings the default of a number into its range.
func (l *leaf) quantize() {
	if l.spec.Kind == world.Number {
		l.spec.Default = []uint64{world.NumberBits(l.spec.Quantize(numberOf(l.spec.Default[0])))}
	}
}

// wordsOf returns how many words those of the fields take that are declared in aux, or all others.
func wordsOf(fields []world.Field, aux bool) (n int) {
	for i := range fields {
		if fields[i].Aux == aux {
			n += fields[i].Words()
		}
	}
	return n
}

// at returns what the class of an object has of the leaf, and its index and its offset in the object, or in an item,
// counted from 1, of its list.
func (l *leaf) at(o Object, item int) (own *leaf, row world.Row, index, offset int) {
	row, of := o.row(l.declared())
	l = of.leaf(l)
	switch {
	case l.in == nil && item != 0:
		fail("%s.%s is no list: it has no item %d", l.of.name(), l.spec.Name, item-1)
	case l.in == nil:
		return l, row, l.index, l.offset
	}
	l.in.check(row, item, l.spec.Name)
	leaves, span := l.in.size()
	return l, row, l.index + (item-1)*leaves, l.offset + (item-1)*span
}

// word returns the value of a leaf that is one word.
func (l *leaf) word(o Object, item int) uint64 {
	_, row, _, offset := l.at(o, item)
	return row.Part(l.isAux())[offset]
}

// text returns the value of a text.
func (l *leaf) text(o Object, item int) string {
	_, row, _, offset := l.at(o, item)
	f := l.spec
	f.Offset, f.Aux = offset, l.isAux()
	return world.StringField(row, &f)
}

// put writes a value.
func (l *leaf) put(o Object, item int, v Setting) {
	own, _, index, _ := l.at(o, item)
	o.do(v.op(o.ID(), own, index))
}

// add adds to a number.
func (l *leaf) add(o Object, item int, v float64) {
	_, _, index, _ := l.at(o, item)
	o.do(world.Op{Target: o.ID(), Kind: world.AddWord, Field: index, Word: world.NumberBits(v)})
}

// plain returns the index of a field that is not in a list. It is for spawning.
func (l *leaf) plain() int {
	if l.in != nil {
		fail("%s%s is in a list: append to the list when the object is there", l.in.title(), l.spec.Name)
	}
	return l.index
}

// bits returns the word of a value. Numbers are quantized.
func (l *leaf) bits(word uint64) uint64 {
	if l.spec.Kind != world.Number {
		return word
	}
	return world.NumberBits(l.spec.Quantize(numberOf(word)))
}

// bound checks the length of a text.
func (l *leaf) bound(v string) string {
	if d := l.declared(); len(v) > l.spec.Cap {
		fail("%s.%s holds at most %d bytes, not %d", d.name(), l.spec.Name, l.spec.Cap, len(v))
	}
	return v
}
