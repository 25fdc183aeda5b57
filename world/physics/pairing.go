package physics

import "cmp"

// pairing is a pair of parts that has a manifold in this step.
type pairing struct {
	A, B         int32 // ranks, A < B
	PartA, PartB uint8 // which parts of the two
	Old          int32 // index of its contact before the step, or -1
	Constraint   constraintAt
	Separation   float64 // the least, metres
	Point        Vec     // of the least separation, in the world
	Normal       Vec
}

// setPairing makes p the pairing of two parts, a being the first body, without a contact and a
// constraint. It sets field by field: a pairing that is copied at once waits for them.
func setPairing(p *pairing, m *manifold, pa, pb part, a *outline) {
	deepest := &m.Points[0]
	if m.Count == 2 && m.Points[1].Separation < deepest.Separation {
		deepest = &m.Points[1]
	}
	p.A, p.B, p.PartA, p.PartB, p.Old = pa.Rank, pb.Rank, uint8(pa.Index), uint8(pb.Index), -1
	p.Constraint.Index, p.Constraint.List = -1, 0
	p.Separation, p.Point, p.Normal = deepest.Separation, a.Centre.add(deepest.At), m.Normal
}

// comparePairings compares by the order of pairs.
func comparePairings(p, q *pairing) int {
	return cmp.Or(cmp.Compare(p.A, q.A), cmp.Compare(p.B, q.B), cmp.Compare(partsOf(p.PartA, p.PartB), partsOf(q.PartA, q.PartB)))
}

// onlySenses reports whether one of the two only senses.
func onlySenses(p *pairing) bool { return p.Constraint.Index < 0 }

// overlapsStill reports whether a sensor overlaps the other body: still, if it did before.
func overlapsStill(p *pairing) bool { return p.Separation <= 0 || p.Old >= 0 && p.Separation <= slop }

// touches reports whether a pair touches after the step; of sensors only those
// that do are pairs.
func touches(p *pairing, contacts *contactSolver) bool {
	if onlySenses(p) || p.Separation <= 0 || p.Old >= 0 && p.Separation <= speculative {
		return true
	}
	points, _ := contacts.pointsOf(p.Constraint)
	return hasPushed(&points[0]) || hasPushed(&points[len(points)-1])
}

// touchedBefore reports whether the two bodies of a pair touched before the step,
// with any of their parts, and where to look for the next pair.
func touchedBefore(p *pairing, contacts []Contact, at int, keys []uint64) (next int, ok bool) {
	if p.Old >= 0 {
		return at, true
	}
	keyA, keyB := keys[p.A], keys[p.B]
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
func precedes(p *pairing, c *Contact, keys []uint64) bool {
	keyA, keyB := keys[p.A], keys[p.B]
	return keyA < c.KeyA || keyA == c.KeyA && keyB < c.KeyB
}

// follows reports whether a pair comes after a contact, of those that are not gone.
func follows(p *pairing, c *Contact, keys []uint64) bool {
	if isPairOf(p, c, keys) {
		return partsOf(p.PartA, p.PartB) > partsOf(c.PartA, c.PartB)
	}
	return !precedes(p, c, keys)
}

// isPairOf reports whether a pair is of the bodies of a contact.
func isPairOf(p *pairing, c *Contact, keys []uint64) bool {
	return keys[p.A] == c.KeyA && keys[p.B] == c.KeyB
}

// closesIn reports whether the two closed in at a speed, in m/s, or faster.
func closesIn(p *pairing, speed float64, contacts *contactSolver) bool {
	if !(speed > 0) || onlySenses(p) {
		return false
	}
	_, end := contacts.pointsOf(p.Constraint)
	return min(end.Approach[0], end.Approach[1]) <= -speed
}

// eventOf returns the event of a pair.
func eventOf(p *pairing, bodies *rankedBodies, contacts *contactSolver) Event {
	e := Event{A: bodies.outline(p.A).Slot, B: bodies.outline(p.B).Slot,
		KeyA: bodies.ranks().keyList()[p.A], KeyB: bodies.ranks().keyList()[p.B],
		Sensor: onlySenses(p), Point: p.Point, Normal: p.Normal}
	if e.Sensor {
		return e
	}
	points, end := contacts.pointsOf(p.Constraint)
	for i := range points {
		e.Impulse += points[i].Total
		e.Speed = max(e.Speed, -end.Approach[i])
	}
	return e
}

// writeContact makes k, which may be of any content, what the next step needs to know of a pair.
func writeContact(p *pairing, k *Contact, bodies *rankedBodies, contacts *contactSolver) {
	oa, ob := bodies.outline(p.A), bodies.outline(p.B)
	k.KeyA, k.KeyB, k.SlotA, k.SlotB = bodies.ranks().keyList()[p.A], bodies.ranks().keyList()[p.B], oa.Slot, ob.Slot
	k.PartA, k.PartB, k.Count, k.Flags = p.PartA, p.PartB, 0, contactFlags(p, oa, ob)
	k.ID, k.Normal, k.Tangent = [2]uint16{}, [2]float64{}, [2]float64{}
	if onlySenses(p) {
		return
	}
	points, end := contacts.pointsOf(p.Constraint)
	k.Count = uint8(len(points))
	for i := range points {
		k.ID[i], k.Normal[i], k.Tangent[i] = end.ID[i], points[i].NormalImpulse, points[i].TangentImpulse
	}
}

func contactFlags(p *pairing, a, b *outline) (f ContactFlags) {
	if a.Kind != Dynamic {
		f |= FixedA
	}
	if b.Kind != Dynamic {
		f |= FixedB
	}
	if onlySenses(p) {
		f |= SensorContact
	}
	return f
}
