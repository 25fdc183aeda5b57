package simtest_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/host"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"github.com/hindcast/hindcast/runtime/simtest/figures"
	"github.com/hindcast/hindcast/runtime/stats"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

// mixedGame has ships and crates that clients predict, replicated wanderers, replicated
// drones that players steer, and drifting rocks.
const mixedGame = `
Ship = object "Ship" {
  input = { Left = "bool", Right = "bool", Up = "bool", Down = "bool" },
  state = { near = 0 },
  aux = { bumps = 0 },
  body = { type = "dynamic", shape = { circle = 0.5 }, density = 1, linear_damping = 1, restitution = 0.3 },
}
function Ship:applyInput(input)
  local x = (input.Right and 1 or 0) - (input.Left and 1 or 0)
  local y = (input.Up and 1 or 0) - (input.Down and 1 or 0)
  self:setForce(x * 12, y * 12)
end
function Ship:tick()
  local x, y = self:getPosition()
  local npc = nearest("Npc", x, y)
  self.near = npc and npc.mood or -1
end
function Ship:onContact(other) self.bumps = self.bumps + 1 end

-- where nobody else comes
Scout = object "Scout" {
  input = { Left = "bool", Right = "bool", Up = "bool", Down = "bool" },
  body = { type = "dynamic", shape = { circle = 0.4 }, density = 1, linear_damping = 1, restitution = 0.5, layer = "scout", collides = { "wall" } },
}
Scout.applyInput = Ship.applyInput

Drone = object "Drone" {
  lod = "interpolate",
  input = { Left = "bool", Right = "bool", Up = "bool", Down = "bool" },
  state = { flown = 0 },
  body = { type = "dynamic", shape = { circle = 0.4 }, density = 1, linear_damping = 1 },
}
Drone.applyInput = function(self, input)
  local x = (input.Right and 1 or 0) - (input.Left and 1 or 0)
  local y = (input.Up and 1 or 0) - (input.Down and 1 or 0)
  self:setForce(x * 8, y * 8)
  if x ~= 0 or y ~= 0 then self.flown = self.flown + 1 end
end

Crate = object "Crate" {
  body = { type = "dynamic", shape = { box = { 1, 1 } }, density = 0.5, linear_damping = 2, angular_damping = 2 },
}

Npc = object "Npc" {
  lod = "interpolate",
  input = { go = { "number", min = -3.2, max = 3.2, step = 0.01 } },
  state = { age = 0 },
  aux = { mood = 0 },
  body = { type = "dynamic", shape = { circle = 0.6 }, density = 4 },
}
function Npc:think()
  self.age = self.age + 1
  if self.age % 90 == 1 then self.mood = math.floor(random() * 64) end
  return { go = self.mood / 10 - 3.15 }
end
function Npc:applyInput(input)
  self:setVelocity(4 * math.cos(input.go), 4 * math.sin(input.go))
end

Rock = object "Rock" {
  lod = "extrapolate",
  body = { type = "dynamic", shape = { circle = 0.7 }, density = 2, restitution = 0.9 },
}
`

const mixedRoom = `game { aux = { n = 0 } }
function onStart()
  for i = 0, 11 do spawn("Crate", { x = i * 2.5 - 14, y = (i % 3) * 3 - 3 }) end
  for i = 0, 5 do spawn("Npc", { x = i * 5 - 13, y = 6 - (i % 2) * 12 }) end
  for i = 0, 3 do spawn("Rock", { x = i * 8 - 12, y = 9 - (i % 2) * 18, vx = 2, vy = (i % 2) * 4 - 2 }) end
end
function onJoin(player)
  game.n = game.n + 1
  spawn("Ship", { x = game.n * 5 - 12, y = 0, owner = player })
  spawn("Drone", { x = game.n * 5 - 12, y = -8, owner = player })
  spawn("Scout", { x = game.n * 5 - 12, y = 8, owner = player })
end
function tick()
  local t = tickNumber()
  if t % 200 == 0 then spawn("Npc", { x = 0, y = 10 }) end
  if t % 200 == 120 then
    local all = objects("Npc")
    all[#all]:remove()
  end
  if t % 300 == 50 then objects("Npc")[1]:setPosition(random() * 30 - 15, random() * 16 - 8) end
end
`

// mixed returns that game in an arena with walls. If predicted is set, clients predict
// all of it.
func mixed(predicted bool) *bundle.Bundle {
	text := mixedGame
	if predicted {
		text = strings.NewReplacer(`"interpolate"`, `"predict"`, `"extrapolate"`, `"predict"`).Replace(text)
	}
	b := bundle.New("mixed", world.Source{Name: "game.lua", Text: mixedRoom}, world.Source{Name: "mixed.lua", Text: text})
	b.Setup.Walls = []world.Wall{{Y: -12, W: 42, H: 1}, {Y: 12, W: 42, H: 1}, {X: -20.5, W: 1, H: 25}, {X: 20.5, W: 1, H: 25}}
	return b
}

func mixedSim(t *testing.T, bundle *bundle.Bundle, line memlink.Profile) *simtest.Sim {
	return simtest.New(t, simtest.Options{Seed: 5, Clients: 3, Profile: line, Bundle: bundle, Compile: compile,
		Controls: func(i int) client.Controls { return &driver{uint64(i) + 3} }})
}

// foreseen is where a client predicted one of its own objects.
type foreseen struct {
	tick world.Tick
	id   world.ObjectID
	at   spot
}

// A looker compares the objects that a client predicted and showed with those of the
// host.
type looker struct {
	history    past
	foreseen   map[string][]foreseen // by class
	shown      stats.Series          // how far off interpolated objects are shown, m
	back       stats.Series          // the interpolation delay, ms
	came, went int
	there      map[world.ObjectID]bool
	view       room.View
}

func newLooker() *looker {
	return &looker{history: past{}, foreseen: map[string][]foreseen{}, there: map[world.ObjectID]bool{}}
}

func (l *looker) look(sim *simtest.Sim, c *client.Client) {
	l.history.note(sim.Host.State())
	s := c.State()
	for _, slot := range s.Run {
		o, b := &s.Objects[slot], s.Body(int(slot))
		if name := sim.Host.Schema().Classes[o.Class].Name; o.Owner == c.Player() {
			l.foreseen[name] = append(l.foreseen[name], foreseen{s.Tick, o.ID, spot{b.X, b.Y, b.VX, b.VY}})
		}
	}
	c.View(&l.view)
	l.back.Add((float64(sim.Host.Now()) - l.view.Moment) * 1000 / 60)
	here := map[world.ObjectID]bool{}
	for i := range l.view.Bodies {
		b := &l.view.Bodies[i]
		if b.Class != "Npc" {
			continue
		}
		here[b.ID] = true
		if !l.there[b.ID] {
			l.came++
		}
		at := room.View{Tick: world.Tick(l.view.Moment) + 1, Alpha: l.view.Moment - math.Floor(l.view.Moment)}
		if d, ok := l.history.wrong(&at, b); ok {
			l.shown.Add(d)
		}
	}
	// order: the objects are only counted
	for id := range l.there {
		if !here[id] {
			l.went++
		}
	}
	l.there = here
}

// off returns by how much predictions of own objects of a class were wrong, and the
// share of ticks in which a prediction differed in any bit.
func (l *looker) off(class string) (off stats.Series, other float64) {
	n := 0
	for _, f := range l.foreseen[class] {
		if was, ok := l.history[f.tick][f.id]; ok {
			off.Add(math.Hypot(was.x-f.at.x, was.y-f.at.y))
			if was != f.at {
				n++
			}
		}
	}
	return off, float64(n) / float64(max(off.Count(), 1))
}

// TestMixedRoom tests that clients confirm the shared set although replicated objects
// bump into it, and that they show those with the interpolation delay.
func TestMixedRoom(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		line memlink.Profile
		back float64 // ms
		lost float64 // share of ticks in which an input came too late or differed from the guess
	}{{"lan", memlink.LAN(), 110, 0}, {"average", memlink.Average(), 160, 0.03}, {"bad", memlink.Bad(), 320, 0.06}} {
		if !draws.Full() && c.name != "average" {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			sim, l := mixedSim(t, mixed(false), c.line), newLooker()
			sim.Run(4 * time.Second)
			play := draws.Pick(6*time.Second, 10*time.Second)
			for end := sim.Now + play; sim.Now < end; {
				sim.Run(4 * simtest.PollEvery)
				l.look(sim, sim.Clients[0])
			}
			sim.Drain()
			sim.AgreeOnHashes()
			h := sim.Host.Report(sim.Now)
			ship, _ := l.off("Ship")
			drone, _ := l.off("Drone")
			scout, other := l.off("Scout")
			t.Logf("host: %v; shown wrong by %+v m, %+v ms ago; %d came, %d went", h.Bytes, l.shown.Spread(), l.back.Spread(), l.came, l.went)
			t.Logf("foreseen: ships off by %+v m, drones by %+v m, scouts by %+v m", ship.Spread(), drone.Spread(), scout.Spread())
			rate := func(bytes int64) string { return fmt.Sprintf("%.1f kB/s", float64(bytes)/1000/sim.Now.Seconds()) }
			each := func(part string) string { return rate(h.Bytes[part] / int64(len(sim.Clients))) }
			if draws.Full() {
				figures.Row(t, "benchmarks.md", "partially replicated room on "+c.name, each("datagrams_out"), each("snapshots"), rate(h.Bytes["given"]))
			}
			if sim.Failed() != nil || h.ScriptErrors > 0 || h.Bytes["given"] < 1000 || h.Bytes["snapshots"] < 1000 {
				t.Errorf("%v; %d script errors; %v", sim.Failed(), h.ScriptErrors, h.Bytes)
			}
			for i := range sim.Clients {
				r := sim.Report(i)
				t.Logf("client %d: %+v; corrections %+v; repredictions %+v; rewinds %+v", i, r.Confirmed, r.Corrections, r.Repredictions, r.Rewinds)
				// the game, 4 walls, 12 crates, 3 ships, 3 scouts
				if r.Confirmed.Compared < 50*int((4*time.Second+play).Seconds()) || r.Confirmed.Mismatched > 0 || r.Confirmed.Objects != 23 {
					t.Errorf("client %d: %+v", i, r.Confirmed)
				}
			}
			if l.came < 6 || l.went < 2 || l.shown.Count() < 300*int(play.Seconds()) || l.shown.Quantile(0.95) > 0.05 || l.back.Quantile(0.5) > c.back {
				t.Errorf("%d came, %d went, shown wrong by %+v m, %+v ms ago", l.came, l.went, l.shown.Spread(), l.back.Spread())
			}
			if scout.Count() < 50*int(play.Seconds()) || other > c.lost {
				t.Errorf("of %d ticks of a scout that touched nobody %.3f were foreseen wrongly", scout.Count(), other)
			}
			if drone.Count() < 50*int(play.Seconds()) || drone.Quantile(0.5) > 0.02 {
				t.Errorf("own drones are off by %+v m", drone.Spread())
			}
		})
	}
}

// TestMixedRoomNoticesAFault tests that patches do not hide a host whose shared set
// does not follow from its inputs.
func TestMixedRoomNoticesAFault(t *testing.T) {
	t.Parallel()
	sim := simtest.New(t, simtest.Options{Seed: 5, Clients: 2, Bundle: mixed(false), Compile: compile,
		Host: func(c *host.Config) { c.Fault, c.Recorder = timeline.Fault{Tick: 200, Object: 12}, nil }})
	sim.RunUntil(20*time.Second, "all noticed", sim.Desynced)
	for _, c := range sim.Clients {
		if d := c.Desync(); d.Tick != 200 || len(d.Differences) != 1 {
			t.Errorf("%+v", d)
		}
	}
}

// TestNothingIsReplicatedWhereAllIsPredicted tests that the same game with all classes
// predicted has neither snapshots nor patches, and that clients confirm all of it.
func TestNothingIsReplicatedWhereAllIsPredicted(t *testing.T) {
	t.Parallel()
	sim := mixedSim(t, mixed(true), memlink.Average())
	sim.Run(8 * time.Second)
	sim.Drain()
	sim.AgreeOnHashes()
	h := sim.Host.Report(sim.Now)
	t.Logf("%v", h.Bytes)
	if h.Bytes["given"] != 0 || h.Bytes["snapshots"] != 0 {
		t.Errorf("bytes of snapshots or patches for simulated objects: %v", h.Bytes)
	}
	for i := range sim.Clients {
		if r := sim.Report(i); r.Confirmed.Objects < 36 || r.Corrections.Count > 0 {
			t.Errorf("client %d: %+v, corrections %+v", i, r.Confirmed, r.Corrections)
		}
	}
}
