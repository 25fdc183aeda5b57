package world

import "github.com/hindcast/hindcast/world/physics"

// rerunJoints carries differences along joints.
//
// A joint is a value of the slot of the object that it belongs to, like its fields and
// its body: it is kept, restored and compared with that slot. The impulses of a joint
// change with its bodies, so an object whose joint connects a dirty object is dirty. If
// a joint differs, the physics step begins differently for its bodies.
type rerunJoints struct {
	at   rerunWorld // the world that runs the tick
	diff *difference

	breaks []JointBreak // of the physics step in the history
	begins []int32      // slots with which the physics step begins differently
}

// formerBreaks returns the joint breaks that the history has.
func (j *rerunJoints) formerBreaks() []JointBreak { return j.breaks }

// changed returns the slots with which the step of a tick begins differently from the
// history: the dirty objects, and those that their joints connect or connected.
func (j *rerunJoints) changed(w *World, tick *HistoryEntry) []int32 {
	w.collectJointBreaks(tick.Trace.physics().JointEvents())
	j.breaks = append(j.breaks[:0], w.JointBreaks()...)
	j.begins = append(j.begins[:0], j.diff.objectsBefore().Slots()...)
	j.addTied(j.at.now(), &tick.State)
	return j.begins
}

// addTied adds the objects that the joints of dirty objects connect now, or connected
// in the history.
func (j *rerunJoints) addTied(now, then *State) {
	if len(now.Physics.Joints)+len(then.Physics.Joints)+len(j.breaks) == 0 {
		return
	}
	j.addGone(now)
	for _, slot := range j.diff.objectsBefore().Slots() {
		id := j.at.id(slot)
		if of, ok := now.joint(id); ok {
			j.addEnds(of.KeyA, of.KeyB)
		}
		if of, ok := then.joint(id); ok {
			j.addEnds(of.KeyA, of.KeyB)
		}
	}
	for i := range j.breaks {
		e := &j.breaks[i]
		if slot, ok := j.at.find(e.key); ok && j.diff.objectsBefore().Has(int32(slot)) {
			j.addEnd(uint64(e.A), false)
			j.addEnd(uint64(e.B), false)
		}
	}
}

// addGone adds the body that is left of each joint of a dirty object that has lost the other one, whatever its type:
// the step ends the joint.
func (j *rerunJoints) addGone(now *State) {
	for i := range now.Physics.Joints {
		of := &now.Physics.Joints[i]
		if !of.Gone() {
			continue
		}
		if slot, ok := j.at.find(of.Key); ok && j.diff.objectsBefore().Has(int32(slot)) {
			j.addEnd(of.KeyA, false)
			j.addEnd(of.KeyB, false)
		}
	}
}

// addEnds adds the bodies of a joint, except those that are not dynamic. If neither is
// dynamic it adds both: otherwise nothing would check the joint.
func (j *rerunJoints) addEnds(a, b uint64) {
	if free := j.addEnd(a, true); !j.addEnd(b, true) && !free {
		j.addEnd(a, false)
		j.addEnd(b, false)
	}
}

// addEnd reports whether a body is dynamic or does not exist. If so, or if free
// does not ask for that, it adds the body.
func (j *rerunJoints) addEnd(key uint64, free bool) bool {
	slot, ok := j.at.find(key)
	if !ok || free && !j.isFree(slot) {
		return false
	}
	if !j.diff.objectsBefore().Has(int32(slot)) {
		j.begins = append(j.begins, int32(slot))
	}
	return true
}

// isFree reports whether the body in a slot is dynamic or does not exist.
func (j *rerunJoints) isFree(slot int) bool {
	if slot >= len(j.at.now().Objects) {
		return true
	}
	b := j.at.now().Body(slot)
	return b.Key == 0 || j.at.schema().Defs[b.Def].Type == physics.Dynamic
}

// differ makes the objects dirty to which the joints with some keys belong, because the step made
// these joints different or ended them. after is the state after the step.
func (j *rerunJoints) differ(keys []uint64, after *State) {
	for _, key := range keys {
		if slot, ok := j.at.find(key); ok {
			j.diff.add(int32(slot), after.Body(slot))
		}
	}
}

// spread makes the objects dirty whose joints connect a dirty object.
func (j *rerunJoints) spread() {
	now := j.at.now()
	for i := range now.Physics.Joints {
		of := &now.Physics.Joints[i]
		if !j.isDirty(of.KeyA) && !j.isDirty(of.KeyB) {
			continue
		}
		if slot, ok := j.at.find(of.Key); ok {
			now.grow(slot + 1) // a proxy that is gone may have left its joint
			j.diff.add(int32(slot), now.Body(slot))
		}
	}
}

func (j *rerunJoints) isDirty(key uint64) bool {
	slot, ok := j.at.find(key)
	return ok && j.diff.has(int32(slot))
}
