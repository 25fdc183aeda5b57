package simtest_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/hindcast/hindcast/luabind"
	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"github.com/hindcast/hindcast/runtime/simtest/figures"
	"github.com/hindcast/hindcast/runtime/stats"
	"github.com/hindcast/hindcast/world"
)

// eyes compare each view of a client with the one before, and collect jumps: how far
// ships are from where their velocities take them, in metres.
type eyes struct {
	view        runtime.View
	last        map[world.ObjectID]runtime.ViewBody
	shown       float64 // the time that the last view showed, in ticks
	at          time.Duration
	own, others stats.Series
	uneven      stats.Series // by how much the time shown advanced more or less than the time did, ms
	back        int          // how often the time shown went back
}

func (e *eyes) look(c *runtime.Client, now time.Duration) {
	c.View(&e.view)
	shown := float64(e.view.Tick) - 1 + e.view.Alpha
	seconds := (shown - e.shown) / float64(e.view.TickRate)
	next := map[world.ObjectID]runtime.ViewBody{}
	for _, b := range e.view.Bodies {
		next[b.ID] = b
		was, seen := e.last[b.ID]
		if !seen || b.Class != "Ship" {
			continue
		}
		jump := math.Hypot(b.X-was.X-(b.VX+was.VX)/2*seconds, b.Y-was.Y-(b.VY+was.VY)/2*seconds)
		if b.Owner == c.Player() {
			e.own.Add(jump)
		} else {
			e.others.Add(jump)
		}
	}
	if e.last != nil {
		e.uneven.Add(math.Abs(seconds-(now-e.at).Seconds()) * 1000)
		if seconds < 0 {
			e.back++
		}
	}
	e.last, e.shown, e.at = next, shown, now
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
	players, play := draws.Pick(4, 16), draws.Pick(4*time.Second, 5*time.Second)
	sim := simtest.New(t, simtest.Options{Seed: 21, Clients: players, Profile: memlink.Bad(), Bundle: arena(t), Compile: luabind.Compile,
		Controls: chasers(t), Host: func(c *runtime.HostConfig) { c.Verify = false }})
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
