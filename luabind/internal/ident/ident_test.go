package ident

import (
	"slices"
	"strings"
	"testing"
)

func TestValid(t *testing.T) {
	for s, want := range map[string]bool{"a": true, "_x9": true, "Ship": true, "": false, "9a": false, "a-b": false, "ä": false,
		strings.Repeat("a", maxBytes): true, strings.Repeat("a", maxBytes+1): false} {
		if Valid(s) != want {
			t.Errorf("Valid(%q) is %v", s, !want)
		}
	}
}

func TestNearest(t *testing.T) {
	known := []string{"getVelocity", "getPosition", "setPosition", "remove"}
	if got := Nearest("getPositon", known); !slices.Equal(got, []string{"getPosition", "setPosition"}) {
		t.Errorf("Nearest gives %q", got)
	}
	if got := NearestFirst("rmeove", known); !slices.Equal(got, []string{"remove", "getVelocity", "getPosition", "setPosition"}) {
		t.Errorf("NearestFirst gives %q", got)
	}
}

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"abc", "abc", 0}, {"abc", "acb", 1}, {"abc", "abcd", 1}, {"abc", "xbc", 1}, {"abc", "", 3}, {strings.Repeat("a", 65), "a", farthest}} {
		if got := Distance(c.a, c.b); got != c.want {
			t.Errorf("Distance(%q, %q) is %d, want %d", c.a, c.b, got, c.want)
		}
	}
}
