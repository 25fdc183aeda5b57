package simtest_test

import (
	"math"
	"testing"
	"time"

	"github.com/hindcast/hindcast/luabind"
	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/runtime/stats"
	"github.com/hindcast/hindcast/world"
)

// gauges has one object whose fields say what tick it is, each in its own way.
const gauges = `
Gauge = object "Gauge" {
  state = {
    even = 0, odd = { "number", min = 0, max = 100000, show = "step" }, heading = { "angle", show = "shortest" },
    name = str(16), on = false,
  },
  look = { label = "{name}: {odd}, {on}", bar = "odd" },
  body = { type = "static", shape = { circle = 1 } },
}
function Gauge:tick()
  local n = tickNumber()
  self.even, self.odd, self.on = n, n, n % 2 == 0
  self.heading = (n * 0.1 + math.pi) % (2 * math.pi) - math.pi
  self.name = "tick " .. n
end
function onStart() spawn("Gauge") end
`

// TestFieldsAreShownAsTheySay: numbers go evenly from tick to tick or from snapshot to
// snapshot, angles the shorter way round, all else steps: for clients that
// simulate and for those that watch.
func TestFieldsAreShownAsTheySay(t *testing.T) {
	t.Parallel()
	bundle := &bundle.Bundle{Game: "gauges", Setup: bundle.DefaultSetup(), Rules: bundle.DefaultRules(), Files: []world.Source{{Name: "game.lua", Text: gauges}}}
	sim := simtest.New(t, simtest.Options{Seed: 3, Clients: 2, Profile: memlink.Average(), Bundle: bundle, Compile: luabind.Compile,
		Client: func(i int, cfg *runtime.ClientConfig) {
			if i == 1 {
				cfg.Kind = runtime.Spectator
			}
		}})
	sim.Run(4 * time.Second)
	var parts, stale stats.Series
	held := 0
	for end := sim.Now + 4*time.Second; sim.Now < end; {
		sim.Run(simtest.PollEvery)
		for i, c := range sim.Clients {
			var v runtime.View
			c.View(&v)
			if len(v.Bodies) != 1 {
				t.Fatalf("client %d is shown %d bodies", i, len(v.Bodies))
			}
			b := &v.Bodies[0]
			moment := float64(v.Tick) - 1 + v.Alpha
			even, ok1 := b.Number("even")
			odd, ok2 := b.Number("odd")
			heading, ok3 := b.Number("heading")
			_, wrong := b.Number("name")
			on, ok4 := b.Bool("on")
			name, ok5 := b.Text("name")
			if !ok1 || !ok2 || !ok3 || !ok4 || !ok5 || wrong {
				t.Fatalf("client %d knows %v %v %v %v %v %v", i, ok1, ok2, ok3, ok4, ok5, wrong)
			}
			parts.Add(moment - math.Floor(moment))
			if i == 1 && even == math.Floor(even) && even < moment { // the next snapshot is late: fields wait for it
				held++
				moment = even
			}
			if math.Abs(even-moment) > 1e-3 || math.Abs(math.Remainder(heading-moment*0.1, 2*math.Pi)) > 1e-3 || math.Abs(heading) > math.Pi+1e-9 {
				t.Fatalf("client %d at %v: even %v, heading %v", i, moment, even, heading)
			}
			stale.Add(moment - odd)
			if odd != math.Floor(odd) || odd > moment || moment-odd > []float64{1, 10}[i] || on != (math.Mod(odd, 2) == 0) {
				t.Fatalf("client %d at %v: odd %v, on %v", i, moment, odd, on)
			}
			if label := b.Label(); label != name+": "+name[len("tick "):]+", "+map[bool]string{true: "true", false: "false"}[on] {
				t.Fatalf("client %d: label %q", i, label)
			}
			if bar, ok := b.Bar(); !ok || bar != odd/100000 {
				t.Fatalf("client %d: bar %v", i, bar)
			}
		}
	}
	if parts.Quantile(0.1) > 0.3 || parts.Quantile(0.9) < 0.7 || stale.Quantile(1) < 1 || held > parts.Count()/20 {
		t.Errorf("moments %+v, stale by %+v, %d times held: too few between ticks", parts.Spread(), stale.Spread(), held)
	}
}
