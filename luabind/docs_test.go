package luabind

import (
	"os"
	"strings"
	"testing"

	"github.com/hindcast/hindcast/luabind/internal/api"
)

// TestScriptingPageExamples: all Lua examples of the page load: classes, tests and views.
func TestScriptingPageExamples(t *testing.T) {
	page, err := os.ReadFile("../docs/scripting.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := strings.Split(string(page), "```lua\n")[1:]
	if len(blocks) < 3 {
		t.Fatalf("%d blocks of Lua", len(blocks))
	}
	for _, b := range blocks {
		code, _, _ := strings.Cut(b, "```")
		switch {
		case strings.HasPrefix(code, "test("):
			_, err = NewTests("page_test.lua", code)
		case strings.HasPrefix(code, "onCue("), strings.HasPrefix(code, "camera("), strings.HasPrefix(code, "local mine = keep"):
			_, err = NewView(bundle(api.ViewFile, code), testSetup, nil)
		case strings.HasPrefix(code, "function relevant("), strings.HasPrefix(code, "function predicted("), strings.HasPrefix(code, "function filterChat("), strings.HasPrefix(code, "teams {"), strings.HasPrefix(code, "game {"), strings.HasPrefix(code, "player {"):
			_, err = NewProgram(bundle(api.GameFile, code), testSetup)
		default:
			_, err = NewProgram(bundle("page.lua", code), testSetup)
		}
		if err != nil {
			t.Errorf("%v\n%s", err, code)
		}
	}
}
