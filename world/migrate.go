package world

import "github.com/hindcast/hindcast/world/physics"

// Migrate moves the world to the bundle number and schema of a switch. Fields and classes carry
// over by name and kind, new fields start at their defaults, and removed fields are dropped, as
// are objects of removed classes. Fault counters start again. Each object depends only on
// itself. Migrate returns the state before the switch, for the OnMigrate hooks.
func (w *World) Migrate(to *Schema, number uint32) (before State) {
	from := w.schema
	old := *w.Now
	var s State
	s.Tick, s.Bundle, s.Seed, s.Stride = old.Tick, number, old.Seed, to.stride
	s.Players = append(s.Players, old.Players...)
	plans := make([][]int, len(to.Classes))
	s.grow(len(old.Objects)) // deferred operations name slots
	for _, slot := range old.Run {
		o := old.Objects[slot]
		ci, ok := to.ClassByName(from.Classes[o.Class].Name)
		if !ok {
			continue
		}
		o.Class, o.Order, o.Faults = uint16(ci), to.Classes[ci].Order, [HookCount]uint8{}
		at := int(slot)
		s.set(at, o)
		was := &from.Classes[old.Objects[slot].Class]
		if plans[ci] == nil {
			plans[ci] = carryPlan(was, &to.Classes[ci])
		}
		carryFields(was, &to.Classes[ci], plans[ci], old.Row(int(slot)), s.Row(at))
		s.Physics.Bodies[at] = old.Physics.Bodies[slot]
		to.carryBody(from, ci, &s, at)
	}
	find := func(key uint64) (int, bool) {
		slot, ok := s.Find(ObjectID(key))
		return slot, ok && s.Physics.Bodies[slot].Key != 0
	}
	s.Physics.CarryContacts(&old.Physics, find)
	s.Physics.CarryJoints(&old.Physics, find)
	*w.Now, w.schema = s, to
	for _, slot := range w.Now.Run {
		w.setDef(int(slot))
		w.regainHold(int(slot))
	}
	w.rec.beginTick(to.blocks(), to.stride) // Begin made the trace for the old schema, which may have fewer orders
	w.rec.onlyWhole()
	return old
}

// carryBody gives a body its definition in the new schema. The body is dropped if the class has
// none any more. If the class has gained one, the object gets a body at the origin.
func (to *Schema) carryBody(from *Schema, ci int, s *State, slot int) {
	b, o := s.Body(slot), &s.Objects[slot]
	if to.Classes[ci].Name == WallClass {
		if n := int(b.Def) - len(from.Classes); n < len(to.Setup.Walls) {
			b.Def = to.wallDef(n)
			return
		}
	}
	if to.Classes[ci].Body == nil {
		*b = physics.Body{}
		return
	}
	b.Key, b.Def = uint64(o.ID), to.Classes[ci].DefIndex()
	b.SetAngle(b.Angle)
}
