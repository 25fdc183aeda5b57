package physics

import (
	"math"
	"testing"

	"github.com/hindcast/hindcast/world/detmath"
)

// Scenes are the same on every CPU: like the engine, what makes them rounds
// every product that meets a sum.

// scene is a State with its Defs, rules and a script of forces.
type scene struct {
	State
	defs  []Def
	rules Params
}

var rules60 = Params{DT: 1.0 / 60, GravityY: -10, Substeps: 4}

// def adds a prepared Def and gives its index.
func (sc *scene) def(t testing.TB, d Def) uint32 {
	t.Helper()
	if d.Layer == 0 {
		d.Layer, d.Collides = 1, math.MaxUint64
	}
	if d.Type == Dynamic && d.Density == 0 && d.Mass == 0 {
		d.Density = 1
	}
	if err := d.Prepare(); err != nil {
		t.Fatal(err)
	}
	sc.defs = append(sc.defs, d)
	return uint32(len(sc.defs) - 1)
}

// put adds a body and gives its slot. Keys are spread so that their order is
// not the order of slots.
func (sc *scene) put(def uint32, x, y, angle float64) int {
	slot := len(sc.Bodies)
	sc.Bodies = append(sc.Bodies, NewBody(mix(uint64(slot)+1), def, Vec{x, y}, angle))
	return slot
}

// putKey adds a body with a key of its own.
func (sc *scene) putKey(key uint64, def uint32, x, y float64) int {
	slot := sc.put(def, x, y, 0)
	sc.Bodies[slot].Key = key
	return slot
}

// run steps n times.
func (sc *scene) run(sv *Solver, n int) {
	for range n {
		sv.Step(&sc.State, sc.defs, sc.rules)
	}
}

func (sc *scene) copy() *scene {
	c := &scene{defs: sc.defs, rules: sc.rules}
	c.CopyFrom(&sc.State)
	return c
}

// random is a small generator for scenes, the same everywhere.
type random uint64

func (r *random) next() uint64 {
	*r += 0x9e3779b97f4a7c15
	return mix(uint64(*r))
}

// between returns a number in [lo, hi).
func (r *random) between(lo, hi float64) float64 {
	u := float64(r.next()>>11) / (1 << 53)
	return lo + float64(u*(hi-lo))
}

// walls puts four static boxes round an area of full size w, h.
func (sc *scene) walls(t testing.TB, w, h float64) {
	d := Def{Type: Static, Friction: 0.3, Restitution: 0.4}
	d.Shape = BoxShape(w+4, 2)
	long := sc.def(t, d)
	d.Shape = BoxShape(2, h+4)
	high := sc.def(t, d)
	sc.put(long, 0, -h/2-1, 0)
	sc.put(long, 0, h/2+1, 0)
	sc.put(high, -w/2-1, 0, 0)
	sc.put(high, w/2+1, 0, 0)
}

// arena returns a walled square without gravity, in which ships, crates and balls
// fly about, and every eighth has a force that scripts change.
func arena(t testing.TB, n int, side float64) *scene {
	sc := &scene{rules: Params{DT: 1.0 / 60, Substeps: 4}}
	sc.walls(t, side, side)
	ship := sc.def(t, Def{Type: Dynamic, Shape: CircleShape(0.5), Friction: 0.3, Restitution: 0.4, LinearDamping: 0.1, AngularDamping: 1})
	crate := sc.def(t, Def{Type: Dynamic, Shape: BoxShape(0.9, 0.7), Friction: 0.5, Restitution: 0.2, LinearDamping: 0.1, AngularDamping: 0.2})
	hex, err := PolygonShape([]Vec{{0.5, 0}, {0.25, 0.43}, {-0.25, 0.43}, {-0.5, 0}, {-0.25, -0.43}, {0.3, -0.4}})
	if err != nil {
		t.Fatal(err)
	}
	rock := sc.def(t, Def{Type: Dynamic, Shape: hex, Friction: 0.4, Restitution: 0.6})
	r := random(7)
	for i := range n {
		def := [...]uint32{ship, ship, crate, rock}[i%4]
		slot := sc.put(def, r.between(-side/2+1, side/2-1), r.between(-side/2+1, side/2-1), r.between(-3, 3))
		b := &sc.Bodies[slot]
		b.VX, b.VY, b.W = r.between(-4, 4), r.between(-4, 4), r.between(-2, 2)
	}
	return sc
}

// steer is the script of the arena: a function of tick and key only.
func (sc *scene) steer(tick int) {
	for slot := range sc.Bodies {
		b := &sc.Bodies[slot]
		if b.Key%8 != 0 || sc.defs[b.Def].Type != Dynamic {
			continue
		}
		switch r := random(b.Key ^ uint64(tick/20)); r.next() % 3 {
		case 0:
			b.FX, b.FY, b.Torque = r.between(-8, 8), r.between(-8, 8), r.between(-1, 1)
		case 1:
			b.ApplyForce(r.between(-20, 20), r.between(-20, 20))
		case 2:
			b.FX, b.FY, b.Torque = 0, 0, 0
		}
	}
}

// pyramid returns boxes of 1 m in rows, each one shorter, on a floor.
func pyramid(t testing.TB, rows int) *scene {
	sc := &scene{rules: rules60}
	floor := sc.def(t, Def{Type: Static, Shape: BoxShape(200, 2), Friction: 0.6})
	box := sc.def(t, Def{Type: Dynamic, Shape: BoxShape(1, 1), Friction: 0.6})
	sc.put(floor, 0, -1, 0)
	for row := range rows {
		for i := range rows - row {
			sc.put(box, 1.05*(float64(i)-float64(rows-row-1)/2), 0.5+1.0*float64(row), 0)
		}
	}
	return sc
}

// falling returns circles that rain into a box.
func falling(t testing.TB, n int) *scene {
	sc := &scene{rules: rules60}
	sc.walls(t, 60, 80)
	ball := sc.def(t, Def{Type: Dynamic, Shape: CircleShape(0.5), Friction: 0.4, GravityScale: 1})
	r := random(3)
	for i := range n {
		sc.put(ball, float64(float64(i%50)*1.15)-28+r.between(-0.05, 0.05), float64(float64(i/50)*1.15)-38, 0)
	}
	return sc
}

// standard is a scene that tests and benchmarks name: how it is made, and
// after how many steps it is as it should be for measuring.
type standard struct {
	name string
	make func(testing.TB) *scene
	warm int
}

// standards lists all scenes with names, in the order in which docs list them.
// They are made to the same bits on every CPU.
func standards() []standard {
	return []standard{
		{"arena-10", func(t testing.TB) *scene { return arena(t, 1060, 84) }, 30},
		{"arena-40", func(t testing.TB) *scene { return arena(t, 1060, 49) }, 30},
		{"arena-73", func(t testing.TB) *scene { return arena(t, 1060, 39) }, 30},
		{"pyramid-20", func(t testing.TB) *scene { return heavyPyramid(t, 20) }, 100},
		{"card-house", func(t testing.TB) *scene { return cardHouse(t, 5) }, 100},
		{"heavy-stack", func(t testing.TB) *scene { return heavyStack(t, 10, 100) }, 100},
		{"falling-2000", func(t testing.TB) *scene { return falling(t, 2000) }, 240},
		{"pile-1064", func(t testing.TB) *scene { return pile(t, 1064, 60) }, 240},
		{"rope-40", func(t testing.TB) *scene { return hangingRope(t, 40, 0.5, 20, Hinge) }, 60},
		{"sparse-5000", func(t testing.TB) *scene { return arena(t, 5000, 300) }, 30},
		{"quarry", func(t testing.TB) *scene { return quarry(t, 100) }, 300},
		{"workshop", workshop, 60},
		{"park", park, 60},
		{"storm", storm, 10},
	}
}

// standardScene makes the scene of a name.
func standardScene(t testing.TB, name string) *scene {
	t.Helper()
	for _, s := range standards() {
		if s.name == name {
			return s.make(t)
		}
	}
	t.Fatalf("there is no scene %q", name)
	return nil
}

// heavyPyramid returns a pyramid that feels gravity.
func heavyPyramid(t testing.TB, rows int) *scene {
	sc := pyramid(t, rows)
	for i := range sc.defs {
		sc.defs[i].GravityScale = 1
	}
	return sc
}

// heavyStack returns boxes of 1 kg and 1 m on a floor, and a heavy one on top.
func heavyStack(t testing.TB, light int, weight float64) *scene {
	sc := &scene{rules: rules60}
	floor := sc.def(t, Def{Type: Static, Shape: BoxShape(50, 2), Friction: 0.6})
	box := sc.def(t, Def{Type: Dynamic, Shape: BoxShape(1, 1), Mass: 1, Friction: 0.6, GravityScale: 1})
	load := sc.def(t, Def{Type: Dynamic, Shape: BoxShape(1, 1), Mass: weight, Friction: 0.6, GravityScale: 1})
	sc.put(floor, 0, -1, 0)
	for i := range light {
		sc.put(box, 0, 0.5+float64(i), 0)
	}
	sc.put(load, 0, 0.5+float64(light), 0)
	return sc
}

// cardHouse returns storeys of tents of two cards that lean against each other by
// 25 degrees, with cards across from tip to tip. A card is 1 m by 2 cm.
func cardHouse(t testing.TB, storeys int) *scene {
	const long, thick, lean = 1.0, 0.02, 25 * math.Pi / 180
	sin, cos := detmath.Sincos(lean)
	sc := &scene{rules: rules60}
	floor := sc.def(t, Def{Type: Static, Shape: BoxShape(60, 2), Friction: 0.7})
	card := sc.def(t, Def{Type: Dynamic, Shape: BoxShape(thick, long), Friction: 0.7, GravityScale: 1})
	sc.put(floor, 0, -1, 0)
	aside, up := float64(long/2*sin)+float64(thick/2*cos), float64(long/2*cos)+float64(thick/2*sin)
	base := 0.0
	for storey := range storeys {
		tents := storeys - storey
		for i := range tents {
			x := float64(i) - float64(tents-1)/2
			sc.put(card, x-aside, base+up, -lean)
			sc.put(card, x+aside, base+up, lean)
			if i > 0 {
				sc.put(card, x-0.5, base+2*up+thick/2, math.Pi/2)
			}
		}
		base += 2*up + thick
	}
	return sc
}

// pile returns boxes and balls like those of the built-in arena that have fallen
// into a heap on the floor of a square with walls.
func pile(t testing.TB, n int, side float64) *scene {
	sc := &scene{rules: rules60}
	sc.walls(t, side, side)
	crate := sc.def(t, Def{Type: Dynamic, Shape: BoxShape(0.9, 0.9), Density: 0.6, Friction: 0.5, Restitution: 0.1, LinearDamping: 1, AngularDamping: 1, GravityScale: 1})
	ball := sc.def(t, Def{Type: Dynamic, Shape: CircleShape(0.4), Density: 0.4, Friction: 0.2, Restitution: 0.8, LinearDamping: 0.3, AngularDamping: 0.5, GravityScale: 1})
	r := random(17)
	for i := range n {
		def := [...]uint32{crate, ball}[i%2]
		x := float64(float64(i%50)*1.15) - 28 + r.between(-0.05, 0.05)
		sc.put(def, x, float64(float64(i/50)*1.15)-side/2+1, r.between(-1, 1))
	}
	return sc
}
