package wire

import (
	"strings"

	"github.com/hindcast/hindcast/world"
)

// MistakeKey is the same for all failures of a function that are one mistake: those at the same place with
// the same TextKey, and those of the same budget, wherever they are. Without a place, all of the text counts.
func MistakeKey(place, message string) string {
	if spent := spentBudget(message); spent != "" {
		return TextKey(spent)
	}
	if place == "" {
		return message
	}
	return place + ": " + TextKey(message)
}

// SameMistake reports whether two failures of a function have the same MistakeKey.
func SameMistake(placeA, a, placeB, b string) bool {
	return placeA == placeB && a == b || MistakeKey(placeA, a) == MistakeKey(placeB, b)
}

// spentBudget returns the part of a message that says whose budget of what was used up, "" if that is not what it is
// about. The place of such an error is chance, and one with the same part is the same mistake.
func spentBudget(message string) string {
	const its, their = " used up its budget of ", " used up their budget of "
	at := strings.Index(message, its)
	if at < 0 {
		at = strings.Index(message, their)
	}
	if at < 0 {
		return ""
	}
	end := at + len(its)
	if n := strings.IndexAny(message[end:], ",;:"); n >= 0 {
		return message[:end+n]
	}
	return message
}

// TextKey is the same for all messages that say the same but for words with digits, which are numbers, ticks, ids of
// objects, and but for world.WroteBefore. A script may write numbers into the text of an error, and a hook may have
// written something before it failed or not: it is one mistake nevertheless.
func TextKey(text string) string {
	var key strings.Builder
	text = strings.TrimSuffix(text, world.WroteBefore)
	for text != "" {
		word := firstWord(text)
		text = text[len(word):]
		if hasDigit(word) {
			word = "#"
		}
		key.WriteString(word)
	}
	return key.String()
}

// firstWord returns the letters, digits, dots, signs and underscores at the start of a text, or its first byte.
func firstWord(text string) string {
	n := 0
	for n < len(text) && strings.IndexByte("._-+", text[n]) >= 0 || n < len(text) && isAlphanumeric(text[n]) {
		n++
	}
	return text[:min(max(n, 1), len(text))]
}

func isAlphanumeric(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c >= 0x80
}

func hasDigit(word string) bool { return strings.ContainsAny(word, "0123456789") }
