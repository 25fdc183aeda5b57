package wire_test

import (
	"testing"

	"github.com/hindcast/hindcast/net/wire"
)

// TestTextKey: messages that differ in words with digits have the same key.
func TestTextKey(t *testing.T) {
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
		if (wire.TextKey(c.a) == wire.TextKey(c.b)) != c.same {
			t.Errorf("%q and %q have the keys %q and %q", c.a, c.b, wire.TextKey(c.a), wire.TextKey(c.b))
		}
	}
}

// TestMistakeKey: failures of the same budget are one mistake, wherever they are and whatever else they say.
func TestMistakeKey(t *testing.T) {
	const spent = "Foe:tick used up its budget of 100000 instructions"
	for _, c := range []struct {
		placeA, a, placeB, b string
		same                 bool
	}{
		{"a.lua:1", "boom 1", "a.lua:1", "boom 2", true},
		{"a.lua:1", "boom", "a.lua:2", "boom", false},
		{"", "boom 1", "", "boom 2", false},
		{"", "boom 1", "", "boom 1", true},
		{"a.lua:1", spent + ", 9 % of it in line 1; x", "lib/b.lua:2", spent + ", 98 % of it in lines 1 to 2; y", true},
		{"a.lua:1", spent + "; x", "a.lua:2", spent, true},
		{"a.lua:1", spent, "a.lua:1", "Foe:tick used up its budget of 1024 KiB of memory", false},
		{"a.lua:1", spent, "a.lua:1", "Foe:onSpawn used up its budget of 100000 instructions", false},
		{"a.lua:1", "the hooks of one Foe used up their budget of 400000 instructions: those before this one, Foe:tick, used 1",
			"a.lua:2", "the hooks of one Foe used up their budget of 400000 instructions: those before this one, Foe:onTrigger, used all",
			true},
	} {
		if wire.SameMistake(c.placeA, c.a, c.placeB, c.b) != c.same || wire.SameMistake(c.placeB, c.b, c.placeA, c.a) != c.same {
			t.Errorf("%s: %q and %s: %q: not %v", c.placeA, c.a, c.placeB, c.b, c.same)
		}
	}
}
