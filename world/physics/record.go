package physics

// What a stepper writes into a Trace.

// record writes down the last step, of s.
func (st *stepper) record(s *State, t *Trace) {
	t.begin(len(s.Bodies))
	slots := st.Bodies.Ranking.Slots[:len(st.Bodies.Outlines)]
	to, tied := t.content()
	st.recordBodies(to, slots)
	to.index()
	st.recordRings(s, tied, slots)
	t.finish(len(st.Broad.found()), st.Broad.isFull(), st.happened())
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
	t.finishPart(len(st.Broad.found()))
}

// recordBodies records the bodies, and where each of them could be. slots are
// those of the ranks of the step.
func (st *stepper) recordBodies(to *tracedBodies, slots []int32) {
	for rank := range st.Bodies.Outlines {
		to.add(slots[rank], st.Bodies.Ranking.Keys[rank], &st.Bodies.Outlines[rank])
	}
	for _, list := range st.Broad.boxes() {
		for i := range list {
			to.extend(slots[list[i].Rank], st.Broad.extent(&list[i]))
		}
	}
	for i := range st.Fast.Ways {
		to.extend(slots[st.Fast.Ways[i].Rank], st.Fast.Ways[i].Extent)
	}
}

// recordRings makes rings of the dynamic bodies that the step tied: by
// constraints, also of those that only might have met, and of a bullet and what
// it looked at. Joints and contacts that are left as they are would be found without,
// one after the other, by followJoints and followContacts.
func (st *stepper) recordRings(s *State, to rings, slots []int32) {
	st.roots.reset(len(st.Bodies.Outlines))
	ranks := &st.Bodies.Ranking
	st.contacts.each(func(cs *constraints) {
		for i := range cs.Pairs {
			st.tie(to, slots, cs.Pairs[i].A, cs.Pairs[i].B)
		}
	})
	for a, b := range st.joints.ties {
		st.tie(to, slots, a, b)
	}
	for i := range st.pairs.Left { // all other contacts have constraints
		if c := &st.pairs.Left[i]; c.joins() {
			st.tie(to, slots, ranks.at(c.SlotA, c.KeyA), ranks.at(c.SlotB, c.KeyB))
		}
	}
	for i := range s.Joints {
		if j := &s.Joints[i]; j.joins() {
			st.tie(to, slots, ranks.at(j.SlotA, j.KeyA), ranks.at(j.SlotB, j.KeyB))
		}
	}
	st.recordBullets(to, slots)
}

// recordBullets ties a bullet to the bodies whose ways it reads, see
// ccd.sweepBullets.
func (st *stepper) recordBullets(to rings, slots []int32) {
	if !st.Bodies.Bullets {
		return
	}
	for _, packed := range st.Broad.found() {
		a, b := st.Bodies.Parts[packed>>32].Rank, st.Bodies.Parts[uint32(packed)].Rank
		if st.Bodies.Outlines[a].Def.Bullet || st.Bodies.Outlines[b].Def.Bullet {
			st.tie(to, slots, a, b)
		}
	}
}

// tie makes one ring of those of two ranks, if both are of dynamic bodies.
func (st *stepper) tie(to rings, slots []int32, a, b int32) {
	n := int32(len(st.Bodies.Outlines))
	if a < 0 || b < 0 || a >= n || b >= n || st.Bodies.Outlines[a].Kind != Dynamic || st.Bodies.Outlines[b].Kind != Dynamic {
		return
	}
	if a, b = st.roots.find(a), st.roots.find(b); a != b {
		st.roots[b] = a
		to.join(slots[a], slots[b])
	}
}
