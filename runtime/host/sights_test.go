package host_test

import (
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/host"
	"github.com/hindcast/hindcast/runtime/internal/stub"
	"github.com/hindcast/hindcast/world"
)

// TestSightsOfRemovedObjects judges sights that arrive after one of their objects has been removed: the tick of a late
// input still has it.
func TestSightsOfRemovedObjects(t *testing.T) {
	game := stub.Game()
	game.Files = []world.Source{{Name: "rules.lua", Text: "first sees"}}
	game.Setup.Spawns = []world.Spawn{{Class: "Crate", Count: 8, W: 20, H: 20}}
	host, err := host.New(host.Config{Bundle: game, Compile: stub.CompileWild, Link: memlink.New(1).Host(), Verify: true})
	if err != nil {
		t.Fatal(err)
	}
	now := time.Duration(0)
	runTo := func(to world.Tick) {
		for ; host.Now() < to; now += host.TickLength() {
			if err := host.Tick(now); err != nil {
				t.Fatal(err)
			}
		}
	}
	runTo(100)
	poses := world.PastPoses{State: host.State(), Schema: host.Schema()}
	target := poses.List(nil)[0]
	if err := host.Remove(target.ID); err != nil {
		t.Fatal(err)
	}
	runTo(110)
	if _, here := host.State().Find(target.ID); here {
		t.Fatal("it is still there")
	}
	sight := world.Sight{target}
	for _, c := range []struct {
		tick world.Tick
		ok   bool
	}{{100, true}, {101, true}, {102, false}, {110, false}, {113, false}} {
		before := host.Report(now).Inputs.Sights
		e := world.Event{Kind: world.InputEvent, Tick: c.tick, Sight: sight}
		host.JudgeSight(&e)
		after := host.Report(now).Inputs.Sights
		if got := after.Accepted + after.Clamped - before.Accepted - before.Clamped; (got == 1) != c.ok || (after.Unknown-before.Unknown == 1) == c.ok || (len(e.Sight) == 1) != c.ok {
			t.Errorf("an input of tick %d: %+v, then %+v, accepted %v", c.tick, before, after, e.Sight)
		}
	}
}
