package world

import "github.com/hindcast/hindcast/world/physics"

// Migrate moves the world to the bundle number and schema of a switch. Fields and classes carry
// over by name and kind, new fields start at their defaults, and removed fields are dropped, as
// are objects of removed classes, and what MigrateLevel replaces. Fault counters start again, and pauses end. Each
// object depends only on itself. Migrate returns the state before the switch, for the OnMigrate hooks.
func (w *World) Migrate(to *Schema, number uint32) (before State) {
	from := w.Schema()
	old := *w.Now
	var s State
	s.Tick, s.Bundle, s.Seed, s.Rows.Stride = old.Tick, number, old.Seed, to.stride
	s.Players = append(s.Players, old.Players...)
	plans := make([][]int, len(to.Classes))
	level := levelSwitchOf(&old, from, to)
	s.grow(len(old.Objects)) // deferred operations name slots
	for _, slot := range old.Run {
		o := old.Objects[slot]
		ci, ok := to.ClassByName(from.Classes[o.Class].Name)
		if !ok || o.Owner == 0 && level.replaces(to.Classes[ci].Name) {
			continue
		}
		o.Class, o.Order, o.Faults, o.Paused, o.Pauses = uint16(ci), to.Classes[ci].Order, FaultCounts{}, 0, 0
		at := int(slot)
		s.set(at, o)
		was := &from.Classes[old.Objects[slot].Class]
		if plans[ci] == nil {
			plans[ci] = carryPlan(was, &to.Classes[ci])
		}
		row := Row{s.Rows.flat(at), make([]uint64, auxWords(&to.Classes[ci]))}
		carryFields(was, &to.Classes[ci], plans[ci], old.Row(int(slot)), row)
		if to.Classes[ci].Name == WallClass {
			moveWall(row, level.wallsFurther(from, to))
		}
		s.Rows.putAux(at, &to.Classes[ci], row.Aux)
		s.Physics.Bodies[at] = old.Physics.Bodies[slot]
		to.carryBody(ci, &s, at)
	}
	find := func(key uint64) (int, bool) {
		slot, ok := s.Find(ObjectID(key))
		return slot, ok && s.Physics.Bodies[slot].Key != 0
	}
	s.Physics.CarryContacts(&old.Physics, find)
	s.Physics.CarryJoints(&old.Physics, find)
	*w.Now = s
	w.setSchema(to)
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
func (to *Schema) carryBody(ci int, s *State, slot int) {
	b, o := s.Body(slot), &s.Objects[slot]
	def := BodyDef(to, &to.Classes[ci], s.Row(slot))
	if to.Defs[def].Type == physics.None {
		*b = physics.Body{}
		return
	}
	b.Key, b.Def = uint64(o.ID), def
	b.SetAngle(b.Angle)
}
