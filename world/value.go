package world

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
)

// Value is what the host program gives a script: a number, a boolean, the id of an object, or a
// text. Its Kind is Number, Bool, Ref or String, or Count for the length of a list.
type Value struct {
	Kind FieldKind `json:"kind,omitempty"`
	Word uint64    `json:"word,omitempty"` // as in a row; 0 of a String
	Text string    `json:"text,omitempty"` // of a String
}

// NamedValue is a Value for a field. Its name is that of a leaf, as Schema has it: "hp", "slot.count",
// "hits[2]", "#hits". The arguments of a call have no names.
type NamedValue struct {
	Name string `json:"name"` // of the leaf
	Value
}

// NumberValue returns v as a Value.
func NumberValue(v float64) Value { return Value{Kind: Number, Word: NumberBits(v)} }

// BoolValue returns v as a Value.
func BoolValue(v bool) Value { return Value{Kind: Bool, Word: flag(v)} }

// RefValue returns the id of an object as a Value; 0 stands for none.
func RefValue(id ObjectID) Value { return Value{Kind: Ref, Word: uint64(id)} }

// TextValue returns v as a Value.
func TextValue(v string) Value { return Value{Kind: String, Text: v} }

// Number returns the value of a Number.
func (v *Value) Number() float64 { return math.Float64frombits(v.Word) }

// String returns the value as a script would write it.
func (v Value) String() string {
	switch v.Kind {
	case Bool:
		return strconv.FormatBool(v.Word != 0)
	case Ref:
		return ObjectID(v.Word).String()
	case String:
		return strconv.Quote(v.Text)
	case Count:
		return strconv.FormatUint(v.Word, 10)
	}
	return strconv.FormatFloat(v.Number(), 'g', -1, 64)
}

// Check returns an error for a value that no event may carry.
func (v *Value) Check() error {
	switch {
	case v.Kind > Count:
		return fmt.Errorf("%w: kind %d", ErrValue, v.Kind)
	case v.Kind == Bool && v.Word > 1:
		return fmt.Errorf("%w: a boolean of %d", ErrValue, v.Word)
	case v.Kind == String && v.Word != 0 || v.Kind != String && v.Text != "":
		return fmt.Errorf("%w: both a word and a text", ErrValue)
	}
	return nil
}

// checkEventValues returns an error for values that no event may carry.
func checkEventValues(values []NamedValue) error {
	if len(values) > MaxValues {
		return fmt.Errorf("%w: %d values: at most %d", ErrValue, len(values), MaxValues)
	}
	for i := range values {
		v := &values[i]
		if len(v.Name) > MaxValueName || len(v.Text) > MaxValueText {
			return fmt.Errorf("%w: a name of %d bytes, a text of %d: at most %d and %d", ErrValue, len(v.Name),
				len(v.Text), MaxValueName, MaxValueText)
		}
		if err := v.Check(); err != nil {
			return fmt.Errorf("%s: %w", v.Name, err)
		}
	}
	return nil
}

// Errors of host events.
var (
	// ErrValue is the error of a value that its field or its parameter does not accept.
	ErrValue = errors.New("bad value")
	// ErrNoField is the error of a field that the class does not have.
	ErrNoField = errors.New("no such field")
	// ErrNoFunction is the error of a function that the game does not declare for the host
	// program.
	ErrNoFunction = errors.New("no such function")
)

// Function is a function of the game that the host program may call: of game.lua, or of rules in
// Go.
type Function struct {
	Name    string      // as the game declares it
	Params  []FieldKind // Number, Bool, Ref or String
	Command bool        // players call it too, with a line of chat: the first parameter is the number of the player
	Entry   *EntryForm  // what a player answers by calling it; nil: nothing
}

// Limits of the values of an event.
const (
	MaxFunctionName = 64  // bytes of its name
	MaxValues       = 300 // of an event
	MaxValueName    = 128 // bytes of the name of a field's leaf
	MaxValueText    = 512 // bytes of a text
)

// Functions are those that the host program may call.
type Functions []Function

// check returns an error if there is no function of that name, or if it has other parameters.
func (fs Functions) check(name string, args []NamedValue) error {
	f := fs.named(name)
	if f == nil {
		return fmt.Errorf("%w: %q; %s", ErrNoFunction, name, fs)
	}
	if len(args) != len(f.Params) {
		return fmt.Errorf("%w: %s takes %d arguments, not %d", ErrValue, f, len(f.Params), len(args))
	}
	for j := range args {
		if v := &args[j].Value; v.Kind != f.Params[j] {
			return fmt.Errorf("%w: argument %d of %s is a %s, not %s", ErrValue, j+1, f, f.Params[j].Word(), v)
		}
	}
	return nil
}

// named returns the function of a name, nil if there is none.
func (fs Functions) named(name string) *Function {
	i := slices.IndexFunc(fs, func(f Function) bool { return f.Name == name })
	if i < 0 {
		return nil
	}
	return &fs[i]
}

// String says which functions the game declares.
func (fs Functions) String() string {
	if len(fs) == 0 {
		return "the game declares none; in game.lua: game { calls = { start = { \"number\" } } }; in Go: Game.Function"
	}
	names := make([]string, len(fs))
	for i := range fs {
		names[i] = fs[i].String()
	}
	return "the game declares " + Listed(names)
}

// String returns the function with the kinds of its parameters: start(number, string).
func (f *Function) String() string {
	out := f.Name + "("
	for i, k := range f.Params {
		if i > 0 {
			out += ", "
		}
		if i == 0 && f.Command {
			out += "player"
		} else {
			out += k.Word()
		}
	}
	return out + ")"
}

// Word returns the kind as declarations name it.
func (k FieldKind) Word() string {
	return [...]string{Number: "number", Bool: "bool", Ref: "ref", String: "string", Count: "list"}[k]
}

// DefaultValue returns the value of the field in a new object.
func (f *Field) DefaultValue() Value {
	if f.Kind == String {
		return TextValue(textIn(f.Default, f.Cap))
	}
	return Value{Kind: f.Kind, Word: f.Default[0]}
}

// CheckValues returns an error if a value does not fit the class: it has no such field, one of
// another kind, or one that holds less. Whether a list has an item is not checked.
func (c *Class) CheckValues(values []NamedValue) error {
	for i := range values {
		if _, err := fieldFor(c, &values[i]); err != nil {
			return err
		}
	}
	return nil
}

// fieldFor returns the index of the field that a value is for.
func fieldFor(c *Class, v *NamedValue) (int, error) {
	i := slices.IndexFunc(c.Declared(), func(f Field) bool { return f.Name == v.Name })
	if i < 0 {
		return 0, noLeaf(c, v)
	}
	f := &c.Fields[i]
	switch {
	case f.Kind != v.Kind:
		return 0, fmt.Errorf("%w: %s.%s is a %s, not %s", ErrValue, c.Name, f.Name, f.Kind.Word(), v.Value)
	case f.Kind == String && len(v.Text) > f.Cap:
		return 0, fmt.Errorf("%w: %s.%s holds at most %d bytes, not %d", ErrValue, c.Name, f.Name, f.Cap, len(v.Text))
	case f.Kind == Count && v.Word > uint64(f.Cap):
		return 0, fmt.Errorf("%w: %s.%s holds at most %d items, not %d", ErrValue, c.Name, f.Name[1:], f.Cap, v.Word)
	}
	return i, nil
}

// noLeaf says why a class has no leaf of a value's name.
func noLeaf(c *Class, v *NamedValue) error {
	name, rest, isList := splitLeaf(v.Name)
	d, ok := byName(declared(c), name)
	switch {
	case !ok:
		return fmt.Errorf("%w: class %s has no %q; it has %s", ErrNoField, c.Name, name, fieldNames(c))
	case rest == "" && isList:
		return fmt.Errorf("%w: %s.%s is a %s, not a list", ErrValue, c.Name, name, d.kind)
	case rest == "":
		return fmt.Errorf("%w: %s.%s is a %s, not %s", ErrValue, c.Name, name, d.kind, v.Value)
	}
	return fmt.Errorf("%w: %s.%s is a %s, and has no %q%s", ErrNoField, c.Name, name, d.kind, name+rest,
		partNames(c, name))
}

// partNames lists the parts of a record; "" for other fields.
func partNames(c *Class, of string) string {
	var names []string
	for i := range c.Declared() {
		name, rest, _ := splitLeaf(c.Fields[i].Name)
		if name == of && rest != "" && rest[0] == '.' && !slices.Contains([]byte(rest), '[') {
			names = append(names, name+rest)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "; it has " + Listed(names)
}

// fieldNames lists the fields as scripts declare them.
func fieldNames(c *Class) string {
	var names []string
	for _, d := range declared(c) {
		names = append(names, d.name)
	}
	if len(names) == 0 {
		return "no fields"
	}
	return Listed(names)
}

// setValues writes values into a row, one after the other. The length of a list empties it first:
// its items are then at their defaults. After an error the row is of no use.
func setValues(c *Class, row Row, values []NamedValue) error {
	for i := range values {
		v := &values[i]
		at, err := fieldFor(c, v)
		if err != nil {
			return err
		}
		if !c.Has(row, at) {
			return fmt.Errorf("%w: %s.%s", ErrNoItem, c.Name, v.Name)
		}
		switch f := &c.Fields[at]; f.Kind {
		case String:
			_ = PutString(row, f, v.Text) // fieldFor has checked its length
		case Count:
			c.blank(row, at, 0)
			row.SetWord(f, v.Word)
		case Number:
			row.SetWord(f, NumberBits(f.Quantize(v.Number())))
		default:
			row.SetWord(f, v.Word)
		}
	}
	return nil
}
