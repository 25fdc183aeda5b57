package simtest_test

import (
	"strings"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/world"
)

// countedRacers are racers with owner authority whose hits mines and other racers add to, at the same time.
const countedRacers = `
Racer = object "Racer" {
  input = { left = "bool", right = "bool", go = "bool" },
  authority = "owner",
  moves = { speed = 20 },
  state = { hits = 0 },
  body = { shape = { circle = 0.5 }, density = 1, linear_damping = 1 },
}
local WORTH = 1
function Racer:hit()
  self.hits = self.hits + WORTH
  game.total = game.total + WORTH
end
function Racer:applyInput(input)
  self:setDirectionalForce(self:getDirection(), input.go and 12 or 0)
  for _, other in ipairs(objects("Racer")) do
    if input:pressed("go") and other ~= self then
      other:hit()
      game.pokes = game.pokes + 1
    end
  end
end
Mine = object "Mine" {}
function Mine:tick()
  for _, r in ipairs(objects("Racer")) do r:hit() end
end`

// TestSumsReachOwners tests that what several objects add to a field of an object with owner authority, and to the match,
// is never lost: on bad lines, over a switch of scripts, on the host and on all clients.
func TestSumsReachOwners(t *testing.T) {
	t.Parallel()
	const game = `
game { state = { total = 0, pokes = 0 } }
function onStart() spawn("Mine") spawn("Mine") end
` + racersGame
	sim := simtest.New(t, simtest.Options{Seed: 11, Clients: 3, Profile: memlink.Bad(), Bundle: ownersRoom("game.lua", game, "racer.lua", countedRacers),
		Compile: compile, Controls: func(i int) client.Controls { return &driver{uint64(i) + 5} }})
	sim.Run(6 * time.Second)
	if _, err := swap(t, sim, ownersRoom("game.lua", game, "racer.lua", strings.Replace(countedRacers, "WORTH = 1", "WORTH = 3", 1))); err != nil {
		t.Fatal(err)
	}
	sim.Run(6 * time.Second)
	sim.Drain()
	compared := sim.AgreeOnHashes()
	s, schema := sim.Host.State(), sim.Host.Schema()
	total, hits, pokes := 0.0, 0.0, 0.0
	read := func(r world.FieldReader, name string) float64 {
		n, err := r.Number(name)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	for _, slot := range s.Run {
		class := &schema.Classes[s.Objects[slot].Class]
		r := world.NewFieldReader(class, s.Row(int(slot)))
		switch class.Name {
		case "Racer":
			hits += read(r, "hits")
		case world.GameClass:
			total, pokes = read(r, "total"), read(r, "pokes")
		}
	}
	r := sim.Host.Report(sim.Now)
	if hits != total || hits < 7000 || pokes < 20 || compared < 1500 {
		t.Errorf("the racers have %v hits, and the match counts %v, %v by racers; %d ticks compared", hits, total, pokes, compared)
	}
	if r.Rewinds.Count < 100 || r.ScriptErrors != 0 || r.Owners.Poses < 1000 {
		t.Errorf("rewinds %+v, %d script errors, owners %+v", r.Rewinds, r.ScriptErrors, *r.Owners)
	}
}
