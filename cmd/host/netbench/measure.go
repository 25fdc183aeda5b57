package netbench

import (
	"context"
	"math"
	"time"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/world"
)

// joinLimit is how long all may take to get in.
const joinLimit = 2 * time.Minute

// settle is how long is played before anything is counted.
const settle = 5 * time.Second

// seed of every match.
const seed = 7

// match is one measurement under way.
type match struct {
	scene  *Scene
	sim    *simtest.Sim
	tb     simtest.Failures
	meter  *meter
	eyes   []*eyes // of the clients that are measured
	bundle *bundle.Bundle
}

// Measure plays a scene on one kind of line for a while, virtual time, and tells what
// happened.
func Measure(ctx context.Context, scene Scene, line Line, play time.Duration) (r Result, err error) {
	m := &match{scene: &scene}
	if m.bundle, err = scene.bundle(); err != nil {
		return r, err
	}
	err = m.tb.Catch(func() {
		m.open(line.Profile)
		m.sim.RunUntil(joinLimit, "all play", m.allPlay)
		m.play(ctx, settle)
		before := m.counts()
		joins := m.meter.down["joins"]
		m.meter.reset()
		m.count(true)
		m.play(ctx, play)
		m.count(false)
		r = m.result(line, play, before)
		r.JoinBytes = joins / int64(scene.players)
		m.agree(&r)
	})
	if err == nil {
		err = ctx.Err()
	}
	return r, err
}

// measured is how many clients are looked at: the first ones.
func (s *Scene) measured() int { return s.predicting + s.watching }

// open makes the room; the clients dial.
func (m *match) open(profile memlink.Profile) {
	hands := make([]*pilot, m.scene.players)
	for i := range hands {
		hands[i] = &pilot{seed: uint64(i) + 1, chase: m.scene.chase}
		if i >= m.scene.predicting {
			hands[i].sees = func() *world.State { return m.sim.Host.State() }
		}
	}
	for i := range m.scene.measured() {
		m.eyes = append(m.eyes, &eyes{hand: hands[i], last: map[world.ObjectID]runtime.ViewBody{},
			client: func() *runtime.Client { return m.sim.Clients[i] }})
	}
	m.sim = simtest.New(&m.tb, simtest.Options{Seed: seed, Profile: profile, Bundle: m.bundle, Compile: simtest.CompileLua,
		Controls: func(i int) runtime.Controls { return hands[i] },
		Host: func(c *runtime.HostConfig) {
			m.meter = newMeter(c.Link)
			c.Link, c.Verify, c.Recorder = m.meter, false, nil
			before := c.Confirmed
			c.Confirmed = func(t world.Tick, hash uint64) { before(t, hash); m.judge(t) }
		},
		Client: func(i int, c *runtime.ClientConfig) {
			c.Verify = false
			c.Blind = i >= m.scene.predicting
			c.Watch = c.Blind && i < m.scene.measured()
			if !c.Blind {
				c.Frames = m.eyes[i]
			}
		}})
	for range m.scene.players {
		m.sim.Join()
	}
}

// judge: a tick is final.
func (m *match) judge(t world.Tick) {
	if m.sim == nil || m.sim.Host == nil {
		return
	}
	s := m.sim.Host.StateAt(t)
	for _, e := range m.eyes {
		e.judge(s)
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

// pictureEvery is how often clients are looked at: 62.5 times a second, not in step
// with the ticks.
const pictureEvery = 4 * simtest.PollEvery

func (m *match) play(ctx context.Context, d time.Duration) {
	for end := m.sim.Now + d; m.sim.Now < end && ctx.Err() == nil; {
		m.sim.Run(pictureEvery)
		for i, e := range m.eyes {
			e.look(m.sim.Host, m.sim.Now, i >= m.scene.predicting)
		}
	}
	if err := m.sim.Failed(); err != nil {
		m.tb.Fatal(err)
	}
}

func (m *match) count(on bool) {
	for _, e := range m.eyes {
		e.counting = on
	}
}

// counts are what host and clients have counted since they began.
type counts struct {
	inputs                     runtime.InputCounts
	corrections, repredictions int
}

func (m *match) counts() (c counts) {
	c.inputs = m.sim.Host.Report(m.sim.Now).Inputs
	for i := range m.scene.predicting {
		r := m.sim.Report(i)
		c.corrections += r.Corrections.Count
		c.repredictions += r.Repredictions.Count
	}
	return c
}

// agree lets the clients finish and compares all they have confirmed.
func (m *match) agree(r *Result) {
	m.sim.Clients = m.sim.Clients[:m.scene.predicting] // the others confirm nothing
	if len(m.sim.Clients) == 0 {
		return
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
