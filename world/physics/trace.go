package physics

// Trace is what Record keeps of a Step, so that it can be repeated in part: where its
// bodies could be, which bodies were solved together, and the events.
// The caller keeps one for each step that it may want to redo. It is flat, about
// 50 bytes a slot, and keeps its memory from Record to Record.
type Trace struct {
	keys    []uint64  // by slot, 0: no body was there
	boxes   []extent  // by slot, of all that the body could meet
	kinds   []uint8   // by slot: BodyType, and sleptThrough
	next    []int32   // by slot: the next of its ring, itself if it is alone
	dynamic int       // bodies that are
	pairs   int       // that the step looked at, or more: StepPart adds those of each part
	crowded bool      // and there were more than it looks at
	free    slotIndex // of the boxes of dynamic bodies
	fixed   slotIndex // of those of others

	events stepEvents
}

// sleptThrough in Trace.kinds says that the step found the body asleep.
const sleptThrough = 0x80

// Events returns which bodies began and ceased to touch, like Solver.Events.
func (t *Trace) Events() (begins, ends []Event) { return t.events.Begins, t.events.Ends }

// Hits gives the blows, as Solver.Hits.
func (t *Trace) Hits() []Event { return t.events.Hits }

// JointEvents gives the joints that ended, as Solver.JointEvents.
func (t *Trace) JointEvents() []JointEvent { return t.events.Broken }

// happened are all of its events.
func (t *Trace) happened() *stepEvents { return &t.events }

// CopyFrom makes t equal to src in the memory that t has.
func (t *Trace) CopyFrom(src *Trace) {
	t.keys = append(t.keys[:0], src.keys...)
	t.boxes = append(t.boxes[:0], src.boxes...)
	t.kinds = append(t.kinds[:0], src.kinds...)
	t.next = append(t.next[:0], src.next...)
	t.dynamic, t.pairs, t.crowded = src.dynamic, src.pairs, src.crowded
	t.free.copyFrom(&src.free)
	t.fixed.copyFrom(&src.fixed)
	t.events.copyFrom(&src.events)
}

// Record writes down the last Step, which stepped s: call it before anything
// else touches s or the Solver.
func (sv *Solver) Record(s *State, t *Trace) {
	t.keys, t.boxes, t.kinds, t.next, t.dynamic = t.keys[:0], t.boxes[:0], t.kinds[:0], t.next[:0], 0
	t.grow(len(s.Bodies))
	slots := sv.bodies.Ranking.Slots[:len(sv.bodies.Outlines)]
	sv.recordBodies(t, slots)
	t.buildIndex()
	t.pairs, t.crowded = len(sv.bp.found()), sv.Crowded
	sv.recordRings(s, t, slots)
	t.events.copyFrom(&sv.events.Made)
}

// grow adds free slots, to n.
func (t *Trace) grow(n int) {
	from := len(t.keys)
	if n <= from {
		return
	}
	t.keys, t.boxes = resizeKeep(t.keys, n), resizeKeep(t.boxes, n)
	t.kinds, t.next = resizeKeep(t.kinds, n), resizeKeep(t.next, n)
	t.free.grow(n)
	t.fixed.grow(n)
	clear(t.keys[from:])
	clear(t.kinds[from:])
	for slot := from; slot < n; slot++ {
		t.boxes[slot], t.next[slot] = nowhere(), int32(slot)
	}
}

// indexOf is the index that the slot's box belongs into.
func (t *Trace) indexOf(slot int32) *slotIndex {
	if t.kind(slot) == Dynamic {
		return &t.free
	}
	return &t.fixed
}

// buildIndex takes all boxes into the indexes.
func (t *Trace) buildIndex() {
	var n, sum [2]int
	for slot := range t.boxes {
		if e := &t.boxes[slot]; !e.empty() {
			which := 0
			if t.kind(int32(slot)) != Dynamic {
				which = 1
			}
			n[which]++
			sum[which] += e.size()
		}
	}
	t.free.start(n[0], sum[0], len(t.boxes))
	t.fixed.start(n[1], sum[1], len(t.boxes))
	for slot := range t.boxes {
		t.indexOf(int32(slot)).insert(t.boxes, int32(slot))
	}
}

// kind is the type of the body in a slot.
func (t *Trace) kind(slot int32) BodyType { return BodyType(t.kinds[slot] &^ sleptThrough) }

// slept reports whether the step found the body in a slot asleep.
func (t *Trace) slept(slot int32) bool { return t.kinds[slot]&sleptThrough != 0 }

// key is that of the body in a slot, 0 for none.
func (t *Trace) key(slot int32) uint64 { return t.keys[slot] }

// box is where the body in a slot could be.
func (t *Trace) box(slot int32) extent { return t.boxes[slot] }

// after is the next slot of a ring.
func (t *Trace) after(slot int32) int32 { return t.next[slot] }

// size is how many slots there are, and how many dynamic bodies.
func (t *Trace) size() (slots, dynamic int) { return len(t.keys), t.dynamic }

// find appends the slots of dynamic bodies whose boxes overlap e, some perhaps
// twice.
func (t *Trace) find(e extent, out []int32) []int32 { return t.free.find(t.boxes, e, out) }

// findFixed does so for those of others.
func (t *Trace) findFixed(e extent, out []int32) []int32 { return t.fixed.find(t.boxes, e, out) }

// overcrowded reports whether a step of all might not look at all pairs: those
// that the recorded one looked at, and those of the part that sv has stepped,
// if any. Which pairs are left out then depends on all bodies.
func (t *Trace) overcrowded(sv *Solver) bool {
	return t.crowded || sv != nil && (sv.Crowded || sv.bp.overfull(t.pairs))
}

// rewrite puts a part that sv has stepped into the trace: s, of which the ranks
// have these slots. members are the slots that it has made anew, free ones
// among them.
func (t *Trace) rewrite(sv *Solver, s *State, members, slots []int32) {
	t.pairs += sv.pairsFound()
	for _, slot := range members {
		if t.kind(slot) == Dynamic {
			t.dynamic--
		}
		t.indexOf(slot).remove(t.boxes, slot)
		t.keys[slot], t.boxes[slot], t.kinds[slot], t.next[slot] = 0, nowhere(), 0, slot
	}
	sv.recordBodies(t, slots)
	for _, slot := range members {
		t.indexOf(slot).insert(t.boxes, slot)
	}
	sv.recordRings(s, t, slots)
}

// recordBodies records the bodies, and where each of them could be. slots are
// those in t of the ranks of the step.
func (sv *Solver) recordBodies(t *Trace, slots []int32) {
	for rank := range sv.bodies.Outlines {
		o, slot := &sv.bodies.Outlines[rank], slots[rank]
		t.keys[slot], t.kinds[slot] = sv.bodies.Ranking.Keys[rank], uint8(o.Kind)
		if o.Asleep {
			t.kinds[slot] |= sleptThrough
		}
		if o.Kind == Dynamic {
			t.dynamic++
		}
	}
	for _, list := range sv.bp.boxes() {
		for i := range list {
			slot := slots[list[i].Rank]
			t.boxes[slot] = t.boxes[slot].with(sv.bp.extent(&list[i]))
		}
	}
	for i := range sv.fast.Ways {
		slot := slots[sv.fast.Ways[i].Rank]
		t.boxes[slot] = t.boxes[slot].with(sv.fast.Ways[i].Extent)
	}
}

// recordRings makes rings of the dynamic bodies that the step tied: by
// constraints, also of those that only might have met, and of a bullet and what
// it looked at. Joints and contacts that are kept would be found without, one
// after the other, by followJoints and followContacts.
func (sv *Solver) recordRings(s *State, t *Trace, slots []int32) {
	sv.roots = resize(sv.roots, len(sv.bodies.Outlines))
	for i := range sv.roots {
		sv.roots[i] = int32(i)
	}
	for list := range burdenedList + 1 {
		pairs := sv.contacts.listed(list).Pairs
		for i := range pairs {
			sv.ring(t, slots, pairs[i].A, pairs[i].B)
		}
	}
	for a, b := range sv.joints.ties {
		sv.ring(t, slots, a, b)
	}
	for i := range sv.pairs.Left { // all other contacts have constraints
		if c := &sv.pairs.Left[i]; c.joins() {
			sv.ring(t, slots, sv.bodies.Ranking.at(c.SlotA, c.KeyA), sv.bodies.Ranking.at(c.SlotB, c.KeyB))
		}
	}
	for i := range s.Joints {
		if j := &s.Joints[i]; j.joins() {
			sv.ring(t, slots, sv.bodies.Ranking.at(j.SlotA, j.KeyA), sv.bodies.Ranking.at(j.SlotB, j.KeyB))
		}
	}
	sv.recordBullets(t, slots)
}

// recordBullets ties a bullet to the bodies whose ways it reads, see
// sweepBullets.
func (sv *Solver) recordBullets(t *Trace, slots []int32) {
	if !sv.bodies.Bullets {
		return
	}
	for _, packed := range sv.bp.found() {
		a, b := sv.bodies.Parts[packed>>32].Rank, sv.bodies.Parts[uint32(packed)].Rank
		if sv.bodies.Outlines[a].Def.Bullet || sv.bodies.Outlines[b].Def.Bullet {
			sv.ring(t, slots, a, b)
		}
	}
}

// ring makes one ring of two ranks, if both are of dynamic bodies: by swapping
// one link of each.
func (sv *Solver) ring(t *Trace, slots []int32, a, b int32) {
	n := int32(len(sv.bodies.Outlines))
	if a < 0 || b < 0 || a >= n || b >= n || t.kind(slots[a]) != Dynamic || t.kind(slots[b]) != Dynamic {
		return
	}
	a, b = sv.rootOf(a), sv.rootOf(b)
	if a == b {
		return
	}
	sv.roots[b] = a
	sa, sb := slots[a], slots[b]
	t.next[sa], t.next[sb] = t.next[sb], t.next[sa]
}

func (sv *Solver) rootOf(rank int32) int32 {
	for sv.roots[rank] != rank {
		sv.roots[rank] = sv.roots[sv.roots[rank]]
		rank = sv.roots[rank]
	}
	return rank
}

// extentAt is the box of a rank in the last step.
func (sv *Solver) extentAt(rank int32) extent {
	e := nowhere()
	for _, list := range sv.bp.boxes() {
		for i := range list {
			if list[i].Rank == rank {
				e = e.with(sv.bp.extent(&list[i]))
			}
		}
	}
	return e
}
