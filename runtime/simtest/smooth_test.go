package simtest_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/host"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"github.com/hindcast/hindcast/runtime/simtest/figures"
	"github.com/hindcast/hindcast/runtime/stats"
)

// eyes collect how far ships are drawn from where their velocities take them, in metres.
type eyes struct {
	frames      simtest.FrameDiff
	shown       float64 // the time that the last view showed, in ticks
	at          time.Duration
	own, others stats.Series
	uneven      stats.Series // by how much the time shown advanced more or less than the time did, ms
	back        int          // how often the time shown went back
}

func (e *eyes) look(c *client.Client, now time.Duration) {
	v := e.frames.Look(c, now)
	e.frames.Jumps(func(b *room.ViewBody, j simtest.Jump) {
		switch {
		case b.Class != "Ship":
		case b.Owner == c.Player():
			e.own.Add(j.Off)
		default:
			e.others.Add(j.Off)
		}
	})
	shown := e.frames.Present()
	if e.at != 0 {
		seconds := (shown - e.shown) / float64(v.TickRate)
		e.uneven.Add(math.Abs(seconds-(now-e.at).Seconds()) * 1000)
		e.back += one(seconds < 0)
	}
	e.shown, e.at = shown, now
}

// metres formats the median, the 99th percentile and the maximum of distances.
func metres(s *stats.Series) string {
	return fmt.Sprintf("%.3g / %.3g / %.3g m", s.Quantile(0.5), s.Quantile(0.99), s.Quantile(1))
}

// TestViewIsSmoothOnBadLines tests ships that chase and bump each other on bad lines,
// sixteen of them in a full run, with about 60 views per second that are not in step
// with the ticks.
func TestViewIsSmoothOnBadLines(t *testing.T) {
	t.Parallel()
	players, play := draws.Pick(4, 16), 5*time.Second
	sim := simtest.New(t, simtest.Options{Seed: 21, Clients: players, Profile: memlink.Bad(), Bundle: arena(t), Compile: compile,
		Controls: chasers(t), Host: func(c *host.Config) { c.Verify = false }})
	sim.RunUntil(10*time.Second, "everybody plays", func() bool {
		for _, c := range sim.Clients {
			if !c.Playing() {
				return false
			}
		}
		return true
	})
	var e eyes
	for end := sim.Now + play; sim.Now < end; {
		sim.Run(4 * simtest.PollEvery)
		e.look(sim.Clients[0], sim.Now)
	}
	wrong := sim.Report(0).Repredictions
	t.Logf("jumps of the own ship %+v m, of others %+v m; time uneven by %+v ms; %d repredictions, of %+v m", e.own.Spread(),
		e.others.Spread(), e.uneven.Spread(), wrong.Count, wrong.Distance)
	if draws.Full() {
		figures.Row(t, "benchmarks.md", "own ship drawn, away from its path", metres(&e.own))
		figures.Row(t, "benchmarks.md", "other ships drawn, away from their paths", metres(&e.others))
		figures.Row(t, "benchmarks.md", "predictions changed by", fmt.Sprintf("%.3g / %.3g / %.3g m", wrong.Distance.P50, wrong.Distance.P99, wrong.Distance.Max))
	}
	if p99 := e.own.Quantile(0.99); p99 == 0 || p99 > 0.1 || e.others.Quantile(0.99) > 0.1 {
		t.Errorf("the own ship jumps by %+v m, others by %+v m", e.own.Spread(), e.others.Spread())
	}
	if wrong.Count < 50 || wrong.Distance.P99 < 0.2 {
		t.Errorf("there was little to hide: %d repredictions, of %+v m", wrong.Count, wrong.Distance)
	}
	if e.back > 0 || e.uneven.Quantile(0.99) > 2 {
		t.Errorf("the time shown went back %d times, and is uneven by %+v ms", e.back, e.uneven.Spread())
	}
	sim.Drain()
	sim.AgreeOnHashes() // views change nothing
}
