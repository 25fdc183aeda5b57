package simtest_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/world"
)

// skating returns the game of skaters of a level, with replacements in their script.
func skating(level string, with ...string) *bundle.Bundle {
	script := strings.NewReplacer(append([]string{"LEVEL", level}, with...)...).Replace(skaters)
	return ownersRoom("game.lua", strings.ReplaceAll(skatersGame, "MOST", "99"), "gate.lua", gate, "skater.lua", script)
}

// skatersFields returns two fields of a player's skater in a state.
func skatersFields(s *world.State, schema *world.Schema, p world.PlayerID, a, b string) (first, second float64) {
	ci, _ := schema.ClassByName("Skater")
	f, _ := schema.Classes[ci].Field(a)
	g, _ := schema.Classes[ci].Field(b)
	for _, slot := range s.Run {
		if o := &s.Objects[slot]; int(o.Class) == ci && o.Owner == p {
			row := s.Row(int(slot))
			first, second = math.Float64frombits(row.Word(f)), math.Float64frombits(row.Word(g))
		}
	}
	return first, second
}

// TestFramesBeginWhereTheOwnerHadThem tests where a frame of a skater is on the host, from where it would shoot: where
// it was on its owner's screen, however many frames of it the host runs in a tick.
func TestFramesBeginWhereTheOwnerHadThem(t *testing.T) {
	onLines(t, "average bad", func(t *testing.T, line memlink.Profile) {
		sim := simtest.New(t, simtest.Options{Seed: 84, Clients: 2, Profile: line, Compile: compile,
			Controls: func(int) client.Controls { return goer{} },
			Bundle:   skating("interpolate", "most = 99", "most = 99, at = 0", "* dt, 0)", "* dt, 0)\n  self.at = self:getPosition()"),
			Client:   func(_ int, cfg *client.Config) { cfg.FrameEvery = 7 * time.Millisecond }})
		everybodyPlays(sim)
		sim.Run(2 * time.Second)
		c := sim.Clients[0]
		made := map[float64]float64{} // where the owner's client first had the object after so many frames
		compared, off, last := 0, 0, 0.0
		for end := sim.Now + 4*time.Second; sim.Now < end; {
			sim.Run(simtest.PollEvery)
			n, at := skatersFields(c.State(), c.Schema(), c.Player(), "steps", "at")
			if _, had := made[n]; !had {
				made[n] = at
			}
			n, at = skatersFields(sim.Host.State(), sim.Host.Schema(), c.Player(), "steps", "at")
			if was, had := made[n]; had && n != last {
				if compared++; math.Abs(was-at) > 1e-4 {
					off++
				}
			}
			last = n
		}
		sim.Drain()
		sim.AgreeOnHashes()
		if compared < 40 || off*50 > compared {
			t.Errorf("%d frames compared, of which the host began %d elsewhere", compared, off)
		}
	})
}

// TestPosesTakeNoMoreTimeThanFrames tests owners who claim to be twice as far as their frames lead, and that their poses
// are of ticks to come: they are refused, and come no further than all others.
func TestPosesTakeNoMoreTimeThanFrames(t *testing.T) {
	lies := map[string]func(m *wire.Motion){
		"far": func(m *wire.Motion) {
			for i := range m.Poses {
				for j := range m.Poses[i].Poses {
					m.Poses[i].Poses[j].X = 2*m.Poses[i].Poses[j].X + 18
				}
			}
		},
		"far and early": func(m *wire.Motion) {
			for i := range m.Poses {
				m.Poses[i].First += 8
				for j := range m.Poses[i].Poses {
					m.Poses[i].Poses[j].X = 2*m.Poses[i].Poses[j].X + 18
				}
			}
		},
	}
	t.Parallel()
	for name, lie := range lies {
		sim := simtest.New(t, simtest.Options{Seed: 85, Clients: 2, Profile: memlink.Bad(), Compile: compile,
			Controls: func(int) client.Controls { return goer{} },
			Bundle:   skating("interpolate", "speed = 6", "speed = 1.5"),
			Client: func(i int, cfg *client.Config) {
				if i == 1 {
					cfg.Link = impostor{cfg.Link, lie}
				}
			}})
		everybodyPlays(sim)
		sim.Run(6 * time.Second)
		honest, _, _ := bodyOf(sim.Host.State(), sim.Clients[0].Player())
		cheat, _, _ := bodyOf(sim.Host.State(), sim.Clients[1].Player())
		o := sim.Host.Report(sim.Now).Owners
		if honest < -12 || cheat > honest+1.5*0.35 || o.Refused < 100 {
			t.Errorf("%s: the honest one is at %.2f, the other at %.2f; owners %+v", name, honest, cheat, *o)
		}
		sim.Drain()
		sim.AgreeOnHashes()
	}
}

// TestReloadChangesTheLevelOfSkaters tests reloads that change whether clients simulate such objects: with that,
// whether poses are taken when they come. Their owner never sees them jump.
func TestReloadChangesTheLevelOfSkaters(t *testing.T) {
	onLines(t, "bad", func(t *testing.T, line memlink.Profile) {
		var moves []room.Displacement
		sim := simtest.New(t, simtest.Options{Seed: 86, Clients: 2, Profile: line, Compile: compile, Bundle: skating("interpolate"),
			Controls: func(int) client.Controls { return goer{} },
			Client: func(i int, cfg *client.Config) {
				if cfg.FrameEvery = 7 * time.Millisecond; i == 0 {
					cfg.Displaced = func(m room.Displacement) { moves = append(moves, m) }
				}
			}})
		everybodyPlays(sim)
		sim.Run(time.Second)
		var own seenSteps
		play := func() {
			for end := sim.Now + 2500*time.Millisecond; sim.Now < end; {
				sim.Run(sim.Host.TickLength())
				own.look(sim.Clients[0], sim.Clients[0])
			}
		}
		play()
		for _, level := range []string{"predict", "interpolate", "extrapolate"} {
			if _, err := swap(t, sim, skating(level)); err != nil {
				t.Fatal(err)
			}
			play()
		}
		o := sim.Host.Report(sim.Now).Owners
		mine, _, _ := bodyOf(sim.Clients[0].State(), sim.Clients[0].Player())
		is, _, _ := bodyOf(sim.Host.State(), sim.Clients[0].Player())
		sim.Drain()
		sim.AgreeOnHashes()
		if own.step.Count() < 450 || own.step.Quantile(1) > 80 || own.back.Count() > 0 || o.Taken < 400 || o.Refused > 0 || mine-is > 0.5+1.5*3*line.Delay.Seconds() {
			t.Errorf("%d steps, %d back: at %.2f, its owner has it at %.2f and moving by %+v mm, backwards by %+v; owners %+v; %v", own.step.Count(), own.back.Count(), is, mine, own.step.Spread(), own.back.Spread(), *o, moves)
		}
	})
}
