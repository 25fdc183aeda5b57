package world

// PartialRerun simulates ticks of a history again. In each tick it runs only the hooks
// and the physics that can come out differently, and corrects the history's states in
// place. They become bit-identical to those of running the whole ticks. The sequence of
// calls for one tick is that of a World:
//
//	p.Begin(before, tick, schema)         // two entries of the history
//	b := p.BeginBlock(i)
//	b.WantInput(slot)                     // for objects with another input
//	for slot, ok := b.Next(); ok; slot, ok = b.Next() { ... its hook of this block ... }
//	b.End()
//	p.Step(); ... the blocks of contacts and removals ...; p.End()
//
// An object is run again in a block when it is dirty (it differs from the history) and
// the block concerns it, when its input differs, when its hook read something that
// differs, when one of its contacts differs, or when an object that is run again
// changes it, or did in the history. All others get the values that they had in the
// trace after the block.
type PartialRerun struct {
	w      *World
	diff   difference
	why    RerunProvenance
	past   changedPast
	joints rerunJoints
	block  RerunBlock
	ends   rerunEnd
	former formerState

	tick    *HistoryEntry
	stirred []int32 // slots whose contacts differ
	ran     SlotSet // objects run again in this tick
	odd     SlotSet // objects whose activity in this tick differs from the history: random numbers, spawns, owners

	Solved int  // bodies that the physics step moved again
	Whole  bool // it moved all bodies
}

// NewPartialRerun makes a PartialRerun that works with w, to which all states of
// the history belong.
func NewPartialRerun(w *World) *PartialRerun {
	at := rerunWorld{w}
	p := &PartialRerun{w: w, diff: difference{at: at}}
	diff, why, joints := &p.diff, &p.why, &p.joints
	p.why = RerunProvenance{at: at, diff: diff}
	p.past = changedPast{at: at, diff: diff}
	p.joints = rerunJoints{at: at, diff: diff}
	p.block = RerunBlock{w: w, diff: diff, why: why, past: &p.past, ran: &p.ran, odd: &p.odd}
	p.ends = rerunEnd{at: at, diff: diff, why: why}
	p.former = formerState{at: at, diff: diff, joints: joints}
	p.ran.reset()
	return p
}

// Clear starts a rewind: nothing differs from the history.
func (p *PartialRerun) Clear() {
	p.diff.reset()
	p.why.clear()
	p.w.clearNeedsWhole()
	p.past.reset()
}

// Clean reports whether nothing differs from the history after the last tick.
func (p *PartialRerun) Clean() bool {
	return p.Dirty().Len() == 0 && !p.diff.all() && !p.w.needsWhole()
}

// Failed reports whether the last tick, and all that follow, can be run only as
// whole ticks.
func (p *PartialRerun) Failed() bool { return p.w.needsWhole() }

// Dirty returns the objects that differ from the history after the last tick, in
// no order.
func (p *PartialRerun) Dirty() *SlotSet { return p.diff.objects() }

// Ran returns the objects that had hooks run again in the last tick.
func (p *PartialRerun) Ran() *SlotSet { return &p.ran }

// Provenance returns how the dirty objects came to differ.
func (p *PartialRerun) Provenance() *RerunProvenance { return &p.why }

// CanRun reports whether a tick of the history can be run again in part, with
// what differs after from, the entry before it. Ticks with events other than
// inputs cannot, nor ticks in which the room is nearly full.
func (p *PartialRerun) CanRun(from, tick *HistoryEntry) bool {
	return !p.diff.all() && !p.w.needsWhole() && !tick.Trace.onlyWhole() && !p.w.crowded(from, tick)
}

// ReadsChangedPast reports whether a hook of the tick read poses that this rewind
// has changed. Then the tick is run again even if no object is dirty.
func (p *PartialRerun) ReadsChangedPast(tick *HistoryEntry) bool { return p.past.readBy(&tick.Trace) }

// Begin enters the tick after from. The objects that differ in from are known from the
// previous tick.
func (p *PartialRerun) Begin(from, tick *HistoryEntry, schema *Schema) {
	p.tick = tick
	if p.w.Check {
		assert(from.State.Tick+1 == tick.State.Tick, "tick %d is run again after tick %d", tick.State.Tick,
			from.State.Tick)
		assert(p.CanRun(from, tick), "tick %d can be run again only as a whole", tick.State.Tick)
	}
	p.w.beginPartial(&from.State, &tick.Trace, schema)
	p.ran.reset()
	p.odd.reset()
	p.Solved, p.Whole = 0, false
	p.diff.readAhead(&from.State, &tick.State)
}

// BeginBlock is World.BeginBlock. It finds the objects that are run again. The
// RerunBlock is valid until the next call.
func (p *PartialRerun) BeginBlock(i int) *RerunBlock {
	p.w.BeginBlock(i)
	p.block.begin()
	if i == p.w.Schema().ContactBlock() {
		p.block.wantTouched(p.stirred)
		p.block.wantJoints(p.joints.formerBreaks())
		p.block.wantJoints(p.w.JointBreaks())
	}
	p.block.wantReaders()
	return &p.block
}

// Step moves the bodies that can move differently from the history. Then the state
// before the tick is unchanged, and the tick continues in the state after it.
func (p *PartialRerun) Step() {
	w, t := p.w, p.tick
	if w.Check {
		assert(w.isBeforeStep(), "tick %d has had its physics step", t.State.Tick)
	}
	p.ends.takeBack(t)
	p.diff.step()
	for _, slot := range p.diff.objectsBefore().Slots() {
		p.carry(slot)
	}
	step := w.stepPartial(&t.State, p.joints.changed(w, t))
	t.State.grow(
		max(len(t.State.Objects), len(t.State.Physics.Bodies)),
	) // the step left as many bodies as there were before the tick
	for _, slot := range step.Changed {
		p.diff.add(slot, t.State.Body(int(slot)))
	}
	p.joints.differ(step.Joints, &t.State)
	for i := range step.Moved {
		p.diff.remember(step.Moved[i].Slot, &step.Moved[i].Was)
	}
	p.Solved, p.Whole, p.stirred = step.Solved, step.Whole, append(p.stirred[:0], step.Events...)
	p.why.pushed()
	w.enterAfterStep(&t.State)
	for _, key := range step.Gone { // the object may have another body since
		if slot, ok := w.Find(ObjectID(key)); ok {
			p.stirred = append(p.stirred, int32(slot))
		}
	}
	p.joints.spread()
}

// carry gives a slot, in the state after the tick, the object and the fields that
// it has before the physics step, and makes it dirty if they differ from the
// history.
func (p *PartialRerun) carry(slot int32) {
	now, then := p.w.Now, &p.tick.State
	now.grow(int(slot) + 1)
	then.grow(int(slot) + 1)
	o, was := now.Objects[slot], then.Objects[slot]
	if p.odd.Has(slot) || o != was || !now.Rows.same(int(slot), &then.Rows, int(slot)) {
		p.diff.addKnown(slot)
		p.diff.compareShape(slot, &o, &was)
	}
	then.set(int(slot), o)
	then.Rows.copy(int(slot), &now.Rows, int(slot))
}

// End ends the tick. Clean and Dirty then describe the state after it.
func (p *PartialRerun) End() {
	p.w.endPartial()
	p.ends.compareRemovals(p.tick)
	p.joints.spread()
	p.why.rest()
	p.past.note()
	p.diff.dropShapes()
}

// BeginWhole prepares a tick to be run again as a whole: run it with the World,
// from Begin to End, then call EndWhole.
func (p *PartialRerun) BeginWhole(from, tick *HistoryEntry, schema *Schema) {
	p.tick = tick
	p.why.beginWhole(&from.State)
	p.former.keep(&tick.State)
	tick.State.CopyFrom(&from.State)
	p.w.Enter(&tick.State, &tick.Trace, schema)
}

// EndWhole finds the objects that a tick that was run as a whole made different.
func (p *PartialRerun) EndWhole() {
	p.diff.reset()
	if p.former.compareRooms() {
		p.former.compare()
		p.why.endWhole(&p.tick.Trace)
	}
	p.past.note()
}

// Reopen goes back to the end of a tick of the history for ApplyProxies, if nothing
// else in the tick is run again.
func (p *PartialRerun) Reopen(tick *HistoryEntry, schema *Schema) {
	p.tick = tick
	p.w.Enter(&tick.State, &tick.Trace, schema)
	p.ends.takeBackUpdates(tick)
	p.ran.reset()
	p.Solved, p.Whole = 0, false
}

// ApplyProxies applies all proxy updates of the tick, and finds the objects that differ
// from the history.
func (p *PartialRerun) ApplyProxies(updates []ProxyUpdate) {
	n := p.Dirty().Len()
	p.ends.applyUpdates(p.w, p.tick, updates)
	p.why.replaced(n)
	n = p.Dirty().Len()
	p.joints.spread()
	p.why.joined(n)
	p.past.note()
}

// ApplyCommitted is World.ApplyCommitted at the end of a tick. It finds which
// objects differ from the history then. The tick must not be run again after it.
func (p *PartialRerun) ApplyCommitted(with Committed) {
	n := p.Dirty().Len()
	p.former.keep(p.w.Now)
	p.w.ApplyCommitted(with)
	p.former.compare()
	p.former.compareLevels()
	p.why.replaced(n)
	p.past.note()
}
