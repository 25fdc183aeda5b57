package world

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// ErrNoItem is returned if a list has no item of that number, or no room for another one.
var ErrNoItem = errors.New("no such item, or no room for it")

// AppendList appends the fields of a list of at most cap items. Each item has the fields of
// item, whose names are "" for a plain value and ".name" for a part of a record. The list
// starts empty. Unused items hold their defaults.
func AppendList(fields []Field, name string, cap int, aux bool, item []Field) []Field {
	fields = append(fields, Field{
		Name:    "#" + name,
		Kind:    Count,
		Cap:     cap,
		Aux:     aux,
		Leaves:  len(item),
		Default: []uint64{0},
	})
	back := 0
	for i := 1; i <= cap; i++ {
		for _, f := range item {
			back++
			f.Name = fmt.Sprintf("%s[%d]%s", name, i, f.Name)
			f.Aux, f.List, f.Item = aux, back, i
			fields = append(fields, f)
		}
	}
	return fields
}

// Len returns how many items a list has; f is its Count.
func (f *Field) Len(row Row) int { return int(min(row.Word(f), uint64(f.Cap))) }

// Has reports whether the field at index i exists in a row. A field of an item may not.
func (c *Class) Has(row Row, i int) bool {
	f := &c.Fields[i]
	return f.List == 0 || c.Fields[i-f.List].Len(row) >= f.Item
}

// setField carries out an operation on a field.
func (c *Class) setField(row Row, op *Op) error {
	switch op.Kind {
	case SetItem, InsertItem, RemoveItem, ClearItems:
		return c.setList(row, op)
	}
	if !c.Has(row, op.Field) {
		return fmt.Errorf("%w: %s", ErrNoItem, c.Fields[op.Field].Name)
	}
	if op.Kind == SetText {
		return PutString(row, &c.Fields[op.Field], op.Text)
	}
	f := &c.Fields[op.Field]
	row.SetWord(f, op.wordIn(row, f))
	return nil
}

// setList carries out SetItem, InsertItem, RemoveItem and ClearItems. An item of one word is
// op.Word. Any other item is op.Text, as PackWords makes it.
func (c *Class) setList(row Row, op *Op) error {
	f := &c.Fields[op.Field]
	n, at := f.Len(row), int(op.Item)
	if at == 0 && op.Kind != RemoveItem {
		at = n + 1
	} else if at == 0 {
		at = n
	}
	l := listRow{row.Part(f.Aux)[f.Offset+1:], c.span(op.Field)}
	fits := at >= 1 && at <= n+1
	switch op.Kind {
	case SetItem:
		fits = fits && at <= f.Cap
	case InsertItem:
		fits = fits && n < f.Cap
	case RemoveItem:
		fits = fits && at <= n
	}
	if !fits && op.Kind != ClearItems {
		return fmt.Errorf("%w: item %d of %s, which has %d and holds %d", ErrNoItem, at, f.Name[1:], n, f.Cap)
	}
	switch op.Kind {
	case SetItem:
		l.put(at, op)
		n = max(n, at)
	case InsertItem:
		copy(l.words[at*l.span:], l.words[(at-1)*l.span:n*l.span])
		l.put(at, op)
		n++
	case RemoveItem:
		copy(l.words[(at-1)*l.span:], l.words[at*l.span:n*l.span])
		n--
		c.blank(row, op.Field, n)
	case ClearItems:
		n = 0
		c.blank(row, op.Field, n)
	}
	row.SetWord(f, uint64(n))
	return nil
}

// listRow is the words of a list's items, span words each.
type listRow struct {
	words []uint64
	span  int
}

func (l listRow) put(item int, op *Op) {
	to := l.words[(item-1)*l.span : item*l.span]
	if op.Text == "" {
		to[0] = op.Word
		return
	}
	for i := range to {
		to[i] = binary.LittleEndian.Uint64([]byte(op.Text[8*i : 8*i+8]))
	}
}

// PackWords returns the words of an item as the Text of an Op.
func PackWords(words []uint64) string {
	b := make([]byte, 0, 8*len(words))
	for _, w := range words {
		b = binary.LittleEndian.AppendUint64(b, w)
	}
	return string(b)
}

// span returns the number of words of an item in the list whose Count is at index i.
func (c *Class) span(i int) (words int) {
	for _, f := range c.Fields[i+1 : i+1+c.Fields[i].Leaves] {
		words += f.Words()
	}
	return words
}

// blank sets the items after the first n to their defaults, so that removed items leave no
// trace in the state.
func (c *Class) blank(row Row, list, n int) {
	f := &c.Fields[list]
	for i := list + 1 + n*f.Leaves; i <= list+f.Cap*f.Leaves; i++ {
		copy(row.Words(&c.Fields[i]), c.Fields[i].Default)
	}
}
