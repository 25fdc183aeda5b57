package runtime

import (
	"math"
	"testing"
	"time"

	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"github.com/hindcast/hindcast/world"
	"pgregory.net/rapid"
)

const someone world.ObjectID = 7

// An error is hidden whole at first, and then dies away without a jerk and
// without swinging past 0.
func TestErrorDiesAway(t *testing.T) {
	e := easing{at: time.Second}
	e.moved(someone, pose{1, -0.5, 0.2})
	last, step, frames := e.drawn(someone, pose{}), 0.0, 0
	if last != (pose{1, -0.5, 0.2}) {
		t.Fatalf("drawn at %+v", last)
	}
	for now := e.at; len(e.lags) > 0; frames++ {
		now += time.Second / 60
		e.to(now)
		at := e.drawn(someone, pose{})
		if at.x < 0 || at.x > last.x || at.y > 0 || at.angle < 0 {
			t.Fatalf("after %d frames it is at %+v, before at %+v", frames, at, last)
		}
		if part := math.Abs(at.x*-0.5 - at.y); part > 1e-9 {
			t.Fatalf("not on the straight way: %+v", at)
		}
		step, last = max(step, last.x-at.x), at
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
		once.moved(someone, pose{1, 2, -0.5})
		often.moved(someone, pose{1, 2, -0.5})
		now := time.Duration(0)
		for range rapid.IntRange(1, 20).Draw(t, "frames") {
			now += time.Duration(rapid.IntRange(0, 40).Draw(t, "ms")) * time.Millisecond
			often.to(now)
		}
		once.to(now)
		a, b := once.drawn(someone, pose{}), often.drawn(someone, pose{})
		if d := a.from(b); d.distance() > 1e-3 || math.Abs(d.angle) > 1e-3 {
			t.Fatalf("once %+v, often %+v", a, b)
		}
	})
}

// Errors add up; what is too far is not hidden, nor what is nothing.
func TestEasingSnaps(t *testing.T) {
	var e easing
	e.moved(someone, pose{})
	e.moved(someone+1, pose{easeSnap + 0.1, 0, 0})
	if len(e.lags) != 0 {
		t.Errorf("hidden: %+v", e.lags)
	}
	e.moved(someone, pose{1, 0, 3})
	e.moved(someone, pose{1, 0, 0.5})
	if at := e.drawn(someone, pose{x: 10}); at.x != 12 || math.Abs(at.angle-(3.5-2*math.Pi)) > 1e-9 {
		t.Errorf("two errors make %+v", at)
	}
	if e.moved(someone, pose{x: 2}); len(e.lags) != 0 {
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
	p, q := pose{0, 0, 3}, pose{4, 2, -3}
	half := p.towards(q, 0.5, false)
	if half.x != 2 || half.y != 1 || math.Abs(math.Abs(half.angle)-math.Pi) > 1e-12 {
		t.Errorf("half way is %+v", half)
	}
	if p.towards(q, 0.9, true) != p || p.towards(q, 1, true) != q {
		t.Error("a leap has no way between")
	}
	if leapt(pose{x: 1.3}, 10, 0, 1.0/60) || !leapt(pose{x: 1.4}, 10, 0, 1.0/60) {
		t.Error("10 m/s make a sixth of a metre in a tick: up to 1.33 m is no leap")
	}
}
