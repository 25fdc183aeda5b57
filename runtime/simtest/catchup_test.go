package simtest_test

import (
	"errors"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/world"
)

// TestCatchUpLimitsTheTicksOfAnUpdate: on the way to the present, a client simulates as many ticks in
// one Update as its configuration allows, and fewer need more Updates.
func TestCatchUpLimitsTheTicksOfAnUpdate(t *testing.T) {
	t.Parallel()
	// join returns the most ticks that a late joiner ran in one poll before it played along, and in how many polls.
	join := func(catchUp int) (most, polls int) {
		sim := simtest.New(t, simtest.Options{Seed: 2, Clients: 2, Profile: memlink.LAN(), Bundle: pushingBundle(), Compile: compile,
			Controls: func(int) client.Controls { return &presser{} },
			Client:   func(_ int, cfg *client.Config) { cfg.CatchUp = catchUp }})
		sim.Run(3 * time.Second)
		late := sim.Join()
		var before world.Tick
		for end := sim.Now + 3*time.Second; sim.Now < end; {
			sim.Run(simtest.PollEvery)
			now := late.Now()
			if before != 0 && now > before {
				most = max(most, int(now-before))
				if now < sim.Host.State().Tick {
					polls++
				}
			}
			before = now
		}
		if late.Now() < sim.Host.State().Tick {
			t.Errorf("with %d ticks an Update: it did not get to the present", catchUp)
		}
		sim.Drain()
		if sim.AgreeOnHashes() == 0 || sim.Failed() != nil {
			t.Errorf("with %d ticks an Update: %v", catchUp, sim.Failed())
		}
		return most, polls
	}
	most, polls := join(0)
	few, slow := join(2)
	t.Logf("at most %d ticks in a poll and %d polls behind the host; with CatchUp %d and %d", most, polls, few, slow)
	if few > 2 || most < 10 || slow < polls+5 {
		t.Errorf("at most %d ticks in a poll and %d polls behind the host; with CatchUp %d and %d", most, polls, few, slow)
	}
}

// TestCatchUpAfterALateFrame: a client whose process slept simulates as many ticks in one Update as its
// configuration allows, until it is at the present again.
func TestCatchUpAfterALateFrame(t *testing.T) {
	t.Parallel()
	for catchUp, want := range map[int]int{0: 16, 3: 3, 40: 24} {
		sim := simtest.New(t, simtest.Options{Seed: 2, Clients: 1, Profile: memlink.Off(), Bundle: pushingBundle(), Compile: compile,
			Controls: func(int) client.Controls { return &presser{} },
			Client:   func(_ int, cfg *client.Config) { cfg.CatchUp = catchUp }})
		sim.Run(2 * time.Second)
		sim.SleepClient(0, 400*time.Millisecond) // 24 ticks
		most, c := 0, sim.Clients[0]
		for end := sim.Now + 2*time.Second; sim.Now < end; {
			before := c.Now()
			sim.Run(simtest.PollEvery)
			most = max(most, int(c.Now()-before))
		}
		if most < want || most > want+1 || c.Now()+1 < sim.Host.State().Tick {
			t.Errorf("CatchUp %d: at most %d ticks in an Update, want %d; tick %d, the host's is %d", catchUp, most, want, c.Now(), sim.Host.State().Tick)
		}
		sim.Drain()
		sim.AgreeOnHashes()
	}
}

func TestCatchUpOutOfRange(t *testing.T) {
	for _, n := range []int{-1, client.MaxCatchUp + 1} {
		if c := client.New(client.Config{CatchUp: n}); !errors.Is(c.Err(), room.ErrConfig) {
			t.Errorf("CatchUp %d: %v", n, c.Err())
		}
	}
}
