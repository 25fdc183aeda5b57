package simtest_test

import (
	"testing"
	"time"

	"github.com/hindcast/hindcast/luabind"
	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"github.com/hindcast/hindcast/runtime/timeline"
)

// TestDisplacementsHaveCauses tests that what moves a ball in possession, and the runners around it, is explained: by an
// input, or by an object of which a client gets snapshots, with its field.
func TestDisplacementsHaveCauses(t *testing.T) {
	onLines(t, "average bad", func(t *testing.T, line memlink.Profile) {
		all, unknown, vague := 0, 0, 0
		sim := simtest.New(t, simtest.Options{Seed: 16, Clients: 4, Profile: line,
			Bundle:   possession(t, "predict", "interpolate"),
			Compile:  luabind.Compile,
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
		t.Logf("%d displacements: %d without a cause, %d without an object or a field", all, unknown, vague)
		if unknown+vague > 0 || line != memlink.Off() && all < 5 {
			t.Errorf("%d displacements of %d have no cause, or not what differed", unknown+vague, all)
		}
	})
}
