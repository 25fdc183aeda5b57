package space_test

import (
	"math"
	"testing"

	"github.com/hindcast/hindcast/world/physics"
	"github.com/hindcast/hindcast/world/physics/space"
)

// A world with a joint of each kind has the same hash after five seconds on every CPU: the
// numbers that AddBody and AddJoint compute have the same bits as well.
func TestGoldenSpace(t *testing.T) {
	y := newYard()
	for i, kind := range []physics.JointKind{physics.Distance, physics.Hinge, physics.Weld, physics.Slider, physics.Wheel, physics.Target} {
		x := float64(3*i) - 8
		a := space.Must(y.AddBody(y.crateDef, physics.Pose{X: x, Y: 4, Angle: 0.3 * float64(i)}))
		b := space.Must(y.AddBody(y.ballDef, physics.Pose{X: x + 1, Y: 5.5}))
		j := space.Joint{Kind: kind, A: a, B: b, At: physics.Vec{X: x + 0.4, Y: 4.8}}
		switch kind {
		case physics.Slider, physics.Wheel:
			j.Axis, j.Limits = physics.Vec{X: 0.3, Y: 1}, &space.Limits{Min: -0.5, Max: 1}
			j.Motor = &space.Motor{Speed: 2, MaxForce: 20}
		case physics.Distance, physics.Target:
			j.To, j.Spring = &physics.Vec{X: x + 1, Y: 5.2}, &space.Spring{Hertz: 3, Damping: 0.3}
		}
		if kind == physics.Target {
			j.MaxForce = 200
		}
		space.Must(y.AddJoint(j))
		if err := y.ChangeBody(b, func(b *physics.Body, d *physics.Def) { b.ApplyImpulse(d, math.Sqrt2, float64(i)) }); err != nil {
			t.Fatal(err)
		}
	}
	y.steps(300)
	const want = 0x9f8870c35d600a97
	if got := y.Hash(); got != want {
		t.Errorf("hash %#016x, want %#016x", got, uint64(want))
	}
}
