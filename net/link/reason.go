package link

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// CleanReason returns s as the reason of a Closed may be: one printable line of at most
// MaxReason bytes of UTF-8. Reasons come from strangers and appear in terminals and logs, so
// every Link cleans those that arrive.
func CleanReason(s string) string {
	s = strings.Map(func(r rune) rune {
		if r == utf8.RuneError || !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, s)
	if len(s) <= MaxReason {
		return s
	}
	end := MaxReason
	for end > 0 && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end]
}
