package simtest_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"github.com/hindcast/hindcast/world"
)

// rocks are replicated in some bundles and predicted in others.
const rocks = `
Rock = object "Rock" {LEVEL body = { shape = { circle = 0.4 }, linear_damping = 1 } }
function onStart() for i = 1, 3 do spawn("Rock", { x = 4 * i - 8, y = 12 }) end end
`

// rocksBundle returns the shooting range with rocks of a level.
func rocksBundle(level string) *bundle.Bundle {
	b := rangeBundle()
	b.Files = append(b.Files, world.Source{Name: "game.lua", Text: rangeGame + strings.Replace(rocks, "LEVEL", level, 1)})
	b.Files = slices.Delete(b.Files, 1, 2)
	return b
}

// TestShotsAcrossALevelChange tests that shots of a spectator hit on all sides, before,
// during and after the time in which the room is partially replicated.
func TestShotsAcrossALevelChange(t *testing.T) {
	t.Parallel()
	sim := playRange(t, rocksBundle(""), &pretender{}, true, 3)
	for _, level := range []string{`lod = "interpolate",`, ""} {
		b := rocksBundle(level)
		script, err := compile(b.Files, b.Setup)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := sim.Host.Switch(b, script); err != nil {
			t.Fatal(err)
		}
		sim.Run(draws.Pick(3*time.Second, 5*time.Second))
		shots, hits, bare := gun(t, sim.Host.State(), sim.Host.Schema())
		if shots < 200 || float64(hits) < 0.9*float64(shots) || bare > shots/2 {
			t.Errorf("%d shots: %d hit as seen, %d where things are", shots, hits, bare)
		}
		for i, c := range sim.Clients[1:] {
			if c.Desync() != nil || !c.Playing() {
				t.Fatalf("%q: client %d: %v %v", level, i+1, c.Desync(), c.Err())
			}
		}
	}
}

// TestShotsAtTargetsThatBecamePredicted tests reloads that change whether clients simulate the
// targets. No client knows where the targets were while they were replicated, so asSeen shows the
// tick itself to a shot with a view time from then, on all sides: on the host, on a client that
// joins at that time, and in the replay.
func TestShotsAtTargetsThatBecamePredicted(t *testing.T) {
	t.Parallel()
	t.Run("by a spectator", func(t *testing.T) { shootAcrossLevels(t, true) })
	t.Run("by a player", func(t *testing.T) { shootAcrossLevels(t, false) })
}

func shootAcrossLevels(t *testing.T, watch bool) {
	t.Parallel()
	with := func(level string) *bundle.Bundle {
		b := rangeBundle()
		b.Files[0].Text = strings.Replace(b.Files[0].Text, "Runner\" {", "Runner\" {"+level, 1)
		return b
	}
	sim := playRange(t, with(`lod = "interpolate",`), &pretender{}, watch, 3)
	var switched []world.Tick
	levels := []string{"", `lod = "extrapolate",`, "", `lod = "interpolate",`, ""}
	for _, level := range levels[:draws.Pick(3, len(levels))] {
		b := with(level)
		script, err := compile(b.Files, b.Setup)
		if err != nil {
			t.Fatal(err)
		}
		at, _, err := sim.Host.Switch(b, script)
		if err != nil {
			t.Fatal(err)
		}
		switched = append(switched, at)
		sim.Run(1300 * time.Millisecond)
		sim.Join()
		sim.Run(3 * time.Second)
		shots, hits, _ := gun(t, sim.Host.State(), sim.Host.Schema())
		if shots < 200 || float64(hits) < 0.9*float64(shots) {
			t.Errorf("%d shots: %d hit as seen", shots, hits)
		}
		for i, c := range sim.Clients[1:] {
			if c.Desync() != nil || !c.Playing() {
				t.Fatalf("%q: client %d: %v %v", level, i+1, c.Desync(), c.Err())
			}
		}
	}
	r, err := sim.OpenReplay(sim.Replay())
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range switched {
		for _, after := range []world.Tick{60, 20, 0, 120} {
			if err := r.Seek(at + after); err != nil {
				t.Fatal(err)
			}
			if m, ok := r.Hash(); !ok || r.State().Hash() != m.Hash {
				t.Errorf("tick %d, %d after a switch: %016x, the host found %016x", m.Tick, after, r.State().Hash(), m.Hash)
			}
		}
	}
}
