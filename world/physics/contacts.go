package physics

// Event says that two bodies began or ceased to touch in a step. A is the body with the lower key. A
// removed body has slot -1. Of an end only slots, keys and Sensor are set.
type Event struct {
	A, B       int32 // slots
	KeyA, KeyB uint64
	Sensor     bool    // one of the two only senses: they overlap, nothing pushes
	Point      Vec     // where, in the world, at the start of the step
	Normal     Vec     // unit vector from A to B
	Impulse    float64 // N s along the normal in this step
	Speed      float64 // m/s at which the two closed in on each other, at least 0
}

// Events returns which bodies began and which ceased to touch in the last Step, each sorted by (lower
// key, higher key). The slices belong to the Solver: the next Step overwrites them.
//
// Two bodies begin to touch when they push each other or overlap. They cease when they are more than 2 cm
// apart, or when one of them was removed, so a body that trembles does not make an event in each step. A
// sensor begins with an overlap and ends 5 mm beyond.
func (sv *Solver) Events() (begins, ends []Event) { return sv.events.Begins, sv.events.Ends }

// Hits returns the hits of the last Step, sorted likewise: contacts, new or not, whose points closed in at
// Params.HitSpeed or faster and pushed.
func (sv *Solver) Hits() []Event { return sv.events.Hits }

// hit reports a hit. If several parts of a body hit at once it makes one event: that of the fastest, with
// all impulses.
func (sv *Solver) hit(p *pairing) {
	if !(sv.rules.HitSpeed > 0) || p.constraint.Index < 0 {
		return
	}
	if _, end := sv.contacts.pointsOf(p.constraint); !(min(end.Approach[0], end.Approach[1]) <= -sv.rules.HitSpeed) {
		return
	}
	e := sv.event(p)
	if !(e.Impulse > 0) {
		return
	}
	if n := len(sv.events.Hits); n > 0 && sv.events.Hits[n-1].KeyA == e.KeyA && sv.events.Hits[n-1].KeyB == e.KeyB {
		first := &sv.events.Hits[n-1]
		e.Impulse += first.Impulse
		if first.Speed >= e.Speed {
			e.Speed, e.Point, e.Normal = first.Speed, first.Point, first.Normal
		}
		*first = e
		return
	}
	sv.events.Hits = append(sv.events.Hits, e)
}

// pairing is a pair that has a manifold in this step.
type pairing struct {
	a, b       int32 // ranks, a < b
	pa, pb     uint8 // which parts of the two
	old        int32 // index of its contact before the step, or -1
	constraint constraintAt
	separation float64 // the least, metres
	point      Vec     // of the least separation, in the world
	normal     Vec
}

// pairUp finds the pairs, matches them with the contacts of the step before
// (both are in the order of keys) and makes their constraints.
func (sv *Solver) pairUp(s *State, pairs []uint64) {
	sv.pairs = sv.pairs[:0]
	sv.ended = resize(sv.ended, len(s.Contacts))
	for i := range sv.ended {
		sv.ended[i] = true
	}
	sv.keepSleeping(s)
	var m manifold
	at := 0
	for _, packed := range pairs {
		a, b := sv.bodies.Parts[packed>>32], sv.bodies.Parts[uint32(packed)]
		oa, ob := &sv.bodies.Outlines[a.Rank], &sv.bodies.Outlines[b.Rank]
		if !oa.wants(ob) || sv.joints.keepApart(a.Rank, b.Rank) {
			continue
		}
		if sv.bodies.collide(&m, int32(packed>>32), int32(uint32(packed)), sv.rules.DT); m.Count == 0 {
			continue
		}
		var old int32
		at, old = match(s.Contacts, at, sv.bodies.Ranking.Keys[a.Rank], sv.bodies.Ranking.Keys[b.Rank], uint8(a.Index), uint8(b.Index))
		sv.pair(s, &m, a, b, old)
	}
}

// match gives the index of the pair's contact, or -1, and where to look for
// the next pair.
func match(contacts []Contact, at int, keyA, keyB uint64, partA, partB uint8) (next int, old int32) {
	parts := partsOf(partA, partB)
	for at < len(contacts) {
		switch c := &contacts[at]; {
		case c.KeyA < keyA || c.KeyA == keyA && c.KeyB < keyB:
		case c.KeyA != keyA || c.KeyB != keyB:
			return at, -1
		case c.Gone() || partsOf(c.PartA, c.PartB) < parts:
		case partsOf(c.PartA, c.PartB) == parts:
			return at + 1, int32(at)
		default:
			return at, -1
		}
		at++
	}
	return at, -1
}

// pair keeps a pair and makes its constraint, unless one of them is a sensor.
func (sv *Solver) pair(s *State, m *manifold, pa, pb part, old int32) {
	a, b := pa.Rank, pb.Rank
	oa, ob := &sv.bodies.Outlines[a], &sv.bodies.Outlines[b]
	deepest := &m.Points[0]
	if m.Count == 2 && m.Points[1].Separation < deepest.Separation {
		deepest = &m.Points[1]
	}
	p := pairing{a: a, b: b, pa: uint8(pa.Index), pb: uint8(pb.Index), old: old, constraint: constraintAt{Index: -1}, separation: deepest.Separation,
		point: oa.Centre.add(deepest.At), normal: m.Normal}
	if oa.Def.Sensor || ob.Def.Sensor {
		if p.separation <= 0 || old >= 0 && p.separation <= slop {
			sv.pairs = append(sv.pairs, p)
		}
		return
	}
	var before *Contact
	if old >= 0 {
		before = &s.Contacts[old]
	}
	p.constraint = sv.contacts.constrain(m, pa, pb, before, &sv.bodies)
	sv.pairs = append(sv.pairs, p)
}

// finishContacts decides which bodies touch after the step, makes the events and writes the new contacts.
// Events are of bodies: they begin to touch with the first of their parts and cease with the last.
func (sv *Solver) finishContacts(s *State) {
	kept, at := 0, 0
	for i := range sv.pairs {
		p := &sv.pairs[i]
		if !sv.touches(p) {
			continue
		}
		if p.old >= 0 {
			sv.ended[p.old] = false
		}
		sv.hit(p)
		var touched bool
		if at, touched = sv.touched(s, at, p); !touched {
			sv.begin(p)
		}
		if kept != i {
			sv.pairs[kept] = *p
		}
		kept++
	}
	sv.pairs = sv.pairs[:kept]
	sv.finishEnds(s)
	sv.writeContacts(s)
}

// touched reports whether the two bodies of a pair touched before the step,
// with any of their parts, and where to look for the next pair.
func (sv *Solver) touched(s *State, at int, p *pairing) (next int, ok bool) {
	if p.old >= 0 {
		return at, true
	}
	keyA, keyB := sv.bodies.Ranking.Keys[p.a], sv.bodies.Ranking.Keys[p.b]
	for ; at < len(s.Contacts); at++ {
		c := &s.Contacts[at]
		if c.KeyA > keyA || c.KeyA == keyA && c.KeyB > keyB {
			break
		}
		if c.KeyA == keyA && c.KeyB == keyB && !c.Gone() {
			return at, true
		}
	}
	return at, false
}

// finishEnds reports the ends of the bodies that touched and do not any more.
func (sv *Solver) finishEnds(s *State) {
	at := 0
	for i, ended := range sv.ended {
		if !ended {
			continue
		}
		c := &s.Contacts[i]
		for at < len(sv.pairs) && sv.before(&sv.pairs[at], c) {
			at++
		}
		if still := at < len(sv.pairs) && sv.isOf(&sv.pairs[at], c); !still || c.Gone() {
			sv.end(s, c)
		}
	}
}

// before reports whether a pair comes before the bodies of a contact.
func (sv *Solver) before(p *pairing, c *Contact) bool {
	keyA, keyB := sv.bodies.Ranking.Keys[p.a], sv.bodies.Ranking.Keys[p.b]
	return keyA < c.KeyA || keyA == c.KeyA && keyB < c.KeyB
}

// isOf reports whether a pair is of the bodies of a contact.
func (sv *Solver) isOf(p *pairing, c *Contact) bool {
	return sv.bodies.Ranking.Keys[p.a] == c.KeyA && sv.bodies.Ranking.Keys[p.b] == c.KeyB
}

// writeContacts puts the contacts of the pairs in the place of the old ones,
// with those that the step left as they are.
func (sv *Solver) writeContacts(s *State) {
	sv.left = sv.left[:0]
	for _, at := range sv.kept {
		sv.left = append(sv.left, s.Contacts[at])
	}
	rest := sv.left
	s.Contacts = s.Contacts[:0]
	for i := range sv.pairs {
		var c Contact
		sv.contactOf(&sv.pairs[i], &c)
		for len(rest) > 0 && rest[0].compare(&c) < 0 {
			s.Contacts, rest = append(s.Contacts, rest[0]), rest[1:]
		}
		s.Contacts = append(s.Contacts, c)
	}
	s.Contacts = append(s.Contacts, rest...)
}

// wants reports whether a pair can change in this step: if not, its contact,
// should it have one, stays as it is.
func (a *outline) wants(b *outline) bool {
	return !a.fixed() || !b.fixed() || a.Def.Sensor || b.Def.Sensor
}

// touches reports whether a pair touches after the step; of sensors only those
// that do are pairs.
func (sv *Solver) touches(p *pairing) bool {
	if p.constraint.Index < 0 || p.separation <= 0 || p.old >= 0 && p.separation <= speculative {
		return true
	}
	points, _ := sv.contacts.pointsOf(p.constraint)
	return points[0].pushed() || points[len(points)-1].pushed()
}

// begin reports a beginning. Of bodies of which several parts begin to touch
// at once it makes one event: of the deepest point, with all impulses.
func (sv *Solver) begin(p *pairing) {
	e := sv.event(p)
	if n := len(sv.events.Begins); n > 0 && sv.events.Begins[n-1].KeyA == e.KeyA && sv.events.Begins[n-1].KeyB == e.KeyB {
		first := &sv.events.Begins[n-1]
		first.Impulse += e.Impulse
		first.Speed = max(first.Speed, e.Speed)
		if p.separation < sv.beganAt {
			first.Point, first.Normal, sv.beganAt = e.Point, e.Normal, p.separation
		}
		return
	}
	sv.events.Begins, sv.beganAt = append(sv.events.Begins, e), p.separation
}

// event returns the event of a pair.
func (sv *Solver) event(p *pairing) Event {
	e := Event{A: sv.bodies.Outlines[p.a].Slot, B: sv.bodies.Outlines[p.b].Slot,
		KeyA: sv.bodies.Ranking.Keys[p.a], KeyB: sv.bodies.Ranking.Keys[p.b],
		Sensor: p.constraint.Index < 0, Point: p.point, Normal: p.normal}
	if e.Sensor {
		return e
	}
	points, end := sv.contacts.pointsOf(p.constraint)
	for i := range points {
		e.Impulse += points[i].Total
		e.Speed = max(e.Speed, -end.Approach[i])
	}
	return e
}

// end reports the end of a contact. A slot that has another body by now counts
// as removed, even if Remove was not called.
func (sv *Solver) end(s *State, c *Contact) {
	e := Event{A: c.SlotA, B: c.SlotB, KeyA: c.KeyA, KeyB: c.KeyB, Sensor: c.Flags&SensorContact != 0}
	if keyAt(s, c.SlotA) != c.KeyA {
		e.A = -1
	}
	if keyAt(s, c.SlotB) != c.KeyB {
		e.B = -1
	}
	n := len(sv.events.Ends)
	twice := n > 0 && sv.events.Ends[n-1] == e
	if (e.A >= 0 || e.B >= 0) && !twice {
		sv.events.Ends = append(sv.events.Ends, e)
	}
}

// contactOf makes k what the next step needs to know of a pair.
func (sv *Solver) contactOf(p *pairing, k *Contact) {
	oa, ob := &sv.bodies.Outlines[p.a], &sv.bodies.Outlines[p.b]
	*k = Contact{KeyA: sv.bodies.Ranking.Keys[p.a], KeyB: sv.bodies.Ranking.Keys[p.b], SlotA: oa.Slot, SlotB: ob.Slot, PartA: p.pa, PartB: p.pb}
	if oa.Kind != Dynamic {
		k.Flags |= FixedA
	}
	if ob.Kind != Dynamic {
		k.Flags |= FixedB
	}
	if p.constraint.Index < 0 {
		k.Flags |= SensorContact
		return
	}
	points, end := sv.contacts.pointsOf(p.constraint)
	k.Count = uint8(len(points))
	for i := range points {
		k.ID[i], k.Normal[i], k.Tangent[i] = end.ID[i], points[i].NormalImpulse, points[i].TangentImpulse
	}
}
