package physics

import "slices"

// Ties appends to contacts and joints all those of the body in a slot. Call it before Remove, which
// marks or drops them; ComeBack needs them.
func (s *State) Ties(slot int, contacts []Contact, joints []Joint) ([]Contact, []Joint) {
	key := s.Bodies[slot].Key
	if key == 0 {
		return contacts, joints
	}
	for i := range s.Contacts {
		if c := &s.Contacts[i]; c.KeyA == key || c.KeyB == key {
			contacts = append(contacts, *c)
		}
	}
	for i := range s.Joints {
		if j := &s.Joints[i]; j.KeyA == key || j.KeyB == key {
			joints = append(joints, *j)
		}
	}
	return contacts, joints
}

// Join adds the contacts and joints of part, which must not be in s yet, with the slots
// that find returns for their keys. A body that find does not know counts as removed.
func (s *State) Join(part *State, find func(key uint64) (slot int, ok bool)) {
	for i := range part.Contacts {
		s.placeContact(part.Contacts[i], find)
	}
	for i := range part.Joints {
		s.placeJoint(part.Joints[i], find)
	}
	s.sortContacts()
	slices.SortFunc(s.Joints, compareJoints)
}

// ComeBack undoes the effect of the last Remove that was not undone yet on the contacts and joints of
// the body with a key; contacts and joints are what Ties returned. The caller restores the body itself.
func (s *State) ComeBack(key uint64, contacts []Contact, joints []Joint) {
	s.Contacts = slices.DeleteFunc(s.Contacts, func(c Contact) bool { return c.KeyA == key || c.KeyB == key })
	for _, c := range contacts {
		at, _ := slices.BinarySearchFunc(s.Contacts, c, compareContacts)
		s.Contacts = slices.Insert(s.Contacts, at, c)
	}
	s.Joints = slices.DeleteFunc(s.Joints, func(j Joint) bool { return j.KeyA == key || j.KeyB == key })
	for _, j := range joints {
		at, _ := searchJoint(s.Joints, j.Key, j.Flags&jointGone)
		s.Joints = slices.Insert(s.Joints, at, j)
	}
}
