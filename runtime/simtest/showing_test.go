package simtest_test

import (
	"fmt"
	"log/slog"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/world"
)

// showers has an object of each level, and match state, whose fields are shown by functions. In the state
// the numbers are the tick. What a function returns for ticks a to b is below 0.
const showers = `
local function way(a, b, f) return -(WAY * 1e6 + a * 10 + f) end
local function fields() return {
  n = { "number", show = way },
  list = list({ "number", show = way }, 3),
  text = { str(16), show = function(a, b, f) return a .. ">" .. b end },
  on = { "bool", show = function(a, b, f) if f > 2 then return nil end return true end },
} end
local function count(self)
  local n = tickNumber()
  assert(self.n >= 0, "a hook saw what a viewer is shown")
  self.n, self.worn, self.text, self.on = n, n, "" .. n, n % 2 == 0
  if #self.list == 0 then self.list[1] = n end
  self.list[1] = n
end
local function class(lod) return { state = fields(), aux = { worn = { "number", show = way } }, lod = lod, look = { label = "{n}" }, body = { shape = { circle = 1 }, type = "kinematic" } } end
Near = object "Near" (class("predict"))
Far = object "Far" (class("interpolate"))
Apart = object "Apart" (class("extrapolate"))
Near.tick, Far.tick, Apart.tick = count, count, count
game { state = { n = { "number", show = way } } }
function onStart() spawn("Near") spawn("Far", { x = 5 }) spawn("Apart", { x = 9 }) end
function tick() game.n = tickNumber() end
`

// showersOf returns that game, with a number that its functions show.
func showersOf(way string) *bundle.Bundle {
	return bundle.New("showers", world.Source{Name: "game.lua", Text: strings.Replace(showers, "WAY", way, 1)})
}

// A functionShown counts what views show of a field.
type functionShown struct{ between, whole int }

// look checks a number that a function shows. moment is when the view shows it, in ticks, and late by how
// many ticks it may be behind.
func (s *functionShown) look(t *testing.T, who string, v, way, moment, late float64) {
	t.Helper()
	if v >= 0 { // no state lies ahead yet, or the moment is that of a state
		s.whole++
		if v > moment+1 || v < moment-late-1 {
			t.Errorf("%s at %v: %v is shown", who, moment, v)
		}
		return
	}
	s.between++
	is := (-v - way*1e6) / 10
	if from := math.Floor(is + 1e-9); is < from || is >= from+0.1 || from > moment || from < moment-late-1 {
		t.Errorf("%s at %v: %v is shown", who, moment, v)
	}
}

// TestFunctionsShowFields: in views of predicted, interpolated and extrapolated objects and of the match, by
// predictors and spectators, fields are shown by the functions of the bundle in force, which is switched. No
// hook notices.
func TestFunctionsShowFields(t *testing.T) {
	t.Parallel()
	for name, profile := range map[string]memlink.Profile{"off": memlink.Off(), "average": memlink.Average(), "bad": memlink.Bad()} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sim := simtest.New(t, simtest.Options{Seed: 3, Clients: 2, Profile: profile, Bundle: showersOf("1"), Compile: compile,
				Client: func(i int, cfg *client.Config) {
					if i == 1 {
						cfg.Kind = client.Spectator
					}
				}})
			sim.Run(3 * time.Second)
			for way := 1.0; way <= 2; way++ {
				seen, texts := map[string]*functionShown{}, map[string]int{}
				look := func(who string, v, moment, late float64) {
					if seen[who] == nil {
						seen[who] = &functionShown{}
					}
					seen[who].look(t, who, v, way, moment, late)
				}
				for end := sim.Now + 1500*time.Millisecond; sim.Now < end; {
					sim.Run(simtest.PollEvery)
					for i, c := range sim.Clients {
						lookAt(t, i, c, look, texts)
					}
				}
				if len(seen) != 2*(3*3+1) || len(texts) != 2*3 {
					t.Errorf("%d kinds of numbers and %d of texts were shown", len(seen), len(texts))
				}
				// order: each is looked at alone
				for who, s := range seen {
					if s.between < 100 {
						t.Errorf("%s: shown by its function %d times, and as in a state %d times", who, s.between, s.whole)
					}
				}
				if way == 1 {
					switchTo(t, sim, showersOf("2"))
					sim.Run(2 * time.Second)
				}
			}
			if c := sim.Clients[0]; c.Confirmed() < sim.Host.Committed()/2 {
				t.Errorf("confirmed up to tick %d of %d", c.Confirmed(), sim.Host.Committed())
			}
			if r := sim.Host.Report(sim.Now); r.ScriptErrors != 0 {
				t.Errorf("%d script errors", r.ScriptErrors)
			}
		})
	}
}

// lookAt passes what a client's view shows of each field to look.
func lookAt(t *testing.T, i int, c *client.Client, look func(who string, v, moment, late float64), texts map[string]int) {
	t.Helper()
	var v room.View
	c.View(&v)
	who := func(what string) string { return fmt.Sprintf("client %d: %s", i, what) }
	present := float64(v.Tick) - 1 + v.Alpha
	if i == 1 {
		present = v.Moment
	}
	if n, err := v.Match.Number("n"); err == nil {
		look(who("match"), n, present, 60)
	}
	for j := range v.Bodies {
		b := &v.Bodies[j]
		moment, late := present, 60.0
		if b.Class == "Far" {
			moment = v.Moment
		}
		fields := b.Fields()
		n, err := fields.Number("n")
		if err != nil {
			continue // not known yet
		}
		look(who(b.Class+".n"), n, moment, late)
		worn, _ := fields.Number("worn")
		look(who(b.Class+".worn"), worn, moment, late)
		if item, err := fields.Item("list", 1); err == nil {
			n, _ := item.Number("")
			look(who(b.Class+".list"), n, moment, late)
		}
		text, _ := fields.Text("text")
		if from, to, between := strings.Cut(text, ">"); between {
			var before, after float64
			if _, err := fmt.Sscan(from+" "+to, &before, &after); err != nil || after-before < 1 || after-before > late {
				t.Errorf("%s: %q", who(b.Class), text)
			}
			texts[who(b.Class)]++
		}
	}
}

// TestFailingShowFunction: the field steps, and the client logs and reports each error once for a bundle, with file,
// line and field. So does one that draws whole ticks, and never needs the function.
func TestFailingShowFunction(t *testing.T) {
	t.Parallel()
	text := `X = object "X" { state = { n = { "number", show = function(a, b, f)
  return a < 0
end } }, body = { shape = { circle = 1 }, type = "kinematic" } }
function X:tick() self.n = tickNumber() end
function onStart() spawn("X") end`
	var log [3]strings.Builder
	var told [3][]string
	sim := simtest.New(t, simtest.Options{Seed: 3, Clients: 3, Profile: memlink.Average(), Compile: compile,
		Bundle: bundle.New("failing", world.Source{Name: "game.lua", Text: text}),
		Client: func(i int, cfg *client.Config) {
			cfg.Log = slog.New(slog.NewTextHandler(&log[i], &slog.HandlerOptions{Level: slog.LevelError}))
			cfg.AskedError = func(_ world.Tick, name string, err error) { told[i] = append(told[i], name+" "+err.Error()) }
			switch i {
			case 1:
				cfg.Kind = client.Spectator
			case 2:
				cfg.DrawTicksFrom = 50
			}
		}})
	play := func() {
		t.Helper()
		frames := 0
		for end := sim.Now + 3*time.Second; sim.Now < end; {
			sim.Run(simtest.PollEvery)
			for _, c := range sim.Clients {
				var v room.View
				c.View(&v)
				for j := range v.Bodies {
					if n, err := v.Bodies[j].Fields().Number("n"); err == nil {
						if frames++; n != math.Floor(n) {
							t.Fatalf("%v is shown", n)
						}
					}
				}
			}
		}
		if frames < 500 {
			t.Errorf("%d frames", frames)
		}
	}
	play()
	switchTo(t, sim, bundle.New("failing", world.Source{Name: "game.lua", Text: "\n" + text}))
	play()
	for i := range log {
		got := log[i].String()
		for line := 1; line <= 2; line++ {
			if want := fmt.Sprintf("game.lua:%d: X.n: the function of show must return a number, not a boolean", line); strings.Count(got, want) != 1 || len(told[i]) != 2 || told[i][line-1] != "show "+want {
				t.Errorf("client %d logged\n%s\nand reported %q, not once %s", i, got, told[i], want)
			}
		}
	}
}

// switchTo switches the room to a bundle.
func switchTo(t *testing.T, sim *simtest.Sim, b *bundle.Bundle) {
	t.Helper()
	if _, err := swap(t, sim, b); err != nil {
		t.Fatal(err)
	}
}

// counted is a script whose functions that show fields are counted.
type counted struct {
	world.Script
	calls *int
}

// ShowField calls the function.
func (s counted) ShowField(c *world.Class, field int, a, b world.Value, part float64) (world.Value, error) {
	*s.calls++
	return s.Script.(world.ShowFunctions).ShowField(c, field, a, b, part)
}

// TestShowFunctionsAreTried: a client that draws whole ticks calls each function once a second, for any of its objects.
func TestShowFunctionsAreTried(t *testing.T) {
	t.Parallel()
	const text = `local function later(a, b, f) return b end
X = object "X" { body = { shape = { circle = 1 }, type = "kinematic" }, state = {
  n = { "number", show = later }, m = { "number", show = later }, still = { "number", show = later } } }
function X:tick() self.n = tickNumber() self.m = tickNumber() end
function onStart() for i = 1, 20 do spawn("X") end end`
	var calls [2]int
	sim := simtest.New(t, simtest.Options{Seed: 3, Clients: 2, Profile: memlink.LAN(), Compile: compile,
		Bundle: bundle.New("tried", world.Source{Name: "game.lua", Text: text}),
		Client: func(i int, cfg *client.Config) {
			if i == 0 {
				cfg.DrawTicksFrom = 60
			}
			cfg.Compile = func(files []world.Source, setup world.Setup) (world.Script, error) {
				s, err := compile(files, setup)
				return counted{s, &calls[i]}, err
			}
		}})
	sim.Run(2 * time.Second)
	calls = [2]int{}
	for end := sim.Now + 4*time.Second; sim.Now < end; {
		sim.Run(simtest.PollEvery)
		for _, c := range sim.Clients {
			c.View(&room.View{})
		}
	}
	if calls[0] < 6 || calls[0] > 10 || calls[1] < 1000 {
		t.Errorf("in 4 s, the client that draws whole ticks has called its two functions %d times, the other one %d times",
			calls[0], calls[1])
	}
}
