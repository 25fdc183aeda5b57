package world

import (
	"fmt"

	"github.com/hindcast/hindcast/world/physics"
)

// ApplyCorrection replaces the objects of the world that are in part by those of part,
// bit for bit, with the contacts and joints among them. It adds objects that the world
// lacks. A client applies corrections with it.
func (w *World) ApplyCorrection(part *State) {
	if part.Rows.Stride != w.Now.Rows.Stride || part.Bundle != w.Now.Bundle {
		return // made under other scripts: it does not apply any more
	}
	w.rec.onlyWhole()
	s := w.Now
	for _, from := range part.Run {
		o := part.Objects[from]
		if w.proxyLOD(o.Class, o.Owner) != Predict {
			continue
		}
		if at, here := s.Find(o.ID); here && s.Objects[at].Culled {
			continue
		}
		slot := w.slots.take(o.ID)
		s.grow(slot + 1)
		w.endOther(slot, o.Class, nil)
		s.set(slot, o)
		w.growActing()
		s.Rows.copy(slot, &part.Rows, int(from))
		s.Physics.Bodies[slot] = part.Physics.Bodies[from]
	}
	s.Physics.ReplaceTies(&part.Physics)
}

// FlipBit flips the lowest bit of the nth object, counted from 1 in the order in which
// hooks run: of its body's x position, of its first field, or of its owner if it has
// neither. It is for tests of desyncs. It returns the id of the object, and whether there
// is one.
func (w *World) FlipBit(n int) (ObjectID, bool) {
	w.rec.onlyWhole()
	s := w.Now
	if n < 1 || n > len(s.Run) {
		return 0, false
	}
	id := s.Objects[s.Run[n-1]].ID
	w.FlipBitOf(id)
	return id, true
}

// FlipBitOf is FlipBit for an object by id, if it exists.
func (w *World) FlipBitOf(id ObjectID) {
	s := w.Now
	slot, ok := w.Find(id)
	switch {
	case !ok:
	case s.Physics.Bodies[slot].Key != 0:
		s.Physics.Bodies[slot].FlipX()
	case len(w.Class(slot).Fields) > 0:
		s.FlipWord(slot, 0, 1)
	default:
		s.Objects[slot].Owner ^= 1
	}
}

// FlipWord flips bits of word i of the fields of a slot. Those of aux fields are the last ones.
func (s *State) FlipWord(slot, i int, bits uint64) { s.Rows.flip(slot, i, bits) }

// CorrectRules say how far an object of a class may be wrong on its player's client before the host
// corrects it. The game's threshold holds in place of a value below 0.
//
// Source: the article about the networked physics of the game "Operation Black Sun", which corrects an
// owner beyond one threshold of distance.
type CorrectRules struct {
	Position        float64 // metres
	Angle           float64 // radians
	Velocity        float64 // m/s
	AngularVelocity float64 // rad/s
}

// check returns an error for a threshold that is not a number or too large.
func (r *CorrectRules) check() error {
	for _, v := range [...]float64{r.Position, r.Angle, r.Velocity, r.AngularVelocity} {
		if !(v <= physics.MaxPosition) {
			return fmt.Errorf("a threshold of corrections of %v: must be at most %v", v, physics.MaxPosition)
		}
	}
	return nil
}
