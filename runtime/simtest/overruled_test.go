package simtest_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

// gliders are moved by their owners, past gates that other players may shut.
const gliders = `
Glider = object "Glider" {
  input = { go = "bool" },
  authority = "owner",
  moves = { speed = 8 },
  body = { shape = { circle = 0.3 }, layer = "glider", collides = { "wall" }, linear_damping = 60 },
}
function Glider:applyInput(input) end
function Glider:verify(claimed)
  for _, gate in ipairs(objects("Gate")) do
    if gate.shut and claimed.x > 3 then
      return false -- the gate is shut
    end
  end
  return claimed.y < 2 -- the roof
end

Gate = object "Gate" { input = { shut = "bool" }, state = { shut = false }, body = { shape = { circle = 0.1 }, sensor = true } }
function Gate:applyInput(input) self.shut = input.shut end
`

const glidersGame = `
function onJoin(player)
  spawn("Glider", { y = -6, owner = player })
  spawn("Gate", { y = 9, owner = player })
end
`

// gliderLine returns the number of the line of gliders that has a mark.
func gliderLine(mark string) int {
	before, _, _ := strings.Cut(gliders, "-- "+mark)
	return 1 + strings.Count(before, "\n")
}

// glide returns a match of two players. The first moves a glider along a path, the other
// steers a gate.
func glide(t *testing.T, line memlink.Profile, path func(s float64, now world.Placement) world.Placement, gate client.Controls, reported *[]room.Displacement, change func(i int, cfg *client.Config)) *simtest.Sim {
	return simtest.New(t, simtest.Options{Seed: 12, Clients: 2, Profile: line, Bundle: ownersRoom("game.lua", glidersGame, "glider.lua", gliders), Compile: compile,
		Controls: func(i int) client.Controls {
			if i == 1 {
				return gate
			}
			return &puppeteer{said: map[world.Tick]world.Placement{}, path: path}
		},
		Client: func(i int, cfg *client.Config) {
			if i == 0 {
				cfg.Displaced = func(m room.Displacement) { *reported = append(*reported, m) }
			}
			if change != nil {
				change(i, cfg)
			}
		}})
}

// TestRefusedMovesAreCorrections tests an owner whose program moves its object in ways
// that the rules refuse. Each refused pose is a correction on the owner's client, with
// the distance and the reason. The object is where the host has it.
func TestRefusedMovesAreCorrections(t *testing.T) {
	t.Parallel()
	now := func(s float64) bool { return math.Mod(s, 1) > 0.5 } // it keeps to the rules half of the time
	for _, c := range []struct {
		name  string
		why   world.Refusal
		path  func(s float64, at world.Placement) world.Placement
		text  string
		off   float64 // metres
		speed float64 // the speed that the verdict names, m/s
		line  int
	}{
		{name: "too fast", why: world.TooFast, text: "the host refused your pose: 14.2 m/s, at most 8 (class Glider)", speed: 14.2,
			path: func(s float64, at world.Placement) world.Placement {
				if now(s) {
					at.VX = 14.2
				}
				return at
			}},
		{name: "too far", why: world.TooFar, text: " m away, at most ", off: 4,
			path: func(s float64, at world.Placement) world.Placement {
				if now(s) {
					at.X -= 4
				}
				return at
			}},
		{name: "walled", why: world.Walled, text: "the host refused your pose: something fixed is in between (class Glider)", off: 0.75,
			path: func(s float64, at world.Placement) world.Placement {
				switch {
				case at.Y < -14:
					at.Y -= 0.75
				case at.Y > -14.15:
					at.Y = max(at.Y-0.1, -14.15)
				}
				return at
			}},
		{name: "verify", why: world.NotVerified, off: 0.1, line: gliderLine("the roof"),
			text: fmt.Sprintf("the host refused your pose: the script does not allow it (class Glider); glider.lua:%d in verify", gliderLine("the roof")),
			path: func(s float64, at world.Placement) world.Placement {
				at.Y += 0.1
				return at
			}},
	} {
		for _, line := range []memlink.Profile{memlink.Bad(), memlink.Awful()} {
			t.Run(c.name+" "+line.String(), func(t *testing.T) {
				t.Parallel()
				var reported []room.Displacement
				sim := glide(t, line, c.path, nil, &reported, nil)
				sim.RunUntil(20*time.Second, "a player", func() bool { return sim.Clients[0].Playing() })
				sim.Run(6 * time.Second)
				sim.Drain()
				sim.AgreeOnHashes()
				r, owners := sim.Report(0), sim.Host.Report(sim.Now).Owners
				if owners.Refused < 30 || r.Corrections.Count != owners.Refused || len(reported) < 5 {
					t.Errorf("the host refused %+v, corrections %+v, %d reported", *owners, r.Corrections, len(reported))
				}
				if causes := r.Corrections.Causes; len(causes) != 1 || causes[0].Cause != "refused pose: "+c.why.String() || causes[0].Count != r.Corrections.Count {
					t.Errorf("causes %+v", causes)
				}
				if d := r.Corrections.Distance; math.Abs(d.P50-c.off) > 0.05 || d.Max < c.off-0.01 {
					t.Errorf("distances %+v, not %v", d, c.off)
				}
				for _, m := range reported {
					if m.Kind == room.Reprediction {
						continue
					}
					if m.Kind != room.Correction || m.Provenance.Cause != timeline.CauseRefused || m.Class != "Glider" || m.Verdict.Why != c.why || m.Provenance.Line != c.line ||
						!strings.HasPrefix(m.String(), fmt.Sprintf("corrected %.2f m in tick %d: ", m.Distance, m.Provenance.Tick)) || !strings.Contains(m.String(), c.text) {
						t.Errorf("reported: %s\n%+v", &m, m)
					}
					if c.speed != 0 && (math.Abs(m.Verdict.Is-c.speed) > 0.01 || m.Verdict.Most != 8) {
						t.Errorf("verdict %+v", m.Verdict)
					}
				}
				t.Logf("%d displacements, the last: %s", len(reported), &reported[len(reported)-1])
			})
		}
	}
}

// A shutter shuts its gate while on is set.
type shutter struct{ on bool }

func (c *shutter) Input(world.Reader, int) world.Input {
	if c.on {
		return world.Input{Buttons: 1}
	}
	return world.Input{}
}

// TestOwnerPoseRefusedAfterALateInput tests a glider that passes a gate which was shut before,
// but by an input that neither the glider's owner nor the host had yet. When the input arrives,
// the glider is put back, on its owner's client too, and the displacement says why.
func TestOwnerPoseRefusedAfterALateInput(t *testing.T) {
	t.Parallel()
	var reported []room.Displacement
	gate, line := &shutter{}, &stuck{}
	sim := glide(t, memlink.Profile{Delay: 30 * time.Millisecond}, func(s float64, at world.Placement) world.Placement {
		at.X += 5.0 / 60
		return at
	}, gate, &reported, func(i int, cfg *client.Config) {
		if i == 1 {
			line.Link, cfg.Link = cfg.Link, line
		}
	})
	where := func() float64 {
		x, _, _ := bodyOf(sim.Clients[0].State(), sim.Clients[0].Player())
		return x
	}
	sim.RunUntil(5*time.Second, "the glider before the gate", func() bool { return sim.Clients[0].Playing() && where() > 2.9 })
	if len(reported) != 0 {
		t.Fatalf("displaced before the gate was shut: %s", &reported[0])
	}
	gate.on, line.on = true, true
	sim.Run(200 * time.Millisecond)
	line.on = false
	past := where()
	sim.Run(300 * time.Millisecond)
	back := where()
	if past < 3.5 || back > 3.05 {
		t.Fatalf("the glider was at %.2f m, then at %.2f", past, back)
	}
	sim.Drain()
	sim.AgreeOnHashes()
	r := sim.Report(0)
	if r.Corrections.Count < 10 || r.Corrections.Count != sim.Host.Report(sim.Now).Owners.Refused || r.Corrections.Distance.Max < 0.5 {
		t.Errorf("corrections %+v, of %+v", r.Corrections, *sim.Host.Report(sim.Now).Owners)
	}
	if r.Repredictions.Count != 0 || len(reported) == 0 || reported[0].Kind != room.Correction || reported[0].Provenance.Line != gliderLine("the gate") {
		t.Errorf("repredictions %+v, reported %+v", *r.Repredictions, reported)
	}
	t.Logf("%s", &reported[0])
}

// TestHonestOwnersAreNotCorrected tests ships that bump into each other on an awful
// line. Some owner poses are lost or too late; none is refused.
func TestHonestOwnersAreNotCorrected(t *testing.T) {
	t.Parallel()
	honest := strings.Replace(racers, "claimed.y < 12", "claimed.y < 15", 1) // within the walls, which ships reach
	sim := simtest.New(t, simtest.Options{Seed: 17, Clients: 4, Profile: memlink.Awful(), Bundle: ownersRoom("game.lua", racersGame, "racer.lua", honest),
		Compile: compile, Controls: func(i int) client.Controls { return &driver{uint64(i) + 3} }})
	sim.Run(draws.Pick(16*time.Second, 25*time.Second))
	sim.Drain()
	sim.AgreeOnHashes()
	if o := sim.Host.Report(sim.Now).Owners; o.Refused != 0 || o.Poses < draws.Pick(1000, 2000) {
		t.Errorf("owners %+v", *o)
	}
	for i := range sim.Clients {
		if c := sim.Report(i).Corrections; c.Count != 0 {
			t.Errorf("client %d was corrected: %+v", i, c)
		}
	}
}
