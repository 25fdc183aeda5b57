package world

import "github.com/hindcast/hindcast/world/physics"

// formerState is the state that the history had after a tick, while a new one replaces
// it: because the tick was run as a whole, or because a committed state was applied.
type formerState struct {
	at     rerunWorld // the world that runs the tick
	diff   *difference
	joints *rerunJoints

	state  State
	bodies []int32 // slots of the bodies that differ
}

// keep keeps the state of the history.
func (f *formerState) keep(s *State) { f.state.CopyFrom(s) }

// compareRooms notes whether the room as a whole differs now. It returns false if
// the objects cannot be compared.
func (f *formerState) compareRooms() (comparable bool) {
	return f.diff.compareRooms(&f.state, f.at.now())
}

// compareLevels notes whether another level is in force now.
func (f *formerState) compareLevels() { f.diff.compareLevels(&f.state, f.at.now()) }

// compare makes objects dirty that differ now.
func (f *formerState) compare() {
	old, now := &f.state, f.at.now()
	n := max(len(old.Objects), len(now.Objects))
	old.grow(n)
	now.grow(n)
	for slot := range n {
		a, b := &old.Objects[slot], &now.Objects[slot]
		if a.ID == 0 && b.ID == 0 || *a == *b && old.Rows.same(slot, &now.Rows, slot) {
			continue
		}
		f.add(int32(slot))
		f.diff.compareShape(int32(slot), a, b)
	}
	f.bodies = physics.Changed(&old.Physics, &now.Physics, f.at.schema().Defs, f.at.find, f.bodies[:0])
	for _, slot := range f.bodies {
		f.add(slot)
	}
	f.addLostJoints()
	f.joints.spread()
}

// addLostJoints makes objects dirty that have no joint now and had one in the history.
func (f *formerState) addLostJoints() {
	joints := f.state.Physics.Joints
	for i := range joints {
		key := joints[i].Key
		if _, ok := f.at.now().Physics.FindJoint(key); ok {
			continue
		}
		if slot, ok := f.at.find(key); ok {
			f.add(int32(slot))
		}
	}
}

// add makes an object dirty. If it was dirty already, its body in the history is
// already kept. The object of a contact or joint that has ended may be in neither state.
func (f *formerState) add(slot int32) {
	f.state.grow(int(slot) + 1)
	f.at.now().grow(int(slot) + 1)
	f.diff.add(slot, f.state.Body(int(slot)))
}
