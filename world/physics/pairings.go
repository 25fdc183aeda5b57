package physics

// pairings are the pairs of a step, and the carried-over contacts of those that were
// there before it.
type pairings struct {
	pairs []pairing // in the order of (A, B, PartA, PartB)
	left  []Contact // those that the step leaves as they are

	kept  []int32 // old contacts, which become Left
	ended []bool  // by old contact
	next  int     // old contact that no pair has been matched with
}

// made returns the pairs, in the order of (A, B, PartA, PartB).
func (ps *pairings) made() []pairing { return ps.pairs }

// unchanged returns the contacts that the step leaves as they are.
func (ps *pairings) unchanged() []Contact { return ps.left }

// forget makes that there are no pairs.
func (ps *pairings) forget() {
	ps.pairs, ps.left, ps.kept, ps.ended, ps.next = ps.pairs[:0], ps.left[:0], ps.kept[:0], ps.ended[:0], 0
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
		a, b := bodies.ranks().at(c.SlotA, c.KeyA), bodies.ranks().at(c.SlotB, c.KeyB)
		if c.Gone() || a < 0 || b < 0 || !bodies.outline(a).leaveContact(bodies.outline(b), c) {
			continue
		}
		ps.kept = append(ps.kept, int32(i))
		ps.ended[i] = false
	}
}

// match returns the index of the contact that a pair had before the step, or -1. Pairs
// come in the order of their keys, as contacts do.
func (ps *pairings) match(p *pairing, contacts []Contact, keys []uint64) int32 {
	keyA, keyB, parts := keys[p.a], keys[p.b], partsOf(p.partA, p.partB)
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
	ps.pairs = longer(ps.pairs)
	return &ps.pairs[len(ps.pairs)-1]
}

// drop forgets the pair that add gave last.
func (ps *pairings) drop() { ps.pairs = ps.pairs[:len(ps.pairs)-1] }

// finish decides which bodies touch after the step, makes the events and writes the new contacts.
// Events are of bodies: they begin to touch with the first of their parts and cease with the last.
// A pair that closes in at hitSpeed hits.
func (ps *pairings) finish(
	s *State,
	bodies *rankedBodies,
	contacts *contactSolver,
	hitSpeed float64,
	events *eventBuilder,
) {
	kept, at := 0, 0
	for i := range ps.pairs {
		p := &ps.pairs[i]
		if !p.touches(contacts) {
			continue
		}
		if p.old >= 0 {
			ps.ended[p.old] = false
		}
		if p.closesIn(hitSpeed, contacts) {
			events.hit(p.event(bodies, contacts))
		}
		var touched bool
		if at, touched = p.touchedBefore(s.Contacts, at, bodies.ranks().keyList()); !touched {
			events.begin(p.event(bodies, contacts), p.separation)
		}
		if kept != i {
			ps.pairs[kept] = *p
		}
		kept++
	}
	ps.pairs = ps.pairs[:kept]
	ps.finishEnds(s, bodies.ranks().keyList(), events)
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
		for at < len(ps.pairs) && ps.pairs[at].precedes(c, keys) {
			at++
		}
		if still := at < len(ps.pairs) && ps.pairs[at].isPairOf(c, keys); !still || c.Gone() {
			events.end(s, c)
		}
	}
}

// write puts the contacts of the pairs in the place of the old ones, with those that
// the step left as they are.
func (ps *pairings) write(s *State, bodies *rankedBodies, contacts *contactSolver) {
	for _, at := range ps.kept {
		ps.left = append(ps.left, s.Contacts[at])
	}
	rest, keys := ps.left, bodies.ranks().keyList()
	s.Contacts = s.Contacts[:0]
	for i := range ps.pairs {
		p := &ps.pairs[i]
		for len(rest) > 0 && p.follows(&rest[0], keys) {
			s.Contacts, rest = append(s.Contacts, rest[0]), rest[1:]
		}
		s.Contacts = longer(s.Contacts)
		p.writeContact(&s.Contacts[len(s.Contacts)-1], bodies, contacts)
	}
	s.Contacts = append(s.Contacts, rest...)
}

// check asserts that the pairs are in the order of their keys, and that each has its own
// contact of those before the step.
func (ps *pairings) check(contacts []Contact, keys []uint64) {
	if !ascending(ps.pairs, (*pairing).compare) {
		violated("pairs are not in order")
	}
	last := int32(-1)
	for i := range ps.pairs {
		p := &ps.pairs[i]
		if p.old < 0 {
			continue
		}
		c := &contacts[p.old]
		if p.old <= last || c.Gone() || !p.isPairOf(c, keys) || c.PartA != p.partA || c.PartB != p.partB {
			violated("the pair of %016x and %016x has the contact %+v", keys[p.a], keys[p.b], *c)
		}
		last = p.old
	}
	for _, at := range ps.kept {
		if ps.ended[at] {
			violated("contact %d is left as it is, and ends", at)
		}
	}
}
