package physics

import (
	"math"
	"slices"
	"testing"
)

// A ball that rolls loses speed as its resistance says: a torque of
// rolling * radius * N, felt by 1.5 times its mass.
func TestRollingResistance(t *testing.T) {
	for _, rolling := range []float64{0, 0.02, 0.1} {
		sc := &scene{rules: rules60}
		floor := sc.def(t, Def{Type: Static, Shape: BoxShape(400, 2), Friction: 1})
		ball := sc.def(t, Def{Type: Dynamic, Shape: CircleShape(0.5), Friction: 1, GravityScale: 1, Rolling: rolling})
		sc.put(floor, 0, -1, 0)
		sc.put(ball, -50, 0.5, 0)
		sc.Bodies[1].VX, sc.Bodies[1].W = 5, -10
		sc.run(&Solver{Check: true}, 120)
		want := 5 - rolling*10/1.5*2
		if b := &sc.Bodies[1]; !near(b.VX, want, 0.05) || !near(b.W, -b.VX/0.5, 0.05) {
			t.Errorf("rolling %v: %v m/s and %v rad/s after 2 s, want %v and %v", rolling, b.VX, b.W, want, -want/0.5)
		}
	}
}

// A ball stays on a slope that is flatter than its resistance, and rolls down
// a steeper one.
func TestRollingOnSlopes(t *testing.T) {
	for _, c := range []struct {
		slope float64
		rolls bool
	}{{0.08, false}, {0.12, true}} {
		sc := &scene{rules: rules60}
		floor := sc.def(t, Def{Type: Static, Shape: BoxAt(Vec{0, -1}, 400, 2, 0), Friction: 1})
		ball := sc.def(t, Def{Type: Dynamic, Shape: CircleShape(0.5), Friction: 1, GravityScale: 1, Rolling: 0.1})
		sc.put(floor, 0, 0, -math.Atan(c.slope))
		at := sc.Bodies[0].ToWorld(Vec{0, 0.5})
		sc.put(ball, at.X, at.Y, 0)
		sc.run(&Solver{Check: true}, 300)
		if moved := sc.Bodies[1].Position().sub(at).length(); (moved > 0.5) != c.rolls {
			t.Errorf("on a slope of %v the ball moved by %v m in 5 s", c.slope, moved)
		}
	}
}

// A conveyor brings what lies on it to its speed: counter-clockwise round the
// body, so to the left on top. One on a conveyor that runs against it stops.
func TestConveyors(t *testing.T) {
	sc := &scene{rules: rules60}
	belt := sc.def(t, Def{Type: Static, Shape: BoxShape(100, 2), Friction: 0.8, SurfaceSpeed: 3})
	box := sc.def(t, Def{Type: Dynamic, Shape: BoxShape(1, 1), Friction: 0.8, GravityScale: 1})
	track := sc.def(t, Def{Type: Dynamic, Shape: BoxShape(1, 1), Friction: 0.8, GravityScale: 1, SurfaceSpeed: -3})
	sc.putKey(2, belt, 0, -1)
	sc.putKey(1, box, 0, 0.5) // on either side of the belt in the order of keys
	sc.putKey(3, box, 10, 0.5)
	sc.putKey(4, track, 20, 0.5)
	sc.run(&Solver{Check: true}, 120)
	for slot, want := range map[int]float64{1: -3, 2: -3, 3: 0} {
		if got := sc.Bodies[slot].VX; !near(got, want, 0.01) {
			t.Errorf("body %d moves at %v, want %v", slot, got, want)
		}
	}
}

func TestBounceSpeed(t *testing.T) {
	for _, c := range []struct{ threshold, want float64 }{{0, 0}, {0.2, 0.6}, {2, 0}} {
		sc := &scene{rules: Params{DT: 1.0 / 60, Substeps: 4, BounceSpeed: c.threshold}}
		d := sc.def(t, Def{Type: Dynamic, Shape: CircleShape(0.5), Restitution: 1})
		wall := sc.def(t, Def{Type: Static, Shape: BoxShape(1, 10)})
		sc.put(d, 0, 0, 0)
		sc.put(wall, 1.2, 0, 0)
		sc.Bodies[0].VX = 0.6
		sc.run(&Solver{Check: true}, 60)
		if got := -sc.Bodies[0].VX; !near(got, c.want, 0.02) {
			t.Errorf("threshold %v: parts at %v m/s, want %v", c.threshold, got, c.want)
		}
	}
}

// Every bounce is a hit, though a ball that hops low never ceases to touch;
// resting is none.
func TestHits(t *testing.T) {
	sc := &scene{rules: rules60}
	sc.rules.HitSpeed = 0.8
	floor := sc.def(t, Def{Type: Static, Shapes: flatChain(t, 5, 0)})
	ball := sc.def(t, Def{Type: Dynamic, Shape: CircleShape(0.2), Restitution: 0.5, GravityScale: 1, Density: 10})
	sc.put(floor, 0, 0, 0)
	sc.put(ball, 0.2, 1.2, 0)
	sv := Solver{Check: true}
	var speeds []float64
	for range 240 {
		sc.run(&sv, 1)
		hits := sv.Hits()
		for _, e := range hits {
			speeds = append(speeds, e.Speed)
			lost := sc.defs[ball].MassKg() * e.Speed
			if e.Speed > 1 {
				lost *= 1.5 // it bounces
			}
			if !near(e.Impulse, lost, 0.25*lost) {
				t.Errorf("a hit at %v m/s gave %v N s, want about %v", e.Speed, e.Impulse, lost)
			}
		}
	}
	first := math.Sqrt(2 * 10 * 1.0)
	if len(speeds) != 3 || !near(speeds[0], first, 0.2) || !near(speeds[1], first/2, 0.3) || !slices.IsSortedFunc(speeds, func(a, b float64) int { return int(math.Copysign(1, b-a)) }) {
		t.Errorf("hits at %v m/s, want three, each of half the speed, from %v", speeds, first)
	}
}

// Several parts that hit at once are one hit of two bodies.
func TestHitsAreOfBodies(t *testing.T) {
	sc := &scene{rules: rules60}
	sc.rules.HitSpeed = 0.8
	floor := sc.def(t, Def{Type: Static, Shapes: flatChain(t, 5, 0)})
	table := sc.def(t, Def{Type: Dynamic, Shapes: []Shape{CircleAt(Vec{-0.5, 0}, 0.2), CircleAt(Vec{0.5, 0}, 0.2)}, GravityScale: 1})
	sc.put(floor, 0, 0, 0)
	sc.put(table, 0.2, 1.2, 0)
	sv := Solver{Check: true}
	for range 60 {
		if sc.run(&sv, 1); len(sv.Hits()) == 0 {
			continue
		}
		e, want := sv.Hits()[0], sc.defs[table].MassKg()*sv.Hits()[0].Speed
		if len(sv.Hits()) != 1 || len(sc.Contacts) != 2 || !near(e.Impulse, want, 0.1*want) {
			t.Errorf("hits %+v of %d contacts, want one of %v N s and two", sv.Hits(), len(sc.Contacts), want)
		}
		return
	}
	t.Error("no hit")
}
