package physics

import (
	"errors"
	"math"
	"slices"
	"testing"
)

func TestHingeLimitsAndMotor(t *testing.T) {
	sc := &scene{rules: rules60}
	d := sc.def(t, Def{Type: Dynamic, Shape: BoxShape(2, 0.2), Mass: 1, GravityScale: 1})
	sc.put(d, 1, 0, 0)
	j := NewJoint(0, Hinge, &sc.Bodies[0], nil, Vec{})
	j.Flags, j.Min, j.Max = JointLimits, -0.5, 0.25 // of the world against the bar
	key := sc.tie(t, j)
	sv := Solver{Check: true}
	sc.run(&sv, 120)
	if got := sc.Bodies[0].Angle; !near(got, -0.25, 0.01) {
		t.Errorf("the bar fell to %v, want its limit -0.25", got)
	}
	k := sc.joint(t, key)
	k.Flags |= JointMotor
	k.Speed, k.MaxForce = -2, 100 // the world against the bar: it lifts
	sc.run(&sv, 10)
	if got := sc.Bodies[0].W; !near(got, 2, 1e-2) {
		t.Errorf("the motor turns the bar at %v rad/s, want 2", got)
	}
	sc.run(&sv, 110)
	if got := sc.Bodies[0].Angle; !near(got, 0.5, 0.02) {
		t.Errorf("the motor lifted the bar to %v, want its limit 0.5", got)
	}
	sc.joint(t, key).MaxForce = 5 // 1 kg at 1 m needs 10 N m
	sc.run(&sv, 240)
	if got := sc.Bodies[0].Angle; !near(got, -0.25, 0.02) {
		t.Errorf("a weak motor holds the bar at %v, want it at its limit -0.25", got)
	}
}

func TestSliderLimitsAndMotor(t *testing.T) {
	sc := &scene{rules: rules60}
	d := sc.def(t, Def{Type: Dynamic, Shape: BoxShape(1, 1), Mass: 2, GravityScale: 1})
	base := sc.def(t, Def{Type: Static, Shape: BoxShape(1, 1)})
	sc.put(base, 0, 0, 0.5)
	sc.put(d, 0, 3, 0.2)
	j := NewJoint(0, Slider, &sc.Bodies[0], &sc.Bodies[1], Vec{0, 3})
	j.Axis = math.Pi/2 - 0.5 // up in the world
	j.Flags, j.Min, j.Max = JointLimits, -1, 2
	key := sc.tie(t, j)
	sc.Bodies[1].W = 3
	sv := Solver{Check: true}
	sc.run(&sv, 120)
	if b := &sc.Bodies[1]; !near(b.X, 0, 0.005) || !near(b.Y, 2, 0.01) || !near(b.Angle, 0.2, 0.005) {
		t.Errorf("the lift stands at %v, %v turned by %v, want 0, 2 and 0.2", b.X, b.Y, b.Angle)
	}
	k := sc.joint(t, key)
	k.Flags |= JointMotor
	k.Speed, k.MaxForce = 1, 100
	sc.run(&sv, 60)
	if b := &sc.Bodies[1]; !near(b.VY, 1, 1e-3) || !near(b.X, 0, 0.005) {
		t.Errorf("the lift rises at %v, want 1", b.VY)
	}
	sc.run(&sv, 180)
	if b := &sc.Bodies[1]; !near(b.Y, 5, 0.01) {
		t.Errorf("the lift rose to %v, want its limit 5", b.Y)
	}
	sc.joint(t, key).MaxForce = 15 // it weighs 20 N
	sc.run(&sv, 240)
	if b := &sc.Bodies[1]; !near(b.Y, 2, 0.01) {
		t.Errorf("a weak motor holds the lift at %v, want it at its limit 2", b.Y)
	}
}

// A car on two wheels with springs drives at the speed of its motors.
func TestWheels(t *testing.T) {
	sc := &scene{rules: rules60}
	floor := sc.def(t, Def{Type: Static, Shape: BoxShape(400, 2), Friction: 1})
	chassis := sc.def(t, Def{Type: Dynamic, Shape: BoxShape(3, 0.5), Mass: 10, GravityScale: 1})
	tyre := sc.def(t, Def{Type: Dynamic, Shape: CircleShape(0.4), Mass: 1, Friction: 1, GravityScale: 1})
	sc.put(floor, 0, -1, 0)
	sc.put(chassis, 0, 1.1, 0)
	for _, x := range []float64{-1, 1} {
		slot := sc.put(tyre, x, 0.4, 0)
		j := NewJoint(0, Wheel, &sc.Bodies[1], &sc.Bodies[slot], Vec{x, 0.4})
		j.Axis = math.Pi / 2
		j.Flags = JointSpring | JointLimits | JointMotor
		j.Hertz, j.Damping, j.Min, j.Max = 4, 0.7, -0.3, 0.3
		j.Speed, j.MaxForce = -10, 20
		sc.tie(t, j)
	}
	sc.run(&Solver{Check: true}, 600)
	b := &sc.Bodies[1]
	if !near(b.VX, 4, 0.2) || !near(b.Angle, 0, 0.1) || !(b.Y > 0.8 && b.Y < 1.1) {
		t.Errorf("the car drives at %v, turned by %v, at height %v; want 4 m/s, upright, sunk a little", b.VX, b.Angle, b.Y)
	}
	for _, w := range sc.Bodies[2:] {
		if !near(w.W, -10, 0.1) || !near(w.Y, 0.4, 0.02) {
			t.Errorf("a wheel turns at %v at height %v, want -10 and 0.4", w.W, w.Y)
		}
	}
}

func TestWeld(t *testing.T) {
	for _, soft := range []bool{false, true} {
		sc := &scene{rules: rules60}
		d := sc.def(t, Def{Type: Dynamic, Shape: BoxShape(1, 0.2), Mass: 1, GravityScale: 1})
		for i := range 4 {
			sc.put(d, 0.5+float64(i), 0, 0)
			var before *Body
			if i > 0 {
				before = &sc.Bodies[i-1]
			}
			j := NewJoint(0, Weld, &sc.Bodies[i], before, Vec{float64(i), 0})
			if soft {
				j.TurnHertz, j.TurnDamping = 2, 0.5
			}
			sc.tie(t, j)
		}
		sc.run(&Solver{Check: true}, 600)
		b := &sc.Bodies[3]
		if soft && !(b.Angle < -0.1) || !soft && !near(b.Angle, 0, 0.02) {
			t.Errorf("soft %v: the end of a beam of 4 turned by %v", soft, b.Angle)
		}
		if !soft && !near(b.Y, 0, 0.05) {
			t.Errorf("the end of a stiff beam sank to %v, %v m/s", b.Y, b.VY)
		}
	}
}

func TestTarget(t *testing.T) {
	sc := &scene{rules: rules60}
	d := sc.def(t, Def{Type: Dynamic, Shape: CircleShape(0.5), Mass: 2, GravityScale: 1, AngularDamping: 2})
	sc.put(d, 0, 0, 0)
	j := NewJoint(0, Target, &sc.Bodies[0], nil, Vec{})
	j.Hertz, j.Damping, j.MaxForce = 4, 1, 100
	j.AnchorB = Vec{3, 4}
	key := sc.tie(t, j)
	sv := Solver{Check: true}
	sc.run(&sv, 1)
	if b := &sc.Bodies[0]; (Vec{b.VX, b.VY + 10.0/60}).length() > 100.0/2/60+1e-9 {
		t.Errorf("one step gave %v, %v m/s: more than 100 N on 2 kg", b.VX, b.VY)
	}
	sc.run(&sv, 300)
	if b := &sc.Bodies[0]; !near(b.X, 3, 0.05) || !near(b.Y, 4, 0.05) {
		t.Errorf("pulled to %v, want about (3, 4)", b.Position())
	}
	sc.joint(t, key).MaxForce = 10 // it weighs 20 N
	sc.run(&sv, 60)
	if b := &sc.Bodies[0]; !(b.Y < 2) {
		t.Errorf("half its weight holds the body at %v", b.Y)
	}
}

// A target without a frequency does nothing, and all numbers stay finite.
func TestTargetWithoutFrequency(t *testing.T) {
	sc := &scene{rules: rules60}
	d := sc.def(t, Def{Type: Dynamic, Shape: CircleShape(0.5), GravityScale: 1})
	sc.put(d, 0, 0, 0)
	j := NewJoint(0, Target, &sc.Bodies[0], nil, Vec{})
	j.AnchorB, j.MaxForce = Vec{3, 4}, 100
	sc.tie(t, j)
	sv := Solver{Check: true}
	sc.run(&sv, 60)
	if b := &sc.Bodies[0]; !near(b.VY, -10, 1e-9) || b.VX != 0 || sv.Clamped != 0 {
		t.Errorf("after 1 s it moves at %v, %v, want a free fall", b.VX, b.VY)
	}
}

// Joined bodies collide only where the joint says so.
func TestJointsAndContacts(t *testing.T) {
	for _, collide := range []bool{false, true} {
		sc := &scene{rules: Params{DT: 1.0 / 60, Substeps: 4}}
		d := sc.def(t, Def{Type: Dynamic, Shape: CircleShape(0.5)})
		sc.put(d, 0, 0, 0)
		sc.put(d, 0.8, 0, 0)
		sc.put(d, 0.4, 0.6, 0)
		j := NewDistance(0, &sc.Bodies[0], &sc.Bodies[1], Vec{}, Vec{0.8, 0})
		j.Flags = JointSpring
		if collide {
			j.Flags |= JointCollide
		}
		sc.tie(t, j)
		sc.run(&Solver{Check: true}, 1)
		if want := 2 + map[bool]int{true: 1}[collide]; len(sc.Contacts) != want {
			t.Errorf("collide %v: %d contacts, want %d", collide, len(sc.Contacts), want)
		}
	}
}

// Joints break where the load is greatest, and in the order of their keys
// where two break in one step.
func TestJointsBreak(t *testing.T) {
	sc := &scene{rules: rules60}
	d := sc.def(t, Def{Type: Dynamic, Shape: CircleShape(0.2), Mass: 1, GravityScale: 1})
	for i := range 6 {
		sc.put(d, 0, -float64(i+1), 0)
		var above *Body
		if i > 0 {
			above = &sc.Bodies[i-1]
		}
		j := NewDistance(uint64(100-i), &sc.Bodies[i], above, Vec{0, -float64(i + 1)}, Vec{0, -float64(i)})
		sc.tie(t, j)
	}
	sv := Solver{Check: true}
	sc.run(&sv, 120) // to rest: a rope that is let go of jerks
	for i := range sc.Joints {
		sc.Joints[i].BreakForce = 70
	}
	sc.run(&sv, 120)
	if n := len(sv.JointEvents()); n != 0 || len(sc.Joints) != 6 {
		t.Fatalf("%d joints left, %d events: 60 N must not break 70 N", len(sc.Joints), n)
	}
	sc.Bodies[5].FY = -11 // all bear 11 N more, and for a moment twice that
	var broke []JointEvent
	for range 30 {
		sc.run(&sv, 1)
		broke = append(broke, sv.JointEvents()...)
	}
	if len(broke) != 1 || broke[0].Key != 100 || !broke[0].Broke || !near(broke[0].Force, 71, 6) || broke[0].A != 0 || broke[0].B != -1 {
		t.Errorf("broken: %+v, want the joint at the top alone, at a little over 70 N", broke)
	}
	for i := range sc.Joints {
		sc.Joints[i].BreakForce = 100
	}
	sc.Bodies[5].FY = -1e4
	sc.run(&sv, 1)
	events := sv.JointEvents()
	if len(events) < 2 || !slices.IsSortedFunc(events, func(a, b JointEvent) int { return int(a.Key) - int(b.Key) }) {
		t.Errorf("events %+v, want several in the order of keys", events)
	}
}

func TestJointsBreakByTorque(t *testing.T) {
	sc := &scene{rules: rules60}
	d := sc.def(t, Def{Type: Dynamic, Shape: BoxShape(2, 0.2), Mass: 1, GravityScale: 1})
	sc.put(d, 1, 0, 0)
	j := NewJoint(0, Weld, &sc.Bodies[0], nil, Vec{})
	j.BreakTorque = 11 // it bears 10
	sc.tie(t, j)
	sv := Solver{Check: true}
	sc.run(&sv, 60)
	if len(sc.Joints) != 1 {
		t.Fatal("10 N m broke a weld of 11")
	}
	sc.Bodies[0].Torque = -3
	sc.run(&sv, 10)
	if len(sc.Joints) != 0 {
		t.Error("13 N m did not break a weld of 11")
	}
}

func TestRemovedBodyEndsItsJoints(t *testing.T) {
	sc := &scene{rules: rules60}
	d := sc.def(t, Def{Type: Dynamic, Shape: CircleShape(0.2), GravityScale: 1})
	for i, key := range []uint64{30, 10, 20} {
		sc.putKey(key, d, float64(i), 0)
	}
	a, b, c := &sc.Bodies[0], &sc.Bodies[1], &sc.Bodies[2]
	sc.tie(t, NewDistance(5, a, b, a.Position(), b.Position()))
	sc.tie(t, NewDistance(3, b, c, b.Position(), c.Position()))
	sc.tie(t, NewDistance(4, b, nil, b.Position(), Vec{0, 9}))
	sc.tie(t, NewDistance(6, a, nil, a.Position(), Vec{0, 9}))
	sc.run(&Solver{Check: true}, 3)
	sc.Remove(1)
	saved := sc.copy()
	want := []JointEvent{{Key: 3, A: -1, B: 2, KeyA: 10, KeyB: 20}, {Key: 5, A: 0, B: -1, KeyA: 30, KeyB: 10}}
	for _, again := range []*scene{sc, saved.copy()} {
		sv := Solver{Check: true}
		again.run(&sv, 1)
		if got := sv.JointEvents(); !slices.Equal(got, want) {
			t.Errorf("events %+v, want %+v", got, want)
		}
		again.run(&sv, 1)
		if got := sv.JointEvents(); len(got) != 0 || len(again.Joints) != 1 {
			t.Errorf("later: events %+v, joints %+v", got, again.Joints)
		}
	}
	saved.Remove(0)
	saved.Remove(2)
	sv := Solver{Check: true}
	saved.run(&sv, 1)
	if got := sv.JointEvents(); len(got) != 0 || len(saved.Joints) != 0 {
		t.Errorf("nobody is left, but events %+v, joints %+v", got, saved.Joints)
	}
	lost := sc.copy()
	lost.Bodies[0] = Body{} // without Remove
	lost.run(&sv, 1)
	if len(lost.Joints) != 0 {
		t.Errorf("the body of %+v is not there", lost.Joints)
	}
}

func TestJointRefusals(t *testing.T) {
	sc := &scene{rules: rules60}
	d := sc.def(t, Def{Type: Dynamic, Shape: CircleShape(0.2)})
	wall := sc.def(t, Def{Type: Static, Shape: CircleShape(0.2)})
	sc.putKey(1, d, 0, 0)
	sc.putKey(2, d, 1, 0)
	sc.putKey(3, wall, 2, 0)
	good := Joint{Key: 9, Kind: Hinge, KeyA: 1, KeyB: 2}
	sc.tie(t, good)
	for name, change := range map[string]func(j *Joint){
		"key in use":    func(j *Joint) { j.Key = 9 },
		"no key":        func(j *Joint) { j.Key = 0 },
		"no kind":       func(j *Joint) { j.Kind = 0 },
		"strange kind":  func(j *Joint) { j.Kind = 7 },
		"no body":       func(j *Joint) { j.KeyA = 0 },
		"with itself":   func(j *Joint) { j.KeyB = 1 },
		"unknown body":  func(j *Joint) { j.KeyB = 4 },
		"walls":         func(j *Joint) { j.KeyA, j.KeyB = 3, 0 },
		"min above max": func(j *Joint) { j.Min = 1 },
		"wide limit":    func(j *Joint) { j.Max = 3.2 },
		"nan":           func(j *Joint) { j.Hertz = math.NaN() },
		"infinite":      func(j *Joint) { j.AnchorA.X = math.Inf(1) },
		"negative":      func(j *Joint) { j.MaxForce = -1 },
	} {
		j := good
		j.Key = 8
		change(&j)
		if err := sc.AddJoint(sc.defs, j); !errors.Is(err, ErrJoint) || len(sc.Joints) != 1 {
			t.Errorf("%s: error %v, %d joints", name, err, len(sc.Joints))
		}
	}
	if !sc.RemoveJoint(9) || sc.RemoveJoint(9) || len(sc.Joints) != 0 {
		t.Error("a joint was not removed once")
	}
}

func TestIslandsJoinThroughJoints(t *testing.T) {
	sc := &scene{rules: Params{DT: 1.0 / 60, Substeps: 4}}
	d := sc.def(t, Def{Type: Dynamic, Shape: CircleShape(0.2)})
	wall := sc.def(t, Def{Type: Static, Shape: CircleShape(0.2)})
	for i, def := range []uint32{d, d, wall, d} {
		sc.put(def, 2*float64(i), 0, 0)
	}
	for i := range 3 {
		sc.tie(t, NewDistance(0, &sc.Bodies[i], &sc.Bodies[i+1], Vec{2 * float64(i), 0}, Vec{2 * float64(i+1), 0}))
	}
	sc.tie(t, NewJoint(0, Hinge, &sc.Bodies[3], nil, Vec{6, 0}))
	for range 2 { // before a step and after
		for slot, want := range []int{2, 2, 1, 1} {
			if got := len(sc.Island(slot, nil)); got != want {
				t.Errorf("the island of %d has %d members, want %d", slot, got, want)
			}
		}
		sc.run(&Solver{Check: true}, 1)
	}
}

// TestInfiniteImpulsesStayInTheirIsland: sliders that contradict each other push ever
// harder, until a number is not finite. A body that hangs on the same post is not affected.
func TestInfiniteImpulsesStayInTheirIsland(t *testing.T) {
	for _, kind := range []JointKind{Hinge, Weld, Slider, Wheel, Distance} {
		alone := &scene{}
		post := alone.def(t, Def{Type: Kinematic, Shape: CircleShape(0.3)})
		ball := alone.def(t, Def{Type: Dynamic, Shape: CircleShape(0.5), Density: 1})
		alone.Bodies = append(alone.Bodies, NewBody(1, post, Vec{}, 0), NewBody(2, ball, Vec{2, 0}, 0), Body{})
		alone.Joints = []Joint{{Key: 500, KeyA: 2, KeyB: 1, SlotA: 1, SlotB: 0, Kind: kind, AnchorA: Vec{-1.9, 0.2}, Angle: 0.1, Length: 0.5, Flags: JointMotor, Speed: 2, MaxForce: 5}}
		both := alone.copy()
		both.Bodies[2] = NewBody(3, ball, Vec{1e5, 1e5}, 0)
		for i := range 2 {
			both.Joints = append(both.Joints, Joint{Key: uint64(600 + i), KeyA: 3, KeyB: 1, SlotA: 2, SlotB: 0, Kind: Slider,
				AnchorA: Vec{float64(i - 1), float64(i - 2)}, Angle: float64(i), MaxForce: 20, Speed: 3})
		}
		p, held := Params{DT: 1. / 128, Substeps: 4, GravityY: -10}, 0
		one, two := Solver{Check: true}, Solver{Check: true}
		for step := range 20 {
			one.Step(&alone.State, alone.defs, p)
			was := both.Bodies[2]
			two.Step(&both.State, both.defs, p)
			if b := both.Bodies[2]; b.X == was.X && b.Y == was.Y && b.VX == 0 && b.VY == 0 && two.Clamped > 0 {
				held++
			}
			if !both.Bodies[1].Same(&alone.Bodies[1]) || !both.Bodies[0].Same(&alone.Bodies[0]) || !both.Joints[0].Same(&alone.Joints[0]) {
				t.Fatalf("%v: after step %d the ball is %+v, alone it is %+v", kind, step, both.Bodies[1], alone.Bodies[1])
			}
		}
		if held == 0 {
			t.Errorf("%v: the numbers of the other were finite in all steps", kind)
		}
	}
}
