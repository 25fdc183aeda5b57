package simtest_test

import (
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/host"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

func arena(t testing.TB) *bundle.Bundle { return simtest.Game(t, "arena").Bundle }

func chasers(t testing.TB) func(int) client.Controls {
	return func(int) client.Controls { return simtest.Bot(t, "chase") }
}

// through counts the late events whose rewinds simulated ticks in which two ships
// touched.
type through struct {
	host   *host.Host
	events int
	met    int
	slots  []int32
}

func (c *through) rewound(r timeline.Rewound) {
	c.events += r.Events
	for t := r.From; t <= c.host.Now(); t++ {
		if c.shipsTouch(c.host.StateAt(t)) {
			c.met += r.Events
			return
		}
	}
}

func (c *through) shipsTouch(s *world.State) bool {
	classes := c.host.Schema().Classes
	isShip := func(slot int32) bool { return classes[s.Objects[slot].Class].Name == "Ship" }
	for _, slot := range s.Run {
		if !isShip(slot) {
			continue
		}
		c.slots = s.Touching(int(slot), c.slots[:0])
		for _, other := range c.slots {
			if other != slot && isShip(other) {
				return true
			}
		}
	}
	return false
}

func TestFourShipsOnBadAndAwfulLines(t *testing.T) {
	t.Parallel()
	play := draws.Pick(10*time.Second, time.Minute)
	for name, profile := range map[string]memlink.Profile{"bad": memlink.Bad(), "awful": memlink.Awful()} {
		if !draws.Full() && name != "awful" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			var count through
			sim := simtest.New(t, simtest.Options{Seed: 11, Clients: 4, Profile: profile, Bundle: arena(t), Compile: compile, Controls: chasers(t),
				Host: func(c *host.Config) { c.Verify = true; c.Rewound = count.rewound }})
			count.host = sim.Host
			sim.Run(play)
			sim.Drain()
			compared := sim.AgreeOnHashes()
			host := sim.Host.Report(sim.Now)
			least := 4 * int(play.Seconds()-5) * 60
			if compared < least {
				t.Errorf("%d ticks compared, want at least %d", compared, least)
			}
			late, met := draws.Pick(10, 100), draws.Pick(1, 10)
			if count.events < late || count.met < met {
				t.Errorf("%d late inputs rewound for, %d through a contact between ships; want %d and %d", count.events, count.met, late, met)
			}
			for i := range sim.Clients {
				if r := sim.Report(i); r.Repredictions.Count == 0 {
					t.Errorf("client %d was never surprised", i)
				}
			}
			if host.ScriptErrors != 0 {
				t.Errorf("%d script errors", host.ScriptErrors)
			}
			t.Logf("late inputs %d, of which rewound for %d, through contacts between ships %d; rewinds %+v; compared %d",
				host.Inputs.LateRewound, count.events, count.met, host.Rewinds, compared)
		})
	}
}

func TestEveryClientNamesAFlippedBit(t *testing.T) {
	t.Parallel()
	sim := simtest.New(t, simtest.Options{Seed: 12, Clients: 3, Profile: memlink.Bad(), Bundle: arena(t), Compile: compile, Controls: chasers(t),
		Host: func(c *host.Config) { c.Fault = timeline.Fault{Tick: 400, Object: 12} }})
	sim.RunUntil(20*time.Second, "every client names the difference", sim.Desynced)
	for i, c := range sim.Clients {
		d := c.Desync()
		if d.Tick != 400 || len(d.Differences) == 0 || d.Differences[0].Object == 0 || d.Differences[0].Field != "body.x" {
			t.Errorf("client %d: %v", i, d)
		}
	}
}

// liar makes its client claim that its ship is elsewhere.
type liar struct{ link.Link }

func (l liar) SendDatagram(now time.Duration, p link.Peer, b []byte) error {
	var m wire.InputPacket
	if wire.KindOf(b) == wire.KindInputPacket && wire.ParseInputPacket(b, &m) == nil && m.Claim != nil {
		m.Claim.X += 3
		b = wire.AppendInputPacket(nil, &m)
	}
	return l.Link.SendDatagram(now, p, b)
}

func TestFalseClaimIsCorrectedNotAgainWithinARoundTrip(t *testing.T) {
	t.Parallel()
	sim := simtest.New(t, simtest.Options{Seed: 13, Clients: 2, Profile: memlink.Average(), Bundle: arena(t), Compile: compile, Controls: chasers(t),
		Client: func(i int, c *client.Config) {
			if i == 0 {
				c.Link = liar{c.Link}
			}
		}})
	sim.Run(15 * time.Second)
	host := sim.Host.Report(sim.Now)
	// A round trip takes some 120 ms, the frames of both sides included: 15 s
	// have room for about 125 corrections, and for 900 claims.
	if n := host.Corrections.Count; n < 60 || n > 200 || host.Claims.LockedOut < n {
		t.Errorf("corrections %d, claims %+v", n, host.Claims)
	}
	if r := sim.Report(0); r.Corrections.Count < 50 {
		t.Errorf("the liar took %d corrections", r.Corrections.Count)
	}
	if r := sim.Report(1); r.Corrections.Count != 0 {
		t.Errorf("the honest client was corrected %d times", r.Corrections.Count)
	}
	sim.Drain()
	sim.AgreeOnHashes()
}
