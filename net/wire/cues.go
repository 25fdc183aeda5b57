package wire

import (
	"encoding/binary"
	"math"

	"github.com/hindcast/hindcast/world"
)

// AppendCues appends the bytes of m.
func AppendCues(b []byte, m *Cues) []byte {
	b = append(b, byte(KindCues))
	b = binary.AppendUvarint(b, uint64(len(m.Updates)))
	for i := range m.Updates {
		e := &m.Updates[i]
		b = appendCueKey(append(b, e.Change), &e.Cue.CueKey)
		b = append(b, byte(e.Cue.To), byte(e.Cue.When))
		b = binary.AppendUvarint(b, uint64(e.Cue.Owner))
		b = binary.AppendUvarint(b, uint64(len(e.Cue.Fields)))
		for j := range e.Cue.Fields {
			b = appendCueField(b, &e.Cue.Fields[j])
		}
		if e.Change == CueMoved {
			b = appendCueKey(b, &e.Was)
		}
	}
	return b
}

func appendCueKey(b []byte, k *world.CueKey) []byte {
	b = appendObject(binary.AppendUvarint(b, uint64(k.Tick)), k.Object)
	return binary.AppendUvarint(appendText(b, k.Name, world.MaxCueText), uint64(k.Count))
}

func appendCueField(b []byte, f *world.CueField) []byte {
	b = append(appendText(b, f.Name, world.MaxCueText), byte(f.Kind))
	switch f.Kind {
	case world.String:
		return appendText(b, f.Text, world.MaxCueText)
	case world.Bool:
		return append(b, byte(f.Number))
	}
	return binary.LittleEndian.AppendUint64(b, math.Float64bits(f.Number))
}

// ParseCues reads a Cues. The error wraps ErrMalformed.
func ParseCues(b []byte) (Cues, error) {
	r := open(b, KindCues)
	var m Cues
	if n := r.count("cues", MaxCues, 16); n > 0 {
		m.Updates = make([]CueUpdate, n)
	}
	for i := range m.Updates {
		e := &m.Updates[i]
		if e.Change = r.byte("change"); e.Change > CueCancelled {
			r.fail("change", "%d", e.Change)
		}
		e.Cue.CueKey = readCueKey(&r)
		e.Cue.To, e.Cue.When = world.CueTo(readAtMost(&r, "to", byte(world.CueOthers))), world.CueWhen(readAtMost(&r, "when", byte(world.CueConfirmed)))
		e.Cue.Owner = r.player("owner")
		if n := r.count("fields", world.MaxCueFields, 3); n > 0 {
			e.Cue.Fields = make([]world.CueField, n)
		}
		for j := range e.Cue.Fields {
			e.Cue.Fields[j] = readCueField(&r)
		}
		if e.Change == CueMoved {
			e.Was = readCueKey(&r)
		}
	}
	return m, r.close()
}

// readAtMost reads a byte that is at most a constant.
func readAtMost(r *reader, field string, most byte) byte {
	v := r.byte(field)
	if v > most {
		r.fail(field, "%d is above %d", v, most)
	}
	return v
}

func readCueKey(r *reader) world.CueKey {
	return world.CueKey{Tick: r.tick("tick"), Object: r.object("object"), Name: r.text("name", world.MaxCueText), Count: int(r.uvarint("number", world.MaxCues))}
}

func readCueField(r *reader) world.CueField {
	f := world.CueField{Name: r.text("field name", world.MaxCueText), Kind: world.FieldKind(r.byte("field kind"))}
	switch f.Kind {
	case world.String:
		f.Text = r.text("text", world.MaxCueText)
	case world.Bool:
		f.Number = float64(readAtMost(r, "boolean", 1))
	case world.Number:
		if f.Number = math.Float64frombits(r.fixed64("number")); math.IsNaN(f.Number) || math.IsInf(f.Number, 0) {
			r.fail("number", "%v", f.Number)
		}
	default:
		r.fail("field kind", "%d", f.Kind)
	}
	return f
}
