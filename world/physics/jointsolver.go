package physics

import (
	"slices"

	"github.com/hindcast/hindcast/world/detmath"
)

// Numbers of the joint solver. Chains hold much weight by little mass: several
// visits a sub-step let a load travel, where contacts do with one.
const (
	jointHertz   = 75.0 // stiffness of the hard rows of a joint, at most 5/16 of the sub-step rate
	jointDamping = 5.0  // damping ratio
	jointVisits  = 4    // of each joint a sub-step
	jointRelaxes = 2    // and after the bodies have moved
)

// jointSolver are the joints that hold in a step, and the visits to them.
type jointSolver struct {
	joined  []jointed // by key
	parted  []uint64  // pairs of ranks whose joint forbids contacts, sorted
	turns   []turn    // by rank, of bodies with joints; then that of the world
	turning []int32   // ranks of the moving bodies with joints
	firm    softness  // of hard rows
}

// forget makes that no joint holds.
func (js *jointSolver) forget() {
	js.joined, js.parted, js.turning = js.joined[:0], js.parted[:0], js.turning[:0]
}

// gather reads the joints, in the order of their keys, for sub-steps of h seconds. A
// joint holds when its bodies are there, prepared, and not both fixed or asleep.
func (js *jointSolver) gather(s *State, bodies *rankedBodies, h float64) {
	js.forget()
	if len(s.Joints) == 0 {
		return
	}
	js.firm = softFor(min(jointHertz, 1.25*stiffest(h)), jointDamping, h)
	world := int32(len(bodies.outlines()))
	js.turns = resize(js.turns, int(world)+1)
	for i := range js.turns {
		js.turns[i] = turn{}
	}
	js.turns[world] = turn{1, 0}
	for i := range s.Joints {
		j := &s.Joints[i]
		if j.holds(s, bodies) {
			js.add(j, s, bodies, h)
		}
	}
	slices.Sort(js.parted)
}

// add adds a joint that holds.
func (js *jointSolver) add(j *Joint, s *State, bodies *rankedBodies, h float64) {
	c := newJointed(j, s, bodies, h)
	a, b := c.ranks()
	if j.SlotB >= 0 {
		js.attach(b, bodies)
		if j.Flags&JointCollide == 0 {
			js.parted = append(js.parted, packRanks(a, b))
		}
	}
	js.attach(a, bodies)
	j.forget()
	js.joined = append(js.joined, c)
}

// attach adds a body of a joint to those that the sub-steps move.
func (js *jointSolver) attach(rank int32, bodies *rankedBodies) {
	if js.turns[rank].cos == 0 {
		js.turns[rank] = turn{1, 0}
		if bodies.outline(rank).moves() {
			js.turning = append(js.turning, rank)
		}
	}
	bodies.motions().activate(rank, bodies.outline(rank))
}

func packRanks(a, b int32) uint64 {
	if a > b {
		a, b = b, a
	}
	return uint64(a)<<32 | uint64(b)
}

// keepApart reports whether a joint forbids the contacts of two ranks.
func (js *jointSolver) keepApart(a, b int32) bool {
	if len(js.parted) == 0 {
		return false
	}
	_, ok := slices.BinarySearch(js.parted, packRanks(a, b))
	return ok
}

// ties are the ranks of the joints that hold; those of the world, too.
func (js *jointSolver) ties(yield func(a, b int32) bool) {
	for i := range js.joined {
		if !yield(js.joined[i].ranks()) {
			return
		}
	}
}

// turn computes the rotations of the bodies with joints so far.
func (js *jointSolver) turn(moving []movement) {
	for _, rank := range js.turning {
		t := &js.turns[rank]
		t.sin, t.cos = detmath.Sincos(moving[rank].turn)
	}
}

// warmStart applies the impulses of the sub-step before.
func (js *jointSolver) warmStart(moving []movement) {
	for i := range js.joined {
		c := &js.joined[i]
		ra, rb := c.ranks()
		a, b := &moving[ra], &moving[rb]
		st := c.stance(a, b, js.turns[ra], js.turns[rb])
		c.warmStart(a, b, &st)
	}
}

// push makes the impulses of all joints before the bodies move: springs act, and
// bodies are brought back to where they must be.
func (js *jointSolver) push(moving []movement) {
	for range jointVisits {
		js.visit(moving, js.firm, true)
	}
}

// relax makes the impulses of all joints after the bodies have moved, which only
// relax their velocities, and adds up what the joints have borne in the sub-step.
func (js *jointSolver) relax(moving []movement) {
	js.turn(moving)
	for range jointRelaxes {
		js.visit(moving, softness{mass: 1}, false)
	}
	for i := range js.joined {
		js.joined[i].tally()
	}
}

// visit visits all joints, in the order of their keys.
func (js *jointSolver) visit(moving []movement, firm softness, pushOut bool) {
	for i := range js.joined {
		c := &js.joined[i]
		ra, rb := c.ranks()
		a, b := &moving[ra], &moving[rb]
		st := c.stance(a, b, js.turns[ra], js.turns[rb])
		c.solve(a, b, &st, firm, pushOut)
	}
}

// finish drops the joints that are gone or bore too much in dt seconds, and reports
// them.
func (js *jointSolver) finish(s *State, dt float64, events *eventBuilder) {
	at, kept := 0, 0
	for i := range s.Joints {
		j := &s.Joints[i]
		var c *jointed
		if at < len(js.joined) && js.joined[at].is(j) {
			c = &js.joined[at]
			at++
		}
		if ended, e := j.ends(c, dt); ended {
			events.jointEnded(e)
			continue
		}
		if kept != i {
			s.Joints[kept] = *j
		}
		kept++
	}
	s.Joints = s.Joints[:kept]
}

// holds reports whether a joint holds, and marks it gone if a body of it went
// without Remove.
func (j *Joint) holds(s *State, bodies *rankedBodies) bool {
	if j.Gone() {
		return false
	}
	if s.keyAt(j.SlotA) != j.KeyA {
		j.SlotA = -1
	}
	if s.keyAt(j.SlotB) != j.KeyB {
		j.SlotB = -1
	}
	if j.markGone(); j.Gone() {
		return false
	}
	j.Flags &^= jointFixed
	oa, kindB, fixedB := bodies.outline(bodies.ranks().rankOf(j.SlotA)), Static, true
	if j.SlotB >= 0 {
		ob := bodies.outline(bodies.ranks().rankOf(j.SlotB))
		kindB, fixedB = ob.kind, ob.isFixed()
	}
	if oa.kind != Dynamic {
		j.Flags |= JointFixedA
	}
	if kindB != Dynamic {
		j.Flags |= JointFixedB
	}
	return oa.kind != None && kindB != None && !(oa.isFixed() && fixedB)
}

// check asserts that the joints are between two bodies of which one moves, and that the
// bodies that turn are listed once.
func (js *jointSolver) check(bodies *rankedBodies) {
	world := int32(len(bodies.outlines()))
	for a, b := range js.ties {
		if a == b || a < 0 || a >= world || b < 0 || b > world || js.turns[a].cos == 0 || js.turns[b].cos == 0 {
			violated("a joint of the ranks %d and %d of %d", a, b, world)
		}
		if bodies.outline(a).isFixed() && (b == world || bodies.outline(b).isFixed()) {
			violated("a joint of the ranks %d and %d, which nothing pushes", a, b)
		}
	}
	if !slices.IsSorted(js.parted) || !distinct(js.turning, int(world)) {
		violated("joints part %x and turn %v", js.parted, js.turning)
	}
}
