package luabind

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hindcast/hindcast/luabind/internal/ident"
)

// KeyGroup is a kind of names that may stand in controls.
type KeyGroup struct {
	Title string
	Names []string // as KeyName gives them
}

// KeyGroups are all names that may stand in controls, besides single
// characters: what is here is what the game page can send.
func KeyGroups() []KeyGroup {
	return []KeyGroup{
		{"keys", []string{"arrowdown", "arrowleft", "arrowright", "arrowup", "backspace", "capslock", "contextmenu", "delete", "end", "enter", "escape",
			"f1", "f2", "f3", "f4", "f5", "f6", "f7", "f8", "f9", "f10", "f11", "f12", "home", "insert", "numlock",
			"pagedown", "pageup", "pause", "printscreen", "scrolllock", "shift", "space", "tab"}},
		{"mouse buttons", []string{"mouse:left", "mouse:middle", "mouse:right"}},
		{"pad buttons", []string{"pad:a", "pad:b", "pad:x", "pad:y", "pad:lb", "pad:rb", "pad:lt", "pad:rt", "pad:back", "pad:start", "pad:ls", "pad:rs",
			"pad:up", "pad:down", "pad:left", "pad:right"}},
		{"for a number only: the sticks", PadSticks()},
		{"for a number only: the angle to the pointer", []string{"mouse"}},
		{"for a number only, merged as a sum", Flows()},
	}
}

// PadSticks are the axes of a pad's two sticks, in the order in which the page
// sends them.
func PadSticks() []string { return []string{"pad:lx", "pad:ly", "pad:rx", "pad:ry"} }

// Flows are what gives amounts, to be summed up: notches of the wheel, away from the
// player, and metres that the pointer moved, in the order in which the page sends them.
func Flows() []string { return []string{"wheel", "mouse:dx", "mouse:dy"} }

// otherNames are further ways to write a key.
var otherNames = map[string]string{" ": "space", "spacebar": "space", "up": "arrowup", "down": "arrowdown", "left": "arrowleft", "right": "arrowright",
	"esc": "escape", "return": "enter", "del": "delete", "pgup": "pageup", "pgdn": "pagedown"}

// OtherKeyNames are further ways to write a key, each with the name that it
// stands for.
func OtherKeyNames() (pairs [][2]string) {
	for _, n := range ident.Keys(otherNames) {
		pairs = append(pairs, [2]string{n, otherNames[n]})
	}
	return pairs
}

// KeyName is the one form of a key's name in which scripts and browsers are
// compared: lower case, other ways to write it resolved. A mouse alone is its
// left button: for a bool.
func KeyName(s string) string {
	s = strings.ToLower(s)
	if name, ok := otherNames[s]; ok {
		return name
	}
	switch {
	case s == "mouse":
		return "mouse:left"
	case len(s) == 4 && strings.HasPrefix(s, "key"):
		return s[3:] // KeyW, as browsers name the place of a key
	case len(s) == 6 && strings.HasPrefix(s, "digit"):
		return s[5:]
	}
	return s
}

// knownKey reports whether a name that stands in controls, for a number if it
// is an axis, is that of something to press or to push.
func knownKey(s string, axis bool) bool {
	if len(s) > 1 {
		s = strings.TrimPrefix(s, "-")
	}
	name := KeyName(s)
	if r, size := utf8.DecodeRuneInString(name); size == len(name) && size > 0 {
		return unicode.IsGraphic(r)
	}
	return slices.Contains(keyNames(axis), name)
}

// keyNames are the names for a number, or for a bool.
func keyNames(axis bool) (names []string) {
	for _, g := range KeyGroups() {
		if axis || !strings.HasPrefix(g.Title, "for a number only") {
			names = append(names, g.Names...)
		}
	}
	return names
}

// LookShapes are the shapes that look can name; body is the body's own.
func LookShapes() []string {
	return []string{"arrow", "body", "circle", "diamond", "hexagon", "ship", "square", "star", "triangle"}
}
