package host_test

import (
	"strings"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/host"
	"github.com/hindcast/hindcast/runtime/internal/roomtest"
	"github.com/hindcast/hindcast/runtime/internal/stub"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

func TestLateInputsAreRewoundAndEveryoneAgrees(t *testing.T) {
	t.Parallel()
	sim := simtest.New(t, simtest.Options{Seed: 1, Clients: 4, Profile: memlink.Bad(), Bundle: stub.Game(), Compile: stub.Compile,
		Controls: roomtest.Wanderers, Host: func(c *host.Config) { c.Verify = true }})
	sim.Run(20 * time.Second)
	sim.Drain()
	if n := sim.AgreeOnHashes(); n < 4*1100 {
		t.Errorf("%d ticks compared", n)
	}
	r := sim.Host.Report(sim.Now)
	if r.Inputs.LateRewound < 100 || r.Rewinds.Count < 20 || r.Rewinds.Ticks.Max < 2 || r.VerifiedTicks == 0 {
		t.Errorf("too little happened: %+v %+v", r.Inputs, r.Rewinds)
	}
	if sum := r.Inputs.OnTime + r.Inputs.EarlyHeld + r.Inputs.LateRewound + r.Inputs.Duplicate + r.Inputs.DroppedOld + r.Inputs.Refused; sum != r.Inputs.Received {
		t.Errorf("inputs don't add up: %+v", r.Inputs)
	}
	for i := range sim.Clients {
		r := sim.Report(i)
		if r.Repredictions.Count == 0 || r.Corrections.Count != 0 {
			t.Errorf("client %d: repredictions %+v, corrections %+v", i, r.Repredictions, r.Corrections)
		}
		if states, all := r.Bytes["states"], r.Bytes["datagrams_in"]; states > 20000 || all < 50000 {
			t.Errorf("client %d: %d bytes of states, %d of datagrams", i, states, all)
		}
	}
}

func TestFlippedBitIsNamedByEveryClient(t *testing.T) {
	t.Parallel()
	sim := simtest.New(t, simtest.Options{Seed: 2, Clients: 2, Profile: memlink.Average(), Bundle: stub.Game(), Compile: stub.Compile,
		Controls: roomtest.Wanderers, Host: func(c *host.Config) { c.Fault = timeline.Fault{Tick: 300, Object: 6} }})
	sim.RunUntil(15*time.Second, "every client names the difference", sim.Desynced)
	for i, c := range sim.Clients {
		d := c.Desync()
		if d.Tick != 300 || len(d.Differences) == 0 || d.Differences[0].Field != "body.x" || d.Differences[0].Object == 0 {
			t.Errorf("client %d: %v", i, d)
		}
		if !strings.Contains(d.Error(), "tick 300") || !strings.Contains(d.Error(), d.Differences[0].Object.String()) {
			t.Errorf("client %d says %q", i, d)
		}
	}
}

func TestFalseClaimIsCorrectedOncePerRoundTrip(t *testing.T) {
	t.Parallel()
	lies := &roomtest.Liar{Lie: func(c *wire.Claim) { c.X += 3 }}
	sim := simtest.New(t, simtest.Options{Seed: 3, Clients: 2, Profile: memlink.Average(), Bundle: stub.Game(), Compile: stub.Compile,
		Controls: roomtest.Wanderers,
		Client: func(i int, c *client.Config) {
			if i == 0 {
				lies.Link, c.Link = c.Link, lies
			}
		}})
	sim.Run(10 * time.Second)
	r := sim.Host.Report(sim.Now)
	got := sim.Report(0).Corrections.Count
	// A round trip on this line takes 60 to 120 ms and a frame of each side: in 10 s
	// there can be 60 to 140 corrections, and 600 claims.
	if n := r.Corrections.Count; n < 40 || n > 140 || r.Claims.LockedOut < n {
		t.Errorf("corrections %d, claims %+v", n, r.Claims)
	}
	if r.Corrections.Distance.P50 < 2.9 || r.Corrections.Distance.P50 > 3.1 {
		t.Errorf("distance %+v", r.Corrections.Distance)
	}
	if got < 30 {
		t.Errorf("the liar took %d corrections", got)
	}
	if honest := sim.Report(1).Corrections.Count; honest != 0 {
		t.Errorf("the honest client was corrected %d times", honest)
	}
	sim.Drain()
	sim.AgreeOnHashes()
	t.Logf("lies %d, corrections sent %d, taken %d, claims %+v", lies.Sent, r.Corrections.Count, got, r.Claims)
}

func TestLateJoiner(t *testing.T) {
	t.Parallel()
	sim := simtest.New(t, simtest.Options{Seed: 4, Clients: 2, Profile: memlink.Average(), Bundle: stub.Game(), Compile: stub.Compile, Controls: roomtest.Wanderers})
	sim.Run(5 * time.Second)
	late := sim.Join()
	sim.RunUntil(2*time.Second, "the late one plays", late.Playing)
	sim.Run(3 * time.Second)
	sim.Drain()
	sim.AgreeOnHashes()
}

func TestLeaversObjectsStayForTheGraceTime(t *testing.T) {
	t.Parallel()
	game := stub.Game()
	game.Setup.GraceTicks = 120
	sim := simtest.New(t, simtest.Options{Seed: 5, Clients: 2, Profile: memlink.LAN(), Bundle: game, Compile: stub.Compile, Controls: roomtest.Wanderers})
	sim.Run(3 * time.Second)
	if err := sim.Clients[1].Close(sim.Now, "bye"); err != nil {
		t.Error(err)
	}
	sim.Run(time.Second)
	if n := ships(sim.Host.State(), sim.Host.Schema()); n != 2 {
		t.Errorf("%d ships a second after one player left", n)
	}
	sim.Run(2 * time.Second)
	if n := ships(sim.Host.State(), sim.Host.Schema()); n != 1 {
		t.Errorf("%d ships after the grace time", n)
	}
}

func ships(s *world.State, schema *world.Schema) (n int) {
	for _, slot := range s.Run {
		if schema.Classes[s.Objects[slot].Class].Name == "Ship" {
			n++
		}
	}
	return n
}

func TestBundleSwitchHappensOnOneTickForAll(t *testing.T) {
	t.Parallel()
	sim := simtest.New(t, simtest.Options{Seed: 6, Clients: 3, Profile: memlink.Bad(), Bundle: stub.Game(), Compile: stub.Compile, Controls: roomtest.Wanderers})
	sim.Run(3 * time.Second)
	next := stub.Game()
	next.Files = []world.Source{{Name: "note.lua", Text: "-- changed"}}
	script, err := stub.Compile(nil, next.Setup)
	if err != nil {
		t.Fatal(err)
	}
	at, changed, err := sim.Host.Switch(next, script)
	if err != nil || len(changed) != 1 || changed[0] != "note.lua" {
		t.Fatalf("switch: %v %v %v", at, changed, err)
	}
	sim.Run(5 * time.Second)
	if b := sim.Host.State().Bundle; b != 2 {
		t.Errorf("bundle %d is in force", b)
	}
	sim.Drain()
	sim.AgreeOnHashes()
}

func TestInputOnlyClientsSteerTheirShips(t *testing.T) {
	t.Parallel()
	sim := simtest.New(t, simtest.Options{Seed: 7, Clients: 3, Profile: memlink.Average(), Bundle: stub.Game(), Compile: stub.Compile, Controls: roomtest.Wanderers,
		Client: func(_ int, c *client.Config) { c.Kind = client.InputOnly }})
	sim.Run(10 * time.Second)
	r := sim.Host.Report(sim.Now)
	if n := r.Inputs.OnTime + r.Inputs.EarlyHeld + r.Inputs.LateRewound; n < 3*500 {
		t.Errorf("inputs applied: %+v", r.Inputs)
	}
	if r.Inputs.Refused != 0 {
		t.Errorf("inputs refused: %+v", r.Inputs)
	}
}

func TestPauseStopsTheTicksAndNothingElse(t *testing.T) {
	t.Parallel()
	sim := simtest.New(t, simtest.Options{Seed: 8, Clients: 2, Profile: memlink.Average(), Bundle: stub.Game(), Compile: stub.Compile, Controls: roomtest.Wanderers})
	sim.Run(3 * time.Second)
	sim.Host.Pause(true)
	at := sim.Host.Now()
	sim.Run(12 * time.Second) // longer than the line's time-out
	if sim.Host.Now() != at || sim.Host.Players() != 2 {
		t.Errorf("tick %d, then %d; %d players", at, sim.Host.Now(), sim.Host.Players())
	}
	ahead := int(sim.Clients[0].Now()) - int(at)
	if ahead > 60 {
		t.Errorf("a client ran %d ticks ahead of the pause", ahead)
	}
	sim.Host.Pause(false)
	sim.Run(5 * time.Second)
	sim.Drain()
	sim.AgreeOnHashes()
}

func TestClientThatAsksTooMuchIsDisconnected(t *testing.T) {
	t.Parallel()
	sim := simtest.New(t, simtest.Options{Seed: 9, Clients: 2, Profile: memlink.LAN(), Bundle: stub.Game(), Compile: stub.Compile, Controls: roomtest.Wanderers})
	sim.Run(2 * time.Second)
	for range 100 {
		sim.Clients[0].Say(sim.Now+777*time.Millisecond, "spam")
	}
	sim.Run(time.Second)
	if err := sim.Clients[0].Err(); err == nil || !strings.Contains(err.Error(), "too many requests") {
		t.Errorf("the spammer: %v", err)
	}
	if sim.Host.Players() != 1 || !sim.Clients[1].Playing() {
		t.Errorf("%d players left", sim.Host.Players())
	}
}
