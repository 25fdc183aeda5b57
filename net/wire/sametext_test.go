package wire_test

import (
	"testing"

	"github.com/hindcast/hindcast/net/wire"
)

// TestSameText: messages that differ in words with digits are the same text, and have the same key.
func TestSameText(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"boom 911", "boom 912", true},
		{"boom 911", "boom -1.5e+300", true},
		{"no object 9801395f3dc2f093 at 3, 4", "no object 1a at 3.25, 4", true},
		{"boom 911", "boom 911 ", false},
		{"boom 911", "boom", false},
		{"boom", "boom 1", false},
		{"boom nil", "boom 1", false},
		{"1", "2", true},
		{"", "1", false},
		{"", "", true},
		{"a1 b", "a2 c", false},
		{"größe 1", "größe 2", true},
		{"no field it", "no field it; what the hook wrote before stays", true},
		{"boom 911; what the hook wrote before stays", "boom 9", true},
		{"no field it", "no field id; what the hook wrote before stays", false},
		{"no field it", "no field it; what the hook wrote", false},
	} {
		if wire.SameText(c.a, c.b) != c.same || wire.SameText(c.b, c.a) != c.same {
			t.Errorf("%q and %q: not %v", c.a, c.b, c.same)
		}
		if (wire.TextKey(c.a) == wire.TextKey(c.b)) != c.same {
			t.Errorf("%q and %q have the keys %q and %q", c.a, c.b, wire.TextKey(c.a), wire.TextKey(c.b))
		}
	}
}
