package api

import (
	"strings"
	"testing"
)

func TestParseMember(t *testing.T) {
	m := parseMember("sort(t: table, before?: fun(a: any, b: any): boolean) -> a: string, b: table<string, number>")
	if m.Name != "sort" || len(m.Params) != 2 || !m.Params[1].Optional || m.Params[1].Type != "fun(a: any, b: any): boolean" ||
		len(m.Returns) != 2 || m.Returns[1].Type != "table<string, number>" {
		t.Errorf("%+v", m)
	}
	if m := parseMember("pi: number"); m.Params != nil || m.Type != "number" {
		t.Errorf("%+v", m)
	}
	if m := parseMember("tick()"); m.Params == nil || len(m.Params) != 0 {
		t.Errorf("%+v", m)
	}
}

// TestFrozenListsAreNamed: the text about the world names every function that returns a list, all of which are frozen.
func TestFrozenListsAreNamed(t *testing.T) {
	n := 0
	for _, s := range append(gameAPI(), libraryAPI()...) {
		for _, m := range s.Members {
			if len(m.Returns) == 0 || !strings.HasSuffix(m.Returns[0].Type, "[]") {
				continue
			}
			if n++; !strings.Contains(worldAPI().Text, "`"+m.Name+"`") {
				t.Errorf("the text does not say that the list of %s is frozen", m.Name)
			}
		}
	}
	if n < 7 || !strings.Contains(worldAPI().Text, "frozen") {
		t.Errorf("%d functions return lists, and %q", n, worldAPI().Text)
	}
}

// TestEffectsHaveDefaults: what is said of flash, sound and text names each of their keys, and the default of each colour.
func TestEffectsHaveDefaults(t *testing.T) {
	for _, name := range []string{"flash", "sound", "text", "burst"} {
		m := ViewFunction(name)
		for _, key := range m.Params[0].Keys() {
			if key != "[1]" && !strings.Contains(m.Text, "`"+key+"`") {
				t.Errorf("%s: nothing is said of %s", name, key)
			}
			if key == "color" && !strings.Contains(m.Text, "`color` (white") {
				t.Errorf("%s: the default of color is not said", name)
			}
		}
	}
}
