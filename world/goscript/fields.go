package goscript

import (
	"math"

	"github.com/hindcast/hindcast/world"
)

// Fields declares the fields of a class, or of the match. A name may have dots, as
// in "slot.count": such fields are the parts of a record.
type Fields struct {
	of  *declaration
	aux bool
}

// Aux returns Fields that declare fields which seldom change.
func (f Fields) Aux() Fields { return Fields{f.of, true} }

// Number declares a number.
func (f Fields) Number(name string, def float64) Number {
	return Number{leaf: f.add(name, numberField(def))}
}

// Bool declares a truth value.
func (f Fields) Bool(name string, def bool) Bool { return Bool{leaf: f.add(name, boolField(def))} }

// Text declares a text of at most size bytes.
func (f Fields) Text(name string, size int, def string) Text {
	return Text{leaf: f.add(name, textField(size, def))}
}

// Ref declares a reference to an object; at first it is none.
func (f Fields) Ref(name string) Ref { return Ref{leaf: f.add(name, refField())} }

// List declares a list of at most most items.
func (f Fields) List(name string, most int) List { return List{f.of.addList(name, most, f.aux)} }

// declared returns the declaration of the class.
func (f Fields) declared() *declaration { return f.of }

func (f Fields) add(name string, field world.Field) *leaf {
	field.Name, field.Aux = name, f.aux
	return f.of.addLeaf(field)
}

func numberField(def float64) world.Field {
	return world.Field{Kind: world.Number, Default: []uint64{world.NumberBits(def)}}
}

func boolField(def bool) world.Field {
	return world.Field{Kind: world.Bool, Show: world.ShowStep, Default: []uint64{bit(def)}}
}

func refField() world.Field {
	return world.Field{Kind: world.Ref, Show: world.ShowStep, Default: []uint64{0}}
}

// textField returns a field without a default if the text does not fit.
func textField(size int, def string) world.Field {
	f := world.Field{Kind: world.String, Show: world.ShowStep, Cap: size}
	if size < 1 || size > world.MaxString {
		return f
	}
	words := make([]uint64, f.Words())
	if world.PutString(world.Row{State: words}, &f, def) == nil {
		f.Default = words
	}
	return f
}

func bit(v bool) uint64 {
	if v {
		return 1
	}
	return 0
}

func numberOf(word uint64) float64 { return math.Float64frombits(word) }

// Number is a declared number.
type Number struct {
	leaf *leaf
	item int // counted from 1; 0: none
}

// Range declares bounds, to which written values are clamped.
func (n Number) Range(min, max float64) Number {
	n.leaf.set(func(f *world.Field) { f.Min, f.Max = min, max })
	return n
}

// Step declares a step: what is written is rounded to a multiple of it. 0 keeps
// every bit.
func (n Number) Step(step float64) Number {
	n.leaf.set(func(f *world.Field) { f.Step = step })
	return n
}

// Show declares how viewers show the number between two states. ShowWith declares a function for that.
func (n Number) Show(how world.Show) Number {
	n.leaf.set(func(f *world.Field) { f.Show = how })
	return n
}

// At returns the number in item i of its list.
func (n Number) At(i int) Number { return Number{n.leaf, i + 1} }

// Get returns the number of an object. For an object other than the acting one, it is the
// number as it was when the order began.
func (n Number) Get(o Object) float64 { return numberOf(n.leaf.word(o, n.item)) }

// Set writes the number of an object: at once for the acting object, and when the order
// ends for others.
func (n Number) Set(o Object, v float64) { n.leaf.put(o, n.item, n.As(v)) }

// Add adds v to the number of an object: at once for the acting object, and when the order ends for others. What
// several objects add to one number in the same order adds up.
func (n Number) Add(o Object, v float64) { n.leaf.add(o, n.item, v) }

// As returns a value for Spawn or for a list.
func (n Number) As(v float64) Setting { return wordOf(n.leaf, math.Float64bits(v)) }

// Bool is a declared truth value.
type Bool struct {
	leaf *leaf
	item int
}

// At returns the truth value in item i of its list.
func (b Bool) At(i int) Bool { return Bool{b.leaf, i + 1} }

// Get returns the truth value of an object, as Number.Get does.
func (b Bool) Get(o Object) bool { return b.leaf.word(o, b.item) != 0 }

// Set writes the truth value of an object, as Number.Set does.
func (b Bool) Set(o Object, v bool) { b.leaf.put(o, b.item, b.As(v)) }

// As returns a value for Spawn or for a list.
func (b Bool) As(v bool) Setting { return wordOf(b.leaf, bit(v)) }

// Text is a declared text.
type Text struct {
	leaf *leaf
	item int
}

// At returns the text in item i of its list.
func (t Text) At(i int) Text { return Text{t.leaf, i + 1} }

// Get returns the text of an object, as Number.Get does.
func (t Text) Get(o Object) string { return t.leaf.text(o, t.item) }

// Set writes the text of an object, as Number.Set does.
func (t Text) Set(o Object, v string) { t.leaf.put(o, t.item, t.As(v)) }

// As returns a value for Spawn or for a list.
func (t Text) As(v string) Setting { return textOf(t.leaf, t.leaf.bound(v)) }

// Ref is a declared reference to an object.
type Ref struct {
	leaf *leaf
	item int
}

// At returns the reference in item i of its list.
func (r Ref) At(i int) Ref { return Ref{r.leaf, i + 1} }

// Get returns the object that an object refers to; the zero Object if it is none.
// The object may have been removed: see Object.Valid.
func (r Ref) Get(o Object) Object { return o.object(world.ObjectID(r.leaf.word(o, r.item))) }

// Set writes the reference of an object, as Number.Set does. The zero Object is
// none.
func (r Ref) Set(o, to Object) { r.leaf.put(o, r.item, r.As(to)) }

// As returns a value for Spawn or for a list.
func (r Ref) As(to Object) Setting { return wordOf(r.leaf, uint64(to.ID())) }
