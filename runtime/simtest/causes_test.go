package simtest_test

import (
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"github.com/hindcast/hindcast/runtime/timeline"
)

// TestDisplacementsHaveCauses tests that what moves a ball in possession, and the runners around it, is explained: by an
// input, or by an object of which a client gets snapshots, with its field. In seed 16, a joint brings a difference to the
// ball that a snapshot keeps; in seed 24, a contact that did not come about.
func TestDisplacementsHaveCauses(t *testing.T) {
	onLines(t, "awful", func(t *testing.T, line memlink.Profile) {
		seeds := []uint64{16}
		if draws.Full() && line == memlink.Awful() {
			seeds = append(seeds, 24)
		}
		for seed := uint64(30); draws.Full() && seed < 34; seed++ {
			seeds = append(seeds, seed)
		}
		for _, seed := range seeds {
			explainPossession(t, seed, line)
		}
	})
}

// explainPossession plays for a while, and looks at the causes of all displacements.
func explainPossession(t *testing.T, seed uint64, line memlink.Profile) {
	all, unknown, vague := 0, 0, 0
	sim := simtest.New(t, simtest.Options{Seed: seed, Clients: 4, Profile: line,
		Bundle: possession(t, "predict", "interpolate"), Compile: compile,
		Controls: func(i int) client.Controls { return &runner{uint64(i) * 7} },
		Client: func(i int, c *client.Config) {
			c.Displaced = func(m room.Displacement) {
				all++
				r := &m.Provenance.Replicated
				switch {
				case m.Provenance.Cause == timeline.CauseUnknown:
					unknown++
				case m.Provenance.Cause == timeline.CauseReplicated && (r.Object == 0 || r.Field == ""):
					vague++
				default:
					return
				}
				if unknown+vague < 12 {
					t.Logf("client %d: %s (%s %s)", i, &m, m.Class, m.Kind)
				}
			}
		}})
	sim.Run(draws.Pick(10*time.Second, 26*time.Second))
	t.Logf("seed %d: %d displacements: %d without a cause, %d without an object or a field", seed, all, unknown, vague)
	if unknown+vague > 0 || line != memlink.Off() && all < 3 {
		t.Errorf("seed %d: %d displacements of %d have no cause, or not what differed", seed, unknown+vague, all)
	}
}
