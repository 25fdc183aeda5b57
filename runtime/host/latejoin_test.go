package host_test

import (
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/host"
	"github.com/hindcast/hindcast/runtime/internal/roomtest"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"github.com/hindcast/hindcast/world"
)

// TestLateJoinIntoALargeRoom tests that a client joins a room of 2,000 objects within
// two seconds on an average line, while the others play on.
func TestLateJoinIntoALargeRoom(t *testing.T) {
	t.Parallel()
	o := roomtest.Options(1, 2, memlink.Average())
	s := &o.Bundle.Setup
	s.Width, s.Height, s.Walls = 120, 120, nil
	s.Spawns = []world.Spawn{{Class: "Crate", Count: 2000, W: 110, H: 110, Speed: 1}}
	o.Host = func(c *host.Config) { c.Verify = false } // 2,000 objects are many to run again
	o.Client = func(_ int, c *client.Config) { c.Verify = false }
	sim := simtest.New(t, o)
	sim.Run(draws.Pick(2*time.Second, 4*time.Second))
	before := [2]room.Report{sim.Report(0), sim.Report(1)}
	late, began := sim.Join(), sim.Now
	for !late.Playing() && sim.Now < began+5*time.Second {
		sim.Run(10 * time.Millisecond)
	}
	if took := sim.Now - began; took > 2*time.Second || !late.Playing() {
		t.Errorf("in after %v: %s", took, late.Status())
	} else {
		t.Logf("in after %v, %d bytes of state", took, sim.Host.Report(sim.Now).Bytes["states"])
	}
	sim.Run(time.Second)
	if n := sim.Host.State().Len(); n < 2000 {
		t.Errorf("%d objects", n)
	}
	for i, was := range before {
		if r := sim.Report(i); r.Held != was.Held || r.Resyncs != 0 || r.Corrections.Count != 0 || r.Confirmed.Mismatched != 0 {
			t.Errorf("client %d was disturbed: %+v", i, r)
		}
	}
}
