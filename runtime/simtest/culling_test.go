package simtest_test

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"github.com/hindcast/hindcast/runtime/stats"
	"github.com/hindcast/hindcast/world"
)

// wide is a game of runners in a field of balls that roll, chains that hang together, and a crowd that walks
// towards the nearest runner.
const wide = `
Runner = object "Runner" {
  body = { shape = { circle = 0.5 }, mass = 70, linear_damping = 1, angular_damping = 2 },
  input = { turn = "number", Pass = "bool" },
}
function Runner:applyInput(input)
  local x, y = self:getPosition()
  local a = self:getDirection()
  self:setForce(900 * math.cos(a) - 12 * x, 900 * math.sin(a) - 12 * y)
  self:setAngularVelocity(3 * input.turn)
  if input:pressed("Pass") then cue("pass", {}) end
end
Ball = object "Ball" {
  body = { shape = { circle = 0.4 }, mass = 20, restitution = 0.9 },
  state = { hits = 0 },
}
function Ball:onContact(other) self.hits = self.hits + 1; cue("hit", { n = self.hits }) end
Follower = object "Follower" {
  body = { shape = { circle = 0.3 }, mass = 30, linear_damping = 1 },
  state = { seen = 0 },
}
function Follower:tick()
  local x, y = self:getPosition()
  local r = nearest("Runner", x, y)
  if r then
    local rx, ry = r:getPosition()
    self:setForce(20 * math.max(-3, math.min(3, rx - x)), 20 * math.max(-3, math.min(3, ry - y)))
    self.seen = self.seen + 1
  end
end
function onStart()
  for i = 1, 40 do
    spawn("Ball", { x = -38 + 8 * (i % 10), y = -12 + 8 * math.floor((i - 1) / 10), vx = (i % 7) - 3, vy = (i % 5) - 2 })
  end
  for i = 1, 12 do spawn("Follower", { x = 6 * i - 39, y = 14 - i }) end
  local last
  for i = 1, 6 do
    local b = spawn("Ball", { x = 30 + i, y = 15 })
    if last then rope(last, b, { length = 1.2 }) end
    last = b
  end
end
function onJoin(player) spawn("Runner", { x = 20 * player - 40, y = 5 - 3 * player, angle = player, owner = player }) end
`

func wideBundle(reach float64) *bundle.Bundle {
	b := bundle.New("wide", world.Source{Name: "game.lua", Text: wide})
	b.Setup.Width, b.Setup.Height = 84, 40
	b.Setup.Walls = []world.Wall{{Y: -20, W: 84, H: 1}, {Y: 20, W: 84, H: 1}, {X: -42, W: 1, H: 41}, {X: 42, W: 1, H: 41}}
	b.Rules.Prediction.Range = reach
	return b
}

// TestCulledObjectsAreConfirmed: clients that cull what is far confirm every tick of a room in which everything
// touches everything, on all lines.
func TestCulledObjectsAreConfirmed(t *testing.T) {
	onLines(t, "average awful", func(t *testing.T, line memlink.Profile) {
		sim := simtest.New(t, simtest.Options{Seed: 9, Clients: 3, Profile: line, Bundle: wideBundle(12), Compile: compile,
			Controls: func(i int) client.Controls { return &runner{uint64(i) * 7} }})
		sim.Run(draws.Pick(6*time.Second, 20*time.Second))
		sim.Drain()
		if n := sim.AgreeOnHashes(); n < 500 {
			t.Errorf("%d hashes were compared", n)
		}
		for i := range sim.Clients {
			r := sim.Report(i)
			t.Logf("client %d: %+v, %d ticks compared, %d corrections, %d of %d objects run again", i, r.Culling, r.Confirmed.Compared, r.Corrections.Count, r.Rewinds.ObjectsReRun, r.Rewinds.ObjectsInFull)
			if r.Culling.Objects < 10 || r.Culling.Restored < 2 || r.Confirmed.Mismatched != 0 || r.Resyncs != 0 {
				t.Errorf("client %d: %+v, %+v", i, r.Culling, r.Confirmed)
			}
		}
	})
}

// beholder looks at all bodies as a client draws them.
type beholder struct {
	view  room.View
	paths map[world.ObjectID]*path
}

// path is how an object was drawn.
type path struct {
	last   room.ViewBody
	frame  int
	steps  []float64 // how far from the last frame, m
	fast   []float64 // how far its velocity could have taken it, m
	turns  []bool    // it was culled or restored since the last frame
	culled bool
}

func (e *beholder) look(c *client.Client, frame int, dt time.Duration) {
	c.View(&e.view)
	for _, b := range e.view.Bodies {
		p := e.paths[b.ID]
		if p == nil {
			p = &path{}
			e.paths[b.ID] = p
		} else if p.frame == frame-1 {
			p.steps = append(p.steps, math.Hypot(b.X-p.last.X, b.Y-p.last.Y))
			p.fast = append(p.fast, math.Hypot(b.VX, b.VY)*dt.Seconds())
			p.turns = append(p.turns, slices.Contains(e.view.Culled, b.ID) != p.culled)
		}
		p.last, p.frame, p.culled = b, frame, slices.Contains(e.view.Culled, b.ID)
	}
}

// jumps returns by how much objects were drawn beyond where the velocities of half a second around a frame could
// have taken them: in all frames, and in those in which an object was culled or restored.
func (e *beholder) jumps() (all, turning stats.Series) {
	for _, p := range e.paths {
		for i, way := range p.steps {
			jump := max(0, way-slices.Max(p.fast[max(0, i-30):min(len(p.fast), i+30)]))
			if all.Add(jump); p.turns[i] {
				turning.Add(jump)
			}
		}
	}
	return all, turning
}

// TestCulledObjectsDoNotJump: objects that are culled and restored while clients play move on without a jump.
func TestCulledObjectsDoNotJump(t *testing.T) {
	onLines(t, "bad", func(t *testing.T, line memlink.Profile) {
		look := func(reach float64) (all, turning stats.Series, r room.Report) {
			sim := simtest.New(t, simtest.Options{Seed: 9, Clients: 2, Profile: line, Bundle: wideBundle(reach), Compile: compile,
				Controls: func(i int) client.Controls { return &runner{uint64(i) * 7} }})
			e := beholder{paths: map[world.ObjectID]*path{}}
			const frame = 4 * simtest.PollEvery
			sim.RunUntil(time.Minute, "it plays", sim.Clients[0].Playing)
			for i := range int(draws.Pick(4*time.Second, 15*time.Second) / frame) {
				sim.Run(frame)
				e.look(sim.Clients[0], i, frame)
			}
			sim.Drain()
			sim.AgreeOnHashes()
			all, turning = e.jumps()
			return all, turning, sim.Report(0)
		}
		predicted, _, _ := look(0)
		culled, turning, r := look(12)
		t.Logf("%+v; jumps %+v m, at %d changes %+v m; without culling %+v m", r.Culling, culled.Spread(), turning.Count(), turning.Spread(), predicted.Spread())
		if r.Culling.Restored < 5 || r.Culling.Objects < 10 || turning.Count() < 20 || culled.Quantile(0.99) > 0.1 || turning.Quantile(1) > 0.1 {
			t.Errorf("%+v; jumps %+v m, at %d changes %+v m; without culling %+v m", r.Culling, culled.Spread(), turning.Count(), turning.Spread(), predicted.Spread())
		}
	})
}

// TestCullingDoesNotJumpAfterwards: in the half second after an object was culled or restored, no frame draws it
// farther from the one before than its speed in that frame allows, and 0.1 m. In one game distance decides, in the other
// a function that culls all but the runners every other second.
func TestCullingDoesNotJumpAfterwards(t *testing.T) {
	onLines(t, "bad", func(t *testing.T, line memlink.Profile) {
		const byTime = "function predicted(v, o) return o.class == 'Runner' or (tickNumber() / 60) % 2 < 1 end"
		for n := range draws.Pick(2, 6) {
			hook := []string{"", byTime}[n%2]
			b := wideBundle(12)
			if hook != "" {
				b.Rules.Prediction.Range = 0
				b.Files[0].Text += hook
			}
			sim := simtest.New(t, simtest.Options{Seed: 9 + uint64(n/2), Clients: 3, Profile: line, Bundle: b, Compile: compile,
				Controls: func(i int) client.Controls { return &runner{uint64(i) * 7} },
				Client:   func(_ int, c *client.Config) { c.Verify = false }})
			sim.RunUntil(time.Minute, "they play", func() bool {
				return !slices.ContainsFunc(sim.Clients, func(c *client.Client) bool { return !c.Playing() })
			})
			sim.Run(2 * time.Second) // nobody looks
			turning, turns := turnsOf(sim, draws.Pick(3*time.Second, 10*time.Second))
			t.Logf("%q: %d changes, jumps within half a second %+v m", hook, turns, turning.Spread())
			if turns < 60 || turning.Quantile(1) > 0.1 {
				t.Errorf("%q: %d changes, jumps within half a second %+v m", hook, turns, turning.Spread())
			}
			inAgreement(t, sim)
		}
	})
}

// turnsOf looks at what all clients draw, and returns by how much objects moved beyond their speed in the half second
// after they were culled or restored, and how often that happened. A lead that grows takes all that is predicted on by
// more time than has passed, own objects as well: it is not what culling moves.
func turnsOf(sim *simtest.Sim, d time.Duration) (turning stats.Series, turns int) {
	type state struct {
		culled bool
		frames int // that are left of the half second
	}
	eyes := make([]simtest.FrameDiff, len(sim.Clients))
	known := map[[2]uint64]state{} // by client and object
	for end := sim.Now + d; sim.Now < end; {
		sim.Run(4 * simtest.PollEvery)
		for i, c := range sim.Clients {
			was := eyes[i].Present()
			v := eyes[i].Look(c, sim.Now)
			ticks := (4 * simtest.PollEvery).Seconds() * float64(v.TickRate)
			grown := max(1, (eyes[i].Present()-was)/ticks)
			eyes[i].Jumps(func(b *room.ViewBody, j simtest.Jump) {
				key, now := [2]uint64{uint64(i), uint64(b.ID)}, slices.Contains(v.Culled, b.ID)
				s, seen := known[key]
				if s.frames--; seen && s.culled != now {
					s.frames = 30
					turns++
				}
				if s.culled = now; s.frames > 0 {
					turning.Add(max(0, j.Step-float64(j.Way*grown)))
				}
				known[key] = s
			})
		}
	}
	return turning, turns
}

// TestCuesOfCulledObjects: a client fires each cue once, whether its object is predicted or culled, and all cues
// that a spectator is sent.
func TestCuesOfCulledObjects(t *testing.T) {
	onLines(t, "bad", func(t *testing.T, line memlink.Profile) {
		const spectator = 2
		shown := [3]map[world.CueKey]int{{}, {}, {}}
		late := 0
		sim := simtest.New(t, simtest.Options{Seed: 9, Clients: 3, Profile: line, Bundle: wideBundle(12), Compile: compile,
			Controls: func(i int) client.Controls { return &runner{uint64(i) * 7} },
			Client: func(i int, cfg *client.Config) {
				if i == spectator {
					cfg.Kind = client.Spectator
				}
				cfg.Cues = func(e room.CueEvent) {
					if e.Kind == room.CueMoved {
						shown[i][e.Was.CueKey]--
					}
					if e.Kind == room.CueCancelled {
						shown[i][e.Cue.CueKey]--
					} else {
						shown[i][e.Cue.CueKey]++
					}
					late += one(i == 0 && e.Age > 200*time.Millisecond)
				}
			}})
		sim.RunUntil(time.Minute, "all play", func() bool {
			return sim.Clients[0].Playing() && sim.Clients[1].Playing() && sim.Clients[2].Playing()
		})
		sim.Run(3 * time.Second)
		from := sim.Host.State().Tick
		var v room.View
		for end := sim.Now + 6*time.Second; sim.Now < end; {
			sim.Run(4 * simtest.PollEvery)
			sim.Clients[0].View(&v)
			sim.Clients[spectator].View(&v)
		}
		to := sim.Host.State().Tick - 120
		cues, culled := 0, sim.Report(0).Culling
		// order: every difference is an error of its own
		for key, n := range shown[spectator] {
			if key.Tick <= from || key.Tick > to {
				continue
			}
			cues++
			for i := range 2 {
				if shown[i][key] != n {
					t.Errorf("client %d shows %s %d times, a spectator %d", i, key, shown[i][key], n)
				}
			}
		}
		// order: every difference is an error of its own
		for key, n := range shown[0] {
			if key.Tick > from && key.Tick <= to && n != shown[spectator][key] {
				t.Errorf("client 0 shows %s %d times, a spectator %d", key, n, shown[spectator][key])
			}
		}
		t.Logf("%d cues, %d of them more than 200 ms late; %+v", cues, late, culled)
		if cues < 20 || culled.Objects < 10 {
			t.Errorf("%d cues; %+v", cues, culled)
		}
	})
}

// TestPredictedDecides: game.lua's predicted decides what a client culls, until a reload removes it; then the
// client predicts everything again.
func TestPredictedDecides(t *testing.T) { onLines(t, "average", playPredicted) }

func playPredicted(t *testing.T, line memlink.Profile) {
	all := wideBundle(0)
	chosen := wideBundle(0)
	chosen.Files = []world.Source{{Name: "game.lua", Text: wide + "function predicted(viewer, object) return viewer.class == 'Runner' and object.class ~= 'Ball' end\n"}}
	sim := simtest.New(t, simtest.Options{Seed: 9, Clients: 2, Profile: line, Bundle: chosen, Compile: compile,
		Controls: func(i int) client.Controls { return &runner{uint64(i) * 7} }})
	sim.RunUntil(time.Minute, "balls are culled", func() bool { return sim.Clients[0].Playing() && sim.Report(0).Culling.Objects == 46 })
	sim.Run(2 * time.Second)
	if r := sim.Report(0); r.Culling.Objects != 46 || r.ScriptErrors != 0 {
		t.Errorf("%+v, %d errors", r.Culling, r.ScriptErrors)
	}
	script, err := compile(all.Files, all.Setup)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := sim.Host.Switch(all, script); err != nil {
		t.Fatal(err)
	}
	sim.RunUntil(10*time.Second, "all is predicted", func() bool { return sim.Report(0).Culling.Objects == 0 })
	sim.Run(3 * time.Second)
	sim.Drain()
	if n := sim.AgreeOnHashes(); n < 500 {
		t.Errorf("%d hashes were compared", n)
	}
}

// TestDrawingCulledObjectsAllocatesNothing tests that views allocate nothing for the objects that a client culls.
func TestDrawingCulledObjectsAllocatesNothing(t *testing.T) {
	view := func(reach float64) (allocations float64, culled int) {
		sim := simtest.New(t, simtest.Options{Seed: 9, Clients: 1, Profile: memlink.Average(), Bundle: wideBundle(reach), Compile: compile,
			Controls: func(i int) client.Controls { return &runner{7} }})
		var v room.View
		for end := sim.Now + 4*time.Second; sim.Now < end; {
			sim.Run(4 * simtest.PollEvery)
			sim.Clients[0].View(&v)
		}
		return testing.AllocsPerRun(20, func() { sim.Clients[0].View(&v) }), len(v.Culled)
	}
	all, _ := view(0)
	if n, culled := view(12); n > all || culled < 10 {
		t.Errorf("a view with %d culled objects makes %v allocations, one without %v", culled, n, all)
	}
}
