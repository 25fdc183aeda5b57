package simtest_test

import (
	"errors"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/runtime/stats"
	"github.com/hindcast/hindcast/world"
)

// gauges has two objects whose fields follow from the tick, one field of each kind.
// Predictors predict the Gauge and interpolate the Dial.
const gauges = `
local function fields() return {
  even = 0, odd = { "number", min = 0, max = 100000, show = "step" }, heading = { "angle", show = "shortest" },
  name = str(16), on = false,
} end
local function count(self)
  local n = tickNumber()
  self.even, self.odd, self.on = n, n, n % 2 == 0
  self.heading = (n * 0.1 + math.pi) % (2 * math.pi) - math.pi
  self.name = "tick " .. n
end
Gauge = object "Gauge" {
  state = fields(), look = { label = "{name}: {odd}, {on}", bar = "odd" }, body = { type = "static", shape = { circle = 1 } },
}
Dial = object "Dial" {
  state = fields(), look = { label = "{name}: {odd}, {on}", bar = "odd" }, body = { type = "static", shape = { circle = 1 } },
  lod = "interpolate",
}
function Gauge:tick() count(self) end
function Dial:tick() count(self) end
function onStart()
  spawn("Gauge")
  spawn("Dial", { x = 5 })
end
`

// shownFields checks what views show of the objects of gauges.
type shownFields struct {
	t      *testing.T
	alphas stats.Series // how far between two ticks the views were
	stale  stats.Series // by how many ticks fields that step were behind
	late   int          // views of a replicated object that waited for a snapshot
	bodies int
}

// look checks the fields of one body. moment is the time at which the view shows it, in ticks.
// A replicated body is shown between two snapshots, any other body between two ticks.
func (f *shownFields) look(b *room.ViewBody, moment float64, replicated bool) {
	f.t.Helper()
	fields := b.Fields()
	even, err1 := fields.Number("even")
	odd, err2 := fields.Number("odd")
	heading, err3 := fields.Number("heading")
	_, wrong := fields.Number("name")
	on, err4 := fields.Bool("on")
	name, err5 := fields.Text("name")
	if err := errors.Join(err1, err2, err3, err4, err5); err != nil || !errors.Is(wrong, world.ErrValue) {
		f.t.Fatalf("%s: %v; a text as a number: %v", b.Class, err, wrong)
	}
	f.alphas.Add(moment - math.Floor(moment))
	if f.bodies++; replicated && even == math.Floor(even) && even < moment { // the next snapshot is late: fields wait for it
		f.late++
		moment = even
	}
	if math.Abs(even-moment) > 1e-3 || math.Abs(math.Remainder(heading-moment*0.1, 2*math.Pi)) > 1e-3 || math.Abs(heading) > math.Pi+1e-9 {
		f.t.Fatalf("%s at %v: even %v, heading %v", b.Class, moment, even, heading)
	}
	f.stale.Add(moment - odd)
	if odd != math.Floor(odd) || odd > moment || moment-odd > staleTicks(replicated) || on != (math.Mod(odd, 2) == 0) {
		f.t.Fatalf("%s at %v: odd %v, on %v", b.Class, moment, odd, on)
	}
	if label := b.Label(); label != fmt.Sprintf("%s: %s, %t", name, name[len("tick "):], on) {
		f.t.Fatalf("%s: label %q", b.Class, label)
	}
	if bar, ok := b.Bar(); !ok || bar != odd/100000 {
		f.t.Fatalf("%s: bar %v", b.Class, bar)
	}
}

// staleTicks returns how many ticks a field that steps may be behind.
func staleTicks(replicated bool) float64 {
	if replicated {
		return 10 // a snapshot may be late
	}
	return 1
}

// TestFieldsAreShownAsTheySay tests that numbers are interpolated between two ticks or
// two snapshots, that angles take the shorter way round, and that all other fields
// step. This holds for objects that a predictor predicts or interpolates, and for all
// objects that a spectator shows.
func TestFieldsAreShownAsTheySay(t *testing.T) {
	t.Parallel()
	bundle := bundle.New("gauges", world.Source{Name: "game.lua", Text: gauges})
	sim := simtest.New(t, simtest.Options{Seed: 3, Clients: 2, Profile: memlink.Average(), Bundle: bundle, Compile: compile,
		Client: func(i int, cfg *client.Config) {
			if i == 1 {
				cfg.Kind = client.Spectator
			}
		}})
	sim.Run(4 * time.Second)
	shown := map[string]*shownFields{} // by kind of client and body
	for end := sim.Now + 4*time.Second; sim.Now < end; {
		sim.Run(simtest.PollEvery)
		for i, c := range sim.Clients {
			var v room.View
			c.View(&v)
			if len(v.Bodies) != 2 {
				t.Fatalf("client %d is shown %d bodies", i, len(v.Bodies))
			}
			for j := range v.Bodies {
				b := &v.Bodies[j]
				who := fmt.Sprintf("client %d, %s", i, b.Class)
				if shown[who] == nil {
					shown[who] = &shownFields{t: t}
				}
				if i == 0 && b.Class == "Gauge" {
					shown[who].look(b, float64(v.Tick)-1+v.Alpha, false)
				} else {
					shown[who].look(b, v.Moment, true)
				}
			}
		}
	}
	if len(shown) != 4 {
		t.Errorf("%d kinds of bodies were shown", len(shown))
	}
	// order: every kind of body is looked at alone
	for who, f := range shown {
		if f.alphas.Quantile(0.1) > 0.3 || f.alphas.Quantile(0.9) < 0.7 || f.stale.Quantile(1) < 0.9 || f.late > f.bodies/20 {
			t.Errorf("%s: moments %+v, stale by %+v, %d of %d times late: too few between ticks", who, f.alphas.Spread(), f.stale.Spread(), f.late, f.bodies)
		}
		t.Logf("%s: moments %+v, stale by %+v, %d of %d times late", who, f.alphas.Spread(), f.stale.Spread(), f.late, f.bodies)
	}
}
