package world

import (
	"slices"

	"github.com/hindcast/hindcast/world/physics"
)

// Contact says that two objects began or ceased to touch in this tick's physics step. A
// is the object with the lower id, whose hooks run first.
type Contact struct {
	A, B             ObjectID
	Ended            bool    // they ceased to touch; otherwise they began
	Sensor           bool    // one of them only senses: onTrigger
	X, Y             float64 // a point of the contact, metres
	NormalX, NormalY float64 // from A to B
	Impulse          float64 // newton seconds, along the normal
	Speed            float64 // m/s at which they closed in on each other, at least 0
}

func contactOf(e *physics.Event, ended bool) Contact {
	return Contact{A: ObjectID(e.KeyA), B: ObjectID(e.KeyB), Ended: ended, Sensor: e.Sensor,
		X: e.Point.X, Y: e.Point.Y, NormalX: e.Normal.X, NormalY: e.Normal.Y, Impulse: e.Impulse, Speed: e.Speed}
}

// Touching appends to out the objects joined to slot by touching contacts and by joints:
// its island, slot included, and the objects that stand for its joints.
func (s *State) Touching(slot int, out []int32) []int32 {
	if s.Physics.Bodies[slot].Key == 0 {
		return append(out, int32(slot))
	}
	from := len(out)
	out = s.Physics.Island(slot, out)
	bodies := out[from:len(out):len(out)]
	for i := range s.Physics.Joints {
		j := &s.Physics.Joints[i]
		at, ok := s.Find(ObjectID(j.Key))
		if ok && !slices.Contains(bodies, int32(at)) &&
			(slices.Contains(bodies, j.SlotA) || slices.Contains(bodies, j.SlotB)) {
			out = append(out, int32(at))
		}
	}
	return out
}
