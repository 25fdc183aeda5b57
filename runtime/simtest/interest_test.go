package simtest_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/host"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/world"
)

// search is a game of lamps that fly in circles, one for each player, among stones and
// spies. Spies are hidden: a client receives a spy only while the player's lamp shines
// on it.
const search = `
Lamp = object "Lamp" {
  input = { Go = "bool" },
  state = { turn = 0 },
  body = { shape = { circle = 0.3 }, layer = "lamp", collides = { "lamp" } },
}
function Lamp:applyInput(input)
  self.turn = self.turn + 0.02
  self:setPosition(10 * math.cos(self.turn), 10 * math.sin(self.turn))
end

Stone = object "Stone" { range = 6, body = { type = "static", shape = { circle = 0.3 } } }
Spy = object "Spy" { hidden = true, lod = "interpolate", aux = { code = str(24) }, body = { type = "static", shape = { circle = 0.3 } } }
function Spy:tick()
  if tickNumber() % 60 == 0 then self.code = "SWORDFISH" .. tickNumber() end
end

function onStart()
  for i = 1, 40 do
    spawn("Stone", { x = i - 20, y = 0 })
  end
  for i = 1, 8 do
    spawn("Spy", { x = 12 * math.cos(i), y = 12 * math.sin(i), code = "SWORDFISH0" })
  end
end

function onJoin(player)
  spawn("Lamp", { owner = player, x = 10, turn = player })
end

function relevant(viewer, object)
  if object.class ~= "Spy" then
    return true
  end
  local x, y = viewer:getPosition()
  local ox, oy = object:getPosition()
  return (x - ox) ^ 2 + (y - oy) ^ 2 < 25
end
`

// spiesOf counts the spies in a client's state, those far from its lamp, and those whose code is none of the last
// two. On a bad line, a removal arrives up to 0.4 s late, during which a lamp moves 5 m.
func spiesOf(host *host.Host, c *client.Client, s *world.State) (spies, leaks, old int) {
	at, schema := host.State(), host.Schema()
	var x, y float64
	for _, slot := range at.Run {
		if at.Objects[slot].Owner == c.Player() {
			x, y = at.Body(int(slot)).X, at.Body(int(slot)).Y
		}
	}
	for _, slot := range s.Run {
		if schema.Classes[s.Objects[slot].Class].Name != "Spy" {
			continue
		}
		spies++
		if m := s.Body(int(slot)); math.Hypot(m.X-x, m.Y-y) > 5+5 {
			leaks++
		}
		var code world.Tick
		text, _ := world.NewFieldReader(&schema.Classes[s.Objects[slot].Class], s.Row(int(slot))).Text("code")
		if _, err := fmt.Sscanf(text, "SWORDFISH%d", &code); err != nil || code > at.Tick || code+2*60 <= at.Tick {
			old++
		}
	}
	return spies, leaks, old
}

// TestSpectatorReceivesRelevantObjects tests that a stone is shown while it is in
// range, and a spy while the relevancy hook allows it, both at the right place and
// time.
func TestSpectatorReceivesRelevantObjects(t *testing.T) {
	t.Parallel()
	setup := bundle.DefaultSetup()
	bundle := &bundle.Bundle{Game: "search", Setup: setup, Rules: bundle.DefaultRules(), Files: []world.Source{{Name: "game.lua", Text: search}}}
	sim := simtest.New(t, simtest.Options{Seed: 51, Clients: 3, Profile: memlink.Bad(), Bundle: bundle, Compile: compile,
		Client: func(i int, cfg *client.Config) {
			if i == 0 {
				cfg.Kind = client.Spectator
			}
		}})
	sim.Run(5 * time.Second)
	lamps := map[world.Tick][2]float64{} // where the spectator's lamp is
	var v room.View
	var shown, withheld, wrongIn, wrongOut int
	var held, leaks, old int // spies in the states of clients, spies that should not be there, and those with old codes
	for end := sim.Now + 12*time.Second; sim.Now < end; {
		sim.Run(4 * simtest.PollEvery)
		s := sim.Host.State()
		for _, slot := range s.Run {
			if o := s.Objects[slot]; o.Owner == sim.Clients[0].Player() {
				lamps[s.Tick] = [2]float64{s.Body(int(slot)).X, s.Body(int(slot)).Y}
			}
		}
		for _, c := range sim.Clients {
			spies, leaked, late := spiesOf(sim.Host, c, c.State())
			held, leaks, old = held+spies, leaks+leaked, old+late
		}
		sim.Clients[0].View(&v)
		lamp, ok := lamps[v.Tick]
		if !ok {
			continue
		}
		there := map[world.ObjectID]bool{}
		for i := range v.Bodies {
			there[v.Bodies[i].ID] = true
		}
		for _, slot := range s.Run {
			class, reach, leave := sim.Host.Schema().Classes[s.Objects[slot].Class].Name, 6.0, 6.6
			switch class {
			case "Spy":
				reach, leave = 5, 5
			case "Stone":
			default:
				continue
			}
			b := s.Body(int(slot))
			away := math.Hypot(b.X-lamp[0], b.Y-lamp[1])
			is := there[s.Objects[slot].ID]
			// A snapshot is sent every third tick, in which a lamp moves 0.6 m. An
			// object that comes into range waits for the next one.
			switch {
			case is:
				shown++
				if away > leave+1 {
					wrongIn++
				}
			default:
				withheld++
				if away < reach-1 {
					wrongOut++
				}
			}
		}
	}
	if shown < 1000 || withheld < 1000 || wrongIn+wrongOut > (shown+withheld)/200 {
		t.Errorf("%d shown, %d of them too far away; %d withheld, %d of them near", shown, wrongIn, withheld, wrongOut)
	}
	if c := sim.Host.Report(sim.Now).Interest; c == nil || c.Asked < 1000 || c.Failed+c.Skipped > 0 {
		t.Errorf("%+v", c)
	}
	t.Logf("%d shown, %d withheld, wrongly %d and %d; %+v", shown, withheld, wrongIn, wrongOut, sim.Host.Report(sim.Now).Interest)
	if held < 1000 || leaks+old > 0 {
		t.Errorf("%d times a client had a spy in its state, %d of them too far away, and %d with an old code", held, leaks, old)
	}
	if c := sim.Report(1).Confirmed; c.Compared < 600 || c.Mismatched > 0 {
		t.Errorf("a client that simulates all: %+v", c)
	}
}
