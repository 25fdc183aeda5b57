package reference

import (
	"strings"
	"testing"

	"github.com/hindcast/hindcast/luabind"
	"github.com/hindcast/hindcast/luabind/internal/api"
	"github.com/hindcast/hindcast/runtime/simtest/golden"
	"github.com/hindcast/hindcast/world"
	"github.com/yuin/gopher-lua/parse"
)

// TestReferencePage: docs/reference.md is what Page returns.
func TestReferencePage(t *testing.T) {
	golden.Text(t, "../../docs/reference.md", Page())
}

// TestDefinitionsAreLua: editors can read the definitions, which have every member that
// package api describes.
func TestDefinitionsAreLua(t *testing.T) {
	text := Definitions()
	if _, err := parse.Parse(strings.NewReader(text), "hindcast.lua"); err != nil {
		t.Fatal(err)
	}
	for _, s := range api.Sections() {
		for _, m := range s.Members {
			want := "function " + m.Name + "("
			switch {
			case s.Kind == api.Hooks && s.Of == "":
				continue // the game's files define them
			case m.Params == nil:
				want = "---@field " + m.Name
			case s.Kind == api.Functions && s.Of != "":
				want = "function " + s.Of + "." + m.Name + "("
			case s.Of != "":
				want = "function " + s.Of + ":" + m.Name + "("
			}
			if n := strings.Count(text, want); n == 0 || n > 1 && m.Params != nil {
				t.Errorf("%q stands in the definitions %d times", want, n)
			}
		}
	}
}

func TestClassDefinitions(t *testing.T) {
	p, err := luabind.NewProgram([]world.Source{{Name: "a.lua", Text: `Ship = object "Ship" { state = { fuel = 1, name = str(8), on = true, target = ref() } }
game { state = { round = 1 } }`}}, world.Setup{TickRate: 60, Substeps: 1, Width: 40, Height: 30})
	if err != nil {
		t.Fatal(err)
	}
	text := ClassDefinitions(p.Schema())
	if _, err := parse.Parse(strings.NewReader(text), "game.lua"); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"---@class Ship: Object\n", "---@field fuel number\n", "---@field name string\n",
		"---@field on boolean\n", "---@field target Object?\n", "---@class Game\n---@field round number\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if strings.Contains(text, world.WallClass) {
		t.Errorf("the level's walls are in\n%s", text)
	}
}
