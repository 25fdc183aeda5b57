package physics

import "math"

// Params are the rules of a step that hold for all bodies.
type Params struct {
	DT       float64 // seconds, above 0
	GravityX float64 // m/s2
	GravityY float64
	Substeps int // at least 1; 4 at 60 Hz

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

	ranking  ranking
	bp       broadphase
	sleepers sleepers

	// By rank.
	outlines []outline
	moving   []movement // and the world, last

	// By part: the shapes of the body of rank 0, of rank 1, and so on.
	parts   []part
	corners []corners
	several bool // a body has more than one

	paces    []pace // by Def
	pairs    []pairing
	free     rounds      // between two dynamic bodies
	fixed    rounds      // with one that nothing pushes: solved later, so that they give way less
	burdened constraints // of bodies that bear a heavier one
	yields   []yield     // by burdened constraint
	burdens  burdens
	joined   []jointed // the joints that hold, by key
	parted   []uint64  // pairs of ranks whose joint forbids contacts, sorted
	turns    []turn    // by rank, of bodies with joints; then that of the world
	jointAt  []int32   // ranks of the moving bodies with joints
	active   []int32   // ranks of the bodies with a constraint
	ended    []bool    // by old contact
	cuts     []cut
	kept     []int32   // old contacts that the step leaves as they are
	left     []Contact // they
	soft     softness  // of free constraints
	hard     softness  // of fixed ones
	firm     softness  // of joints
	dt, h    float64

	bounceSpeed, hitSpeed float64
	beganAt               float64 // separation of the last begin
	events                stepEvents
	scratch               manifold

	// What Record needs besides, and what StepPart works with.
	ways    []box // of fast bodies, where firstImpact looked
	bullets bool  // there are some
	roots   []int32
	partial *partial
}

// part is one shape of a body.
type part struct{ rank, index int32 }

// pace is what a Def's damping makes of a velocity in each sub-step.
type pace struct{ linear, angular float64 }

// movement is what the sub-steps change of a body.
type movement struct {
	V           Vec     // m/s
	W           float64 // rad/s
	D           Vec     // metres moved since the start of the step
	Turn        float64 // radians turned since the start of the step
	Cos, Sin    float64 // of the turn; 1, 0 for circles, whose surface does not turn
	InvM, InvI  float64
	Gain        gain
	Pace        pace
	Round       bool // a circle
	Constrained bool
	Held        bool   // was held back at a limit
	Cut         bool   // its way was shortened: it is a bullet
	Rounds      uint32 // a bit for each round in which it has a constraint
}

// gain is what the forces on a body add to its velocity in each sub-step:
// acceleration times length, in m/s and rad/s.
type gain struct {
	V Vec
	W float64
}

// Step moves all bodies through p.DT seconds. Bodies without a Def, or whose
// Def was not prepared, rest as they are. In the steady state it allocates
// nothing. A DT that is not above 0 is a mistake of the caller, and no step.
func (sv *Solver) Step(s *State, defs []Def, p Params) {
	sv.Clamped, sv.Crowded = 0, false
	sv.events.reset()
	if !(p.DT > 0) || !finite(p.DT) {
		sv.forget()
		return
	}
	substeps := max(p.Substeps, 1)
	sv.dt, sv.h = p.DT, p.DT/float64(substeps)
	sv.bp.keep(p.MostPairs)
	sv.hitSpeed, sv.bounceSpeed = p.HitSpeed, bounceSpeed
	if p.BounceSpeed > 0 {
		sv.bounceSpeed = p.BounceSpeed
	}
	most := 0.25 / sv.h // a quarter of the sub-step rate: stiffer would not be stable
	sv.soft = softFor(min(contactHertz, most), contactDamping, sv.h)
	sv.hard = softFor(min(2*contactHertz, most), contactDamping, sv.h)
	sv.firm = softFor(min(jointHertz, 1.25*most), jointDamping, sv.h)
	sv.ranking.update(s.Bodies)
	sv.findSleepers(s, defs, p)
	sv.gather(s, defs, p)
	pairs := sv.sweep(s, p)
	sv.Crowded = sv.bp.isFull()
	sv.burdens.find(s, defs, p, sv.outlines, &sv.ranking)
	sv.gatherJoints(s)
	sv.pairUp(s, pairs)
	for range substeps {
		sv.substep()
	}
	sv.restitution()
	sv.moveFree(substeps)
	sv.sweepFast(pairs)
	sv.finish(s)
	sv.finishContacts(s)
	sv.finishJoints(s)
	sv.fallAsleep(s, p)
}

// forget makes that no step is left to Record.
func (sv *Solver) forget() {
	sv.outlines, sv.joined, sv.ways, sv.left = sv.outlines[:0], sv.joined[:0], sv.ways[:0], sv.left[:0]
	sv.resetLists()
	sv.ranking.update(nil)
	sv.bp.reset(nil)
}

// gather reads the bodies, in the order of their keys.
func (sv *Solver) gather(s *State, defs []Def, p Params) {
	n := len(sv.ranking.Slots)
	sv.outlines, sv.moving = resize(sv.outlines, n), resize(sv.moving, n+1)
	sv.moving[n] = movement{Cos: 1} // the world, to which joints may tie
	sv.parts, sv.several = sv.parts[:0], false
	sv.setPaces(defs)
	sv.active, sv.ways, sv.bullets = sv.active[:0], sv.ways[:0], false
	for rank, slot := range sv.ranking.Slots {
		b := &s.Bodies[slot]
		o := &sv.outlines[rank]
		*o = outline{Slot: slot}
		if o.Def = b.def(defs); o.Def == nil {
			sv.moving[rank] = movement{Cos: 1}
			continue
		}
		o.Kind = o.Def.Type
		sv.bullets = sv.bullets || o.Def.Bullet
		o.Asleep = o.Kind == Dynamic && sv.sleepers.sleeps(rank)
		sv.gatherMovement(rank, b, o, p)
		sv.gatherOutline(rank, b, o)
	}
	sv.corners = resize(sv.corners, len(sv.parts))
	for i := range sv.corners {
		sv.corners[i].Count = 0
	}
	sv.addBoxes()
}

func (sv *Solver) setPaces(defs []Def) {
	sv.paces = resize(sv.paces, len(defs))
	for i := range defs {
		sv.paces[i] = pace{
			linear:  1 / (1 + float64(sv.h*defs[i].LinearDamping)),
			angular: 1 / (1 + float64(sv.h*defs[i].AngularDamping)),
		}
	}
}

// gatherMovement reads velocity and forces.
func (sv *Solver) gatherMovement(rank int, b *Body, o *outline, p Params) {
	m := &sv.moving[rank]
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
		m.InvM, m.InvI, m.Pace = o.Def.inverseMass(), o.Def.inverseInertia(), sv.paces[b.Def]
		m.gather(b, o.Def, p, sv.h)
	}
	toDT := sv.dt / sv.h
	o.V = m.V.addScaled(m.Gain.V, toDT)
	o.W = m.W + float64(m.Gain.W*toDT)
}

// gather sums the forces. If they are not finite they are forgotten.
func (m *movement) gather(b *Body, d *Def, p Params, h float64) {
	fx, fy, torque := b.FX+b.ImpFX, b.FY+b.ImpFY, b.Torque+b.ImpT
	if !finite(fx) || !finite(fy) || !finite(torque) {
		b.FX, b.FY, b.Torque = 0, 0, 0
		fx, fy, torque, m.Held = 0, 0, 0, true
	}
	switch {
	case !d.ForcePerMass:
		fx, fy, torque = float64(fx*d.inverseMass()), float64(fy*d.inverseMass()), float64(torque*d.inverseInertia())
	case d.FixedRotation:
		torque = 0
	}
	m.Gain.V = Vec{fx + float64(p.GravityX*d.GravityScale), fy + float64(p.GravityY*d.GravityScale)}.scale(h)
	m.Gain.W = float64(h * torque)
}

// gatherOutline places the body and lists its parts.
func (sv *Solver) gatherOutline(rank int, b *Body, o *outline) {
	o.Centre = b.CentreOfMass(o.Def)
	o.Cos, o.Sin = b.Cos, b.Sin
	o.First = int32(len(sv.parts))
	for i := range o.Def.pieces() {
		sv.parts = append(sv.parts, part{int32(rank), int32(i)})
	}
	sv.several = sv.several || len(o.Def.pieces()) > 1
}

// turned gives the outline and the turned corners of a part.
func (sv *Solver) turned(at int32) (*outline, *corners) {
	p := sv.parts[at]
	o := &sv.outlines[p.rank]
	return o, o.turned(&sv.corners[at], p.index)
}

// rankAs ranks bodies that are all live, in the order of their keys.
func (sv *Solver) rankAs(bodies []Body) { sv.ranking.take(bodies) }

// pairsFound is how many pairs of shapes the last step looked at.
func (sv *Solver) pairsFound() int { return len(sv.bp.found()) }

// stepped is how many bodies the last step had: 0 if there was none.
func (sv *Solver) stepped() int { return len(sv.outlines) }

// asleep reports whether a body sleeps through the step.
func (sv *Solver) asleep(rank int) bool { return sv.outlines[rank].Asleep }

// wayExtents are where fast bodies looked for static ones.
func (sv *Solver) wayExtents(yield func(extent) bool) {
	for i := range sv.ways {
		if !yield(sv.bp.extent(&sv.ways[i])) {
			return
		}
	}
}

// addBoxes hands the boxes of all parts to the broad phase.
func (sv *Solver) addBoxes() {
	sv.bp.reset(sv.outlines)
	for at, p := range sv.parts {
		o := &sv.outlines[p.rank]
		lo, hi := sv.bounds(int32(at), o)
		sv.bp.add(box{Lo: grid(lo.X), Hi: grid(hi.X), Bottom: grid(lo.Y), Top: grid(hi.Y),
			Part: int32(at), Rank: p.rank, Kind: o.Kind, Idle: o.Kind == Static || o.Asleep, Sensor: o.Def.Sensor})
	}
}

// bounds is the box of where a part can be in this step. A moving body gets
// the box of the circle that it can turn in; only when it meets another, or
// has several parts, are its corners needed.
func (sv *Solver) bounds(at int32, o *outline) (lo, hi Vec) {
	if o.Kind != Static && len(o.Def.pieces()) == 1 {
		return sv.swept(o)
	}
	_, c := sv.turned(at)
	lo, hi = c.bounds(o.Centre)
	if o.Kind == Static {
		return lo, hi
	}
	margin := speculative + float64(min(float64(math.Abs(o.W)*sv.dt), 2)*o.Def.radius())
	move := o.V.scale(sv.dt)
	lo = Vec{lo.X - margin + min(move.X, 0), lo.Y - margin + min(move.Y, 0)}
	return lo, Vec{hi.X + margin + max(move.X, 0), hi.Y + margin + max(move.Y, 0)}
}

// swept is the box of what the body can reach in this step.
func (sv *Solver) swept(o *outline) (lo, hi Vec) {
	reach := o.Def.radius() + speculative
	lo = Vec{o.Centre.X - reach, o.Centre.Y - reach}
	hi = Vec{o.Centre.X + reach, o.Centre.Y + reach}
	move := o.V.scale(sv.dt)
	if move.X < 0 {
		lo.X += move.X
	} else {
		hi.X += move.X
	}
	if move.Y < 0 {
		lo.Y += move.Y
	} else {
		hi.Y += move.Y
	}
	return lo, hi
}
