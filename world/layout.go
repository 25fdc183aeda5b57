package world

import (
	"errors"
	"fmt"
	"slices"
)

// layout is where the state keeps the objects of a class.
type layout struct {
	hidden int         // how many of the class's Fields are kept for the engine: the last ones
	words  int         // of all fields
	flat   int         // of the fields that are not declared in aux
	def    uint32      // its physics.Def
	fresh  Row         // of a new object
	aux    *auxVersion // of a new object
}

// MaxRow is how many words the fields of an object may take.
const MaxRow = 512

// layOut gives the fields of a class their places. The fields of the engine are added.
func (c *Class) layOut() {
	declared := c.Declared()
	c.Fields = slices.Clone(declared)
	if c.Body.carried() {
		c.Fields = append(c.Fields, heldFields()...)
	}
	c.Fields = append(c.Fields, timerFields(c.Timers)...)
	switch c.Name {
	case GameClass:
		c.Fields = append(c.Fields, levelFields()...)
	case WallClass:
		c.Fields = append(c.Fields, wallFields()...)
	}
	c.Fields = append(c.Fields, c.Inputs.fields()...)
	addFrameField(c)
	c.addMoveFields()
	c.layout.hidden = len(c.Fields) - len(declared)
	c.layout.words, c.layout.flat = 0, 0
	for i := range c.Fields {
		f := &c.Fields[i]
		if f.Default == nil {
			f.Default = make([]uint64, f.Words())
		}
		if f.Offset = c.layout.flat; f.Aux {
			f.Offset = c.layout.words - c.layout.flat
		} else {
			c.layout.flat += f.Words()
		}
		c.layout.words += f.Words()
	}
	row := NewRow(c, make([]uint64, c.layout.words))
	for i := range c.Fields {
		copy(row.Words(&c.Fields[i]), c.Fields[i].Default)
	}
	c.layout.fresh, c.layout.aux = row, newVersion(row.Aux)
}

// checkWords returns an error if the fields of a class take too many words. The error names the largest declared
// field, and what the fields are for that scripts do not see.
func checkWords(c *Class) error {
	if c.layout.words <= MaxRow {
		return nil
	}
	text := fmt.Sprintf("its fields take %d words of 8 bytes: at most %d", c.layout.words, MaxRow)
	if fields := declared(c); len(fields) > 0 {
		largest := slices.MaxFunc(fields, func(a, b declaredField) int { return len(a.standard) - len(b.standard) })
		text += fmt.Sprintf("; the largest, %s, takes %d", largest.name, len(largest.standard))
	}
	if added := addedWords(c); len(added) > 0 {
		text += "; among them are fields that scripts do not see: " + Listed(added)
	}
	return &ClassError{c.Name, errors.New(text)}
}

// addedWords says what the fields of the engine are for, and how many words they take.
func addedWords(c *Class) (added []string) {
	if c.Body.carried() {
		added = append(added, fmt.Sprintf("%d for attach", heldWords))
	}
	if n := len(c.Timers); n > 0 {
		added = append(added, fmt.Sprintf("%d for the timers %s", n*timerWords, Listed(c.Timers)))
	}
	if c.Name == GameClass {
		added = append(added, fmt.Sprintf("%d for the level", levelWords))
	}
	var buttons []string
	c.Inputs.counted(func(_ int, in *InputField) { buttons = append(buttons, in.Name) })
	if n := len(buttons); n > 0 {
		added = append(added, fmt.Sprintf("%d for the presses of %s", n, Listed(buttons)))
	}
	if c.Moves != nil {
		added = append(added, fmt.Sprintf("%d for the poses that owners send", moveWords))
	}
	if countsFrames(c) {
		added = append(added, "1 for the number of the independent frame")
	}
	return added
}

// auxWords returns how many words the aux fields of a class take.
func auxWords(c *Class) int { return len(c.layout.fresh.Aux) }

// freshRow returns the fields of a new object, which must not be changed.
func freshRow(c *Class) Row { return c.layout.fresh }

// freshAux returns the aux fields of a new object.
func freshAux(c *Class) *auxVersion { return c.layout.aux }

// Row is the fields of an object. The words of a row of a State must not be changed. In the zero Row, the
// fields are not known.
type Row struct {
	State []uint64 // of the fields declared in state, then of those that the engine keeps
	Aux   []uint64 // of the fields declared in aux
}

// NewRow returns words, as AppendWords writes them, as the row of an object of a class. It may be written to,
// as long as no State has it. Nil are the words of the zero Row.
func NewRow(c *Class, words []uint64) Row {
	if words == nil {
		return Row{}
	}
	n := c.layout.flat
	return Row{State: words[:n:n], Aux: words[n:c.layout.words:c.layout.words]}
}

// AppendWords appends the words of the row of an object of a class. Those of aux fields are the last ones.
func (r Row) AppendWords(b []uint64, c *Class) []uint64 {
	return append(append(b, r.State[:c.layout.flat]...), r.Aux...)
}

// Known reports whether the fields are known: false for the zero Row.
func (r Row) Known() bool { return r.State != nil || r.Aux != nil }

// Len returns how many words the row has.
func (r Row) Len() int { return len(r.State) + len(r.Aux) }

// Part returns the words of the fields declared in aux, or of all others.
func (r Row) Part(aux bool) []uint64 {
	if aux {
		return r.Aux
	}
	return r.State
}

// Words returns the words of a field.
func (r Row) Words(f *Field) []uint64 { return r.Span(f, f) }

// Span returns the words of the fields from first to last, which are declared in the same part.
func (r Row) Span(first, last *Field) []uint64 {
	return r.Part(first.Aux)[first.Offset : last.Offset+last.Words()]
}

// Word returns the first word of a field.
func (r Row) Word(f *Field) uint64 { return r.Part(f.Aux)[f.Offset] }

// SetWord sets the first word of a field.
func (r Row) SetWord(f *Field, word uint64) { r.Part(f.Aux)[f.Offset] = word }

// Set copies the words of from, a row of the same class, into r.
func (r Row) Set(from Row) {
	copy(r.State, from.State)
	copy(r.Aux, from.Aux)
}

// Clone returns a copy, which may be written to.
func (r Row) Clone() Row { return Row{slices.Clone(r.State), slices.Clone(r.Aux)} }

// Equal reports whether two rows of one state, or of states of one bundle, have the same words.
func (r Row) Equal(o Row) bool { return slices.Equal(r.State, o.State) && slices.Equal(r.Aux, o.Aux) }
