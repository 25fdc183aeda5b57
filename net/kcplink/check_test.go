package kcplink

import (
	"fmt"
	"strings"
	"testing"
)

// Without Options.Check a violated invariant goes unnoticed; with it, the next poll
// panics.
func TestCheckFindsAViolation(t *testing.T) {
	for _, checked := range []bool{false, true} {
		w, host, _ := opened(t, Options{}, Options{})
		host.io.opts().Check = checked
		host.io.stats().Peers++
		got := func() (caught string) {
			defer func() { caught = fmt.Sprint(recover()) }()
			host.poll(w.now)
			return ""
		}()
		if found := strings.HasPrefix(got, "kcplink: violated: "); found != checked {
			t.Errorf("checked: %v, the poll panicked with %q", checked, got)
		}
	}
}
