package physics

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/hindcast/hindcast/runtime/simtest/figures"
)

// figure logs a measured figure, and fails if it is beyond its goal or if
// docs/physics.md has a row for it with another value.
func figure(t *testing.T, what string, got, most float64, unit string) {
	t.Helper()
	t.Logf("figure: %s: %.3g %s, goal %.3g", what, got, unit, most)
	if !(got <= most) {
		t.Errorf("%s: %v %s, at most %v wanted", what, got, unit, most)
	}
	figures.Row(t, "physics.md", what, quantity(most, unit), quantity(got, unit))
}

func quantity(v float64, unit string) string {
	return strings.TrimSpace(fmt.Sprintf("%.3g %s", v, unit))
}

// seconds returns how many steps a test of so many seconds makes: under -short a
// tenth.
func seconds(n int) int {
	if testing.Short() {
		return 6 * n
	}
	return 60 * n
}

// Scenes that must stand do so for a minute: each body stays where it was put.
func TestQualityStanding(t *testing.T) {
	for _, c := range []struct {
		name string
		slop float64 // metres that a body may sink or slide
	}{
		{"pyramid-20", 0.05}, {"card-house", 0.05}, {"heavy-stack", 0.05},
	} {
		sc := standardScene(t, c.name)
		start := sc.copy()
		sc.run(&Solver{Check: true}, seconds(60))
		moved, turned := 0.0, 0.0
		for i := range sc.Bodies {
			b, was := &sc.Bodies[i], &start.Bodies[i]
			moved = max(moved, b.Position().sub(was.Position()).length())
			turned = max(turned, math.Abs(b.Angle-was.Angle))
		}
		figure(t, c.name+": farthest from its place after 60 s", moved, c.slop, "m")
		figure(t, c.name+": most turned", turned*180/math.Pi, 2, "degrees")
		figure(t, c.name+": deepest overlap", deepestOverlap(sc), 0.01, "m")
		if !testing.Short() {
			figure(t, c.name+": fastest", fastest(sc), 0.001, "m/s")
		}
	}
}

// Towers of boxes of 1 kg with a load on top stand, in whatever order their
// keys are.
func TestQualityTowers(t *testing.T) {
	for _, c := range []struct {
		boxes int
		load  float64 // kg
	}{{15, 0}, {10, 7}, {10, 20}, {10, 50}, {10, 100}, {10, 200}, {5, 300}} {
		moved := 0.0
		for seed := range 2 {
			sc := heavyStack(t, c.boxes, max(c.load, 1))
			if c.load == 0 {
				sc.Bodies = sc.Bodies[:len(sc.Bodies)-1]
			}
			for i := range sc.Bodies {
				sc.Bodies[i].Key = mix(uint64(100*seed + i + 1))
			}
			start := sc.copy()
			sc.run(&Solver{Check: true}, seconds(20))
			for i := range sc.Bodies {
				moved = max(moved, sc.Bodies[i].Position().sub(start.Bodies[i].Position()).length())
			}
		}
		figure(t, fmt.Sprintf("%d boxes of 1 kg under %v kg: farthest from its place after 20 s", c.boxes, c.load), moved, 0.08, "m")
	}
}

// A ball at 200 m/s does not cross a wall of 0.1 m, wherever between two steps
// it meets it, and whatever its size and way.
func TestQualityFastBall(t *testing.T) {
	crossed, shots := 0, 0
	for _, radius := range []float64{0.02, 0.05, 0.1, 0.25, 0.5} {
		for _, slant := range []float64{0, 0.3, 0.8, 1.2} {
			for start := range 12 {
				sc := &scene{rules: rules60}
				wall := sc.def(t, Def{Type: Static, Shape: BoxShape(0.1, 400)})
				ball := sc.def(t, Def{Type: Dynamic, Shape: CircleShape(radius), GravityScale: 1, Restitution: 0.5})
				sc.put(wall, 0, 0, 0)
				b := sc.put(ball, -4-0.3*float64(start), 0, 0)
				sc.Bodies[b].VX, sc.Bodies[b].VY = 200*math.Cos(slant), 200*math.Sin(slant)
				sv := Solver{Check: true}
				begun := 0
				for range 20 {
					sc.run(&sv, 1)
					begins, _ := sv.Events()
					begun += len(begins)
					if sc.Bodies[b].X > 0 {
						crossed++
						break
					}
				}
				if begun == 0 {
					t.Fatalf("radius %v, slant %v, start %d: the ball met no wall", radius, slant, start)
				}
				shots++
			}
		}
	}
	figure(t, fmt.Sprintf("balls of %d shot at 200 m/s that crossed a wall of 0.1 m", shots), float64(crossed), 0, "")
}

// Bodies that collide part at restitution times the speed at which they met: two balls, a
// ball and a wall, a box that lands flat, a ball that falls.
func TestQualityRestitution(t *testing.T) {
	off := map[string]float64{}
	for tenths := range 11 {
		e := float64(tenths) / 10
		for name, bounce := range map[string]func(testing.TB, float64) float64{
			"two balls": twoBalls, "ball and wall": ballAndWall, "box on a floor": boxOnFloor, "ball that falls": fallingBall,
		} {
			d := math.Abs(bounce(t, e) - e)
			off[name] = max(off[name], d)
			if d > 0.02 {
				t.Errorf("%s: restitution %v is off by %v", name, e, d)
			}
		}
	}
	for _, name := range []string{"two balls", "ball and wall", "box on a floor", "ball that falls"} {
		figure(t, "restitution 0 to 1, "+name+": farthest off", 100*off[name], 2, "%")
	}
}

func twoBalls(t testing.TB, e float64) float64 {
	sc := &scene{rules: Params{DT: 1.0 / 60, Substeps: 4}}
	d := sc.def(t, Def{Type: Dynamic, Shape: CircleShape(0.5), Restitution: e})
	a, b := sc.put(d, 0, 0, 0), sc.put(d, 3.21, 0, 0)
	sc.Bodies[a].VX, sc.Bodies[b].VX = 6, -4
	sc.run(&Solver{Check: true}, 60)
	return (sc.Bodies[b].VX - sc.Bodies[a].VX) / 10
}

func ballAndWall(t testing.TB, e float64) float64 {
	sc := &scene{rules: Params{DT: 1.0 / 60, Substeps: 4}}
	ball := sc.def(t, Def{Type: Dynamic, Shape: CircleShape(0.5), Restitution: e})
	wall := sc.def(t, Def{Type: Static, Shape: BoxShape(1, 10)})
	a := sc.put(ball, 0, 0, 0)
	sc.put(wall, 5, 0, 0)
	sc.Bodies[a].VX = 8
	sc.run(&Solver{Check: true}, 60)
	return -sc.Bodies[a].VX / 8
}

func boxOnFloor(t testing.TB, e float64) float64 {
	sc := &scene{rules: Params{DT: 1.0 / 60, Substeps: 4}}
	box := sc.def(t, Def{Type: Dynamic, Shape: BoxShape(1, 0.6), Restitution: e, Friction: 0.5})
	floor := sc.def(t, Def{Type: Static, Shape: BoxShape(20, 1), Friction: 0.5})
	a := sc.put(box, 0, 3.03, 0)
	sc.put(floor, 0, -0.5, 0)
	sc.Bodies[a].VY = -7
	sc.run(&Solver{Check: true}, 60)
	return sc.Bodies[a].VY / 7
}

// fallingBall returns the root of the height that a ball comes back to by the
// height that it fell from.
func fallingBall(t testing.TB, e float64) float64 {
	const height = 5.0
	sc := &scene{rules: rules60}
	ball := sc.def(t, Def{Type: Dynamic, Shape: CircleShape(0.5), Restitution: e, GravityScale: 1})
	floor := sc.def(t, Def{Type: Static, Shape: BoxShape(20, 1)})
	b := sc.put(ball, 0, 0.5+height, 0)
	sc.put(floor, 0, -0.5, 0)
	sv := Solver{Check: true}
	for down := false; ; {
		before := sc.Bodies[b].VY
		sc.run(&sv, 1)
		switch vy := sc.Bodies[b].VY; {
		case vy < -5:
			down = true
		case down && (vy <= 0 || vy > before && vy < 0.5): // at the top, or it stayed below
			return math.Sqrt(max(sc.Bodies[b].Y-0.5, 0) / height)
		}
	}
}

// A box on a slope begins to slide where the tangent of the slope is the
// friction.
func TestQualityFrictionCone(t *testing.T) {
	worst := 0.0
	for _, mu := range []float64{0.1, 0.2, 0.4, 0.6, 0.8, 1} {
		lo, hi := 0.0, math.Pi/3
		for hi-lo > 0.0005 {
			if mid := (lo + hi) / 2; slides(t, mu, mid) {
				hi = mid
			} else {
				lo = mid
			}
		}
		worst = max(worst, math.Abs(lo-math.Atan(mu)))
	}
	figure(t, "friction 0.1 to 1: farthest from the right angle", worst*180/math.Pi, 1, "degrees")
}

// slides reports whether a box slides down a slope faster at the end of two
// seconds than it did in their middle.
func slides(t testing.TB, mu, slope float64) bool {
	sc := &scene{rules: rules60}
	ramp := sc.def(t, Def{Type: Static, Shape: BoxShape(100, 1), Friction: mu})
	box := sc.def(t, Def{Type: Dynamic, Shape: BoxShape(1, 0.5), Friction: mu, GravityScale: 1})
	sc.put(ramp, 0, 0, slope)
	up := sc.Bodies[0].ToWorld(Vec{0, 0.75})
	b := sc.put(box, up.X, up.Y, slope)
	sv := Solver{Check: true}
	sc.run(&sv, 60)
	before := math.Hypot(sc.Bodies[b].VX, sc.Bodies[b].VY)
	sc.run(&sv, 60)
	return math.Hypot(sc.Bodies[b].VX, sc.Bodies[b].VY) > before+1e-6
}
