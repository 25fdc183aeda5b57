package simtest_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"github.com/hindcast/hindcast/world"
)

// vanishing has replicated balls that remove themselves after LIFE ticks.
const vanishing = `
Ball = object "Ball" { lod = "interpolate", state = { age = 0 }, body = { shape = { circle = 0.5 } } }
function Ball:tick()
  self.age = self.age + 1
  if self.age == LIFE then self:remove() end
end
function onStart() for i = 1, 10 do spawn("Ball", { x = i, y = -5 }) end end
`

const rover = `
Rover = object "Rover" { input = { go = "bool" }, body = { shape = { circle = 0.5 } } }
function Rover:applyInput(input) if input.go then self:setVelocity(1, 0) end end
function onJoin(player) spawn("Rover", { x = -10, y = player, owner = player }) end
`

// TestProxiesAreRemovedOnClientsBehindTheHost tests clients with a lead below 0. They receive
// snapshots of ticks that they have not simulated yet. Objects that were removed on the host are
// removed on them too.
func TestProxiesAreRemovedOnClientsBehindTheHost(t *testing.T) {
	t.Parallel()
	for _, lead := range []time.Duration{0, -200 * time.Millisecond} { // a client's lead approaches it by 20 ms per second
		life := draws.Pick(16*time.Second, 25*time.Second)
		b := ownersRoom("game.lua", rover+strings.Replace(vanishing, "LIFE", fmt.Sprint(60*life.Seconds()), 1))
		b.Rules.Lead = lead
		sim := simtest.New(t, simtest.Options{Seed: 3, Clients: 2, Profile: memlink.LAN(), Bundle: b, Compile: compile})
		sim.Run(life - time.Second)
		count := func(s *world.State, schema *world.Schema) (n int) {
			for _, slot := range s.Run {
				if schema.Classes[s.Objects[slot].Class].Name == "Ball" {
					n++
				}
			}
			return n
		}
		c := sim.Clients[0]
		if n := count(c.State(), sim.Host.Schema()); n != 10 {
			t.Errorf("lead %v: at first %d balls", lead, n)
		}
		sim.Run(3 * time.Second)
		if behind := c.Now() < sim.Host.Now(); behind != (lead < 0) {
			t.Errorf("lead %v: it is at tick %d of the host's %d", lead, c.Now(), sim.Host.Now())
		}
		if mine, host := count(c.State(), sim.Host.Schema()), count(sim.Host.State(), sim.Host.Schema()); host != 0 || mine != 0 {
			t.Errorf("lead %v: %d balls at the client, %d at the host", lead, mine, host)
		}
		sim.Drain()
		sim.AgreeOnHashes()
	}
}
