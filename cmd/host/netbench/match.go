package netbench

import (
	"context"
	"math"
	"slices"
	"time"

	"github.com/hindcast/hindcast/luabind"
	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/host"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/world"
)

// joinLimit is how long it may take until all clients play.
const joinLimit = 2 * time.Minute

// warmup is for how long all clients play before anything is counted, in scenes that measure what a line costs: until
// then leads and interpolation delays settle. Scenes with a game of their own measure what players feel, from the
// start.
const warmup = 5 * time.Second

// seed of every match.
const seed = 7

// match is one measurement under way.
type match struct {
	scene      *Scene
	sim        *simtest.Sim
	tb         simtest.Failures
	meter      *meter
	observers  []*observer // of the clients that are measured
	players    []*player   // in a scene with a game of its own
	cueCounter *cueCounter
	bundle     *bundle.Bundle
}

// Measure plays a scene on one kind of line for some virtual time, and returns
// what happened.
func Measure(ctx context.Context, scene Scene, line Line, play time.Duration) (r Result, err error) {
	m := &match{scene: &scene}
	if m.bundle, err = scene.bundle(); err != nil {
		return r, err
	}
	err = m.tb.Catch(func() {
		m.open(line.Profile)
		m.sim.RunUntil(joinLimit, "all play", m.allPlay)
		m.count(false)
		if m.scene.act == nil {
			m.play(ctx, warmup)
		}
		before := m.counts()
		joins := m.meter.sent("joins")
		m.meter.reset()
		m.count(true)
		m.play(ctx, play)
		r = m.result(line, play, before)
		r.JoinBytes = joins / int64(scene.players)
		m.agree(&r)
		m.shots(&r)
	})
	if err == nil {
		err = ctx.Err()
	}
	return r, err
}

// measured returns how many clients have observers: the first ones.
func (s *Scene) measured() int { return s.predicting + s.watching }

// numbers returns the number of players, and how many of them predict and watch.
func (s *Scene) numbers() (players, predicting, watching int) {
	return s.players, s.predicting, s.watching
}

// predicting returns how many players predict.
func (m *match) predicting() int { return m.scene.predicting }

// open makes the room, to which the clients then connect.
func (m *match) open(profile memlink.Profile) {
	m.cueCounter = newCueCounter(m.scene.press, m.bundle.TickLength())
	steer := m.pilots
	if m.scene.act != nil {
		steer = m.newPlayers
	}
	m.sim = simtest.New(&m.tb, simtest.Options{Seed: seed, Profile: profile, Bundle: m.bundle, Compile: luabind.Compile,
		Controls: steer(),
		Host: func(c *host.Config) {
			m.meter = newMeter(c.Link)
			c.Link, c.Verify, c.Recorder = m.meter, false, nil
			before := c.Confirmed
			c.Confirmed = func(t world.Tick, hash uint64) { before(t, hash); m.judge(t) }
		},
		Client: func(i int, c *client.Config) {
			c.Verify = false
			c.Cues = func(e room.CueEvent) { m.cueCounter.note(&e, m.client(i).Player(), m.sim.Now) }
			switch {
			case i < m.scene.predicting:
				c.Frames = m.observers[i]
			case i < m.scene.measured():
				c.Kind = client.Spectator
			default:
				c.Kind = client.InputOnly
			}
		}})
	for range m.scene.players {
		m.sim.Join()
	}
}

func (m *match) client(i int) *client.Client { return m.sim.Clients[i] }

// pilots returns the pilots of ships, with observers. Those of clients that do not simulate steer by the state
// of the host.
func (m *match) pilots() func(i int) client.Controls {
	pilots := make([]*pilot, m.scene.players)
	for i := range pilots {
		var sees func() *world.State
		if i >= m.scene.predicting {
			sees = func() *world.State { return m.sim.Host.State() }
		}
		pilots[i] = &pilot{seed: uint64(i) + 1, chase: m.scene.chase, sees: sees}
		if i < m.scene.measured() {
			m.observe(i, pilots[i])
		}
	}
	return func(i int) client.Controls { return pilots[i] }
}

// newPlayers returns the controls of players, with observers.
func (m *match) newPlayers() func(i int) client.Controls {
	for i := range m.scene.players {
		m.players = append(m.players, newPlayer(func() *client.Client { return m.client(i) }, uint64(i)+1, m.scene.act))
		if i < m.scene.measured() {
			m.observe(i, nil).beyondSpeed(m.scene.speed, m.scene.carried)
		}
	}
	return func(i int) client.Controls { return m.players[i] }
}

// observe returns a new observer of a client.
func (m *match) observe(i int, p *pilot) *observer {
	o := newObserver(func() *client.Client { return m.client(i) }, p)
	m.observers = append(m.observers, o)
	return o
}

// judge has the observers compare a tick that has been committed.
func (m *match) judge(t world.Tick) {
	if m.sim == nil || m.sim.Host == nil {
		return
	}
	s := m.sim.Host.StateAt(t)
	for _, o := range m.observers {
		o.judge(s)
	}
}

func (m *match) allPlay() bool {
	for _, c := range m.sim.Clients {
		if c.Err() != nil {
			m.tb.Fatalf("a client is out: %v", c.Err())
		}
		if !c.Playing() {
			return false
		}
	}
	return true
}

// frameEvery is the time between two frames of the observers: 62.5 frames a
// second, not in step with the ticks.
const frameEvery = 4 * simtest.PollEvery

func (m *match) play(ctx context.Context, d time.Duration) {
	for end := m.sim.Now + d; m.sim.Now < end && ctx.Err() == nil; {
		m.sim.Run(frameEvery)
		for i, o := range m.observers {
			o.look(m.sim.Host, m.sim.Now, i >= m.scene.predicting)
		}
	}
	if err := m.sim.Failed(); err != nil {
		m.tb.Fatal(err)
	}
}

func (m *match) count(on bool) {
	for _, o := range m.observers {
		o.count(on)
	}
	for _, p := range m.players {
		p.rest(!on) // what was pressed before is not counted
	}
	m.cueCounter.count(on)
}

// afterwards is for how long clients play on, so that what was pressed arrives everywhere.
const afterwards = 3 * time.Second

// shots counts what was pressed, and what scripts made of it.
func (m *match) shots(r *Result) {
	of := m.scene.counts
	if len(of.classes) == 0 {
		return
	}
	for _, p := range m.players {
		r.Presses += p.pressed()
	}
	reader, s := m.sim.Host.Reader(), m.sim.Host.State()
	for _, slot := range s.Run {
		if id := s.Objects[slot].ID; slices.Contains(of.classes, reader.Class(int(slot)).Name) {
			r.Answered += m.field(reader, id, of.presses)
			if of.hits != "" {
				r.Hits += m.field(reader, id, of.hits)
			}
		}
	}
}

func (m *match) field(r world.Reader, id world.ObjectID, name string) int {
	n, err := r.Number(id, name)
	if err != nil {
		m.tb.Fatal(err)
	}
	return int(n)
}

// agree lets the clients finish, and compares the hashes that they have confirmed.
func (m *match) agree(r *Result) {
	m.sim.Clients = m.sim.Clients[:m.scene.predicting] // the others confirm nothing
	if len(m.sim.Clients) == 0 {
		return
	}
	m.count(false)
	if m.scene.act != nil {
		m.sim.Run(afterwards)
	}
	m.sim.Drain()
	m.sim.AgreeOnHashes()
	for i := range m.sim.Clients {
		confirmed := m.sim.Report(i).Confirmed
		r.Compared += confirmed.Compared
		r.Mismatched += confirmed.Mismatched
	}
}

// round keeps four significant digits.
func round(v float64) float64 {
	if v == 0 || math.IsInf(v, 0) || math.IsNaN(v) {
		return 0
	}
	scale := math.Pow(10, 3-math.Floor(math.Log10(math.Abs(v))))
	return math.Round(v*scale) / scale
}
