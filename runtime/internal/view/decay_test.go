package view

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"github.com/hindcast/hindcast/world/physics"
	"pgregory.net/rapid"
)

// An error is hidden completely at first, and then decays smoothly and without
// overshooting.
func TestErrorsDecay(t *testing.T) {
	e := Decay{now: time.Second}
	e.Displace(someone, physics.Pose{X: 1, Y: -0.5, Angle: 0.2})
	last, step, frames := e.Apply(someone, physics.Pose{}), 0.0, 0
	if last != (physics.Pose{X: 1, Y: -0.5, Angle: 0.2}) {
		t.Fatalf("drawn at %+v", last)
	}
	for now := e.now; len(e.errors) > 0; frames++ {
		now += time.Second / 60
		e.Advance(now)
		at := e.Apply(someone, physics.Pose{})
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

// How far an error has decayed depends on the time, not on the number of frames.
func TestDecayAtAnyFrameRate(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		var once, often Decay
		once.Displace(someone, physics.Pose{X: 1, Y: 2, Angle: -0.5})
		often.Displace(someone, physics.Pose{X: 1, Y: 2, Angle: -0.5})
		now := time.Duration(0)
		for range rapid.IntRange(1, 20).Draw(t, "frames") {
			now += time.Duration(rapid.IntRange(0, 40).Draw(t, "ms")) * time.Millisecond
			often.Advance(now)
		}
		once.Advance(now)
		a, b := once.Apply(someone, physics.Pose{}), often.Apply(someone, physics.Pose{})
		if d := Offset(b, a); distance(d) > 1e-3 || math.Abs(d.Angle) > 1e-3 {
			t.Fatalf("once %+v, often %+v", a, b)
		}
	})
}

// Errors add up. One that is too great is not hidden, nor is a negligible one.
func TestDecaySnaps(t *testing.T) {
	var e Decay
	e.Displace(someone, physics.Pose{})
	e.Displace(someone+1, physics.Pose{X: decaySnap + 0.1, Y: 0, Angle: 0})
	if len(e.errors) != 0 {
		t.Errorf("hidden: %+v", e.errors)
	}
	e.Displace(someone, physics.Pose{X: 1, Y: 0, Angle: 3})
	e.Displace(someone, physics.Pose{X: 1, Y: 0, Angle: 0.5})
	if at := e.Apply(someone, physics.Pose{X: 10}); at.X != 12 || math.Abs(at.Angle-(3.5-2*math.Pi)) > 1e-9 {
		t.Errorf("two errors make %+v", at)
	}
	if e.Displace(someone, physics.Pose{X: decaySnap - 1}); len(e.errors) != 0 {
		t.Errorf("%+v is beyond the snap", e.errors)
	}
}

// TestErrorsKeepTheirSpeed tests that an error that grows and turns while it shrinks moves at the most speed at most,
// also what is a metre from the middle.
func TestErrorsKeepTheirSpeed(t *testing.T) {
	const most = 4.0
	e := Decay{MaxSpeed: most, MaxError: 100}
	rng, now := rand.New(rand.NewPCG(5, 6)), time.Duration(0)
	for frame := range 600 {
		if frame%3 == 0 && frame < 300 {
			e.Displace(someone, physics.Pose{X: rng.Float64() * 4, Y: rng.Float64()*4 - 2, Angle: rng.Float64()*2 - 1})
		}
		was := e.Apply(someone, physics.Pose{})
		now += time.Second / 60
		e.Advance(now)
		is := e.Apply(someone, physics.Pose{})
		d, w := distance(Offset(was, is)), math.Abs(arc(was.Angle, is.Angle))
		if d+w > most/60+1e-9 && d+w > decayLeast {
			t.Fatalf("frame %d: the error moves by %v m and turns by %v rad", frame, d, w)
		}
		if w > decayTurn/60+1e-9 && w > decayLeast {
			t.Fatalf("frame %d: the error turns by %v rad, at %v rad/s", frame, w, w*60)
		}
	}
}
