package room

import (
	"math"
	"strconv"
	"strings"

	"github.com/hindcast/hindcast/world"
)

// Fields returns the fields of the object as they are shown: between two ticks or two
// snapshots, by the show of each field. The reader is empty if the fields are not known
// yet.
func (b *ViewBody) Fields() world.FieldReader {
	if b.class == nil || !b.row.Known() {
		return world.FieldReader{}
	}
	return world.NewFieldReader(b.class, b.row)
}

// showLook replaces what the look takes from fields by their values.
func (b *ViewBody) showLook() {
	for _, text := range [...]*string{&b.Look.Color, &b.Look.Shape, &b.Look.Image} {
		if name := world.LookField(*text); name != "" {
			*text = b.value(name)
		}
	}
	if b.Look.Frame != "" {
		b.Look.Frame = strconv.Itoa(b.frame(b.Look.Frame))
	}
}

// frame returns the frame of the image that a field names. A number beyond the last one begins again.
func (b *ViewBody) frame(name string) int {
	f, ok := b.field(name)
	if !ok || f.Kind != world.Number {
		return 0
	}
	n := math.Mod(math.Floor(math.Float64frombits(b.row.Word(f))), float64(max(b.Look.Frames, 1)))
	if n < 0 {
		n += float64(b.Look.Frames)
	}
	return int(n)
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
		v := math.Float64frombits(b.row.Word(f))
		return strconv.FormatFloat(math.Round(v*100)/100, 'f', -1, 64)
	case f.Kind == world.Bool:
		return strconv.FormatBool(b.row.Word(f) != 0)
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
	v := math.Float64frombits(b.row.Word(f))
	return min(max((v-f.Min)/(f.Max-f.Min), 0), 1), true
}

// field returns a declared field, if the fields of the object are known.
func (b *ViewBody) field(name string) (*world.Field, bool) {
	if b.class == nil || !b.row.Known() {
		return nil, false
	}
	return b.class.Field(name)
}
