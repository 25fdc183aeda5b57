package simtest_test

import (
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/world"
)

// bags is a game in which each object appends to the lists of the others.
const bags = `
Bag = object "Bag" {
  input = { Accel = "bool", Turnleft = "bool", Turnright = "bool" },
  state = { hits = list("number", 5), slots = list(record { what = str(8), n = 0 }, 3), pose = record { x = 0, last = ref() } },
  body = { shape = { circle = 0.5 }, linear_damping = 0.5 },
}
function Bag:applyInput(input)
  self:setDirectionalForce(self.pose.x, input.Accel and 9 or 2)
  self.pose.x = self.pose.x + (input.Turnleft and 0.1 or 0) - (input.Turnright and 0.1 or 0)
  local x, y = self:getPosition()
  for _, o in ipairs(overlapCircle(x, y, 6)) do
    if o ~= self then
      if #o.hits < 4 then table.insert(o.hits, input.Accel and 1 or tickNumber() % 7) else table.remove(o.hits, 1) end
      if #o.slots == 0 then o.slots = { { what = "a" } } else o.slots[1].n = o.slots[1].n + #self.hits end
      self.pose.last = o
    end
  end
end
function Bag:tick()
  table.sort(self.hits)
  if #self.slots > 0 and self.slots[1].n > 20 then table.remove(self.slots) end
  self:applyImpulse((self.hits[1] or 0) * 0.1, #self.hits * 0.1)
end
function Bag:onContact(other) self.hits = { 1, 2, 3 } if other.hits then other.hits = self.hits end end
`

// TestListsAreRewound tests lists and records in a room with bad lines. Check mode
// compares every rewind with a whole one.
func TestListsAreRewound(t *testing.T) {
	t.Parallel()
	b := bundle.New("bags")
	b.Setup.Spawns = []world.Spawn{{Class: "Bag", Count: 6, W: 16, H: 12}}
	b.Files = []world.Source{{Name: "bag.lua", Text: bags},
		{Name: "game.lua", Text: "function onJoin(player) spawn('Bag', { owner = player, x = player * 2, hits = { player } }) end"}}
	sim := simtest.New(t, simtest.Options{Seed: 5, Clients: 3, Profile: memlink.Bad(), Bundle: b, Compile: compile,
		Controls: func(int) client.Controls { return simtest.Bot(t, "random") }})
	sim.Run(8 * time.Second)
	sim.Drain()
	sim.AgreeOnHashes()
	r := sim.Host.Report(sim.Now)
	if r.Inputs.LateRewound < 20 || r.VerifiedTicks == 0 || r.ScriptErrors != 0 {
		t.Errorf("late inputs %d, verified ticks %d, script errors %d", r.Inputs.LateRewound, r.VerifiedTicks, r.ScriptErrors)
	}
	s, used := sim.Host.State(), 0
	for _, slot := range s.Run {
		c := &sim.Host.Schema().Classes[s.Objects[slot].Class]
		if f, ok := c.Field("#hits"); ok {
			used += f.Len(s.Row(int(slot)))
		}
	}
	if used == 0 {
		t.Error("all lists are empty")
	}
}
