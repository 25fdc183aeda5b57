package physics

import (
	"cmp"
	"math"
	"slices"
)

// rankedBodies are the bodies of a step, in the order of their keys: their poses, and
// how the step moves them.
type rankedBodies struct {
	Ranking  ranking
	Outlines []outline  // by rank
	Moving   []movement // by rank; and the world, last
	Parts    []part     // the shapes of the body of rank 0, of rank 1, and so on
	Bullets  bool       // a body is a bullet

	corners []corners // by part
	several bool      // a body has more than one part
	paces   []pace    // by Def
	active  []int32   // ranks of the bodies with a constraint
}

// part is one shape of a body.
type part struct{ Rank, Index int32 }

// forget makes that there are no bodies.
func (bodies *rankedBodies) forget() {
	bodies.Outlines = bodies.Outlines[:0]
	bodies.Ranking.update(nil)
}

// gather reads the bodies, of which the ranking is up to date.
func (bodies *rankedBodies) gather(s *State, defs []Def, sl *sleepers, rules *stepRules) {
	n := len(bodies.Ranking.Slots)
	bodies.Outlines, bodies.Moving = resize(bodies.Outlines, n), resize(bodies.Moving, n+1)
	bodies.Moving[n] = movement{Cos: 1} // the world, to which joints may tie
	bodies.Parts, bodies.several = bodies.Parts[:0], false
	bodies.setPaces(defs, rules.H)
	bodies.active, bodies.Bullets = bodies.active[:0], false
	for rank, slot := range bodies.Ranking.Slots {
		b := &s.Bodies[slot]
		o := &bodies.Outlines[rank]
		*o = outline{Slot: slot}
		if o.Def = b.def(defs); o.Def == nil {
			bodies.Moving[rank] = movement{Cos: 1}
			continue
		}
		o.Kind = o.Def.Type
		bodies.Bullets = bodies.Bullets || o.Def.Bullet
		o.Asleep = o.Kind == Dynamic && sl.sleeps(rank)
		bodies.gatherMovement(rank, b, o, rules)
		bodies.gatherOutline(rank, b, o)
	}
	bodies.corners = resize(bodies.corners, len(bodies.Parts))
	for i := range bodies.corners {
		bodies.corners[i].Count = 0
	}
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
func (bodies *rankedBodies) gatherMovement(rank int, b *Body, o *outline, rules *stepRules) {
	m := &bodies.Moving[rank]
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
		m.gather(b, o.Def, rules)
	}
	toDT := rules.DT / rules.H
	o.V = m.V.addScaled(m.Gain.V, toDT)
	o.W = m.W + float64(m.Gain.W*toDT)
}

// gatherOutline places the body and lists its parts.
func (bodies *rankedBodies) gatherOutline(rank int, b *Body, o *outline) {
	o.Centre = b.CentreOfMass(o.Def)
	o.Cos, o.Sin = b.Cos, b.Sin
	o.First = int32(len(bodies.Parts))
	for i := range o.Def.pieces() {
		bodies.Parts = append(bodies.Parts, part{int32(rank), int32(i)})
	}
	bodies.several = bodies.several || len(o.Def.pieces()) > 1
}

// wake lets a body take part in the step that was to sleep through it.
func (bodies *rankedBodies) wake(rank int32, s *State, rules *stepRules) {
	o := &bodies.Outlines[rank]
	o.Asleep = false
	bodies.gatherMovement(int(rank), &s.Bodies[o.Slot], o, rules)
}

// turned returns the outline and the turned corners of a part.
func (bodies *rankedBodies) turned(at int32) (*outline, *corners) {
	p := bodies.Parts[at]
	o := &bodies.Outlines[p.Rank]
	return o, o.turned(&bodies.corners[at], p.Index)
}

// collide fills m with the points of two parts that are nearer than their bodies can
// come in dt seconds, and the speculative distance on top.
func (bodies *rankedBodies) collide(m *manifold, pa, pb int32, dt float64) {
	m.Count = 0
	a, b := &bodies.Outlines[bodies.Parts[pa].Rank], &bodies.Outlines[bodies.Parts[pb].Rank]
	if d, limit, near := apart(a, b, dt); near {
		bodies.meet(m, pa, pb, d, limit)
		m.dropMisses(a, b, d, dt)
	}
}

// meet fills m with the points of two parts that are nearer than limit, if the bodies
// lie d apart.
func (bodies *rankedBodies) meet(m *manifold, pa, pb int32, d Vec, limit float64) {
	a, b := bodies.Parts[pa], bodies.Parts[pb]
	p := bodies.Outlines[a.Rank].turned(&bodies.corners[pa], a.Index)
	q := bodies.Outlines[b.Rank].turned(&bodies.corners[pb], b.Index)
	meet(m, p, q, d, limit)
}

// orderPairs brings pairs of parts, which are in the order of (part, part), in
// that of (body, body, part, part).
func (bodies *rankedBodies) orderPairs(pairs []uint64) []uint64 {
	if bodies.several {
		slices.SortFunc(pairs, func(x, y uint64) int {
			xa, xb, ya, yb := bodies.Parts[x>>32], bodies.Parts[uint32(x)], bodies.Parts[y>>32], bodies.Parts[uint32(y)]
			return cmp.Or(cmp.Compare(xa.Rank, ya.Rank), cmp.Compare(xb.Rank, yb.Rank),
				cmp.Compare(xa.Index, ya.Index), cmp.Compare(xb.Index, yb.Index))
		})
	}
	return pairs
}

// addBoxes hands the boxes of all parts to the broad phase.
func (bodies *rankedBodies) addBoxes(bp *broadphase, dt float64) {
	bp.reset(bodies.Outlines)
	for at, p := range bodies.Parts {
		o := &bodies.Outlines[p.Rank]
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
		return o.swept(dt)
	}
	_, c := bodies.turned(at)
	lo, hi = c.bounds(o.Centre)
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
	bodies.Outlines, bodies.Moving, bodies.Parts = resize(bodies.Outlines, 1), resize(bodies.Moving, 1), bodies.Parts[:0]
	o := &bodies.Outlines[0]
	*o = outline{Def: def, Kind: def.Type}
	bodies.gatherMovement(0, &b, o, rules)
	bodies.gatherOutline(0, &b, o)
	bodies.corners = resize(bodies.corners, len(bodies.Parts))
	e := nowhere()
	for at := range bodies.Parts {
		bodies.corners[at].Count = 0
		lo, hi := bodies.bounds(int32(at), o, rules.DT)
		e = e.with(extent{grid(lo.X), grid(hi.X), grid(lo.Y), grid(hi.Y)})
	}
	return e
}

// dynamic counts the bodies that are.
func (bodies *rankedBodies) dynamic() (n int) {
	for i := range bodies.Outlines {
		if bodies.Outlines[i].Kind == Dynamic {
			n++
		}
	}
	return n
}

// activate takes a body among those that the sub-steps move.
func (bodies *rankedBodies) activate(rank int32) {
	if m := &bodies.Moving[rank]; !m.Constrained && bodies.Outlines[rank].moves() {
		m.Constrained = true
		bodies.active = append(bodies.active, rank)
	}
}

// accelerate is one sub-step of forces and damping, of the bodies with a constraint.
func (bodies *rankedBodies) accelerate() {
	for _, rank := range bodies.active {
		bodies.Moving[rank].accelerate()
	}
}

// move moves the bodies with a constraint by a sub-step of h seconds.
func (bodies *rankedBodies) move(h float64) {
	for _, rank := range bodies.active {
		bodies.Moving[rank].move(h)
		bodies.Moving[rank].turnBy()
	}
}

// moveFree moves the bodies without a constraint by the whole step, with the same
// arithmetic.
func (bodies *rankedBodies) moveFree(rules *stepRules) {
	for rank := range bodies.Outlines {
		m := &bodies.Moving[rank]
		if m.Constrained || !bodies.Outlines[rank].moves() {
			continue
		}
		for range rules.Substeps {
			m.accelerate()
			m.move(rules.H)
		}
	}
}

// finish writes positions and velocities back, and counts the bodies that are held at
// a limit. Static bodies are not written, except for forces that were put on them, and
// sleeping bodies not at all.
func (bodies *rankedBodies) finish(s *State) (clamped int) {
	for rank := range bodies.Outlines {
		o := &bodies.Outlines[rank]
		b := &s.Bodies[o.Slot]
		if b.ImpFX != 0 || b.ImpFY != 0 || b.ImpT != 0 {
			b.ImpFX, b.ImpFY, b.ImpT = 0, 0, 0
		}
		if !o.moves() {
			continue
		}
		m := &bodies.Moving[rank]
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

// check asserts that the parts are those of the bodies, in their order, and that the
// bodies with a constraint are listed once.
func (bodies *rankedBodies) check() {
	at := 0
	for rank := range bodies.Outlines {
		o := &bodies.Outlines[rank]
		if o.Def == nil {
			continue
		}
		for i := range o.Def.pieces() {
			if at >= len(bodies.Parts) || bodies.Parts[at] != (part{int32(rank), int32(i)}) {
				violated("part %d is not shape %d of rank %d", at, i, rank)
			}
			at++
		}
	}
	constrained := 0
	for rank := range bodies.Moving {
		if bodies.Moving[rank].Constrained {
			constrained++
		}
	}
	if at != len(bodies.Parts) || constrained != len(bodies.active) || !distinct(bodies.active, len(bodies.Outlines)) {
		violated("%d parts, %d listed; %d bodies with a constraint, listed %v", at, len(bodies.Parts), constrained, bodies.active)
	}
}
