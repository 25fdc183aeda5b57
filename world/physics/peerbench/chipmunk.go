package main

import (
	"math"

	"github.com/jakecoffman/cp/v2"
)

// chipmunk is jakecoffman/cp.
type chipmunk struct {
	space  *cp.Space
	bodies []*cp.Body
}

func newChipmunk(sc *scene) engine {
	e := &chipmunk{space: cp.NewSpace()}
	e.space.SetGravity(cp.Vector{Y: sc.gravity})
	e.space.SetDamping(math.Exp(-sc.damping)) // what is left of a speed after a second
	e.space.SetCollisionSlop(0.005)
	for i := range sc.bodies {
		e.add(sc, &sc.bodies[i], sc.of(i))
	}
	return e
}

func (e *chipmunk) add(sc *scene, b *body, k *kind) {
	made := cp.NewStaticBody()
	if !k.static {
		d := k.def(sc, 0)
		made = cp.NewBody(d.MassKg(), d.InertiaKgM2())
	}
	made.SetPosition(cp.Vector{X: b.x, Y: b.y})
	made.SetAngle(b.angle)
	if !k.static {
		made.SetVelocity(b.vx, b.vy)
		made.SetAngularVelocity(b.w)
	}
	e.space.AddBody(made)
	shape := cp.NewCircle(made, k.radius, cp.Vector{})
	if k.corners != nil {
		var corners []cp.Vector
		for _, p := range k.corners {
			corners = append(corners, cp.Vector{X: p.x, Y: p.y})
		}
		shape = cp.NewPolyShapeRaw(made, len(corners), corners, 0)
	}
	// A pair has the product.
	shape.SetFriction(math.Sqrt(sc.friction))
	shape.SetElasticity(math.Sqrt(sc.restitution))
	e.space.AddShape(shape)
	e.bodies = append(e.bodies, made)
}

func (e *chipmunk) step() { e.space.Step(tick) }

func (e *chipmunk) at(i int) (x, y, angle float64) {
	b := e.bodies[i]
	return b.Position().X, b.Position().Y, b.Angle()
}

func (e *chipmunk) mass(i int) float64 { return e.bodies[i].Mass() }
