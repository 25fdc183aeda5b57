package physics

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/hindcast/hindcast/runtime/simtest/draws"
)

// goldenFile has a line for each scene and number of steps: its hash then, on
// every CPU. A change of the engine's arithmetic changes nearly all of them,
// nothing else may change one; when it is meant, write them again:
//
//	HINDCAST_TEST_FULL=1 go test ./world/physics -run Golden -update
//	go test ./world/physics -run Golden -long -update
const goldenFile = "testdata/golden.txt"

var (
	update = flag.Bool("update", false, "write "+goldenFile+" again")
	long   = flag.Bool("long", false, "take the standard scenes 3,600 steps, not 150, or 600 in a full run")
)

// readGolden returns the hash of each "scene steps".
func readGolden(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile(goldenFile)
	if err != nil {
		t.Fatal(err)
	}
	hashes := map[string]string{}
	for line := range strings.Lines(string(text)) {
		if f := strings.Fields(line); len(f) == 3 {
			hashes[f[0]+" "+f[1]] = f[2]
		}
	}
	return hashes
}

// golden compares the hash of a scene after so many steps with the recorded
// one, or records it.
func (sc *scene) golden(t *testing.T, name string, steps int) {
	t.Helper()
	goldenHash(t, name, steps, sc.Hash())
}

func goldenHash(t *testing.T, name string, steps int, hash uint64) {
	t.Helper()
	hashes := readGolden(t)
	key, got := fmt.Sprintf("%s %d", name, steps), fmt.Sprintf("%016x", hash)
	if !*update {
		if want := hashes[key]; got != want {
			t.Errorf("%s after %d steps hashes to %s, want %q of %s", name, steps, got, want, goldenFile)
		}
		return
	}
	hashes[key] = got
	var text strings.Builder
	for _, key := range slices.Sorted(maps.Keys(hashes)) {
		fmt.Fprintln(&text, key, hashes[key])
	}
	if err := os.WriteFile(goldenFile, []byte(text.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestGoldenScenes takes every standard scene through some seconds, ten in a full run, or
// a minute; in short mode, which is for the race detector, only the small ones. Under an
// emulator the asserts are left out.
func TestGoldenScenes(t *testing.T) {
	const some = 150
	steps := draws.Pick(some, 600)
	if *long {
		steps = 3600
	}
	for _, s := range standards() {
		t.Run(s.name, func(t *testing.T) {
			sc := s.make(t)
			if testing.Short() && len(sc.Bodies) > 250 {
				return
			}
			sv := Solver{Check: draws.Checked()}
			for tick := range steps {
				if sc.rules.GravityY == 0 { // a push would bring down what stands
					sc.steer(tick)
				}
				sc.run(&sv, 1)
				if tick+1 == some {
					sc.golden(t, s.name, some)
				}
			}
			if len(sc.Contacts)+len(sc.Joints) == 0 {
				t.Error("nobody meets another: the scene tests little")
			}
			if steps != some {
				sc.golden(t, s.name, steps)
			}
		})
	}
}
