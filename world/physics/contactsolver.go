package physics

// contactSolver keeps bodies that touch apart: it has the constraints of a step, in the
// order of the visits.
type contactSolver struct {
	free     rounds      // between two dynamic bodies
	fixed    rounds      // with one that nothing pushes: visited later, so that they give way less
	burdened constraints // of bodies that bear a heavier one
	yields   []yield     // by burdened constraint
	burdens  burdens

	soft softness // of free constraints
	hard softness // of fixed ones
	invH float64  // 1 / seconds of a sub-step
}

// constraintList names the list of a contactSolver that has a constraint.
type constraintList uint8

// The first round of each kind; the burdened have one list.
const (
	freeList     constraintList = 0
	fixedList                   = freeList + roundLists
	burdenedList                = fixedList + roundLists
)

// constraintAt is the place of a constraint.
type constraintAt struct {
	index int32 // in its list; -1: there is none
	list  constraintList
}

// forget makes that there are no constraints.
func (cs *contactSolver) forget() {
	cs.free.reset()
	cs.fixed.reset()
	cs.burdened.reset()
	cs.yields = cs.yields[:0]
}

// begin finds out which bodies are burdened. constrain follows for each pair.
func (cs *contactSolver) begin(s *State, defs []Def, bodies *rankedBodies, rules *stepRules) {
	cs.forget()
	cs.burdens.find(s, defs, bodies, rules)
	cs.invH = 1 / rules.h
	most := stiffest(rules.h)
	cs.soft = softFor(min(contactHertz, most), contactDamping, rules.h)
	cs.hard = softFor(min(2*contactHertz, most), contactDamping, rules.h)
}

// constrain adds a constraint between two parts, from a manifold and the impulses of
// the step before; old is nil if they did not touch then.
func (cs *contactSolver) constrain(m *manifold, pa, pb part, old *Contact, bodies *rankedBodies) constraintAt {
	at := constraintAt{list: cs.listOf(pa.rank, pb.rank, m.count, old != nil, bodies)}
	list := cs.open(at.list)
	at.index = int32(list.len())
	list.add(m, pa, pb, old, bodies)
	bodies.motions().activate(pa.rank, bodies.outline(pa.rank))
	bodies.motions().activate(pb.rank, bodies.outline(pb.rank))
	return at
}

// listOf chooses the list for the constraint of two bodies, with so many points.
func (cs *contactSolver) listOf(a, b int32, count int, touched bool, bodies *rankedBodies) constraintList {
	fixed := bodies.outline(a).isFixed() || bodies.outline(b).isFixed()
	if ratio := cs.burdens.ratio(a, b, bodies.outlines()); ratio > 0 {
		soft := cs.soft
		if fixed {
			soft = cs.hard
		}
		soft = soft.under(ratio)
		cs.yields = append(cs.yields, yield{soft.aims(cs.invH), soft.relaxed().aims(cs.invH)})
		return burdenedList
	}
	round := constraintList(rest)
	if touched {
		round = constraintList(bodies.motions().of(a).pickRound(bodies.motions().of(b), count))
	}
	if fixed {
		return fixedList + round
	}
	return freeList + round
}

// listed returns a list.
func (cs *contactSolver) listed(list constraintList) *constraints {
	switch {
	case list < fixedList:
		return cs.free.at(int(list))
	case list < burdenedList:
		return cs.fixed.at(int(list - fixedList))
	}
	return &cs.burdened
}

// open returns a list that a constraint is going to be added to.
func (cs *contactSolver) open(list constraintList) *constraints {
	switch {
	case list < fixedList:
		return cs.free.open(int(list))
	case list < burdenedList:
		return cs.fixed.open(int(list - fixedList))
	}
	return &cs.burdened
}

// each calls f for all lists.
func (cs *contactSolver) each(f func(cs *constraints)) {
	cs.free.each(f)
	cs.fixed.each(f)
	f(&cs.burdened)
}

// pointsOf returns the points of a constraint, and their other data.
func (cs *contactSolver) pointsOf(at constraintAt) ([]constraintPoint, *constraintEnd) {
	return cs.listed(at.list).at(at.index)
}

// warmStart applies the impulses of the sub-step before.
func (cs *contactSolver) warmStart(moving []movement) {
	cs.free.warmStart(moving)
	cs.fixed.warmStart(moving)
	cs.burdened.warmStart(moving)
}

// push makes the impulses before the bodies move: overlapping bodies part.
func (cs *contactSolver) push(moving []movement) {
	free, fixed := cs.soft.aims(cs.invH), cs.hard.aims(cs.invH)
	cs.free.visit(moving, &free, false)
	cs.fixed.visit(moving, &fixed, false)
	cs.burdened.pushBurdened(moving, cs.yields)
}

// relax makes the impulses after the bodies have moved, which count for the step: they
// only end the approach of bodies.
func (cs *contactSolver) relax(moving []movement) {
	free, fixed := cs.soft.relaxed().aims(cs.invH), cs.hard.relaxed().aims(cs.invH)
	cs.free.visit(moving, &free, true)
	cs.fixed.visit(moving, &fixed, true)
	cs.burdened.relaxBurdened(moving, cs.yields)
}

// bounce is restitution, after the last sub-step: bodies bounce that closed in faster
// than speed, in m/s.
func (cs *contactSolver) bounce(moving []movement, speed float64) {
	cs.free.bounce(moving, speed)
	cs.fixed.bounce(moving, speed)
	cs.burdened.bounce(moving, speed)
}

// check asserts that no round pushes a body twice, that its contacts have as many points
// as they are to have, and that each constraint is in a list of its kind.
func (cs *contactSolver) check(bodies *rankedBodies) {
	cs.free.check()
	cs.fixed.check()
	pushed := make([]constraintList, len(bodies.outlines())) // 1 + the list that pushed a body last
	for list := range burdenedList + 1 {
		at := cs.listed(list)
		at.check(bodies)
		for i := range at.all() {
			c := &at.all()[i]
			fixed := bodies.outline(c.a).isFixed() || bodies.outline(c.b).isFixed()
			if list < burdenedList && fixed != (list >= fixedList) {
				violated("list %d has a constraint of the ranks %d and %d; fixed: %v", list, c.a, c.b, fixed)
			}
			round := int(list % fixedList)
			if list == burdenedList || round == rest {
				continue
			}
			if int(c.count) != 1+round/mostRounds {
				violated("a contact of %d points is in round %d", c.count, round)
			}
			for _, rank := range [...]int32{c.a, c.b} {
				if bodies.motions().of(rank).invM > 0 && pushed[rank] == list+1 {
					violated("rank %d is pushed twice in round %d", rank, round)
				}
				pushed[rank] = list + 1
			}
		}
	}
	if len(cs.yields) != cs.burdened.len() {
		violated("%d burdened constraints with %d softnesses", cs.burdened.len(), len(cs.yields))
	}
}
