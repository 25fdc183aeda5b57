package physics

import (
	"math"
	"testing"
)

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

// between is a number in [lo, hi).
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

// arena is a walled square without gravity, in which ships, crates and balls
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

// pyramid is boxes of 1 m in rows, each one shorter, on a floor.
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

// falling is circles that rain into a box.
func falling(t testing.TB, n int) *scene {
	sc := &scene{rules: rules60}
	sc.walls(t, 60, 80)
	ball := sc.def(t, Def{Type: Dynamic, Shape: CircleShape(0.5), Friction: 0.4, GravityScale: 1})
	r := random(3)
	for i := range n {
		sc.put(ball, float64(i%50)*1.15-28+r.between(-0.05, 0.05), float64(i/50)*1.15-38, 0)
	}
	return sc
}
