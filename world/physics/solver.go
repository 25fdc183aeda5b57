package physics

// Params are the rules of a step that hold for all bodies.
type Params struct {
	DT       float64 // seconds, above 0
	GravityX float64 // m/s2
	GravityY float64 // m/s2
	Substeps int     // at least 1; 4 at 60 Hz

	// SleepAfter is how many seconds all bodies of an island must be at rest
	// before it sleeps: 0.5 is common, 0 lets no body sleep.
	SleepAfter float64

	// BounceSpeed is how fast, in m/s, two bodies must close in to bounce: 0
	// means 1.
	BounceSpeed float64

	// HitSpeed is how fast, in m/s, they must close in for Hits to tell of it:
	// 0 tells of none.
	HitSpeed float64

	// MostPairs is how many pairs of shapes a step looks at: 0 means MaxPairs.
	MostPairs int
}

// stepRules are Params with their defaults, and what follows from them.
type stepRules struct {
	Params
	H float64 // seconds of a sub-step
}

// complete fills in the defaults.
func (p Params) complete() stepRules {
	p.Substeps = max(p.Substeps, 1)
	if !(p.BounceSpeed > 0) {
		p.BounceSpeed = bounceSpeed
	}
	return stepRules{p, p.DT / float64(p.Substeps)}
}

// AllBodies stands for all slots in Solver.Fetch.
const AllBodies = -1

// Solver steps states. It holds only scratch memory: what a Step does depends
// on its arguments alone, and a fresh Solver gives the same bits. It may step
// states of different worlds in turn, but not at the same time.
type Solver struct {
	// Clamped counts the bodies that the last Step held back at MaxPosition,
	// MaxSpeed or MaxSpin, or whose numbers were not finite.
	Clamped int

	// Crowded says that in the last Step more than Params.MostPairs pairs of
	// shapes could have met, and not all were looked at.
	Crowded bool

	// Fetch, if it is set, is called with every slot of which StepPart is about to
	// read the body of mid, or with AllBodies. A caller can then keep bodies of mid
	// up to date only as far as they are read. Keys must always be up to date.
	Fetch func(slot int32)

	rules    stepRules
	bodies   rankedBodies
	bp       broadphase
	sleepers sleepers

	pairs    pairings
	contacts contactSolver
	joints   jointSolver
	fast     ccd
	events   eventBuilder

	// What Record needs besides, and what StepPart works with.
	roots   []int32
	partial *partial
}

// Step moves all bodies through p.DT seconds. Bodies without a Def, or whose
// Def was not prepared, rest as they are. In the steady state it allocates
// nothing. A DT that is not above 0 is a mistake of the caller, and no step.
func (sv *Solver) Step(s *State, defs []Def, p Params) {
	sv.Clamped, sv.Crowded = 0, false
	sv.events.Made.reset()
	if !(p.DT > 0) || !finite(p.DT) {
		sv.forget()
		return
	}
	sv.rules = p.complete()
	rules := &sv.rules
	sv.bp.keep(p.MostPairs)
	sv.bodies.Ranking.update(s.Bodies)
	sv.sleepers.begin(s, defs, &sv.bodies.Ranking, p.SleepAfter > 0)
	sv.bodies.gather(s, defs, &sv.sleepers, rules)
	pairs := sv.sweep(s, rules)
	sv.Crowded = sv.bp.isFull()
	sv.joints.gather(s, &sv.bodies, rules.H)
	sv.contacts.begin(s, defs, &sv.bodies, rules)
	sv.pairUp(s, pairs, rules.DT)
	for range rules.Substeps {
		sv.substep(rules.H)
	}
	sv.contacts.bounce(sv.bodies.Moving, rules.BounceSpeed)
	sv.bodies.moveFree(rules)
	sv.fast.sweep(pairs, &sv.bodies, &sv.bp, &sv.joints)
	sv.Clamped = sv.bodies.finish(s)
	sv.pairs.finish(s, &sv.bodies, &sv.contacts, rules.HitSpeed, &sv.events)
	sv.joints.finish(s, p.DT, &sv.events)
	sv.sleepers.fallAsleep(s, &sv.bodies, &sv.pairs, rules)
}

// sweep finds the pairs of which one body is awake. It wakes the bodies that are hit,
// and sweeps again until no other body is hit.
func (sv *Solver) sweep(s *State, rules *stepRules) []uint64 {
	for {
		sv.bodies.addBoxes(&sv.bp, rules.DT)
		pairs := sv.bodies.orderPairs(sv.bp.sweep(len(sv.bodies.Parts)))
		if !sv.sleepers.rouseHit(pairs, &sv.bodies, rules.DT) {
			return pairs
		}
		sv.sleepers.spread(func(rank int32) { sv.bodies.wake(rank, s, rules) })
	}
}

// forget makes that no step is left to Record.
func (sv *Solver) forget() {
	sv.bodies.forget()
	sv.joints.forget()
	sv.pairs.forget()
	sv.fast.forget()
	sv.contacts.forget()
	sv.bp.reset(nil)
}

// rankAs ranks bodies that are all live, in the order of their keys.
func (sv *Solver) rankAs(bodies []Body) { sv.bodies.Ranking.take(bodies) }

// pairsFound is how many pairs of shapes the last step looked at.
func (sv *Solver) pairsFound() int { return len(sv.bp.found()) }

// stepped is how many bodies the last step had: 0 if there was none.
func (sv *Solver) stepped() int { return len(sv.bodies.Outlines) }

// asleep reports whether a body sleeps through the step.
func (sv *Solver) asleep(rank int) bool { return sv.bodies.Outlines[rank].Asleep }

// pairUp finds the pairs of parts that meet, matches them with the contacts of the step
// before (both are in the order of keys) and makes their constraints.
func (sv *Solver) pairUp(s *State, found []uint64, dt float64) {
	bodies := &sv.bodies
	sv.pairs.begin(s.Contacts, bodies, sv.sleepers.isOn())
	var m manifold
	for _, packed := range found {
		a, b := bodies.Parts[packed>>32], bodies.Parts[uint32(packed)]
		if !bodies.Outlines[a.Rank].wants(&bodies.Outlines[b.Rank]) || sv.joints.keepApart(a.Rank, b.Rank) {
			continue
		}
		if bodies.collide(&m, int32(packed>>32), int32(uint32(packed)), dt); m.Count > 0 {
			sv.pair(s, &m, a, b)
		}
	}
}

// pair keeps a pair and makes its constraint, unless one of them is a sensor.
func (sv *Solver) pair(s *State, m *manifold, pa, pb part) {
	a, b := &sv.bodies.Outlines[pa.Rank], &sv.bodies.Outlines[pb.Rank]
	p := sv.pairs.add()
	p.set(m, pa, pb, a)
	p.Old = sv.pairs.match(p, s.Contacts, sv.bodies.Ranking.Keys)
	if a.Def.Sensor || b.Def.Sensor {
		if !p.overlaps() {
			sv.pairs.drop()
		}
		return
	}
	var before *Contact
	if p.Old >= 0 {
		before = &s.Contacts[p.Old]
	}
	p.Constraint = sv.contacts.constrain(m, pa, pb, before, &sv.bodies)
}

// substep moves the bodies that touch through h seconds.
func (sv *Solver) substep(h float64) {
	moving := sv.bodies.Moving
	sv.bodies.accelerate()
	sv.joints.warmStart(moving)
	sv.contacts.warmStart(moving)
	sv.joints.push(moving)
	sv.contacts.push(moving)
	sv.bodies.move(h)
	sv.joints.relax(moving)
	sv.contacts.relax(moving)
}

// Events returns which bodies began and which ceased to touch in the last Step, each sorted by (lower
// key, higher key). The slices belong to the Solver: the next Step overwrites them.
//
// Two bodies begin to touch when they push each other or overlap. They cease when they are more than 2 cm
// apart, or when one of them was removed, so a body that trembles does not make an event in each step. A
// sensor begins with an overlap and ends 5 mm beyond.
func (sv *Solver) Events() (begins, ends []Event) { return sv.events.Made.Begins, sv.events.Made.Ends }

// Hits returns the hits of the last Step, sorted likewise: contacts, new or not, whose points closed in at
// Params.HitSpeed or faster and pushed.
func (sv *Solver) Hits() []Event { return sv.events.Made.Hits }

// JointEvents gives the joints that ended in the last Step, sorted by key. The
// slice is the Solver's: the next Step overwrites it.
func (sv *Solver) JointEvents() []JointEvent { return sv.events.Made.Broken }
