package rules

import (
	"bufio"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// starts finds a line that starts a goroutine.
var starts = regexp.MustCompile(`^\s*go\s|\.Go\(func`)

// TestGoroutinesAreRaced: .ci/run runs each package that starts goroutines, in tests too, under the race
// detector.
func TestGoroutinesAreRaced(t *testing.T) {
	r := openRepo(t)
	raced := racedPackages(t, r)
	seen := map[string]bool{}
	for _, f := range r.files {
		dir := path.Dir(f)
		if !strings.HasSuffix(f, ".go") || strings.Contains(f, "testdata/") || seen[dir] || within(dir, "docs/rules") {
			continue
		}
		if startsGoroutine(t, filepath.Join(r.root, f)) {
			seen[dir] = true
			if !raced[dir] {
				t.Errorf("%s starts a goroutine: add %s to step_race of .ci/run", f, dir)
			}
		}
	}
	if len(seen) < 5 {
		t.Errorf("%v start goroutines: the test finds too few", slices.Sorted(maps.Keys(seen)))
	}
}

// racedPackages returns the folders that step_race names. runtime/internal/goroutine only names the
// goroutine that runs, and the tests of runtime use it.
func racedPackages(t *testing.T, r repo) map[string]bool {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(r.root, ".ci/run"))
	if err != nil {
		t.Fatal(err)
	}
	_, step, _ := strings.Cut(string(text), "step_race() {")
	step, _, found := strings.Cut(step, "\n}\n")
	if !found {
		t.Fatal(".ci/run has no step_race")
	}
	raced := map[string]bool{"runtime/internal/goroutine": true}
	for _, word := range strings.Fields(step) {
		if dir, ok := strings.CutPrefix(word, "./"); ok {
			raced[dir] = true
		}
	}
	return raced
}

func startsGoroutine(t *testing.T, file string) bool {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if starts.MatchString(lines.Text()) {
			return true
		}
	}
	return false
}
