package physics

import (
	"fmt"
	"math"
	"testing"
)

// deepestOverlap returns by how many metres the worst pair overlaps.
func deepestOverlap(sc *scene) float64 {
	sv := Solver{Check: true}
	rules := sc.rules.complete(true)
	sv.whole.broad.keep(0)
	sv.whole.bodies.ranks().update(sc.Bodies)
	sv.whole.bodies.gather(&sc.State, sc.defs, &sv.whole.sleepers, &rules)
	sv.whole.bodies.addBoxes(&sv.whole.broad, rules.DT)
	deepest := 0.0
	var m manifold
	for _, p := range sv.whole.broad.sweep(len(sv.whole.bodies.outlines())) {
		collideOutlines(&m, sv.whole.bodies.outline(int32(p>>32)), sv.whole.bodies.outline(int32(uint32(p))), 0)
		for i := range m.count {
			deepest = max(deepest, -m.points[i].separation)
		}
	}
	return deepest
}

func TestDeepestOverlap(t *testing.T) {
	sc := &scene{rules: rules60}
	crate := sc.def(t, Def{Type: Dynamic, Shape: BoxShape(1, 1)})
	for _, x := range []float64{0, 0.875, 1.625} {
		sc.put(crate, x, 0, 0)
	}
	if d := deepestOverlap(sc); d != 0.25 {
		t.Errorf("boxes that overlap by 0.125 and 0.25 m overlap by %v m", d)
	}
}

func fastest(sc *scene) float64 {
	v := 0.0
	for i := range sc.Bodies {
		v = max(v, math.Hypot(sc.Bodies[i].VX, sc.Bodies[i].VY))
	}
	return v
}

func TestStacksAtEveryRate(t *testing.T) {
	for _, rate := range []float64{20, 30, 60, 128} {
		t.Run(fmt.Sprint(rate, " Hz"), func(t *testing.T) {
			sc := heavyPyramid(t, 5)
			sc.rules.DT = 1 / rate
			start := sc.copy()
			sv := Solver{Check: true}
			sc.run(&sv, int(5*rate))
			for i := range sc.Bodies {
				if d := sc.Bodies[i].Position().sub(start.Bodies[i].Position()).length(); d > 0.1 {
					t.Errorf("box %d moved %v m in 5 s", i, d)
				}
			}
			if v := fastest(sc); v > 0.02 {
				t.Errorf("the pile still moves at %v m/s", v)
			}
			if d := deepestOverlap(sc); d > 2*slop {
				t.Errorf("bodies overlap by %v m", d)
			}
		})
	}
}

// A bin of balls and boxes settles, holds them all, and does not boil.
func TestPileSettles(t *testing.T) {
	sc := &scene{rules: rules60}
	sc.walls(t, 8, 40)
	shapes := []Shape{CircleShape(0.4), BoxShape(0.8, 0.5), CircleShape(0.2)}
	var defs []uint32
	for _, s := range shapes {
		defs = append(defs, sc.def(t, Def{Type: Dynamic, Shape: s, Friction: 0.4, Restitution: 0.2, GravityScale: 1, AngularDamping: 0.5}))
	}
	for i := range 90 {
		sc.put(defs[i%3], float64(i%7)-3, -18+float64(i/7), float64(i))
	}
	sv := Solver{Check: true}
	for range 900 {
		sc.run(&sv, 1)
		if v := fastest(sc); v > 30 {
			t.Fatalf("something flies at %v m/s", v)
		}
	}
	for i := 4; i < len(sc.Bodies); i++ {
		if b := &sc.Bodies[i]; math.Abs(b.X) > 4 || b.Y < -20 {
			t.Errorf("body %d left the bin: %v, %v", i, b.X, b.Y)
		}
	}
	if v := fastest(sc); v > 0.3 {
		t.Errorf("after 15 s something still moves at %v m/s", v)
	}
	if d := deepestOverlap(sc); d > 4*slop { // 13 m of pile lie on the lowest
		t.Errorf("bodies overlap by %v m", d)
	}
}

func TestBodiesStayInTheArena(t *testing.T) {
	for _, rate := range []float64{20, 60} {
		sc := arena(t, 120, 16)
		sc.rules.DT = 1 / rate
		r := random(11)
		sv := Solver{Check: true}
		for tick := range int(10 * rate) {
			if tick%30 == 0 {
				for i := 4; i < len(sc.Bodies); i++ {
					sc.Bodies[i].VX += r.between(-15, 15)
					sc.Bodies[i].VY += r.between(-15, 15)
				}
			}
			sc.run(&sv, 1)
			for i := 4; i < len(sc.Bodies); i++ {
				if b := &sc.Bodies[i]; math.Abs(b.X) > 8 || math.Abs(b.Y) > 8 {
					t.Fatalf("%v Hz, tick %d: body %d is outside: %v, %v", rate, tick, i, b.X, b.Y)
				}
			}
		}
	}
}

// A ship that pushes a crate along a wall keeps pushing it.
func TestPushing(t *testing.T) {
	sc := &scene{rules: Params{DT: 1.0 / 60, Substeps: 4}}
	ship := sc.def(t, Def{Type: Dynamic, Shape: CircleShape(0.5), LinearDamping: 0.5, Friction: 0.3})
	crate := sc.def(t, Def{Type: Dynamic, Shape: BoxShape(1, 1), LinearDamping: 0.5, Friction: 0.3})
	wall := sc.def(t, Def{Type: Static, Shape: BoxShape(200, 1), Friction: 0.1})
	sc.put(ship, 0, 0, 0)
	sc.put(crate, 1.5, 0, 0)
	sc.put(wall, 0, -1.02, 0)
	sc.Bodies[0].FX = 4
	sv := Solver{Check: true}
	begun := 0
	for range 300 {
		sc.run(&sv, 1)
		begins, _ := sv.Events()
		begun += len(begins)
		if gap := sc.Bodies[1].X - sc.Bodies[0].X; gap < 0.99 {
			t.Fatalf("the ship sank into the crate: %v m between centres", gap)
		}
	}
	if gap := sc.Bodies[1].X - sc.Bodies[0].X; gap > 1.02 {
		t.Errorf("the crate ran away: %v m between centres", gap)
	}
	if v := sc.Bodies[1].VX; v < 1 {
		t.Errorf("the crate moves at %v m/s only", v)
	}
	if begun > 4 {
		t.Errorf("%d beginnings in one push", begun)
	}
}

// Balls in a closed, elastic, frictionless box gain no energy.
func TestEnergyDoesNotGrow(t *testing.T) {
	sc := &scene{rules: Params{DT: 1.0 / 60, Substeps: 4}}
	sc.walls(t, 12, 12)
	for i := range sc.defs {
		sc.defs[i].Restitution, sc.defs[i].Friction = 1, 0
	}
	ball := sc.def(t, Def{Type: Dynamic, Shape: CircleShape(0.4), Restitution: 1})
	r := random(2)
	for i := range 49 {
		s := sc.put(ball, float64(i%7)*1.5-4.5, float64(i/7)*1.5-4.5, 0)
		sc.Bodies[s].VX, sc.Bodies[s].VY = r.between(-8, 8), r.between(-8, 8)
	}
	energy := func() (e float64) {
		for i := range sc.Bodies {
			e += sc.Bodies[i].VX*sc.Bodies[i].VX + sc.Bodies[i].VY*sc.Bodies[i].VY
		}
		return e
	}
	before := energy()
	sc.run(&Solver{Check: true}, 300)
	if after := energy(); after > 1.02*before || after < 0.5*before {
		t.Errorf("energy went from %v to %v", before, after)
	}
}

// A heavy box on light ones, and light ones on a heavy one, stay put.
func TestMassRatios(t *testing.T) {
	for _, masses := range [][]float64{{1, 10}, {10, 1}, {1, 1, 20}, {1, 50}} {
		sc := &scene{rules: rules60}
		floor := sc.def(t, Def{Type: Static, Shape: BoxShape(50, 2), Friction: 0.5})
		sc.put(floor, 0, -1, 0)
		for i, m := range masses {
			d := sc.def(t, Def{Type: Dynamic, Shape: BoxShape(1, 1), Mass: m, Friction: 0.5, GravityScale: 1})
			sc.put(d, 0, 0.5+float64(i), 0)
		}
		sc.run(&Solver{Check: true}, 300)
		for i := range masses {
			if b := &sc.Bodies[i+1]; !near(b.X, 0, 0.02) || !near(b.Y, 0.5+float64(i), 0.05) {
				t.Errorf("masses %v: box %d is at %v, %v after 5 s", masses, i+1, b.X, b.Y)
			}
		}
	}
}
