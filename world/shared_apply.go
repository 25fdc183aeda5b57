package world

import (
	"slices"

	"github.com/hindcast/hindcast/world/physics"
)

// MatchesShared reports whether the shared objects of s equal a shared set bit for bit.
// before is the shared set of the previous tick. It may return false although they are
// equal.
func (s *State) MatchesShared(schema *Schema, shared, before *State) bool {
	if shared.Stride != s.Stride || shared.Bundle != s.Bundle {
		return true // ApplyCommitted does nothing
	}
	c := comparison{s, shared, before, schema}
	n := 0
	for i := range s.Objects {
		o := &s.Objects[i]
		if o.ID == 0 || !s.Shared(schema, i) {
			continue
		}
		n++
		if at, ok := shared.Find(o.ID); !ok || !sameObject(s, i, shared, at) {
			return false
		}
	}
	return n == shared.Len() && c.sameContacts() && c.sameJoints()
}

// comparison compares a state with the shared set of the same tick.
type comparison struct {
	s, shared, before *State
	schema            *Schema
}

func (c *comparison) sameContacts() bool {
	j, want := 0, c.shared.Physics.Contacts
	for i := range c.s.Physics.Contacts {
		k := &c.s.Physics.Contacts[i]
		switch {
		case j < len(want) && k.SameBits(&want[j]):
			j++
		case c.isShared(k.KeyA) && c.isShared(k.KeyB):
			return false
		}
	}
	return j == len(want)
}

func (c *comparison) sameJoints() bool {
	k, want := 0, c.shared.Physics.Joints
	for i := range c.s.Physics.Joints {
		j := &c.s.Physics.Joints[i]
		switch {
		case k < len(want) && j.SameBits(&want[k]):
			k++
		case c.isShared(j.KeyA) && (j.KeyB == 0 || c.isShared(j.KeyB)):
			return false
		}
	}
	return k == len(want)
}

// isShared reports whether the shared set decides about the body with a key: the body
// is in it, or was in that of the previous tick and has been removed. A body that
// clients have stopped simulating at a bundle switch was in that one, too, but is no
// longer shared.
func (c *comparison) isShared(key uint64) bool {
	if _, is := c.shared.Find(ObjectID(key)); is {
		return true
	}
	if _, was := c.before.Find(ObjectID(key)); !was {
		return false
	}
	slot, here := c.s.Find(ObjectID(key))
	return !here || c.s.Shared(c.schema, slot)
}

// ApplyCommitted replaces the shared objects by those of a shared set, with the
// contacts and joints among them; other shared objects are removed. before is the
// shared set of the previous tick. Proxies, and own objects of replicated classes,
// stay. It allocates memory.
func (w *World) ApplyCommitted(shared, before *State) {
	s := w.Now
	if shared.Stride != s.Stride || shared.Bundle != s.Bundle {
		return
	}
	c := comparison{s, shared, before, w.schema}
	theirs := c.isShared
	for _, slot := range slices.Clone(s.Run) {
		if _, ok := shared.Find(s.Objects[slot].ID); !ok && s.Shared(w.schema, int(slot)) {
			w.takeOut(int(slot))
		}
	}
	for _, from := range shared.Run {
		slot := w.slots.take(shared.Objects[from].ID)
		s.set(slot, shared.Objects[from])
		w.growActing()
		copy(s.Row(slot), shared.Row(int(from)))
		s.Physics.Bodies[slot] = shared.Physics.Bodies[from]
	}
	p := &s.Physics
	p.Contacts = slices.DeleteFunc(p.Contacts, func(c physics.Contact) bool { return theirs(c.KeyA) && theirs(c.KeyB) })
	p.Joints = slices.DeleteFunc(p.Joints, func(j physics.Joint) bool {
		_, other := shared.Physics.FindJoint(j.Key) // this one comes from guesses and may connect other objects
		return other || theirs(j.KeyA) && (j.KeyB == 0 || theirs(j.KeyB))
	})
	p.Join(&shared.Physics, func(key uint64) (int, bool) {
		slot, ok := s.Find(ObjectID(key))
		return slot, ok && s.Physics.Bodies[slot].Key != 0
	})
	for _, from := range shared.Run {
		if slot, here := s.Find(shared.Objects[from].ID); here {
			w.follow(slot)
		}
	}
}
