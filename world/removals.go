package world

import (
	"slices"

	"github.com/hindcast/hindcast/world/physics"
)

// removals are the contacts and joints of the bodies that went at the end of
// a tick, in the order in which they went: what a rewind needs to take the
// departures back.
type removals struct {
	list     []removal
	contacts []physics.Contact
	joints   []physics.Joint
}

// removal is one of them: its contacts and joints end where these say.
type removal struct {
	key              uint64
	contacts, joints int32
}

func (d *removals) reset() {
	d.list, d.contacts, d.joints = d.list[:0], d.contacts[:0], d.joints[:0]
}

// take notes what the body in a slot has, which is about to go.
func (d *removals) take(s *State, slot int) {
	key := s.Physics.Bodies[slot].Key
	if key == 0 {
		return
	}
	d.contacts, d.joints = s.Physics.Ties(slot, d.contacts, d.joints)
	d.list = append(d.list, removal{key, int32(len(d.contacts)), int32(len(d.joints))})
}

func (d *removals) has(key uint64) bool {
	return slices.ContainsFunc(d.list, func(e removal) bool { return e.key == key })
}

// ties are the contacts and joints of departure i.
func (d *removals) ties(i int) ([]physics.Contact, []physics.Joint) {
	var before removal
	if i > 0 {
		before = d.list[i-1]
	}
	return d.contacts[before.contacts:d.list[i].contacts], d.joints[before.joints:d.list[i].joints]
}

// comeBack gives the bodies that went their contacts and joints back.
func (d *removals) comeBack(s *State) {
	for i := len(d.list) - 1; i >= 0; i-- {
		contacts, joints := d.ties(i)
		s.Physics.ComeBack(d.list[i].key, contacts, joints)
	}
}

// without calls f for the slots of all whom those touched, or were tied to, who
// went, but did not in others, and of the joints.
func (d *removals) without(others *removals, f func(slot int32), slotOf func(key uint64) (slot int, ok bool)) {
	for i := range d.list {
		if others.has(d.list[i].key) {
			continue
		}
		contacts, joints := d.ties(i)
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

func (d *removals) bytes() int {
	return len(d.list)*16 + len(d.contacts)*physics.ContactBytes + len(d.joints)*physics.JointBytes
}
