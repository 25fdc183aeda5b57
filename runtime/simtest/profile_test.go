package simtest_test

import (
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/host"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/world"
)

// TestProfileOfHooks tests that the profile counts calls and instructions by class and
// hook, the same for the same match. Re-runs are counted separately. Times come from
// the program's stopwatch.
func TestProfileOfHooks(t *testing.T) {
	t.Parallel()
	play := func() (h, client map[string]map[string]room.HookProfile, ticks world.Tick) {
		var clock time.Duration
		sim := simtest.New(t, simtest.Options{Seed: 31, Clients: 2, Profile: memlink.Bad(), Bundle: arena(t), Compile: compile, Controls: chasers(t),
			Host: func(c *host.Config) {
				c.Verify = false
				c.Stopwatch = func() time.Duration { clock += time.Microsecond; return clock }
			}})
		sim.Run(8 * time.Second)
		return sim.Host.Report(sim.Now).Classes, sim.Report(0).Classes, sim.Host.Now()
	}
	host, client, ticks := play()
	drone := host["Drone"]["think"]
	if drone.Calls != 2*int(ticks) {
		t.Errorf("two drones thought %d times in %d ticks", drone.Calls, ticks)
	}
	if drone.Reruns == 0 || client["Drone"]["think"].Reruns == 0 {
		t.Errorf("nothing was run again: host %+v, client %+v", drone, client["Drone"]["think"])
	}
	if per := float64(drone.Instructions) / float64(drone.Calls+drone.Reruns); per < 10 || per > 500 {
		t.Errorf("%.1f instructions a call", per)
	}
	// One sample takes one microsecond by that clock.
	if want := float64(drone.Calls+drone.Reruns) / 1000; drone.MS < 0.99*want || drone.MS > 1.01*want {
		t.Errorf("%v ms, want %v", drone.MS, want)
	}
	if ms := client["Drone"]["think"].MS; ms != 0 {
		t.Errorf("%v ms without a stopwatch", ms)
	}
	if _, has := host["Crate"]; has {
		t.Error("a class without hooks has a profile")
	}
	if host["game"]["onJoin"].Calls != 2 {
		t.Errorf("onJoin: %+v", host["game"]["onJoin"])
	}
	again, _, _ := play()
	if again["Ship"]["applyInput"] != host["Ship"]["applyInput"] {
		t.Errorf("the same match, another profile: %+v %+v", again["Ship"], host["Ship"])
	}
}
