package physics

import (
	"math"
	"testing"
)

// Nothing passes through a wall of 0.1 m, or a line, at any speed, height or
// spin.
func TestFastBodiesDoNotPassWalls(t *testing.T) {
	for name, shape := range map[string]Shape{"ball": CircleShape(0.1), "box": BoxShape(0.3, 0.2), "capsule": CapsuleShape(Vec{-0.3, 0}, Vec{0.3, 0}, 0.05), "stick": BoxShape(2, 0.05)} {
		for wallName, wall := range map[string][]Shape{"wall": {BoxShape(0.1, 20)}, "segment": {SegmentShape(Vec{0, -10}, Vec{0, 10})}, "chain": upright(t)} {
			for _, speed := range []float64{20, 50, 200, 900} {
				for _, spin := range []float64{0, 40, 300} {
					for _, restitution := range []float64{0, 1} {
						sc := &scene{rules: Params{DT: 1.0 / 60, Substeps: 4}}
						d := sc.def(t, Def{Type: Dynamic, Shape: shape, Restitution: restitution})
						w := sc.def(t, Def{Type: Static, Shapes: wall})
						sc.put(d, -4.3, 0.123, 0.1)
						sc.put(w, 0, 0, 0)
						sc.Bodies[0].VX, sc.Bodies[0].VY, sc.Bodies[0].W = speed, speed/50, spin
						sv := Solver{Check: true}
						for range 30 {
							sc.run(&sv, 1)
							if b := &sc.Bodies[0]; math.Abs(b.Y) > 9 {
								break // past the end
							} else if b.X > 0 {
								t.Errorf("a %s at %v m/s, %v rad/s, restitution %v, passed a %s", name, speed, spin, restitution, wallName)
								break
							}
						}
					}
				}
			}
		}
	}
}

func upright(t *testing.T) []Shape {
	var points []Vec // from top to bottom: hit from the left
	for y := 10; y >= -10; y-- {
		points = append(points, Vec{0, float64(y)})
	}
	shapes, err := ChainShapes(points, false)
	if err != nil {
		t.Fatal(err)
	}
	return shapes
}

// A body at rest that is struck does not pass through the wall behind it in the same
// step. Neither does the body that struck it.
func TestStruckBodiesDoNotPassWalls(t *testing.T) {
	for _, shape := range []Shape{CircleShape(0.2), BoxShape(0.4, 0.4)} {
		for _, gap := range []float64{0.1, 0.5, 1} {
			sc := &scene{rules: Params{DT: 1.0 / 60, Substeps: 4}}
			d := sc.def(t, Def{Type: Dynamic, Shape: shape, Restitution: 1})
			heavy := sc.def(t, Def{Type: Dynamic, Shape: shape, Density: 50})
			w := sc.def(t, Def{Type: Static, Shape: BoxShape(0.1, 20)})
			sc.put(d, -0.05-0.2-gap, 0, 0)
			sc.put(heavy, -5, 0.05, 0)
			sc.put(w, 0, 0, 0)
			sc.Bodies[1].VX = 200
			sv := Solver{Check: true}
			for range 60 {
				sc.run(&sv, 1)
				if math.Abs(sc.Bodies[0].Y) > 8 {
					break // past the end
				}
			}
			if sc.Bodies[0].X > 0 || sc.Bodies[1].X > 0 {
				t.Errorf("struck %v m before the wall: the bodies ended at %v and %v", gap, sc.Bodies[0].X, sc.Bodies[1].X)
			}
		}
	}
}

// A thin box that spins does not pass a post that stands within its length.
func TestSpinningSticksDoNotPassPosts(t *testing.T) {
	for _, spin := range []float64{10, 40, 100, 250} {
		for i := range 12 {
			sc := &scene{rules: Params{DT: 1.0 / 60, Substeps: 4}}
			stick := sc.def(t, Def{Type: Dynamic, Shape: BoxShape(4, 0.05)})
			post := sc.def(t, Def{Type: Static, Shape: BoxShape(0.1, 0.1)})
			sc.put(stick, 0, 0, 0.2+0.23*float64(i))
			sc.put(post, 1.2, 0, 0.3)
			sc.Bodies[0].W = spin
			sv := Solver{Check: true}
			before := sc.Bodies[0].ToBody(Vec{1.2, 0})
			for tick := range 60 {
				sc.run(&sv, 1)
				now := sc.Bodies[0].ToBody(Vec{1.2, 0})
				// In the stick's frame the post goes round the middle: to the other
				// side only through the stick, while it is within its length.
				if within := math.Hypot(now.X, now.Y) < 1.7 && math.Hypot(before.X, before.Y) < 1.7; within && before.Y*now.Y < 0 {
					t.Errorf("%v rad/s, start %d, tick %d: the post went from %v to %v in the stick's frame", spin, i, tick, before, now)
					break
				}
				before = now
			}
		}
	}
}

// A bullet that is struck stops at a moving body; another passes through.
func TestBulletsMeetMovingBodies(t *testing.T) {
	for _, bullet := range []bool{true, false} {
		sc := &scene{rules: Params{DT: 1.0 / 60, Substeps: 4}}
		d := sc.def(t, Def{Type: Dynamic, Shape: BoxShape(1, 0.04), Bullet: bullet})
		plate := sc.def(t, Def{Type: Dynamic, Shape: BoxShape(0.04, 0.04), Density: 1e5})
		sc.put(d, 0, 0, 0.8)
		sc.put(plate, 0.4, 0, 0)
		sc.Bodies[0].W = -95 // 1.58 rad a step: over the plate
		before := sc.Bodies[0].ToBody(Vec{0.4, 0})
		sc.run(&Solver{Check: true}, 1)
		after := sc.Bodies[0].ToBody(Vec{0.4, 0})
		if passed := before.Y*after.Y < 0; passed == bullet {
			t.Errorf("bullet %v: the plate went from %v to %v in its frame", bullet, before, after)
		}
	}
}

// A body that moves fast along a wall, or bounces off it, is not slowed down.
func TestContinuousCollisionKeepsTangentialSpeed(t *testing.T) {
	for name, shape := range map[string]Shape{"ball": CircleShape(0.1), "box": BoxShape(0.2, 0.2)} {
		for _, lift := range []float64{0, 0.003, 0.05} {
			sc := &scene{rules: Params{DT: 1.0 / 60, Substeps: 4}}
			floor := sc.def(t, Def{Type: Static, Shapes: flatChain(t, 100, 0)})
			d := sc.def(t, Def{Type: Dynamic, Shape: shape})
			sc.put(floor, 0, 0, 0)
			sc.put(d, -80, 0.1+lift, 0)
			sc.Bodies[1].VX = 80
			sc.run(&Solver{Check: true}, 60)
			if b := &sc.Bodies[1]; !near(b.X, 0, 0.01) || !near(b.Y, 0.1+lift, 0.01) {
				t.Errorf("a %s %v m over the floor came to %v in 1 s, want (0, %v)", name, lift, b.Position(), 0.1+lift)
			}
		}
	}
}

// storm returns an arena of fast balls and sticks that spin, every third a bullet.
func storm(t testing.TB) *scene {
	sc := &scene{rules: Params{DT: 1.0 / 60, Substeps: 4, HitSpeed: 1}}
	sc.walls(t, 30, 30)
	post := sc.def(t, Def{Type: Static, Shape: BoxShape(0.1, 3), Restitution: 1})
	line := sc.def(t, Def{Type: Static, Shapes: []Shape{SegmentShape(Vec{-2, 0}, Vec{2, 1})}, Restitution: 1})
	var kinds []uint32
	for i, shape := range []Shape{CircleShape(0.1), BoxShape(2, 0.06), CapsuleShape(Vec{-0.4, 0}, Vec{0.4, 0}, 0.05)} {
		kinds = append(kinds, sc.def(t, Def{Type: Dynamic, Shape: shape, Restitution: 0.9, Bullet: i == 1}))
	}
	r := random(8)
	for i := range 12 {
		sc.put([2]uint32{post, line}[i%2], r.between(-12, 12), r.between(-12, 12), r.between(-3, 3))
	}
	for i := range 60 {
		slot := sc.put(kinds[i%3], r.between(-13, 13), r.between(-13, 13), r.between(-3, 3))
		b := &sc.Bodies[slot]
		b.VX, b.VY, b.W = r.between(-150, 150), r.between(-150, 150), r.between(-60, 60)
	}
	return sc
}

func TestGoldenStorm(t *testing.T) {
	sc := storm(t)
	sc.run(&Solver{Check: true}, 300)
	for i := range sc.Bodies[16:] {
		if b := &sc.Bodies[16+i]; !(math.Abs(b.X) < 15.2 && math.Abs(b.Y) < 15.2) {
			t.Errorf("body %d left the arena: %v", 16+i, b.Position())
		}
	}
	sc.golden(t, "storm-alone", 300)
}

// A body, with all bodies that it can meet on its path, steps to the same bits alone as
// among others.
func TestFastBodiesAreIndependent(t *testing.T) {
	sc := storm(t)
	sv := Solver{Check: true}
	for range 20 {
		next := sc.copy()
		next.run(&sv, 1)
		for slot := 16; slot < len(sc.Bodies); slot += 5 {
			alone := sc.copy()
			near := alone.nearby(slot, next)
			for other := 16; other < len(sc.Bodies); other++ {
				if !near[other] {
					alone.Remove(other)
				}
			}
			alone.run(&sv, 1)
			DiffBody(&alone.Bodies[slot], &next.Bodies[slot], func(name, va, vb string) {
				t.Errorf("body %d: %s is %s alone and %s among all", slot, name, va, vb)
			})
		}
		sc.run(&sv, 1)
	}
}

// nearby returns the bodies whose ways come near each other's, from one to the
// next, starting with slot.
func (sc *scene) nearby(slot int, next *scene) map[int]bool {
	in := map[int]bool{slot: true}
	for grown := true; grown; {
		grown = false
		for a := range in {
			for b := 16; b < len(sc.Bodies); b++ {
				if !in[b] && sc.waysMeet(a, b, next) {
					in[b], grown = true, true
				}
			}
		}
	}
	return in
}

func (sc *scene) waysMeet(a, b int, next *scene) bool {
	box := func(slot int) (lo, hi Vec) {
		p, reach := sc.Bodies[slot].Position(), sc.defs[sc.Bodies[slot].Def].reach+0.1
		v := Vec{sc.Bodies[slot].VX, sc.Bodies[slot].VY}.scale(1.0 / 60)
		q := next.Bodies[slot].Position()
		lo = Vec{min(p.X, p.X+v.X, q.X) - reach, min(p.Y, p.Y+v.Y, q.Y) - reach}
		return lo, Vec{max(p.X, p.X+v.X, q.X) + reach, max(p.Y, p.Y+v.Y, q.Y) + reach}
	}
	alo, ahi := box(a)
	blo, bhi := box(b)
	return alo.X <= bhi.X && blo.X <= ahi.X && alo.Y <= bhi.Y && blo.Y <= ahi.Y
}
