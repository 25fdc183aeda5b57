package keyname_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/hindcast/hindcast/luabind"
	"github.com/hindcast/hindcast/luabind/keyname"
)

func TestKeyNames(t *testing.T) {
	for _, same := range [][]string{{"ArrowLeft", "left", "Left"}, {"Space", " ", "spacebar"}, {"w", "W", "KeyW"}, {"1", "Digit1"}, {"Escape", "Esc"}, {"mouse", "mouse:left"}} {
		for _, name := range same {
			if keyname.Canonical(name) != keyname.Canonical(same[0]) {
				t.Errorf("%q is %q, %q is %q", name, keyname.Canonical(name), same[0], keyname.Canonical(same[0]))
			}
		}
	}
}

func TestKnownKeys(t *testing.T) {
	for name, want := range map[string][2]bool{ // for a bool, for a number
		"w": {true, true}, "É": {true, true}, "-": {true, true}, "-a": {true, true}, "ArrowUp": {true, true}, "-left": {true, true}, "KeyW": {true, true}, "F12": {true, true},
		"mouse": {true, true}, "mouse:right": {true, true}, "pad:A": {true, true}, "pad:lx": {false, true}, "-pad:ry": {false, true},
		"wheel": {false, true}, "-wheel": {false, true}, "mouse:dy": {false, true}, "": {}, "\n": {}, "ww": {}, "ctrl": {}, "f13": {}, "pad:z": {}, "mouse:4": {}, "--w": {},
	} {
		if got := [2]bool{keyname.Known(name, false), keyname.Known(name, true)}; got != want {
			t.Errorf("%q: %v, want %v", name, got, want)
		}
	}
}

// TestScriptingPageListsKeys: docs/scripting.md has the name of every key and shape.
func TestScriptingPageListsKeys(t *testing.T) {
	text, err := os.ReadFile("../../docs/scripting.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(text), "### Names of keys\n")
	section, _, _ = strings.Cut(section, "\n## ")
	names := luabind.LookShapes()
	for _, g := range keyname.Groups() {
		names = append(names, g.Names...)
	}
	for _, pair := range keyname.Aliases() {
		if pair[0] != " " {
			names = append(names, pair[0])
		}
	}
	on := map[string]bool{}
	for i, word := range strings.Split(section, "`") {
		if i%2 == 1 {
			on[strings.ToLower(word)] = true
		}
	}
	for _, n := range names {
		if !on[n] {
			t.Errorf("docs/scripting.md does not list %s", n)
		}
	}
	others := append(luabind.LookShapes(), "controls", "look", "color")
	for n := range on {
		if !keyname.Known(n, true) && !slices.Contains(others, n) {
			t.Errorf("docs/scripting.md lists %s, which is no key and no shape", n)
		}
	}
}
