package timeline_test

import (
	"math"
	"testing"

	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/internal/stub"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
)

// TestProxy follows a proxy through a client's history: it enters in the past, continues at its
// velocity, freezes without updates, is moved, and is removed.
func TestProxy(t *testing.T) {
	script, err := stub.CompileWild([]world.Source{{Text: "first Crate:interpolate"}}, bundle.DefaultSetup())
	if err != nil {
		t.Fatal(err)
	}
	tl := timeline.New(script, timeline.Options{States: 64, Client: 1, Check: true})
	step := func(n int) {
		for range n {
			tl.Rewind()
			tl.Step()
		}
	}
	where := func() (x float64, here bool) {
		tl.Rewind()
		if d := tl.Verify(1); d != nil {
			t.Fatalf("not what running everything again gives: %v", d)
		}
		s := tl.At(tl.Now())
		slot, ok := s.Find(77)
		if !ok {
			return 0, false
		}
		return s.Body(slot).X, true
	}
	class, _ := script.Schema().ClassByName("Crate")
	at := world.ProxyUpdate{Object: 77, Bundle: 1, Class: uint16(class), Pose: physics.Pose{X: 1}, Velocity: physics.Velocity{VX: 6}}
	step(10)
	tl.Replicate(5, at, 20)
	expect := func(what string, x float64, here bool) {
		t.Helper()
		if got, there := where(); there != here || math.Abs(got-x) > 1e-9 {
			t.Errorf("tick %d, %s: at %v, %v; want %v, %v", tl.Now(), what, got, there, x, here)
		}
	}
	expect("entered 5 ticks ago", 1.5, true)
	step(30)
	expect("held after 20 ticks", 3, true)
	at.X = -4
	tl.Replicate(35, at, 20)
	expect("put elsewhere 5 ticks ago", -3.5, true)
	tl.Replicate(38, world.ProxyUpdate{Object: 77, Gone: true}, 20)
	expect("gone 2 ticks ago", 0, false)
}
