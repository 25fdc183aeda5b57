package simtest_test

import (
	"errors"
	"math"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/world"
)

// TestInputDelayNeedsFewerRewinds: with an input delay, the clients are behind by it, inputs arrive as
// early as before, and there is less to run again.
func TestInputDelayNeedsFewerRewinds(t *testing.T) { onLines(t, "average", playDelayed) }

func playDelayed(t *testing.T, line memlink.Profile) {
	play := func(delay int) (host, c room.Report, lead float64) {
		sim := simtest.New(t, simtest.Options{Seed: 3, Clients: 3, Profile: line, Bundle: arena(t), Compile: compile,
			Controls: chasers(t),
			Client:   func(_ int, cfg *client.Config) { cfg.Prediction.InputDelay = delay }})
		sim.RunUntil(time.Minute, "all play", func() bool { return sim.Clients[0].Playing() && sim.Clients[1].Playing() && sim.Clients[2].Playing() })
		sim.Run(6 * time.Second)
		var v room.View
		sim.Clients[0].View(&v)
		sim.Drain()
		sim.AgreeOnHashes()
		return sim.Host.Report(sim.Now), sim.Report(0), v.Lead
	}
	host, now, lead := play(0)
	const delay = 6
	hostLater, later, less := play(delay)
	t.Logf("without a delay: lead %.1f, %d ticks run again; with one of %d: %.1f, %d", lead, now.Rewinds.TicksRun, later.InputDelay, less, later.Rewinds.TicksRun)
	if off := lead - less - delay; math.Abs(off) > 1 || later.InputDelay != delay {
		t.Errorf("the lead is %.1f ticks, and with a delay of %d it is %.1f", lead, later.InputDelay, less)
	}
	if later.Rewinds.TicksRun > now.Rewinds.TicksRun*2/3 {
		t.Errorf("%d ticks are run again, and with a delay %d", now.Rewinds.TicksRun, later.Rewinds.TicksRun)
	}
	if a, b := host.Inputs, hostLater.Inputs; b.DroppedOld+b.Refused > 0 || b.LateRewound > 2*a.LateRewound+20 {
		t.Errorf("the host's inputs are %+v, and with a delay %+v", a, b)
	}
}

// TestInputDelayChangesWhilePlaying: presses are neither lost nor repeated when the delay becomes longer
// or shorter, and none applies to objects that their owner moves.
func TestInputDelayChangesWhilePlaying(t *testing.T) { onLines(t, "average", changeDelay) }

func changeDelay(t *testing.T, line memlink.Profile) {
	m := newTapMatch(t, 2, line, bundle.MaxRedundancy)
	m.tap()
	for i, delay := range []int{9, 2, 0, 30} {
		m.Run(500 * time.Millisecond)
		if err := m.Clients[0].SetPrediction(client.Prediction{InputDelay: delay}); err != nil {
			t.Fatal(i, err)
		}
	}
	m.Run(4 * time.Second)
	if got := m.Report(0).InputDelay; got != 0 { // a Roller ticks independently
		t.Errorf("the input delay is %d", got)
	}
	m.Drain()
	m.AgreeOnHashes()
}

// TestPredictionStopsWhenTheHostIsSilent: a client whose line is cut predicts no further than its window,
// says that it waits, and plays on when the line is back: without a jump, without a new keyframe, and
// with every press.
func TestPredictionStopsWhenTheHostIsSilent(t *testing.T) {
	for _, c := range []struct {
		name    string
		window  int
		profile memlink.Profile
		down    bool // only the way from the host is cut
		silence time.Duration
	}{
		{"off", 0, memlink.Profile{}, false, 1500 * time.Millisecond},
		{"average", 0, memlink.Average(), true, 900 * time.Millisecond},
		{"bad/window", 50, memlink.Bad(), true, 700 * time.Millisecond},
		{"average/long", 0, memlink.Average(), false, 6 * time.Second},
		{"awful/window", 90, memlink.Awful(), true, 1500 * time.Millisecond},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			m := newWindowMatch(t, c.profile, c.window)
			before := m.view.Rewinds
			m.silence(c.down, true)
			m.run(c.silence)
			ahead := m.Clients[0].Now() - m.heard
			window := world.Tick(c.window)
			if window == 0 {
				window = 45
			}
			if m.Clients[0].Stage() != room.StageStalled || m.view.Stage != room.StageStalled || ahead > window || m.stopped == 0 {
				t.Errorf("after %v the client is %s at tick %d, %d after that of the host when the line was cut", c.silence, m.Clients[0].Stage(), m.Clients[0].Now(), ahead)
			}
			m.silence(c.down, false)
			m.run(3 * time.Second)
			r := m.Report(0)
			t.Logf("waited %d times, %.0f ms; at most %.3f m beyond the speed in a frame; %d rewinds", r.Waits.Count, r.Waits.MS, m.most, m.view.Rewinds-before)
			if m.Clients[0].Stage() != room.StagePlaying || r.Waits.Count == 0 || r.Waits.MS < 50 || r.Resyncs != 0 || r.Held != 0 {
				t.Errorf("the client is %s after %+v, %d keyframes and %d held ticks", m.Clients[0].Stage(), r.Waits, r.Resyncs, r.Held)
			}
			if late := m.Host.State().Tick; m.Clients[0].Now()+2 < late {
				t.Errorf("the client is at tick %d, the host at %d", m.Clients[0].Now(), late)
			}
			if most := max(0.1, 0.06*c.silence.Seconds()); m.most > most {
				t.Errorf("something was drawn %.3f m beyond what its speed allows in a frame", m.most)
			}
			if c.down {
				if in := m.Host.Report(m.Now).Inputs; in.DroppedOld+in.Refused > 0 {
					t.Errorf("the host's inputs: %+v", in)
				}
			}
			m.Drain()
			m.AgreeOnHashes()
		})
	}
}

// pacers walk back and forth along lines of their own, so that nobody's prediction is wrong.
const pacers = `
Walker = object "Walker" {
  body = { type = "kinematic", shape = { circle = 0.5 } },
  input = { Go = "bool" },
  state = { steps = 0 },
}
function Walker:applyInput(input)
  self:setVelocity(3 * math.sin(now() * 2), 0)
  if input:pressed("Go") then self.steps = self.steps + 1 end
end
function onJoin(player) spawn("Walker", { x = 0, y = 3 * player, owner = player }) end
`

// windowMatch is a match of two pacers. Client 0 is watched.
type windowMatch struct {
	*simtest.Sim
	view    room.View
	heard   world.Tick // the tick of the host when the line was cut
	last    map[world.ObjectID]float64
	most    float64 // m beyond what speeds allow in a frame
	stopped int     // frames in which the client waited
	profile memlink.Profile
}

func newWindowMatch(t *testing.T, profile memlink.Profile, window int) *windowMatch {
	b := shooterBundle(pacers)
	m := &windowMatch{profile: profile, last: map[world.ObjectID]float64{}}
	m.Sim = simtest.New(t, simtest.Options{Seed: 5, Clients: 2, Profile: profile, Bundle: b, Compile: compile,
		Controls: func(int) client.Controls { return &taps{begin: true} },
		Client:   func(_ int, cfg *client.Config) { cfg.Prediction.Window = window }})
	m.RunUntil(time.Minute, "all play", func() bool { return m.Clients[0].Playing() && m.Clients[1].Playing() })
	m.Run(2 * time.Second)
	m.run(time.Second)
	if r := m.Report(0); r.Waits.Count != 0 {
		t.Errorf("the client waited on a healthy line: %+v", r.Waits)
	}
	return m
}

// silence cuts the line of client 0, or only the way from the host, or restores it.
func (m *windowMatch) silence(down, on bool) {
	m.heard = m.Host.State().Tick
	if !down {
		m.Net.Cut(0, on)
		return
	}
	silent := m.profile
	silent.Loss = 1
	if !on {
		silent = m.profile
	}
	m.Net.SetProfile(0, m.profile, silent)
}

// run plays and looks at each frame.
func (m *windowMatch) run(d time.Duration) {
	const speed, frame = 3.0, 4 * simtest.PollEvery
	for end := m.Now + d; m.Now < end; {
		m.Run(frame)
		m.Clients[0].View(&m.view)
		for _, b := range m.view.Bodies {
			if was, seen := m.last[b.ID]; seen {
				m.most = max(m.most, math.Abs(b.X-was)-speed*frame.Seconds())
			}
			m.last[b.ID] = b.X
		}
		if m.view.Stage == room.StageStalled {
			m.stopped++
		}
	}
}

// TestPredictionOutOfRange: settings that make no sense are errors.
func TestPredictionOutOfRange(t *testing.T) {
	for _, p := range []client.Prediction{{InputDelay: -1}, {InputDelay: client.MaxInputDelay + 1}, {Window: -1}, {Window: client.MaxWindow + 1}} {
		if c := client.New(client.Config{Prediction: p}); !errors.Is(c.Err(), room.ErrConfig) {
			t.Errorf("%+v: %v", p, c.Err())
		}
	}
	c := client.New(client.Config{Kind: client.Spectator, Prediction: client.Prediction{InputDelay: 3}})
	if err := c.SetPrediction(client.Prediction{InputDelay: 3}); !errors.Is(err, client.ErrKind) || !errors.Is(c.Err(), client.ErrKind) {
		t.Errorf("a spectator with an input delay: %v, %v", c.Err(), err)
	}
}
