package luabind

import (
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/hindcast/hindcast/world"
	"github.com/yuin/gopher-lua/parse"
)

var update = flag.Bool("update", false, "write the generated pages again")

// described are the names that API has for what sections of a kind belong to.
func described(of string, kinds ...SectionKind) (names []string) {
	for _, s := range API() {
		if s.Of != of || !slices.Contains(kinds, s.Kind) || strings.HasPrefix(s.Title, "Test") || strings.HasPrefix(s.Title, "View") {
			continue
		}
		for _, m := range s.Members {
			names = append(names, m.Name)
		}
	}
	slices.Sort(names)
	return names
}

// TestAPIIsWhatIsBound: every function, method, hook, key and constant that
// there is, is described, and nothing else is.
func TestAPIIsWhatIsBound(t *testing.T) {
	same := func(what string, described, bound []string) {
		t.Helper()
		slices.Sort(bound)
		if !slices.Equal(described, bound) {
			t.Errorf("%s: described are\n%v\nand bound\n%v", what, described, bound)
		}
	}
	var globals, methods, hooks, gameOnes []string
	for _, l := range [][]entry{baseEntries(), worldEntries(), declareEntries()} {
		for _, e := range l {
			globals = append(globals, e.name)
		}
	}
	same("globals", described("", Functions), globals)
	for _, m := range methodEntries() {
		methods = append(methods, m.name)
	}
	same("methods of objects", described("Object", Methods), methods)
	for _, h := range objectHooks {
		hooks = append(hooks, h.String())
	}
	same("hooks", described("Object", Hooks), hooks)
	for _, h := range gameHooks {
		gameOnes = append(gameOnes, h.String())
	}
	gameOnes = append(gameOnes, relevantName)
	same("hooks of game.lua", described("", Hooks), gameOnes)
	for _, s := range shelves() {
		names := sortedKeys(s.numbers)
		for _, e := range s.entries {
			names = append(names, e.name)
		}
		same(s.name, described(s.name, Functions), names)
	}
	same("keys of a class", described("Declaration", Keys), sortedKeys(classKeys))
	var bots []string
	for _, e := range botEntries() {
		bots = append(bots, e.name)
	}
	same("a bot's world", described("BotWorld", Functions), bots)
	r := &testRun{}
	for of, list := range map[string][]testMethod{"Test": r.checks(), "TestWorld": r.worldMethods()} {
		var names []string
		for _, m := range list {
			names = append(names, m.name)
		}
		var told []string
		for _, s := range API() {
			if s.Of == of {
				for _, m := range s.Members {
					told = append(told, m.Name)
				}
			}
		}
		slices.Sort(told)
		same(of, told, names)
	}
}

// TestBodyKeysAreDescribed: the keys that an unknown one is told of.
func TestBodyKeysAreDescribed(t *testing.T) {
	_, err := Compile(bundle("a.lua", `A = object "A" { body = { shape = { circle = 1 }, zzzzzzzz = 1 } }`), testSetup)
	_, known, ok := strings.Cut(err.Error(), "there are ")
	if !ok {
		t.Fatal(err)
	}
	names := strings.Split(known, ", ")
	slices.Sort(names)
	if got := described("Body", Keys); !slices.Equal(got, names) {
		t.Errorf("described are\n%v\nand known\n%v", got, names)
	}
}

// TestReferencePage: docs/reference.md is what Reference gives.
func TestReferencePage(t *testing.T) {
	const page = "../docs/reference.md"
	if *update {
		if err := os.WriteFile(page, []byte(Reference()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	if string(text) != Reference() {
		t.Errorf("%s is not what the table of the API says: go test ./luabind -run ReferencePage -update", page)
	}
}

// TestDefinitionsAreLua: editors can read them, and they define all that is
// described.
func TestDefinitionsAreLua(t *testing.T) {
	text := Definitions()
	if _, err := parse.Parse(strings.NewReader(text), "hindcast.lua"); err != nil {
		t.Fatal(err)
	}
	for _, s := range API() {
		for _, m := range s.Members {
			want := "function " + m.Name + "("
			switch {
			case s.Kind == Hooks && s.Of == "":
				continue // the game's files define them
			case m.Params == nil:
				want = "---@field " + m.Name
			case s.Kind == Functions && s.Of != "":
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
	p, err := Compile(bundle("a.lua", `Ship = object "Ship" { state = { fuel = 1, name = str(8), on = true, target = ref() } }
game { state = { round = 1 } }`), testSetup)
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
