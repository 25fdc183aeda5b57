package world

import "github.com/hindcast/hindcast/world/physics"

// undoLog is the values of some slots at one point of a tick. Entry i is of slot
// slots[i]; an object that was not there has ID 0.
type undoLog struct {
	slots         []int32
	acts          []deeds
	tied          []int32 // index in joints of the joint that the object had, -1: none
	joints        []physics.Joint
	at            State // its slot i is entry i; its orders are empty
	withoutJoints bool  // leave joints alone when it is put
}

func (p *undoLog) reset(stride int) {
	p.slots, p.acts, p.tied, p.joints = p.slots[:0], p.acts[:0], p.tied[:0], p.joints[:0]
	p.at.Stride = stride
	p.at.Objects, p.at.Words, p.at.Physics.Bodies = p.at.Objects[:0], p.at.Words[:0], p.at.Physics.Bodies[:0]
}

// take adds the values that a slot has in s.
func (p *undoLog) take(s *State, slot int, a deeds) {
	p.slots = append(p.slots, int32(slot))
	p.acts = append(p.acts, a)
	p.at.Objects = append(p.at.Objects, s.Objects[slot])
	p.at.Words = append(p.at.Words, s.Row(slot)...)
	p.at.Physics.Bodies = append(p.at.Physics.Bodies, s.Physics.Bodies[slot])
	p.tied = append(p.tied, -1)
	if j, ok := s.joint(s.Objects[slot].ID); ok {
		p.tied[len(p.tied)-1] = int32(len(p.joints))
		p.joints = append(p.joints, *j)
	}
}

// move makes entry to what entry from is.
func (p *undoLog) move(to, from int) {
	p.slots[to], p.acts[to], p.tied[to] = p.slots[from], p.acts[from], p.tied[from]
	p.at.Objects[to], p.at.Physics.Bodies[to] = p.at.Objects[from], p.at.Physics.Bodies[from]
	copy(p.at.Row(to), p.at.Row(from))
}

// cut leaves the first n entries.
func (p *undoLog) cut(n int) {
	p.slots, p.acts, p.tied = p.slots[:n], p.acts[:n], p.tied[:n]
	p.at.Objects, p.at.Words, p.at.Physics.Bodies = p.at.Objects[:n], p.at.Words[:n*p.at.Stride], p.at.Physics.Bodies[:n]
	kept := int32(0)
	for i, from := range p.tied { // which rises
		if from >= 0 {
			p.joints[kept], p.tied[i] = p.joints[from], kept
			kept++
		}
	}
	p.joints = p.joints[:kept]
}

// joint gives the joint that the object of entry i had.
func (p *undoLog) joint(i int) (j *physics.Joint, ok bool) {
	if p.tied[i] < 0 {
		return nil, false
	}
	return &p.joints[p.tied[i]], true
}

// put gives the slot of entry i, in s, the values of the entry.
func (p *undoLog) put(i int, s *State) {
	slot := int(p.slots[i])
	if !p.withoutJoints {
		p.putJoint(i, s, s.idAt(slot))
	}
	s.set(slot, p.at.Objects[i])
	copy(s.Row(slot), p.at.Row(i))
	s.Physics.Bodies[slot] = p.at.Physics.Bodies[i]
}

// putJoint puts the joint of entry i in the place of that of the object that
// the slot has now.
func (p *undoLog) putJoint(i int, s *State, now ObjectID) {
	if j, ok := p.joint(i); ok {
		s.Physics.PutJoint(*j)
	} else if len(s.Physics.Joints) > 0 {
		s.Physics.DropJoint(uint64(now))
	}
}

// putBack undoes, from the last entry to entry from.
func (p *undoLog) putBack(s *State, from int) {
	for i := len(p.slots) - 1; i >= from; i-- {
		p.put(i, s)
	}
}

// same reports whether entry i is, bit for bit, what the slot has in s.
func (p *undoLog) same(i int, s *State, slot int, a deeds) bool {
	return p.at.Objects[i] == s.Objects[slot] && p.acts[i].same(a) && p.sameJoint(i, s) &&
		sameWords(p.at.Row(i), s.Row(slot)) && p.at.Physics.Bodies[i].Same(&s.Physics.Bodies[slot])
}

// sameJoint reports whether the object of entry i has the same joint in s.
func (p *undoLog) sameJoint(i int, s *State) bool {
	j, tied := p.joint(i)
	k, ties := s.joint(p.at.Objects[i].ID)
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

func (p *undoLog) bytes() int {
	return len(p.slots)*(4+4) + len(p.acts)*actsSize + len(p.joints)*physics.JointBytes + p.at.Bytes()
}
