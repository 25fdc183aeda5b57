package world

import "github.com/hindcast/hindcast/world/physics"

// This file has the methods of World for a PartialRerun.

// rerunWorld is a World as the parts of a PartialRerun see it: the state and the schema of the tick that runs, where
// objects are, and which block runs.
type rerunWorld struct{ w *World }

// now returns the state that is moved.
func (r rerunWorld) now() *State { return r.w.Now }

// schema returns the schema in force.
func (r rerunWorld) schema() *Schema { return r.w.schema }

// find returns the slot of an object in all states of the history; ok is false if it has none.
func (r rerunWorld) find(key uint64) (slot int, ok bool) { return r.w.slots.find(key) }

// id returns the object that has a slot.
func (r rerunWorld) id(slot int32) ObjectID { return r.w.slots.id(slot) }

// block returns the block that runs, -1: none.
func (r rerunWorld) block() int { return r.w.rec.present() }

// enterBlock makes a block the one that runs; -1: none.
func (r rerunWorld) enterBlock(i int) { r.w.rec.at(i) }

// beginPartial enters the tick after s, which a partial rerun runs. Until stepPartial
// the World changes s; stepPartial undoes that.
func (w *World) beginPartial(s *State, trace *Trace, schema *Schema) {
	w.Enter(s, trace, schema)
	w.Now.Tick++
	w.clearTick()
	w.progress.beginPartial()
	w.log.reset(w.Now.Rows.Stride)
	w.pending.begin()
}

// stepPartial moves the bodies that can move differently from the history, and
// continues in next, the state after the tick. changed are the slots with which the
// step begins differently.
func (w *World) stepPartial(next *State, changed []int32) physics.PartialRerun {
	steps, _ := w.rec.steps()
	w.solver.Check = w.Check
	return w.solver.StepPart(&w.Now.Physics, &next.Physics, steps, changed, w.Schema().Defs, w.params(), bodyFetcher{w})
}

// enterAfterStep undoes the changes of the orders in the state before the tick, and
// continues in next, the state after it.
func (w *World) enterAfterStep(next *State) {
	w.log.takeBack(w.Now)
	w.Now.Tick--
	w.Now = next
	w.progress.stepped()
	w.log.reset(w.Now.Rows.Stride)
	w.growActing()
	w.collectStep()
}

// collectStep takes the contacts and joint breaks from the record of the step.
func (w *World) collectStep() {
	steps, _ := w.rec.steps()
	w.outcome.putContacts(steps.Events())
	w.outcome.putJointBreaks(steps.JointEvents())
}

// collectJointBreaks replaces the joints that ended in this tick.
func (w *World) collectJointBreaks(events []physics.JointEvent) { w.outcome.putJointBreaks(events) }

// inherit gives a slot the values of the history after the present block. Before the
// physics step it defers that until the slot is read, because few are, unless the
// object has a joint: the step reads all joints.
func (w *World) inherit(after *undoLog, i int) {
	slot := int(after.list()[i])
	w.Now.grow(slot + 1)
	w.growActing()
	d := after.activityOf(i)
	*w.acting.of(slot) = *d
	if _, ok := d.newOwner(); ok {
		w.ending.hand(slot)
	}
	if after.object(i).Removed {
		w.ending.remove(slot)
	}
	if w.progress.isBeforeStep() && w.Now.Objects[slot].ID == after.object(i).ID && !w.ties(after, i) {
		w.pending.add(slot, w.rec.present(), i)
		return
	}
	w.fetch(int32(slot)) // it is no longer pending
	w.touch(slot)
	after.put(i, w.Now)
}

// ties reports whether the object of an entry has a joint now, or in the entry.
func (w *World) ties(after *undoLog, i int) bool {
	if _, ok := after.joint(i); ok {
		return true
	}
	_, ok := w.Now.joint(after.object(i).ID)
	return ok
}

// mend updates After of the present block to the present values of the objects in
// again.
func (w *World) mend(b *blockTrace, again *rerunQueue) {
	kept := 0
	for i, slot := range b.After.list() {
		if again.has(slot) {
			continue
		}
		if kept != i {
			b.After.move(kept, i)
			w.pending.moved(slot, w.rec.present(), kept)
		}
		kept++
	}
	b.After.cut(kept)
	for _, slot := range again.list() {
		if w.log.touched(slot) {
			b.After.take(w.Now, int(slot), *w.acting.of(int(slot)))
		}
	}
}

// endPartialBlock ends the present block.
func (w *World) endPartialBlock() {
	w.lookup.end()
	w.ops.cut(0)
	w.rec.at(-1)
}

// asked returns the operations on other objects that hooks have requested.
func (w *World) asked() []Op { return w.ops.all() }

// ask adds an operation that the history has.
func (w *World) ask(op *Op) { w.ops.add(op) }

// activityOf returns the activity of an object in the tick.
func (w *World) activityOf(slot int32) *activity { return w.acting.of(int(slot)) }

// hasHookNow reports whether the object in a slot exists and was not spawned in the
// present phase, in which it would have no hook.
func (w *World) hasHookNow(slot int32) bool {
	return int(slot) < len(w.Now.Objects) && w.Now.Objects[slot].ID != 0 &&
		w.acting.of(int(slot)).bornBefore(w.Schema().phase(w.rec.present()))
}

// hasHook reports whether the object in a slot exists, and its class has one of
// the hooks.
func (w *World) hasHook(slot int32, hooks HookSet) bool {
	if int(slot) >= len(w.Now.Objects) || w.Now.Objects[slot].ID == 0 {
		return false
	}
	class := w.Class(int(slot))
	return class.Hooks&hooks != 0 || class.Moves != nil && hooks.Has(Verify)
}

// makeRoom makes room for a slot.
func (w *World) makeRoom(slot int32) {
	w.Now.grow(int(slot) + 1)
	w.growActing()
}

// crowded reports whether the room is so full that the spawns of one object limit those
// of others.
func (w *World) crowded(from, tick *HistoryEntry) bool {
	return tick.Trace.spawned() >= min(Room(&from.State, w.Schema()), Room(&tick.State, w.Schema()))
}

// isBeforeStep reports whether a partial rerun has not come to its physics step.
func (w *World) isBeforeStep() bool { return w.progress.isBeforeStep() }

// needsWhole reports whether the last partial rerun found that the room may be
// full, or that a level begins when the tick ends. Then the state after the tick is neither that of the history nor
// that of the rerun.
func (w *World) needsWhole() bool { return w.progress.needsWhole() }

// clearNeedsWhole starts a rewind.
func (w *World) clearNeedsWhole() { w.progress.clearNeedsWhole() }

// endPartial ends a tick that was run in part.
func (w *World) endPartial() {
	w.End()
	w.progress.needWhole(w.LevelToCome())
}
