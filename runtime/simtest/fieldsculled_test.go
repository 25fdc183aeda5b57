package simtest_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"github.com/hindcast/hindcast/world"
)

// clockwork is a game of beacons whose fields only grow, runners who come and go, and balls of each level that one
// runner after the other carries. LEVEL is the level of the beacons that reloads change.
const clockwork = `
local function fields(n)
  local f = { clock = { "number", show = "step" }, ramp = 0 }
  for i = 1, n do f["w" .. i] = { "number", show = "step" } end
  return f
end
local function count(self)
  local t = tickNumber()
  self.clock, self.ramp = math.floor(t / 15), t / 60
end
local WIDE = {} for i = 1, 60 do WIDE[i] = "w" .. i end
local function wide(self)
  count(self)
  if self.clock % 4 == 0 then for i, name in ipairs(WIDE) do self[name] = self.clock * 1000003 + i end end
end
local function class(name, lod, tick, n)
  local c = object(name) { lod = lod, state = fields(n), body = { shape = { circle = 0.3 }, density = 1, linear_damping = 1 } }
  c.tick = tick
end
class("Beacon", "predict", count, 0)
class("Wide", "predict", wide, 60)
class("Changing", "LEVEL", count, 0)
class("WideChanging", "LEVEL", wide, 60)
Runner = object "Runner" {
  input = { l = "bool", r = "bool" }, state = fields(0),
  body = { shape = { circle = 0.5 }, density = 1 },
}
function Runner:applyInput(input) self:setVelocity(((input.r and 1 or 0) - (input.l and 1 or 0)) * 9, 0) end
function Runner:tick() count(self) end
local function ball(name, lod)
  local c = object(name) { lod = lod, state = fields(0), body = { shape = { circle = 0.2 }, density = 0.2 } }
  function c:tick()
    count(self)
    if tickNumber() % 100 ~= 50 then return end
    local all = objects("Runner")
    if self:getHolder() then self:detach() end
    if #all > 0 then self:attach(all[1 + math.floor(tickNumber() / 100) % #all], 0.8, 0) end
  end
end
BALLS
function onStart()
  for i, name in ipairs({ "Beacon", "Wide", "Changing", "WideChanging" }) do
    for j = 0, 4 do spawn(name, { x = 9 * j - 18, y = 2 * i }) end
  end
  SPAWNS
end
function onJoin(player) spawn("Runner", { x = 2 * player - 4, y = -2 * player, owner = player }) end
`

// clockworkBundle is that game with a level, and with balls if the room has several levels.
func clockworkBundle(level world.LOD, balls bool) *bundle.Bundle {
	declared, spawned := "", ""
	if balls {
		for i, lod := range []world.LOD{world.Predict, world.Interpolate, world.Extrapolate} {
			declared += fmt.Sprintf("ball(\"Ball%d\", %q)\n", i, lod.String())
			spawned += fmt.Sprintf("spawn(\"Ball%d\", { x = %d, y = -9 })\n", i, i)
		}
	}
	b := bundle.New("clockwork", world.Source{Name: "game.lua", Text: strings.NewReplacer("LEVEL", level.String(), "BALLS", declared,
		"SPAWNS", spawned).Replace(clockwork)})
	b.Setup.Width, b.Setup.Height = 60, 40
	b.Setup.Walls = []world.Wall{{X: -25, W: 1, H: 40}, {X: 25, W: 1, H: 40}}
	b.Rules.Prediction.Range = 9
	return b
}

// commuter runs for a second and a half each way.
type commuter struct{ player int }

func (p *commuter) Input(r world.Reader, slot int) (in world.Input) {
	in.Press(r.Class(slot).Inputs[(int(r.Tick())/110+p.player)%2].Index, 1)
	return in
}

// rising notes what a client shows of fields that only grow, and when that changes.
type rising struct {
	view    room.View
	shown   map[string]float64 // by object and field
	at      time.Duration
	changes map[string]int // by field
	wrong   []string
}

// look compares a frame with the one before. fastest is how fast ramp may rise, 1/s: 1, except on its way to where another
// source has it.
func (e *rising) look(c *client.Client, now time.Duration, fastest float64) {
	c.View(&e.view)
	for i := range e.view.Bodies {
		b := &e.view.Bodies[i]
		for _, name := range [...]string{"clock", "ramp", "w40"} {
			n, err := b.Fields().Number(name)
			if err != nil {
				continue
			}
			key := b.ID.String() + " " + name
			was, seen := e.shown[key]
			if e.shown[key] = n; !seen || n == was {
				continue
			}
			e.changes[name]++
			rate := (n - was) / (now - e.at).Seconds()
			jumps := name == "ramp" && rate > fastest && !strings.HasPrefix(b.Class, "Wide") // rows may be seconds late
			if (n < was || jumps) && len(e.wrong) < 5 {
				e.wrong = append(e.wrong, fmt.Sprintf("%s of %s %s goes from %v to %v at %v, tick %d", name, b.Class, b.ID, was, n, now, c.Now()))
			}
		}
	}
	e.at = now
}

// TestFieldsOfChangingSources tests that fields never go back, and numbers that are interpolated do not jump, when objects
// are culled and restored, when reloads change their level, and when they are carried by one runner after the other.
func TestFieldsOfChangingSources(t *testing.T) {
	onLines(t, "awful", func(t *testing.T, line memlink.Profile) {
		for _, seed := range draws.Seeds(draws.Pick(1, 3)) {
			for _, levels := range [][]world.LOD{{world.Predict}, {world.Predict, world.Interpolate, world.Extrapolate, world.Interpolate}} {
				t.Run(fmt.Sprintf("seed=%d/levels=%d", seed, len(levels)), func(t *testing.T) { playClockwork(t, seed, line, levels) })
			}
		}
	})
}

func playClockwork(t *testing.T, seed uint64, line memlink.Profile, levels []world.LOD) {
	sim := simtest.New(t, simtest.Options{Seed: seed, Clients: 3, Profile: line, Bundle: clockworkBundle(levels[0], len(levels) > 1),
		Compile:  compile,
		Controls: func(i int) client.Controls { return &commuter{i} },
		Client: func(i int, c *client.Config) {
			c.Verify = draws.Full()
			if i == 2 {
				c.Kind = client.Spectator
			}
		}})
	sim.Run(4 * time.Second)
	eyes := [3]rising{}
	for i := range eyes {
		eyes[i].shown, eyes[i].changes = map[string]float64{}, map[string]int{}
	}
	rounds := draws.Pick(2, 8)
	if len(levels) == 1 {
		rounds = draws.Pick(1, 8) // each is like the others
	}
	for n := 1; n <= rounds; n++ {
		for end := sim.Now + 3*time.Second; sim.Now < end; {
			sim.Run(4 * simtest.PollEvery)
			for i, c := range sim.Clients {
				eyes[i].look(c, sim.Now, 16)
			}
		}
		edited := clockworkBundle(levels[n%len(levels)], len(levels) > 1)
		script, err := compile(edited.Files, edited.Setup)
		must(t, err)
		if len(levels) > 1 {
			_, _, err = sim.Host.Switch(edited, script)
			must(t, err)
		}
	}
	for i := range eyes {
		e, culling := &eyes[i], sim.Report(i).Culling
		for _, what := range e.wrong {
			t.Errorf("client %d: %s", i, what)
		}
		if len(e.changes) != 3 || e.changes["clock"] < 100*min(rounds, 4) || i < 2 && (culling == nil || culling.Culled < 5 || culling.Restored < 5) {
			t.Errorf("client %d saw too few changes, or too few objects were culled: %v, %+v", i, e.changes, culling)
		}
	}
	inAgreement(t, sim)
	t.Logf("%v, %+v", eyes[0].changes, sim.Report(0).Culling)
}
