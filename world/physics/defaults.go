package physics

import "math"

// NewDef returns a Def of these shapes with usual values in place of zeros: friction 0.6,
// on layer 1, colliding with all layers. A dynamic body also gets a density of 1 kg a
// square metre and a gravity scale of 1. Change what you like, then call Prepare.
func NewDef(t BodyType, shapes ...Shape) Def {
	d := Def{Type: t, Friction: 0.6, Layer: 1, Collides: math.MaxUint64}
	if t == Dynamic {
		d.Density, d.GravityScale = 1, 1
	}
	if len(shapes) == 1 {
		d.Shape = shapes[0]
	} else {
		d.Shapes = shapes
	}
	return d
}

// NewParams returns the Params of a world that makes hertz steps a second: gravity is
// 10 m/s2 downwards, a step has 4 sub-steps, islands sleep after 0.5 s at rest, and
// contacts that close in at 1 m/s are hits.
func NewParams(hertz float64) Params {
	return Params{DT: 1 / hertz, GravityY: -10, Substeps: 4, SleepAfter: 0.5, HitSpeed: 1}
}
