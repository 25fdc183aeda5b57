package view

import (
	"math"
	"testing"

	"github.com/hindcast/hindcast/world/physics"
)

func TestPoses(t *testing.T) {
	for _, c := range []struct{ from, to, way float64 }{
		{0, 1, 1}, {3, -3, 2*math.Pi - 6}, {-3, 3, 6 - 2*math.Pi}, {1, 1, 0},
	} {
		if got := arc(c.from, c.to); math.Abs(got-c.way) > 1e-12 {
			t.Errorf("from %v to %v are %v, not %v", c.from, c.to, got, c.way)
		}
	}
	p, q := physics.Pose{X: 0, Y: 0, Angle: 3}, physics.Pose{X: 4, Y: 2, Angle: -3}
	half := towards(p, q, 0.5, false)
	if half.X != 2 || half.Y != 1 || math.Abs(math.Abs(half.Angle)-math.Pi) > 1e-12 {
		t.Errorf("half way is %+v", half)
	}
	if towards(p, q, 0.9, true) != p || towards(p, q, 1, true) != q {
		t.Error("a teleported body has no way between")
	}
	if teleported(physics.Pose{X: 1.3}, 10, 0, 1.0/60) || !teleported(physics.Pose{X: 1.4}, 10, 0, 1.0/60) {
		t.Error("10 m/s make a sixth of a metre in a tick: up to 1.33 m is no teleport")
	}
}
