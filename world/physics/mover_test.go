package physics

import (
	"math"
	"testing"

	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"pgregory.net/rapid"
)

// A cast stops where the shape first comes near a body, and not before. The test compares
// it with small steps and a simple distance function.
func TestShapeCastAgainstMarching(t *testing.T) {
	shapes := []Shape{CircleShape(0.4), BoxShape(1, 0.5), CapsuleShape(Vec{-0.5, 0}, Vec{0.5, 0.2}, 0.2), BoxAt(Vec{0.3, 0}, 0.6, 0.6, 0.4).Rounded(0.1)}
	draws.Check(t, func(rt *rapid.T) {
		sc := queryScene(t, rapid.Uint64().Draw(rt, "seed"))
		shape := rapid.SampledFrom(shapes).Draw(rt, "shape")
		from, to, mask := drawPoint(rt, "from"), drawPoint(rt, "to"), drawMask(rt)
		angle := rapid.Float64Range(-3, 3).Draw(rt, "angle")
		move := to.sub(from)
		hit, ok := NewFinder(&sc.State, sc.defs).ShapeCast(&shape, from, angle, move, mask, 0)
		gap := func(u float64) float64 {
			at := NewBody(1, 0, from.addScaled(move, u), angle)
			least := math.Inf(1)
			for _, slot := range sc.visible(mask, 0) {
				b, d := &sc.Bodies[slot], &sc.defs[sc.Bodies[slot].Def]
				for i := range d.parts {
					least = min(least, hullGap(hullOf(&at, &shape), hullOf(b, &d.parts[i]))-shape.Radius-d.parts[i].Radius)
				}
			}
			return least
		}
		const paces = 100
		for i := range paces + 1 {
			u := float64(i) / paces
			if ok && u > hit.Fraction {
				break
			}
			if g := gap(u); g < 0 && (!ok || hit.Fraction > 0) {
				rt.Fatalf("cast by %v: %+v %v, but at %v it overlaps by %v", move, hit, ok, u, -g)
			}
		}
		if ok && hit.Fraction > 0 {
			if g := gap(hit.Fraction); g > castGap+1e-9 {
				rt.Errorf("stopped %v m off", g)
			}
			if !near(hit.Normal.length(), 1, 1e-9) || hit.Normal.dot(move) > 1e-9 {
				rt.Errorf("normal %v of a cast by %v", hit.Normal, move)
			}
			if off := distanceTo(&sc.Bodies[hit.Slot], &sc.defs[sc.Bodies[hit.Slot].Def], hit.Point); off > castGap+1e-9 {
				rt.Errorf("the point %v is %v m off the body", hit.Point, off)
			}
		}
	})
}

// course returns a floor, a step, a slope of 30 degrees, a wall and a ceiling.
func course(t testing.TB) *scene {
	sc := &scene{rules: rules60}
	for _, shape := range []Shape{BoxAt(Vec{0, -1}, 400, 2, 0), BoxAt(Vec{5, 0.1}, 2, 0.2, 0), BoxAt(Vec{-10, 0}, 6, 3, math.Pi/6), BoxAt(Vec{12, 0}, 1, 400, 0), BoxAt(Vec{9, 3}, 6, 1, 0)} {
		sc.put(sc.def(t, Def{Type: Static, Shape: shape}), 0, 0, 0)
	}
	return sc
}

func TestMover(t *testing.T) {
	sc := course(t)
	capsule := CapsuleShape(Vec{0, 0.3}, Vec{0, 0.9}, 0.3) // its feet are the origin
	for name, c := range map[string]struct {
		byAxis     bool
		from, move Vec
		to         Vec
		bumps      []Vec // normals
	}{
		"free":              {false, Vec{0, 1}, Vec{1, 1}, Vec{1, 2}, nil},
		"lands":             {false, Vec{0, 1}, Vec{0, -3}, Vec{0, 0}, []Vec{{0, 1}}},
		"slides on floor":   {false, Vec{-2, 0.5}, Vec{3, -1}, Vec{1, 0}, []Vec{{0, 1}}},
		"along a wall":      {false, Vec{10, 6}, Vec{5, 2}, Vec{11.2, 8}, []Vec{{-1, 0}}},
		"into a corner":     {false, Vec{10, 1}, Vec{4, -3}, Vec{11.2, 0}, []Vec{{-1, 0}, {0, 1}}},
		"under a ceiling":   {false, Vec{7, 0.5}, Vec{1, 2}, Vec{8, 1.3}, []Vec{{0, -1}}},
		"by axis":           {true, Vec{10, 1}, Vec{4, -3}, Vec{11.2, 0}, []Vec{{-1, 0}, {0, 1}}},
		"out of the floor":  {false, Vec{0, -0.3}, Vec{1, 0}, Vec{1, 0}, nil},
		"nowhere":           {false, Vec{0, 1}, Vec{}, Vec{0, 1}, nil},
		"not a number":      {false, Vec{0, 1}, Vec{math.NaN(), 0}, Vec{0, 1}, nil},
		"back off the wall": {false, Vec{11.19, 5}, Vec{-2, 0}, Vec{9.19, 5}, nil},
	} {
		mv := Mover{Shape: capsule, Mask: 1, ByAxis: c.byAxis}
		to, bumps := mv.Move(NewFinder(&sc.State, sc.defs), c.from, c.move, nil)
		if to.sub(c.to).length() > 0.003 || len(bumps) != len(c.bumps) {
			t.Errorf("%s: came to %v with %+v, want %v and %d bumps", name, to, bumps, c.to, len(c.bumps))
			continue
		}
		for i, n := range c.bumps {
			if bumps[i].Normal.sub(n).length() > 1e-6 || !(bumps[i].Taken > 0.1) {
				t.Errorf("%s: bump %d is %+v, want normal %v", name, i, bumps[i], n)
			}
		}
	}
}

// A mover never ends inside an obstacle, whatever its moves.
func TestMoverStaysOut(t *testing.T) {
	sc := course(t)
	shapes := []Shape{CapsuleShape(Vec{0, 0.3}, Vec{0, 0.9}, 0.3), BoxAt(Vec{0, 0.6}, 0.6, 1.2, 0), CircleShape(0.4)}
	draws.Check(t, func(rt *rapid.T) {
		mv := Mover{Shape: rapid.SampledFrom(shapes).Draw(rt, "shape"), Mask: 1, ByAxis: rapid.Bool().Draw(rt, "by axis")}
		r := random(rapid.Uint64().Draw(rt, "seed"))
		at := Vec{0, 1}
		for range 60 {
			before := at
			at, _ = mv.Move(NewFinder(&sc.State, sc.defs), at, Vec{r.between(-2, 2), r.between(-2, 1.5)}, nil)
			body := NewBody(1, 0, at, 0)
			for slot := range sc.Bodies {
				d := &sc.defs[sc.Bodies[slot].Def]
				if g := hullGap(hullOf(&body, &mv.Shape), hullOf(&sc.Bodies[slot], &d.Shape)) - mv.Shape.Radius; g < -castGap {
					rt.Fatalf("from %v to %v: %v m inside body %d", before, at, -g, slot)
				}
			}
			if at.sub(before).length() > 3 {
				rt.Fatalf("a move of at most 2.9 m led from %v to %v", before, at)
			}
		}
		if !(at.Y > -0.01 && at.X < 11.6) {
			rt.Errorf("it left the course: %v", at)
		}
	})
}

func TestMovesAllocateNothing(t *testing.T) {
	sc := course(t)
	mv := Mover{Shape: CapsuleShape(Vec{0, 0.3}, Vec{0, 0.9}, 0.3), Mask: 1}
	out := make([]Bump, 0, 16)
	f := NewFinder(&sc.State, sc.defs)
	if n := testing.AllocsPerRun(20, func() { mv.Move(f, Vec{10, 1}, Vec{4, -3}, out) }); n != 0 {
		t.Errorf("a move allocates %v times", n)
	}
}

// Freed is how far a mover was pushed out of obstacles before it moved. It ends no
// further from its start than that distance plus its move.
func TestMoverEndsWithinItsWay(t *testing.T) {
	freed := 0
	missing := func() string {
		if freed > 0 {
			return ""
		}
		return "a mover in others"
	}
	draws.Until(t, 0, missing, func(rt *rapid.T) {
		sc := queryScene(t, rapid.Uint64().Draw(rt, "seed"))
		mv := Mover{Shape: BoxShape(1, 0.5), Mask: drawMask(rt)}
		from, to := drawPoint(rt, "from"), drawPoint(rt, "to")
		at, _ := mv.Move(NewFinder(&sc.State, sc.defs), from, to.sub(from), nil)
		if mv.Freed > 0 {
			freed++
		}
		if d, most := at.sub(from).length(), mv.Freed+to.sub(from).length(); d > most+1e-9 {
			rt.Fatalf("came %v m far, of a way of %v m and %v m out of others", d, most-mv.Freed, mv.Freed)
		}
	})
}
