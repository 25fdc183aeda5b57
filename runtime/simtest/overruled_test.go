package simtest_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/hindcast/hindcast/luabind"
	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

// gliders are led by their owners, past gates that anybody may shut.
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

// gliderLine is the line of gliders that is marked.
func gliderLine(mark string) int {
	before, _, _ := strings.Cut(gliders, "-- "+mark)
	return 1 + strings.Count(before, "\n")
}

// glide is a match of two players. The first leads his glider on a path, the other
// has a gate to shut.
func glide(t *testing.T, line memlink.Profile, path func(s float64, now world.Placement) world.Placement, gate runtime.Controls, told *[]runtime.Displacement, change func(i int, cfg *runtime.ClientConfig)) *simtest.Sim {
	return simtest.New(t, simtest.Options{Seed: 12, Clients: 2, Profile: line, Bundle: ownersRoom("game.lua", glidersGame, "glider.lua", gliders), Compile: luabind.Compile,
		Controls: func(i int) runtime.Controls {
			if i == 1 {
				return gate
			}
			return &puppeteer{said: map[world.Tick]world.Placement{}, path: path}
		},
		Client: func(i int, cfg *runtime.ClientConfig) {
			if i == 0 {
				cfg.Moved = func(m runtime.Displacement) { *told = append(*told, m) }
			}
			if change != nil {
				change(i, cfg)
			}
		}})
}

// TestRefusedMovesAreCorrections: an owner's program that moves its object as the
// host does not let it. Each such move is a correction on the owner's client, with
// how far off it was and why; the object is where the host has it.
func TestRefusedMovesAreCorrections(t *testing.T) {
	t.Parallel()
	now := func(s float64) bool { return math.Mod(s, 1) > 0.5 } // half of the time it behaves
	for _, c := range []struct {
		name  string
		why   world.Refusal
		path  func(s float64, at world.Placement) world.Placement
		text  string
		off   float64 // metres
		speed float64 // that the verdict names
		line  int
	}{
		{name: "too fast", why: world.TooFast, text: "the host refused your move: 14.2 m/s, at most 8 (class Glider)", speed: 14.2,
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
		{name: "walled", why: world.Walled, text: "the host refused your move: something fixed is in between (class Glider)", off: 0.75,
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
			text: fmt.Sprintf("the host refused your move: the script does not allow it (class Glider); glider.lua:%d in verify", gliderLine("the roof")),
			path: func(s float64, at world.Placement) world.Placement {
				at.Y += 0.1
				return at
			}},
	} {
		for _, line := range []memlink.Profile{memlink.Bad(), memlink.Awful()} {
			t.Run(c.name+" "+line.String(), func(t *testing.T) {
				t.Parallel()
				var told []runtime.Displacement
				sim := glide(t, line, c.path, nil, &told, nil)
				sim.RunUntil(20*time.Second, "a player", func() bool { return sim.Clients[0].Playing() })
				sim.Run(6 * time.Second)
				sim.Drain()
				sim.AgreeOnHashes()
				r, owners := sim.Report(0), sim.Host.Report(sim.Now).Owners
				if owners.Refused < 30 || r.Corrections.Count != owners.Refused || len(told) < 5 {
					t.Errorf("the host refused %+v, corrections %+v, %d told", *owners, r.Corrections, len(told))
				}
				if causes := r.Corrections.Causes; len(causes) != 1 || causes[0].Cause != "refused move: "+c.why.String() || causes[0].Count != r.Corrections.Count {
					t.Errorf("causes %+v", causes)
				}
				if d := r.Corrections.Distance; math.Abs(d.P50-c.off) > 0.05 || d.Max < c.off-0.01 {
					t.Errorf("distances %+v, not %v", d, c.off)
				}
				for _, m := range told {
					if m.Kind == runtime.Reprediction {
						continue
					}
					if m.Kind != runtime.Correction || m.Provenance.Cause != timeline.CauseRefused || m.Class != "Glider" || m.Verdict.Why != c.why || m.Provenance.Line != c.line ||
						!strings.HasPrefix(m.String(), fmt.Sprintf("corrected %.2f m in tick %d: ", m.Distance, m.Provenance.Tick)) || !strings.Contains(m.String(), c.text) {
						t.Errorf("told: %s\n%+v", &m, m)
					}
					if c.speed != 0 && (math.Abs(m.Verdict.Is-c.speed) > 0.01 || m.Verdict.Most != 8) {
						t.Errorf("verdict %+v", m.Verdict)
					}
				}
				t.Logf("%d told, the last: %s", len(told), &told[len(told)-1])
			})
		}
	}
}

// shutter shuts his gate once told to.
type shutter struct{ on bool }

func (c *shutter) Input(world.Reader, int) world.Input {
	if c.on {
		return world.Input{Buttons: 1}
	}
	return world.Input{}
}

// TestOwnerPoseRefusedAfterALateInput: a gate was shut before the glider passed it, but neither
// its owner nor the host knew. When they hear of it, the glider is put back, on its
// owner's screen too, and he is told why.
func TestOwnerPoseRefusedAfterALateInput(t *testing.T) {
	t.Parallel()
	var told []runtime.Displacement
	gate, line := &shutter{}, &stuck{}
	sim := glide(t, memlink.Profile{Delay: 30 * time.Millisecond}, func(s float64, at world.Placement) world.Placement {
		at.X += 5.0 / 60
		return at
	}, gate, &told, func(i int, cfg *runtime.ClientConfig) {
		if i == 1 {
			line.Link, cfg.Link = cfg.Link, line
		}
	})
	where := func() float64 {
		x, _, _ := bodyOf(sim.Clients[0].State(), sim.Clients[0].Player())
		return x
	}
	sim.RunUntil(5*time.Second, "the glider before the gate", func() bool { return sim.Clients[0].Playing() && where() > 2.9 })
	if len(told) != 0 {
		t.Fatalf("told of %s", &told[0])
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
	if r.Repredictions.Count != 0 || len(told) == 0 || told[0].Kind != runtime.Correction || told[0].Provenance.Line != gliderLine("the gate") {
		t.Errorf("repredictions %+v, told %+v", *r.Repredictions, told)
	}
	t.Logf("%s", &told[0])
}

// TestHonestOwnersAreNotCorrected: ships that bump into each other, on an awful
// line. Some moves are lost or come too late; none is refused.
func TestHonestOwnersAreNotCorrected(t *testing.T) {
	t.Parallel()
	sim := simtest.New(t, simtest.Options{Seed: 17, Clients: 4, Profile: memlink.Awful(), Bundle: ownersRoom("game.lua", racersGame, "racer.lua", racers),
		Compile: luabind.Compile, Controls: func(i int) runtime.Controls { return &driver{uint64(i) + 3} }})
	sim.Run(25 * time.Second)
	sim.Drain()
	sim.AgreeOnHashes()
	if o := sim.Host.Report(sim.Now).Owners; o.Refused != 0 || o.Moves < 2000 {
		t.Errorf("owners %+v", *o)
	}
	for i := range sim.Clients {
		if c := sim.Report(i).Corrections; c.Count != 0 {
			t.Errorf("client %d was corrected: %+v", i, c)
		}
	}
}
