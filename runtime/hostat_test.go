package runtime_test

import (
	"errors"
	"math"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime"
	"github.com/hindcast/hindcast/runtime/internal/stub"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

// TestHostAt tests that a host reads the ticks that it keeps, and times between two of them, and
// returns an error for others.
func TestHostAt(t *testing.T) {
	host, err := runtime.NewHost(runtime.HostConfig{Bundle: stub.Game(), Compile: stub.Compile, Link: memlink.New(1).Host(), Verify: true})
	if err != nil {
		t.Fatal(err)
	}
	for now := time.Duration(0); host.Now() < 200; now += host.TickLength() {
		if err := host.Tick(now); err != nil {
			t.Fatal(err)
		}
	}
	last := host.Now()
	crate := host.Reader().State().Objects[host.Reader().State().Run[0]].ID
	x := func(tick world.Tick, fraction float64) (x float64) {
		t.Helper()
		if err := host.At(tick, fraction, func(r world.Reader) {
			at, err := r.Placement(crate)
			if err != nil || r.Tick() != tick {
				t.Fatal(r.Tick(), err)
			}
			x = at.X
		}); err != nil {
			t.Fatal(err)
		}
		return x
	}
	before, half, end := x(last, 0), x(last, 0.5), x(last, 1)
	if slot, _ := host.State().Find(crate); end != host.State().Body(slot).X || math.Abs(half-(before+end)/2) > 1e-3 || math.Abs(before-x(last-1, 1)) > 1e-3 {
		t.Errorf("x is %v, %v and %v; the state has %v", before, half, end, host.State().Body(slot).X)
	}
	none := func(world.Reader) {}
	if err := host.At(last+1, 1, none); !errors.Is(err, timeline.ErrAhead) {
		t.Error(err)
	}
	if err := host.At(1, 1, none); !errors.Is(err, timeline.ErrTooOld) {
		t.Error(err)
	}
	if err := host.At(host.Committed()-host.Committed()%4-1, 1, none); !errors.Is(err, timeline.ErrThinned) {
		t.Error(err)
	}
	for _, fraction := range []float64{-0.1, 1.1, math.NaN()} {
		if err := host.At(last, fraction, none); err == nil {
			t.Errorf("a fraction of %v is taken", fraction)
		}
	}
}
