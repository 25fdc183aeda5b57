package world

import (
	"slices"

	"github.com/hindcast/hindcast/world/physics"
)

// removals are the contacts and joints of the bodies that were removed at the end of a
// tick, in the order of removal. A rewind needs them to undo the removals.
type removals struct {
	list     []removal
	contacts []physics.Contact
	joints   []physics.Joint
}

// removal is one removed body. Its contacts and joints end at these indices.
type removal struct {
	key              uint64
	contacts, joints int32
	entry            int32 // of a proxy update that removed it: its entry in the log of updates
}

func (r *removals) reset() {
	r.list, r.contacts, r.joints = r.list[:0], r.contacts[:0], r.joints[:0]
}

// take keeps the contacts and joints of the body in a slot, before its removal. entry is that of the
// proxy update that removes it.
func (r *removals) take(s *State, slot, entry int) {
	key := s.Physics.Bodies[slot].Key
	if key == 0 {
		return
	}
	r.contacts, r.joints = s.Physics.Ties(slot, r.contacts, r.joints)
	r.list = append(r.list, removal{key, int32(len(r.contacts)), int32(len(r.joints)), int32(entry)})
}

func (r *removals) has(key uint64) bool {
	return slices.ContainsFunc(r.list, func(e removal) bool { return e.key == key })
}

// of returns the contacts and joints of removal i.
func (r *removals) of(i int) ([]physics.Contact, []physics.Joint) {
	var before removal
	if i > 0 {
		before = r.list[i-1]
	}
	return r.contacts[before.contacts:r.list[i].contacts], r.joints[before.joints:r.list[i].joints]
}

// restore restores the contacts and joints of the removed bodies.
func (r *removals) restore(s *State) {
	for i := len(r.list) - 1; i >= 0; i-- {
		r.restoreOne(i, s)
	}
}

// restoreOf restores the contacts and joints of the last of the first removals if it is that of an
// entry. It returns how many are left.
func (r *removals) restoreOf(entry, first int, s *State) (left int) {
	if first == 0 || int(r.list[first-1].entry) != entry {
		return first
	}
	r.restoreOne(first-1, s)
	return first - 1
}

// count returns how many removals there are.
func (r *removals) count() int { return len(r.list) }

// restoreOne restores the contacts and joints of removal i.
func (r *removals) restoreOne(i int, s *State) {
	contacts, joints := r.of(i)
	s.Physics.ComeBack(r.list[i].key, contacts, joints)
}

// without calls f for the slots of the contacts and joints of the bodies that
// are not in others, and for the slots of those joints themselves.
func (r *removals) without(others *removals, f func(slot int32), slotOf func(key uint64) (slot int, ok bool)) {
	for i := range r.list {
		if others.has(r.list[i].key) {
			continue
		}
		contacts, joints := r.of(i)
		for i := range contacts {
			f(contacts[i].SlotA)
			f(contacts[i].SlotB)
		}
		for i := range joints {
			f(joints[i].SlotA)
			f(joints[i].SlotB)
			if slot, ok := slotOf(joints[i].Key); ok {
				f(int32(slot))
			}
		}
	}
}

// bytes returns the memory that the removals hold.
func (r *removals) bytes() int {
	return len(r.list)*24 + len(r.contacts)*physics.ContactBytes + len(r.joints)*physics.JointBytes
}
