package physics

import (
	"math"
	"testing"

	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"pgregory.net/rapid"
)

// outlineAt makes an outline by hand.
func outlineAt(t testing.TB, shape Shape, x, y, angle float64) *outline {
	d := &Def{Type: Dynamic, Shape: shape, Density: 1}
	if err := d.Prepare(); err != nil {
		t.Fatal(err)
	}
	b := NewBody(1, 0, Vec{x, y}, angle)
	return &outline{centre: b.CentreOfMass(d), def: d, kind: d.Type, cos: b.Cos, sin: b.Sin}
}

// collideOutlines collides the first parts of two outlines.
func collideOutlines(m *manifold, a, b *outline, dt float64) {
	two := rankedBodies{rows: []outline{*a, *b}, shapes: bodyParts{list: []part{{rank: 0}, {rank: 1}}, corners: make([]corners, 2)}}
	two.collide(m, 0, 1, dt)
}

func TestManifolds(t *testing.T) {
	box, ball := BoxShape(2, 2), CircleShape(1)
	type point struct{ x, y, separation float64 }
	for _, c := range []struct {
		name   string
		a, b   *outline
		normal Vec
		points []point
	}{
		{"circles apart", outlineAt(t, ball, 0, 0, 0), outlineAt(t, ball, 2.01, 0, 0), Vec{1, 0}, []point{{1.005, 0, 0.01}}},
		{"circles too far apart", outlineAt(t, ball, 0, 0, 0), outlineAt(t, ball, 2.03, 0, 0), Vec{}, nil},
		{"circles overlapping", outlineAt(t, ball, 0, 0, 0), outlineAt(t, ball, 0, -1, 0), Vec{0, -1}, []point{{0, -0.5, -1}}},
		{"circles in one place", outlineAt(t, ball, 3, 3, 0), outlineAt(t, ball, 3, 3, 0), Vec{1, 0}, []point{{0, 0, -2}}},
		{"ball on box", outlineAt(t, box, 0, 0, 0), outlineAt(t, ball, 0.5, 1.9, 0), Vec{0, 1}, []point{{0.5, 0.95, -0.1}}},
		{"box under ball", outlineAt(t, ball, 0.5, 1.9, 0), outlineAt(t, box, 0, 0, 0), Vec{0, -1}, []point{{0, -0.95, -0.1}}},
		{"ball at a corner", outlineAt(t, box, 0, 0, 0), outlineAt(t, ball, 1.6, 1.8, 0), Vec{0.6, 0.8}, []point{{1, 1, 0}}},
		{"ball inside a box", outlineAt(t, box, 0, 0, 0), outlineAt(t, ball, 0.5, 0, 0), Vec{1, 0}, []point{{0.25, 0, -1.5}}},
		{"ball on the corner itself", outlineAt(t, box, 0, 0, 0), outlineAt(t, ball, 1, 1, 0), Vec{1, 0}, []point{{0.5, 1, -1}}},
		{"box on box", outlineAt(t, box, 0, 0, 0), outlineAt(t, box, 0.5, 1.9, 0), Vec{0, 1}, []point{{1, 0.95, -0.1}, {-0.5, 0.95, -0.1}}},
		{"box beside box, apart", outlineAt(t, box, 0, 0, 0), outlineAt(t, box, 2.01, 0, 0), Vec{1, 0}, []point{{1.005, -1, 0.01}, {1.005, 1, 0.01}}},
		{"boxes meeting at corners", outlineAt(t, box, 0, 0, 0), outlineAt(t, box, 2.006, 2.008, 0), Vec{0.6, 0.8}, []point{{1.003, 1.004, 0.01}}},
		{"a corner on a side", outlineAt(t, box, 0, 0, 0), outlineAt(t, box, 0, 1+math.Sqrt2-0.01, math.Pi/4), Vec{0, 1}, []point{{0, 0.995, -0.01}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var m manifold
			collideOutlines(&m, c.a, c.b, 0)
			if m.count != len(c.points) {
				t.Fatalf("%d points %+v, want %d", m.count, m.points, len(c.points))
			}
			if m.count > 0 && m.normal.sub(c.normal).length() > 1e-9 {
				t.Errorf("normal %v, want %v", m.normal, c.normal)
			}
			for i, want := range c.points {
				got := m.points[i]
				if !near(got.separation, want.separation, 1e-9) || got.at.sub(Vec{want.x, want.y}).length() > 1e-9 {
					t.Errorf("point %d: %v apart %v, want %+v", i, got.at, got.separation, want)
				}
			}
		})
	}
}

func drawOutline(t testing.TB, rt *rapid.T, name string) *outline {
	r := random(rapid.Uint64().Draw(rt, name))
	shape := CircleShape(r.between(0.1, 1.5))
	switch r.next() % 5 {
	case 3:
		shape = CapsuleShape(Vec{r.between(-2, 0), r.between(-1, 1)}, Vec{r.between(0.1, 2), r.between(-1, 1)}, r.between(0.05, 1))
	case 4:
		shape = BoxAt(Vec{r.between(-1, 1), r.between(-1, 1)}, r.between(0.2, 3), r.between(0.2, 3), 0.3).Rounded(r.between(0, 0.5))
	case 1:
		shape = BoxShape(r.between(0.2, 3), r.between(0.2, 3))
	case 2:
		for {
			points := make([]Vec, 3+r.next()%6)
			for i := range points {
				points[i] = Vec{r.between(-2, 2), r.between(-2, 2)}
			}
			var err error
			if shape, err = PolygonShape(points); err == nil {
				break
			}
		}
	}
	return outlineAt(t, shape, r.between(-2, 2), r.between(-2, 2), r.between(-3, 3))
}

// gap returns how far apart two outlines are, by the simplest method; 0 if they overlap.
func gap(a, b *outline) float64 {
	bodyOf := func(o *outline) (*Body, *Def) {
		p := o.centre.sub(o.def.centre.rotate(o.cos, o.sin))
		return &Body{Pose: Pose{X: p.X, Y: p.Y}, Cos: o.cos, Sin: o.sin}, o.def
	}
	ba, da := bodyOf(a)
	bb, db := bodyOf(b)
	return max(hullGap(hullOf(ba, &da.Shape), hullOf(bb, &db.Shape))-da.Shape.Radius-db.Shape.Radius, 0)
}

// Apart: the least separation is the distance. Overlapping: moving B out by
// the depth along the normal frees it, or nearly. A pair taken the other way round has
// the opposite normal, unless two sides are equally good.
func TestManifoldProperties(t *testing.T) {
	draws.Check(t, func(rt *rapid.T) {
		a, b := drawOutline(t, rt, "a"), drawOutline(t, rt, "b")
		if distance := gap(a, b); distance > 0 {
			move := b.centre.sub(a.centre).scale(-rapid.Float64Range(0, 1).Draw(rt, "nearer"))
			c := *b
			c.centre = b.centre.add(move)
			if gap(a, &c) > 0 {
				*b = c
			}
		}
		distance := gap(a, b)
		var m manifold
		collideOutlines(&m, a, b, 0)
		if distance > speculative+parting {
			if m.count != 0 {
				rt.Fatalf("a manifold over %v m: %+v", distance, m)
			}
			return
		}
		if m.count == 0 {
			if distance < speculative-parting {
				rt.Fatalf("no manifold at %v m", distance)
			}
			return
		}
		deepest := m.points[0].separation
		if m.count == 2 {
			deepest = min(deepest, m.points[1].separation)
		}
		if !near(m.normal.length(), 1, 1e-9) {
			rt.Errorf("normal %v", m.normal)
		}
		if distance > 0 && !near(deepest, distance, parting+1e-9) {
			rt.Errorf("separation %v, distance %v: %+v", deepest, distance, m)
		}
		if distance == 0 && deepest > parting {
			rt.Errorf("they overlap, but the separation is %v", deepest)
		}
		freed := *b
		freed.centre = b.centre.addScaled(m.normal, -deepest+parting+1e-9)
		var left manifold // where a corner lies beyond the end of the side that it is under
		collideOutlines(&left, a, &freed, 0)
		for i := range left.count {
			if rest := left.points[i].separation; deepest < 0 && rest < deepest/2-parting {
				rt.Errorf("moved out by %v along %v, they still overlap by %v", -deepest, m.normal, -rest)
			}
		}
		var back manifold
		collideOutlines(&back, b, a, 0)
		if back.count == 0 || back.normal.dot(m.normal) > 0 && deepest > -0.05 {
			rt.Errorf("the other way round: %+v against %+v", back, m)
		}
	})
}

// A body that approaches fast enough makes a manifold from a distance; a body that passes
// by does not.
func TestSpeculativeManifolds(t *testing.T) {
	for _, c := range []struct {
		name  string
		shape Shape
		y     float64
		v     Vec
		want  bool
	}{
		{"head on", CircleShape(0.5), 0, Vec{20, 0}, true},
		{"too slow", CircleShape(0.5), 0, Vec{10, 0}, false},
		{"away", CircleShape(0.5), 0, Vec{-20, 0}, false},
		{"passing by", CircleShape(0.5), 1.2, Vec{60, 0}, false},
		{"grazing", CircleShape(0.5), 0.95, Vec{60, 0}, true},
		{"box head on", BoxShape(1, 1), 0.3, Vec{20, 0}, true},
		{"box too slow", BoxShape(1, 1), 0.3, Vec{10, 0}, false},
		{"box passing by", BoxShape(1, 1), 1.3, Vec{60, 0}, false},
	} {
		a, b := outlineAt(t, c.shape, 0, 0, 0), outlineAt(t, c.shape, 1.25, c.y, 0)
		a.v = c.v
		var m manifold
		collideOutlines(&m, a, b, 1.0/60)
		if got := m.count > 0; got != c.want {
			t.Errorf("%s: manifold %v, want %v: %+v", c.name, got, c.want, m)
		}
	}
}
