package physics

import (
	"errors"
	"math"
	"testing"
)

// massBySampling counts small squares.
func massBySampling(shapes []Shape) (m massData) {
	const step = 0.01
	d := Def{Shapes: shapes}
	b := NewBody(1, 0, Vec{}, 0)
	var weighted Vec
	var second float64
	for i := range shapes { // parts may overlap: each counts
		d.Shapes = shapes[i : i+1]
		for x := -3.0 + step/2; x < 3; x += step {
			for y := -3.0 + step/2; y < 3; y += step {
				if p := (Vec{x, y}); distanceTo(&b, &d, p) == 0 {
					m.mass += step * step
					weighted = weighted.addScaled(p, step*step)
					second += p.lengthSquared() * step * step
				}
			}
		}
	}
	m.centre = weighted.scale(1 / m.mass)
	m.inertia = second - m.mass*m.centre.lengthSquared()
	return m
}

func TestMassOfParts(t *testing.T) {
	tri, err := PolygonShape([]Vec{{0, 0}, {2, 0}, {0.5, 1.5}})
	if err != nil {
		t.Fatal(err)
	}
	for name, shapes := range map[string][]Shape{
		"capsule":         {CapsuleShape(Vec{-1, 0.5}, Vec{1, 1}, 0.4)},
		"off circle":      {CircleAt(Vec{1, -0.5}, 0.7)},
		"turned box":      {BoxAt(Vec{0.5, 0.5}, 2, 1, 0.6)},
		"rounded box":     {BoxShape(2, 1).Rounded(0.4)},
		"rounded tri":     {tri.Rounded(0.3)},
		"dumbbell":        {CircleAt(Vec{-1.5, 0}, 0.5), CapsuleShape(Vec{-1.5, 0}, Vec{1, 0}, 0.1), BoxAt(Vec{1.5, 0.2}, 1, 1, 0.3)},
		"triangle, twice": {tri, tri},
	} {
		d := Def{Type: Dynamic, Shapes: shapes, Density: 1}
		if err := d.Prepare(); err != nil {
			t.Fatal(err)
		}
		got, want := massOfParts(d.parts, 1), massBySampling(shapes)
		if !near(got.mass, want.mass, 0.02*want.mass) || !near(got.inertia, want.inertia, 0.03*want.inertia) || got.centre.sub(want.centre).length() > 0.01 {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
		if d.MassKg() != got.mass || d.Centre() != got.centre {
			t.Errorf("%s: the Def has mass %v and centre %v", name, d.MassKg(), d.Centre())
		}
	}
}

func TestShapeRefusals(t *testing.T) {
	bad := SegmentShape(Vec{}, Vec{1, 0})
	bad.Normals[0] = Vec{1, 0}
	for name, d := range map[string]Def{
		"short capsule":   {Type: Static, Shape: CapsuleShape(Vec{}, Vec{0.001, 0}, 1)},
		"thin capsule":    {Type: Static, Shape: CapsuleShape(Vec{}, Vec{1, 0}, 0.001)},
		"nan":             {Type: Static, Shape: SegmentShape(Vec{}, Vec{math.NaN(), 0})},
		"normals":         {Type: Static, Shape: bad},
		"dynamic segment": {Type: Dynamic, Mass: 1, Shape: SegmentShape(Vec{}, Vec{1, 0})},
		"far circle":      {Type: Static, Shape: CircleAt(Vec{1e6, 0}, 1)},
		"round":           {Type: Static, Shape: BoxShape(1, 1).Rounded(-1)},
		"one bad part":    {Type: Static, Shapes: []Shape{BoxShape(1, 1), CircleShape(0)}},
		"too many parts":  {Type: Static, Shapes: make([]Shape, MaxParts+1)},
	} {
		if err := d.Prepare(); !errors.Is(err, ErrDef) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	for name, c := range map[string]struct {
		points []Vec
		loop   bool
	}{"one": {[]Vec{{}}, false}, "loop of two": {[]Vec{{}, {1, 0}}, true}, "twice": {[]Vec{{}, {1, 0}, {1, 0}}, false}, "long": {make([]Vec, 300), false}} {
		if _, err := ChainShapes(c.points, c.loop); !errors.Is(err, ErrShape) {
			t.Errorf("chain %s: error %v", name, err)
		}
	}
}

// Each shape comes to rest on the floor at its own height, with few events.
func TestShapesRest(t *testing.T) {
	for name, c := range map[string]struct {
		shapes []Shape
		angle  float64
		height float64 // of the origin
	}{
		"capsule":     {[]Shape{CapsuleShape(Vec{-1, 0}, Vec{1, 0}, 0.3)}, 0.3, 0.3},
		"rounded box": {[]Shape{BoxShape(1, 0.6).Rounded(0.1)}, 0.2, 0.4},
		"table":       {[]Shape{BoxAt(Vec{0, 0.5}, 2, 0.2, 0), BoxAt(Vec{-0.8, 0}, 0.2, 0.8, 0), BoxAt(Vec{0.8, 0}, 0.2, 0.8, 0)}, 0.1, 0.4},
		"off circle":  {[]Shape{CircleAt(Vec{0.5, 0}, 0.5), CircleAt(Vec{-0.5, 0}, 0.5)}, 0.4, 0.5},
	} {
		for floorName, floorShapes := range map[string][]Shape{
			"box": {BoxAt(Vec{0, -1}, 40, 2, 0)}, "segment": {SegmentShape(Vec{-20, 0}, Vec{20, 0})},
			"capsule": {CapsuleShape(Vec{-20, -1}, Vec{20, -1}, 1)}, "chain": flatChain(t, 20, 0),
		} {
			sc := &scene{rules: rules60}
			floor := sc.def(t, Def{Type: Static, Shapes: floorShapes, Friction: 0.5})
			d := sc.def(t, Def{Type: Dynamic, Shapes: c.shapes, Friction: 0.5, GravityScale: 1})
			sc.put(floor, 0, 0, 0)
			sc.put(d, 0.3, c.height+0.5, c.angle)
			sv := Solver{Check: true}
			begun, ended := 0, 0
			for range 300 {
				sc.run(&sv, 1)
				begins, ends := sv.Events()
				begun, ended = begun+len(begins), ended+len(ends)
			}
			b := &sc.Bodies[1]
			if !near(b.Y, c.height, 0.02) || !near(math.Remainder(b.Angle, math.Pi), 0, 0.02) || !near(b.VY, 0, 0.01) {
				t.Errorf("%s on %s: at rest at height %v turned by %v, want %v and 0", name, floorName, b.Y, b.Angle, c.height)
			}
			if begun != ended+1 || begun > 6 {
				t.Errorf("%s on %s: %d beginnings, %d ends", name, floorName, begun, ended)
			}
		}
	}
}

// flatChain returns a floor at height y from x = half to -half, in links of 1 m.
func flatChain(t testing.TB, half int, y float64) []Shape {
	t.Helper()
	var points []Vec
	for x := half; x >= -half; x-- {
		points = append(points, Vec{float64(x), y})
	}
	shapes, err := ChainShapes(points, false)
	if err != nil {
		t.Fatal(err)
	}
	return shapes
}

// What slides along a chain does not catch on its joints: it neither hops nor
// loses speed. On separate segments it may.
func TestChainsAreSmooth(t *testing.T) {
	for name, shape := range map[string]Shape{"box": BoxShape(0.8, 0.8), "ball": CircleShape(0.4), "capsule": CapsuleShape(Vec{-0.2, 0}, Vec{0.2, 0}, 0.4),
		"rounded": BoxShape(0.6, 0.6).Rounded(0.1)} {
		sc := &scene{rules: rules60}
		floor := sc.def(t, Def{Type: Static, Shapes: flatChain(t, 60, 0)})
		d := sc.def(t, Def{Type: Dynamic, Shape: shape, GravityScale: 1})
		sc.put(floor, 0, 0, 0)
		sc.put(d, -50.3, 0.4, 0)
		sc.Bodies[1].VX = 15
		sv := Solver{Check: true}
		sc.run(&sv, 10)
		for tick := range 300 {
			sc.run(&sv, 1)
			if b := &sc.Bodies[1]; !near(b.VX, 15, 0.01) || !near(b.VY, 0, 0.05) || !near(b.Angle, 0, 0.01) {
				t.Errorf("%s, tick %d: at %v moves at %v, %v turned by %v", name, tick, b.X, b.VX, b.VY, b.Angle)
				break
			}
		}
	}
}

// A chain is hit from one side only, and a hill, a valley and a loop hold
// what lies on and in them.
func TestChainSides(t *testing.T) {
	hill := []Vec{{12, 0}, {4, 0}, {2, 2}, {-2, 2}, {-4, 0}, {-12, 0}}
	valley := []Vec{{6, 4}, {2, 0}, {-2, 0}, {-6, 4}}
	bowl := []Vec{{-4, -4}, {-4, 4}, {4, 4}, {4, -4}} // clockwise: closed inwards
	for name, c := range map[string]struct {
		points []Vec
		loop   bool
		from   Vec
		v      Vec
		within [4]float64 // x and y, least and most, after 4 s
	}{
		"on a hill":           {hill, false, Vec{0, 3}, Vec{}, [4]float64{-2, 2, 2.2, 2.6}},
		"down a hill":         {hill, false, Vec{1.5, 2.6}, Vec{3, 0}, [4]float64{4, 16, -99, 0.6}},
		"in a valley":         {valley, false, Vec{-4.5, 4.5}, Vec{}, [4]float64{-5, 5, 0.3, 3}},
		"through from below":  {hill, false, Vec{0, -1}, Vec{0, 20}, [4]float64{-2, 2, 2.2, 6}},
		"in a bowl":           {bowl, true, Vec{0, 0}, Vec{3, 2}, [4]float64{-3.7, 3.7, -3.7, 3.7}},
		"into a bowl, behind": {bowl, true, Vec{0, 6}, Vec{}, [4]float64{-3.7, 3.7, -3.7, 3.7}},
	} {
		for kind, shape := range map[string]Shape{"ball": CircleShape(0.4), "box": BoxShape(0.8, 0.8)} {
			shapes, err := ChainShapes(c.points, c.loop)
			if err != nil {
				t.Fatal(err)
			}
			sc := &scene{rules: rules60}
			chain := sc.def(t, Def{Type: Static, Shapes: shapes, Friction: 0.2})
			d := sc.def(t, Def{Type: Dynamic, Shape: shape, Friction: 0.2, GravityScale: 1})
			sc.put(chain, 0, 0, 0)
			sc.put(d, c.from.X, c.from.Y, 0)
			sc.Bodies[1].VX, sc.Bodies[1].VY = c.v.X, c.v.Y
			sc.run(&Solver{Check: true}, 240)
			b, w := &sc.Bodies[1], c.within
			if !(b.X >= w[0] && b.X <= w[1] && b.Y >= w[2] && b.Y <= w[3]) {
				t.Errorf("%s: a %s ended at %v, want within %v", name, kind, b.Position(), w)
			}
		}
	}
}

// Bodies of several parts touch as bodies: one event for all parts.
func TestEventsAreOfBodies(t *testing.T) {
	sc := &scene{rules: rules60}
	floor := sc.def(t, Def{Type: Static, Shapes: flatChain(t, 10, 0), Friction: 0.5})
	table := sc.def(t, Def{Type: Dynamic, Shapes: []Shape{BoxAt(Vec{0, 0.5}, 2, 0.2, 0), BoxAt(Vec{-0.8, 0}, 0.2, 0.8, 0), BoxAt(Vec{0.8, 0}, 0.2, 0.8, 0)}, Friction: 0.5, GravityScale: 1})
	sc.putKey(5, floor, 0, 0)
	sc.putKey(3, table, 0, 0.5)
	sv := Solver{Check: true}
	begun := 0
	for range 60 {
		sc.run(&sv, 1)
		begins, _ := sv.Events()
		if begun += len(begins); len(begins) > 0 && (begins[0].KeyA != 3 || begins[0].Impulse <= 0 || begins[0].Normal.Y > -0.99) {
			t.Errorf("%+v", begins[0])
		}
	}
	if len(sc.Contacts) < 2 || begun != 1 {
		t.Fatalf("%d contacts, %d beginnings, want 2 or more and 1", len(sc.Contacts), begun)
	}
	sc.Remove(0)
	if len(sc.Contacts) != 1 {
		t.Errorf("%d contacts are gone, want 1", len(sc.Contacts))
	}
	sc.run(&sv, 1)
	if _, ends := sv.Events(); len(ends) != 1 || ends[0].B != -1 {
		t.Errorf("ends %+v, want one", ends)
	}
	sc.Bodies[0] = NewBody(5, floor, Vec{}, 0)
	sc.run(&sv, 30)
	sc.Bodies[1].Y += 5
	ended := 0
	for range 3 {
		sc.run(&sv, 1)
		_, ends := sv.Events()
		ended += len(ends)
	}
	if ended != 1 {
		t.Errorf("%d ends of a table that was lifted, want 1", ended)
	}
}

// park returns compounds, capsules and rounded things on a chain, with segments
// and joints, some asleep.
func park(t testing.TB) *scene {
	sc := (&scene{rules: rules60}).sleepy()
	sc.rules.HitSpeed = 1
	points := []Vec{{30, 12}}
	r := random(5)
	for x := 14; x >= -14; x-- {
		points = append(points, Vec{float64(2 * x), r.between(0, 1.5)})
	}
	points = append(points, Vec{-30, 12})
	ground, err := ChainShapes(points, false)
	if err != nil {
		t.Fatal(err)
	}
	sc.put(sc.def(t, Def{Type: Static, Shapes: ground, Friction: 0.6}), 0, 0, 0)
	sc.put(sc.def(t, Def{Type: Static, Shapes: []Shape{SegmentShape(Vec{-3, 0}, Vec{3, 1}), CapsuleShape(Vec{4, 1}, Vec{6, 1}, 0.2)}, Friction: 0.5, SurfaceSpeed: 1}), -8, 5, 0)
	sc.put(sc.def(t, Def{Type: Kinematic, Shapes: []Shape{BoxAt(Vec{2, 0}, 3, 0.3, 0), BoxAt(Vec{-2, 0}, 3, 0.3, 0)}, Friction: 0.5}), 10, 5, 0)
	sc.Bodies[2].W = 1
	table := []Shape{BoxAt(Vec{0, 0.5}, 1.6, 0.2, 0), BoxAt(Vec{-0.6, 0}, 0.2, 0.8, 0), BoxAt(Vec{0.6, 0}, 0.2, 0.8, 0)}
	var kinds []uint32
	for _, shapes := range [][]Shape{table, {CapsuleShape(Vec{-0.4, 0}, Vec{0.4, 0}, 0.25)}, {BoxShape(0.7, 0.5).Rounded(0.1)},
		{CircleAt(Vec{-0.4, 0}, 0.4), CircleAt(Vec{0.4, 0.1}, 0.3)}, {CircleShape(0.4)}} {
		kinds = append(kinds, sc.def(t, Def{Type: Dynamic, Shapes: shapes, Friction: 0.5, GravityScale: 1, AngularDamping: 0.5, Rolling: 0.05}))
	}
	for i := range 70 {
		sc.put(kinds[i%5], float64(i%12)*4-22+r.between(-1, 1), 3+1.5*float64(i/12), r.between(-3, 3))
	}
	return sc
}

func TestGoldenPark(t *testing.T) {
	sc := park(t)
	sv := Solver{Check: true}
	for tick := range 400 {
		sc.steer(tick / 30)
		sc.run(&sv, 1)
	}
	if len(sc.Contacts) < 60 || sc.asleep() < 5 {
		t.Fatalf("%d contacts, %d asleep: the scene tests little", len(sc.Contacts), sc.asleep())
	}
	sc.golden(t, "park-steered", 400)
}

func TestPartsAreExact(t *testing.T) {
	sc := park(t)
	other := sc.shuffled(6)
	sv, so := Solver{Check: true}, Solver{Check: true}
	touching := map[[2]uint64]bool{}
	for tick := range 300 {
		if tick%20 == 7 {
			key := sc.Bodies[3+tick/20].Key
			sc.Remove(sc.slotIn(key))
			other.Remove(other.slotIn(key))
		}
		fresh := sc.copy()
		data := pack(&sc.State)
		for _, each := range []*scene{sc, other, fresh} {
			each.steer(tick / 30)
		}
		sf := Solver{Check: true}
		sc.run(&sv, 1)
		other.run(&so, 1)
		fresh.run(&sf, 1)
		sameEvents(t, &sv, &so)
		sameEvents(t, &sv, &sf)
		sameBits(t, "with a fresh solver", &sc.State, &fresh.State)
		sc.countBodies(t, &sv, touching)
		if tick%20 == 0 {
			sameBits(t, "in other slots", &sc.State, &other.State)
			back, err := unpack(data)
			if err != nil {
				t.Fatal(err)
			}
			next := &scene{State: *back, defs: sc.defs, rules: sc.rules}
			next.steer(tick / 30)
			next.run(&sf, 1)
			sameBits(t, "after a round trip", &sc.State, &next.State)
		}
	}
}

// countBodies holds events to contacts, of which a pair of bodies may have
// several.
func (sc *scene) countBodies(t *testing.T, sv *Solver, touching map[[2]uint64]bool) {
	t.Helper()
	all := sc.Contacts
	sc.Contacts = nil
	for i, c := range all {
		if i == 0 || all[i-1].KeyA != c.KeyA || all[i-1].KeyB != c.KeyB {
			sc.Contacts = append(sc.Contacts, c)
		}
	}
	sc.countEvents(t, sv, touching)
	sc.Contacts = all
}
