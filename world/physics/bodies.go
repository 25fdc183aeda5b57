package physics

import "math"

// rankedBodies are the bodies of a step, in the order of their keys: their poses, and
// how the step moves them.
type rankedBodies struct {
	ranking ranking
	rows    []outline // by rank
	motion  motions
	shapes  bodyParts
	paces   []pace // by Def
}

// ranks says which rank each body has.
func (bodies *rankedBodies) ranks() *ranking { return &bodies.ranking }

// outlines returns how the bodies stand, by rank.
func (bodies *rankedBodies) outlines() []outline { return bodies.rows }

// outline returns how the body of a rank stands.
func (bodies *rankedBodies) outline(rank int32) *outline { return &bodies.rows[rank] }

// motions returns how the step moves the bodies.
func (bodies *rankedBodies) motions() *motions { return &bodies.motion }

// parts returns the shapes of the bodies.
func (bodies *rankedBodies) parts() *bodyParts { return &bodies.shapes }

// forget makes that there are no bodies.
func (bodies *rankedBodies) forget() {
	bodies.rows = bodies.rows[:0]
	bodies.ranking.update(nil)
}

// gather reads the bodies, of which the ranking is up to date.
func (bodies *rankedBodies) gather(s *State, defs []Def, sl *sleepers, rules *stepRules) {
	slots := bodies.ranking.slotList()
	bodies.rows = resize(bodies.rows, len(slots))
	bodies.motion.reset(len(slots))
	bodies.shapes.reset()
	bodies.setPaces(defs, rules.h)
	for rank, slot := range slots {
		b := &s.Bodies[slot]
		o := &bodies.rows[rank]
		*o = outline{slot: slot}
		if o.def = b.def(defs); o.def == nil {
			*bodies.motion.of(int32(rank)) = movement{cos: 1}
			continue
		}
		o.kind = o.def.Type
		o.asleep = o.kind == Dynamic && sl.sleeps(rank)
		bodies.gatherMovement(int32(rank), b, o, rules)
		bodies.place(int32(rank), b, o)
	}
	bodies.shapes.clearCorners()
}

func (bodies *rankedBodies) setPaces(defs []Def, h float64) {
	bodies.paces = resize(bodies.paces, len(defs))
	for i := range defs {
		bodies.paces[i] = pace{
			linear:  1 / (1 + float64(h*defs[i].LinearDamping)),
			angular: 1 / (1 + float64(h*defs[i].AngularDamping)),
		}
	}
}

// gatherMovement reads velocity and forces.
func (bodies *rankedBodies) gatherMovement(rank int32, b *Body, o *outline, rules *stepRules) {
	m := bodies.motion.of(rank)
	*m = movement{cos: 1, round: o.def.round()}
	if o.kind == Static || o.asleep {
		return
	}
	m.held = b.sanitise()
	if o.def.FixedRotation {
		b.W = 0
	}
	m.v, m.w = Vec{b.VX, b.VY}, b.W
	m.pace = pace{1, 1}
	if o.kind == Dynamic {
		m.invM, m.invI, m.pace = o.def.inverseMass(), o.def.inverseInertia(), bodies.paces[b.Def]
		m.sumForces(b, o.def, rules)
	}
	toDT := rules.DT / rules.h
	o.v = m.v.addScaled(m.gain.v, toDT)
	o.w = m.w + float64(m.gain.w*toDT)
}

// place places the body and lists its parts.
func (bodies *rankedBodies) place(rank int32, b *Body, o *outline) {
	o.centre = b.CentreOfMass(o.def)
	o.cos, o.sin = b.Cos, b.Sin
	o.first = bodies.shapes.add(rank, o.def)
}

// wake lets a body take part in the step that was to sleep through it.
func (bodies *rankedBodies) wake(rank int32, s *State, rules *stepRules) {
	o := &bodies.rows[rank]
	o.asleep = false
	bodies.gatherMovement(rank, &s.Bodies[o.slot], o, rules)
}

// turned returns the outline and the turned corners of a part.
func (bodies *rankedBodies) turned(at int32) (*outline, *corners) {
	o := &bodies.rows[bodies.shapes.at(at).rank]
	return o, bodies.shapes.turned(at, o)
}

// collide fills m with the points of two parts that are nearer than their bodies can
// come in dt seconds, and the speculative distance on top.
func (bodies *rankedBodies) collide(m *manifold, pa, pb int32, dt float64) {
	m.count = 0
	a, b := &bodies.rows[bodies.shapes.at(pa).rank], &bodies.rows[bodies.shapes.at(pb).rank]
	if d, limit, near := a.apart(b, dt); near {
		bodies.meet(m, pa, pb, d, limit)
		m.dropMisses(a, b, d, dt)
	}
}

// meet fills m with the points of two parts that are nearer than limit, if the bodies
// lie d apart.
func (bodies *rankedBodies) meet(m *manifold, pa, pb int32, d Vec, limit float64) {
	_, p := bodies.turned(pa)
	_, q := bodies.turned(pb)
	m.meet(p, q, d, limit)
}

// addBoxes hands the boxes of all parts to the broad phase.
func (bodies *rankedBodies) addBoxes(bp *broadphase, dt float64) {
	bp.reset(bodies.rows)
	for at, p := range bodies.shapes.all() {
		o := &bodies.rows[p.rank]
		lo, hi := bodies.bounds(int32(at), o, dt)
		idle := o.isIdle()
		b := bp.add(idle) // set field by field: a box that is copied at once waits for them
		b.lo, b.hi, b.bottom, b.top = grid(lo.X), grid(hi.X), grid(lo.Y), grid(hi.Y)
		b.part, b.rank, b.kind, b.idle, b.sensor = int32(at), p.rank, o.kind, idle, o.def.Sensor
		b.sensed = o.kind >= Kinematic && !o.def.Unsensed
	}
}

// bounds returns the box of where a part can be in this step. A moving body gets
// the box of the circle that it can turn in; only when it meets another, or
// has several parts, are its corners needed.
func (bodies *rankedBodies) bounds(at int32, o *outline, dt float64) (lo, hi Vec) {
	if o.kind != Static && len(o.def.pieces()) == 1 {
		return o.swept(dt)
	}
	_, c := bodies.turned(at)
	lo, hi = c.bounds(o.centre)
	if o.kind == Static {
		return lo, hi
	}
	margin := speculative + float64(min(float64(math.Abs(o.w)*dt), 2)*o.def.radius())
	move := o.v.scale(dt)
	lo = Vec{lo.X - margin + min(move.X, 0), lo.Y - margin + min(move.Y, 0)}
	return lo, Vec{hi.X + margin + max(move.X, 0), hi.Y + margin + max(move.Y, 0)}
}

// extentOf returns the box in which a body can be in a step if it does not sleep through
// it. It forgets all bodies; setPaces has been called.
func (bodies *rankedBodies) extentOf(b Body, defs []Def, rules *stepRules) extent {
	def := b.def(defs)
	if def == nil {
		return nowhere()
	}
	bodies.rows = resize(bodies.rows, 1)
	bodies.motion.reset(1)
	bodies.shapes.reset()
	o := &bodies.rows[0]
	*o = outline{def: def, kind: def.Type}
	bodies.gatherMovement(0, &b, o, rules)
	bodies.place(0, &b, o)
	bodies.shapes.clearCorners()
	e := nowhere()
	for at := range bodies.shapes.all() {
		lo, hi := bodies.bounds(int32(at), o, rules.DT)
		e = e.with(extent{grid(lo.X), grid(hi.X), grid(lo.Y), grid(hi.Y)})
	}
	return e
}

// moveFree moves the bodies without a constraint by the whole step, with the same
// arithmetic.
func (bodies *rankedBodies) moveFree(rules *stepRules) {
	moving := bodies.motion.all()
	for rank := range bodies.rows {
		m := &moving[rank]
		if m.constrained || !bodies.rows[rank].moves() {
			continue
		}
		for range rules.Substeps {
			m.accelerate()
			m.advance(rules.h)
		}
	}
}

// finish writes positions and velocities back, and counts the bodies that are held at
// a limit. Static bodies are not written, except for forces that were put on them, and
// sleeping bodies not at all.
func (bodies *rankedBodies) finish(s *State) (clamped int) {
	moving := bodies.motion.all()
	for rank := range bodies.rows {
		o := &bodies.rows[rank]
		b := &s.Bodies[o.slot]
		if b.ImpFX != 0 || b.ImpFY != 0 || b.ImpT != 0 {
			b.ImpFX, b.ImpFY, b.ImpT = 0, 0, 0
		}
		if !o.moves() {
			continue
		}
		m := &moving[rank]
		if !m.v.finite() || !finite(m.w) || !m.d.finite() || !finite(m.turn) {
			*m = movement{held: true}
		}
		if o.kind == Dynamic || m.held { // of others not even the sign of a zero: islands share them
			b.VX, b.VY, b.W = m.v.X, m.v.Y, m.w
		}
		b.displace(o.def, m)
		if b.sanitise() || m.held {
			clamped++
		}
	}
	return clamped
}

// check asserts that the parts and the motions are those of the bodies.
func (bodies *rankedBodies) check() {
	bodies.shapes.check(bodies.rows)
	bodies.motion.check(len(bodies.rows))
}
