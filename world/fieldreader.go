package world

import (
	"encoding/binary"
	"fmt"
	"math"
)

// FieldReader reads the script fields of one object by their names: "hp", or
// "slot.count" for a part of a record. Lists are read with Len and Item.
//
// Its methods allocate nothing, except Text for its result, and unless they return an
// error. An error wraps ErrNoField for a name that the class does not declare, ErrValue
// for a field of another kind, and ErrNoItem for an item that a list does not have.
//
// A FieldReader is a value, and valid as long as the state that it reads is not
// changed. The zero value has no fields.
type FieldReader struct {
	class  *Class
	row    Row
	prefix string // of the names of leaves: that of the list
	first  int    // of the leaves: their indices in class.Fields are from here ...
	end    int    // ... to here
	item   int    // 0: the object
}

// NewFieldReader returns the reader of a row, which belongs to an object of the
// class.
func NewFieldReader(class *Class, row Row) FieldReader {
	return FieldReader{class: class, row: row, end: len(class.Declared())}
}

// Known reports whether there are fields to read: false for the zero value.
func (r FieldReader) Known() bool { return r.class != nil }

// Class returns the class of the object, nil of the zero value.
func (r FieldReader) Class() *Class { return r.class }

// Number returns a number.
func (r FieldReader) Number(name string) (float64, error) {
	word, err := r.word(name, "", Number)
	return math.Float64frombits(word), err
}

// Bool returns a boolean.
func (r FieldReader) Bool(name string) (bool, error) {
	word, err := r.word(name, "", Bool)
	return word != 0, err
}

// Ref returns the id of the object that a field refers to, 0 for none. The object may
// have been removed.
func (r FieldReader) Ref(name string) (ObjectID, error) {
	word, err := r.word(name, "", Ref)
	return ObjectID(word), err
}

// Text returns a string.
func (r FieldReader) Text(name string) (string, error) {
	f, err := r.field(name, "", String)
	if err != nil {
		return "", err
	}
	return StringField(r.row, f), nil
}

// AppendText appends the bytes of a string to b.
func (r FieldReader) AppendText(b []byte, name string) ([]byte, error) {
	f, err := r.field(name, "", String)
	if err != nil {
		return b, err
	}
	n := len(b) + int(min(r.row.Word(f), uint64(f.Cap)))
	for _, word := range r.row.Words(f)[1:] {
		b = binary.LittleEndian.AppendUint64(b, word)
	}
	return b[:n], nil
}

// Vector returns the numbers x and y of a record.
func (r FieldReader) Vector(name string) (x, y float64, err error) {
	a, err := r.word(name, "x", Number)
	if err != nil {
		return 0, 0, err
	}
	b, err := r.word(name, "y", Number)
	return math.Float64frombits(a), math.Float64frombits(b), err
}

// Len returns how many items a list has.
func (r FieldReader) Len(list string) (int, error) {
	at, err := r.list(list)
	if err != nil {
		return 0, err
	}
	return r.class.Fields[at].Len(r.row), nil
}

// Item returns the reader of item i of a list, from 1. The name of a plain item is
// "": list.Item("hits", 1) and then Number("").
func (r FieldReader) Item(list string, i int) (FieldReader, error) {
	at, err := r.list(list)
	if err != nil {
		return FieldReader{}, err
	}
	f := &r.class.Fields[at]
	if n := f.Len(r.row); i < 1 || i > n {
		return FieldReader{}, fmt.Errorf("%w: item %d of %s.%s, which has %d", ErrNoItem, i, r.class.Name,
			f.Name[1:], n)
	}
	first := at + 1 + (i-1)*f.Leaves
	return FieldReader{
		class:  r.class,
		row:    r.row,
		prefix: f.Name[1:],
		first:  first,
		end:    first + f.Leaves,
		item:   i,
	}, nil
}

// All calls yield with each number, boolean, reference and string, by its name and
// in the order of their declaration, until it returns false. Items of lists are
// named as in "hits[2]"; those that a list does not have are left out.
func (r FieldReader) All(yield func(name string, v Value) bool) {
	for i := r.first; i < r.end; i++ {
		f := &r.class.Fields[i]
		if f.Kind == Count || !r.class.Has(r.row, i) {
			continue
		}
		if !yield(f.Name, f.value(r.row)) {
			return
		}
	}
}

// value returns what a row holds in the field.
func (f *Field) value(row Row) Value {
	if f.Kind == String {
		return Value{Kind: String, Text: StringField(row, f)}
	}
	return Value{Kind: f.Kind, Word: row.Word(f)}
}

// word returns the only word of a field.
func (r FieldReader) word(name, part string, kind FieldKind) (uint64, error) {
	f, err := r.field(name, part, kind)
	if err != nil {
		return 0, err
	}
	return r.row.Word(f), nil
}

// field returns the field of a name, or of a part of the record of that name.
func (r FieldReader) field(name, part string, kind FieldKind) (*Field, error) {
	for i := r.first; i < r.end; i++ {
		f := &r.class.Fields[i]
		if !r.names(f.Name, name, part) || f.Kind == Count {
			continue
		}
		switch {
		case f.Kind != kind:
			return nil, fmt.Errorf("%w: %s.%s is a %s, not a %s", ErrValue, r.class.Name, f.Name, f.Kind.Word(),
				kind.Word())
		case !r.class.Has(r.row, i):
			return nil, fmt.Errorf("%w: %s.%s", ErrNoItem, r.class.Name, f.Name)
		}
		return f, nil
	}
	if part != "" {
		name += "." + part
	}
	return nil, r.noField(name)
}

// names reports whether the name of a leaf is name with part.
func (r FieldReader) names(leaf, name, part string) bool {
	if r.item > 0 { // "hits[12].count": what follows the bracket
		leaf = leaf[len(r.prefix):]
		for leaf[0] != ']' {
			leaf = leaf[1:]
		}
		if leaf = leaf[1:]; leaf != "" {
			leaf = leaf[1:]
		}
	}
	if part == "" {
		return leaf == name
	}
	n := len(name)
	if n == 0 {
		return leaf == part // of an item
	}
	return len(leaf) == n+1+len(part) && leaf[:n] == name && leaf[n] == '.' && leaf[n+1:] == part
}

// list returns the index of the Count of a list.
func (r FieldReader) list(name string) (int, error) {
	for i := r.first; i < r.end && r.item == 0; i++ {
		if f := &r.class.Fields[i]; f.Kind == Count && f.Name[1:] == name {
			return i, nil
		}
	}
	if f, ok := r.leaf(name); ok {
		return 0, fmt.Errorf("%w: %s.%s is a %s, not a list", ErrValue, r.class.Name, f.Name, f.Kind.Word())
	}
	return 0, r.noField(name)
}

// leaf returns the field of a name, whatever its kind.
func (r FieldReader) leaf(name string) (*Field, bool) {
	for i := r.first; i < r.end; i++ {
		if f := &r.class.Fields[i]; f.Kind != Count && r.names(f.Name, name, "") {
			return f, true
		}
	}
	return nil, false
}

// noField returns the error for an undeclared name.
func (r FieldReader) noField(name string) error {
	switch {
	case r.class == nil:
		return fmt.Errorf("%w: %q; the fields of the object are not known", ErrNoField, name)
	case r.item > 0:
		return fmt.Errorf("%w: an item of %s.%s has no %q", ErrNoField, r.class.Name, r.prefix, name)
	}
	return fmt.Errorf("%w: class %s has no %q; it has %s", ErrNoField, r.class.Name, name, fieldNames(r.class))
}

// DropGone makes references in a row of the class lead nowhere whose objects do not exist.
func (c *Class) DropGone(row Row, exists func(ObjectID) bool) {
	for i := range c.Fields {
		if f := &c.Fields[i]; f.Kind == Ref && row.Word(f) != 0 && !exists(ObjectID(row.Word(f))) {
			row.SetWord(f, 0)
		}
	}
}
