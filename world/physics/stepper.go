package physics

// stepper does the steps of a Solver. Each of its parts owns its results of a step, and
// gets the parts that it reads as arguments.
type stepper struct {
	Bodies rankedBodies
	Broad  broadphase
	Fast   ccd

	sleepers sleepers
	pairs    pairings
	contacts contactSolver
	joints   jointSolver
	events   eventBuilder
	roots    forest // of rings, by rank
	clamped  int    // bodies that the step held back
}

// step is Solver.Step.
func (st *stepper) step(s *State, defs []Def, rules *stepRules) {
	st.events.Made.reset()
	if !rules.steps() {
		st.forget()
		return
	}
	st.Broad.keep(rules.MostPairs)
	st.Bodies.Ranking.update(s.Bodies)
	sorted := rules.Check && inOrder(s) && st.Bodies.Ranking.distinct()
	st.sleepers.begin(s, defs, &st.Bodies.Ranking, rules.SleepAfter > 0)
	st.Bodies.gather(s, defs, &st.sleepers, rules)
	found := st.sweep(s, rules)
	st.joints.gather(s, &st.Bodies, rules.H)
	st.contacts.begin(s, defs, &st.Bodies, rules)
	st.pairUp(s, found, rules.DT)
	if rules.Check {
		st.check(s)
	}
	for range rules.Substeps {
		st.substep(rules.H)
	}
	st.contacts.bounce(st.Bodies.Moving, rules.BounceSpeed)
	st.Bodies.moveFree(rules)
	st.Fast.sweep(found, &st.Bodies, &st.Broad, &st.joints)
	st.clamped = st.Bodies.finish(s)
	st.pairs.finish(s, &st.Bodies, &st.contacts, rules.HitSpeed, &st.events)
	st.joints.finish(s, rules.DT, &st.events)
	st.sleepers.fallAsleep(s, &st.Bodies, &st.pairs, rules)
	if rules.Check {
		st.checkEnd(s, sorted)
	}
}

// check asserts the preconditions of the sub-steps.
func (st *stepper) check(s *State) {
	st.Bodies.Ranking.check(s.Bodies)
	st.Bodies.check()
	st.Broad.check(st.Bodies.Parts)
	st.sleepers.check(s, &st.Bodies)
	st.joints.check(&st.Bodies)
	st.contacts.check(&st.Bodies)
	st.pairs.check(s.Contacts, st.Bodies.Ranking.Keys)
}

// checkEnd asserts the preconditions of the next step; sorted says that the state was in
// order before this one.
func (st *stepper) checkEnd(s *State, sorted bool) {
	st.checkMoved(s)
	if !sorted {
		return
	}
	if !inOrder(s) {
		violated("the step leaves contacts or joints that are not in order")
	}
	st.happened().check()
}

// checkMoved asserts that the numbers of the bodies that the step moved are finite.
func (st *stepper) checkMoved(s *State) {
	for rank := range st.Bodies.Outlines {
		b := &s.Bodies[st.Bodies.Outlines[rank].Slot]
		if st.Bodies.Outlines[rank].moves() && !(finite(b.X) && finite(b.Y) && finite(b.Angle) && finite(b.VX) && finite(b.VY) && finite(b.W)) {
			violated("body %016x is nowhere after the step: %+v", b.Key, *b)
		}
	}
}

// sweep finds the pairs of which one body is awake. It wakes the bodies that are hit,
// and sweeps again until no other body is hit.
func (st *stepper) sweep(s *State, rules *stepRules) []uint64 {
	for {
		st.Bodies.addBoxes(&st.Broad, rules.DT)
		pairs := st.Bodies.orderPairs(st.Broad.sweep(len(st.Bodies.Parts)))
		if !st.sleepers.rouseHit(pairs, &st.Bodies, rules.DT) {
			return pairs
		}
		st.sleepers.spread(func(rank int32) { st.Bodies.wake(rank, s, rules) })
	}
}

// forget makes that no step is left to Record.
func (st *stepper) forget() {
	st.Bodies.forget()
	st.joints.forget()
	st.pairs.forget()
	st.Fast.forget()
	st.contacts.forget()
	st.Broad.reset(nil)
	st.clamped = 0
}

// outcome returns how many bodies the last step held back, and whether there were more pairs
// than it looked at.
func (st *stepper) outcome() (clamped int, crowded bool) { return st.clamped, st.Broad.isFull() }

// happened returns the events of the last step.
func (st *stepper) happened() *stepEvents { return &st.events.Made }

// pairUp finds the pairs of parts that meet, matches them with the contacts of the step
// before (both are in the order of keys) and makes their constraints.
func (st *stepper) pairUp(s *State, found []uint64, dt float64) {
	bodies := &st.Bodies
	st.pairs.begin(s.Contacts, bodies, st.sleepers.isOn())
	var m manifold
	for _, packed := range found {
		a, b := bodies.Parts[packed>>32], bodies.Parts[uint32(packed)]
		oa, ob := &bodies.Outlines[a.Rank], &bodies.Outlines[b.Rank]
		if !oa.wants(ob) || st.joints.keepApart(a.Rank, b.Rank) {
			continue
		}
		d, limit, near := apart(oa, ob, dt) // most are not: as collide, without a call for those
		if !near {
			continue
		}
		bodies.meet(&m, int32(packed>>32), int32(uint32(packed)), d, limit)
		if m.dropMisses(oa, ob, d, dt); m.Count > 0 {
			st.pair(s, &m, a, b)
		}
	}
}

// pair keeps a pair and makes its constraint, unless one of them is a sensor.
func (st *stepper) pair(s *State, m *manifold, pa, pb part) {
	a, b := &st.Bodies.Outlines[pa.Rank], &st.Bodies.Outlines[pb.Rank]
	p := st.pairs.add()
	p.set(m, pa, pb, a)
	p.Old = st.pairs.match(p, s.Contacts, st.Bodies.Ranking.Keys)
	if a.Def.Sensor || b.Def.Sensor {
		if !p.overlaps() {
			st.pairs.drop()
		}
		return
	}
	var before *Contact
	if p.Old >= 0 {
		before = &s.Contacts[p.Old]
	}
	p.Constraint = st.contacts.constrain(m, pa, pb, before, &st.Bodies)
}

// substep moves the bodies that touch through h seconds.
func (st *stepper) substep(h float64) {
	moving := st.Bodies.Moving
	st.Bodies.accelerate()
	st.joints.warmStart(moving)
	st.contacts.warmStart(moving)
	st.joints.push(moving)
	st.contacts.push(moving)
	st.Bodies.move(h)
	st.joints.relax(moving)
	st.contacts.relax(moving)
}
