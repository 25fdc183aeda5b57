package world

import "github.com/hindcast/hindcast/world/physics"

// undoLog holds the values of some slots at one point of a tick. Entry i holds
// those of slot slots[i]. An object that did not exist has ID 0.
type undoLog struct {
	slots         []int32
	deeds         []deeds
	tied          []int32 // index in joints of the joint that the object had; -1: none
	joints        []physics.Joint
	at            State // its slot i is entry i; its orders are empty
	withoutJoints bool  // put leaves joints alone
}

func (u *undoLog) reset(stride int) {
	u.slots, u.deeds, u.tied, u.joints = u.slots[:0], u.deeds[:0], u.tied[:0], u.joints[:0]
	u.at.Stride = stride
	u.at.Objects, u.at.Words, u.at.Physics.Bodies = u.at.Objects[:0], u.at.Words[:0], u.at.Physics.Bodies[:0]
}

// resetWithoutJoints is reset for a log that does not restore joints.
func (u *undoLog) resetWithoutJoints(stride int) {
	u.reset(stride)
	u.withoutJoints = true
}

func (u *undoLog) len() int { return len(u.slots) }

// list returns the slots of the entries.
func (u *undoLog) list() []int32 { return u.slots }

// state returns the entries as a state, in which entry i is slot i.
func (u *undoLog) state() *State { return &u.at }

func (u *undoLog) object(i int) *Object { return &u.at.Objects[i] }

func (u *undoLog) body(i int) *physics.Body { return &u.at.Physics.Bodies[i] }

// did returns the deeds of the object of entry i.
func (u *undoLog) did(i int) *deeds { return &u.deeds[i] }

// take appends the values that a slot has in s.
func (u *undoLog) take(s *State, slot int, d deeds) {
	u.slots = append(u.slots, int32(slot))
	u.deeds = append(u.deeds, d)
	u.at.Objects = append(u.at.Objects, s.Objects[slot])
	u.at.Words = append(u.at.Words, s.Row(slot)...)
	u.at.Physics.Bodies = append(u.at.Physics.Bodies, s.Physics.Bodies[slot])
	u.tied = append(u.tied, -1)
	if j, ok := s.joint(s.Objects[slot].ID); ok {
		u.tied[len(u.tied)-1] = int32(len(u.joints))
		u.joints = append(u.joints, *j)
	}
}

// move copies entry from to entry to.
func (u *undoLog) move(to, from int) {
	u.slots[to], u.deeds[to], u.tied[to] = u.slots[from], u.deeds[from], u.tied[from]
	u.at.Objects[to], u.at.Physics.Bodies[to] = u.at.Objects[from], u.at.Physics.Bodies[from]
	copy(u.at.Row(to), u.at.Row(from))
}

// cut keeps the first n entries.
func (u *undoLog) cut(n int) {
	u.slots, u.deeds, u.tied = u.slots[:n], u.deeds[:n], u.tied[:n]
	u.at.Objects, u.at.Words, u.at.Physics.Bodies = u.at.Objects[:n], u.at.Words[:n*u.at.Stride], u.at.Physics.Bodies[:n]
	kept := int32(0)
	for i, from := range u.tied { // the indices ascend
		if from >= 0 {
			u.joints[kept], u.tied[i] = u.joints[from], kept
			kept++
		}
	}
	u.joints = u.joints[:kept]
}

// joint returns the joint that the object of entry i had.
func (u *undoLog) joint(i int) (j *physics.Joint, ok bool) {
	if u.tied[i] < 0 {
		return nil, false
	}
	return &u.joints[u.tied[i]], true
}

// put gives the slot of entry i, in s, the values of the entry.
func (u *undoLog) put(i int, s *State) {
	slot := int(u.slots[i])
	if !u.withoutJoints {
		u.putJoint(i, s, idAt(s, slot))
	}
	s.set(slot, u.at.Objects[i])
	copy(s.Row(slot), u.at.Row(i))
	s.Physics.Bodies[slot] = u.at.Physics.Bodies[i]
}

// putJoint replaces the joint of now, the object that the slot holds, by that
// of entry i.
func (u *undoLog) putJoint(i int, s *State, now ObjectID) {
	if j, ok := u.joint(i); ok {
		s.Physics.PutJoint(*j)
	} else if len(s.Physics.Joints) > 0 {
		s.Physics.DropJoint(uint64(now))
	}
}

// restore gives the slot of entry i, in s, the values of the entry, and its
// object in of what it had done. The budget that the object has used since stays
// used.
func (u *undoLog) restore(i int, s *State, of []deeds) {
	d := &of[u.slots[i]]
	spent, spentIn := d.spent, d.spentIn
	*d = u.deeds[i]
	d.spent, d.spentIn = spent, spentIn
	u.put(i, s)
}

// putBack restores the entries from the last one to entry from.
func (u *undoLog) putBack(s *State, from int) {
	for i := len(u.slots) - 1; i >= from; i-- {
		u.put(i, s)
	}
}

// same reports whether entry i is, bit for bit, what the slot has in s.
func (u *undoLog) same(i int, s *State, slot int, d deeds) bool {
	return u.at.Objects[i] == s.Objects[slot] && u.deeds[i].same(d) && u.sameJoint(i, s) &&
		sameWords(u.at.Row(i), s.Row(slot)) && u.at.Physics.Bodies[i].Same(&s.Physics.Bodies[slot])
}

// sameJoint reports whether the object of entry i has the same joint in s.
func (u *undoLog) sameJoint(i int, s *State) bool {
	j, tied := u.joint(i)
	k, ties := s.joint(u.at.Objects[i].ID)
	return tied == ties && (!tied || j.Same(k))
}

func sameWords(a, b []uint64) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

func (u *undoLog) bytes() int {
	return len(u.slots)*(4+4) + len(u.deeds)*deedsSize + len(u.joints)*physics.JointBytes + u.at.Bytes()
}
