package wire

import (
	"encoding/binary"

	"github.com/hindcast/hindcast/world"
)

// MaxHostEvent is the largest size of a host event, as AppendEvent appends it, in bytes: a
// HostPacket must have room for its record.
const MaxHostEvent = 800

// minValue is the smallest size of a value, in bytes.
const minValue = 2

// appendHostEvent appends the fields of a host event that follow its number.
func appendHostEvent(b []byte, ev *world.Event) []byte {
	switch ev.Kind {
	case world.OwnershipEvent:
		b = binary.AppendUvarint(b, uint64(ev.Player))
		return appendObject(b, ev.Object)
	case world.SpawnEvent:
		b = appendPlacement(appendString(b, ev.Class), &ev.Place)
	case world.SetEvent:
		b = appendObject(b, ev.Object)
	case world.RemoveEvent:
		return appendObject(b, ev.Object)
	case world.CallEvent:
		b = appendString(b, ev.Name)
	case world.SuspendEvent:
		b = binary.AppendUvarint(appendString(b, ev.Class), uint64(ev.Player))
		return append(b, byte(ev.Hooks))
	}
	b = binary.AppendUvarint(b, uint64(len(ev.Values)))
	for i := range ev.Values {
		if ev.Kind != world.CallEvent {
			b = appendString(b, ev.Values[i].Name)
		}
		b = appendValue(b, &ev.Values[i].Value)
	}
	return b
}

// readHostEvent reads what appendHostEvent appends.
func readHostEvent(r *reader, ev *world.Event) {
	switch ev.Kind {
	case world.OwnershipEvent:
		ev.Player = r.player("event player")
		ev.Object = r.object("event object")
		return
	case world.SpawnEvent:
		ev.Class = r.text("event class", MaxClass)
		readPlacement(r, &ev.Place)
	case world.SetEvent:
		ev.Object = r.object("event object")
	case world.RemoveEvent:
		ev.Object = r.object("event object")
		return
	case world.CallEvent:
		ev.Name = r.text("event function", world.MaxFunctionName)
	case world.SuspendEvent:
		ev.Class = r.text("event class", MaxClass)
		ev.Player = r.player("event player")
		ev.Hooks = world.HookGroup(readAtMost(r, "event hooks", byte(world.AllHooks)))
		return
	}
	n := r.count("event values", world.MaxValues, minValue)
	if n > 0 {
		ev.Values = make([]world.NamedValue, n)
	}
	for i := range ev.Values {
		if ev.Kind != world.CallEvent {
			ev.Values[i].Name = r.text("value name", world.MaxValueName)
		}
		readValue(r, &ev.Values[i].Value)
	}
}

// appendValue appends a value: its kind, and a number as an axis, a boolean as a byte, the id of
// an object, a text with its length, or the length of a list as a varint.
func appendValue(b []byte, v *world.Value) []byte {
	b = append(b, byte(v.Kind))
	switch v.Kind {
	case world.Number:
		return appendAxis(b, v.Number())
	case world.Bool:
		return append(b, byte(v.Word))
	case world.Ref:
		return appendObject(b, world.ObjectID(v.Word))
	case world.String:
		return appendString(b, v.Text)
	}
	return binary.AppendUvarint(b, v.Word)
}

// readValue reads what appendValue appends. A text may hold any bytes: scripts decide what they
// mean.
func readValue(r *reader, v *world.Value) {
	v.Kind = world.FieldKind(readAtMost(r, "value kind", byte(world.Count)))
	switch v.Kind {
	case world.Number:
		*v = world.NumberValue(readAxis(r))
	case world.Bool:
		v.Word = uint64(readAtMost(r, "value boolean", 1))
	case world.Ref:
		v.Word = uint64(r.object("value object"))
	case world.String:
		v.Text = string(r.bytes("value text", world.MaxValueText))
	case world.Count:
		v.Word = uint64(r.uint32("value length"))
	}
	if err := v.Check(); err != nil {
		r.fail("value", "%v", err)
	}
}
