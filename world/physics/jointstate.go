package physics

import (
	"cmp"
	"fmt"
	"slices"
)

// compareJoints returns the order of State.Joints. A key can stand twice: as gone
// and, when a joint with the same key was made again, as holding.
func compareJoints(a, b Joint) int { return a.compare(&b) }

func (j *Joint) compare(k *Joint) int { return j.compareName(k.Key, k.Flags&jointGone) }

// compareName compares j with the joint that has a key and a part of jointGone.
func (j *Joint) compareName(key uint64, gone JointFlags) int {
	if order := cmp.Compare(j.Key, key); order != 0 {
		return order
	}
	return cmp.Compare(gone, j.Flags&jointGone)
}

// searchJoint returns where in joints the joint with a key and a part of jointGone is or
// belongs. It copies no joint: slices.BinarySearchFunc copies two for each comparison.
func searchJoint(joints []Joint, key uint64, gone JointFlags) (at int, ok bool) {
	end := len(joints)
	for at < end {
		if middle := (at + end) / 2; joints[middle].compareName(key, gone) < 0 {
			at = middle + 1
		} else {
			end = middle
		}
	}
	return at, at < len(joints) && joints[at].compareName(key, gone) == 0
}

// AddJoint puts j among the joints of s and wakes its bodies. It finds their slots
// itself, clears the impulses, and returns an error that wraps ErrJoint for a joint with
// a number out of range, with a key that is in use, or between bodies that s does not
// have.
func (s *State) AddJoint(defs []Def, j Joint) error {
	if _, ok := s.FindJoint(j.Key); ok {
		return fmt.Errorf("%w %016x: the key is in use", ErrJoint, j.Key)
	}
	if err := j.Resolve(defs, s.bodyOfKey); err != nil {
		return fmt.Errorf("joint %016x: %w", j.Key, err)
	}
	s.wakeEnds(&j)
	s.PutJoint(j)
	return nil
}

// Resolve prepares a joint for the joints of a state: it sets the slots that find returns, and clears the impulses.
// find returns a body and its slot, or nil. It returns an error that wraps ErrJoint for a joint that AddJoint refuses.
func (j *Joint) Resolve(defs []Def, find func(key uint64) (slot int, b *Body)) error {
	j.Impulse = [jointRows]float64{}
	j.Flags &^= jointFixed | jointGone
	j.Rest = 0
	if err := j.Check(); err != nil {
		return err
	}
	slotA, a := find(j.KeyA)
	slotB, b := -1, (*Body)(nil)
	if j.KeyB != 0 {
		slotB, b = find(j.KeyB)
	}
	if a == nil || j.KeyB != 0 && b == nil {
		return fmt.Errorf("%w: one of its bodies does not exist", ErrJoint)
	}
	j.SlotA, j.SlotB = int32(slotA), int32(slotB)
	j.Flags |= fixedEnds(defs, a, b)
	if j.Flags&jointFixed == jointFixed {
		return fmt.Errorf("%w: neither body is dynamic", ErrJoint)
	}
	return nil
}

// PutJoint replaces the joint under the key of j by j or, if there is none, adds j. It wakes no body: a step
// wakes the bodies of a joint that is new or has changed.
func (s *State) PutJoint(j Joint) {
	at, ok := searchJoint(s.Joints, j.Key, j.Flags&jointGone)
	if ok {
		s.Joints[at] = j
		return
	}
	s.Joints = slices.Insert(s.Joints, at, j)
}

// DropJoint removes the joint under a key, if there is one, and wakes no body.
func (s *State) DropJoint(key uint64) {
	if i, ok := s.FindJoint(key); ok {
		s.Joints = slices.Delete(s.Joints, i, i+1)
	}
}

// FindJoint returns the index in Joints of the joint with the key, unless it is
// gone.
func (s *State) FindJoint(key uint64) (i int, ok bool) {
	return searchJoint(s.Joints, key, 0)
}

// RemoveJoint removes a joint and wakes its bodies, without an event. It reports
// whether there was one.
func (s *State) RemoveJoint(key uint64) bool {
	i, ok := s.FindJoint(key)
	if ok {
		s.wakeEnds(&s.Joints[i])
		s.Joints = slices.Delete(s.Joints, i, i+1)
	}
	return ok
}

// wakeEnds wakes the bodies of a joint.
func (s *State) wakeEnds(j *Joint) {
	for _, slot := range [...]int32{j.SlotA, j.SlotB} {
		if slot >= 0 {
			s.Bodies[slot].Wake()
		}
	}
}

// slotOfKey finds a body by going through all: joints are made seldom.
func (s *State) slotOfKey(key uint64) (slot int, ok bool) {
	slot = slices.IndexFunc(s.Bodies, func(b Body) bool { return b.Key == key })
	return slot, slot >= 0
}

// bodyOfKey is slotOfKey with the body; nil if there is none.
func (s *State) bodyOfKey(key uint64) (slot int, b *Body) {
	slot, ok := s.slotOfKey(key)
	if !ok {
		return slot, nil
	}
	return slot, &s.Bodies[slot]
}

// resolveJoint gives j the slots that find knows, and reports whether all its bodies that are not gone
// exist.
func (s *State) resolveJoint(j *Joint, find func(key uint64) (slot int, ok bool)) bool {
	a, okA := find(j.KeyA)
	b, okB := find(j.KeyB)
	j.SlotA, j.SlotB = int32(a), int32(b)
	if j.Flags&JointGoneA != 0 || !okA {
		j.SlotA = -1
	}
	if j.Flags&JointGoneB != 0 || j.KeyB == 0 || !okB {
		j.SlotB = -1
	}
	return (okA || j.Flags&JointGoneA != 0) && (okB || j.Flags&JointGoneB != 0 || j.KeyB == 0)
}

// fixedEnds returns the ends of a joint that nothing pushes. b is nil for the world.
func fixedEnds(defs []Def, a, b *Body) (f JointFlags) {
	if typeOf(defs, a) != Dynamic {
		f |= JointFixedA
	}
	if b == nil || typeOf(defs, b) != Dynamic {
		f |= JointFixedB
	}
	return f
}

func typeOf(defs []Def, b *Body) BodyType {
	if int(b.Def) < len(defs) && defs[b.Def].ready() {
		return defs[b.Def].Type
	}
	return None
}

// removeJoints marks the joints of a body that goes from slot, and drops
// those of which no body remains.
func (s *State) removeJoints(slot int) {
	kept := s.Joints[:0]
	for i := range s.Joints {
		j := s.Joints[i]
		if int(j.SlotA) == slot {
			j.SlotA = -1
		}
		if int(j.SlotB) == slot {
			j.SlotB = -1
		}
		if j.SlotA < 0 && j.SlotB < 0 {
			continue
		}
		j.markGone()
		kept = append(kept, j)
	}
	s.Joints = kept
}

// markGone keeps, of a joint that misses a slot which it should have, only
// what its event needs.
func (j *Joint) markGone() {
	var gone JointFlags
	if j.SlotA < 0 {
		gone = JointGoneA
	}
	if j.SlotB < 0 && j.KeyB != 0 {
		gone |= JointGoneB
	}
	if gone != 0 {
		*j = Joint{Key: j.Key, KeyA: j.KeyA, KeyB: j.KeyB, SlotA: j.SlotA, SlotB: j.SlotB, Kind: j.Kind, Flags: gone}
	}
}

// placeJoint puts a joint of other slots into s. A joint of which a body is
// missing is marked gone; of which all are, dropped. The order is not kept:
// sort afterwards.
func (s *State) placeJoint(j Joint, find func(key uint64) (slot int, ok bool)) {
	s.resolveJoint(&j, find)
	if j.SlotA < 0 && j.SlotB < 0 {
		return
	}
	j.markGone()
	s.Joints = append(s.Joints, j)
}

// CarryJoints replaces the joints of s by those of old, between the bodies that find
// knows in s. The next Step reports the end of each joint with another body.
func (s *State) CarryJoints(old *State, find func(key uint64) (slot int, ok bool)) {
	s.Joints = s.Joints[:0]
	for i := range old.Joints {
		s.placeJoint(old.Joints[i], find)
	}
	slices.SortFunc(s.Joints, compareJoints)
}

// bringsBackEnd reports whether a body that a joint says is gone is in ks.
func (ks keySlots) bringsBackEnd(j *Joint) bool {
	_, okA := ks.find(j.KeyA)
	_, okB := ks.find(j.KeyB)
	return okA && j.Flags&JointGoneA != 0 || okB && j.Flags&JointGoneB != 0
}

// replaceJoints puts the joints of part in the place of those that s has among
// the bodies of part, or between one of them and the world. It allocates: it
// is for corrections, not for every tick.
func (s *State) replaceJoints(part *State) {
	inPart, here := keyIndex(part.Bodies), keyIndex(s.Bodies)
	s.Joints = slices.DeleteFunc(s.Joints, func(j Joint) bool {
		_, okA := inPart.find(j.KeyA)
		_, okB := inPart.find(j.KeyB)
		_, other := part.FindJoint(j.Key) // under its key, part may tie others
		return other || (okA || j.Flags&JointGoneA != 0) && (okB || j.KeyB == 0 || j.Flags&JointGoneB != 0) ||
			inPart.bringsBackEnd(&j)
	})
	for i := range part.Joints {
		if !here.bringsBackEnd(&part.Joints[i]) {
			s.placeJoint(part.Joints[i], here.find)
		}
	}
	slices.SortFunc(s.Joints, compareJoints)
}
