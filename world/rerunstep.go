package world

import (
	"slices"

	"github.com/hindcast/hindcast/world/physics"
)

// Step moves the bodies that can move otherwise than in the history. The state
// before the tick is then as it was, and the tick goes on in the one after it.
func (p *PartialRerun) Step() {
	w, t := p.w, p.tick
	p.unwind()
	p.before, p.dirty = p.dirty, p.before
	p.dirty.reset()
	for _, slot := range p.before.list {
		p.carry(slot)
	}
	p.parted = p.partings(p.parted[:0])
	p.addTied()
	part := w.solver.StepPart(&w.Now.Physics, &t.State.Physics, &t.Trace.steps, p.changed, w.schema.Defs, w.params())
	t.State.grow(max(len(t.State.Objects), len(t.State.Physics.Bodies))) // StepPart left as many bodies as there were before the tick
	for _, slot := range part.Changed {
		if p.dirty.add(slot) {
			p.remember(slot, t.State.Body(int(slot)))
		}
	}
	for i := range part.Moved {
		p.remember(part.Moved[i].Slot, &part.Moved[i].Was)
	}
	p.Solved, p.Whole, p.stirred = part.Solved, part.Whole, append(p.stirred[:0], part.Events...)
	p.whyPushed()
	w.undo.putBack(w.Now, 0)
	w.Now.Tick--
	w.Now, w.undoing = &t.State, false
	w.undo.reset(w.Now.Stride)
	w.growActing()
	w.collectContacts(t.Trace.steps.Events())
	w.collectPartings(t.Trace.steps.JointEvents())
	p.spreadToJoints()
}

// unwind takes the state after the tick back to what the history had after its
// physics step.
func (p *PartialRerun) unwind() {
	t, schema := p.tick, p.w.schema
	p.takeBackPuts()
	t.Trace.removals.comeBack(&t.State)
	p.formerRemovals, t.Trace.removals = t.Trace.removals, p.formerRemovals
	t.Trace.ended.putBack(&t.State, 0)
	for i := schema.RemovalBlock(); i >= schema.ContactBlock(); i-- {
		t.Trace.blocks[i].before.putBack(&t.State, 0)
	}
}

// carry gives a slot, in the state after the tick, the object and fields that
// it has before the physics step, and notes whether they differ from the
// history's.
func (p *PartialRerun) carry(slot int32) {
	now, then := p.w.Now, &p.tick.State
	now.grow(int(slot) + 1)
	then.grow(int(slot) + 1)
	o, was := now.Objects[slot], then.Objects[slot]
	if p.odd.has(slot) || o != was || !sameWords(now.Row(int(slot)), then.Row(int(slot))) {
		p.dirty.add(slot)
		if differentShape(&o, &was) {
			p.shape.add(slot)
		}
	}
	then.set(int(slot), o)
	copy(then.Row(int(slot)), now.Row(int(slot)))
}

// End ends the tick. Clean and Dirty then tell of the state after it.
func (p *PartialRerun) End() {
	w := p.w
	w.End()
	p.formerRemovals.without(&w.trace.removals, p.tellNeighbour, w.slots.find)
	w.trace.removals.without(&p.formerRemovals, p.tellNeighbour, w.slots.find)
	p.spreadToJoints()
	p.whyRest()
	p.noteSeen()
	p.dropShapes()
}

// tellNeighbour marks one who touched, or was tied to, somebody who went in the
// history and did not go now, or the other way round.
func (p *PartialRerun) tellNeighbour(slot int32) {
	if slot < 0 {
		return
	}
	w := p.w
	o, b := &w.Now.Objects[slot], w.Now.Body(int(slot))
	if o.ID == 0 || b.Key != 0 && w.schema.Defs[b.Def].Type != physics.Dynamic {
		return
	}
	if p.dirty.add(slot) {
		p.remember(slot, b)
	}
}

// dropShapes forgets the shapes of those who do not differ any more.
func (p *PartialRerun) dropShapes() {
	left := p.shape.list
	p.shape.reset()
	for _, slot := range left {
		if p.dirty.has(slot) {
			p.shape.add(slot)
		}
	}
}

// Rerun prepares a tick to be run again as a whole: run it with the World,
// from Begin to End, then call Compare.
func (p *PartialRerun) Rerun(from, tick *HistoryEntry, schema *Schema) {
	p.from, p.tick = from, tick
	p.provenance.enter(p.dirty.list)
	p.old.CopyFrom(&tick.State)
	tick.State.CopyFrom(&from.State)
	p.w.Enter(&tick.State, &tick.Trace, schema)
}

// Compare finds what a tick that was run whole made otherwise than before.
func (p *PartialRerun) Compare() {
	old, now := &p.old, &p.tick.State
	p.dirty.reset()
	p.shape.reset()
	p.crowd = !slices.Equal(old.Players, now.Players)
	if old.Bundle != now.Bundle || old.Stride != now.Stride {
		p.crowd = true // nothing can be compared
		p.noteSeen()
		return
	}
	p.compareOld()
	p.whyWhole()
	p.noteSeen()
}

// compareOld finds who differs between old and the state after the tick.
func (p *PartialRerun) compareOld() {
	old, now := &p.old, &p.tick.State
	n := max(len(old.Objects), len(now.Objects))
	old.grow(n)
	now.grow(n)
	for slot := range n {
		a, b := &old.Objects[slot], &now.Objects[slot]
		if a.ID == 0 && b.ID == 0 || *a == *b && sameWords(old.Row(slot), now.Row(slot)) {
			continue
		}
		p.differ(int32(slot))
		if differentShape(a, b) {
			p.shape.add(int32(slot))
		}
	}
	p.changed = physics.Changed(&old.Physics, &now.Physics, p.w.schema.Defs, p.w.slots.find, p.changed[:0])
	for _, slot := range p.changed {
		p.differ(slot)
	}
	p.missJoints()
	p.spreadToJoints()
}

// missJoints notes those whose joint in p.old is not there now: it is a value of theirs.
func (p *PartialRerun) missJoints() {
	for i := range p.old.Physics.Joints {
		key := p.old.Physics.Joints[i].Key
		if _, ok := p.w.Now.Physics.FindJoint(key); ok {
			continue
		}
		if slot, ok := p.w.Find(ObjectID(key)); ok {
			p.differ(int32(slot))
		}
	}
}

// differ notes that a slot differs from p.old. Of who differed from the history
// already it is known where he was in that.
func (p *PartialRerun) differ(slot int32) {
	if p.dirty.add(slot) {
		p.remember(slot, p.old.Body(int(slot)))
	}
}
