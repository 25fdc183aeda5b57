package simtest_test

import (
	"flag"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/runtime/simtest/draws"
)

var long = flag.Bool("long", false, "play 64 clients for 10 minutes on awful lines, instead of 5 for 13 seconds, or 6 for 60 in a full run")

// TestCrowdOnAwfulLines tests that host and clients agree on awful lines, that rewinds
// simulate only a part of the world, and that check mode and the replay find the same
// bits.
func TestCrowdOnAwfulLines(t *testing.T) {
	t.Parallel()
	clients, play := draws.Pick(5, 6), draws.Pick(9*time.Second, 60*time.Second)
	if *long {
		clients, play = 64, 10*time.Minute
	}
	sim := simtest.New(t, simtest.Options{Seed: 21, Clients: clients, Profile: memlink.Awful(), Bundle: arena(t), Compile: compile, Controls: chasers(t),
		Client: func(i int, c *client.Config) { c.Verify = !*long || i%16 == 0 }}) // check mode costs more than the rest; all are compared by hash
	sim.Run(play)
	sim.Drain()
	compared := sim.AgreeOnHashes()
	if least := clients * int(play.Seconds()-8) * 60; compared < least {
		t.Errorf("%d ticks compared, want at least %d", compared, least)
	}
	r := sim.Host.Report(sim.Now).Rewinds
	if r.Count < 20 || r.ObjectsReRun == 0 || r.ObjectsReRun*4 > r.ObjectsInFull*3 || r.Whole.Sum() == r.TicksRun {
		t.Errorf("%+v", r)
	}
	t.Logf("rewinds %+v, compared %d", r, compared)
}
