package physics

import "math"

// Bodies that have been at rest for a while sleep: a step leaves them, and the
// contacts and joints between them, as they are. They sleep and wake by
// islands, so that what a body does still depends on its island alone. Which bodies
// sleep is part of the State; this file keeps scratch memory only.

const (
	sleepSpeed = 0.05    // m/s of any point of a body below which it is at rest
	asleep     = 1 << 31 // of Rest: the body sleeps, the other bits are its mark
	maxRest    = 1 << 30
)

// Asleep reports whether the last Step left the body sleeping.
func (b *Body) Asleep() bool { return b.Rest&asleep != 0 }

// Wake lets the body take part in the next Step, and its whole island with it.
func (b *Body) Wake() { b.Rest = 0 }

// mark returns the Rest of a body that sleeps where it is. A body that was moved by
// hand has another, and so is found awake.
func (b *Body) mark() uint32 {
	h := mix(math.Float64bits(b.X) ^ uint64(b.Def))
	h = mix(h ^ math.Float64bits(b.Y))
	h = mix(h ^ math.Float64bits(b.Angle))
	return asleep | uint32(h>>33)
}

// undisturbed reports whether a body that slept or stood still has not been changed
// since.
func (b *Body) undisturbed() bool {
	return b.Asleep() && b.VX == 0 && b.VY == 0 && b.W == 0 && !b.forced() &&
		b.ImpFX == 0 && b.ImpFY == 0 && b.ImpT == 0 && b.Rest == b.mark()
}

func (b *Body) forced() bool { return b.FX != 0 || b.FY != 0 || b.Torque != 0 }

// mark returns the Rest of a joint between bodies that sleep. When a script changes the
// joint, its mark changes, and the bodies wake.
func (j *Joint) mark() uint32 {
	h := mix(uint64(j.Kind) ^ uint64(j.Flags&^jointFixed)<<8 ^ jointSeed)
	numbers := j.floats()
	for _, v := range numbers[:jointSettings] {
		h = mix(h ^ math.Float64bits(*v))
	}
	return asleep | uint32(h>>33)
}

// sleepers has the bodies that sleep through a step, by rank.
type sleepers struct {
	on     bool
	any    bool   // a body slept before the step
	fixed  []bool // is not dynamic now; the flags of contacts and joints are of the previous step
	rests  []bool // sleeps, or is fixed and does not move
	root   forest // of its island
	lively []bool // by root: a body of the island is awake, or not due
}

// isOn reports whether bodies may sleep.
func (sl *sleepers) isOn() bool { return sl.on }

// sleeps reports whether a body that is dynamic sleeps through the step.
func (sl *sleepers) sleeps(rank int) bool { return sl.on && sl.rests[rank] }

func (sl *sleepers) join(a, b int32) {
	if ra, rb := sl.root.find(a), sl.root.find(b); ra != rb {
		sl.root[rb] = ra
		sl.lively[ra] = sl.lively[ra] || sl.lively[rb]
	}
}

// rouse makes the island of a rank lively. -1 is no body, and a fixed body has no island.
func (sl *sleepers) rouse(rank int32) {
	if rank >= 0 && !sl.fixed[rank] {
		sl.lively[sl.root.find(rank)] = true
	}
}

// reset makes every rank an island of its own.
func (sl *sleepers) reset(n int) {
	sl.fixed, sl.rests, sl.lively = resize(sl.fixed, n), resize(sl.rests, n), resize(sl.lively, n)
	clear(sl.lively)
	sl.root.reset(n)
}

// begin decides which bodies sleep through a step, except for those that will be hit.
// If not on, none does.
func (sl *sleepers) begin(s *State, defs []Def, ranks *ranking, on bool) {
	if sl.on = on; !on {
		return
	}
	sl.reset(len(ranks.slotList()))
	sl.any = false
	for rank, slot := range ranks.slotList() {
		b := &s.Bodies[slot]
		d := b.def(defs)
		sl.fixed[rank] = d == nil || d.Type != Dynamic
		switch {
		case d == nil || d.Type == Static:
			sl.rests[rank] = true
		default:
			sl.rests[rank] = b.undisturbed() && !(d.NoSleep && d.Type == Dynamic)
			sl.lively[rank] = d.Type == Dynamic && !sl.rests[rank]
			sl.any = sl.any || d.Type == Dynamic && sl.rests[rank]
		}
	}
	if !sl.any {
		return // no body sleeps
	}
	sl.tieByContacts(s.Contacts, ranks)
	sl.tieByJoints(s, ranks)
	sl.rouseByChanges(s, ranks)
	sl.spread(func(int32) {})
}

// def returns the body's Def, nil if it has none that is prepared.
func (b *Body) def(defs []Def) *Def {
	if int(b.Def) < len(defs) && defs[b.Def].ready() {
		return &defs[b.Def]
	}
	return nil
}

// tieByContacts makes islands by contacts, and makes them lively where a
// contact is with one that moves and is fixed, or went away.
func (sl *sleepers) tieByContacts(contacts []Contact, ranks *ranking) {
	for i := range contacts {
		c := &contacts[i]
		if c.Flags&SensorContact != 0 {
			continue
		}
		sl.tie(ranks.at(c.SlotA, c.KeyA), ranks.at(c.SlotB, c.KeyB))
	}
}

// tieByPairs does so by the contacts that the step has made.
func (sl *sleepers) tieByPairs(pairs []pairing) {
	for i := range pairs {
		if p := &pairs[i]; !p.onlySenses() {
			sl.tie(p.a, p.b)
		}
	}
}

// rouseByChanges wakes the bodies of joints that were changed.
func (sl *sleepers) rouseByChanges(s *State, ranks *ranking) {
	for i := range s.Joints {
		if j := &s.Joints[i]; j.Rest != j.mark() {
			sl.rouse(ranks.at(j.SlotA, j.KeyA))
			sl.rouse(ranks.at(j.SlotB, j.KeyB))
		}
	}
}

// tieByJoints is tieByContacts for joints.
func (sl *sleepers) tieByJoints(s *State, ranks *ranking) {
	for i := range s.Joints {
		if j := &s.Joints[i]; j.KeyB != 0 {
			sl.tie(ranks.at(j.SlotA, j.KeyA), ranks.at(j.SlotB, j.KeyB))
		}
	}
}

// tie makes one island of two bodies that nothing holds; of a fixed one that
// moves, or one that is gone, it wakes the other.
func (sl *sleepers) tie(a, b int32) {
	switch {
	case a < 0 || b < 0:
		sl.rouse(a)
		sl.rouse(b)
	case !sl.fixed[a] && !sl.fixed[b]:
		sl.join(a, b)
	case sl.fixed[a] && !sl.rests[a]:
		sl.rouse(b)
	case sl.fixed[b] && !sl.rests[b]:
		sl.rouse(a)
	}
}

// spread wakes all members of lively islands, and calls woken for each.
func (sl *sleepers) spread(woken func(rank int32)) {
	for i, rests := range sl.rests {
		if rank := int32(i); rests && sl.lively[sl.root.find(rank)] {
			sl.rests[rank] = false
			woken(rank)
		}
	}
}

// rouseHit makes lively the islands of sleepers that an awake body overlaps or will
// reach in a step of dt seconds, and reports whether there are any.
func (sl *sleepers) rouseHit(pairs []uint64, bodies *rankedBodies, dt float64) (any bool) {
	if !sl.on || !sl.any {
		return false
	}
	var m manifold
	for _, packed := range pairs {
		pa, pb := int32(packed>>32), int32(uint32(packed))
		sleeper, other := bodies.parts().at(pa).rank, bodies.parts().at(pb).rank
		a, b := bodies.outline(sleeper), bodies.outline(other)
		if a.asleep == b.asleep || a.def.Sensor || b.def.Sensor {
			continue
		}
		if b.asleep {
			sleeper, other = other, sleeper
		}
		root := sl.root.find(sleeper)
		if sl.rests[other] || sl.lively[root] {
			continue
		}
		if bodies.collide(&m, pa, pb, dt); m.hits(a, b, dt) {
			sl.lively[root], any = true, true
		}
	}
	return any
}

// fallAsleep counts the time that bodies are at rest, and lets islands sleep
// of which all bodies have been so for long enough.
func (sl *sleepers) fallAsleep(s *State, bodies *rankedBodies, pairs *pairings, rules *stepRules) {
	if !sl.on {
		return
	}
	sl.reset(len(bodies.outlines()))
	tired := false // a body may fall asleep
	outlines := bodies.outlines()
	for rank := range outlines {
		o := &outlines[rank]
		b := &s.Bodies[o.slot]
		sl.fixed[rank] = o.kind != Dynamic
		switch {
		case o.kind == Kinematic:
			sl.rests[rank] = b.stand()
		case o.kind != Dynamic || o.asleep:
			sl.rests[rank] = true
		default:
			due := b.countRest(o.def) && float64(float64(b.Rest)*rules.DT) >= rules.SleepAfter
			sl.rests[rank], sl.lively[rank] = false, !due
			tired = tired || due
		}
	}
	if tired {
		sl.tieByPairs(pairs.made())
		sl.tieByContacts(pairs.unchanged(), bodies.ranks())
		sl.tieByJoints(s, bodies.ranks())
		sl.layDown(s, bodies)
	}
	s.markJoints(bodies)
}

// layDown lets the islands sleep of which all bodies are due.
func (sl *sleepers) layDown(s *State, bodies *rankedBodies) {
	outlines := bodies.outlines()
	for rank := range outlines {
		o := &outlines[rank]
		b := &s.Bodies[o.slot]
		switch {
		case o.kind != Dynamic || o.asleep:
		case sl.lively[sl.root.find(int32(rank))]:
		default:
			b.VX, b.VY, b.W = 0, 0, 0
			b.Rest = b.mark()
		}
	}
}

// stand marks a kinematic body that does not move, so that the next step sees
// whether it was moved by hand.
func (b *Body) stand() bool {
	still := b.VX == 0 && b.VY == 0 && b.W == 0
	b.Rest = 0
	if still {
		b.Rest = b.mark()
	}
	return still
}

// countRest counts the steps that a body is at rest, and reports whether it is.
func (b *Body) countRest(d *Def) bool {
	v := Vec{b.VX, b.VY}
	if d.NoSleep || b.forced() || v.lengthSquared() > sleepSpeed*sleepSpeed || math.Abs(b.W)*d.radius() > sleepSpeed {
		b.Rest = 0
		return false
	}
	if b.Rest&asleep != 0 {
		b.Rest = 0 // it was woken
	}
	b.Rest = min(b.Rest+1, maxRest)
	return true
}

// markJoints marks the joints of which no body is awake.
func (s *State) markJoints(bodies *rankedBodies) {
	for i := range s.Joints {
		j := &s.Joints[i]
		rest := true
		for _, rank := range [...]int32{bodies.ranks().at(j.SlotA, j.KeyA), bodies.ranks().at(j.SlotB, j.KeyB)} {
			if rank >= 0 && bodies.outline(rank).kind == Dynamic && !s.Bodies[bodies.outline(rank).slot].Asleep() {
				rest = false
			}
		}
		j.Rest = 0
		if rest {
			j.Rest = j.mark()
		}
	}
}

// check asserts that islands sleep as a whole, by what ties them before the step.
func (sl *sleepers) check(s *State, bodies *rankedBodies) {
	if !sl.on {
		return
	}
	agree := func(a, b int32) {
		if a >= 0 && b >= 0 && !sl.fixed[a] && !sl.fixed[b] && bodies.outline(a).asleep != bodies.outline(b).asleep {
			violated("one of the bodies %016x and %016x sleeps, and they are tied", bodies.ranks().keyList()[a],
				bodies.ranks().keyList()[b])
		}
	}
	for i := range s.Contacts {
		if c := &s.Contacts[i]; c.Flags&SensorContact == 0 {
			agree(bodies.ranks().at(c.SlotA, c.KeyA), bodies.ranks().at(c.SlotB, c.KeyB))
		}
	}
	for i := range s.Joints {
		j := &s.Joints[i]
		agree(bodies.ranks().at(j.SlotA, j.KeyA), bodies.ranks().at(j.SlotB, j.KeyB))
	}
	for rank := range sl.root {
		if root := sl.root.find(int32(rank)); sl.fixed[rank] && int(root) != rank {
			violated("the fixed body %016x is in an island", bodies.ranks().keyList()[rank])
		}
	}
}
