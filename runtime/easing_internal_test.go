package runtime

import (
	"math"
	"testing"
	"time"

	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
	"pgregory.net/rapid"
)

const someone world.ObjectID = 7

// An error is hidden whole at first, and then dies away without a jerk and
// without swinging past 0.
func TestErrorDiesAway(t *testing.T) {
	e := easing{at: time.Second}
	e.moved(someone, physics.Pose{X: 1, Y: -0.5, Angle: 0.2})
	last, step, frames := e.drawn(someone, physics.Pose{}), 0.0, 0
	if last != (physics.Pose{X: 1, Y: -0.5, Angle: 0.2}) {
		t.Fatalf("drawn at %+v", last)
	}
	for now := e.at; len(e.lags) > 0; frames++ {
		now += time.Second / 60
		e.to(now)
		at := e.drawn(someone, physics.Pose{})
		if at.X < 0 || at.X > last.X || at.Y > 0 || at.Angle < 0 {
			t.Fatalf("after %d frames it is at %+v, before at %+v", frames, at, last)
		}
		if part := math.Abs(at.X*-0.5 - at.Y); part > 1e-9 {
			t.Fatalf("not on the straight way: %+v", at)
		}
		step, last = max(step, last.X-at.X), at
	}
	if step > 0.06 || frames > 120 {
		t.Errorf("1 m went in steps of up to %v m, in %d frames", step, frames)
	}
}

// How far an error has died away depends on the time, not on how often it was
// looked at.
func TestEasingAtAnyFrameRate(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		var once, often easing
		once.moved(someone, physics.Pose{X: 1, Y: 2, Angle: -0.5})
		often.moved(someone, physics.Pose{X: 1, Y: 2, Angle: -0.5})
		now := time.Duration(0)
		for range rapid.IntRange(1, 20).Draw(t, "frames") {
			now += time.Duration(rapid.IntRange(0, 40).Draw(t, "ms")) * time.Millisecond
			often.to(now)
		}
		once.to(now)
		a, b := once.drawn(someone, physics.Pose{}), often.drawn(someone, physics.Pose{})
		if d := offset(b, a); distance(d) > 1e-3 || math.Abs(d.Angle) > 1e-3 {
			t.Fatalf("once %+v, often %+v", a, b)
		}
	})
}

// Errors add up; what is too far is not hidden, nor what is nothing.
func TestEasingSnaps(t *testing.T) {
	var e easing
	e.moved(someone, physics.Pose{})
	e.moved(someone+1, physics.Pose{X: easeSnap + 0.1, Y: 0, Angle: 0})
	if len(e.lags) != 0 {
		t.Errorf("hidden: %+v", e.lags)
	}
	e.moved(someone, physics.Pose{X: 1, Y: 0, Angle: 3})
	e.moved(someone, physics.Pose{X: 1, Y: 0, Angle: 0.5})
	if at := e.drawn(someone, physics.Pose{X: 10}); at.X != 12 || math.Abs(at.Angle-(3.5-2*math.Pi)) > 1e-9 {
		t.Errorf("two errors make %+v", at)
	}
	if e.moved(someone, physics.Pose{X: 2}); len(e.lags) != 0 {
		t.Errorf("%+v is beyond the snap", e.lags)
	}
}

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
		t.Error("a leap has no way between")
	}
	if leapt(physics.Pose{X: 1.3}, 10, 0, 1.0/60) || !leapt(physics.Pose{X: 1.4}, 10, 0, 1.0/60) {
		t.Error("10 m/s make a sixth of a metre in a tick: up to 1.33 m is no leap")
	}
}
