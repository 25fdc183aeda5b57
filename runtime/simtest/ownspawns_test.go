package simtest_test

import (
	"strings"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/world"
)

// swarming has players who spawn more objects at once than fit into a snapshot, while the gate is open. Clients learn
// from snapshots that it is not, so they guess spawns that the host refuses.
const swarming = `
Drone = object "Drone" { lod = "interpolate", body = { shape = { circle = 0.1 }, sensor = true } }

Gate = object "Gate" { lod = "interpolate", state = { open = true, at = 0 } }
function Gate:tick() if tickNumber() == SHUTS then self.open = false end end

Keeper = object "Keeper" {
  input = { release = "bool" },
  state = { released = 0 },
  body = { shape = { circle = 0.5 } },
}
function Keeper:applyInput(input)
  if input.release and self.released < 160 and objects("Gate")[1].open then
    for i = 1, 40 do
      self.released = self.released + 1
      spawn("Drone", { x = self.released % 20, y = 3 + math.floor(self.released / 20), owner = self.owner })
    end
  end
end
function onStart() spawn("Gate") end
function onJoin(player) spawn("Keeper", { owner = player }) end
`

// releaser presses its button from a tick on.
type releaser struct{ from world.Tick }

func (c releaser) Input(r world.Reader, _ int) (in world.Input) {
	if r.Tick() >= c.from {
		in.Buttons = 1
	}
	return in
}

// dronesOf counts the drones of a player in a state.
func dronesOf(s *world.State, schema *world.Schema, player world.PlayerID) (n int) {
	for _, slot := range s.Run {
		if o := &s.Objects[slot]; o.Owner == player && schema.Classes[o.Class].Name == "Drone" {
			n++
		}
	}
	return n
}

// swarm is a game in which two players spawn their drones from tick 240 and 260 on, until the gate shuts.
func swarm(t *testing.T, line memlink.Profile, shuts string) *simtest.Sim {
	game := strings.Replace(swarming, "SHUTS", shuts, 1)
	return simtest.New(t, simtest.Options{Seed: 11, Clients: 2, Profile: line, Compile: compile,
		Bundle:   bundle.New("swarming", world.Source{Name: "game.lua", Text: game}),
		Controls: func(i int) client.Controls { return releaser{world.Tick(240 + 20*i)} }})
}

// TestSpawnsThatDoNotFitStay: if a player spawns more objects than a snapshot carries, none of those that the player's
// client has guessed disappears until the host has sent it.
func TestSpawnsThatDoNotFitStay(t *testing.T) {
	onLines(t, "average bad", func(t *testing.T, line memlink.Profile) {
		sim := swarm(t, line, "-1")
		sim.Run(3 * time.Second)
		most := [2]int{}
		for range 360 {
			sim.Run(time.Second / 60)
			for i, c := range sim.Clients {
				n := dronesOf(c.State(), sim.Host.Schema(), c.Player())
				if n < most[i] {
					t.Fatalf("player %d, tick %d: %d of %d drones are left", c.Player(), c.Now(), n, most[i])
				}
				most[i] = n
			}
		}
		if most != [2]int{160, 160} {
			t.Errorf("%d drones: want 160 of each player", most)
		}
		sim.Drain()
		sim.AgreeOnHashes()
	})
}

// TestRefusedSpawnsGo: a client has guessed spawns that the host refused, while there are more objects of its player's
// than a snapshot carries. They go nevertheless, soon after that.
func TestRefusedSpawnsGo(t *testing.T) {
	onLines(t, "average bad", func(t *testing.T, line memlink.Profile) {
		sim := swarm(t, line, "242") // of the first player's
		sim.Run(3 * time.Second)
		c, most, lacked := sim.Clients[0], 0, 0
		for range 240 {
			sim.Run(time.Second / 60)
			here := dronesOf(c.State(), sim.Host.Schema(), c.Player())
			there := dronesOf(sim.Host.State(), sim.Host.Schema(), c.Player())
			if most = max(most, here); here > there && there > 0 {
				lacked++
			}
		}
		here, there := dronesOf(c.State(), sim.Host.Schema(), c.Player()), dronesOf(sim.Host.State(), sim.Host.Schema(), c.Player())
		t.Logf("%d drones at most, for %d ticks more than at the host; then %d of %d", most, lacked, here, there)
		if most <= there || here != there || there == 0 {
			t.Errorf("%d drones at first, then %d; the host has %d: want more than these at first, and then as many", most, here, there)
		}
	})
}
