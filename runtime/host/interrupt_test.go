package host_test

import (
	"errors"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/host"
	"github.com/hindcast/hindcast/runtime/internal/roomtest"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/runtime/timeline"
)

// TestHostEndsWithinATick: a host that gives a tick up simulates no more, and tells its players why it ends.
func TestHostEndsWithinATick(t *testing.T) {
	t.Parallel()
	o := roomtest.Options(1, 2, memlink.LAN())
	stop := false
	o.Host = func(cfg *host.Config) { cfg.Stop = func() bool { return stop } }
	sim := simtest.New(t, o)
	sim.Run(2 * time.Second)
	stop = true
	last := sim.Host.Committed()
	for range 3 {
		if err := sim.Host.Tick(sim.Now); !errors.Is(err, timeline.ErrInterrupted) {
			t.Fatalf("the tick ends with %v", err)
		}
	}
	if sim.Host.Committed() != last {
		t.Error("what was given up is committed")
	}
	sim.Host.End(sim.Now, &room.RestartError{Reason: "it was interrupted"}, true)
	sim.SleepHost(5 * time.Second) // it has no more ticks
	for range 200 {
		sim.Host.Poll(sim.Now)
		sim.Run(10 * time.Millisecond)
	}
	for i := range 2 {
		if err := sim.Clients[i].Err(); !errors.Is(err, room.ErrRestarting) {
			t.Errorf("client %d ends with %v", i, err)
		}
	}
}
