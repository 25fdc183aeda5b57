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
	bodies.setPaces(defs, rules.H)
	for rank, slot := range slots {
		b := &s.Bodies[slot]
		o := &bodies.rows[rank]
		*o = outline{Slot: slot}
		if o.Def = b.def(defs); o.Def == nil {
			*bodies.motion.of(int32(rank)) = movement{Cos: 1}
			continue
		}
		o.Kind = o.Def.Type
		o.Asleep = o.Kind == Dynamic && sl.sleeps(rank)
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
	*m = movement{Cos: 1, Round: o.Def.round()}
	if o.Kind == Static || o.Asleep {
		return
	}
	m.Held = b.sanitise()
	if o.Def.FixedRotation {
		b.W = 0
	}
	m.V, m.W = Vec{b.VX, b.VY}, b.W
	m.Pace = pace{1, 1}
	if o.Kind == Dynamic {
		m.InvM, m.InvI, m.Pace = o.Def.inverseMass(), o.Def.inverseInertia(), bodies.paces[b.Def]
		sumForces(m, b, o.Def, rules)
	}
	toDT := rules.DT / rules.H
	o.V = m.V.addScaled(m.Gain.V, toDT)
	o.W = m.W + float64(m.Gain.W*toDT)
}

// place places the body and lists its parts.
func (bodies *rankedBodies) place(rank int32, b *Body, o *outline) {
	o.Centre = b.CentreOfMass(o.Def)
	o.Cos, o.Sin = b.Cos, b.Sin
	o.First = bodies.shapes.add(rank, o.Def)
}

// wake lets a body take part in the step that was to sleep through it.
func (bodies *rankedBodies) wake(rank int32, s *State, rules *stepRules) {
	o := &bodies.rows[rank]
	o.Asleep = false
	bodies.gatherMovement(rank, &s.Bodies[o.Slot], o, rules)
}

// turned returns the outline and the turned corners of a part.
func (bodies *rankedBodies) turned(at int32) (*outline, *corners) {
	o := &bodies.rows[bodies.shapes.at(at).Rank]
	return o, bodies.shapes.turned(at, o)
}

// collide fills m with the points of two parts that are nearer than their bodies can
// come in dt seconds, and the speculative distance on top.
func (bodies *rankedBodies) collide(m *manifold, pa, pb int32, dt float64) {
	m.Count = 0
	a, b := &bodies.rows[bodies.shapes.at(pa).Rank], &bodies.rows[bodies.shapes.at(pb).Rank]
	if d, limit, near := apart(a, b, dt); near {
		bodies.meet(m, pa, pb, d, limit)
		dropMisses(m, a, b, d, dt)
	}
}

// meet fills m with the points of two parts that are nearer than limit, if the bodies
// lie d apart.
func (bodies *rankedBodies) meet(m *manifold, pa, pb int32, d Vec, limit float64) {
	_, p := bodies.turned(pa)
	_, q := bodies.turned(pb)
	meet(m, p, q, d, limit)
}

// addBoxes hands the boxes of all parts to the broad phase.
func (bodies *rankedBodies) addBoxes(bp *broadphase, dt float64) {
	bp.reset(bodies.rows)
	for at, p := range bodies.shapes.all() {
		o := &bodies.rows[p.Rank]
		lo, hi := bodies.bounds(int32(at), o, dt)
		idle := o.Kind == Static || o.Asleep
		b := bp.add(idle) // set field by field: a box that is copied at once waits for them
		b.Lo, b.Hi, b.Bottom, b.Top = grid(lo.X), grid(hi.X), grid(lo.Y), grid(hi.Y)
		b.Part, b.Rank, b.Kind, b.Idle, b.Sensor = int32(at), p.Rank, o.Kind, idle, o.Def.Sensor
	}
}

// bounds returns the box of where a part can be in this step. A moving body gets
// the box of the circle that it can turn in; only when it meets another, or
// has several parts, are its corners needed.
func (bodies *rankedBodies) bounds(at int32, o *outline, dt float64) (lo, hi Vec) {
	if o.Kind != Static && len(o.Def.pieces()) == 1 {
		return swept(o, dt)
	}
	_, c := bodies.turned(at)
	lo, hi = boundsOf(c, o.Centre)
	if o.Kind == Static {
		return lo, hi
	}
	margin := speculative + float64(min(float64(math.Abs(o.W)*dt), 2)*o.Def.radius())
	move := o.V.scale(dt)
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
	*o = outline{Def: def, Kind: def.Type}
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
		if m.Constrained || !moves(&bodies.rows[rank]) {
			continue
		}
		for range rules.Substeps {
			accelerate(m)
			advance(m, rules.H)
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
		b := &s.Bodies[o.Slot]
		if b.ImpFX != 0 || b.ImpFY != 0 || b.ImpT != 0 {
			b.ImpFX, b.ImpFY, b.ImpT = 0, 0, 0
		}
		if !moves(o) {
			continue
		}
		m := &moving[rank]
		if !m.V.finite() || !finite(m.W) || !m.D.finite() || !finite(m.Turn) {
			*m = movement{Held: true}
		}
		if o.Kind == Dynamic || m.Held { // of others not even the sign of a zero: islands share them
			b.VX, b.VY, b.W = m.V.X, m.V.Y, m.W
		}
		b.displace(o.Def, m)
		if b.sanitise() || m.Held {
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
