package wire

import (
	"encoding/binary"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hindcast/hindcast/world"
)

// Most bytes of the texts and most entries of the lists in a message.
const (
	MaxName       = 32   // bytes of a player's name
	MaxReason     = 256  // bytes of the Reason of a Refuse or a Notice
	MaxChat       = 512  // bytes of a line of chat
	MaxClass      = 64   // bytes of the name of a class in a SpawnEvent
	MaxToken      = 1024 // bytes of Hello.Token
	MaxRuns       = 64   // runs in an InputPacket
	MaxPoses      = 16   // moves of an object in a Motion
	MaxFrames     = 64   // frames for an object in a Motion
	MaxAnnounces  = 64   // bundles in a Welcome
	MaxRoster     = world.MaxPlayers
	MaxLastInputs = world.MaxObjects // inputs in a Keyframe
)

// text is a string that people read: its length, then UTF-8 without control
// characters, because it ends in logs, terminals and pages.
func (r *reader) text(field string, most int) string {
	b := r.bytes(field, most)
	if !utf8.Valid(b) {
		r.fail(field, "not UTF-8")
		return ""
	}
	s := string(b)
	if strings.IndexFunc(s, unicode.IsControl) >= 0 {
		r.fail(field, "has control characters")
		return ""
	}
	return s
}

// bytes is a length and as many bytes, which stay where they are.
func (r *reader) bytes(field string, most int) []byte {
	return r.take(field, int(r.uvarint(field, uint64(most))))
}

// appendText writes a text that people read, made to fit.
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

// clean gives s as a text that reader.text accepts: what is not UTF-8 becomes
// U+FFFD, a control character a space, and what is too long is cut after the
// last whole character.
func clean(s string, most int) string {
	s = strings.Map(func(c rune) rune {
		if unicode.IsControl(c) {
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
