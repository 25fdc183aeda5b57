package main

import (
	"github.com/hindcast/hindcast/world/detmath"
	"github.com/hindcast/hindcast/world/physics"
)

// ours is world/physics.
type ours struct {
	state  physics.State
	defs   []physics.Def
	rules  physics.Params
	solver physics.Solver
}

func newOurs(sc *scene) engine {
	e := &ours{rules: physics.Params{DT: tick, GravityY: sc.gravity, Substeps: 4}}
	for i := range sc.kinds {
		e.defs = append(e.defs, sc.kinds[i].def(sc, 0))
	}
	for i := range sc.bodies {
		b := &sc.bodies[i]
		nb := physics.NewBody(uint64(i)+1, uint32(b.kind), physics.Vec{X: b.x, Y: b.y}, b.angle)
		nb.VX, nb.VY, nb.W = b.vx, b.vy, b.w
		e.state.Bodies = append(e.state.Bodies, nb)
	}
	return e
}

// def returns what cp takes the mass from, too. skin is put round the outline, metres.
func (k *kind) def(sc *scene, skin float64) physics.Def {
	d := physics.Def{
		Type:           physics.Dynamic,
		Density:        1,
		GravityScale:   1,
		Friction:       sc.friction,
		Restitution:    sc.restitution,
		LinearDamping:  sc.damping,
		AngularDamping: sc.damping,
		Layer:          1,
		Collides:       1,
	}
	if k.static {
		d.Type = physics.Static
	}
	d.Shape = physics.CircleShape(k.radius + skin)
	if k.corners != nil {
		var corners []physics.Vec
		for _, p := range k.corners {
			corners = append(corners, physics.Vec{X: p.x, Y: p.y})
		}
		shape, err := physics.PolygonShape(corners)
		if err != nil {
			panic(err) // a scene of this program
		}
		d.Shape = shape.Rounded(skin)
	}
	if err := d.Prepare(); err != nil {
		panic(err)
	}
	return d
}

func (e *ours) step() { e.solver.Step(&e.state, e.defs, e.rules) }

func (e *ours) at(i int) (x, y, angle float64) {
	b := &e.state.Bodies[i]
	return b.X, b.Y, b.Angle
}

func (e *ours) mass(i int) float64 { return e.defs[e.state.Bodies[i].Def].MassKg() }

// touching returns the share of the bodies of e, static ones apart, that lie within
// 2 cm of another. It is asked of world/physics whatever engine e is, because
// each keeps its bodies, and has contacts begin and end, at other distances.
func touching(sc *scene, e engine) float64 {
	o := ours{rules: physics.Params{DT: tick, Substeps: 1}}
	for i := range sc.kinds {
		o.defs = append(o.defs, sc.kinds[i].def(sc, 0.01))
	}
	for i := range sc.bodies {
		x, y, angle := e.at(i)
		o.state.Bodies = append(o.state.Bodies,
			physics.NewBody(uint64(i)+1, uint32(sc.bodies[i].kind), physics.Vec{X: x, Y: y}, detmath.Wrap(angle)))
	}
	o.step()
	met := make([]bool, len(sc.bodies))
	for _, c := range o.state.Contacts {
		met[c.SlotA], met[c.SlotB] = true, true
	}
	n := 0
	for i := range met {
		if met[i] && !sc.of(i).static {
			n++
		}
	}
	return float64(n) / float64(sc.dynamic())
}
