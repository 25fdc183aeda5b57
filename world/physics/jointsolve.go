package physics

import (
	"math"
	"slices"

	"github.com/hindcast/hindcast/world/detmath"
)

// Numbers of the joint solver. Chains hold much weight by little mass: several
// visits a sub-step let a load travel, where contacts do with one.
const (
	jointHertz   = 75.0 // stiffness of what a joint holds, at most 5/16 of the sub-step rate
	jointDamping = 5.0  // damping ratio
	jointVisits  = 4    // of each joint a sub-step
	jointRelaxes = 2    // and after the bodies have moved
)

// jointed is a joint that holds in this step.
type jointed struct {
	Joint  *Joint
	A, B   int32 // ranks; b may be the world
	ra, rb Vec   // anchors from the centres of mass at the start of the step
	d      Vec   // from A's centre of mass to B's at the start of the step
	axis   Vec   // of Slider and Wheel at the start of the step
	angle  float64
	spring spring
	push   Vec     // N s of the whole step, in the directions of the rows
	twist  float64 // N m s of the whole step
}

// turn is the rotation of a body since the start of the step. A movement has
// one too, but not for circles.
type turn struct{ cos, sin float64 }

// stance is how the two bodies of a joint stand in the present sub-step.
type stance struct {
	RA, RB Vec // anchors from the centres of mass
	Apart  Vec // from A's anchor to B's
	Angle  float64
}

// gatherJoints reads the joints, in the order of their keys. A joint holds
// when its bodies are there, prepared, and not both fixed or asleep.
func (sv *Solver) gatherJoints(s *State) {
	sv.joined, sv.parted, sv.jointAt = sv.joined[:0], sv.parted[:0], sv.jointAt[:0]
	if len(s.Joints) == 0 {
		return
	}
	world := int32(len(sv.bodies.Outlines))
	sv.turns = resize(sv.turns, int(world)+1)
	for i := range sv.turns {
		sv.turns[i] = turn{}
	}
	sv.turns[world] = turn{1, 0}
	for i := range s.Joints {
		j := &s.Joints[i]
		if sv.check(s, j) {
			sv.gatherJoint(s, j, world)
		}
	}
	slices.Sort(sv.parted)
}

// check reports whether a joint holds, and marks it gone if a body of it went
// without Remove.
func (sv *Solver) check(s *State, j *Joint) bool {
	if j.Gone() {
		return false
	}
	if keyAt(s, j.SlotA) != j.KeyA {
		j.SlotA = -1
	}
	if keyAt(s, j.SlotB) != j.KeyB {
		j.SlotB = -1
	}
	if j.markGone(); j.Gone() {
		return false
	}
	j.Flags &^= jointFixed
	oa, kindB, fixedB := &sv.bodies.Outlines[sv.bodies.Ranking.RankOf[j.SlotA]], Static, true
	if j.SlotB >= 0 {
		ob := &sv.bodies.Outlines[sv.bodies.Ranking.RankOf[j.SlotB]]
		kindB, fixedB = ob.Kind, ob.fixed()
	}
	if oa.Kind != Dynamic {
		j.Flags |= JointFixedA
	}
	if kindB != Dynamic {
		j.Flags |= JointFixedB
	}
	return oa.Kind != None && kindB != None && !(oa.fixed() && fixedB)
}

func (sv *Solver) gatherJoint(s *State, j *Joint, world int32) {
	c := jointed{Joint: j, A: sv.bodies.Ranking.RankOf[j.SlotA], B: world}
	a := &s.Bodies[j.SlotA]
	oa := &sv.bodies.Outlines[c.A]
	c.ra = j.AnchorA.sub(oa.Def.centreOfMass()).rotate(a.Cos, a.Sin)
	c.rb = j.AnchorB
	c.d = oa.Centre.neg()
	c.angle = -a.Angle - j.Angle
	if j.SlotB >= 0 {
		c.B = sv.bodies.Ranking.RankOf[j.SlotB]
		b, ob := &s.Bodies[j.SlotB], &sv.bodies.Outlines[c.B]
		c.rb = j.AnchorB.sub(ob.Def.centreOfMass()).rotate(b.Cos, b.Sin)
		c.d = ob.Centre.sub(oa.Centre)
		c.angle += b.Angle
		sv.attach(c.B)
		if j.Flags&JointCollide == 0 {
			sv.parted = append(sv.parted, packRanks(c.A, c.B))
		}
	}
	sv.attach(c.A)
	c.angle = detmath.Wrap(c.angle)
	sin, cos := detmath.Sincos(j.Axis)
	c.axis = Vec{cos, sin}.rotate(a.Cos, a.Sin)
	c.spring = springFor(j.Hertz, j.Damping, sv.rules.H)
	j.forget()
	sv.joined = append(sv.joined, c)
}

// attach takes a body of a joint among those that the sub-steps move.
func (sv *Solver) attach(rank int32) {
	if sv.turns[rank].cos == 0 {
		sv.turns[rank] = turn{1, 0}
		if sv.bodies.Outlines[rank].moves() {
			sv.jointAt = append(sv.jointAt, rank)
		}
	}
	sv.bodies.activate(rank)
}

func packRanks(a, b int32) uint64 {
	if a > b {
		a, b = b, a
	}
	return uint64(a)<<32 | uint64(b)
}

// keptApart reports whether a joint forbids the contacts of a pair of ranks.
func (sv *Solver) keptApart(pair uint64) bool {
	if len(sv.parted) == 0 {
		return false
	}
	_, ok := slices.BinarySearch(sv.parted, pair)
	return ok
}

// turnJoints computes the rotations of the bodies with joints so far.
func (sv *Solver) turnJoints() {
	for _, rank := range sv.jointAt {
		t := &sv.turns[rank]
		t.sin, t.cos = detmath.Sincos(sv.bodies.Moving[rank].Turn)
	}
}

func (sv *Solver) stance(c *jointed) (st stance) {
	a, b := &sv.bodies.Moving[c.A], &sv.bodies.Moving[c.B]
	ta, tb := sv.turns[c.A], sv.turns[c.B]
	st.RA, st.RB = c.ra.rotate(ta.cos, ta.sin), c.rb.rotate(tb.cos, tb.sin)
	st.Apart = c.d.add(b.D.sub(a.D)).add(st.RB.sub(st.RA))
	st.Angle = c.angle + (b.Turn - a.Turn)
	return st
}

// line is the direction of a Slider or Wheel in the present sub-step.
func (sv *Solver) line(c *jointed) Vec {
	t := sv.turns[c.A]
	return c.axis.rotate(t.cos, t.sin)
}

// warmStartJoints applies the impulses of the sub-step before.
func (sv *Solver) warmStartJoints() {
	for i := range sv.joined {
		c := &sv.joined[i]
		a, b, st := &sv.bodies.Moving[c.A], &sv.bodies.Moving[c.B], sv.stance(c)
		p, stops := &c.Joint.Impulse, c.Joint.stopped()
		switch c.Joint.Kind {
		case Distance:
			n, _ := st.Apart.normal()
			along(&st, n, false).push(a, b, p[rowX]+p[rowY]+stops)
		case Slider, Wheel:
			n := sv.line(c)
			if c.Joint.Kind == Wheel {
				along(&st, n, true).push(a, b, p[rowY]+stops)
				twist(a, b, p[rowMotor])
			} else {
				along(&st, n, true).push(a, b, p[rowY]+p[rowMotor]+stops)
			}
			along(&st, Vec{-n.Y, n.X}, true).push(a, b, p[rowX])
			twist(a, b, p[rowAngle])
		case Hinge:
			twist(a, b, p[rowAngle]+p[rowMotor]+stops)
			st.push(a, b, Vec{p[rowX], p[rowY]})
		default:
			twist(a, b, p[rowAngle])
			st.push(a, b, Vec{p[rowX], p[rowY]})
		}
	}
}

// solveJoints makes the impulses of all joints, in the order of their keys.
// pushOut lets springs act and brings bodies back to where they must be;
// without it their velocities are only relaxed.
func (sv *Solver) solveJoints(pushOut bool) {
	firm := softness{mass: 1}
	if pushOut {
		firm = sv.firm
	}
	for i := range sv.joined {
		c := &sv.joined[i]
		a, b, st := &sv.bodies.Moving[c.A], &sv.bodies.Moving[c.B], sv.stance(c)
		switch c.Joint.Kind {
		case Distance:
			sv.solveDistance(c, a, b, &st, firm, pushOut)
		case Hinge:
			sv.solveHinge(c, a, b, &st, firm, pushOut)
		case Weld:
			sv.solveWeld(c, a, b, &st, firm, pushOut)
		case Slider, Wheel:
			sv.solveSlider(c, a, b, &st, firm, pushOut)
		case Target:
			sv.solveTarget(c, a, b, &st, pushOut)
		}
	}
}

// tallyJoints adds the impulses of a sub-step to those of the step.
func (sv *Solver) tallyJoints() {
	for i := range sv.joined {
		c := &sv.joined[i]
		p, stops := &c.Joint.Impulse, c.Joint.stopped()
		push, twist := Vec{p[rowX], p[rowY]}, p[rowAngle]
		switch c.Joint.Kind {
		case Distance:
			push = Vec{0, p[rowX] + p[rowY] + stops}
		case Hinge:
			twist += p[rowMotor] + stops
		case Slider:
			push.Y += p[rowMotor] + stops
		case Wheel:
			push.Y += stops
			twist = p[rowMotor]
		}
		c.push = c.push.add(push)
		c.twist += twist
	}
}

// JointEvent says that a joint ended in a step: it broke, or one of its bodies
// was removed. A body that is gone, and the world, have slot -1.
type JointEvent struct {
	Key        uint64
	A, B       int32 // slots
	KeyA, KeyB uint64
	Broke      bool
	Force      float64 // N, mean of the step
	Torque     float64 // N m, mean of the step, at least 0
}

// JointEvents gives the joints that ended in the last Step, sorted by key. The
// slice is the Solver's: the next Step overwrites it.
func (sv *Solver) JointEvents() []JointEvent { return sv.events.Broken }

// finishJoints drops the joints that are gone or bore too much, and reports
// them.
func (sv *Solver) finishJoints(s *State) {
	at, kept := 0, 0
	for i := range s.Joints {
		j := &s.Joints[i]
		var c *jointed
		if at < len(sv.joined) && sv.joined[at].Joint == j {
			c = &sv.joined[at]
			at++
		}
		if ended, e := j.ends(c, sv.rules.DT); ended {
			if e.A >= 0 || e.B >= 0 {
				sv.events.Broken = append(sv.events.Broken, e)
			}
			continue
		}
		if kept != i {
			s.Joints[kept] = *j
		}
		kept++
	}
	s.Joints = s.Joints[:kept]
}

// ends reports whether a joint ends, and the event that tells of it. c is nil
// for a joint that does not hold.
func (j *Joint) ends(c *jointed, dt float64) (bool, JointEvent) {
	e := JointEvent{Key: j.Key, A: j.SlotA, B: j.SlotB, KeyA: j.KeyA, KeyB: j.KeyB}
	if c == nil {
		return j.Gone(), e
	}
	e.Force, e.Torque = c.push.length()/dt, math.Abs(c.twist)/dt
	for _, p := range j.Impulse {
		if !finite(p) { // only with a body of which the numbers are not
			j.Impulse = [jointRows]float64{}
			break
		}
	}
	e.Broke = j.BreakForce > 0 && e.Force > j.BreakForce || j.BreakTorque > 0 && e.Torque > j.BreakTorque
	return e.Broke, e
}
