package physics

// What a stepper writes into a Trace.

// record writes down the last step, of s.
func (st *stepper) record(s *State, t *Trace) {
	t.begin(len(s.Bodies))
	slots := st.bodies.ranks().slotList()[:len(st.bodies.outlines())]
	to, tied := t.content()
	st.recordBodies(to, slots)
	to.index()
	st.recordRings(s, tied, slots)
	t.finish(len(st.broad.found()), st.broad.isFull(), st.happened())
}

// recordPart writes a part into the trace that the last step stepped: s, of which the
// ranks have these slots. members are the slots that it has made anew, free ones among
// them.
func (st *stepper) recordPart(s *State, t *Trace, members, slots []int32) {
	to, tied := t.content()
	to.takeOut(members)
	tied.part(members)
	st.recordBodies(to, slots)
	to.putBack(members)
	st.recordRings(s, tied, slots)
	t.finishPart(len(st.broad.found()))
}

// recordBodies records the bodies, and where each of them could be. slots are
// those of the ranks of the step.
func (st *stepper) recordBodies(to *tracedBodies, slots []int32) {
	outlines, keys := st.bodies.outlines(), st.bodies.ranks().keyList()
	for rank := range outlines {
		to.add(slots[rank], keys[rank], &outlines[rank])
	}
	for _, list := range st.broad.boxes() {
		for i := range list {
			to.extend(slots[list[i].rank], st.broad.extent(&list[i]))
		}
	}
	for _, w := range st.fast.fastWays() {
		to.extend(slots[w.rank], w.extent)
	}
}

// recordRings makes rings of the dynamic bodies that the step tied: by
// constraints, also of those that only might have met, and of a bullet and what
// it looked at. Joints and contacts that are left as they are would be found without,
// one after the other, by followJoints and followContacts.
func (st *stepper) recordRings(s *State, to rings, slots []int32) {
	st.roots.reset(len(st.bodies.outlines()))
	ranks, w := st.bodies.ranks(), ringWriter{st.bodies.outlines(), st.roots, slots, to}
	st.contacts.each(func(cs *constraints) {
		for i := range cs.all() {
			c := &cs.all()[i]
			w.tie(c.a, c.b)
		}
	})
	for a, b := range st.joints.ties {
		w.tie(a, b)
	}
	for i := range st.pairs.unchanged() { // all other contacts have constraints
		if c := &st.pairs.unchanged()[i]; c.joins() {
			w.tie(ranks.at(c.SlotA, c.KeyA), ranks.at(c.SlotB, c.KeyB))
		}
	}
	for i := range s.Joints {
		if j := &s.Joints[i]; j.joins() {
			w.tie(ranks.at(j.SlotA, j.KeyA), ranks.at(j.SlotB, j.KeyB))
		}
	}
	w.tieBullets(st.bodies.parts(), st.broad.found())
}

// ringWriter makes rings of the bodies of a step.
type ringWriter struct {
	bodies []outline
	roots  forest  // of rings, by rank
	slots  []int32 // by rank
	to     rings
}

// tieBullets ties a bullet to the bodies whose ways it reads, see
// ccd.sweepBullets. pairs are those of parts whose boxes overlap.
func (w *ringWriter) tieBullets(parts *bodyParts, pairs []uint64) {
	if !parts.haveBullets() {
		return
	}
	for _, packed := range pairs {
		a, b := parts.at(int32(packed>>32)).rank, parts.at(int32(uint32(packed))).rank
		if w.bodies[a].def.Bullet || w.bodies[b].def.Bullet {
			w.tie(a, b)
		}
	}
}

// tie makes one ring of those of two ranks, if both are of dynamic bodies.
func (w *ringWriter) tie(a, b int32) {
	n := int32(len(w.bodies))
	if a < 0 || b < 0 || a >= n || b >= n || w.bodies[a].kind != Dynamic || w.bodies[b].kind != Dynamic {
		return
	}
	if a, b = w.roots.find(a), w.roots.find(b); a != b {
		w.roots[b] = a
		w.to.join(w.slots[a], w.slots[b])
	}
}
