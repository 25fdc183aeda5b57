package world

// RerunBlock is one block of a tick that a PartialRerun runs again. It decides
// which objects have their hooks run.
type RerunBlock struct {
	w *World

	diff *difference
	why  *RerunProvenance
	past *changedPast
	ran  *SlotSet
	odd  *SlotSet

	queue rerunQueue
}

// begin finds the dirty objects that the block concerns.
func (r *RerunBlock) begin() {
	r.queue.begin()
	r.wantDirty()
}

// wantDirty wants the dirty objects, except those that the block does not concern: they
// have no hook in it, no owner pose, and the history has no operation or value of
// theirs there. (An owner pose that equals the history left no value.) If another
// object changes such an object, followActivity wants it.
func (r *RerunBlock) wantDirty() {
	b, hooks := r.w.rec.presentBlock(), r.w.Schema().hooks(r.w.rec.present())
	busy := len(b.Ops) > 0 || len(b.Births) > 0 || len(b.PastReads) > 0 || len(b.Cues) > 0
	r.queue.readEntries(&b.After)
	for _, slot := range r.diff.objects().Slots() {
		if busy || r.queue.isListed(slot) || r.w.hasHook(slot, hooks) {
			r.want(int(slot))
		}
	}
}

// wantTouched wants objects whose contacts differ.
func (r *RerunBlock) wantTouched(slots []int32) {
	for _, slot := range slots {
		r.wantFor(int(slot), FromTouch, r.why.contact(slot, r.w.Contacts(), slots))
	}
}

// wantJoints wants the objects of joints that ended, now or in the history.
func (r *RerunBlock) wantJoints(breaks []JointBreak) {
	for i := range breaks {
		if slot, ok := r.w.Find(breaks[i].Joint); ok {
			r.wantFor(slot, FromJoint, r.why.jointBreak(&breaks[i]))
		}
	}
}

// wantReaders wants the objects whose hooks read a difference.
func (r *RerunBlock) wantReaders() {
	b := r.w.rec.presentBlock()
	for i := range b.Reads {
		switch v := &b.Reads[i]; {
		case r.queue.has(v.Unit):
		case r.diff.has(v.Unit):
			r.want(int(v.Unit))
		case r.diff.affects(v):
			r.wantFor(int(v.Unit), FromRead, r.why.read(v))
		}
	}
	r.wantPastReads(b)
}

// wantPastReads wants the objects that read poses which differ now, or poses of an
// object that differs.
func (r *RerunBlock) wantPastReads(b *blockTrace) {
	if len(b.PastReads) == 0 {
		return
	}
	all := r.diff.anySeen()
	for _, l := range b.PastReads {
		if all || r.past.has(l) {
			r.wantFor(int(l.Unit), FromRead, r.why.pastRead())
		}
	}
}

// WantInput asks for an object to be run again because its input has changed.
func (r *RerunBlock) WantInput(slot int) { r.wantFor(slot, FromInput, -1) }

// WantIfDirty asks for an object to be run again if it comes into the block otherwise than in the history. It is for
// what the simulation does with an object that has no hook: the history may have nothing of that.
func (r *RerunBlock) WantIfDirty(slot int) {
	if r.diff.has(int32(slot)) {
		r.want(slot)
	}
}

// wantFor is want because of another object; from is its slot, or -1.
func (r *RerunBlock) wantFor(slot int, kind ProvenanceKind, from int32) {
	if !r.queue.has(int32(slot)) {
		r.why.ranFor(int32(slot), kind, from)
	}
	r.want(slot)
}

// want asks for an object to be run again in this block.
func (r *RerunBlock) want(slot int) {
	if r.queue.add(int32(slot)) {
		r.w.fetch(int32(slot))
	}
}

// Next returns the next object whose hook of this block is to be run again. The object
// exists. The caller checks whether its class has such a hook.
func (r *RerunBlock) Next() (slot int, ok bool) {
	for {
		r.followActivity()
		at, some := r.queue.next()
		if !some {
			return 0, false
		}
		r.followHistory(at)
		r.ran.add(at)
		if r.w.hasHookNow(at) {
			return int(at), true
		}
	}
}

// followActivity wants the objects that the hooks that were run again have changed.
func (r *RerunBlock) followActivity() {
	for _, c := range r.queue.newBirths(r.w.rec.births()) {
		r.wantFor(int(c.Slot), FromSpawn, c.Unit)
	}
	ops := r.queue.newOps(r.w.asked())
	for i := range ops {
		if slot, ok := r.w.Find(ops[i].Target); ok {
			r.wantFor(slot, FromWrite, ops[i].by())
		}
	}
}

// followHistory wants the objects that the object in unit changed in the history.
func (r *RerunBlock) followHistory(unit int32) {
	b := r.w.rec.presentBlock()
	for i := range b.Births {
		if b.Births[i].Unit == unit {
			r.wantFor(int(b.Births[i].Slot), FromSpawn, unit)
		}
	}
	for i := range b.Ops {
		if b.Ops[i].by() != unit {
			continue
		}
		if slot, ok := r.w.Find(b.Ops[i].Target); ok {
			r.wantFor(slot, FromWrite, unit)
		}
	}
}

// End carries out the operations on objects that were run again, gives all others the values of the history, and finds
// which objects differ now. Objects that were spawned in the block come first, as in a whole tick, in which they exist
// before any operation is carried out.
func (r *RerunBlock) End() {
	w, b := r.w, r.w.rec.presentBlock()
	own := len(w.asked())
	for i := range b.Ops {
		if op := &b.Ops[i]; !r.queue.has(op.by()) {
			if slot, ok := w.Find(op.Target); ok && r.queue.has(int32(slot)) {
				w.ask(op)
			}
		}
	}
	r.queue.keepOps(w.asked()[:own]) // flush sorts them
	if r.queue.readBirths(b.Births); len(b.Births) > 0 {
		r.inherit(b, true) // an operation may attach an object to one of them
	}
	w.flush()
	r.inherit(b, false)
	r.compare(b)
	r.record(b)
	w.endPartialBlock()
}

// inherit gives objects that were not run again the values that the history has after the block: those that were
// spawned in it, or all others.
func (r *RerunBlock) inherit(b *blockTrace, spawned bool) {
	for i, slot := range b.After.list() {
		if !r.queue.has(slot) && r.queue.isBorn(slot) == spawned {
			r.w.inherit(&b.After, i)
		}
	}
}

// compare makes the objects dirty that were clean before the block and differ after it.
func (r *RerunBlock) compare(b *blockTrace) {
	w := r.w
	r.queue.indexEntries(&b.After, r.w.slots.len())
	for _, slot := range r.queue.list() {
		w.makeRoom(slot)
		r.compareActivity(slot, b)
		if r.diff.has(slot) {
			r.follow(slot, b)
			continue
		}
		then, i := &b.After, r.queue.entry(slot)
		if i < 0 { // the history did not change it
			before, entry, changed := r.w.log.before(slot)
			if !changed {
				continue
			}
			then, i = before, entry
		}
		if !then.same(i, w.Now, int(slot), *w.activityOf(slot)) {
			r.diff.spoil(slot, then.object(i), then.body(i))
			r.why.differs(slot)
		}
	}
}

// compareActivity notes whether the activity of an object that was run again differs from the
// history.
func (r *RerunBlock) compareActivity(slot int32, b *blockTrace) {
	now := *r.w.activityOf(slot)
	if i := r.queue.entry(slot); i >= 0 {
		if !b.After.activityOf(i).same(now) {
			r.odd.add(slot)
			return
		}
	} else if before, entry, changed := r.w.log.before(slot); changed && !before.activityOf(entry).same(now) {
		r.odd.add(slot)
	}
}

// follow takes over from the history, after a block, the body of an object that was
// dirty before, and whether the object exists.
func (r *RerunBlock) follow(slot int32, b *blockTrace) {
	then, i := &b.After, r.queue.entry(slot)
	if i >= 0 {
		r.diff.remember(slot, then.body(i))
	} else if before, entry, changed := r.w.log.before(slot); changed {
		then, i = before, entry
	} else {
		return
	}
	r.diff.compareShape(slot, then.object(i), &r.w.Now.Objects[slot])
}

// record updates the trace of the block to the present run.
func (r *RerunBlock) record(b *blockTrace) {
	if len(r.queue.list()) == 0 {
		return // everything is as it was
	}
	r.w.rec.replace(b, r.queue.units(), r.queue.keptOps())
	if r.w.isBeforeStep() {
		r.w.mend(b, &r.queue)
		return
	}
	r.w.keep(b)
}
