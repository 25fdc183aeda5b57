package host_test

import (
	"errors"
	"math"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/host"
	"github.com/hindcast/hindcast/runtime/internal/stub"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

// TestHostAt tests that a host reads the ticks that it keeps, and times between two of them, and
// returns an error for others.
func TestHostAt(t *testing.T) {
	host, err := host.New(host.Config{Bundle: stub.Game(), Compile: stub.Compile, Link: memlink.New(1).Host(), Verify: true})
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
	thinned := host.Committed() - host.Committed()%4 - 2
	if from, at, to := x(thinned-2, 1), x(thinned, 1), x(thinned+2, 1); host.StateAt(thinned) != nil || math.Abs(at-(from+to)/2) > 1e-3 {
		t.Errorf("between %v and %v, x is %v at tick %d, whose state is kept: %v", from, to, at, thinned, host.StateAt(thinned) != nil)
	}
	for _, fraction := range []float64{-0.1, 1.1, math.NaN()} {
		if err := host.At(last, fraction, none); err == nil {
			t.Errorf("a fraction of %v is taken", fraction)
		}
	}
}

// TestClientAt: a client that predicts reads the ticks that it keeps, the predicted ones too. Other
// clients say that they do not simulate.
func TestClientAt(t *testing.T) {
	network := memlink.New(1)
	host, err := host.New(host.Config{Bundle: stub.Game(), Compile: stub.Compile, Link: network.Host(), Verify: true})
	if err != nil {
		t.Fatal(err)
	}
	join := func(k client.Kind) *client.Client {
		return client.New(client.Config{Kind: k, Link: network.Dial(memlink.LAN(), memlink.LAN()), Compile: stub.Compile, Verify: true})
	}
	predictor, spectator := join(client.Predictor), join(client.Spectator)
	none := func(world.Reader) {}
	if err := predictor.At(1, 1, none); !errors.Is(err, timeline.ErrAhead) {
		t.Error(err)
	}
	for now := time.Duration(0); now < 5*time.Second; now += 4 * time.Millisecond {
		host.Poll(now)
		if err := host.Update(now); err != nil {
			t.Fatal(err)
		}
		for _, c := range []*client.Client{predictor, spectator} {
			c.Poll(now)
			c.Update(now)
		}
	}
	x := func(at func(world.Tick, float64, func(world.Reader)) error, tick world.Tick) (x float64) {
		if err := at(tick, 1, func(r world.Reader) { x = r.State().Body(int(r.State().Run[0])).X }); err != nil {
			t.Error(err)
		}
		return x
	}
	confirmed := predictor.Confirmed()
	if mine, theirs := x(predictor.At, confirmed), x(host.At, confirmed); mine != theirs || confirmed < 100 {
		t.Errorf("after the confirmed tick %d x is %v, on the host %v", confirmed, mine, theirs)
	}
	now, _ := predictor.Reader()
	if got, want := x(predictor.At, predictor.Now()), now.State().Body(int(now.State().Run[0])).X; got != want || predictor.Now() <= host.Now() {
		t.Errorf("at the present, %d, x is %v, want %v", predictor.Now(), got, want)
	}
	if err := predictor.At(1, 1, none); !errors.Is(err, timeline.ErrTooOld) {
		t.Error(err)
	}
	if err := spectator.At(confirmed, 1, none); !errors.Is(err, client.ErrKind) {
		t.Error(err)
	}
}
