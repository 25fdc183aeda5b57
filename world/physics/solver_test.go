package physics

import (
	"fmt"
	"math"
	"testing"
)

func near(a, b, tolerance float64) bool { return math.Abs(a-b) <= tolerance }

func TestFreeFall(t *testing.T) {
	sc := &scene{rules: rules60}
	ball := sc.def(t, Def{Type: Dynamic, Shape: CircleShape(0.5), GravityScale: 1})
	half := sc.def(t, Def{Type: Dynamic, Shape: BoxShape(1, 2), GravityScale: 0.5})
	a, b := sc.put(ball, 0, 100, 0), sc.put(half, 10, 100, 1)
	sc.run(&Solver{Check: true}, 120) // 2 s
	if got, want := sc.Bodies[a].VY, -20.0; !near(got, want, 1e-9) {
		t.Errorf("speed after 2 s of free fall: %v, want %v", got, want)
	}
	if got, want := sc.Bodies[a].Y, 100-0.5*10*4.0; !near(got, want, 0.05) {
		t.Errorf("height after 2 s of free fall: %v, want %v", got, want)
	}
	if got, want := sc.Bodies[b].Y, 100-0.5*5*4.0; !near(got, want, 0.05) {
		t.Errorf("height at half gravity: %v, want %v", got, want)
	}
	if sc.Bodies[b].Angle != NewBody(1, 0, Vec{}, 1).Angle {
		t.Errorf("a box that nothing turned turned to %v", sc.Bodies[b].Angle)
	}
}

func TestForcesAndDamping(t *testing.T) {
	sc := &scene{rules: Params{DT: 1.0 / 60, Substeps: 4}}
	heavy := sc.def(t, Def{Type: Dynamic, Shape: CircleShape(1), Mass: 4, Inertia: 2})
	accel := sc.def(t, Def{Type: Dynamic, Shape: CircleShape(1), Mass: 4, Inertia: 2, ForcePerMass: true})
	damped := sc.def(t, Def{Type: Dynamic, Shape: CircleShape(1), LinearDamping: 0.5, AngularDamping: 2})
	fixed := sc.def(t, Def{Type: Dynamic, Shape: BoxShape(1, 1), FixedRotation: true, ForcePerMass: true})
	kinematic := sc.def(t, Def{Type: Kinematic, Shape: BoxShape(1, 1)})
	for i, d := range []uint32{heavy, accel, damped, fixed, kinematic} {
		sc.put(d, 10*float64(i), 0, 0)
		b := &sc.Bodies[i]
		b.FX, b.FY, b.Torque = 8, -4, 2
	}
	sc.Bodies[2].FX, sc.Bodies[2].FY, sc.Bodies[2].Torque = 0, 0, 0
	sc.Bodies[2].VX, sc.Bodies[2].W = 10, 10
	sc.Bodies[4].VX, sc.Bodies[4].W = 3, 0.5
	sc.run(&Solver{Check: true}, 60)
	for _, want := range []struct {
		slot      int
		vx, vy, w float64
	}{
		{0, 2, -1, 1}, {1, 8, -4, 2}, {2, 10 * math.Exp(-0.5), 0, 10 * math.Exp(-2)}, {3, 8, -4, 0}, {4, 3, 0, 0.5},
	} {
		b := &sc.Bodies[want.slot]
		if !near(b.VX, want.vx, 0.02) || !near(b.VY, want.vy, 0.02) || !near(b.W, want.w, 0.02) {
			t.Errorf("body %d after 1 s: v %v %v w %v, want %v %v %v", want.slot, b.VX, b.VY, b.W, want.vx, want.vy, want.w)
		}
	}
	if b := &sc.Bodies[4]; !near(b.X, 43, 1e-9) || !near(b.Angle, 0.5, 1e-9) {
		t.Errorf("a kinematic body moved to %v turned by %v, want 43 and 0.5", b.X, b.Angle)
	}
	if b := &sc.Bodies[3]; b.Angle != 0 {
		t.Errorf("a body of fixed rotation turned to %v", b.Angle)
	}
}

func TestForcesOfOneTick(t *testing.T) {
	sc := &scene{rules: Params{DT: 1.0 / 60, Substeps: 4}}
	d := sc.def(t, Def{Type: Dynamic, Shape: BoxShape(1, 1), Mass: 2, Inertia: 4})
	wall := sc.def(t, Def{Type: Static, Shape: BoxShape(1, 1)})
	sc.put(d, 0, 0, 0)
	sc.put(wall, 10, 0, 0)
	def := &sc.defs[d]
	b := &sc.Bodies[0]
	b.ApplyForceAt(def, 0, 120, Vec{0.5, 0})
	sc.Bodies[1].ApplyForce(5, 5)
	sc.Bodies[1].ApplyImpulse(&sc.defs[wall], 5, 5)
	sc.run(&Solver{Check: true}, 3)
	if !near(b.VY, 1, 1e-12) || !near(b.W, 0.25, 1e-12) {
		t.Errorf("120 N for one tick on 2 kg: vy %v w %v, want 1 and 0.25", b.VY, b.W)
	}
	if b.ImpFX != 0 || b.ImpFY != 0 || b.ImpT != 0 || sc.Bodies[1].ImpFX != 0 {
		t.Error("forces of the tick outlived it")
	}
	if w := &sc.Bodies[1]; w.X != 10 || w.VX != 0 {
		t.Error("a static body moved")
	}
	b.ApplyImpulseAt(def, 0, -2, b.ToWorld(Vec{0.5, 0}))
	if !near(b.VY, 0, 1e-12) || !near(b.W, 0, 1e-3) {
		t.Errorf("after the opposite impulse: vy %v w %v, want 0", b.VY, b.W)
	}
}

func TestStackStands(t *testing.T) {
	sc := &scene{rules: rules60}
	floor := sc.def(t, Def{Type: Static, Shape: BoxShape(50, 2), Friction: 0.5})
	box := sc.def(t, Def{Type: Dynamic, Shape: BoxShape(1, 1), Friction: 0.5, GravityScale: 1})
	sc.put(floor, 0, -1, 0)
	for i := range 10 {
		sc.put(box, 0, 0.5+float64(i), 0)
	}
	sc.run(&Solver{Check: true}, 600)
	for i := 1; i <= 10; i++ {
		b := &sc.Bodies[i]
		if !near(b.X, 0, 0.05) || !near(b.Y, float64(i)-0.5, 0.05) || !near(b.Angle, 0, 0.02) {
			t.Errorf("box %d of the stack is at %v %v turned %v after 10 s", i, b.X, b.Y, b.Angle)
		}
		if v := math.Hypot(b.VX, b.VY); v > 0.02 || math.Abs(b.W) > 0.02 {
			t.Errorf("box %d of the stack still moves: %v m/s, %v rad/s", i, v, b.W)
		}
	}
}

func TestFastBallStaysOut(t *testing.T) {
	for _, shape := range []Shape{CircleShape(0.5), CircleShape(0.1), BoxShape(0.6, 0.6)} {
		for _, offset := range []float64{0, 0.07, 0.15, 0.21, 0.3} {
			sc := &scene{rules: Params{DT: 1.0 / 60, Substeps: 4}}
			wall := sc.def(t, Def{Type: Static, Shape: BoxShape(0.2, 20)})
			ball := sc.def(t, Def{Type: Dynamic, Shape: shape})
			sc.put(wall, 5, 0, 0.2)
			b := sc.put(ball, offset, 0, 0)
			sc.Bodies[b].VX = 20
			sc.Bodies[b].FX = 500 * sc.defs[ball].MassKg()
			sv := Solver{Check: true}
			for range 120 {
				sc.run(&sv, 1)
				at := sc.Bodies[0].ToBody(sc.Bodies[b].Position())
				if math.Abs(at.Y) > 9.5 {
					break // slid off the end
				}
				if at.X > 0 {
					t.Fatalf("shape %v radius %v, offset %v: passed the wall", shape.Kind, shape.Radius, offset)
				}
			}
		}
	}
}

func TestQualityMomentum(t *testing.T) {
	sc := arena(t, 200, 18)
	for i := range sc.defs {
		sc.defs[i].LinearDamping = 0
		sc.defs[i].AngularDamping = 0
	}
	sc.Bodies = sc.Bodies[4:] // no walls
	momentum := func() (p Vec, turn float64) {
		for i := range sc.Bodies {
			b, d := &sc.Bodies[i], &sc.defs[sc.Bodies[i].Def]
			c, v := b.CentreOfMass(d), Vec{b.VX, b.VY}
			p = p.addScaled(v, d.MassKg())
			turn += d.MassKg()*c.cross(v) + d.InertiaKgM2()*b.W
		}
		return p, turn
	}
	p, turn := momentum()
	carried := 0.0
	for i := range sc.Bodies {
		carried += sc.defs[sc.Bodies[i].Def].MassKg() * math.Hypot(sc.Bodies[i].VX, sc.Bodies[i].VY)
	}
	sv := Solver{Check: true}
	touched := 0
	for range 120 {
		sc.run(&sv, 1)
		begins, _ := sv.Events()
		touched += len(begins)
	}
	q, turned := momentum()
	if touched < 100 {
		t.Fatalf("only %d collisions: the scene tests nothing", touched)
	}
	figure(t, fmt.Sprintf("momentum lost in %d collisions, as a share of what all carry", touched), q.sub(p).length()/carried, 1e-13, "")
	if !near(turn, turned, 0.05*math.Abs(turn)+1) {
		t.Errorf("angular momentum went from %v to %v", turn, turned)
	}
}

// Bodies that are created inside each other are pushed apart slowly.
func TestQualitySpawnInside(t *testing.T) {
	fast := 0.0
	shapes := []Shape{CircleShape(0.5), BoxShape(1, 1), CircleShape(0.05)}
	for i, a := range shapes {
		for j, b := range shapes {
			t.Run(fmt.Sprint(i, j), func(t *testing.T) {
				sc := &scene{rules: Params{DT: 1.0 / 60, Substeps: 4}}
				da := sc.def(t, Def{Type: Dynamic, Shape: a, Friction: 0.5, Restitution: 1})
				db := sc.def(t, Def{Type: Dynamic, Shape: b, Friction: 0.5, Restitution: 1})
				sc.put(da, 0, 0, 0)
				sc.put(db, 0, 0, 0.3)
				sc.put(da, 0.01, 0.02, 1)
				sv := Solver{Check: true}
				for range 180 {
					sc.run(&sv, 1)
					for k := range sc.Bodies {
						fast = max(fast, math.Hypot(sc.Bodies[k].VX, sc.Bodies[k].VY))
					}
				}
				m := manifold{}
				rules := sc.rules.complete(true)
				sv.whole.bodies.gather(&sc.State, sc.defs, &sv.whole.sleepers, &rules)
				for x := range 3 {
					for y := range x {
						collideOutlines(&m, sv.whole.bodies.outline(int32(y)), sv.whole.bodies.outline(int32(x)), 0)
						if m.count > 0 && m.points[0].separation < -2*slop {
							t.Errorf("bodies still overlap by %v m after 3 s", -m.points[0].separation)
						}
					}
				}
			})
		}
	}
	figure(t, "three bodies in one place: fastest as they part", fast, 2*pushOutSpeed, "m/s")
}

func TestLimits(t *testing.T) {
	sc := &scene{rules: rules60}
	d := sc.def(t, Def{Type: Dynamic, Shape: BoxShape(1, 1), GravityScale: 1})
	for range 7 {
		sc.put(d, 0, 0, 0)
	}
	for i := range sc.Bodies {
		sc.Bodies[i].X = 1000 * float64(i)
	}
	sc.Bodies[0].VX = 5e3
	sc.Bodies[1].X = 1e7
	sc.Bodies[2].VY = math.NaN()
	sc.Bodies[3].FX = math.Inf(1)
	sc.Bodies[4].W = math.Inf(-1)
	sc.Bodies[5].FY = 1e300
	sv := Solver{Check: true}
	sc.run(&sv, 1)
	if sv.Clamped != 6 {
		t.Errorf("%d bodies clamped, want 6", sv.Clamped)
	}
	for i := range sc.Bodies {
		b := &sc.Bodies[i]
		for _, v := range []float64{b.X, b.Y, b.Angle, b.VX, b.VY, b.W, b.FX, b.FY, b.Torque, b.Cos, b.Sin} {
			if !finite(v) {
				t.Errorf("body %d holds %v: %+v", i, v, *b)
			}
		}
		if math.Abs(b.X) > MaxPosition || math.Hypot(b.VX, b.VY) > MaxSpeed*(1+1e-9) || math.Abs(b.W) > MaxSpin {
			t.Errorf("body %d is beyond the limits: %+v", i, *b)
		}
	}
	sc.Bodies[5].FY = 0
	sc.Bodies[0].VX, sc.Bodies[5].VY = 0, 0
	sc.run(&sv, 1)
	if sv.Clamped != 0 {
		t.Errorf("%d bodies clamped in a quiet step", sv.Clamped)
	}
}

func TestUnpreparedDefsRest(t *testing.T) {
	sc := &scene{rules: rules60, defs: []Def{{Type: Dynamic, Shape: CircleShape(1), GravityScale: 1}}}
	sc.put(0, 0, 0, 0)
	sc.put(9, 0, 0, 0)
	before := sc.copy()
	sc.run(&Solver{Check: true}, 10)
	if sc.Hash() != before.Hash() {
		t.Error("a body without a prepared Def moved")
	}
}

func TestOffCentreBodyTurnsAboutItsCentreOfMass(t *testing.T) {
	shape, err := PolygonShape([]Vec{{1, 0}, {3, 0}, {3, 1}, {1, 1}})
	if err != nil {
		t.Fatal(err)
	}
	sc := &scene{rules: Params{DT: 1.0 / 60, Substeps: 4}}
	d := sc.def(t, Def{Type: Dynamic, Shape: shape})
	s := sc.put(d, 5, 5, 0.4)
	b := &sc.Bodies[s]
	b.W, b.VX = 3, 1
	c := b.CentreOfMass(&sc.defs[d])
	sc.run(&Solver{Check: true}, 60)
	if got, want := b.CentreOfMass(&sc.defs[d]), c.add(Vec{1, 0}); got.sub(want).length() > 1e-9 {
		t.Errorf("the centre of mass went to %v, want %v", got, want)
	}
	if !near(b.Angle, 0.4+3-2*math.Pi, 1e-9) && !near(b.Angle, 3.4, 1e-9) {
		t.Errorf("angle %v after turning by 3 from 0.4", b.Angle)
	}
}

func TestStepAllocatesNothing(t *testing.T) {
	sc := arena(t, 300, 25)
	var sv Solver // without Check: asserts allocate
	sc.run(&sv, 30)
	start := sc.copy()
	if n := testing.AllocsPerRun(50, func() {
		sc.CopyFrom(&start.State)
		sc.run(&sv, 4)
		sv.Events()
	}); n != 0 {
		t.Errorf("a step allocates %v times", n)
	}
}
