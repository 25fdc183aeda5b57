package simtest_test

import (
	"strings"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/world"
)

// TestClassesHaveTheirOwnThresholds: a class with wide thresholds is not corrected, and the other
// classes of the game are, by the game's thresholds. A value that the class leaves out is the game's.
func TestClassesHaveTheirOwnThresholds(t *testing.T) {
	t.Parallel()
	const wide = "correct = { position = 100, velocity = 1000, angle = 3.1, angular_velocity = 1000 }, "
	corrections := func(moth string) map[string]int {
		counts := map[string]int{}
		text := strings.Replace(charging, `Moth = object "Moth" {`, `Moth = object "Moth" { `+moth, 1)
		sim := simtest.New(t, simtest.Options{Seed: 5, Clients: 3, Profile: memlink.Average(), Compile: compile,
			Bundle:   bundle.New("charging", world.Source{Name: "charging.lua", Text: text}, world.Source{Name: "game.lua", Text: chargingGame}),
			Controls: func(int) client.Controls { return &turner{} },
			Client: func(_ int, cfg *client.Config) {
				cfg.Displaced = func(m room.Displacement) { counts[m.Class+" "+m.Kind.String()]++ }
			}})
		sim.Run(8 * time.Second)
		sim.Drain()
		if sim.AgreeOnHashes() < 600 || sim.Failed() != nil {
			t.Errorf("with %q: %v", moth, sim.Failed())
		}
		return counts
	}
	game, own, part := corrections(""), corrections(wide), corrections("correct = { position = 100 }, ")
	t.Logf("by the game's thresholds %v, by its own %v, by one of its own %v", game, own, part)
	if game["Moth corrected"] < 3 || own["Moth corrected"] != 0 || own["Moth repredicted"] != 0 || part["Moth corrected"] == 0 {
		t.Errorf("moths: %v by the game's thresholds, %v by wide ones, %v by a wide one", game, own, part)
	}
	if own["Ship corrected"] == 0 {
		t.Errorf("ships are not corrected any more: %v, before %v", own, game)
	}
}
