package world

import (
	"slices"

	"github.com/hindcast/hindcast/world/physics"
)

// Committed is a shared set that replaces that of a client's state.
type Committed struct {
	Shared *State                // of the tick
	Before *State                // of the previous tick
	Culled func(o ObjectID) bool // the objects that the client simulates in complete ticks only; nil: there are none
}

// MatchesShared reports whether the shared objects of s equal a shared set bit for bit. Culled objects
// need not. It may return false although they are equal.
func (s *State) MatchesShared(schema *Schema, with Committed) bool {
	if with.Shared.Rows.Stride != s.Rows.Stride || with.Shared.Bundle != s.Bundle {
		return true // ApplyCommitted does nothing
	}
	c := comparison{s, with, schema}
	n := 0
	for i := range s.Objects {
		o := &s.Objects[i]
		if o.ID == 0 || !s.Shared(schema, i) || c.leaves(o.ID) {
			continue
		}
		n++
		if at, ok := with.Shared.Find(o.ID); !ok || !sameObject(s, i, with.Shared, at) {
			return false
		}
	}
	return n == c.replaced() && c.sameContacts() && c.sameJoints()
}

// comparison compares a state with the shared set of the same tick.
type comparison struct {
	s      *State
	with   Committed
	schema *Schema
}

// leaves reports whether the state keeps what it has of an object: a proxy, or nothing, because the object
// is culled.
func (c *comparison) leaves(id ObjectID) bool {
	if c.with.Culled == nil || !c.with.Culled(id) {
		return false
	}
	slot, here := c.s.Find(id)
	return !here || c.s.Objects[slot].Culled
}

// replaced returns how many objects of the shared set replace those of the state.
func (c *comparison) replaced() int {
	n := c.with.Shared.Len()
	if c.with.Culled != nil {
		for _, slot := range c.with.Shared.Run {
			if c.leaves(c.with.Shared.Objects[slot].ID) {
				n--
			}
		}
	}
	return n
}

// ties returns the contacts and joints of the shared set between objects that replace those of the state.
func (c *comparison) ties() physics.State {
	from := &c.with.Shared.Physics
	if c.with.Culled == nil {
		return physics.State{Contacts: from.Contacts, Joints: from.Joints}
	}
	var out physics.State
	for i := range from.Contacts {
		if k := &from.Contacts[i]; !c.leaves(ObjectID(k.KeyA)) && !c.leaves(ObjectID(k.KeyB)) {
			out.Contacts = append(out.Contacts, *k)
		}
	}
	for i := range from.Joints {
		if j := &from.Joints[i]; !c.leaves(ObjectID(j.KeyA)) && (j.KeyB == 0 || !c.leaves(ObjectID(j.KeyB))) {
			out.Joints = append(out.Joints, *j)
		}
	}
	return out
}

func (c *comparison) sameContacts() bool {
	j, want := 0, c.ties().Contacts
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
	k, want := 0, c.ties().Joints
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
	if c.leaves(ObjectID(key)) {
		return false
	}
	if _, is := c.with.Shared.Find(ObjectID(key)); is {
		return true
	}
	if _, was := c.with.Before.Find(ObjectID(key)); !was {
		return false
	}
	slot, here := c.s.Find(ObjectID(key))
	return !here || c.s.Shared(c.schema, slot)
}

// ApplyCommitted replaces the shared objects by those of a shared set, with the
// contacts and joints among them; other shared objects are removed. Proxies, own objects of replicated
// classes, and what there is of culled objects, stay. It allocates memory.
func (w *World) ApplyCommitted(with Committed) {
	s, shared := w.Now, with.Shared
	if shared.Rows.Stride != s.Rows.Stride || shared.Bundle != s.Bundle {
		return
	}
	c := comparison{s, with, w.Schema()}
	ties, theirs := c.ties(), c.isShared
	for _, slot := range slices.Clone(s.Run) {
		id := s.Objects[slot].ID
		if _, ok := shared.Find(id); !ok && s.Shared(w.Schema(), int(slot)) && !c.leaves(id) {
			w.takeOut(int(slot))
		}
	}
	w.putShared(&c)
	p := &s.Physics
	p.Contacts = slices.DeleteFunc(p.Contacts, func(c physics.Contact) bool { return theirs(c.KeyA) && theirs(c.KeyB) })
	p.Joints = slices.DeleteFunc(p.Joints, func(j physics.Joint) bool {
		_, other := ties.FindJoint(j.Key) // this one comes from guesses and may connect other objects
		return other || theirs(j.KeyA) && (j.KeyB == 0 || theirs(j.KeyB))
	})
	p.Join(&ties, func(key uint64) (int, bool) {
		slot, ok := s.Find(ObjectID(key))
		return slot, ok && s.Physics.Bodies[slot].Key != 0
	})
	for _, from := range shared.Run {
		if slot, here := s.Find(shared.Objects[from].ID); here && !s.Objects[slot].Culled {
			w.follow(slot)
		}
	}
}

// putShared puts the objects of a shared set into the state.
func (w *World) putShared(c *comparison) {
	s, shared := w.Now, c.with.Shared
	for _, from := range shared.Run {
		o := &shared.Objects[from]
		if c.leaves(o.ID) {
			continue
		}
		slot := w.slots.take(o.ID)
		s.grow(slot + 1)
		w.endOther(slot, o.Class, nil)
		s.set(slot, *o)
		w.growActing()
		s.Rows.copy(slot, &shared.Rows, int(from))
		s.Physics.Bodies[slot] = shared.Physics.Bodies[from]
	}
}
