package simtest_test

import (
	"math"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/host"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"github.com/hindcast/hindcast/world"
)

// walkers move in independent frames, at 0.5 m/s.
const walkers = `
Walker = object "Walker" {
  input = { go = "bool" },
  ticking = "independent",
  state = { walked = 0, frames = 0 },
  body = { type = "kinematic", shape = { circle = 0.3 } },
}
function Walker:simulate(input, dt)
  self.frames = self.frames + 1
  if not input.go then return end
  self.walked = self.walked + dt
  self:moveAndSlide(0.5 * dt, 0)
end
`

const walkersGame = `function onJoin(player) spawn("Walker", { x = -10, y = 4 * player - 10, owner = player }) end`

type goer struct{}

func (goer) Input(world.Reader, int) world.Input { return world.Input{Buttons: 1} }

// walk returns the host's fields of a player's walker.
func walk(t *testing.T, h *host.Host, p world.PlayerID) (seconds, x, frames float64) {
	t.Helper()
	s, c := h.State(), h.Schema().Classes
	for _, slot := range s.Run {
		if o := &s.Objects[slot]; o.Owner == p {
			walked, _ := c[o.Class].Field("walked")
			n, _ := c[o.Class].Field("frames")
			row := s.Row(int(slot))
			return math.Float64frombits(row.Word(walked)), s.Body(int(slot)).X, math.Float64frombits(row.Word(n))
		}
	}
	t.Fatalf("player %d has no walker", p)
	return 0, 0, 0
}

// TestFramesOfAnyRate tests that a player with 125 frames per second moves as far as
// one with 28, and as one with one frame per tick. The host runs frames as they arrive
// and never rewinds for them.
func TestFramesOfAnyRate(t *testing.T) {
	t.Parallel()
	every := []time.Duration{7 * time.Millisecond, 33 * time.Millisecond, 0}
	since := make([]time.Duration, len(every)) // when each client first showed its walker
	sim := simtest.New(t, simtest.Options{Seed: 12, Clients: len(every), Profile: memlink.Bad(), Bundle: ownersRoom("game.lua", walkersGame, "walker.lua", walkers),
		Compile: compile, Controls: func(int) client.Controls { return goer{} },
		Client: func(i int, cfg *client.Config) { cfg.FrameEvery = every[i] }})
	for play := draws.Pick(9*time.Second, 15*time.Second); sim.Now < play; {
		sim.Run(simtest.PollEvery)
		for i, c := range sim.Clients {
			if since[i] == 0 && c.Playing() {
				if _, _, there := bodyOf(c.State(), c.Player()); there {
					since[i] = sim.Now
				}
			}
		}
	}
	end := sim.Now
	sim.Drain()
	sim.AgreeOnHashes()
	r := sim.Host.Report(sim.Now)
	t.Logf("%+v; rewinds %+v", *r.Owners, r.Rewinds)
	for i, c := range sim.Clients {
		seconds, x, frames := walk(t, sim.Host, c.Player())
		played := (end - since[i]).Seconds()
		// The measured time cuts the first and the last frame. A client with one frame
		// per tick has them by the host's clock, which the client may not have reached
		// yet.
		slack := every[i].Seconds() + 3*simtest.PollEvery.Seconds()
		if every[i] == 0 {
			slack = 0.1
		}
		t.Logf("client %d: %v s played, %v s in %v frames, x %v; %+v", i, played, seconds, frames, x, sim.Report(i).Repredictions)
		if math.Abs(played-seconds) > slack {
			t.Errorf("client %d played %v s and its walker walked %v s", i, played, seconds)
		}
		if math.Abs(x+10-0.5*seconds) > 1e-6 {
			t.Errorf("client %d: after %v s it is at %v", i, seconds, x)
		}
		if n := sim.Report(i).Corrections.Count; n != 0 || frames < 20*played || sim.Report(i).Rewinds.Count < 100 {
			t.Errorf("client %d: %d corrections, %v frames, rewinds %+v", i, n, frames, sim.Report(i).Rewinds)
		}
	}
	if r.Owners.Frames < draws.Pick(1200, 2000) || r.Owners.Cut*100 > r.Owners.Frames || r.Rewinds.Count != 0 || r.ScriptErrors != 0 {
		t.Errorf("owners %+v, rewinds %+v", *r.Owners, r.Rewinds)
	}
}

// TestIndependentFramesActAtOnce tests that a player who is alone sees the walker where the
// frames have moved it. The log of the host changes nothing but the few frames that the
// host ran later than this client's present.
func TestIndependentFramesActAtOnce(t *testing.T) {
	t.Parallel()
	sim := simtest.New(t, simtest.Options{Seed: 13, Clients: 1, Profile: memlink.Average(), Bundle: ownersRoom("game.lua", walkersGame, "walker.lua", walkers),
		Compile: compile, Controls: func(int) client.Controls { return goer{} },
		Client: func(_ int, cfg *client.Config) { cfg.FrameEvery = 7 * time.Millisecond }})
	sim.RunUntil(5*time.Second, "the client plays", sim.Clients[0].Playing)
	sim.Run(time.Second)
	behind := 0.0
	for range 60 * 8 {
		sim.Run(sim.Host.TickLength())
		mine, _, _ := bodyOf(sim.Clients[0].State(), 1)
		behind = max(behind, 0.5*sim.Report(0).Seconds-(mine+10))
	}
	r := sim.Report(0)
	if behind > 0.5*0.03 || r.Repredictions.Distance.Max > 0.02 || r.Repredictions.Count > 10 || r.Rewinds.Count < 200 {
		t.Errorf("%v m behind; repredictions %+v, rewinds %+v", behind, r.Repredictions, r.Rewinds)
	}
	sim.Drain()
	sim.AgreeOnHashes()
}

// TestFramesTakeNoMoreTimeThanPasses tests that a client that claims frames of three
// times their length moves no further than all others, except for the time budget that
// it may have saved.
func TestFramesTakeNoMoreTimeThanPasses(t *testing.T) {
	t.Parallel()
	longer := func(m *wire.Motion) {
		for i := range m.Frames {
			for j := range m.Frames[i].Frames {
				m.Frames[i].Frames[j].DT *= 3
			}
		}
	}
	sim := simtest.New(t, simtest.Options{Seed: 14, Clients: 2, Profile: memlink.Average(), Bundle: ownersRoom("game.lua", walkersGame, "walker.lua", walkers),
		Compile: compile, Controls: func(int) client.Controls { return goer{} },
		Client: func(i int, cfg *client.Config) {
			if i == 1 {
				cfg.Link = impostor{cfg.Link, longer}
			}
		}})
	sim.RunUntil(5*time.Second, "both play", func() bool { return sim.Clients[0].Playing() && sim.Clients[1].Playing() })
	sim.Run(time.Second)
	honest, _, _ := walk(t, sim.Host, sim.Clients[0].Player())
	cheat, _, _ := walk(t, sim.Host, sim.Clients[1].Player())
	sim.Run(10 * time.Second)
	honest2, _, _ := walk(t, sim.Host, sim.Clients[0].Player())
	cheat2, _, _ := walk(t, sim.Host, sim.Clients[1].Player())
	if gained := (cheat2 - cheat) - (honest2 - honest); gained > 0.25 || honest2-honest < 9.9 {
		t.Errorf("in 10 s the honest one walked %v s, the other %v s", honest2-honest, cheat2-cheat)
	}
	sim.Drain()
	sim.AgreeOnHashes()
	r := sim.Host.Report(sim.Now)
	if r.Owners.Cut < 300 || r.Owners.CutMS < 15000 || sim.Report(1).Inputs.Refused < 300 || sim.Report(0).Inputs.Refused != 0 {
		t.Errorf("owners %+v; told %d and %d", *r.Owners, sim.Report(1).Inputs.Refused, sim.Report(0).Inputs.Refused)
	}
}

// TestShortFramesAreRunFewATick tests a client that sends hundreds of very short frames
// per tick. The host runs 32 of them in a tick, and every client receives and runs
// these.
func TestShortFramesAreRunFewATick(t *testing.T) {
	t.Parallel()
	number := uint32(1 << 20)
	many := func(m *wire.Motion) {
		for i, n := 0, len(m.Frames); i < n; i++ {
			for range 5 {
				run := m.Frames[i]
				run.First, run.Frames = number, nil
				for range 40 {
					run.Frames = append(run.Frames, wire.IndependentFrame{DT: 1})
				}
				m.Frames = append(m.Frames, run)
				number += 40
			}
		}
	}
	sim := simtest.New(t, simtest.Options{Seed: 15, Clients: 1, Profile: memlink.LAN(), Bundle: ownersRoom("game.lua", walkersGame, "walker.lua", walkers),
		Compile: compile, Client: func(_ int, cfg *client.Config) { cfg.Link = impostor{cfg.Link, many} }})
	sim.RunUntil(5*time.Second, "the client plays", sim.Clients[0].Playing)
	sim.Run(time.Second)
	_, _, before := walk(t, sim.Host, 1)
	all, most := 0.0, 0.0
	for range 60 {
		sim.Run(sim.Host.TickLength())
		_, _, frames := walk(t, sim.Host, 1)
		all, most, before = all+frames-before, max(most, frames-before), frames
	}
	if all < 32 || most > 32 { // its client sends no more frames: it waits for its own numbers
		t.Errorf("%v frames in 60 ticks, %v in one", all, most)
	}
	sim.Drain()
	sim.AgreeOnHashes()
}
