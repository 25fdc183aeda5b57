package physics

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"pgregory.net/rapid"
)

func TestPolygonRefusals(t *testing.T) {
	nine := make([]Vec, 9)
	for i := range nine {
		nine[i] = Vec{math.Cos(float64(i)), math.Sin(float64(i))}
	}
	for _, c := range []struct {
		name   string
		points []Vec
		reason string
	}{
		{"none", nil, "0 points, a polygon has 3 to 8"},
		{"two", []Vec{{0, 0}, {1, 0}}, "2 points"},
		{"nine", nine, "9 points"},
		{"collinear", []Vec{{0, 0}, {1, 1}, {2, 2}, {5, 5}}, "collinear"},
		{"nearly collinear", []Vec{{0, 0}, {1, 0}, {2, 0.004}}, "collinear"},
		{"the same point", []Vec{{1, 1}, {1, 1}, {1, 1}}, "collinear"},
		{"tiny", []Vec{{0, 0}, {0.004, 0}, {0, 0.004}}, "nearer than"},
		{"thin", []Vec{{0, 0}, {1, 0}, {1, 0.008}, {0, 0.008}}, "thick"},
		{"not finite", []Vec{{0, 0}, {math.NaN(), 0}, {0, 1}}, "point 2 is (NaN, 0)"},
		{"infinite", []Vec{{0, 0}, {1, 0}, {0, math.Inf(1)}}, "point 3"},
		{"huge", []Vec{{0, 0}, {1e6, 0}, {0, 1}}, "point 2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := PolygonShape(c.points)
			if !errors.Is(err, ErrShape) || !strings.Contains(err.Error(), c.reason) {
				t.Errorf("error %v, want ErrShape with %q", err, c.reason)
			}
		})
	}
}

func TestPolygonHull(t *testing.T) {
	s, err := PolygonShape([]Vec{{1, 1}, {0, 0}, {0.5, 0.5}, {1, 0}, {0, 1}, {0.5, 0}})
	if err != nil {
		t.Fatal(err)
	}
	want := Shape{Kind: Polygon, Count: 4, Points: [8]Vec{{0, 0}, {1, 0}, {1, 1}, {0, 1}}, Normals: [8]Vec{{0, -1}, {1, 0}, {0, 1}, {-1, 0}}}
	if s != want {
		t.Errorf("hull %+v, want %+v", s, want)
	}
}

// Whatever the points and their order, the shape is refused, or it is convex,
// counter-clockwise, around all points, and the same for another order.
func TestPolygonProperties(t *testing.T) {
	draws.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(3, 8).Draw(rt, "n")
		points := make([]Vec, n)
		for i := range points {
			points[i] = Vec{rapid.Float64Range(-3, 3).Draw(rt, "x"), rapid.Float64Range(-3, 3).Draw(rt, "y")}
		}
		s, err := PolygonShape(points)
		other, otherErr := PolygonShape(rapid.Permutation(points).Draw(rt, "order"))
		if (err == nil) != (otherErr == nil) || s != other {
			rt.Fatalf("the order of points matters: %+v %v against %+v %v", s, err, other, otherErr)
		}
		if err != nil {
			return
		}
		for i := range s.Count {
			a, b, c := s.Points[i], s.Points[(i+1)%s.Count], s.Points[(i+2)%s.Count]
			if b.sub(a).cross(c.sub(b)) <= 0 {
				rt.Errorf("corner %d of %+v is not convex", i, s)
			}
			for _, p := range points {
				if out := s.Normals[i].dot(p.sub(a)); out > 2*slop {
					rt.Errorf("point %v lies %v m outside", p, out)
				}
			}
		}
		if again, err := PolygonShape(s.Points[:s.Count]); err != nil || again != s {
			rt.Errorf("the hull of the hull is %+v %v", again, err)
		}
	})
}

func TestMass(t *testing.T) {
	long, err := PolygonShape([]Vec{{2, 3}, {6, 3}, {6, 5}, {2, 5}})
	if err != nil {
		t.Fatal(err)
	}
	triangle, err := PolygonShape([]Vec{{0, 0}, {3, 0}, {0, 3}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name          string
		def           Def
		mass, inertia float64
		centre        Vec
	}{
		{"circle", Def{Shape: CircleShape(2), Density: 3}, 12 * math.Pi, 24 * math.Pi, Vec{}},
		{"box", Def{Shape: BoxShape(4, 2), Density: 0.5}, 4, 4 * (16 + 4) / 12.0, Vec{}},
		{"moved box", Def{Shape: long, Density: 0.5}, 4, 4 * (16 + 4) / 12.0, Vec{4, 4}},
		{"triangle", Def{Shape: triangle, Density: 2}, 9, 9.0, Vec{1, 1}},
		{"given mass", Def{Shape: BoxShape(4, 2), Density: 0.5, Mass: 8}, 8, 8 * (16 + 4) / 12.0, Vec{}},
		{"given both", Def{Shape: BoxShape(4, 2), Mass: 8, Inertia: 5}, 8, 5, Vec{}},
	} {
		c.def.Type = Dynamic
		if err := c.def.Prepare(); err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		d := &c.def
		if !near(d.MassKg(), c.mass, 1e-9) || !near(d.InertiaKgM2(), c.inertia, 1e-9) || d.Centre().sub(c.centre).length() > 1e-12 {
			t.Errorf("%s: mass %v inertia %v centre %v, want %v %v %v", c.name, d.MassKg(), d.InertiaKgM2(), d.Centre(), c.mass, c.inertia, c.centre)
		}
	}
}

func TestDefRefusals(t *testing.T) {
	good := Def{Type: Dynamic, Shape: CircleShape(1), Density: 1}
	for _, c := range []struct {
		name   string
		change func(*Def)
		reason string
	}{
		{"no type", func(d *Def) { d.Type = None }, "type = 0: must be Static, Kinematic or Dynamic"},
		{"other type", func(d *Def) { d.Type = 9 }, "type = 9"},
		{"radius", func(d *Def) { d.Shape.Radius = 0 }, "radius = 0: must be 0.01 to 200000 m"},
		{"radius nan", func(d *Def) { d.Shape.Radius = math.NaN() }, "radius = NaN"},
		{"box", func(d *Def) { d.Shape = BoxShape(1, -1) }, "shape"},
		{"flat box", func(d *Def) { d.Shape = BoxShape(1, 0.001) }, "0.001 m thick"},
		{"count", func(d *Def) { d.Shape = Shape{Kind: Polygon, Count: 9} }, "9 points"},
		{"kind", func(d *Def) { d.Shape.Kind = 7 }, "kind 7"},
		{"clockwise", func(d *Def) { s := BoxShape(1, 1); slices.Reverse(s.Points[:4]); d.Shape = s }, "not convex"},
		{"density", func(d *Def) { d.Density = -1 }, "density = -1: must be 0 to 1e+06"},
		{"no mass", func(d *Def) { d.Density = 0 }, "mass = 0"},
		{"mass", func(d *Def) { d.Mass = math.Inf(1) }, "mass = +Inf"},
		{"inertia", func(d *Def) { d.Inertia = -2 }, "inertia = -2"},
		{"friction", func(d *Def) { d.Friction = 11 }, "friction = 11: must be 0 to 10"},
		{"restitution", func(d *Def) { d.Restitution = 1.1 }, "restitution = 1.1: must be 0 to 1"},
		{"linear damping", func(d *Def) { d.LinearDamping = -0.1 }, "linear damping = -0.1"},
		{"angular damping", func(d *Def) { d.AngularDamping = math.NaN() }, "angular damping = NaN"},
		{"gravity", func(d *Def) { d.GravityScale = 1e9 }, "gravity scale = 1e+09"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := good
			c.change(&d)
			err := d.Prepare()
			if !errors.Is(err, ErrDef) || !strings.Contains(err.Error(), c.reason) {
				t.Errorf("error %v, want ErrDef with %q", err, c.reason)
			}
			if d.prepared {
				t.Error("a refused Def counts as prepared")
			}
		})
	}
	if err := good.Prepare(); err != nil {
		t.Errorf("a good Def is refused: %v", err)
	}
}
