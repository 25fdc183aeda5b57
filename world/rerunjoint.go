package world

import "github.com/hindcast/hindcast/world/physics"

// How a Part deals with joints. A joint is a value of the slot of the object
// that it belongs to, beside its fields and its body: it is noted, undone and
// compared with that slot. Its impulses change with the bodies that it ties, so
// that who ties somebody dirty is dirty itself; and where the joint differs, the
// step begins otherwise for the bodies.

// ties reports whether an object has a joint now, or after a block of the
// history. Such a slot is given its values at once: StepPart reads all joints.
func (p *PartialRerun) ties(after *undoLog, i int) bool {
	if _, ok := after.joint(i); ok {
		return true
	}
	_, ok := p.w.Now.joint(after.at.Objects[i].ID)
	return ok
}

// partings are the joints that ended in the recorded step.
func (p *PartialRerun) partings(out []JointBreak) []JointBreak {
	p.w.collectPartings(p.tick.Trace.steps.JointEvents())
	return append(out, p.w.jointBreaks...)
}

// wantJoints wants the objects of joints that ended, now or in the history.
func (p *PartialRerun) wantJoints(parted []JointBreak) {
	for i := range parted {
		if slot, ok := p.w.Find(parted[i].Joint); ok {
			p.want(slot, FromJoint, p.ender(&parted[i]))
		}
	}
}

// addTied makes changed the slots of which the step begins otherwise than in
// the history: those who differ, and whom their joints tie or tied.
func (p *PartialRerun) addTied() {
	p.changed = append(p.changed[:0], p.before.list...)
	now, then := p.w.Now, &p.tick.State
	if len(now.Physics.Joints)+len(then.Physics.Joints)+len(p.parted) == 0 {
		return
	}
	for _, slot := range p.before.list {
		id := p.w.slots.ids[slot]
		if j, ok := now.joint(id); ok {
			p.addEnds(j.KeyA, j.KeyB)
		}
		if j, ok := then.joint(id); ok {
			p.addEnds(j.KeyA, j.KeyB)
		}
	}
	for i := range p.parted {
		e := &p.parted[i]
		if slot, ok := p.w.slots.find(e.key); ok && p.before.has(int32(slot)) {
			p.addEnds(uint64(e.A), uint64(e.B))
		}
	}
}

// addEnds adds the bodies that a joint ties to changed, but for those that are
// not dynamic. Where neither is, both: else nobody would look after the joint.
func (p *PartialRerun) addEnds(a, b uint64) {
	if free := p.addEnd(a, true); !p.addEnd(b, true) && !free {
		p.addEnd(a, false)
		p.addEnd(b, false)
	}
}

// addEnd reports whether a body is dynamic, or not there. If so, or if that is not
// asked for, it is added.
func (p *PartialRerun) addEnd(key uint64, free bool) bool {
	slot, ok := p.w.slots.find(key)
	if !ok || free && !p.isFree(slot) {
		return false
	}
	if !p.before.has(int32(slot)) {
		p.changed = append(p.changed, int32(slot))
	}
	return true
}

// isFree reports whether the body in a slot is dynamic, or not there.
func (p *PartialRerun) isFree(slot int) bool {
	if slot >= len(p.w.Now.Objects) {
		return true
	}
	b := p.w.Now.Body(slot)
	return b.Key == 0 || p.w.schema.Defs[b.Def].Type == physics.Dynamic
}

// spreadToJoints marks whose joints tie somebody who differs.
func (p *PartialRerun) spreadToJoints() {
	w := p.w
	for i := range w.Now.Physics.Joints {
		j := &w.Now.Physics.Joints[i]
		if !p.differs(j.KeyA) && !p.differs(j.KeyB) {
			continue
		}
		if slot, ok := w.Find(ObjectID(j.Key)); ok && p.dirty.add(int32(slot)) {
			p.remember(int32(slot), w.Now.Body(slot))
		}
	}
}

func (p *PartialRerun) differs(key uint64) bool {
	slot, ok := p.w.slots.find(key)
	return ok && p.dirty.has(int32(slot))
}
