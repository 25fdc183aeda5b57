package physics

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"pgregory.net/rapid"
)

// queryScene returns bodies of all kinds, some on another layer, some sensors.
func queryScene(t testing.TB, seed uint64) *scene {
	tri, err := PolygonShape([]Vec{{0.2, 0}, {2, 0.5}, {0.5, 1.5}})
	if err != nil {
		t.Fatal(err)
	}
	sc := &scene{rules: rules60}
	for _, shapes := range [][]Shape{{CircleShape(0.7)}, {BoxShape(2, 1)}, {tri}, {CapsuleShape(Vec{-1, 0.2}, Vec{0.5, 0.3}, 0.4)},
		{tri.Rounded(0.3)}, {CircleAt(Vec{1, 1}, 0.4), BoxAt(Vec{-0.5, 0}, 1, 0.4, 0.7), CapsuleShape(Vec{0, 0}, Vec{0, -1}, 0.2)}} {
		sc.def(t, Def{Type: Static, Shapes: shapes})
		sc.def(t, Def{Type: Dynamic, Shapes: shapes, Layer: 2})
		sc.def(t, Def{Type: Static, Shapes: shapes, Sensor: true})
	}
	r := random(seed)
	for i := range 40 {
		sc.put(uint32(r.next()%18), r.between(-8, 8), r.between(-8, 8), r.between(-3, 3))
		if i%10 == 9 {
			sc.Bodies[i] = Body{} // free slots
		}
	}
	return sc
}

// hullOf returns the points of a shape in the world: one of a circle.
func hullOf(b *Body, s *Shape) []Vec {
	points := []Vec{b.ToWorld(s.Points[0])}
	for i := 1; i < s.Count; i++ {
		points = append(points, b.ToWorld(s.Points[i]))
	}
	return points
}

// distanceTo returns how far p is from the body, by the plainest means.
func distanceTo(b *Body, d *Def, p Vec) float64 {
	parts := d.Shapes
	if len(parts) == 0 {
		parts = []Shape{d.Shape}
	}
	least := math.Inf(1)
	for i := range parts {
		least = min(least, max(hullDistance(hullOf(b, &parts[i]), p)-parts[i].Radius, 0))
	}
	return least
}

func hullDistance(points []Vec, p Vec) float64 {
	if len(points) == 1 {
		return points[0].sub(p).length()
	}
	inside, least := len(points) > 2, math.Inf(1)
	for i, v := range points {
		w := points[(i+1)%len(points)]
		edge, to := w.sub(v), p.sub(v)
		inside = inside && edge.cross(to) >= 0
		u := math.Max(0, math.Min(1, edge.dot(to)/edge.dot(edge)))
		least = min(least, math.Hypot(v.X+u*edge.X-p.X, v.Y+u*edge.Y-p.Y))
	}
	if inside {
		return 0
	}
	return least
}

// visible returns the slots that a query on the mask may find.
func (sc *scene) visible(mask, ignore uint64) []int {
	var slots []int
	for slot := range sc.Bodies {
		b := &sc.Bodies[slot]
		if d := &sc.defs[b.Def]; b.Key != 0 && b.Key != ignore && !d.Sensor && d.Layer&mask != 0 {
			slots = append(slots, slot)
		}
	}
	slices.SortFunc(slots, func(a, b int) int {
		if sc.Bodies[a].Key < sc.Bodies[b].Key {
			return -1
		}
		return 1
	})
	return slots
}

func drawPoint(rt *rapid.T, name string) Vec {
	return Vec{rapid.Float64Range(-10, 10).Draw(rt, name+" x"), rapid.Float64Range(-10, 10).Draw(rt, name+" y")}
}

func drawMask(rt *rapid.T) uint64 { return rapid.SampledFrom([]uint64{1, 2, 3, 4}).Draw(rt, "mask") }

func TestOverlapsAgainstBruteForce(t *testing.T) {
	draws.Check(t, func(rt *rapid.T) {
		sc := queryScene(t, rapid.Uint64().Draw(rt, "seed"))
		c, mask := drawPoint(rt, "centre"), drawMask(rt)
		r := rapid.Float64Range(0, 5).Draw(rt, "radius")
		w, h := rapid.Float64Range(0.05, 8).Draw(rt, "width"), rapid.Float64Range(0.05, 8).Draw(rt, "height")
		angle := rapid.Float64Range(-3, 3).Draw(rt, "angle")
		shape := rapid.SampledFrom(probes(t)).Draw(rt, "shape")
		box := BoxShape(w, h)
		var inCircle, inBox, inShape []int32
		for _, slot := range sc.visible(mask, 0) {
			b, d := &sc.Bodies[slot], &sc.defs[sc.Bodies[slot].Def]
			if distanceTo(b, d, c) <= r {
				inCircle = append(inCircle, int32(slot))
			}
			if shapeMeets(&box, c, angle, b, d) {
				inBox = append(inBox, int32(slot))
			}
			if shapeMeets(&shape, c, angle, b, d) {
				inShape = append(inShape, int32(slot))
			}
		}
		if got := NewFinder(&sc.State, sc.defs).OverlapCircle(c, r, mask, []int32{-1}); !slices.Equal(got[1:], inCircle) {
			rt.Errorf("circle: %v, want %v", got[1:], inCircle)
		}
		if got := NewFinder(&sc.State, sc.defs).OverlapBox(c, w, h, angle, mask, nil); !slices.Equal(got, inBox) {
			rt.Errorf("box: %v, want %v", got, inBox)
		}
		if got := NewFinder(&sc.State, sc.defs).OverlapShape(&shape, c, angle, mask, []int32{-1}); !slices.Equal(got[1:], inShape) {
			rt.Errorf("shape: %v, want %v", got[1:], inShape)
		}
	})
}

// probes returns shapes to ask with.
func probes(t testing.TB) []Shape {
	hex, err := PolygonShape([]Vec{{2, 0}, {1, 1.7}, {-1, 1.7}, {-2, 0}, {-1, -1.7}, {1, -1.7}})
	if err != nil {
		t.Fatal(err)
	}
	return []Shape{hex, hex.Rounded(0.5), BoxAt(Vec{3, 0}, 0.2, 4, 0.5), CircleAt(Vec{1, 0}, 1.5), CapsuleShape(Vec{-2, 0}, Vec{2, 1}, 0.3), SegmentShape(Vec{-4, 0}, Vec{4, 0})}
}

// shapeMeets returns whether a shape and a body share a point: a corner of one lies
// in the other, two sides cross, or they are nearer than their radii.
func shapeMeets(s *Shape, c Vec, angle float64, b *Body, d *Def) bool {
	at := NewBody(1, 0, c, angle)
	for i := range d.parts {
		if hullGap(hullOf(&at, s), hullOf(b, &d.parts[i])) <= s.Radius+d.parts[i].Radius {
			return true
		}
	}
	return false
}

// hullGap returns how far apart two hulls are: 0 if they share a point.
func hullGap(p, q []Vec) float64 {
	least := math.Inf(1)
	for _, v := range p {
		least = min(least, hullDistance(q, v))
	}
	for _, v := range q {
		least = min(least, hullDistance(p, v))
	}
	for i := range p {
		for j := range q {
			if cross(p[i], p[(i+1)%len(p)], q[j], q[(j+1)%len(q)]) {
				return 0
			}
		}
	}
	return least
}

func cross(a, b, c, d Vec) bool {
	side := func(p, q, r Vec) bool { return q.sub(p).cross(r.sub(p)) > 0 }
	return side(a, b, c) != side(a, b, d) && side(c, d, a) != side(c, d, b)
}

func TestNearestAgainstBruteForce(t *testing.T) {
	draws.Check(t, func(rt *rapid.T) {
		sc := queryScene(t, rapid.Uint64().Draw(rt, "seed"))
		p, mask := drawPoint(rt, "p"), drawMask(rt)
		within := rapid.Float64Range(0, 6).Draw(rt, "within")
		ignore := sc.Bodies[0].Key
		want, least := -1, math.Inf(1)
		for _, slot := range sc.visible(mask, ignore) {
			if d := distanceTo(&sc.Bodies[slot], &sc.defs[sc.Bodies[slot].Def], p); d <= within && d < least-1e-9 {
				want, least = slot, d
			}
		}
		got, ok := NewFinder(&sc.State, sc.defs).Nearest(p, within, mask, ignore)
		if ok != (want >= 0) || ok && !near(got.Distance, least, 1e-9) {
			rt.Fatalf("nearest %+v %v, want slot %d at %v", got, ok, want, least)
		}
		if ok && least > 0 && !near(got.Point.sub(p).length(), least, 1e-9) {
			rt.Errorf("the point %v is not %v m away", got.Point, least)
		}
		if ok && least == 0 && got.Slot != want {
			rt.Errorf("of bodies at the same place the lower key is first: slot %d, want %d", got.Slot, want)
		}
	})
}

func TestRaysAgainstMarching(t *testing.T) {
	draws.Check(t, func(rt *rapid.T) {
		sc := queryScene(t, rapid.Uint64().Draw(rt, "seed"))
		from, to, mask := drawPoint(rt, "from"), drawPoint(rt, "to"), drawMask(rt)
		ignore := sc.Bodies[1].Key
		all := NewFinder(&sc.State, sc.defs).RaycastAll(from, to, mask, ignore, nil)
		if !slices.IsSortedFunc(all, func(a, b Hit) int { return compareHits(&sc.State, a, b) }) {
			rt.Errorf("hits are out of order: %+v", all)
		}
		met := map[int]Hit{}
		for _, hit := range all {
			met[hit.Slot] = hit
		}
		seen := sc.visible(mask, ignore)
		for _, slot := range seen {
			hit, ok := met[slot]
			checkRay(rt, &sc.Bodies[slot], &sc.defs[sc.Bodies[slot].Def], from, to, hit, ok)
			delete(met, slot)
		}
		if len(met) != 0 {
			rt.Errorf("hits of bodies that are not to be seen: %+v", met)
		}
		first, ok := NewFinder(&sc.State, sc.defs).Raycast(from, to, mask, ignore)
		if ok != (len(all) > 0) || ok && first != all[0] {
			rt.Errorf("the first hit is %+v %v, of all %+v", first, ok, all)
		}
	})
}

// checkRay marches along the ray, and allows for what lies between two paces.
func checkRay(rt *rapid.T, b *Body, d *Def, from, to Vec, hit Hit, ok bool) {
	const paces = 400
	along := to.sub(from)
	first := -1.0
	for i := range paces + 1 {
		u := float64(i) / paces
		if distanceTo(b, d, from.addScaled(along, u)) == 0 {
			first = u
			break
		}
	}
	if first >= 0 && !ok {
		rt.Errorf("a ray from %v to %v misses %+v, which it meets at %v", from, to, *b, first)
	}
	if !ok {
		return
	}
	// Of several parts it may graze one between two paces.
	if first >= 0 && (hit.Fraction > first+1e-9 || len(d.Shapes) == 1 && hit.Fraction < first-1.0/paces-1e-9) {
		rt.Errorf("met at %v, want just before %v", hit.Fraction, first)
	}
	if at := distanceTo(b, d, hit.Point); at > 1e-9 {
		rt.Errorf("the hit is %v m off the body", at)
	}
	if hit.Point.sub(from.addScaled(along, hit.Fraction)).length() > 1e-9 {
		rt.Errorf("point %v and fraction %v differ", hit.Point, hit.Fraction)
	}
	if !near(hit.Normal.length(), 1, 1e-9) || hit.Normal.dot(along) > 1e-9 {
		rt.Errorf("normal %v of a ray along %v", hit.Normal, along)
	}
	if len(d.Shapes) == 1 && hit.Fraction > 0 && distanceTo(b, d, hit.Point.addScaled(hit.Normal, 0.01)) < 0.0099 {
		rt.Errorf("normal %v does not lead out", hit.Normal)
	}
}

func TestQueriesAtTheEdge(t *testing.T) {
	sc := &scene{rules: rules60}
	box := sc.def(t, Def{Type: Static, Shape: BoxShape(2, 2)})
	sc.putKey(7, box, 5, 0)
	sc.putKey(3, box, 5, 0)
	s, defs := &sc.State, sc.defs
	hit, ok := NewFinder(s, defs).Raycast(Vec{0, 0}, Vec{8, 0}, 1, 0)
	if !ok || hit != (Hit{Slot: 1, Point: Vec{4, 0}, Normal: Vec{-1, 0}, Fraction: 0.5}) {
		t.Errorf("of two bodies at one place: %+v %v, want the one with key 3", hit, ok)
	}
	if hit, _ := NewFinder(s, defs).Raycast(Vec{0, 0}, Vec{8, 0}, 1, 3); hit.Slot != 0 {
		t.Errorf("ignoring key 3: %+v", hit)
	}
	if hit, ok := NewFinder(s, defs).Raycast(Vec{5, 0}, Vec{8, 0}, 1, 0); !ok || hit.Fraction != 0 || hit.Normal != (Vec{-1, 0}) {
		t.Errorf("from inside: %+v %v", hit, ok)
	}
	if hit, ok := NewFinder(s, defs).Raycast(Vec{5, 0}, Vec{5, 0}, 1, 0); !ok || hit.Fraction != 0 {
		t.Errorf("a ray of no length, inside: %+v %v", hit, ok)
	}
	nan, inf := math.NaN(), math.Inf(1)
	for _, bad := range []Vec{{nan, 0}, {0, inf}} {
		if _, ok := NewFinder(s, defs).Raycast(bad, Vec{5, 0}, 1, 0); ok {
			t.Errorf("a ray from %v hits", bad)
		}
		if got := NewFinder(s, defs).OverlapCircle(bad, 1, 1, nil); got != nil {
			t.Errorf("a circle at %v finds %v", bad, got)
		}
		if got := NewFinder(s, defs).OverlapBox(bad, 1, 1, 0, 1, nil); got != nil {
			t.Errorf("a box at %v finds %v", bad, got)
		}
		if got := NewFinder(s, defs).OverlapShape(&sc.defs[0].Shape, bad, 0, 1, nil); got != nil {
			t.Errorf("a shape at %v finds %v", bad, got)
		}
		if _, ok := NewFinder(s, defs).Nearest(bad, 1, 1, 0); ok {
			t.Errorf("something is nearest to %v", bad)
		}
	}
	if got := NewFinder(s, defs).OverlapCircle(Vec{5, 0}, nan, 1, nil); got != nil {
		t.Errorf("a circle of radius NaN finds %v", got)
	}
	if got := NewFinder(s, defs).OverlapCircle(Vec{5, 0}, inf, 1, nil); len(got) != 2 {
		t.Errorf("a circle of all finds %v", got)
	}
	for x, want := range map[float64]int{4.01: 2, 3.99: 0} {
		if got := NewFinder(s, defs).OverlapBox(Vec{x, 0.5}, 0, 0, 1, 1, nil); len(got) != want {
			t.Errorf("a box without size at x = %v finds %v, want %d bodies", x, got, want)
		}
	}
	if got := NewFinder(s, defs).OverlapBox(Vec{5, 0}, -1, 1, 0, 1, nil); got != nil {
		t.Errorf("a box of negative width finds %v", got)
	}
	for x, want := range map[float64][]int32{3: {1, 0}, 2.99: nil} { // two boxes of 2 m, side by side
		if got := NewFinder(s, defs).OverlapShape(&sc.defs[0].Shape, Vec{x, 0.5}, 0, 1, nil); !slices.Equal(got, want) {
			t.Errorf("a shape at x = %v finds %v, want %v, by key", x, got, want)
		}
	}
	if got := NewFinder(s, defs).OverlapShape(&Shape{Kind: Polygon, Count: 2}, Vec{5, 0}, 0, 1, nil); got != nil {
		t.Errorf("half a polygon finds %v", got)
	}
}

// Queries on a stored state give the answers that they gave when it was the present one.
func TestQueriesOfAStoredState(t *testing.T) {
	sc := queryScene(t, 4)
	for i := range sc.Bodies {
		sc.Bodies[i].VX = 30
	}
	shape := probes(t)[0]
	ask := func(s *State) string {
		first, ok := NewFinder(s, sc.defs).Raycast(Vec{-9, 0}, Vec{9, 1}, 3, 0)
		cast, met := NewFinder(s, sc.defs).ShapeCast(&shape, Vec{-9, 0}, 0.3, Vec{18, 1}, 3, 0)
		found, near := NewFinder(s, sc.defs).Nearest(Vec{1, 1}, 5, 3, 0)
		return fmt.Sprint(first, ok, NewFinder(s, sc.defs).RaycastAll(Vec{-9, 0}, Vec{9, 1}, 3, 0, nil), cast, met, found, near,
			NewFinder(s, sc.defs).OverlapCircle(Vec{}, 3, 3, nil), NewFinder(s, sc.defs).OverlapBox(Vec{}, 6, 6, 1, 3, nil),
			NewFinder(s, sc.defs).OverlapShape(&shape, Vec{}, 1, 3, nil))
	}
	then := ask(&sc.State)
	stored := sc.copy()
	sc.run(&Solver{Check: true}, 10)
	if got := ask(&stored.State); got != then {
		t.Errorf("the stored state answers\n%s, and answered\n%s", got, then)
	}
	if got := ask(&sc.State); got == then {
		t.Errorf("nothing changed in 10 steps: %s", got)
	}
}

func TestQueriesAllocateNothing(t *testing.T) {
	sc := queryScene(t, 1)
	out := make([]int32, 0, 64)
	hits := make([]Hit, 0, 64)
	capsule := CapsuleShape(Vec{-1, 0}, Vec{1, 0}, 0.5)
	f := NewFinder(&sc.State, sc.defs)
	if n := testing.AllocsPerRun(20, func() {
		f.Reset(&sc.State, sc.defs)
		f.OverlapCircle(Vec{}, 4, 3, out)
		f.OverlapBox(Vec{}, 4, 4, 1, 3, out)
		f.OverlapShape(&capsule, Vec{}, 1, 3, out)
		f.ShapeCast(&capsule, Vec{-9, -9}, 1, Vec{18, 18}, 3, 0)
		f.RaycastAll(Vec{-9, -9}, Vec{9, 9}, 3, 0, hits)
		f.Raycast(Vec{-9, -9}, Vec{9, 9}, 3, 0)
		f.Nearest(Vec{}, 9, 3, 0)
	}); n != 0 {
		t.Errorf("queries allocate %v times", n)
	}
}
