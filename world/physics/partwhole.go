package physics

// stepWhole steps all of mid into after, and notes what came out differently.
func (sv *Solver) stepWhole(r *partial) {
	after, t := r.after, r.tr
	r.fetch(AllBodies)
	r.old, *after = *after, r.old
	r.swapEvents(t)
	after.CopyFrom(r.mid)
	sv.Step(after, r.defs, r.p)
	sv.Record(after, t)
	r.compareBodies()
	r.compareRest()
}

// swapEvents keeps the events of t and gives it the memory of others.
func (r *partial) swapEvents(t *Trace) {
	w := &r.was
	t.begins, w.begins = w.begins, t.begins
	t.ends, w.ends = w.ends, t.ends
	t.hits, w.hits = w.hits, t.hits
	t.broken, w.broken = w.broken, t.broken
}

func (r *partial) compareBodies() {
	var free Body
	for slot := range max(len(r.old.Bodies), len(r.after.Bodies)) {
		a, b := &free, &free
		if slot < len(r.old.Bodies) {
			a = &r.old.Bodies[slot]
		}
		if slot < len(r.after.Bodies) {
			b = &r.after.Bodies[slot]
		}
		if !a.Same(b) {
			r.moved = append(r.moved, Moved{int32(slot), *a})
			r.changed.add(int32(slot))
		}
	}
}

// compareRest merges everything new into what was, for the differences.
func (r *partial) compareRest() {
	r.old.Contacts = merge(r.old.Contacts, r.after.Contacts, &r.contactTail, merging[Contact]{
		order: (*Contact).compare, same: (*Contact).sameBits, redone: all[Contact], differs: r.contactDiffers})
	r.old.Joints = merge(r.old.Joints, r.after.Joints, &r.jointTail, merging[Joint]{
		order: (*Joint).compare, same: (*Joint).Same, redone: all[Joint], differs: r.jointDiffers})
	t, w := r.tr, &r.was
	m := merging[Event]{order: (*Event).compare, same: (*Event).sameBits, redone: all[Event], differs: r.eventDiffers}
	w.begins = merge(w.begins, t.begins, &r.eventTail, m)
	w.ends = merge(w.ends, t.ends, &r.eventTail, m)
	w.hits = merge(w.hits, t.hits, &r.eventTail, m)
	w.broken = merge(w.broken, t.broken, &r.jointEventTail, merging[JointEvent]{
		order: (*JointEvent).compare, same: (*JointEvent).sameBits, redone: all[JointEvent], differs: r.jointEventDiffers})
}

// all says of everything that it is replaced.
func all[T any](*T) bool { return true }
