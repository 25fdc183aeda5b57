package world

import "github.com/hindcast/hindcast/world/physics"

// undoLog holds the values of some slots at one point of a tick. Entry i holds
// those of slot slots[i]. An object that did not exist has ID 0.
type undoLog struct {
	slots         []int32
	activity      []activity
	tied          []int32 // index in joints of the joint that the object had; -1: none
	joints        []physics.Joint
	at            State // its slot i is entry i; its orders are empty
	withoutJoints bool  // put leaves joints alone
}

// reset empties the log, for rows of stride words. Most logs of a tick are empty already, and the
// history holds many: an empty one is only looked at.
func (u *undoLog) reset(stride int) {
	if len(u.slots) == 0 && u.at.Rows.Stride == stride {
		return
	}
	u.slots, u.activity, u.tied, u.joints = u.slots[:0], u.activity[:0], u.tied[:0], u.joints[:0]
	u.at.Rows.reset(stride)
	u.at.Objects, u.at.Physics.Bodies = u.at.Objects[:0], u.at.Physics.Bodies[:0]
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

// activityOf returns the activity of the object of entry i.
func (u *undoLog) activityOf(i int) *activity { return &u.activity[i] }

// take appends the values that a slot has in s.
func (u *undoLog) take(s *State, slot int, a activity) {
	u.slots = append(u.slots, int32(slot))
	u.activity = append(u.activity, a)
	u.at.Objects = append(u.at.Objects, s.Objects[slot])
	u.at.Rows.add(len(u.slots)-1, &s.Rows, slot)
	u.at.Physics.Bodies = append(u.at.Physics.Bodies, s.Physics.Bodies[slot])
	u.tied = append(u.tied, -1)
	if j, ok := s.joint(s.Objects[slot].ID); ok {
		u.tied[len(u.tied)-1] = int32(len(u.joints))
		u.joints = append(u.joints, *j)
	}
}

// move copies entry from to entry to.
func (u *undoLog) move(to, from int) {
	u.slots[to], u.activity[to], u.tied[to] = u.slots[from], u.activity[from], u.tied[from]
	u.at.Objects[to], u.at.Physics.Bodies[to] = u.at.Objects[from], u.at.Physics.Bodies[from]
	u.at.Rows.copy(to, &u.at.Rows, from)
}

// cut keeps the first n entries.
func (u *undoLog) cut(n int) {
	u.slots, u.activity, u.tied = u.slots[:n], u.activity[:n], u.tied[:n]
	u.at.Rows.cut(n)
	u.at.Objects, u.at.Physics.Bodies = u.at.Objects[:n], u.at.Physics.Bodies[:n]
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
	s.Rows.copy(slot, &u.at.Rows, i)
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
func (u *undoLog) restore(i int, s *State, of []activity) {
	of[u.slots[i]].restore(&u.activity[i])
	u.put(i, s)
}

// putBack restores the entries from the last one to entry from.
func (u *undoLog) putBack(s *State, from int) {
	for i := len(u.slots) - 1; i >= from; i-- {
		u.put(i, s)
	}
}

// same reports whether entry i is, bit for bit, what the slot has in s.
func (u *undoLog) same(i int, s *State, slot int, a activity) bool {
	return u.at.Objects[i] == s.Objects[slot] && u.activity[i].same(a) && u.sameJoint(i, s) &&
		u.at.Rows.same(i, &s.Rows, slot) && u.at.Physics.Bodies[i].Same(&s.Physics.Bodies[slot])
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

func (u *undoLog) measure(m *Memory) {
	m.add(len(u.slots)*(4+4) + len(u.activity)*activitySize + len(u.joints)*physics.JointBytes)
	m.AddState(&u.at)
}
