package link_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"pgregory.net/rapid"
)

func TestReasonsAreOneShortPrintableLine(t *testing.T) {
	if got := link.CleanReason("a\nb\x1b[31mc\u202ed\xff é"); got != "a b [31mc d  é" {
		t.Errorf("got %q", got)
	}
	draws.Check(t, func(t *rapid.T) {
		s := link.CleanReason(string(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")))
		if len(s) > link.MaxReason || !utf8.ValidString(s) || strings.ContainsAny(s, "\r\n\t\x00\x1b") || link.CleanReason(s) != s {
			t.Fatalf("%q", s)
		}
	})
	if got := link.CleanReason(strings.Repeat("é", 150)); got != strings.Repeat("é", 100) {
		t.Errorf("cut inside a character: %q", got)
	}
}
