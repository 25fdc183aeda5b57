package simtest_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"github.com/hindcast/hindcast/runtime/simtest/figures"
)

// leadMatch returns a match of four on one kind of line with a target for the lead.
func leadMatch(t *testing.T, line memlink.Profile, lead time.Duration) *simtest.Sim {
	b := *arena(t)
	b.Rules.Lead = lead
	sim := simtest.New(t, simtest.Options{Seed: 51, Clients: 4, Profile: line, Bundle: &b, Compile: compile, Controls: chasers(t),
		Client: func(i int, cfg *client.Config) {
			if i > 0 {
				cfg.Kind = client.InputOnly
			}
		}}) // the inputs of input-only clients are timed, too
	sim.Run(5 * time.Second)
	return sim
}

// lateIn plays for a while and returns the share of late inputs.
func lateIn(sim *simtest.Sim, d time.Duration) float64 {
	before := sim.Host.Report(sim.Now).Inputs
	sim.Run(d)
	after := sim.Host.Report(sim.Now).Inputs
	late := after.LateRewound + after.DroppedOld - before.LateRewound - before.DroppedOld
	return float64(late) / float64(late+after.OnTime+after.EarlyHeld-before.OnTime-before.EarlyHeld)
}

// TestLeadAdaptsToDelay tests that inputs are late for one second, not for eight, after
// a line has become slower by 100 ms, and that they do not go on waiting at the host
// after it is fast again.
func TestLeadAdaptsToDelay(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		line memlink.Profile
		late float64 // an upper bound of the normal share of late inputs
	}{{"lan", memlink.LAN(), 0.02}, {"average", memlink.Average(), 0.4}, {"bad", memlink.Bad(), 0.6}} {
		if !draws.Full() && c.name != "average" {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			sim := leadMatch(t, c.line, 4*time.Millisecond)
			normal, lead := lateIn(sim, 10*time.Second), sim.Report(0).Lead
			worse := c.line
			worse.Delay += 100 * time.Millisecond
			for i := range sim.Clients {
				sim.Net.SetProfile(i, worse, worse)
			}
			first, then := lateIn(sim, 1500*time.Millisecond), lateIn(sim, 4*time.Second)
			for i := range sim.Clients {
				sim.Net.SetProfile(i, c.line, c.line)
			}
			sim.Run(9 * time.Second)
			again := lateIn(sim, 5*time.Second)
			now := sim.Host.Report(sim.Now).Lead
			t.Logf("late: usually %.0f %%, in 1.5 s after the line got worse %.0f %%, then %.0f %%, after it got better %.0f %%; lead %+v, inputs early by %+v ticks",
				100*normal, 100*first, 100*then, 100*again, lead, now)
			percent := func(share float64) string { return fmt.Sprintf("%.0f %%", 100*share) }
			figures.Row(t, "benchmarks.md", "inputs on "+c.name, percent(normal), percent(first), percent(then), percent(again), fmt.Sprintf("%.1f / %.1f", lead.P50, lead.P99))
			if normal > c.late || then > c.late || again > c.late || first < 0.2 {
				t.Errorf("want at most %.0f %%, and some while the line gets worse", 100*c.late)
			}
			if c.late > 0.1 && again < 0.05 {
				t.Error("inputs go on waiting at the host although the line got better")
			}
		})
	}
}

// TestNegativeLeadMakesInputsLate tests that with a target below 0 most inputs are late
// by that time, that clients predict less, and that no input is lost.
func TestNegativeLeadMakesInputsLate(t *testing.T) {
	t.Parallel()
	ahead, behind := leadMatch(t, memlink.Average(), 4*time.Millisecond), leadMatch(t, memlink.Average(), -60*time.Millisecond)
	a, b := lateIn(ahead, 5*time.Second), lateIn(behind, 5*time.Second)
	least, most := ahead.Report(0).Lead.P50-behind.Report(0).Lead.P50, behind.Host.Report(behind.Now).Rewinds.Ticks.P50
	if a > 0.5 || b < 0.9 || least < 3 || most < 3 || most > 8 {
		t.Errorf("late %.2f and %.2f, lead shorter by %v ticks, rewinds of %v ticks", a, b, least, most)
	}
	if n := behind.Host.Report(behind.Now).Inputs.DroppedOld; n != 0 {
		t.Errorf("%d inputs dropped", n)
	}
	behind.Clients = behind.Clients[:1] // the others confirm nothing
	behind.Drain()
	behind.AgreeOnHashes()
}

// earlyIn plays for a while and returns the share of inputs that wait at the host for
// their tick.
func earlyIn(sim *simtest.Sim, d time.Duration) float64 {
	before := sim.Host.Report(sim.Now).Inputs
	sim.Run(d)
	after := sim.Host.Report(sim.Now).Inputs
	early := after.EarlyHeld - before.EarlyHeld
	return float64(early) / float64(early+after.OnTime+after.LateRewound-before.OnTime-before.LateRewound)
}

// TestNoBacklogStays tests that after a client paused for most of a second, and after a
// host paused for two, the inputs arrive as close to their ticks as before: no more of them
// wait, and no more are late.
func TestNoBacklogStays(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		sleep func(sim *simtest.Sim)
	}{
		{"clients", func(sim *simtest.Sim) {
			for i := range sim.Clients {
				sim.SleepClient(i, 700*time.Millisecond)
			}
		}},
		{"host", func(sim *simtest.Sim) { sim.SleepHost(2 * time.Second) }},
	} {
		if !draws.Full() && c.name != "host" {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			sim := leadMatch(t, memlink.Average(), 4*time.Millisecond)
			normal, normallyLate := earlyIn(sim, 4*time.Second), lateIn(sim, 4*time.Second)
			c.sleep(sim)
			sim.Run(8 * time.Second)
			again, late := earlyIn(sim, 4*time.Second), lateIn(sim, 4*time.Second)
			t.Logf("inputs that wait at the host: %.2f before, %.2f after; late: %.2f, %.2f", normal, again, normallyLate, late)
			if again > normal+0.15 || late > normallyLate+0.15 {
				t.Error("the host's inputs do not come as they did before")
			}
		})
	}
}
