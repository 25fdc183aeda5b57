package keyname

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hindcast/hindcast/luabind/internal/ident"
)

// Group is a kind of names.
type Group struct {
	NumberOnly bool     // only inputs that are numbers can be bound to them
	Names      []string // as Canonical returns them
}

// Groups returns all names besides single characters. The game page can send
// each of them.
func Groups() []Group {
	return []Group{
		{false,
			[]string{"arrowdown", "arrowleft", "arrowright", "arrowup", "backspace", "capslock", "contextmenu",
				"delete", "end", "enter", "escape",
				"f1", "f2", "f3", "f4", "f5", "f6", "f7", "f8", "f9", "f10", "f11", "f12", "home", "insert", "numlock",
				"pagedown", "pageup", "pause", "printscreen", "scrolllock", "shift", "space", "tab"}},
		{false, []string{"mouse:left", "mouse:middle", "mouse:right"}},
		{false,
			[]string{"pad:a", "pad:b", "pad:x", "pad:y", "pad:lb", "pad:rb", "pad:lt", "pad:rt", "pad:back",
				"pad:start", "pad:ls", "pad:rs",
				"pad:up", "pad:down", "pad:left", "pad:right"}},
		{true, Sticks()},
		{true, []string{"mouse"}},
		{true, Flows()},
	}
}

// Sticks returns the axes of a pad's two sticks, in the order in which the page
// sends them.
func Sticks() []string { return []string{"pad:lx", "pad:ly", "pad:rx", "pad:ry"} }

// Flows returns the names that give amounts to be summed up, in the order in which the
// page sends them: notches of the wheel away from the player, and metres that the
// pointer moved.
func Flows() []string { return []string{"wheel", "mouse:dx", "mouse:dy"} }

// aliases are other names of keys.
var aliases = map[string]string{" ": "space", "spacebar": "space", "up": "arrowup", "down": "arrowdown",
	"left": "arrowleft", "right": "arrowright",
	"esc": "escape", "return": "enter", "del": "delete", "pgup": "pageup", "pgdn": "pagedown"}

// Aliases returns other names of keys, each with the name that it stands for.
func Aliases() (pairs [][2]string) {
	for _, n := range ident.Keys(aliases) {
		pairs = append(pairs, [2]string{n, aliases[n]})
	}
	return pairs
}

// Canonical returns the form of a key's name in which scripts and browsers are
// compared: in lower case, with aliases resolved. "mouse" alone is the left
// button, as for an input that is a bool.
func Canonical(s string) string {
	s = strings.ToLower(s)
	if name, ok := aliases[s]; ok {
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

// Known reports whether s names something that an input can be bound to. axis
// says that the input is a number; then s may begin with "-".
func Known(s string, axis bool) bool {
	if len(s) > 1 {
		s = strings.TrimPrefix(s, "-")
	}
	name := Canonical(s)
	if r, size := utf8.DecodeRuneInString(name); size == len(name) && size > 0 {
		return unicode.IsGraphic(r)
	}
	return slices.Contains(All(axis), name)
}

// All returns the names for an input that is a number (axis), or a bool.
func All(axis bool) (names []string) {
	for _, g := range Groups() {
		if axis || !g.NumberOnly {
			names = append(names, g.Names...)
		}
	}
	return names
}
