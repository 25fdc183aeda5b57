package physics

import "cmp"

// pairing is a pair of parts that has a manifold in this step.
type pairing struct {
	a, b         int32 // ranks, A < B
	partA, partB uint8 // which parts of the two
	old          int32 // index of its contact before the step, or -1
	constraint   constraintAt
	separation   float64 // the least, metres
	point        Vec     // of the least separation, in the world
	normal       Vec
}

// set makes p the pairing of two parts, a being the first body, without a contact and a
// constraint. It sets field by field: a pairing that is copied at once waits for them.
func (p *pairing) set(m *manifold, pa, pb part, a *outline) {
	deepest := &m.points[0]
	if m.count == 2 && m.points[1].separation < deepest.separation {
		deepest = &m.points[1]
	}
	p.a, p.b, p.partA, p.partB, p.old = pa.rank, pb.rank, uint8(pa.index), uint8(pb.index), -1
	p.constraint.index, p.constraint.list = -1, 0
	p.separation, p.point, p.normal = deepest.separation, a.centre.add(deepest.at), m.normal
}

// compare compares by the order of pairs.
func (p *pairing) compare(q *pairing) int {
	return cmp.Or(cmp.Compare(p.a, q.a), cmp.Compare(p.b, q.b),
		cmp.Compare(partsOf(p.partA, p.partB), partsOf(q.partA, q.partB)))
}

// onlySenses reports whether one of the two only senses.
func (p *pairing) onlySenses() bool { return p.constraint.index < 0 }

// overlapsStill reports whether a sensor overlaps the other body: still, if it did before.
func (p *pairing) overlapsStill() bool {
	return p.separation <= 0 || p.old >= 0 && p.separation <= slop
}

// touches reports whether a pair touches after the step; of sensors only those
// that do are pairs.
func (p *pairing) touches(contacts *contactSolver) bool {
	if p.onlySenses() || p.separation <= 0 || p.old >= 0 && p.separation <= speculative {
		return true
	}
	points, _ := contacts.pointsOf(p.constraint)
	return points[0].hasPushed() || points[len(points)-1].hasPushed()
}

// touchedBefore reports whether the two bodies of a pair touched before the step,
// with any of their parts, and where to look for the next pair.
func (p *pairing) touchedBefore(contacts []Contact, at int, keys []uint64) (next int, ok bool) {
	if p.old >= 0 {
		return at, true
	}
	keyA, keyB := keys[p.a], keys[p.b]
	for ; at < len(contacts); at++ {
		c := &contacts[at]
		if c.KeyA > keyA || c.KeyA == keyA && c.KeyB > keyB {
			break
		}
		if c.KeyA == keyA && c.KeyB == keyB && !c.Gone() {
			return at, true
		}
	}
	return at, false
}

// precedes reports whether a pair comes before the bodies of a contact.
func (p *pairing) precedes(c *Contact, keys []uint64) bool {
	keyA, keyB := keys[p.a], keys[p.b]
	return keyA < c.KeyA || keyA == c.KeyA && keyB < c.KeyB
}

// follows reports whether a pair comes after a contact, of those that are not gone.
func (p *pairing) follows(c *Contact, keys []uint64) bool {
	if p.isPairOf(c, keys) {
		return partsOf(p.partA, p.partB) > partsOf(c.PartA, c.PartB)
	}
	return !p.precedes(c, keys)
}

// isPairOf reports whether a pair is of the bodies of a contact.
func (p *pairing) isPairOf(c *Contact, keys []uint64) bool {
	return keys[p.a] == c.KeyA && keys[p.b] == c.KeyB
}

// closesIn reports whether the two closed in at a speed, in m/s, or faster.
func (p *pairing) closesIn(speed float64, contacts *contactSolver) bool {
	if !(speed > 0) || p.onlySenses() {
		return false
	}
	_, end := contacts.pointsOf(p.constraint)
	return min(end.approach[0], end.approach[1]) <= -speed
}

// event returns the event of a pair.
func (p *pairing) event(bodies *rankedBodies, contacts *contactSolver) Event {
	e := Event{A: bodies.outline(p.a).slot, B: bodies.outline(p.b).slot,
		KeyA: bodies.ranks().keyList()[p.a], KeyB: bodies.ranks().keyList()[p.b],
		Sensor: p.onlySenses(), Point: p.point, Normal: p.normal}
	if e.Sensor {
		return e
	}
	points, end := contacts.pointsOf(p.constraint)
	for i := range points {
		e.Impulse += points[i].total
		e.Speed = max(e.Speed, -end.approach[i])
	}
	return e
}

// writeContact makes k, which may be of any content, what the next step needs to know of a pair.
func (p *pairing) writeContact(k *Contact, bodies *rankedBodies, contacts *contactSolver) {
	oa, ob := bodies.outline(p.a), bodies.outline(p.b)
	k.KeyA, k.KeyB, k.SlotA, k.SlotB = bodies.ranks().keyList()[p.a], bodies.ranks().keyList()[p.b], oa.slot, ob.slot
	k.PartA, k.PartB, k.Count, k.Flags = p.partA, p.partB, 0, p.contactFlags(oa, ob)
	k.ID, k.Normal, k.Tangent = [2]uint16{}, [2]float64{}, [2]float64{}
	if p.onlySenses() {
		return
	}
	points, end := contacts.pointsOf(p.constraint)
	k.Count = uint8(len(points))
	for i := range points {
		k.ID[i], k.Normal[i], k.Tangent[i] = end.id[i], points[i].normalImpulse, points[i].tangentImpulse
	}
}

func (p *pairing) contactFlags(a, b *outline) (f ContactFlags) {
	if a.kind != Dynamic {
		f |= FixedA
	}
	if b.kind != Dynamic {
		f |= FixedB
	}
	if p.onlySenses() {
		f |= SensorContact
	}
	return f
}
