package rules

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// starts finds a line that starts a goroutine.
var starts = regexp.MustCompile(`(?m)^\s*go\s|\.Go\(func`)

// TestGoroutinesAreRaced: .ci/run names each package that starts goroutines, in tests too, for the race
// detector. runtime/internal/goroutine only names the goroutine that runs.
func TestGoroutinesAreRaced(t *testing.T) {
	r := openRepo(t)
	named := strings.Fields(r.read(t, ".ci/run"))
	seen := map[string]bool{"docs/rules": true, "runtime/internal/goroutine": true}
	for _, f := range r.files {
		dir := path.Dir(f)
		if seen[dir] || !strings.HasSuffix(f, ".go") || strings.Contains(f, "testdata/") || !starts.MatchString(r.read(t, f)) {
			continue
		}
		seen[dir] = true
		if !slices.Contains(named, "./"+dir) {
			t.Errorf("%s starts a goroutine: let .ci/run run ./%s under the race detector", f, dir)
		}
	}
	if len(seen) < 7 {
		t.Errorf("%v start goroutines: the test finds too few", seen)
	}
}
