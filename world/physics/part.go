package physics

// PartialRerun is the result of StepPart. Its slices belong to the Solver: the next StepPart overwrites
// them.
type PartialRerun struct {
	// Changed are the slots, ascending, whose body, or one of its contacts or joints, has
	// other bits in after than before. A body that is not dynamic is listed for its own bits
	// only, and two such for a contact between them.
	Changed []int32
	// Moved are those of Changed whose body has other bits, in no order.
	Moved []Moved
	// Joints are the keys of the joints that have other bits, are new, or are missing, in no
	// order. A key may occur twice.
	Joints []uint64
	// Events are the slots, ascending, of bodies with a begin, end, hit or joint event that
	// is new, is missing or has other bits.
	Events []int32
	// Gone are the keys of bodies that such an event names and that were removed, in no order. A body that has the key
	// now came after that. A key may occur twice.
	Gone   []uint64
	Solved int  // dynamic bodies that were stepped
	Whole  bool // so much could differ that all bodies were stepped
}

// Moved is a body that came out differently, and what it was before. Key 0 means that it did not exist.
type Moved struct {
	Slot int32 // of the body
	Was  Body
}

// StepPart repeats a recorded step for only those bodies that can come out differently.
//
// mid is the state from which the step starts now; StepPart does not change it. after is
// the result of the recorded step, and tr is its Trace. On return, after equals the
// result of Step for mid, bit for bit, and tr what Record would write of that step; the
// events are those of tr. A body has the same slot in all three; defs and p are those of
// the recorded step. Bodies that were removed from after since the step must have been
// put back, with State.ComeBack, and bodies that were added must have been removed.
// StepPart panics if it finds that this is not so.
//
// changed lists, in any order, each slot for which mid differs in a bit from the state
// from which the recorded step started: in its body, which may have been added or
// removed, in one of its contacts, impulses included, or in one of its joints. A body
// that is not dynamic need not be listed for its contacts and joints alone, but for a contact of two such
// both are. If one of
// these is marked gone beside such a body, the slot of the body that was removed is
// listed. So the list for the next step consists of the slots that PartialRerun names for
// this step, and of those that were written after it, in either run. Additional slots
// cost time and do no harm.
//
// A body must not become dynamic, or cease to be dynamic, by another Def. In that case,
// step everything, in that step and in those after it.
//
// from brings the bodies of mid up to date when they are read; nil means that they are up
// to date.
//
// In the steady state it allocates nothing. If many bodies can differ, it steps all
// bodies and compares.
func (sv *Solver) StepPart(
	mid, after *State,
	tr *Trace,
	changed []int32,
	defs []Def,
	p Params,
	from Fetcher,
) PartialRerun {
	was, _ := tr.content()
	part := sv.partial.step(&sv.whole, recordedStep{
		mid:   mid,
		after: after,
		trace: tr,
		was:   was,
		defs:  defs,
		rules: p.complete(sv.Check),
		from:  from,
	}, changed)
	if part.Whole {
		sv.Clamped, sv.Crowded = sv.whole.outcome()
	}
	return part
}

// recordedStep is a step that is done again: the arguments of StepPart.
type recordedStep struct {
	mid, after *State
	trace      *Trace
	was        *tracedBodies // of the trace
	defs       []Def
	rules      stepRules
	from       Fetcher // nil: mid is up to date
}

// fetch brings a body of mid up to date, or all.
func (st *recordedStep) fetch(slot int32) {
	if st.from != nil {
		st.from.Fetch(slot)
	}
}

// hasNow reports whether mid has the body with the key in a slot.
func (st *recordedStep) hasNow(slot int32, key uint64) bool {
	return key != 0 && st.mid.keyAt(slot) == key
}

// kindNow returns the type of the body that mid has in a slot.
func (st *recordedStep) kindNow(slot int32) BodyType {
	if keyOf(st.mid.Bodies, slot) != 0 {
		if d := st.mid.Bodies[slot].def(st.defs); d != nil {
			return d.Type
		}
	}
	return None
}

// startsInOrder reports whether the states that the step starts from are in order.
func (st *recordedStep) startsInOrder() bool {
	return keyIndex(st.mid.Bodies).distinct() && inOrder(st.mid) && inOrder(st.after)
}

// checkRerun asserts the invariants after StepPart; sorted says that the states were in
// order.
func (st *recordedStep) checkRerun(sorted bool) {
	st.trace.check()
	if !sorted {
		return
	}
	if !inOrder(st.after) {
		violated("StepPart leaves contacts or joints that are not in order")
	}
	st.trace.happened().check()
}

// retyped reports whether one of the bodies has a Def of another type than it
// had. That changes which bodies are tied to each other.
func (st *recordedStep) retyped(slots []int32) bool {
	for _, slot := range slots {
		key := keyOf(st.mid.Bodies, slot)
		if key != 0 && key == st.was.key(slot) && st.kindNow(slot) != st.was.kind(slot) {
			return true
		}
	}
	return false
}

// partial is the work of a StepPart and its memory.
type partial struct {
	again   recordedStep
	closure closure
	excerpt excerpt
	changes changes
	stepper stepper // of the excerpt
	anySize bool    // tests step in part whatever it costs
	seen    uint64  // by readAhead: nothing that matters
}

// step is StepPart; whole does the steps of all.
func (r *partial) step(whole *stepper, again recordedStep, changed []int32) (part PartialRerun) {
	r.changes.reset()
	if len(changed) == 0 {
		return part
	}
	r.start(again)
	sorted := again.rules.check && again.startsInOrder()
	if again.rules.steps() && r.solve(changed, whole.ranks()) {
		r.write()
		part.Solved = r.stepper.dynamic()
	} else {
		r.stepWhole(whole)
		_, part.Solved = again.was.size()
		part.Whole = true
	}
	if again.rules.check {
		again.checkRerun(sorted)
	}
	r.finish()
	r.changes.put(&part)
	return part
}

// start takes the arguments and drops the data of the previous call.
func (r *partial) start(again recordedStep) {
	r.again = again
	slots, dynamic := again.was.size()
	n := max(len(again.mid.Bodies), len(again.after.Bodies), slots)
	again.trace.grow(n)
	r.excerpt.grow(n)
	r.changes.grow(n)
	most := dynamic*3/4 + 4
	if r.anySize {
		most = n
	}
	r.closure.start(n, most)
}

// finish leaves no marks and holds on to nothing of the caller's.
func (r *partial) finish() {
	r.closure.clear()
	r.again = recordedStep{}
}

// solve steps the part, and reports whether that was worth while. known is the
// ranking of the last whole step.
func (r *partial) solve(changed []int32, known *ranking) bool {
	st, c := &r.again, &r.closure
	if slots, _ := st.was.size(); len(changed)*32 > slots {
		r.readAhead(changed)
	}
	c.begin(st, changed)
	if members, _ := c.slots(); st.retyped(members) {
		return false
	}
	stepped := -1
	for !st.trace.wasCrowded() && c.close(st) {
		c.bringGuests(st)
		if st.rules.check {
			c.check(st)
		}
		members, guests := c.slots()
		n := len(members) + len(guests)
		if n == stepped {
			return true
		}
		r.excerpt.gather(st, c, known)
		r.stepper.ranks().take(r.excerpt.state().Bodies)
		r.stepper.step(r.excerpt.state(), st.defs, &st.rules)
		if st.trace.overcrowded(&r.stepper) {
			return false
		}
		if stepped = n; !r.lookBack() {
			return true
		}
	}
	return false
}

// lookBack reports whether the part that was stepped may lack a body: where a
// sleeper woke, or slept on, unlike in the recorded step, and where a fast body
// left the box in which static ones were looked for.
func (r *partial) lookBack() (maybe bool) {
	st, c, by := &r.again, &r.closure, &r.stepper
	for rank, slot := range r.excerpt.slots() {
		if c.marks().of(slot)&(member|differs) == member && by.sleptThrough(rank) != st.was.slept(slot) {
			c.change(st, slot)
			c.addNear(st, slot, by.extentAt(int32(rank)))
			maybe = true
		}
	}
	for _, w := range by.fastWays() {
		if c.addFixed(st, w.extent) {
			maybe = true
		}
	}
	return maybe
}

// write writes the results into after and the trace.
func (r *partial) write() {
	st, x := &r.again, &r.excerpt
	members, _ := r.closure.slots()
	r.changes.writeBodies(st.after, len(st.mid.Bodies), x, members)
	r.stepper.recordPart(x.state(), st.trace, members, x.slots())
	events := r.stepper.happened()
	x.mapOut(events, r.closure.marks())
	r.changes.writeRest(st, x.state(), events, r.closure.marks())
}

// stepWhole steps all of mid into after, and notes the differences.
func (r *partial) stepWhole(whole *stepper) {
	st := &r.again
	st.fetch(AllBodies)
	r.changes.keepOld(st.after, st.trace.happened())
	st.after.CopyFrom(st.mid)
	whole.step(st.after, st.defs, &st.rules)
	whole.record(st.after, st.trace)
	r.changes.compare(st.after, st.trace.happened())
}

// keyOf returns the key in a slot of bodies.
func keyOf(bodies []Body, slot int32) uint64 {
	if int(slot) < len(bodies) {
		return bodies[slot].Key
	}
	return 0
}
