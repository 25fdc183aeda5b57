package world_test

import (
	"testing"

	"github.com/hindcast/hindcast/world"
)

func TestListed(t *testing.T) {
	for want, names := range map[string][]string{"": nil, "a": {"a"}, "a and b": {"a", "b"}, "a, b and c": {"a", "b", "c"}} {
		if got := world.Listed(names); got != want {
			t.Errorf("%q: %q, want %q", names, got, want)
		}
	}
}
