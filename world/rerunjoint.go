package world

import "github.com/hindcast/hindcast/world/physics"

// A joint is a value of the slot of the object that it belongs to, like its
// fields and its body: it is kept, restored and compared with that slot. The
// impulses of a joint change with the bodies that it ties, so an object whose
// joint ties a dirty object is dirty. Where a joint differs, the physics step
// begins differently for its bodies.

// ties reports whether an object has a joint now, or in entry i of the history.
func (p *PartialRerun) ties(after *undoLog, i int) bool {
	if _, ok := after.joint(i); ok {
		return true
	}
	_, ok := p.w.Now.joint(after.object(i).ID)
	return ok
}

// wantJoints wants the objects of joints that ended, now or in the history.
func (p *PartialRerun) wantJoints(breaks []JointBreak) {
	for i := range breaks {
		if slot, ok := p.w.Find(breaks[i].Joint); ok {
			p.want(slot, FromJoint, p.breakCause(&breaks[i]))
		}
	}
}

// addTied collects the slots with which the step begins differently from the
// history: the dirty objects, and those that their joints tie or tied.
func (p *PartialRerun) addTied() {
	f := &p.former
	f.changed = append(f.changed[:0], p.diff.listBefore()...)
	now, then := p.w.Now, &p.tick.State
	if len(now.Physics.Joints)+len(then.Physics.Joints)+len(f.jointBreaks) == 0 {
		return
	}
	for _, slot := range p.diff.listBefore() {
		id := p.slots.id(slot)
		if j, ok := now.joint(id); ok {
			p.addEnds(j.KeyA, j.KeyB)
		}
		if j, ok := then.joint(id); ok {
			p.addEnds(j.KeyA, j.KeyB)
		}
	}
	for i := range f.jointBreaks {
		e := &f.jointBreaks[i]
		if slot, ok := p.slots.find(e.key); ok && p.diff.differed(int32(slot)) {
			p.addEnds(uint64(e.A), uint64(e.B))
		}
	}
}

// addEnds adds the bodies that a joint ties, except those that are not dynamic.
// If neither is dynamic it adds both: otherwise nothing would look at the joint.
func (p *PartialRerun) addEnds(a, b uint64) {
	if free := p.addEnd(a, true); !p.addEnd(b, true) && !free {
		p.addEnd(a, false)
		p.addEnd(b, false)
	}
}

// addEnd reports whether a body is dynamic or does not exist. If so, or if free
// does not ask for that, it adds the body.
func (p *PartialRerun) addEnd(key uint64, free bool) bool {
	slot, ok := p.slots.find(key)
	if !ok || free && !p.isFree(slot) {
		return false
	}
	if !p.diff.differed(int32(slot)) {
		p.former.changed = append(p.former.changed, int32(slot))
	}
	return true
}

// isFree reports whether the body in a slot is dynamic or does not exist.
func (p *PartialRerun) isFree(slot int) bool {
	if slot >= len(p.w.Now.Objects) {
		return true
	}
	b := p.w.Now.Body(slot)
	return b.Key == 0 || p.w.Schema().Defs[b.Def].Type == physics.Dynamic
}

// spreadToJoints makes the objects dirty whose joints tie a dirty object.
func (p *PartialRerun) spreadToJoints() {
	w := p.w
	for i := range w.Now.Physics.Joints {
		j := &w.Now.Physics.Joints[i]
		if !p.isDirty(j.KeyA) && !p.isDirty(j.KeyB) {
			continue
		}
		if slot, ok := w.Find(ObjectID(j.Key)); ok {
			p.diff.add(int32(slot), w.Now.Body(slot))
		}
	}
}

func (p *PartialRerun) isDirty(key uint64) bool {
	slot, ok := p.slots.find(key)
	return ok && p.diff.has(int32(slot))
}

// addLostJoints makes the objects dirty that have no joint now and had one in
// the former state.
func (p *PartialRerun) addLostJoints() {
	joints := p.former.state.Physics.Joints
	for i := range joints {
		key := joints[i].Key
		if _, ok := p.w.Now.Physics.FindJoint(key); ok {
			continue
		}
		if slot, ok := p.w.Find(ObjectID(key)); ok {
			p.addFormer(int32(slot))
		}
	}
}
