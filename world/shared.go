package world

import (
	"slices"

	"github.com/hindcast/hindcast/world/physics"
)

// What all clients simulate of a room with classes that they do not is a state
// of its own: the known part. KeepShared cuts it out of the whole.

// Shared reports whether all clients simulate the object of a slot: its class says so and,
// if it is a joint, they simulate what it ties.
func (s *State) Shared(schema *Schema, slot int) bool {
	o := &s.Objects[slot]
	if o.Class != schema.joint {
		return schema.Classes[o.Class].LOD == Predict
	}
	j, ok := s.joint(o.ID)
	return !ok || s.knownEnd(schema, j.SlotA) && s.knownEnd(schema, j.SlotB)
}

// knownEnd reports whether one end of a joint is known; below 0 it is the world, or
// gone.
func (s *State) knownEnd(schema *Schema, slot int32) bool {
	return slot < 0 || schema.Classes[s.Objects[slot].Class].LOD == Predict
}

// KeepShared drops from s all that not every client simulates, without a trace:
// nobody wakes, and no end is due of a contact or a joint. before is the known
// part of the tick before: of what has gone since, it says what was known.
func (s *State) KeepShared(schema *Schema, before *State) {
	if !schema.mixed {
		return
	}
	s.keepOnly(func(slot int32) bool { return s.Shared(schema, int(slot)) }, func(key uint64) bool {
		_, ok := before.Find(ObjectID(key))
		return ok
	})
}

// DropHidden drops from s, as KeepShared does, what a player's client must not be
// sent unasked: objects of Hidden classes that are not the player's own.
func (s *State) DropHidden(schema *Schema, player PlayerID) {
	s.keepOnly(func(slot int32) bool {
		o := &s.Objects[slot]
		if j, ok := s.joint(o.ID); ok && o.Class == schema.joint {
			return s.open(schema, j.SlotA, player) && s.open(schema, j.SlotB, player)
		}
		return s.open(schema, slot, player)
	}, func(uint64) bool { return false })
}

// open reports whether a player may be sent an object; a slot below 0 is none.
func (s *State) open(schema *Schema, slot int32, player PlayerID) bool {
	return slot < 0 || !schema.Classes[s.Objects[slot].Class].Hidden || s.Objects[slot].Owner == player
}

// keepOnly drops the objects that are not to be kept, and the contacts and joints
// that they have a part in. was says which of those gone were kept before.
func (s *State) keepOnly(kept func(slot int32) bool, was func(key uint64) bool) {
	keep := make([]bool, len(s.Objects))
	for _, slot := range s.Run {
		keep[slot] = kept(slot)
	}
	stays := func(slot int32, key uint64, gone bool) bool {
		if gone {
			return was(key)
		}
		return keep[slot]
	}
	p := &s.Physics
	p.Contacts = slices.DeleteFunc(p.Contacts, func(c physics.Contact) bool {
		return !stays(c.SlotA, c.KeyA, c.Flags&physics.GoneA != 0) || !stays(c.SlotB, c.KeyB, c.Flags&physics.GoneB != 0)
	})
	p.Joints = slices.DeleteFunc(p.Joints, func(j physics.Joint) bool {
		return !stays(j.SlotA, j.KeyA, j.Flags&physics.JointGoneA != 0) ||
			j.KeyB != 0 && !stays(j.SlotB, j.KeyB, j.Flags&physics.JointGoneB != 0)
	})
	unknown := func(slot int32) bool { return !keep[slot] }
	for _, slot := range s.Run {
		if unknown(slot) {
			s.Objects[slot] = Object{}
			p.Bodies[slot] = physics.Body{}
			clear(s.Row(int(slot)))
		}
	}
	s.Run, s.byID = slices.DeleteFunc(s.Run, unknown), slices.DeleteFunc(s.byID, unknown)
}
