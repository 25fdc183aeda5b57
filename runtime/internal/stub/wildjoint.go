package stub

import (
	"math"

	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
)

// tow makes a ship tie, pull, drive and untie what is near, depending on its buttons and the
// tick.
func (s *wild) tow(w world.Actor, slot int, fire, left, accel bool) error {
	id, t := w.State().Objects[slot].ID, w.State().Tick
	row, field := w.State().Row(slot), s.fieldOf(w, slot, "tow")
	tied := world.ObjectID(row.Word(&w.Class(slot).Fields[field]))
	joint, holds := w.SeeJoint(tied)
	switch {
	case tied != 0 && !holds || fire && left && t%5 == 0 && holds:
		if holds {
			if err := w.Do(world.Op{Target: tied, Kind: world.Remove}); err != nil {
				return err
			}
		}
		return w.Do(world.Op{Target: id, Kind: world.SetWord, Field: field})
	case holds && joint.Kind == physics.Distance && accel:
		return w.Do(world.Op{Target: tied, Kind: world.SetLength, A: 0.5 + float64(t%8)})
	case holds && joint.Kind == physics.Hinge:
		turn := 0.0
		if left {
			turn = 3
		}
		return w.Do(world.Op{Target: tied, Kind: world.SetMotor, A: turn, B: 20})
	case !holds && fire && t%3 == 0:
		return s.tie(w, slot, field)
	}
	return nil
}

// tie ties a ship to the nearest crate, or to the world.
func (s *wild) tie(w world.Actor, slot, field int) error {
	self := *w.State().Body(slot)
	crate, _ := w.Schema().ClassByName("Crate")
	j := physics.NewJoint(0, physics.Hinge, &self, nil, physics.Vec{X: self.X + 1, Y: self.Y})
	j.BreakForce = 60
	if other, ok := w.Queries().Nearest(self.X, self.Y, crate, 6); ok && w.Random() < 0.9 {
		st, at, _ := w.See(w.State().Objects[other].ID)
		body := st.Physics.Bodies[at]
		if w.Random() < 0.5 {
			j = physics.NewDistance(0, &self, &body, self.Position(), body.Position())
			j.Flags, j.Max, j.BreakForce = physics.JointLimits, j.Length, 80
		} else {
			j = physics.NewJoint(0, physics.Hinge, &self, &body, body.Position())
		}
	}
	made, err := w.Tie(j)
	if err != nil {
		return err
	}
	tied := uint64(w.State().Objects[made].ID)
	return w.Do(world.Op{Target: w.State().Objects[slot].ID, Kind: world.SetWord, Field: field, Word: tied})
}

// carry attaches what a ship touched, or detaches it. It carries crates, and sometimes racers, walkers and gliders.
func (s *wild) carry(w world.Actor, slot int, other world.ObjectID) error {
	st, at, ok := w.See(other)
	if !ok {
		return nil
	}
	switch class := w.Schema().Classes[st.Objects[at].Class].Name; {
	case class == "Crate":
	case (class == "Racer" || class == "Walker" || class == "Glider") && w.Random() < 0.5:
	default:
		return nil
	}
	return s.take(w, slot, other)
}

// grab attaches the crate that is nearest to a walker, or detaches it.
func (s *wild) grab(w world.Actor, slot int) error {
	b := w.State().Body(slot)
	crate, _ := w.Schema().ClassByName("Crate")
	at, ok := w.Queries().Nearest(b.X, b.Y, crate, 4)
	if !ok {
		return nil
	}
	return s.take(w, slot, w.State().Objects[at].ID)
}

// take attaches an object that nothing carries, or detaches it.
func (s *wild) take(w world.Actor, slot int, other world.ObjectID) error {
	if _, held := w.SeeJoint(other); held {
		return w.Detach(other)
	}
	return w.Attach(other, w.State().Objects[slot].ID, 0.9, 0.2)
}

// brokeLoose takes the force of a joint that broke from the ship's fuel.
func (s *wild) brokeLoose(w world.Actor, slot int, p *world.JointBreak) error {
	field := s.fieldOf(w, slot, "fuel")
	f := &w.Class(slot).Fields[field]
	n := math.Float64frombits(w.State().Row(slot).Word(f))
	return w.Do(world.Op{
		Target: w.State().Objects[slot].ID,
		Kind:   world.SetWord,
		Field:  field,
		Word:   math.Float64bits(n - math.Floor(p.Force)),
	})
}

func (s *wild) fieldOf(w world.Actor, slot int, name string) int {
	for i, f := range w.Class(slot).Fields {
		if f.Name == name {
			return i
		}
	}
	return 0
}
