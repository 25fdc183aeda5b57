package wire

import (
	"encoding/binary"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hindcast/hindcast/world"
)

// The largest sizes of texts, in bytes, and of lists, in entries.
const (
	MaxName       = 32   // bytes of a player's name
	MaxReason     = 256  // bytes of the Reason of a Refuse, an End or a Notice
	MaxChat       = 512  // bytes of a line of chat
	MaxProblem    = 512  // bytes of a text of Problems
	MaxRefusals   = 8    // of Problems, and as many warnings
	MaxFailures   = 8    // of Problems
	MaxClass      = 64   // bytes of the class name of a spawn
	MaxToken      = 1024 // bytes of Hello.Token
	MaxRuns       = 64   // runs in an InputPacket, and in each list of a Motion
	MaxPoses      = 16   // poses in a PoseRun
	MaxFrames     = 64   // frames in a FrameRun
	MaxAnnounces  = 64   // bundles in a Welcome
	MaxRoster     = world.MaxPlayers
	MaxLastInputs = world.MaxObjects // Keyframe.LastInputs
)

// IsControl reports whether a character is a control character, or one that changes the direction of those around it, so
// that a name or a line of chat would turn the text round it (Unicode Standard Annex 9, explicit formatting).
func IsControl(c rune) bool {
	return unicode.IsControl(c) || c >= '\u202a' && c <= '\u202e' || c >= '\u2066' && c <= '\u2069'
}

// text reads a string that is shown to people: UTF-8 without what IsControl names, because
// it appears in logs, terminals and pages.
func (r *reader) text(field string, most int) string {
	b := r.bytes(field, most)
	if !utf8.Valid(b) {
		r.fail(field, "not UTF-8")
		return ""
	}
	s := string(b)
	if strings.IndexFunc(s, IsControl) >= 0 {
		r.fail(field, "has control characters")
		return ""
	}
	return s
}

// bytes reads a length and as many bytes, without copying them.
func (r *reader) bytes(field string, most int) []byte {
	return r.take(field, int(r.uvarint(field, uint64(most))))
}

// appendText appends a text for people, after clean.
func appendText(b []byte, s string, most int) []byte {
	return appendString(b, clean(s, most))
}

func appendString(b []byte, s string) []byte {
	b = binary.AppendUvarint(b, uint64(len(s)))
	return append(b, s...)
}

func appendBytes(b, data []byte) []byte {
	b = binary.AppendUvarint(b, uint64(len(data)))
	return append(b, data...)
}

// clean returns s as reader.text accepts it: invalid UTF-8 becomes U+FFFD, a control
// character a space, and a long text is cut after the last character that fits.
func clean(s string, most int) string {
	s = strings.Map(func(c rune) rune {
		if IsControl(c) {
			return ' '
		}
		return c
	}, s)
	if len(s) <= most {
		return s
	}
	end := most
	for !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end]
}
