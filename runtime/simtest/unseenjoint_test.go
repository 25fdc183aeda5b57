package simtest_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/runtime/simtest/draws"
)

// tethered is a game of ships that push against a joint to an object that clients do not simulate.
const tethered = `
Post = object "Post" { lod = "interpolate", %s body = { type = "static", shape = { circle = 0.2 } } }
Cart = object "Cart" {
  lod = "interpolate", %s body = { shape = { circle = 0.4 }, density = 3, linear_damping = 2 },
}
Ship = object "Ship" {
  input = { Go = "bool" },
  body = { shape = { circle = 0.4 }, density = 1, linear_damping = 2 },
}
function Ship:applyInput(input) self:setForce(input.Go and 0 or 4, 0) end
function onJoin(player)
  local s = spawn("Ship", { x = 0, y = 6 * player - 9, owner = player })
  local p = spawn(player == 1 and "Post" or "Cart", { x = -4.5, y = 6 * player - 9 })
  %s
end
`

// TestUnseenJoints tests that a predicted body that hangs on an object which clients do not simulate, or do not even
// know, is drawn where the host has it once it rests.
func TestUnseenJoints(t *testing.T) {
	onLines(t, "bad", func(t *testing.T, line memlink.Profile) {
		for _, seen := range []string{"hidden = true,", "range = 3,", ""} {
			for joint, options := range map[string]string{ // order: each is a match of its own
				"rope":   "{ length = 5 }",
				"rod":    "{ length = 5 }",
				"spring": "{ length = 5, hertz = 2, damping = 0.7 }",
				"weld":   "{}",
				"carry":  "",
			} {
				tie := fmt.Sprintf("%s(p, s, %s)", joint, options)
				if joint == "carry" {
					tie = "s:attach(p, 4.5, 0)"
				}
				if !draws.Full() && joint != "rope" && (seen != "hidden = true," || line == memlink.Off()) {
					continue
				}
				sim := simtest.New(t, simtest.Options{Seed: 9, Clients: 2, Profile: line,
					Bundle:  shooterBundle(fmt.Sprintf(tethered, seen, seen, tie)),
					Compile: compile})
				sim.Run(draws.Pick(4*time.Second, 15*time.Second))
				worst, looks := 0.0, 0
				for end := sim.Now + draws.Pick(2*time.Second, 3*time.Second); sim.Now < end; {
					sim.Run(4 * simtest.PollEvery)
					for _, c := range sim.Clients {
						n, off := shipsAtRest(sim, c)
						looks, worst = looks+n, max(worst, off)
					}
				}
				t.Logf("%q, %s: at rest drawn at most %.3f m off", seen, joint, worst)
				if looks < 100 || worst > 0.02 {
					t.Errorf("%q, %s: in %d looks at ships at rest, they are drawn up to %.3f m from where the host has them", seen,
						joint, looks, worst)
				}
				if r := sim.Host.Report(sim.Now); r.ScriptErrors > 0 || sim.Failed() != nil {
					t.Errorf("%d script errors; %v", r.ScriptErrors, sim.Failed())
				}
			}
		}
	})
}

// shipsAtRest returns how many ships a client draws that are at rest at the host, and how far off, at most.
func shipsAtRest(sim *simtest.Sim, c *client.Client) (n int, worst float64) {
	var v room.View
	c.View(&v)
	s := sim.Host.State()
	for i := range v.Bodies {
		b := &v.Bodies[i]
		slot, here := s.Find(b.ID)
		if at := s.Body(slot); here && b.Class == "Ship" && math.Hypot(at.VX, at.VY) < 0.02 {
			n, worst = n+1, max(worst, math.Hypot(at.X-b.X, at.Y-b.Y))
		}
	}
	return n, worst
}
