package simtest_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

// TestDisplacementsInGeneratedWorldsNameObjects: in generated worlds whose clients cull objects, each displacement has
// a cause, and one that came of what the host replicated names an object and a part of it. The seeds are such that an
// object which a client begins to predict again moves one of its player's, and a join is the cause of a difference in a
// later tick.
func TestDisplacementsInGeneratedWorldsNameObjects(t *testing.T) {
	t.Parallel()
	for _, run := range []struct {
		seed uint64
		line string
		to   world.Tick
	}{{7006, "average", 350}, {7006, "awful", 200}, {7010, "bad", 310}} {
		t.Run(fmt.Sprint(run.seed, " ", run.line), func(t *testing.T) {
			t.Parallel()
			line, err := memlink.ParseProfile(run.line)
			if err != nil {
				t.Fatal(err)
			}
			b := shooterBundle(generatedWorld(run.seed))
			b.Files = worldFiles(b.Files[0].Text)
			b.Setup.Walls = []world.Wall{{Y: -12, W: 42, H: 1}, {Y: 12, W: 42, H: 1}, {X: -20.5, W: 1, H: 25}, {X: 20.5, W: 1, H: 25}}
			all, replicated := 0, 0
			sim := simtest.New(t, simtest.Options{Seed: run.seed, Clients: 4, Profile: line, Bundle: b, Compile: compile,
				Controls: func(i int) client.Controls { return &wanderer{uint64(i) + run.seed} },
				Client: func(_ int, c *client.Config) {
					c.Verify = false
					c.Displaced = func(m room.Displacement) {
						all++
						r := &m.Provenance.Replicated
						switch m.Provenance.Cause {
						case timeline.CauseUnknown:
							t.Errorf("%s: %s", m.Class, &m)
						case timeline.CauseReplicated:
							if replicated++; r.Object == 0 || r.Class == "" || r.Field == "" {
								t.Errorf("%s: %s", m.Class, &m)
							}
						}
					}
				}})
			for sim.Host.Now() < run.to {
				sim.Run(100 * time.Millisecond)
			}
			if t.Logf("%d displacements, %d by what the host replicated", all, replicated); all < 3 || replicated == 0 {
				t.Errorf("%d displacements, %d by what the host replicated: the seed shows nothing", all, replicated)
			}
		})
	}
}
