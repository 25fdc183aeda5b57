package physics

// stepper does the steps of a Solver. Each of its parts owns its results of a step, and
// gets the parts that it reads as arguments.
type stepper struct {
	bodies rankedBodies
	broad  broadphase
	fast   ccd

	sleepers sleepers
	pairs    pairings
	contacts contactSolver
	joints   jointSolver
	events   eventBuilder
	roots    forest // of rings, by rank
	clamped  int    // bodies that the step held back
	work     Work
}

// step is Solver.Step.
func (st *stepper) step(s *State, defs []Def, rules *stepRules) {
	st.events.reset()
	if !rules.steps() {
		st.forget()
		return
	}
	st.work = Work{}
	st.broad.keep(rules.MostPairs)
	st.bodies.ranks().update(s.Bodies)
	sorted := rules.check && inOrder(s) && st.bodies.ranks().distinct()
	st.sleepers.begin(s, defs, st.bodies.ranks(), rules.SleepAfter > 0)
	st.bodies.gather(s, defs, &st.sleepers, rules)
	found := st.sweep(s, rules)
	st.joints.gather(s, &st.bodies, rules.h)
	st.contacts.begin(s, defs, &st.bodies, rules)
	st.pairUp(s, found, rules.DT)
	st.work.count(st, len(found), rules.Substeps)
	if rules.check {
		st.check(s)
	}
	for range rules.Substeps {
		st.substep(rules.h)
	}
	st.contacts.bounce(st.bodies.motions().all(), rules.BounceSpeed)
	st.bodies.moveFree(rules)
	st.fast.sweep(found, &st.bodies, &st.broad, &st.joints)
	st.clamped = st.bodies.finish(s)
	st.pairs.finish(s, &st.bodies, &st.contacts, rules.HitSpeed, &st.events)
	st.joints.finish(s, rules.DT, &st.events)
	st.sleepers.fallAsleep(s, &st.bodies, &st.pairs, rules)
	if rules.check {
		st.checkEnd(s, sorted)
	}
}

// check asserts the preconditions of the sub-steps.
func (st *stepper) check(s *State) {
	st.bodies.ranks().check(s.Bodies)
	st.bodies.check()
	st.broad.check(st.bodies.parts().all())
	st.sleepers.check(s, &st.bodies)
	st.joints.check(&st.bodies)
	st.contacts.check(&st.bodies)
	st.pairs.check(s.Contacts, st.bodies.ranks().keyList())
}

// checkEnd asserts the preconditions of the next step; sorted says that the state was in
// order before this one.
func (st *stepper) checkEnd(s *State, sorted bool) {
	checkMoved(s, st.bodies.outlines())
	if !sorted {
		return
	}
	if !inOrder(s) {
		violated("the step leaves contacts or joints that are not in order")
	}
	st.happened().check()
}

// sweep finds the pairs of which one body is awake. It wakes the bodies that are hit,
// and sweeps again until no other body is hit.
func (st *stepper) sweep(s *State, rules *stepRules) []uint64 {
	for {
		st.bodies.addBoxes(&st.broad, rules.DT)
		pairs := st.bodies.parts().order(st.broad.sweep(len(st.bodies.parts().all())))
		if !st.sleepers.rouseHit(pairs, &st.bodies, rules.DT) {
			return pairs
		}
		st.sleepers.spread(func(rank int32) { st.bodies.wake(rank, s, rules) })
	}
}

// forget makes that no step is left to Record.
func (st *stepper) forget() {
	st.bodies.forget()
	st.joints.forget()
	st.pairs.forget()
	st.fast.forget()
	st.contacts.forget()
	st.broad.reset(nil)
	st.clamped, st.work = 0, Work{}
}

// outcome returns how many bodies the last step held back, and whether there were more pairs
// than it looked at.
func (st *stepper) outcome() (clamped int, crowded bool) { return st.clamped, st.broad.isFull() }

// worked returns the work of the last step.
func (st *stepper) worked() Work { return st.work }

// ranks returns those of the bodies of the last step.
func (st *stepper) ranks() *ranking { return st.bodies.ranks() }

// dynamic counts the bodies of the last step that are.
func (st *stepper) dynamic() (n int) {
	outlines := st.bodies.outlines()
	for i := range outlines {
		if outlines[i].kind == Dynamic {
			n++
		}
	}
	return n
}

// sleptThrough reports whether the body of a rank slept through the last step.
func (st *stepper) sleptThrough(rank int) bool { return st.bodies.outline(int32(rank)).asleep }

// extentAt returns the box of a rank in the last step.
func (st *stepper) extentAt(rank int32) extent { return st.broad.extentAt(rank) }

// fastWays returns where fast bodies looked for static ones.
func (st *stepper) fastWays() []way { return st.fast.fastWays() }

// overcrowds reports whether the last step did not look at all pairs, or would not with so many
// others.
func (st *stepper) overcrowds(others int) bool { return st.broad.isFull() || st.broad.overfull(others) }

// happened returns the events of the last step.
func (st *stepper) happened() *stepEvents { return st.events.happened() }

// pairUp finds the pairs of parts that meet, matches them with the contacts of the step
// before (both are in the order of keys) and makes their constraints.
func (st *stepper) pairUp(s *State, found []uint64, dt float64) {
	bodies := &st.bodies
	st.pairs.begin(s.Contacts, bodies, st.sleepers.isOn())
	var m manifold
	parts, outlines := bodies.parts().all(), bodies.outlines()
	for _, packed := range found {
		a, b := parts[packed>>32], parts[uint32(packed)]
		oa, ob := &outlines[a.rank], &outlines[b.rank]
		if !oa.canChange(ob) || st.joints.keepApart(a.rank, b.rank) {
			continue
		}
		d, limit, near := oa.apart(ob, dt) // most are not: as collide, without a call for those
		if !near {
			continue
		}
		bodies.meet(&m, int32(packed>>32), int32(uint32(packed)), d, limit)
		if m.dropMisses(oa, ob, d, dt); m.count > 0 {
			st.pair(s, &m, a, b)
		}
	}
}

// pair keeps a pair and makes its constraint, unless one of them is a sensor.
func (st *stepper) pair(s *State, m *manifold, pa, pb part) {
	a, b := st.bodies.outline(pa.rank), st.bodies.outline(pb.rank)
	p := st.pairs.add()
	p.set(m, pa, pb, a)
	p.old = st.pairs.match(p, s.Contacts, st.bodies.ranks().keyList())
	if a.def.Sensor || b.def.Sensor {
		if !p.overlapsStill() {
			st.pairs.drop()
		}
		return
	}
	var before *Contact
	if p.old >= 0 {
		before = &s.Contacts[p.old]
	}
	p.constraint = st.contacts.constrain(m, pa, pb, before, &st.bodies)
}

// substep moves the bodies that touch through h seconds.
func (st *stepper) substep(h float64) {
	motions := st.bodies.motions()
	moving := motions.all()
	motions.accelerate()
	st.joints.warmStart(moving)
	st.contacts.warmStart(moving)
	st.joints.push(moving)
	st.contacts.push(moving)
	motions.move(h)
	st.joints.relax(moving)
	st.contacts.relax(moving)
}

// checkMoved asserts that the numbers of the bodies that the step moved are finite.
func checkMoved(s *State, outlines []outline) {
	for rank := range outlines {
		b := &s.Bodies[outlines[rank].slot]
		if outlines[rank].moves() &&
			!(finite(b.X) && finite(b.Y) && finite(b.Angle) && finite(b.VX) && finite(b.VY) && finite(b.W)) {
			violated("body %016x is nowhere after the step: %+v", b.Key, *b)
		}
	}
}
