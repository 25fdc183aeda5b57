package physics

// pairings are the pairs of a step, and the carried-over contacts of those that were
// there before it.
type pairings struct {
	Pairs []pairing // in the order of (A, B, PartA, PartB)
	Left  []Contact // those that the step leaves as they are

	kept  []int32 // old contacts, which become Left
	ended []bool  // by old contact
	next  int     // old contact that no pair has been matched with
}

// forget makes that there are no pairs.
func (ps *pairings) forget() {
	ps.Pairs, ps.Left, ps.kept, ps.ended, ps.next = ps.Pairs[:0], ps.Left[:0], ps.kept[:0], ps.ended[:0], 0
}

// begin takes in the contacts before the step. If bodies sleep, those of which no body
// is awake are left as they are. Overlaps with sensors that move are looked at anew.
func (ps *pairings) begin(contacts []Contact, bodies *rankedBodies, sleep bool) {
	ps.forget()
	ps.ended = resize(ps.ended, len(contacts))
	for i := range ps.ended {
		ps.ended[i] = true
	}
	if !sleep {
		return
	}
	for i := range contacts {
		c := &contacts[i]
		a, b := bodies.Ranking.at(c.SlotA, c.KeyA), bodies.Ranking.at(c.SlotB, c.KeyB)
		if c.Gone() || a < 0 || b < 0 || !bodies.Outlines[a].idle(c) || !bodies.Outlines[b].idle(c) {
			continue
		}
		ps.kept = append(ps.kept, int32(i))
		ps.ended[i] = false
	}
}

// match returns the index of the contact that a pair had before the step, or -1. Pairs
// come in the order of their keys, as contacts do.
func (ps *pairings) match(p *pairing, contacts []Contact, keys []uint64) int32 {
	keyA, keyB, parts := keys[p.A], keys[p.B], partsOf(p.PartA, p.PartB)
	for ps.next < len(contacts) {
		switch c := &contacts[ps.next]; {
		case c.KeyA < keyA || c.KeyA == keyA && c.KeyB < keyB:
		case c.KeyA != keyA || c.KeyB != keyB:
			return -1
		case c.Gone() || partsOf(c.PartA, c.PartB) < parts:
		case partsOf(c.PartA, c.PartB) == parts:
			ps.next++
			return int32(ps.next - 1)
		default:
			return -1
		}
		ps.next++
	}
	return -1
}

// add returns a new pair with any content.
func (ps *pairings) add() *pairing {
	ps.Pairs = longer(ps.Pairs)
	return &ps.Pairs[len(ps.Pairs)-1]
}

// drop forgets the pair that add gave last.
func (ps *pairings) drop() { ps.Pairs = ps.Pairs[:len(ps.Pairs)-1] }

// finish decides which bodies touch after the step, makes the events and writes the new contacts.
// Events are of bodies: they begin to touch with the first of their parts and cease with the last.
// A pair that closes in at hitSpeed hits.
func (ps *pairings) finish(s *State, bodies *rankedBodies, contacts *contactSolver, hitSpeed float64, events *eventBuilder) {
	kept, at := 0, 0
	for i := range ps.Pairs {
		p := &ps.Pairs[i]
		if !p.touches(contacts) {
			continue
		}
		if p.Old >= 0 {
			ps.ended[p.Old] = false
		}
		if p.closesIn(hitSpeed, contacts) {
			events.hit(p.event(bodies, contacts))
		}
		var touched bool
		if at, touched = p.touched(s.Contacts, at, bodies.Ranking.Keys); !touched {
			events.begin(p.event(bodies, contacts), p.Separation)
		}
		if kept != i {
			ps.Pairs[kept] = *p
		}
		kept++
	}
	ps.Pairs = ps.Pairs[:kept]
	ps.finishEnds(s, bodies.Ranking.Keys, events)
	ps.write(s, bodies, contacts)
}

// finishEnds reports the ends of the bodies that touched and do not any more.
func (ps *pairings) finishEnds(s *State, keys []uint64, events *eventBuilder) {
	at := 0
	for i, ended := range ps.ended {
		if !ended {
			continue
		}
		c := &s.Contacts[i]
		for at < len(ps.Pairs) && ps.Pairs[at].before(c, keys) {
			at++
		}
		if still := at < len(ps.Pairs) && ps.Pairs[at].isOf(c, keys); !still || c.Gone() {
			events.end(s, c)
		}
	}
}

// write puts the contacts of the pairs in the place of the old ones, with those that
// the step left as they are.
func (ps *pairings) write(s *State, bodies *rankedBodies, contacts *contactSolver) {
	for _, at := range ps.kept {
		ps.Left = append(ps.Left, s.Contacts[at])
	}
	rest, keys := ps.Left, bodies.Ranking.Keys
	s.Contacts = s.Contacts[:0]
	for i := range ps.Pairs {
		p := &ps.Pairs[i]
		for len(rest) > 0 && p.after(&rest[0], keys) {
			s.Contacts, rest = append(s.Contacts, rest[0]), rest[1:]
		}
		s.Contacts = longer(s.Contacts)
		p.write(&s.Contacts[len(s.Contacts)-1], bodies, contacts)
	}
	s.Contacts = append(s.Contacts, rest...)
}

// check asserts that the pairs are in the order of their keys, and that each has its own
// contact of those before the step.
func (ps *pairings) check(contacts []Contact, keys []uint64) {
	if !ascending(ps.Pairs, (*pairing).compare) {
		violated("pairs are not in order")
	}
	last := int32(-1)
	for i := range ps.Pairs {
		p := &ps.Pairs[i]
		if p.Old < 0 {
			continue
		}
		c := &contacts[p.Old]
		if p.Old <= last || c.Gone() || !p.isOf(c, keys) || c.PartA != p.PartA || c.PartB != p.PartB {
			violated("the pair of %016x and %016x has the contact %+v", keys[p.A], keys[p.B], *c)
		}
		last = p.Old
	}
	for _, at := range ps.kept {
		if ps.ended[at] {
			violated("contact %d is left as it is, and ends", at)
		}
	}
}
