package physics

import "math"

// Params are the rules of a step that hold for all bodies.
type Params struct {
	DT       float64 // seconds, above 0
	GravityX float64 // m/s2
	GravityY float64
	Substeps int // at least 1; 4 at 60 Hz

	// SleepAfter is how many seconds all bodies of an island must be at rest
	// before it sleeps: 0.5 is usual, 0 lets nobody sleep.
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

	// Fetch, if it is set, is told of every slot of which StepPart is about to
	// read the body of mid, or AllBodies: for who keeps mid true only as far as
	// somebody looks. Keys must be true always.
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
	begins                []Event
	beganAt               float64 // separation of the last of them
	hits                  []Event
	ends                  []Event
	broken                []JointEvent
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
	v           Vec     // m/s
	w           float64 // rad/s
	d           Vec     // metres moved since the start of the step
	turn        float64 // radians turned since the start of the step
	cos, sin    float64 // of the turn; 1, 0 for circles, whose surface does not turn
	invM, invI  float64
	g           Vec // gained in a sub-step: acceleration * h
	gw          float64
	pace        pace
	round       bool // a circle
	constrained bool
	held        bool   // was held back at a limit
	cut         bool   // its way was shortened: it is a bullet
	rounds      uint32 // a bit for each round in which it has a constraint
}

// Step moves all bodies through p.DT seconds. Bodies without a Def, or whose
// Def was not prepared, rest as they are. In the steady state it allocates
// nothing. A DT that is not above 0 is a mistake of the caller, and no step.
func (sv *Solver) Step(s *State, defs []Def, p Params) {
	sv.Clamped, sv.Crowded = 0, false
	sv.begins, sv.ends, sv.hits, sv.broken = sv.begins[:0], sv.ends[:0], sv.hits[:0], sv.broken[:0]
	if !(p.DT > 0) || !finite(p.DT) {
		sv.forget()
		return
	}
	substeps := max(p.Substeps, 1)
	sv.dt, sv.h = p.DT, p.DT/float64(substeps)
	if sv.bp.most = p.MostPairs; p.MostPairs <= 0 {
		sv.bp.most = MaxPairs
	}
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
	sv.Crowded = sv.bp.full
	sv.findBurdens(s, defs, p)
	sv.gatherJoints(s)
	sv.pairUp(s, pairs)
	for range substeps {
		sv.substep()
	}
	sv.restitution()
	sv.moveFree(substeps)
	sv.sweepFast(pairs)
	sv.finish(s)
	sv.settleContacts(s)
	sv.settleJoints(s)
	sv.fallAsleep(s, p)
}

// forget makes that no step is left to Record.
func (sv *Solver) forget() {
	sv.outlines, sv.joined, sv.ways, sv.left = sv.outlines[:0], sv.joined[:0], sv.ways[:0], sv.left[:0]
	sv.resetLists()
	sv.ranking.update(nil)
	sv.bp.reset()
}

// gather reads the bodies, in the order of their keys.
func (sv *Solver) gather(s *State, defs []Def, p Params) {
	n := len(sv.ranking.slots)
	sv.outlines, sv.moving = resize(sv.outlines, n), resize(sv.moving, n+1)
	sv.moving[n] = movement{cos: 1} // the world, to which joints may tie
	sv.parts, sv.several = sv.parts[:0], false
	sv.setPaces(defs)
	sv.active, sv.ways, sv.bullets = sv.active[:0], sv.ways[:0], false
	for rank, slot := range sv.ranking.slots {
		b := &s.Bodies[slot]
		o := &sv.outlines[rank]
		*o = outline{slot: slot}
		if o.def = b.def(defs); o.def == nil {
			sv.moving[rank] = movement{cos: 1}
			continue
		}
		o.kind = o.def.Type
		sv.bullets = sv.bullets || o.def.Bullet
		o.asleep = sv.sleepers.on && o.kind == Dynamic && sv.sleepers.rests[rank]
		sv.gatherMovement(rank, b, o, p)
		sv.gatherOutline(rank, b, o)
	}
	sv.corners = resize(sv.corners, len(sv.parts))
	for i := range sv.corners {
		sv.corners[i].count = 0
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
		m.invM, m.invI, m.pace = o.def.invMass, o.def.invInertia, sv.paces[b.Def]
		m.gather(b, o.def, p, sv.h)
	}
	toDT := sv.dt / sv.h
	o.v = m.v.addScaled(m.g, toDT)
	o.w = m.w + float64(m.gw*toDT)
}

// gather sums the forces. If they are not finite they are forgotten.
func (m *movement) gather(b *Body, d *Def, p Params, h float64) {
	fx, fy, torque := b.FX+b.ImpFX, b.FY+b.ImpFY, b.Torque+b.ImpT
	if !finite(fx) || !finite(fy) || !finite(torque) {
		b.FX, b.FY, b.Torque = 0, 0, 0
		fx, fy, torque, m.held = 0, 0, 0, true
	}
	switch {
	case !d.ForcePerMass:
		fx, fy, torque = float64(fx*d.invMass), float64(fy*d.invMass), float64(torque*d.invInertia)
	case d.FixedRotation:
		torque = 0
	}
	m.g = Vec{fx + float64(p.GravityX*d.GravityScale), fy + float64(p.GravityY*d.GravityScale)}.scale(h)
	m.gw = float64(h * torque)
}

// gatherOutline places the body and lists its parts.
func (sv *Solver) gatherOutline(rank int, b *Body, o *outline) {
	o.centre = b.CentreOfMass(o.def)
	o.cos, o.sin = b.Cos, b.Sin
	o.first = int32(len(sv.parts))
	for i := range o.def.parts {
		sv.parts = append(sv.parts, part{int32(rank), int32(i)})
	}
	sv.several = sv.several || len(o.def.parts) > 1
}

// turned gives the outline and the turned corners of a part.
func (sv *Solver) turned(at int32) (*outline, *corners) {
	p := sv.parts[at]
	o := &sv.outlines[p.rank]
	return o, o.turned(&sv.corners[at], p.index)
}

// addBoxes hands the boxes of all parts to the broad phase.
func (sv *Solver) addBoxes() {
	sv.bp.reset()
	sv.bp.bodies = sv.outlines
	for at, p := range sv.parts {
		o := &sv.outlines[p.rank]
		lo, hi := sv.bounds(int32(at), o)
		sv.bp.add(box{lo: grid(lo.X), hi: grid(hi.X), bottom: grid(lo.Y), top: grid(hi.Y),
			part: int32(at), rank: p.rank, kind: o.kind, idle: o.kind == Static || o.asleep, sensor: o.def.Sensor})
	}
}

// bounds is the box of where a part can be in this step. A moving body gets
// the box of the circle that it can turn in; only when it meets another, or
// has several parts, are its corners needed.
func (sv *Solver) bounds(at int32, o *outline) (lo, hi Vec) {
	if o.kind != Static && len(o.def.parts) == 1 {
		return sv.swept(o)
	}
	_, c := sv.turned(at)
	lo, hi = c.bounds(o.centre)
	if o.kind == Static {
		return lo, hi
	}
	margin := speculative + float64(min(float64(math.Abs(o.w)*sv.dt), 2)*o.def.reach)
	move := o.v.scale(sv.dt)
	lo = Vec{lo.X - margin + min(move.X, 0), lo.Y - margin + min(move.Y, 0)}
	return lo, Vec{hi.X + margin + max(move.X, 0), hi.Y + margin + max(move.Y, 0)}
}

// swept is the box of what the body can reach in this step.
func (sv *Solver) swept(o *outline) (lo, hi Vec) {
	reach := o.def.reach + speculative
	lo = Vec{o.centre.X - reach, o.centre.Y - reach}
	hi = Vec{o.centre.X + reach, o.centre.Y + reach}
	move := o.v.scale(sv.dt)
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
