package world

import (
	"github.com/hindcast/hindcast/world/physics"
)

// Step moves the bodies that can move differently from the history. Then the
// state before the tick is as it was, and the tick goes on in the state after it.
func (p *PartialRerun) Step() {
	w, t := p.w, p.tick
	if w.Check {
		assert(w.isBeforeStep(), "tick %d has had its physics step", t.State.Tick)
	}
	p.takeBackUpdates()
	t.Trace.takeBackEnd(&t.State, w.Schema(), &p.former.removals)
	p.diff.step()
	for _, slot := range p.diff.listBefore() {
		p.carry(slot)
	}
	w.collectJointBreaks(t.Trace.physics().JointEvents())
	p.former.jointBreaks = append(p.former.jointBreaks[:0], w.JointBreaks()...)
	p.addTied()
	step := w.stepPartial(&t.State, p.former.changed)
	t.State.grow(max(len(t.State.Objects), len(t.State.Physics.Bodies))) // the step left as many bodies as there were before the tick
	for _, slot := range step.Changed {
		p.diff.add(slot, t.State.Body(int(slot)))
	}
	for i := range step.Moved {
		p.diff.remember(step.Moved[i].Slot, &step.Moved[i].Was)
	}
	p.Solved, p.Whole, p.former.stirred = step.Solved, step.Whole, append(p.former.stirred[:0], step.Events...)
	p.pushedCause()
	w.enterAfterStep(&t.State)
	p.spreadToJoints()
}

// carry gives a slot, in the state after the tick, the object and the fields that
// it has before the physics step, and makes it dirty if they differ from the
// history.
func (p *PartialRerun) carry(slot int32) {
	now, then := p.w.Now, &p.tick.State
	now.grow(int(slot) + 1)
	then.grow(int(slot) + 1)
	o, was := now.Objects[slot], then.Objects[slot]
	if p.odd.has(slot) || o != was || !sameWords(now.Row(int(slot)), then.Row(int(slot))) {
		p.diff.addKnown(slot)
		p.diff.compareShape(slot, &o, &was)
	}
	then.set(int(slot), o)
	copy(then.Row(int(slot)), now.Row(int(slot)))
}

// End ends the tick. Clean and Dirty then describe the state after it.
func (p *PartialRerun) End() {
	p.w.End()
	removed := p.tick.Trace.tickEnd().removed()
	p.former.removals.without(removed, p.addNeighbour, p.slots.find)
	removed.without(&p.former.removals, p.addNeighbour, p.slots.find)
	p.spreadToJoints()
	p.restCause()
	p.notePoses()
	p.diff.dropShapes()
}

// addNeighbour makes an object dirty that touched, or was tied to, an object that
// was removed in the history and was not now, or the other way round.
func (p *PartialRerun) addNeighbour(slot int32) {
	if slot < 0 {
		return
	}
	w := p.w
	o, b := &w.Now.Objects[slot], w.Now.Body(int(slot))
	if o.ID == 0 || b.Key != 0 && w.Schema().Defs[b.Def].Type != physics.Dynamic {
		return
	}
	p.diff.add(slot, b)
}

// Rerun prepares a tick to be run again as a whole: run it with the World, from
// Begin to End, then call Compare.
func (p *PartialRerun) Rerun(from, tick *HistoryEntry, schema *Schema) {
	p.from, p.tick = from, tick
	p.provenance.enterWhole(p.diff.list())
	p.former.state.CopyFrom(&tick.State)
	tick.State.CopyFrom(&from.State)
	p.w.Enter(&tick.State, &tick.Trace, schema)
}

// Compare finds what a tick that was run as a whole made different.
func (p *PartialRerun) Compare() {
	old, now := &p.former.state, &p.tick.State
	p.diff.reset()
	p.diff.comparePlayers(old, now)
	if old.Bundle != now.Bundle || old.Stride != now.Stride {
		p.diff.setAll() // nothing can be compared
		p.notePoses()
		return
	}
	p.compareState()
	p.wholeCause()
	p.notePoses()
}

// compareState makes the objects dirty that differ between the former state and
// the state after the tick.
func (p *PartialRerun) compareState() {
	old, now := &p.former.state, &p.tick.State
	n := max(len(old.Objects), len(now.Objects))
	old.grow(n)
	now.grow(n)
	for slot := range n {
		a, b := &old.Objects[slot], &now.Objects[slot]
		if a.ID == 0 && b.ID == 0 || *a == *b && sameWords(old.Row(slot), now.Row(slot)) {
			continue
		}
		p.addFormer(int32(slot))
		p.diff.compareShape(int32(slot), a, b)
	}
	p.former.changed = physics.Changed(&old.Physics, &now.Physics, p.w.Schema().Defs, p.slots.find, p.former.changed[:0])
	for _, slot := range p.former.changed {
		p.addFormer(slot)
	}
	p.addLostJoints()
	p.spreadToJoints()
}

// addFormer makes an object dirty that differs from the former state. Of an object
// that was dirty already it is known where it was in the history.
func (p *PartialRerun) addFormer(slot int32) { p.diff.add(slot, p.former.state.Body(int(slot))) }
