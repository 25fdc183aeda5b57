package simtest_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/host"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/runtime/simtest/draws"
)

// TestRedundancyPreventsLostInputs tests that with the inputs of 16 ticks in each datagram,
// a line that loses a fifth of its packets, or everything for 50 ms at a time, costs no
// input. With the inputs of one tick it costs as many as the line loses, and takes fewer
// bytes.
func TestRedundancyPreventsLostInputs(t *testing.T) {
	t.Parallel()
	one := memlink.Profile{Delay: 40 * time.Millisecond, Loss: 0.2}
	bursts := memlink.Profile{Delay: 40 * time.Millisecond, Loss: 0.2, Burst: 50 * time.Millisecond}
	for _, line := range draws.Pick([]memlink.Profile{bursts}, []memlink.Profile{one, bursts}) {
		t.Run(line.String(), func(t *testing.T) {
			play := draws.Pick(5*time.Second, 10*time.Second)
			lost, sent := map[int]int{}, map[int]int64{}
			for _, redundancy := range []int{1, bundle.MaxRedundancy} {
				b := *arena(t)
				b.Rules.Redundancy = redundancy
				sim := simtest.New(t, simtest.Options{Seed: 91, Clients: 2, Profile: line, Bundle: &b, Compile: compile, Controls: chasers(t),
					Host: func(c *host.Config) { c.Verify = false }})
				sim.Run(4 * time.Second)
				before, bytes := sim.Host.Report(sim.Now), sim.Report(0).Bytes["datagrams_out"]
				sim.Run(play)
				after := sim.Host.Report(sim.Now).Inputs
				lost[redundancy] = after.Substituted - before.Inputs.Substituted
				sent[redundancy] = sim.Report(0).Bytes["datagrams_out"] - bytes
				if n := after.DroppedOld - before.Inputs.DroppedOld; n > 0 {
					t.Errorf("redundancy %d: %d inputs came too late", redundancy, n)
				}
				sim.Drain()
				sim.AgreeOnHashes()
			}
			ticks := 2 * int(play.Seconds()) * 60
			t.Logf("of %d inputs, lost %v; bytes sent %v", ticks, lost, sent)
			if lost[bundle.MaxRedundancy] > 0 || lost[1] < ticks/8 || lost[1] > ticks/3 || sent[1] >= sent[bundle.MaxRedundancy] {
				t.Errorf("lost %v of %d, bytes sent %v", lost, ticks, sent)
			}
		})
	}
}

// TestBurstsOfLossCauseNoCorrection tests lines that lose everything for 50 ms now and then,
// for a twentieth or a fifth of the time. No client is corrected, no input is lost, no client
// needs a new keyframe, and all agree.
func TestBurstsOfLossCauseNoCorrection(t *testing.T) {
	t.Parallel()
	for _, loss := range draws.Pick([]float64{0.2}, []float64{0.05, 0.2}) {
		t.Run(fmt.Sprint(loss), func(t *testing.T) {
			line := memlink.Burst()
			line.Loss = loss
			sim := simtest.New(t, simtest.Options{Seed: 92, Clients: 4, Profile: line, Bundle: arena(t), Compile: compile, Controls: chasers(t)})
			sim.Run(4 * time.Second)
			before := sim.Host.Report(sim.Now).Inputs
			play := draws.Pick(7*time.Second, 12*time.Second)
			sim.Run(play)
			host := sim.Host.Report(sim.Now)
			if host.Corrections.Count > 0 || host.Inputs.DroppedOld > before.DroppedOld || host.Inputs.Substituted > before.Substituted || host.Inputs.LateRewound == before.LateRewound {
				t.Errorf("corrections %d, inputs before %+v, after %+v", host.Corrections.Count, before, host.Inputs)
			}
			sim.Drain()
			if n := sim.AgreeOnHashes(); n < 4*50*int(play.Seconds()) {
				t.Errorf("%d ticks compared", n)
			}
			for i := range sim.Clients {
				if r := sim.Report(i); r.Resyncs > 0 || r.Held > 0 {
					t.Errorf("client %d held %d ticks, asked %d times for the world", i, r.Held, r.Resyncs)
				}
			}
		})
	}
}

// asProgram does what the program client does for players: after a lost connection it
// joins again with the player's ticket.
func asProgram(sim *simtest.Sim, d time.Duration) (returns int) {
	for end := sim.Now + d; sim.Now < end; {
		sim.Run(100 * time.Millisecond)
		for i, c := range sim.Clients {
			if errors.Is(c.Err(), client.ErrClosed) {
				sim.Return(i)
				returns++
			}
		}
	}
	return returns
}

// TestClientSurvivesSleep tests a client whose machine sleeps, with a clock that goes on or
// stands still meanwhile. After that, it plays on. If the host has closed the connection, the
// client returns by itself, with the objects of its player if the grace time is not over.
func TestClientSurvivesSleep(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		sleep, grace time.Duration
		returns      bool
		keeps        bool
	}{
		{3 * time.Second, 30 * time.Second, false, true},
		{20 * time.Second, 30 * time.Second, true, true},
		{time.Minute, 90 * time.Second, true, true},
		{time.Minute, 30 * time.Second, true, false},
	} {
		if !draws.Full() && c.sleep == time.Minute && c.keeps {
			continue // a sleep of 20 s shows it as well
		}
		for _, stands := range draws.Pick([]bool{true}, []bool{false, true}) {
			t.Run(fmt.Sprintf("%v of %v, clock stands %v", c.sleep, c.grace, stands), func(t *testing.T) {
				t.Parallel()
				b := *arena(t)
				b.Setup.GraceTicks, b.Setup.Spawns = b.Ticks(c.grace), nil
				sim := simtest.New(t, simtest.Options{Seed: 93, Clients: 2, Profile: memlink.Average(), Bundle: &b, Compile: compile,
					Controls: func(i int) client.Controls { return simtest.Bot(t, "circle") },
					Host:     func(c *host.Config) { c.Verify = false }})
				sim.Run(4 * time.Second)
				player := sim.Clients[0].Player()
				ships := owned(sim.Host.State(), player)
				sim.SuspendClient(0, c.sleep, stands)
				sim.Run(c.sleep)
				if n := asProgram(sim, 8*time.Second); (n > 0) != c.returns {
					t.Errorf("it came back %d times", n)
				}
				awake := sim.Clients[0]
				now := owned(sim.Host.State(), awake.Player())
				if !awake.Playing() || len(now) != 1 || (now[0] == ships[0]) != c.keeps {
					t.Errorf("player %d is %s (%v), has %v; was player %d with %v", awake.Player(), awake.Status(), awake.Err(), now, player, ships)
				}
				if n := sim.Host.Players(); n != 2 {
					t.Errorf("%d players", n)
				}
				sim.Drain()
				sim.AgreeOnHashes()
			})
		}
	}
}

// TestPlayersReturnAfterACut tests a cut of 10 s. Clients whose connection has timed
// out return by themselves, and steer their ships again within 3 s.
func TestPlayersReturnAfterACut(t *testing.T) {
	t.Parallel()
	sim := inGrace(t, 1800)
	player := sim.Clients[0].Player()
	ships := owned(sim.Host.State(), player)
	sim.Net.Cut(0, true)
	for range 10 { // during the cut no new connection opens either
		sim.Run(time.Second)
	}
	sim.Net.Cut(0, false)
	asProgram(sim, 3*time.Second)
	plays(t, sim, 0, player, ships)
}
