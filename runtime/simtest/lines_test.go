package simtest_test

import (
	"strings"
	"testing"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/simtest/draws"
)

// onLines runs a test on off, average, bad and awful lines. A plain run has only those that plain names.
func onLines(t *testing.T, plain string, f func(t *testing.T, line memlink.Profile)) {
	t.Parallel()
	for _, name := range []string{"off", "average", "bad", "awful"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if !draws.Full() && !strings.Contains(plain, name) {
				t.Skip("in full runs")
			}
			line, err := memlink.ParseProfile(name)
			if err != nil {
				t.Fatal(err)
			}
			f(t, line)
		})
	}
}
