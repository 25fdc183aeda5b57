package simtest_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"github.com/hindcast/hindcast/runtime/stats"
	"github.com/hindcast/hindcast/world"
)

// strollers walk in independent frames, at 0.7 m/s, and are interpolated on the screens of others.
const strollers = `
Stroller = object "Stroller" {
  ticking = "independent", lod = "interpolate",
  input = { Right = "bool" },
  state = { steps = 0, ticks = 0 },
  body = { type = "kinematic", shape = { circle = 0.3 }, layer = "stroller", collides = { "wall" } },
}
function Stroller:simulate(input, dt)
  self.steps = self.steps + 1
  self:moveAndSlide((input.Right and 0.7 or -0.7) * dt, 0)
end
function Stroller:tick() self.ticks = self.ticks + 1 end
`

const strollersGame = `
function onStart() spawn("Gate", { x = 15, y = 10 }) end
function onJoin(player) spawn("Stroller", { x = -18, y = 4 * player - 10, owner = player }) end
` + throw

// ownedStrollers are strollers that also are where their owner says, and that may be no faster than they are.
var ownedStrollers = strings.Replace(strollers, `lod =`, `authority = "owner", moves = { speed = 0.7 }, lod =`, 1)

// seenLate measures how long after its owner's frame a stroller that goes right is drawn on another screen.
type seenLate struct {
	at    []time.Duration
	x     []float64
	delay stats.Series // ms
	step  stats.Series // mm from one view to the next
	last  float64
	view  room.View
}

func (s *seenLate) look(now time.Duration, owner, other *client.Client) {
	x := func(c *client.Client) (x float64, there bool) {
		c.View(&s.view)
		for i := range s.view.Bodies {
			if b := &s.view.Bodies[i]; b.Class == "Stroller" && b.Owner == owner.Player() {
				return b.X, true
			}
		}
		return 0, false
	}
	if at, there := x(owner); there {
		s.at, s.x = append(s.at, now), append(s.x, at)
	}
	at, there := x(other)
	if !there {
		return
	}
	if s.last != 0 {
		s.step.Add((at - s.last) * 1000)
	}
	s.last = at
	for i := len(s.x) - 1; i > 0; i-- {
		if s.x[i-1] <= at && at <= s.x[i] && s.x[i-1] < s.x[i] {
			part := (at - s.x[i-1]) / (s.x[i] - s.x[i-1])
			s.delay.Add(float64(now-s.at[i-1]-time.Duration(part*float64(s.at[i]-s.at[i-1]))) / float64(time.Millisecond))
			return
		}
	}
}

// playStrollers plays with two strollers, whose clients make a frame every so often; 0: one a tick.
func playStrollers(t *testing.T, line memlink.Profile, every time.Duration) *simtest.Sim {
	t.Helper()
	return watchStrollers(t, strollers, 81, line, every, nil)
}

// watchStrollers is playStrollers with a script and a seed; moved gets the displacements of the first client.
func watchStrollers(
	t *testing.T,
	script string,
	seed uint64,
	line memlink.Profile,
	every time.Duration,
	moved func(room.Displacement),
) *simtest.Sim {
	t.Helper()
	sim := simtest.New(t, simtest.Options{Seed: seed, Clients: 2, Profile: line, Bundle: ownersRoom("game.lua", strollersGame, "gate.lua", gate, "stroller.lua", script),
		Compile: compile, Controls: func(int) client.Controls { return goer{} },
		Client: func(i int, cfg *client.Config) {
			if cfg.FrameEvery = every; i == 0 {
				cfg.Displaced = moved
			}
		}})
	sim.RunUntil(30*time.Second, "both play", func() bool { return sim.Clients[0].Playing() && sim.Clients[1].Playing() })
	sim.Run(2 * time.Second)
	return sim
}

// seenBy returns how many milliseconds after its owner's frame a stroller is drawn on other screens, at p50.
func seenBy(line memlink.Profile) float64 {
	return map[memlink.Profile]float64{memlink.Off(): 60, memlink.Average(): 260, memlink.Bad(): 400, memlink.Awful(): 800}[line]
}

// TestFramesSeenInterpolated tests objects that run in the frames of their owner and that others
// interpolate. Their owner is not corrected, no frame is an event of the log, and others see them soon.
func TestFramesSeenInterpolated(t *testing.T) { seenInterpolated(t, strollers, "") }

// TestOwnedFramesSeenInterpolated tests such objects that are where their owner says: others see them as soon, and
// no pose is refused, although they are as fast as they may be.
func TestOwnedFramesSeenInterpolated(t *testing.T) { seenInterpolated(t, ownedStrollers, "off awful") }

// seenInterpolated tests strollers of a script; more are lines of a plain run besides average and bad.
func seenInterpolated(t *testing.T, script, more string) {
	t.Parallel()
	for _, every := range []time.Duration{0, 7 * time.Millisecond} {
		lines := "" // in a plain run
		if every > 0 {
			lines = "average bad " + more
		}
		t.Run(every.String(), func(t *testing.T) {
			onLines(t, lines, func(t *testing.T, line memlink.Profile) {
				sim := watchStrollers(t, script, 81, line, every, nil)
				var seen seenLate
				for end := sim.Now + draws.Pick(5*time.Second, 10*time.Second); sim.Now < end; {
					sim.Run(simtest.PollEvery)
					seen.look(sim.Now, sim.Clients[0], sim.Clients[1])
				}
				s, schema := sim.Host.State(), sim.Host.Schema()
				steps, ticks := sumOf(s, schema, "Stroller", "steps"), sumOf(s, schema, "Stroller", "ticks")
				sim.Drain()
				compared := sim.AgreeOnHashes()
				h := sim.Host.Report(sim.Now)
				t.Logf("%d compared, seen p50 %.0f p99 %.0f ms late, moving by %+v mm; %v frames in %v ticks; owners %+v; bytes %v", compared, seen.delay.Quantile(0.5), seen.delay.Quantile(0.99), seen.step.Spread(), steps, ticks, *h.Owners, h.Bytes)
				if seen.delay.Count() < 500 || seen.delay.Quantile(0.5) > seenBy(line) || compared < 800 || h.Owners.Cut > h.Owners.Frames/100 || h.ScriptErrors != 0 || sim.Failed() != nil {
					t.Errorf("%d times seen, %.0f ms late; %d ticks compared; owners %+v; %d script errors; %v", seen.delay.Count(), seen.delay.Quantile(0.5), compared, *h.Owners, h.ScriptErrors, sim.Failed())
				}
				if o := h.Owners; script == ownedStrollers && (o.Taken < 200 || o.Refused != 0 || o.Taken+o.Passed+o.Agreed < 450) {
					t.Errorf("owners %+v", *o)
				}
				least := 1.85 // frames in a tick
				if line == memlink.Awful() {
					least = 1.7
				}
				if every != 0 && steps < least*ticks {
					t.Errorf("%v frames in %v ticks", steps, ticks)
				}
				for i := range sim.Clients {
					if r := sim.Report(i); r.Corrections.Count != 0 || r.Repredictions.Distance.Max > 0.01 {
						t.Errorf("client %d: corrections %+v, repredictions %+v", i, r.Corrections, *r.Repredictions)
					}
				}
			})
		})
	}
}

// TestFramedObjectPutElsewhere tests a stroller that an object puts elsewhere which its owner does not
// simulate: the owner is corrected once, is told which snapshot moved it, and goes on from there with the
// frames that the host has not run.
func TestFramedObjectPutElsewhere(t *testing.T) {
	onLines(t, "average bad", func(t *testing.T, line memlink.Profile) {
		var moves []room.Displacement
		sim := watchStrollers(t, strollers, 81, line, 7*time.Millisecond, func(m room.Displacement) { moves = append(moves, m) })
		c := sim.Clients[0]
		s := sim.Host.State()
		thrown := s.Tick + 1
		for _, slot := range s.Run {
			if s.Objects[slot].Owner == c.Player() {
				if err := sim.Host.Call("throw", s.Objects[slot].ID, 5, 9); err != nil {
					t.Error(err)
				}
			}
		}
		sim.Run(3 * time.Second)
		x, y, _ := bodyOf(sim.Host.State(), c.Player())
		mx, my, _ := bodyOf(c.State(), c.Player())
		if n := sim.Report(0).Corrections.Count; n != 1 || y != 9 || my != 9 || x < 6.5 || math.Abs(mx-x) > 0.7 {
			t.Errorf("%s: corrected %d times; the host has it at %.2f, %.2f, its owner at %.2f, %.2f", line, n, x, y, mx, my)
		}
		if len(moves) != 1 {
			t.Fatalf("%d displacements: %v", len(moves), moves)
		}
		requireMoved(t, &moves[0], "Stroller", thrown, sim.Host.Now())
		sim.Drain()
		sim.AgreeOnHashes()
	})
}

// requireMoved requires that a correction names its object, field, tick, and a snapshot of one of some ticks.
func requireMoved(t *testing.T, m *room.Displacement, class string, from, to world.Tick) {
	t.Helper()
	r := &m.Provenance.Replicated
	want := fmt.Sprintf("corrected %.2f m in tick %d: position of %s %s differs in the snapshot of tick %d", m.Distance, m.Provenance.Tick, class, m.Object, r.Snapshot)
	if m.String() != want || m.Class != class || r.Object != m.Object || m.Object == 0 || r.Snapshot < from || r.Snapshot > to || m.Provenance.Tick == 0 || m.Distance < 1 {
		t.Errorf("%s\nwant %s, with a snapshot of tick %d to %d", m, want, from, to)
	}
}

// TestOneFramePerDisplayedFrame tests a program that displays 144 frames a second: its objects run once
// for each of them, and with each tick while it displays none.
func TestOneFramePerDisplayedFrame(t *testing.T) { onLines(t, "average bad", playDisplayed) }

func playDisplayed(t *testing.T, line memlink.Profile) {
	sim := playStrollers(t, line, 0)
	c := sim.Clients[0]
	steps := func() (steps, x float64) {
		s, schema := sim.Host.State(), sim.Host.Schema()
		class, _ := schema.ClassByName("Stroller")
		f, _ := schema.Classes[class].Field("steps")
		for _, slot := range s.Run {
			if s.Objects[slot].Owner == c.Player() {
				steps, x = math.Float64frombits(s.Row(int(slot)).Word(f)), s.Body(int(slot)).X
			}
		}
		return steps, x
	}
	const play = 4 * time.Second
	hidden := func() float64 { // the frames of the ticks, while nothing is displayed
		before, _ := steps()
		sim.Run(play)
		after, _ := steps()
		return after - before
	}
	if n := hidden(); math.Abs(n-4*60) > 6 { // the lead of a client changes
		t.Errorf("%v frames in 4 s without display", n)
	}
	for display := range 2 {
		before, from := steps()
		shown := 0
		for end := sim.Now + play; sim.Now < end; {
			sim.Run(simtest.PollEvery)
			// Some polls are followed by no frame, as at 144 Hz.
			if want := int(sim.Now-(end-play)) * 144 / int(time.Second); want > shown {
				shown++
				c.Frame(sim.Time(0))
			}
		}
		after, to := steps()
		// The last frames are on their way. A display that has been hidden for longer than a quarter
		// of a second begins again with a frame of the ticks.
		if n := after - before; math.Abs(n-float64(shown)) > 20+144*line.Delay.Seconds() || math.Abs(to-from-0.7*play.Seconds()) > 0.1 {
			t.Errorf("display %d: %v frames of %d displayed, moved by %v m in %v", display, n, shown, to-from, play)
		}
		hidden()
	}
	sim.Drain()
	sim.AgreeOnHashes()
	if n := sim.Report(0).Corrections.Count; n != 0 {
		t.Errorf("%d corrections", n)
	}
}

// TestFramesSeenSoon tests that others see such objects as soon with whatever luck a bad line has, with either
// authority.
func TestFramesSeenSoon(t *testing.T) {
	t.Parallel()
	for i, script := range []string{strollers, ownedStrollers} {
		for _, seed := range draws.Pick([]uint64{903}, []uint64{901, 902, 903, 904}) {
			sim := watchStrollers(t, script, seed, memlink.Bad(), 7*time.Millisecond, nil)
			var seen seenLate
			for end := sim.Now + 8*time.Second; sim.Now < end; {
				sim.Run(simtest.PollEvery)
				seen.look(sim.Now, sim.Clients[0], sim.Clients[1])
			}
			if seen.delay.Count() < 1500 || seen.delay.Quantile(0.5) > seenBy(memlink.Bad()) {
				t.Errorf("script %d, seed %d: %d times seen, %v ms late", i, seed, seen.delay.Count(), seen.delay.Spread())
			}
		}
	}
}
