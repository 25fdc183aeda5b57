package luabind

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/hindcast/hindcast/world"
)

// TestScriptingPageNamesEverything: docs/scripting.md has every method,
// function, hook and library function that there is.
func TestScriptingPageNamesEverything(t *testing.T) {
	page, err := os.ReadFile("../docs/scripting.md")
	if err != nil {
		t.Fatal(err)
	}
	words := map[string]bool{}
	for _, w := range regexp.MustCompile(`\w+`).FindAllString(string(page), -1) {
		words[w] = true
	}
	var names []string
	for _, m := range methodEntries() {
		names = append(names, m.name)
	}
	for _, e := range append(worldEntries(), baseEntries()...) {
		names = append(names, e.name)
	}
	for _, s := range shelves() {
		for _, e := range s.entries {
			if s.name != "math" {
				names = append(names, e.name)
			}
		}
	}
	for h := range world.HookCount {
		names = append(names, h.String())
	}
	for _, n := range names {
		if !words[n] {
			t.Errorf("docs/scripting.md does not mention %s", n)
		}
	}
}

// TestScriptingPageExample: the class on the page loads.
func TestScriptingPageExample(t *testing.T) {
	page, err := os.ReadFile("../docs/scripting.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(page), "```lua\n")
	code, _, _ := strings.Cut(rest, "```")
	if _, err := Compile([]world.Source{{Name: "coin.lua", Text: code}}, testSetup); err != nil {
		t.Error(err)
	}
}
