package goscript

import (
	"slices"
	"strings"

	"github.com/hindcast/hindcast/world"
)

// List is a declared list. Its items consist of the values that its methods Number,
// Bool, Text and Ref declare: of one value without a name, or of values with names.
// Items are counted from 0.
type List struct{ l *list }

// list is the declaration of a list.
type list struct {
	of     *declaration
	named  string
	most   int
	aux    bool
	leaves []*leaf
	index  int // of its Count in the Fields of the class
	offset int // of its Count in its part of the row
	span   int // words of an item
}

func newList(of *declaration, name string, most int, aux bool) *list {
	return &list{of: of, named: name, most: most, aux: aux}
}

func (l *list) name() string { return l.named }

// isAux reports whether the list is declared in aux.
func (l *list) isAux() bool { return l.aux }

// Number declares a number of each item. name is "" if it is all that an item has.
func (l List) Number(name string, def float64) Number {
	return Number{leaf: l.add(name, numberField(def))}
}

// Bool declares a truth value of each item.
func (l List) Bool(name string, def bool) Bool { return Bool{leaf: l.add(name, boolField(def))} }

// Text declares a text of at most size bytes of each item.
func (l List) Text(name string, size int, def string) Text {
	return Text{leaf: l.add(name, textField(size, def))}
}

// Ref declares a reference to an object of each item.
func (l List) Ref(name string) Ref { return Ref{leaf: l.add(name, refField())} }

func (l List) add(name string, f world.Field) *leaf { return l.declared().add(name, f) }

// declared returns the declaration. It fails for a list that was never declared.
func (l List) declared() *list {
	if l.l == nil {
		fail("a handle of no list: declare it with the method List of the Class or of the Game")
	}
	return l.l
}

// Len returns how many items the list of an object has.
func (l List) Len(o Object) int { return l.declared().len(o) }

// Append adds an item at the end. Values that are not given are the defaults. On an
// object other than the acting one, it is the end of the list as it is when the order
// ends.
func (l List) Append(o Object, values ...Setting) { l.declared().insert(o, 0, values) }

// Insert adds an item in front of item i.
func (l List) Insert(o Object, i int, values ...Setting) {
	if n := l.Len(o); i < 0 || i > n {
		fail("%s: insert at %d of %d items", l.l.title(), i, n)
	}
	l.l.insert(o, i+1, values)
}

// Remove removes item i. The items after it move up.
func (l List) Remove(o Object, i int) {
	if n := l.Len(o); i < 0 || i >= n {
		fail("%s: remove item %d of %d items", l.l.title(), i, n)
	}
	own, _ := l.l.at(o)
	o.do(world.Op{Target: o.ID(), Kind: world.RemoveItem, Field: own.index, Item: int32(i + 1)})
}

// Clear removes all items.
func (l List) Clear(o Object) {
	own, _ := l.declared().at(o)
	o.do(world.Op{Target: o.ID(), Kind: world.ClearItems, Field: own.index})
}

// add declares a value of each item.
func (l *list) add(name string, f world.Field) *leaf {
	l.of.mayDeclare()
	at := caller()
	if name != "" {
		l.of.checkPath(name, at)
		f.Name = "." + name
	}
	if slices.ContainsFunc(
		l.leaves,
		func(other *leaf) bool { return other.name() == f.Name || other.name() == "" || f.Name == "" },
	) {
		l.of.problem(at, "%s: an item has one value without a name, or values with different names", l.title())
	}
	checkText(l.of, l.named+f.Name, f, at)
	added := newLeaf(l.of, l, f)
	l.leaves = append(l.leaves, added)
	return added
}

// title names the list in messages.
func (l *list) title() string { return l.of.name() + "." + l.named }

// layOut appends the fields of the list to those of the class.
func (l *list) layOut(fields []world.Field) []world.Field {
	if len(l.leaves) == 0 {
		l.of.wrong("%s: declare what its items are: list.Number(\"\", 0) for numbers", l.title())
		return fields
	}
	slices.SortStableFunc(l.leaves, func(a, b *leaf) int { return strings.Compare(a.name(), b.name()) })
	l.index, l.offset = len(fields), wordsOf(fields, l.aux)
	var item []world.Field
	for i, leaf := range l.leaves {
		item = append(item, leaf.layOutAt(l.index+1+i, l.offset+1+wordsOf(item, false)))
	}
	l.span = wordsOf(item, false)
	return world.AppendList(fields, l.named, l.most, l.aux, item)
}

// size returns how many fields and how many words an item has.
func (l *list) size() (leaves, span int) { return len(l.leaves), l.span }

// at returns what the class of an object has of the list, and the object's fields.
func (l *list) at(o Object) (own *list, row world.Row) {
	row, of := o.row(l.of)
	return of.list(l), row
}

// len returns how many items the list of an object has.
func (l *list) len(o Object) int {
	own, row := l.at(o)
	return own.lenIn(row)
}

// lenIn returns how many items the list of a row has.
func (l *list) lenIn(row world.Row) int { return int(min(row.Part(l.aux)[l.offset], uint64(l.most))) }

// check fails unless a row has an item, counted from 1.
func (l *list) check(row world.Row, item int, part string) {
	n := l.lenIn(row)
	switch {
	case item == 0:
		fail("%s%s is in a list: say of which item, with At", l.title(), part)
	case item < 1 || item > n:
		fail("%s: there is no item %d; the list has %d", l.title(), item-1, n)
	}
}

// insert adds an item before item at, counted from 1; 0 is the end.
func (l *list) insert(o Object, at int, values []Setting) {
	l, row := l.at(o)
	if l.lenIn(row) >= l.most {
		fail("%s is full: it holds at most %d items", l.title(), l.most)
	}
	item := make([]uint64, 0, l.span)
	for _, leaf := range l.leaves {
		item = append(item, leaf.field().Default...)
	}
	for i := range values {
		values[i].fill(item, l)
	}
	op := world.Op{Target: o.ID(), Kind: world.InsertItem, Field: l.index, Item: int32(at), Word: item[0]}
	if len(item) > 1 {
		op.Text = world.PackWords(item)
	}
	o.do(op)
}

// place returns where in an item a leaf is.
func (l *list) place(of *leaf) (offset int, ok bool) {
	if !l.of.is(of.declared()) {
		return 0, false
	}
	return l.of.leaf(of).offsetIn(l, l.offset+1)
}
