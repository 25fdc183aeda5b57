package wire

import (
	"encoding/binary"
	"math"

	"github.com/hindcast/hindcast/world"
)

// AppendEvent appends an event with its kind, its tick and the fields of its kind, as
// in a Keyframe. Replays store events in this form.
func AppendEvent(b []byte, ev *world.Event) []byte {
	b = append(b, byte(ev.Kind))
	b = binary.AppendUvarint(b, uint64(ev.Tick))
	return appendEventBody(b, ev)
}

// ReadEvent reads an event that AppendEvent appended into ev, and returns the bytes
// after it. Errors wrap ErrMalformed.
func ReadEvent(b []byte, ev *world.Event) (rest []byte, err error) {
	r := reader{size: len(b), b: b}
	readEvent(&r, ev)
	return r.rest("end"), r.failure()
}

// minInputEvent is the smallest size of an input event with its kind and tick.
const minInputEvent = 13

func readEvent(r *reader, ev *world.Event) {
	*ev = world.Event{Kind: world.EventKind(r.byte("event kind"))}
	ev.Tick = r.tick("event tick")
	readEventBody(r, ev)
}

// appendEventBody appends the fields of the event's kind; nothing if there is no such
// kind.
func appendEventBody(b []byte, ev *world.Event) []byte {
	switch ev.Kind {
	case world.BundleEvent:
		return binary.AppendUvarint(b, uint64(ev.Bundle))
	case world.JoinEvent, world.LeaveEvent:
		return binary.AppendUvarint(b, uint64(ev.Player))
	case world.OwnershipEvent, world.SpawnEvent, world.SetEvent, world.RemoveEvent, world.CallEvent, world.SuspendEvent:
		return appendHostEvent(binary.AppendUvarint(b, uint64(ev.Number)), ev)
	case world.InputEvent:
		b = binary.AppendUvarint(b, uint64(ev.Player))
		b = appendObject(b, ev.Object)
		if len(ev.Sight) == 0 {
			return appendInput(binary.AppendUvarint(b, uint64(ev.Bundle)<<1), &world.Input{}, &ev.Input)
		}
		b = appendInput(binary.AppendUvarint(b, uint64(ev.Bundle)<<1|1), &world.Input{}, &ev.Input)
		return new(sightCoder).append(b, ev.Sight)
	case world.OwnerPoseEvent, world.FrameEvent:
		return appendOwnerReport(appendObject(b, ev.Object), ev)
	}
	return b
}

// readEventBody reads the fields of ev.Kind.
func readEventBody(r *reader, ev *world.Event) {
	switch ev.Kind {
	case world.BundleEvent:
		ev.Bundle = r.uint32("event bundle")
	case world.JoinEvent, world.LeaveEvent:
		ev.Player = r.player("event player")
	case world.OwnershipEvent, world.SpawnEvent, world.SetEvent, world.RemoveEvent, world.CallEvent, world.SuspendEvent:
		ev.Number = r.uint32("event number")
		readHostEvent(r, ev)
	case world.InputEvent:
		ev.Player = r.player("event player")
		ev.Object = r.object("event object")
		bundle := r.uvarint("event bundle", 1<<33-1)
		ev.Bundle = uint32(bundle >> 1)
		readInput(r, &ev.Input)
		if bundle&1 != 0 {
			ev.Sight = readSight(r, &sightCoder{})
		}
	case world.OwnerPoseEvent, world.FrameEvent:
		ev.Object = r.object("event object")
		readOwnerReport(r, ev)
	default:
		r.fail("event kind", "%d", uint8(ev.Kind))
	}
}

func appendPlacement(b []byte, p *world.Placement) []byte {
	for _, v := range [...]float64{p.X, p.Y, p.Angle, p.VX, p.VY, p.W} {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
	}
	return binary.AppendUvarint(b, uint64(p.Owner))
}

func readPlacement(r *reader, p *world.Placement) {
	p.X = r.float64("place x")
	p.Y = r.float64("place y")
	p.Angle = r.float64("place angle")
	p.VX = r.float64("place vx")
	p.VY = r.float64("place vy")
	p.W = r.float64("place angular velocity")
	p.Owner = r.player("place owner")
}

// float64 reads a finite number.
func (r *reader) float64(field string) float64 {
	v := math.Float64frombits(r.fixed64(field))
	if v-v != 0 {
		r.fail(field, "%v is not finite", v)
		return 0
	}
	return v
}
