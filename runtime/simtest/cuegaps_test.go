package simtest_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/host"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"github.com/hindcast/hindcast/world"
)

// gems is a game of objects that emit a cue of each kind in each tick from their spawn on, and change hands soon
// after it. Some live for a few ticks. They do not depend on inputs, so what a player's client predicts of its own
// is what happens.
const gems = `
local function glow(self)
  self.age = self.age + 1
  if self.age <= 4 or math.abs(self.age - PASSES) <= 6 then
    cue("all", { x = self:getPosition(), n = self.age })
    cue("mine", { x = self:getPosition(), to = "owner" })
    cue("theirs", { x = self:getPosition(), to = "others" })
  end
  if self.age == PASSES then self:setOwner(1 + tickNumber() % 3) end
  if self.age == LIVES then self:remove() end
end
local function gem(lod) return { lod = lod, state = { age = 0 }, body = { type = "kinematic", shape = { circle = 0.3 } } } end
Gem = object "Gem" (gem("interpolate"))
Coin = object "Coin" (gem("extrapolate"))
Star = object "Star" (gem("predict"))
for _, class in ipairs({ Gem, Coin, Star }) do
  class.onSpawn = function(self) cue("born", { x = self:getPosition() }) end
  class.tick = glow
  class.onRemove = function(self) cue("gone", { x = self:getPosition() }) end
end
Mine = object "Mine" { lod = "interpolate", body = { type = "kinematic", shape = { circle = 0.3 } } }
function Mine:tick()
  if tickNumber() % 37 == 0 then spawn("Gem", { x = self:getPosition(), owner = self.owner }) end
end
Eye = object "Eye" { body = { type = "kinematic", shape = { circle = 0.3 } } }
function onStart() for i = 0, 3 do spawn("Mine", { x = i % 2 * FAR }) end end
function onJoin(player)
  local x = player == 3 and FAR or 0
  spawn("Eye", { owner = player, x = x })
  spawn("Mine", { owner = player, x = x })
end
function tick()
  if tickNumber() % 23 == 0 then
    local class = ({ "Gem", "Coin", "Star" })[math.floor(tickNumber() / 23) % 3 + 1]
    spawn(class, { x = 0, owner = FAR == 0 and tickNumber() % 4 or tickNumber() % 3 })
  end
end
`

// cuesOfGems plays gems on a line, and compares the cues of the host and the clients. If reach, the range of
// snapshots in metres, is not 0, player 3 and the gems there are out of reach of the others.
func cuesOfGems(t *testing.T, line memlink.Profile, passes, lives int, reach float64) {
	t.Helper()
	b := shooterBundle(fmt.Sprintf("local FAR, PASSES, LIVES = %v, %d, %d\n", 4*reach, passes, lives) + gems)
	b.Rules.Snapshots.Range = reach
	m := &flashMatch{spectator: -1, host: &flashes{t: t, who: "the host", cues: map[world.CueKey]*flash{}}}
	m.Sim = simtest.New(t, simtest.Options{Seed: 9, Clients: 3, Profile: line, Bundle: b, Compile: compile,
		Host: func(c *host.Config) {
			c.On.Cue = func(e room.CueEvent) { m.host.take(e, m.Now, 0) }
		},
		Client: func(i int, c *client.Config) {
			f := &flashes{t: t, who: fmt.Sprint("client ", i), cues: map[world.CueKey]*flash{}}
			m.clients = append(m.clients, f)
			c.Cues = func(e room.CueEvent) { f.take(e, m.Now, 0) }
		}})
	m.allIn()
	m.Run(2 * time.Second)
	first := m.Host.Now()
	m.Run(draws.Pick(4*time.Second, 20*time.Second))
	last := m.Host.Now() - 60
	m.Drain()
	m.agree()
	for i, c := range m.Clients {
		got, wrong := 0, 0
		for key, h := range m.host.cues { // order: each is judged by itself
			if key.Tick < first || key.Tick > last {
				continue
			}
			near := !h.cue.Source.Replicated || h.cue.Owner == c.Player() || (c.Player() == 3) == (fieldOf(&h.cue, "x") > 0) || reach == 0
			if passes > 0 && reach > 0 && m.clients[i].cues[key] != nil {
				near = true // a player with a distant gem sees what is there
			}
			if has, want := m.clients[i].cues[key] != nil, h.cue.For(c.Player()) && near; has != want {
				if wrong++; wrong < 6 {
					t.Errorf("player %d has %s of player %d (%+v): %v", c.Player(), key, h.cue.Owner, h.cue.Source, has)
				}
			} else if has {
				got++
			}
		}
		for key := range m.clients[i].cues { // order: each is judged by itself
			if m.host.cues[key] == nil && key.Tick >= first && key.Tick <= last {
				if wrong++; wrong < 6 {
					t.Errorf("player %d has %s, which never happened", c.Player(), key)
				}
			}
		}
		t.Logf("player %d: %d cues as the host, %d not", c.Player(), got, wrong)
		if got < 50 {
			t.Errorf("player %d: only %d cues", c.Player(), got)
		}
	}
	if r := m.Host.Report(m.Now); r.Cues.Lost > 0 || r.ScriptErrors > 0 {
		t.Errorf("%d cues lost, %d script errors", r.Cues.Lost, r.ScriptErrors)
	}
}

// TestCuesOfNewOwners: an object that changes its owner before the first snapshot of it reaches its players
// has each cue of each tick on the clients that it is for.
func TestCuesOfNewOwners(t *testing.T) {
	t.Parallel()
	for name, line := range map[string]memlink.Profile{"off": memlink.Off(), "average": memlink.Average(), "bad": memlink.Bad()} {
		if !draws.Full() && name != "average" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cuesOfGems(t, line, 1, 20, 0)
			cuesOfGems(t, line, 25, 60, 0)
		})
	}
}

// TestCuesOfShortLives: an object that lives between two snapshots has its cues on the clients that are in its
// range, and on no others.
func TestCuesOfShortLives(t *testing.T) {
	t.Parallel()
	for name, line := range map[string]memlink.Profile{"off": memlink.Off(), "average": memlink.Average(), "bad": memlink.Bad()} {
		if !draws.Full() && name != "average" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cuesOfGems(t, line, 0, 1, 50)
			cuesOfGems(t, line, 1, 2, 50)
		})
	}
}

// fieldOf returns a number that a cue carries.
func fieldOf(c *world.Cue, name string) float64 {
	for i := range c.Fields {
		if c.Fields[i].Name == name {
			return c.Fields[i].Number
		}
	}
	return 0
}
