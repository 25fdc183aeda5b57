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

// set makes p the pairing of two parts, a being the first body, without a contact and a
// constraint. It sets field by field: a pairing that is copied at once waits for them.
func (p *pairing) set(m *manifold, pa, pb part, a *outline) {
	deepest := &m.Points[0]
	if m.Count == 2 && m.Points[1].Separation < deepest.Separation {
		deepest = &m.Points[1]
	}
	p.A, p.B, p.PartA, p.PartB, p.Old = pa.Rank, pb.Rank, uint8(pa.Index), uint8(pb.Index), -1
	p.Constraint.Index, p.Constraint.List = -1, 0
	p.Separation, p.Point, p.Normal = deepest.Separation, a.Centre.add(deepest.At), m.Normal
}

// compare returns the order of pairs.
func (p *pairing) compare(q *pairing) int {
	return cmp.Or(cmp.Compare(p.A, q.A), cmp.Compare(p.B, q.B), cmp.Compare(partsOf(p.PartA, p.PartB), partsOf(q.PartA, q.PartB)))
}

// senses reports whether one of the two only senses.
func (p *pairing) senses() bool { return p.Constraint.Index < 0 }

// overlaps reports whether a sensor overlaps the other body: still, if it did before.
func (p *pairing) overlaps() bool { return p.Separation <= 0 || p.Old >= 0 && p.Separation <= slop }

// touches reports whether a pair touches after the step; of sensors only those
// that do are pairs.
func (p *pairing) touches(contacts *contactSolver) bool {
	if p.senses() || p.Separation <= 0 || p.Old >= 0 && p.Separation <= speculative {
		return true
	}
	points, _ := contacts.pointsOf(p.Constraint)
	return points[0].pushed() || points[len(points)-1].pushed()
}

// touched reports whether the two bodies of a pair touched before the step,
// with any of their parts, and where to look for the next pair.
func (p *pairing) touched(contacts []Contact, at int, keys []uint64) (next int, ok bool) {
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

// before reports whether a pair comes before the bodies of a contact.
func (p *pairing) before(c *Contact, keys []uint64) bool {
	keyA, keyB := keys[p.A], keys[p.B]
	return keyA < c.KeyA || keyA == c.KeyA && keyB < c.KeyB
}

// after reports whether a pair comes after a contact, of those that are not gone.
func (p *pairing) after(c *Contact, keys []uint64) bool {
	if p.isOf(c, keys) {
		return partsOf(p.PartA, p.PartB) > partsOf(c.PartA, c.PartB)
	}
	return !p.before(c, keys)
}

// isOf reports whether a pair is of the bodies of a contact.
func (p *pairing) isOf(c *Contact, keys []uint64) bool {
	return keys[p.A] == c.KeyA && keys[p.B] == c.KeyB
}

// closesIn reports whether the two closed in at a speed, in m/s, or faster.
func (p *pairing) closesIn(speed float64, contacts *contactSolver) bool {
	if !(speed > 0) || p.senses() {
		return false
	}
	_, end := contacts.pointsOf(p.Constraint)
	return min(end.Approach[0], end.Approach[1]) <= -speed
}

// event returns the event of a pair.
func (p *pairing) event(bodies *rankedBodies, contacts *contactSolver) Event {
	e := Event{A: bodies.Outlines[p.A].Slot, B: bodies.Outlines[p.B].Slot,
		KeyA: bodies.Ranking.Keys[p.A], KeyB: bodies.Ranking.Keys[p.B],
		Sensor: p.senses(), Point: p.Point, Normal: p.Normal}
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

// write makes k, which may be of any content, what the next step needs to know of a pair.
func (p *pairing) write(k *Contact, bodies *rankedBodies, contacts *contactSolver) {
	oa, ob := &bodies.Outlines[p.A], &bodies.Outlines[p.B]
	k.KeyA, k.KeyB, k.SlotA, k.SlotB = bodies.Ranking.Keys[p.A], bodies.Ranking.Keys[p.B], oa.Slot, ob.Slot
	k.PartA, k.PartB, k.Count, k.Flags = p.PartA, p.PartB, 0, p.flags(oa, ob)
	k.ID, k.Normal, k.Tangent = [2]uint16{}, [2]float64{}, [2]float64{}
	if p.senses() {
		return
	}
	points, end := contacts.pointsOf(p.Constraint)
	k.Count = uint8(len(points))
	for i := range points {
		k.ID[i], k.Normal[i], k.Tangent[i] = end.ID[i], points[i].NormalImpulse, points[i].TangentImpulse
	}
}

func (p *pairing) flags(a, b *outline) (f ContactFlags) {
	if a.Kind != Dynamic {
		f |= FixedA
	}
	if b.Kind != Dynamic {
		f |= FixedB
	}
	if p.senses() {
		f |= SensorContact
	}
	return f
}
