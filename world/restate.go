package world

import (
	"slices"

	"github.com/hindcast/hindcast/world/physics"
)

// Agrees reports whether s has what a known part says, and nothing else that all
// clients simulate. It may say no though it is so.
func (s *State) Agrees(schema *Schema, known *State) bool {
	if known.Stride != s.Stride || known.Bundle != s.Bundle {
		return true // Restate does nothing
	}
	n := 0
	for i := range s.Objects {
		o := &s.Objects[i]
		if o.ID == 0 || !s.Known(schema, i) {
			continue
		}
		n++
		if at, ok := known.Find(o.ID); !ok || !sameObject(s, i, known, at) {
			return false
		}
	}
	return n == known.Len() && s.agreesInContacts(schema, known) && s.agreesInJoints(schema, known)
}

func (s *State) agreesInContacts(schema *Schema, known *State) bool {
	j, theirs := 0, known.Physics.Contacts
	for i := range s.Physics.Contacts {
		c := &s.Physics.Contacts[i]
		switch {
		case j < len(theirs) && c.SameBits(&theirs[j]):
			j++
		case s.knownEnd(schema, c.SlotA) && s.knownEnd(schema, c.SlotB) && !c.Gone():
			return false
		}
	}
	return j == len(theirs)
}

func (s *State) agreesInJoints(schema *Schema, known *State) bool {
	k, theirs := 0, known.Physics.Joints
	for i := range s.Physics.Joints {
		j := &s.Physics.Joints[i]
		switch {
		case k < len(theirs) && j.Same(&theirs[k]):
			k++
		case s.knownEnd(schema, j.SlotA) && s.knownEnd(schema, j.SlotB):
			return false
		}
	}
	return k == len(theirs)
}

// Restate makes the objects that all clients simulate what a known part says of
// them, with the contacts and joints among them: others that they simulate go.
// before is the known part of the tick before. What belongs to stand-ins, and to
// own objects of such classes, stays. It allocates.
func (w *World) Restate(known, before *State) {
	s := w.Now
	if known.Stride != s.Stride || known.Bundle != s.Bundle {
		return
	}
	theirs := func(key uint64) bool {
		_, is := known.Find(ObjectID(key))
		_, was := before.Find(ObjectID(key))
		return is || was
	}
	for _, slot := range slices.Clone(s.Run) {
		if _, ok := known.Find(s.Objects[slot].ID); !ok && s.Known(w.schema, int(slot)) {
			w.takeOut(int(slot))
		}
	}
	for _, from := range known.Run {
		slot := w.slots.take(known.Objects[from].ID)
		s.set(slot, known.Objects[from])
		w.growActing()
		copy(s.Row(slot), known.Row(int(from)))
		s.Physics.Bodies[slot] = known.Physics.Bodies[from]
	}
	p := &s.Physics
	p.Contacts = slices.DeleteFunc(p.Contacts, func(c physics.Contact) bool { return theirs(c.KeyA) && theirs(c.KeyB) })
	p.Joints = slices.DeleteFunc(p.Joints, func(j physics.Joint) bool {
		return theirs(j.KeyA) && (j.KeyB == 0 || theirs(j.KeyB))
	})
	p.Join(&known.Physics, func(key uint64) (int, bool) {
		slot, ok := s.Find(ObjectID(key))
		return slot, ok && s.Physics.Bodies[slot].Key != 0
	})
}

// Restate is World.Restate at the end of a tick; it finds who differs from the
// history then. The tick must not be run again after that.
func (p *Part) Restate(known, before *State) {
	n := len(p.dirty.list)
	p.old.CopyFrom(p.w.Now)
	p.w.Restate(known, before)
	p.compareOld()
	p.whyPut(n)
}
