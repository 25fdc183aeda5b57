package physics

import (
	"math"
	"slices"
	"testing"
)

// workshop returns a floor on which cars drive, ropes hang, beams bend and break,
// lifts rise, and things are pulled about, all among loose boxes.
func workshop(t testing.TB) *scene {
	sc := &scene{rules: rules60}
	floor := sc.def(t, Def{Type: Static, Shape: BoxShape(80, 2), Friction: 0.8})
	wall := sc.def(t, Def{Type: Static, Shape: BoxShape(2, 30), Friction: 0.3})
	box := sc.def(t, Def{Type: Dynamic, Shape: BoxShape(0.8, 0.6), Friction: 0.5, GravityScale: 1})
	link := sc.def(t, Def{Type: Dynamic, Shape: BoxShape(0.6, 0.2), Friction: 0.5, GravityScale: 1, Density: 5})
	ball := sc.def(t, Def{Type: Dynamic, Shape: CircleShape(0.4), Friction: 0.9, GravityScale: 1})
	crank := sc.def(t, Def{Type: Kinematic, Shape: BoxShape(1, 1)})
	sc.put(floor, 0, -1, 0)
	sc.put(wall, -21, 10, 0)
	sc.put(wall, 21, 10, 0)
	sc.rope(t, link, Vec{-12, 9}, 12)
	sc.rope(t, link, Vec{-4, 9}, 9)
	sc.cart(t, box, ball, Vec{3, 0.9})
	sc.cart(t, box, ball, Vec{8, 0.9})
	sc.beam(t, link, Vec{-20, 4}, 6)
	sc.hoist(t, box, crank, Vec{14, 4})
	r := random(11)
	for range 40 {
		sc.put([...]uint32{box, ball, link}[r.next()%3], r.between(-18, 18), r.between(1, 14), r.between(-3, 3))
	}
	return sc
}

// rope hangs from the world by rods and ropes in turn.
func (sc *scene) rope(t testing.TB, link uint32, from Vec, n int) {
	var above *Body
	for i := range n {
		at := from.add(Vec{float64(0.6 * float64(i)), 0})
		slot := sc.put(link, at.X+0.3, at.Y, 0)
		if i > 0 {
			above = &sc.Bodies[slot-1]
		}
		j := NewJoint(0, Hinge, &sc.Bodies[slot], above, at)
		j.Flags, j.Min, j.Max = JointLimits, -1, 1
		if i == n/2 {
			j = NewDistance(0, &sc.Bodies[slot], above, at, at.add(Vec{-0.1, 0}))
			j.Flags, j.Max, j.BreakForce = JointLimits|JointCollide, 0.2, 300
		}
		sc.tie(t, j)
	}
}

// cart is a box on two sprung wheels of which one has a motor.
func (sc *scene) cart(t testing.TB, box, ball uint32, at Vec) {
	body := sc.put(box, at.X, at.Y, 0)
	for i, x := range []float64{-0.6, 0.6} {
		wheel := sc.put(ball, at.X+x, at.Y-0.4, 0)
		j := NewJoint(0, Wheel, &sc.Bodies[body], &sc.Bodies[wheel], at.add(Vec{x, -0.4}))
		j.Axis, j.Flags = math.Pi/2, JointSpring|JointLimits
		j.Hertz, j.Damping, j.Min, j.Max = 5, 0.7, -0.2, 0.2
		if i == 0 {
			j.Flags |= JointMotor
			j.Speed, j.MaxForce = -8, 15
		}
		sc.tie(t, j)
	}
}

// beam is welded to the world, softly in places, and breaks.
func (sc *scene) beam(t testing.TB, link uint32, from Vec, n int) {
	var before *Body
	for i := range n {
		at := from.add(Vec{float64(0.6 * float64(i)), 0})
		slot := sc.put(link, at.X+0.3, at.Y, 0)
		if i > 0 {
			before = &sc.Bodies[slot-1]
		}
		j := NewJoint(0, Weld, &sc.Bodies[slot], before, at)
		j.BreakTorque = 90
		if i%2 == 1 {
			j.TurnHertz, j.TurnDamping, j.Hertz, j.Damping = 6, 0.5, 20, 1
		}
		sc.tie(t, j)
	}
}

// hoist is a box on a slider of a turning crank, and one pulled to a place.
func (sc *scene) hoist(t testing.TB, box, crank uint32, at Vec) {
	a := sc.put(crank, at.X, at.Y, 0)
	sc.Bodies[a].W = 0.7
	b := sc.put(box, at.X, at.Y+2, 0)
	j := NewJoint(0, Slider, &sc.Bodies[a], &sc.Bodies[b], at.add(Vec{0, 2}))
	j.Axis, j.Flags = math.Pi/2, JointLimits|JointMotor|JointSpring
	j.Min, j.Max, j.Speed, j.MaxForce, j.Hertz, j.Damping = -1, 2, 0.5, 8, 1, 0.1
	sc.tie(t, j)
	c := sc.put(box, at.X, at.Y+4, 0)
	j = NewJoint(0, Target, &sc.Bodies[c], nil, at.add(Vec{0.2, 4}))
	j.Hertz, j.Damping, j.MaxForce = 3, 0.7, 30
	sc.tie(t, j)
}

func TestGoldenWorkshop(t *testing.T) {
	sc := workshop(t)
	sv := Solver{Check: true}
	broke := 0
	for tick := range 600 {
		sc.steer(tick)
		sc.run(&sv, 1)
		broke += len(sv.JointEvents())
		for i := range sc.Bodies {
			if b := &sc.Bodies[i]; !(b.Position().length() < 60) {
				t.Fatalf("tick %d: body %d flew to %v", tick, i, b.Position())
			}
		}
	}
	if len(sc.Contacts) < 20 || broke == 0 || len(sc.Joints) < 20 {
		t.Fatalf("%d contacts, %d joints, %d broke: the scene tests little", len(sc.Contacts), len(sc.Joints), broke)
	}
	sc.golden(t, "workshop-steered", 600)
}

// meddle removes bodies, and ties and unties others: a function of the tick
// and of keys only.
func (sc *scene) meddle(t *testing.T, tick int) {
	r := random(tick)
	index := keyIndex(sc.Bodies)
	pick := func() *Body { return &sc.Bodies[index[r.next()%uint64(len(index))].slot] }
	if tick%7 == 0 {
		if b := pick(); sc.defs[b.Def].Type == Dynamic {
			slot, _ := index.find(b.Key)
			sc.Remove(slot)
			index = keyIndex(sc.Bodies)
		}
	}
	if tick%3 == 0 {
		a, b := pick(), pick()
		kind := Distance + JointKind(r.next()%6)
		j := NewJoint(r.next(), kind, a, b, a.Position())
		j.Axis, j.Hertz, j.Damping, j.MaxForce, j.Speed = r.between(-3, 3), r.between(0, 8), r.between(0, 1), r.between(0, 60), r.between(-3, 3)
		j.Flags, j.Min, j.Max = JointFlags(r.next()%16), r.between(-3, 0), r.between(0, 3)
		j.BreakForce, j.Length = r.between(100, 2000), r.between(0, 4)
		_ = sc.AddJoint(sc.defs, j) // refused where both are walls, or one body twice
	}
	if tick%11 == 5 && len(sc.Joints) > 0 {
		sc.RemoveJoint(sc.Joints[r.next()%uint64(len(sc.Joints))].Key)
	}
}

// With joints that come, go and break at random, and bodies that are removed,
// a rewound scene, one in other slots and one with a fresh solver each step go
// the same way.
func TestJointsAreExact(t *testing.T) {
	sc := workshop(t)
	sv := Solver{Check: true}
	sc.run(&sv, 30)
	other, fresh := sc.shuffled(8), sc.copy()
	so := Solver{Check: true}
	ended := 0
	for tick := range 200 {
		sf := Solver{Check: true}
		saved := sc.copy()
		for _, each := range []*scene{sc, other, fresh, saved} {
			each.steer(tick)
			each.meddle(t, tick)
		}
		sc.run(&sv, 1)
		other.run(&so, 1)
		fresh.run(&sf, 1)
		sameEvents(t, &sv, &so)
		sameEvents(t, &sv, &sf)
		sameBits(t, "in other slots", &sc.State, &other.State)
		sameBits(t, "with a fresh solver", &sc.State, &fresh.State)
		ended += len(sf.JointEvents())
		saved.run(&sf, 1)
		sameBits(t, "rewound", &sc.State, &saved.State)
	}
	if ended < 20 {
		t.Errorf("%d joints ended: the scene tests little", ended)
	}
}

// An island with joints steps to the same bits alone as among others.
func TestJointedIslandsAreIndependent(t *testing.T) {
	sc := workshop(t)
	sv := Solver{Check: true}
	tested := 0
	for range 30 {
		sc.run(&sv, 5)
		next := sc.copy()
		next.run(&sv, 1)
		var before, after Islands
		before.Build(&sc.State)
		after.Build(&next.State)
		for slot := 3; slot < len(sc.Bodies); slot++ {
			if sc.defs[sc.Bodies[slot].Def].Type != Dynamic || len(before.Members(slot, nil)) < 2 {
				continue
			}
			alone := sc.copy()
			for other := range sc.Bodies {
				fixed := sc.defs[sc.Bodies[other].Def].Type != Dynamic
				if !fixed && !before.Same(slot, other) && !after.Same(slot, other) {
					alone.Remove(other)
				}
			}
			alone.run(&sv, 1)
			DiffBody(&alone.Bodies[slot], &next.Bodies[slot], func(name, va, vb string) {
				t.Errorf("body %016x: %s is %s alone and %s among all", sc.Bodies[slot].Key, name, va, vb)
			})
			tested++
			slot += 4
		}
	}
	if tested < 100 {
		t.Errorf("%d islands of two and more: the scene tests little", tested)
	}
}

func TestCarryAndReplaceJoints(t *testing.T) {
	sc := workshop(t)
	sv := Solver{Check: true}
	sc.run(&sv, 60)
	moved := sc.shuffled(4)
	moved.Joints = nil
	moved.CarryJoints(&sc.State, keyIndex(moved.Bodies).find)
	sameBits(t, "all carried", &moved.State, &sc.State)
	later := sc.copy()
	later.steer(1)
	later.run(&sv, 5)
	index := keyIndex(later.Bodies)
	for slot := range moved.Bodies {
		if from, ok := index.find(moved.Bodies[slot].Key); ok {
			moved.Bodies[slot] = later.Bodies[from]
		}
	}
	moved.State.replaceContacts(&later.State)
	moved.State.replaceJoints(&later.State)
	sameBits(t, "all replaced", &moved.State, &later.State)
	few := &State{Bodies: slices.Clone(sc.Bodies[3:7])}
	few.CarryJoints(&sc.State, keyIndex(few.Bodies).find)
	gone := 0
	for i := range few.Joints {
		if few.Joints[i].Gone() {
			gone++
		}
	}
	if gone != 1 || len(few.Joints) != 5 {
		t.Errorf("%d joints of 4 links carried, %d of them gone, want 5 and 1", len(few.Joints), gone)
	}
}

// In the steady state nothing allocates: not joints, sleep, parts, or the
// sweeps of fast bodies.
func TestScenesAllocateNothing(t *testing.T) {
	for name, sc := range map[string]*scene{"workshop": workshop(t), "sleepy workshop": workshop(t).sleepy(), "park": park(t), "storm": storm(t), "quarry": quarry(t, 30)} {
		var sv Solver // without Check: asserts allocate
		sc.run(&sv, 200)
		start := sc.copy()
		sc.run(&sv, 40)
		if n := testing.AllocsPerRun(3, func() {
			sc.CopyFrom(&start.State)
			sc.run(&sv, 30)
		}); n > 0 {
			t.Errorf("%s: %v allocations in 30 steps", name, n)
		}
	}
}

// TestReplacedJointChangesItsBody: a joint of part takes the place of the one under
// its key, though that one ties a body that is not in part.
func TestReplacedJointChangesItsBody(t *testing.T) {
	sc := &scene{}
	ball := sc.def(t, Def{Type: Dynamic, Shape: CircleShape(0.5)})
	for i := range 3 {
		sc.Bodies = append(sc.Bodies, NewBody(uint64(i+1), ball, Vec{float64(2 * i), 0}, 0))
	}
	tie := func(s *State, a, b int) {
		j := NewDistance(77, &s.Bodies[a], &s.Bodies[b], s.Bodies[a].Position(), s.Bodies[b].Position())
		if err := s.AddJoint(sc.defs, j); err != nil {
			t.Fatal(err)
		}
	}
	truth := sc.copy()
	tie(&sc.State, 0, 1)
	tie(&truth.State, 0, 2)
	part := &State{Bodies: []Body{truth.Bodies[0], truth.Bodies[2]}}
	part.CarryJoints(&truth.State, keyIndex(part.Bodies).find)
	sc.State.replaceJoints(part)
	if len(sc.Joints) != 1 || sc.Joints[0].KeyB != truth.Joints[0].KeyB {
		t.Errorf("%d joints: %+v", len(sc.Joints), sc.Joints)
	}
}

// TestChangedJointOfNoDynamicBody: a joint that ties a body that nothing moves to the
// world, or to another such, concerns those bodies.
func TestChangedJointOfNoDynamicBody(t *testing.T) {
	sc := &scene{}
	ghost := sc.def(t, Def{Type: Kinematic, Shape: CircleShape(0.5)})
	for i := range 3 {
		sc.Bodies = append(sc.Bodies, NewBody(uint64(i+1), ghost, Vec{float64(2 * i), 0}, 0))
	}
	for name, c := range map[string]struct {
		j    Joint
		want []int32
	}{
		"to the world": {Joint{Key: 77, KeyA: 2, SlotA: 1, SlotB: -1, Kind: Hinge, Flags: jointFixed}, []int32{1}},
		"to another":   {Joint{Key: 77, KeyA: 2, KeyB: 3, SlotA: 1, SlotB: 2, Kind: Hinge, Flags: jointFixed}, []int32{1, 2}},
	} {
		old, now := sc.copy(), sc.copy()
		old.Joints = []Joint{c.j}
		c.j.AnchorA.X = 0.25
		now.Joints = []Joint{c.j}
		if got := Changed(&old.State, &now.State, sc.defs, keyIndex(sc.Bodies).find, nil); !slices.Equal(got, c.want) {
			t.Errorf("%s: changed are %v, want %v", name, got, c.want)
		}
	}
}
