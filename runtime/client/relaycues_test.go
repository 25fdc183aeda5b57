package client_test

import (
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/internal/roomtest"
	"github.com/hindcast/hindcast/runtime/internal/stub"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/world"
)

// watched is the ledger of a spectator. A cue may arrive after its tick is committed,
// but not before the tick is drawn. Numbers arrive rounded.
type watched struct {
	*ledger
	early int
	shown func() float64
}

func (l *watched) take(e room.CueEvent) {
	if e.Kind == room.CueFired && float64(e.Cue.Tick) > l.shown() {
		l.early++
	}
	l.ledger.take(e)
}

// rounded returns a cue as a client receives it from the host.
func rounded(c world.Cue) world.Cue {
	u := wire.CueUpdate{Cue: c}
	u.Round()
	return u.Cue
}

// TestSpectatorsSeeEachCueOnce tests that a spectator shows the cues that predictors
// predict, each once, and none before its tick.
func TestSpectatorsSeeEachCueOnce(t *testing.T) {
	t.Parallel()
	var player, viewer *ledger
	var see watched
	var sim *simtest.Sim
	sim = simtest.New(t, simtest.Options{Seed: 12, Clients: 3, Profile: memlink.Bad(), Bundle: stub.Game(), Compile: roomtest.CompileCueing, Controls: roomtest.Wanderers,
		Client: func(i int, c *client.Config) {
			switch i {
			case 0:
				player = newLedger(t, 0)
				c.Cues = func(e room.CueEvent) {
					player.player = sim.Clients[0].Player()
					player.take(e)
				}
			case 2:
				viewer = newLedger(t, 0)
				see.ledger = viewer
				c.Kind = client.Spectator
				c.Cues = func(e room.CueEvent) {
					viewer.player = sim.Clients[2].Player()
					see.take(e)
				}
			}
		}})
	see.shown = func() float64 {
		var v room.View
		sim.Clients[2].View(&v)
		return float64(v.Tick) - 1 + v.Alpha
	}
	sim.RunUntil(20*time.Second, "all at play", func() bool {
		return sim.Clients[0].Playing() && sim.Clients[1].Playing() && sim.Clients[2].Playing()
	})
	from := sim.Host.Now() + 60
	sim.Run(12 * time.Second)
	to := sim.Host.Committed() - 120
	sim.Run(2 * time.Second)
	for _, l := range []*ledger{player, viewer} {
		for key, c := range l.shown { // order: each is judged by itself
			l.shown[key] = rounded(c)
			if c.To != world.CueAll {
				delete(l.shown, key)
			}
		}
	}
	if n := viewer.equals(player, from, to); n < 50 || see.early != 0 {
		t.Errorf("%d cues were seen by both, %d of them before their tick", n, see.early)
	}
	t.Logf("fired, moved, cancelled: player %v, spectator %v; %d confirmed", player.counts, viewer.counts, viewer.waited)
	if viewer.counts[room.CueFired] < 100 || viewer.waited == 0 {
		t.Errorf("the spectator got %v", viewer.counts)
	}
}
