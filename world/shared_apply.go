package world

import (
	"slices"

	"github.com/hindcast/hindcast/world/physics"
)

// MatchesShared reports whether s has what a known part says, and nothing else that all
// clients simulate. before is the known part of the tick before. It may say no though it is so.
func (s *State) MatchesShared(schema *Schema, known, before *State) bool {
	if known.Stride != s.Stride || known.Bundle != s.Bundle {
		return true // Restate does nothing
	}
	n := 0
	for i := range s.Objects {
		o := &s.Objects[i]
		if o.ID == 0 || !s.Shared(schema, i) {
			continue
		}
		n++
		if at, ok := known.Find(o.ID); !ok || !sameObject(s, i, known, at) {
			return false
		}
	}
	theirs := s.isTheirs(schema, known, before)
	return n == known.Len() && s.agreesInContacts(known, theirs) && s.agreesInJoints(known, theirs)
}

func (s *State) agreesInContacts(known *State, theirs func(key uint64) bool) bool {
	j, want := 0, known.Physics.Contacts
	for i := range s.Physics.Contacts {
		c := &s.Physics.Contacts[i]
		switch {
		case j < len(want) && c.SameBits(&want[j]):
			j++
		case theirs(c.KeyA) && theirs(c.KeyB):
			return false
		}
	}
	return j == len(want)
}

func (s *State) agreesInJoints(known *State, theirs func(key uint64) bool) bool {
	k, want := 0, known.Physics.Joints
	for i := range s.Physics.Joints {
		j := &s.Physics.Joints[i]
		switch {
		case k < len(want) && j.Same(&want[k]):
			k++
		case theirs(j.KeyA) && (j.KeyB == 0 || theirs(j.KeyB)):
			return false
		}
	}
	return k == len(want)
}

// isTheirs tells of the key of a body whether a known part speaks of it: it is in
// it, or was in that of the tick before and has gone. What clients do not simulate
// since a switch is in that of the tick before, and is not theirs.
func (s *State) isTheirs(schema *Schema, known, before *State) func(key uint64) bool {
	return func(key uint64) bool {
		if _, is := known.Find(ObjectID(key)); is {
			return true
		}
		if _, was := before.Find(ObjectID(key)); !was {
			return false
		}
		slot, here := s.Find(ObjectID(key))
		return !here || s.Shared(schema, slot)
	}
}

// ApplyCommitted makes the objects that all clients simulate what a known part says of
// them, with the contacts and joints among them: others that they simulate go.
// before is the known part of the tick before. What belongs to stand-ins, and to
// own objects of such classes, stays. It allocates.
func (w *World) ApplyCommitted(known, before *State) {
	s := w.Now
	if known.Stride != s.Stride || known.Bundle != s.Bundle {
		return
	}
	theirs := s.isTheirs(w.schema, known, before)
	for _, slot := range slices.Clone(s.Run) {
		if _, ok := known.Find(s.Objects[slot].ID); !ok && s.Shared(w.schema, int(slot)) {
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
		_, other := known.Physics.FindJoint(j.Key) // which may tie others than this one, made of guesses, does
		return other || theirs(j.KeyA) && (j.KeyB == 0 || theirs(j.KeyB))
	})
	p.Join(&known.Physics, func(key uint64) (int, bool) {
		slot, ok := s.Find(ObjectID(key))
		return slot, ok && s.Physics.Bodies[slot].Key != 0
	})
}
