package world

import (
	"math"

	"github.com/hindcast/hindcast/world/physics"
)

// Bump is a contact of moveAndSlide with an obstacle. The normal is a unit vector out of
// the obstacle.
type Bump struct {
	Object           ObjectID
	X, Y             float64 // the point of contact, metres
	NormalX, NormalY float64 // unit vector
}

// moveAndSlide moves the acting object at once by dx, dy metres, and slides it along obstacles:
// the bodies of the layers that it collides with, as they were when the order began. It returns
// the contacts in their order, valid until the next call. If the object overlaps an obstacle,
// it is pushed out first.
func (w *World) moveAndSlide(dx, dy float64) ([]Bump, error) {
	body := *w.Now.Body(w.acting.slot())
	if body.Key == 0 {
		return nil, ErrBody
	}
	def := &w.Schema().Defs[body.Def]
	mover := physics.Mover{Shape: def.Shape, Angle: body.Angle, Mask: def.Collides, Ignore: body.Key}
	from, move := body.Position(), physics.Vec{X: dx, Y: dy}
	to := from
	f := w.finder()
	bumps := w.lookup.slide(func(memory []physics.Bump) (met []physics.Bump) {
		to, met = mover.Move(f, from, move, memory)
		return met
	}, w.Now.Objects)
	w.lookup.done(f)
	c := def.Centre()
	margin := def.Reach() + math.Abs(c.X) + math.Abs(c.Y) + math.Abs(dx) + math.Abs(dy) + mover.Freed + queryMargin
	w.readRegion(regionAround(from.X, from.Y, to.X, to.Y, margin))
	if f.Over() {
		return nil, nil
	}
	return bumps, w.do(Op{Target: w.actorID(), Kind: SetPosition, A: to.X, B: to.Y})
}
