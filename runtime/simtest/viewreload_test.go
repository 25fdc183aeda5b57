package simtest_test

import (
	"slices"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/world"
)

// looking returns the arena with a view.lua.
func looking(t *testing.T, text string) *bundle.Bundle {
	t.Helper()
	b := *arena(t)
	b.Files = append(slices.DeleteFunc(slices.Clone(b.Files), func(f world.Source) bool { return f.Name == world.ViewFile }),
		world.Source{Name: world.ViewFile, Text: text})
	return &b
}

func viewOf(b *bundle.Bundle) string {
	i := slices.IndexFunc(b.Files, func(f world.Source) bool { return f.Name == world.ViewFile })
	return b.Files[i].Text
}

// TestEditedViewIsNoEvent tests that clients get an edited view.lua, those that join later, too, and that neither
// the simulation nor the replay has an event of it. Half of the edits come so fast that clients still ask for the
// one before.
func TestEditedViewIsNoEvent(t *testing.T) {
	t.Parallel()
	sim := simtest.New(t, simtest.Options{Seed: 8, Clients: 3, Profile: memlink.Bad(), Bundle: looking(t, "-- 0"), Compile: compile, Controls: chasers(t)})
	show := func(b *bundle.Bundle) {
		t.Helper()
		if at, err := swap(t, sim, b); err != nil || at != 0 && at > sim.Host.Now() {
			t.Fatalf("in force from tick %d at tick %d, %v", at, sim.Host.Now(), err)
		}
	}
	shows := func(want string) {
		t.Helper()
		sim.RunUntil(5*time.Second, "every client has view.lua "+want, func() bool {
			for _, c := range sim.Clients {
				if b := c.Bundle(); b == nil || viewOf(b) != want {
					return false
				}
			}
			return true
		})
	}
	sim.Join()
	show(looking(t, "-- 1")) // one client is joining
	sim.Run(20 * time.Millisecond)
	show(looking(t, "-- 2"))
	shows("-- 2")
	show(looking(t, "-- 0")) // an earlier one again
	shows("-- 0")
	show(looking(t, "-- 3"))
	sim.Join()
	shows("-- 3")
	if number := sim.Host.State().Bundle; number != 1 {
		t.Errorf("the match is at bundle %d: a switch is in its log", number)
	}

	coming := looking(t, "-- 3")
	coming.Files[0].Text += "\n-- a comment"
	at, err := swap(t, sim, coming)
	if err != nil || at <= sim.Host.Now() {
		t.Fatalf("an edited script is in force from tick %d, %v", at, err)
	}
	sim.Run(30 * time.Millisecond)
	coming = looking(t, "-- 4") // of the bundle that is coming
	coming.Files[0].Text += "\n-- a comment"
	if again, err := swap(t, sim, coming); again != at || err != nil {
		t.Errorf("the bundle to come is in force from tick %d, was %d, %v", again, at, err)
	}
	shows("-- 4")
	for sim.Host.Now() < at {
		sim.Run(simtest.PollEvery)
	}
	if number := sim.Host.State().Bundle; number != 2 {
		t.Errorf("the match is at bundle %d, want 2", number)
	}
	sim.Drain()
	sim.AgreeOnHashes()
	p, err := sim.OpenReplay(sim.Replay())
	if err != nil {
		t.Fatal(err)
	}
	list := p.Bundles()
	recorded := func(h bundle.Hash) string {
		b, err := p.Source(h)
		if err != nil {
			t.Fatal(err)
		}
		return viewOf(b)
	}
	if len(list) != 2 || recorded(list[0].First) != "-- 0" || recorded(list[0].Hash) != "-- 3" || recorded(list[1].First) != "-- 3" || recorded(list[1].Hash) != "-- 4" {
		t.Errorf("the replay has other view.lua than were shown: %d bundles", len(list))
	}
}
