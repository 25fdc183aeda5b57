package simtest_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/host"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"github.com/hindcast/hindcast/world"
)

// cutGame is a game of beacons of each level, whose fields rise and which flash now and then, and of runners who shoot.
const cutGame = `
local function count(self)
  local t = tickNumber()
  self.clock, self.ramp = math.floor(t / 15), t / 60
  if t % 40 == 7 and t < 900 then cue("flash", { shot = t }) end
end
local function class(name, lod)
  local c = object(name) { lod = lod, state = { clock = { "number", show = "step" }, ramp = 0 }, body = { shape = { circle = 0.3 }, density = 1 } }
  c.tick = count
end
class("Beacon", "predict")
LEVELS
Runner = object "Runner" {
  lod = "RUNNER", input = { l = "bool", r = "bool", Fire = "bool" }, state = { clock = { "number", show = "step" }, ramp = 0, shots = 0 },
  body = { shape = { circle = 0.5 }, density = 1 },
}
function Runner:applyInput(input)
  self:setVelocity(((input.r and 1 or 0) - (input.l and 1 or 0)) * 4, 0)
  for i = 1, input:presses("Fire") do
    self.shots = self.shots + 1
    cue("shot", { shot = self.shots + 1000000 })
  end
end
function Runner:tick() count(self) end
function onStart()
  for i, name in ipairs(CLASSES) do spawn(name, { x = 4 * i - 8, y = 8 }) end
end
function onJoin(player) spawn("Runner", { x = 2 * player - 4, y = -2 * player, owner = player }) end
`

// cutBundle is that game; in a room of predicted objects only, or of all levels with runners of one.
func cutBundle(runner world.LOD, mixed bool) *bundle.Bundle {
	levels, classes := "", `{ "Beacon" }`
	if mixed {
		levels, classes = `class("Seen", "interpolate") class("Guessed", "extrapolate")`, `{ "Beacon", "Seen", "Guessed" }`
	}
	return shooterBundle(strings.NewReplacer("LEVELS", levels, "CLASSES", classes, "RUNNER", runner.String()).Replace(cutGame))
}

// TestCutLine cuts a client's line for a second, again and again. Its fields never go back, and each cue fires once.
func TestCutLine(t *testing.T) {
	onLines(t, "bad", func(t *testing.T, line memlink.Profile) {
		for _, seed := range draws.Seeds(draws.Pick(1, 5)) {
			for _, room := range []struct {
				runner world.LOD
				mixed  bool
			}{{world.Predict, false}, {world.Predict, true}, {world.Interpolate, true}, {world.Extrapolate, true}} {
				t.Run(fmt.Sprintf("seed=%d/%v,mixed=%v", seed, room.runner, room.mixed), func(t *testing.T) {
					playCut(t, seed, line, cutBundle(room.runner, room.mixed))
				})
			}
		}
	})
}

func playCut(t *testing.T, seed uint64, line memlink.Profile, b *bundle.Bundle) {
	const spectator = 2
	truth, eyes, rises := &worldEye{shots: map[ownShot]*shotEvents{}}, []*worldEye{}, []*rising{}
	sim := simtest.New(t, simtest.Options{Seed: seed, Clients: 3, Profile: line, Bundle: b, Compile: compile,
		Controls: func(i int) client.Controls { return &rapidFire{14 + 6*i, 900} },
		Host:     func(c *host.Config) { c.On.Cue = truth.take },
		Client: func(i int, c *client.Config) {
			if i == spectator {
				c.Kind = client.Spectator
			}
			e := &worldEye{shots: map[ownShot]*shotEvents{}}
			eyes, rises = append(eyes, e), append(rises, &rising{shown: map[string]float64{}, changes: map[string]int{}})
			c.Cues = e.take
		}})
	sim.Run(4 * time.Second)
	cut := func(is bool) {
		sim.Net.Cut(0, is)
		sim.Net.Cut(spectator, is)
	}
	for begin, frames := sim.Now, 0; sim.Now < begin+draws.Pick(8*time.Second, 24*time.Second); frames++ {
		switch frames % 250 { // 4 s
		case 100:
			cut(true)
		case 163:
			cut(false)
		}
		sim.Run(4 * simtest.PollEvery)
		for i, c := range sim.Clients {
			rises[i].look(c, sim.Now, 40)
		}
	}
	sim.Run(6 * time.Second)
	for i := range sim.Clients {
		for _, what := range rises[i].wrong {
			t.Errorf("client %d: %s", i, what)
		}
		eyes[i].compareShots(t, fmt.Sprint("client ", i), truth, nil)
		eyes[i].missesNone(t, fmt.Sprint("client ", i), truth, ownObject(sim, i), 400) // all play by then
	}
	t.Logf("%v; resyncs %d, held %d", rises[0].changes, sim.Report(0).Resyncs, sim.Report(0).Held)
}
