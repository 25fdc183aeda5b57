package runtime

import (
	"math"
	"strconv"
	"strings"

	"github.com/hindcast/hindcast/runtime/internal/view"
	"github.com/hindcast/hindcast/world"
)

// Fields returns the fields of the object as they are shown: between two ticks or two
// snapshots, by the show of each field. The reader is empty if the fields are not known
// yet.
func (b *ViewBody) Fields() world.FieldReader {
	if b.class == nil || b.row == nil {
		return world.FieldReader{}
	}
	return world.NewFieldReader(b.class, b.row)
}

// Label returns the label of a body: that of its look, in which names of fields in
// braces are replaced by their values.
func (b *ViewBody) Label() string {
	if !b.Look.Changes() {
		return b.Look.Label
	}
	var out strings.Builder
	b.Look.LabelParts(func(text, field string) {
		out.WriteString(text)
		if field != "" {
			out.WriteString(b.value(field))
		}
	})
	return out.String()
}

// value formats a field for people: numbers have two decimals at most.
func (b *ViewBody) value(name string) string {
	f, ok := b.field(name)
	switch {
	case !ok:
		return ""
	case f.Kind == world.Number:
		v := math.Float64frombits(b.row[f.Offset])
		return strconv.FormatFloat(math.Round(v*100)/100, 'f', -1, 64)
	case f.Kind == world.Bool:
		return strconv.FormatBool(b.row[f.Offset] != 0)
	case f.Kind == world.String:
		return world.StringField(b.row, f)
	}
	return ""
}

// Bar returns how full the bar of a body is, 0 to 1. ok is false if it has none.
func (b *ViewBody) Bar() (share float64, ok bool) {
	f, ok := b.field(b.Look.Bar)
	if !ok || f.Kind != world.Number || !(f.Min < f.Max) {
		return 0, false
	}
	v := math.Float64frombits(b.row[f.Offset])
	return min(max((v-f.Min)/(f.Max-f.Min), 0), 1), true
}

// field returns a declared field, if the fields of the object are known.
func (b *ViewBody) field(name string) (*world.Field, bool) {
	if b.class == nil || b.row == nil {
		return nil, false
	}
	return b.class.Field(name)
}

// replicatedRow copies the fields of a replicated object into the view, nil if they are not
// known.
func (v *View) replicatedRow(b *view.Buffer, o *view.Object, class *world.Class) []uint64 {
	n := len(v.rows)
	v.rows = append(v.rows, make([]uint64, class.Words())...)
	if row := v.rows[n:len(v.rows):len(v.rows)]; b.Fields(o, row) {
		return row
	}
	v.rows = v.rows[:n]
	return nil
}

// keep copies the fields of an object into the view.
func (v *View) keep(class *world.Class, row []uint64) []uint64 {
	n := len(v.rows)
	v.rows = append(v.rows, row[:class.Words()]...)
	return v.rows[n:len(v.rows):len(v.rows)]
}
