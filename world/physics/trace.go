package physics

// Trace is what Record keeps of a Step, so that it can be repeated in part: where its
// bodies could be, which bodies were solved together, and the events.
// The caller keeps one for each step that it may want to redo. It is flat, about
// 50 bytes a slot, and keeps its memory from Record to Record.
type Trace struct {
	bodies  tracedBodies
	rings   rings
	events  stepEvents
	pairs   int  // that the step looked at, or more: StepPart adds those of each part
	crowded bool // and there were more than it looks at
}

// Events returns which bodies began and ceased to touch, like Solver.Events.
func (t *Trace) Events() (begins, ends []Event) { return t.events.begins, t.events.ends }

// Hits returns the hits, as Solver.Hits does.
func (t *Trace) Hits() []Event { return t.events.hits }

// JointEvents returns the joints that ended, as Solver.JointEvents does.
func (t *Trace) JointEvents() []JointEvent { return t.events.broken }

// CopyFrom makes t equal to src in the memory that t has.
func (t *Trace) CopyFrom(src *Trace) {
	t.bodies.copyFrom(&src.bodies)
	t.rings = append(t.rings[:0], src.rings...)
	t.events = t.events.copyOf(&src.events)
	t.pairs, t.crowded = src.pairs, src.crowded
}

// Bytes returns the memory that the trace holds.
func (t *Trace) Bytes() int { return t.bodies.bytes() + len(t.rings)*4 + t.events.bytes() }

// happened returns all of its events.
func (t *Trace) happened() *stepEvents { return &t.events }

// content returns the bodies, and which of them were solved together.
func (t *Trace) content() (bodies *tracedBodies, tied rings) { return &t.bodies, t.rings }

// begin drops the data of the previous step, for n slots.
func (t *Trace) begin(n int) {
	t.bodies.reset()
	t.rings = t.rings[:0]
	t.grow(n)
}

// grow adds free slots, to n.
func (t *Trace) grow(n int) {
	t.bodies.grow(n)
	t.rings.grow(n)
}

// finish ends a record of all, with the pairs that the step looked at and its events.
func (t *Trace) finish(pairs int, crowded bool, events *stepEvents) {
	t.pairs, t.crowded = pairs, crowded
	t.events = t.events.copyOf(events)
}

// finishPart ends the record of a part, with the pairs that its step looked at.
func (t *Trace) finishPart(pairs int) { t.pairs += pairs }

// wasCrowded reports whether the recorded step did not look at all pairs.
func (t *Trace) wasCrowded() bool { return t.crowded }

// overcrowded reports whether a step of all might not look at all pairs: those
// that the recorded one looked at, and those of the part, which by has found. Which
// pairs are left out then depends on all bodies.
func (t *Trace) overcrowded(by *stepper) bool { return by.overcrowds(t.pairs) }

// check asserts that the parts of the trace are consistent.
func (t *Trace) check() {
	t.bodies.check()
	t.rings.check()
}

// rings say which dynamic bodies were solved together: by slot, the next one of them,
// itself if it was alone.
type rings []int32

// grow adds slots that are alone, to n.
func (r *rings) grow(n int) {
	from := len(*r)
	if n <= from {
		return
	}
	*r = resizeKeep(*r, n)
	for slot := from; slot < n; slot++ {
		(*r)[slot] = int32(slot)
	}
}

// after returns the next slot of a ring.
func (r rings) after(slot int32) int32 { return r[slot] }

// part makes each of some slots alone, which are all of their rings.
func (r rings) part(slots []int32) {
	for _, slot := range slots {
		r[slot] = slot
	}
}

// join makes one ring of two, of which a and b are members, by swapping one link of
// each.
func (r rings) join(a, b int32) { r[a], r[b] = r[b], r[a] }

// check asserts that each slot is in one ring.
func (r rings) check() {
	if !distinct(r, len(r)) {
		violated("rings that are not closed: %v", []int32(r))
	}
}
