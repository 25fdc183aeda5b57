package simtest_test

import (
	"strings"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/host"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/world"
)

// thousand is a room of 8 runners and 1,000 others in rows, of which 50 are within 15 m of the first
// runner. NAME is what the others do.
const thousand = `

Runner = object "Runner" {
  body = { shape = { circle = 0.5 }, mass = 70, linear_damping = 1, angular_damping = 2 },
  input = { turn = "number", Pass = "bool" },
  state = { x0 = 0, y0 = 0 },
}
function Runner:onSpawn() self.x0, self.y0 = self:getPosition() end
function Runner:applyInput(input)
  local x, y = self:getPosition()
  local a = self:getDirection()
  self:setForce(300 * math.cos(a) - 100 * (x - self.x0), 300 * math.sin(a) - 100 * (y - self.y0))
  self:setAngularVelocity(3 * input.turn)
end
Other = object "Other" {
  body = { shape = { circle = 0.3 }, mass = 30, linear_damping = DAMPING },
  state = { home = 0 },
}
function Other:tick()
  HOOK
end
function tick()
  if tickNumber() > 20 then return end
  for i = 50 * tickNumber() - 50, 50 * tickNumber() - 1 do
    local x, y = -72 + 3.6 * (i % 40), -36 + 3 * math.floor(i / 40)
    spawn("Other", { x = x, y = y, home = x, vx = 2 * math.sin(i), vy = 2 * math.cos(i) })
  end
end
function onJoin(player) spawn("Runner", { x = -61 + 17 * (player - 1), y = -25 + 7 * (player - 1), angle = player, owner = player }) end
`

// follow is the hook of those that follow the nearest runner.
const follow = `local x, y = self:getPosition()
  local r = nearest("Runner", x, y)
  if r then
    local rx, ry = r:getPosition()
    self:setForce(2 * math.max(-3, math.min(3, rx - x)) + 20 * (self.home - x), 2 * math.max(-3, math.min(3, ry - y)))
  end`

// BenchmarkClientInARoomOf1000 measures the frames of a client with 7 others. With culling,
// the client predicts about 50 of 1,000 objects.
func BenchmarkClientInARoomOf1000(b *testing.B) {
	for _, scene := range []struct {
		name, damping, hook string
		line                memlink.Profile
	}{
		{"roll", "0", "return", memlink.Average()},
		{"wander", "1", "self:setForce(30 * (self.home - self:getPosition()), 30 * math.sin(now() + self.home))", memlink.Average()},
		{"follow", "1", follow, memlink.Average()},
		{"follow on bad lines", "1", follow, memlink.Bad()},
	} {
		for _, reach := range []float64{0, 15} {
			name := scene.name + "/all"
			if reach > 0 {
				name = scene.name + "/culled"
			}
			b.Run(name, func(b *testing.B) {
				text := strings.NewReplacer("DAMPING", scene.damping, "HOOK", scene.hook).Replace(thousand)
				game := bundle.New("thousand", world.Source{Name: "game.lua", Text: text})
				game.Setup.Width, game.Setup.Height = 160, 90
				game.Rules.Prediction.Range = reach
				var spent time.Duration
				sim := simtest.New(b, simtest.Options{Seed: 4, Clients: 8, Profile: scene.line, Bundle: game, Compile: compile,
					Controls: func(i int) client.Controls { return &runner{uint64(i) * 7} },
					Host:     func(cfg *host.Config) { cfg.Verify = false },
					Client: func(i int, cfg *client.Config) {
						if cfg.Verify = false; i > 0 {
							cfg.Kind = client.InputOnly
						}
					},
					Around: func(i int, run func()) {
						start := time.Now()
						if run(); i == 0 {
							spent += time.Since(start)
						}
					}})
				sim.Run(4 * time.Second)
				before := sim.Report(0)
				spent = 0
				for b.Loop() {
					sim.Run(time.Second)
				}
				r := sim.Report(0)
				frames := float64(r.Tick - before.Tick)
				b.ReportMetric(float64(spent.Microseconds())/frames, "µs/frame")
				b.ReportMetric(float64(r.Rewinds.ObjectsReRun-before.Rewinds.ObjectsReRun)/frames, "rerun/frame")
				b.ReportMetric(float64(r.Objects-r.Culling.Objects), "predicted")
				if r.Confirmed.Mismatched > 0 {
					b.Errorf("%+v", r.Confirmed)
				}
			})
		}
	}
}
