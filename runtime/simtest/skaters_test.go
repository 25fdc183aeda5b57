package simtest_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"github.com/hindcast/hindcast/runtime/stats"
	"github.com/hindcast/hindcast/world"
)

// skaters run in the frames of their owner, who also decides where they are.
const skaters = `
Skater = object "Skater" {
  authority = "owner", ticking = "independent", lod = "LEVEL",
  moves = { speed = 6 },
  input = { Right = "bool" },
  state = { steps = 0, most = 99 },
  body = { type = "kinematic", shape = { circle = 0.3 }, layer = "skater", collides = { "wall" } },
}
function Skater:simulate(input, dt)
  self.steps = self.steps + 1
  self:moveAndSlide((input.Right and 1.5 or -1.5) * dt, 0)
end
function Skater:verify(claimed) return claimed.x < self.most end
`

const skatersGame = `
function onStart() spawn("Gate", { x = 15, y = 10 }) end
function onJoin(player) spawn("Skater", { x = -18, y = 4 * player - 10, most = MOST, owner = player }) end
` + throw

// playSkaters plays with two skaters of a level, whose verify refuses poses beyond most. Their clients make a
// frame every 7 ms. moved gets the displacements of the first client.
func playSkaters(t *testing.T, line memlink.Profile, level, most string, moved func(room.Displacement)) *simtest.Sim {
	t.Helper()
	sim := simtest.New(t, simtest.Options{Seed: 82, Clients: 2, Profile: line, Compile: compile, Controls: func(int) client.Controls { return goer{} },
		Bundle: ownersRoom("game.lua", strings.ReplaceAll(skatersGame, "MOST", most), "gate.lua", gate, "skater.lua", strings.ReplaceAll(skaters, "LEVEL", level)),
		Client: func(i int, cfg *client.Config) {
			if cfg.FrameEvery = 7 * time.Millisecond; i == 0 {
				cfg.Displaced = moved
			}
		}})
	sim.RunUntil(30*time.Second, "both play", func() bool { return sim.Clients[0].Playing() && sim.Clients[1].Playing() })
	sim.Run(2 * time.Second)
	return sim
}

// onLevels runs a test for objects of all levels of detail, on all lines.
func onLevels(t *testing.T, plain string, f func(t *testing.T, line memlink.Profile, level string)) {
	t.Parallel()
	for _, level := range []string{"predict", "interpolate", "extrapolate"} {
		t.Run(level, func(t *testing.T) {
			onLines(t, plain, func(t *testing.T, line memlink.Profile) { f(t, line, level) })
		})
	}
}

// TestFramesOfAnOwnerWhoMoves tests objects with owner authority that run in the frames of their owner. Frames
// run on the host in other ticks than on the owner's client, so they do not move the object there: its owner
// poses do. The owner is never corrected, and others see it move steadily.
func TestFramesOfAnOwnerWhoMoves(t *testing.T) {
	onLevels(t, "average", func(t *testing.T, line memlink.Profile, level string) {
		var moves []room.Displacement
		sim := playSkaters(t, line, level, "99", func(m room.Displacement) { moves = append(moves, m) })
		var seen, own seenSteps // on the other screen, and at its owner
		for end := sim.Now + draws.Pick(5*time.Second, 10*time.Second); sim.Now < end; {
			sim.Run(sim.Host.TickLength())
			seen.look(sim.Clients[0], sim.Clients[1])
			own.look(sim.Clients[0], sim.Clients[0])
		}
		owner := sim.Clients[0].Player()
		s, schema := sim.Host.State(), sim.Host.Schema()
		steps := sumOf(s, schema, "Skater", "steps")
		x, _, _ := bodyOf(s, owner)
		mine, _, _ := bodyOf(sim.Clients[0].State(), owner)
		sim.Drain()
		compared := sim.AgreeOnHashes()
		h := sim.Host.Report(sim.Now)
		t.Logf("%d compared, at %.2f on the host and %.2f at its owner; seen moving by %+v mm, backwards by %+v; %v frames; owners %+v", compared, x, mine, seen.step.Spread(), seen.back.Spread(), steps, *h.Owners)
		if compared < 700 || h.ScriptErrors != 0 || sim.Failed() != nil || math.Abs(x-mine) > 0.5+1.5*3*line.Delay.Seconds() {
			t.Errorf("%d ticks compared; at %.2f, its owner has it at %.2f; %d script errors; %v", compared, x, mine, h.ScriptErrors, sim.Failed())
		}
		if o := h.Owners; o.Refused != 0 || o.Taken < 250 || o.Taken+o.Passed < 500 || (o.Passed > 0) != (level != "predict" && line != memlink.Off()) || float64(o.Frames) < steps || steps < 1500 {
			t.Errorf("%v frames; owners %+v", steps, *o)
		}
		// 25 mm a tick: a frame in another tick than its pose would add 10 to 60 mm, and take them back in the next one.
		// The poses of replicated ones are taken when they come, on awful lines 0.1 s sooner or later than the one before.
		most := 80.0
		if level != "predict" && line == memlink.Awful() {
			most = 120
		}
		for _, s := range []*seenSteps{&seen, &own} {
			if s.step.Count() < 200 || s.step.Quantile(0.5) < 15 || s.step.Quantile(0.99) > most || s.back.Count() > 0 {
				t.Errorf("seen moving by %+v mm, backwards by %+v mm", s.step.Spread(), s.back.Spread())
			}
		}
		for i := range sim.Clients {
			r := sim.Report(i)
			if r.Corrections.Count != 0 || level != "predict" && r.Repredictions.Distance.Max > 0.01 { // predicted ones of others come late
				t.Errorf("client %d: corrections %+v, repredictions %+v: %v", i, r.Corrections, *r.Repredictions, moves)
			}
		}
	})
}

// seenSteps measures how the object of a player moves from tick to tick on a screen, and how far backwards.
type seenSteps struct {
	last       float64
	step, back stats.Series // mm
	view       room.View
}

func (s *seenSteps) look(owner, viewer *client.Client) {
	viewer.View(&s.view)
	for i := range s.view.Bodies {
		b := &s.view.Bodies[i]
		if b.Class != "Skater" || b.Owner != owner.Player() {
			continue
		}
		if by := (b.X - s.last) * 1000; s.last != 0 {
			s.step.Add(by)
			if by < -1 {
				s.back.Add(-by)
			}
		}
		s.last = b.X
	}
}

// TestFramesOfARefusedOwner tests such an object whose poses verify refuses from some place on: it stays there on
// the host and at its owner, who is told why.
func TestFramesOfARefusedOwner(t *testing.T) {
	onLevels(t, "average", func(t *testing.T, line memlink.Profile, level string) {
		var moves []room.Displacement
		sim := playSkaters(t, line, level, "-12", func(m room.Displacement) { moves = append(moves, m) })
		sim.Run(6 * time.Second)
		owner := sim.Clients[0].Player()
		x, _, _ := bodyOf(sim.Host.State(), owner)
		mine, _, _ := bodyOf(sim.Clients[0].State(), owner)
		if x > -11.99 || x < -12.5 || mine > x+0.2+1.5*4*line.Delay.Seconds() || mine < x-0.1 {
			t.Errorf("the host has it at %.2f, its owner at %.2f", x, mine)
		}
		sim.Drain()
		sim.AgreeOnHashes()
		r, h := sim.Report(0), sim.Host.Report(sim.Now)
		causes := r.Corrections.Causes
		if h.Owners.Refused < 30 || len(causes) == 0 || !strings.HasPrefix(causes[0].Cause, "refused pose: ") || len(moves) == 0 || moves[0].Verdict.Why != world.NotVerified {
			t.Errorf("corrections %+v, owners %+v, %d displacements", r.Corrections, *h.Owners, len(moves))
		}
	})
}

// TestFramesOfAnOwnerPutElsewhere tests such an object that another one puts elsewhere, which its owner does not
// simulate: it goes on from there on the host and at its owner.
func TestFramesOfAnOwnerPutElsewhere(t *testing.T) {
	onLevels(t, "average", func(t *testing.T, line memlink.Profile, level string) {
		sim := playSkaters(t, line, level, "99", nil)
		c := sim.Clients[0]
		s := sim.Host.State()
		for _, slot := range s.Run {
			if o := &s.Objects[slot]; o.Owner == c.Player() && s.Body(int(slot)).Key != 0 {
				if err := sim.Host.Call("throw", o.ID, 5, 9); err != nil {
					t.Error(err)
				}
			}
		}
		sim.Run(3 * time.Second)
		x, y, _ := bodyOf(sim.Host.State(), c.Player())
		for end := sim.Now + 5*time.Second; x < 6 && sim.Now < end; x, y, _ = bodyOf(sim.Host.State(), c.Player()) {
			sim.Run(simtest.PollEvery) // on awful lines, the refusal may reach the owner late
		}
		mx, my, _ := bodyOf(c.State(), c.Player())
		if y != 9 || my != 9 || x < 6 || x > 9.6 || math.Abs(mx-x) > 0.5+1.5*3*line.Delay.Seconds() {
			t.Errorf("the host has it at %.2f, %.2f, its owner at %.2f, %.2f; corrections %+v", x, y, mx, my, sim.Report(0).Corrections)
		}
		sim.Drain()
		sim.AgreeOnHashes()
	})
}

// TestFramesOfAnOwnerBesideTheHost tests fast ones of a player beside the host, who hears what the host did within the
// same tick: that takes no object back on its owner's screen.
func TestFramesOfAnOwnerBesideTheHost(t *testing.T) {
	t.Parallel()
	for _, level := range []string{"predict", "interpolate", "extrapolate"} {
		moves := 0
		sim := simtest.New(t, simtest.Options{Seed: 83, Clients: 1, Profile: memlink.Off(), Compile: compile,
			Controls: func(int) client.Controls { return goer{} },
			Bundle: ownersRoom("game.lua", strings.ReplaceAll(skatersGame, "MOST", "99"), "gate.lua", gate,
				"skater.lua", strings.NewReplacer("LEVEL", level, "1.5", "5").Replace(skaters)),
			Client: func(_ int, cfg *client.Config) {
				cfg.FrameEvery = 7 * time.Millisecond
				cfg.Displaced = func(room.Displacement) { moves++ }
			}})
		everybodyPlays(sim)
		sim.Run(time.Second)
		var own seenSteps
		for end := sim.Now + 3*time.Second; sim.Now < end; {
			sim.Run(4 * simtest.PollEvery) // 80 mm at 5 m/s. A tick has two or three frames, of 40 mm each
			own.look(sim.Clients[0], sim.Clients[0])
		}
		o := sim.Host.Report(sim.Now).Owners
		if own.step.Count() < 180 || own.step.Quantile(0) < 60 || own.step.Quantile(1) > 112 || moves > 0 || o.Taken < 200 {
			t.Errorf("%s: moving by %+v mm, displaced %d times; %+v", level, own.step.Spread(), moves, *o)
		}
		sim.Drain()
		sim.AgreeOnHashes()
	}
}
