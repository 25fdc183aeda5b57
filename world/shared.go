package world

import (
	"slices"

	"github.com/hindcast/hindcast/world/physics"
)

// In a partially replicated room, clients do not simulate all classes. The
// objects that all clients simulate, with the contacts and joints between them,
// are the shared set. It is a state of its own, which KeepShared cuts out of the
// whole one.

// Shared reports whether all clients simulate the object of a slot: its class is
// predicted and, if the object stands for a joint, they simulate the connected objects.
func (s *State) Shared(schema *Schema, slot int) bool { return membership{s, schema}.shared(slot) }

// KeepShared drops everything that is not shared from s. This has no effect on the
// rest: no body wakes, and no contact or joint ends. before is the shared set of the
// previous tick, which tells which of the objects removed since were shared.
func (s *State) KeepShared(schema *Schema, before *State) {
	if !schema.PartiallyReplicated() {
		return
	}
	m := membership{s, schema}
	m.keepOnly(func(slot int32) bool { return m.shared(int(slot)) }, func(key uint64) bool {
		_, ok := before.Find(ObjectID(key))
		return ok
	})
}

// DropHidden drops from s, as KeepShared does, the objects of Hidden classes that are
// not the player's own, which the player's client must not receive in a keyframe.
func (s *State) DropHidden(schema *Schema, player PlayerID) {
	m := membership{s, schema}
	m.keepOnly(func(slot int32) bool {
		o := &s.Objects[slot]
		if j, ok := s.joint(o.ID); ok && schema.isJoint(o.Class) {
			return m.open(j.SlotA, player) && m.open(j.SlotB, player)
		}
		return m.open(slot, player)
	}, func(uint64) bool { return false })
}

// membership decides which objects of a state belong to a part of it.
type membership struct {
	s      *State
	schema *Schema
}

func (m membership) shared(slot int) bool {
	o := &m.s.Objects[slot]
	if !m.schema.isJoint(o.Class) {
		return m.schema.Classes[o.Class].LOD == Predict
	}
	j, ok := m.s.joint(o.ID)
	return !ok || m.sharedEnd(j.SlotA) && m.sharedEnd(j.SlotB)
}

// sharedEnd reports whether one end of a joint is shared. A slot below 0 is the world
// or a removed object.
func (m membership) sharedEnd(slot int32) bool {
	return slot < 0 || m.schema.Classes[m.s.Objects[slot].Class].LOD == Predict
}

// open reports whether a player may receive an object in a keyframe. A slot below 0 is
// none.
func (m membership) open(slot int32, player PlayerID) bool {
	return slot < 0 || !m.schema.Classes[m.s.Objects[slot].Class].Ranges.Hidden || m.s.Objects[slot].Owner == player
}

// keepOnly drops the objects that are not to be kept, and their contacts and joints.
// was tells which of the removed objects were kept before.
func (m membership) keepOnly(kept func(slot int32) bool, was func(key uint64) bool) {
	s := m.s
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
		return !stays(c.SlotA, c.KeyA, c.Flags&physics.GoneA != 0) ||
			!stays(c.SlotB, c.KeyB, c.Flags&physics.GoneB != 0)
	})
	p.Joints = slices.DeleteFunc(p.Joints, func(j physics.Joint) bool {
		return !stays(j.SlotA, j.KeyA, j.Flags&physics.JointGoneA != 0) ||
			j.KeyB != 0 && !stays(j.SlotB, j.KeyB, j.Flags&physics.JointGoneB != 0)
	})
	drop := func(slot int32) bool { return !keep[slot] }
	for _, slot := range s.Run {
		if drop(slot) {
			s.Objects[slot] = Object{}
			p.Bodies[slot] = physics.Body{}
			s.Rows.clear(int(slot))
		}
	}
	s.Run, s.ByID = slices.DeleteFunc(s.Run, drop), slices.DeleteFunc(s.ByID, drop)
}
