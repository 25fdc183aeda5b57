package luabind

import (
	"slices"
	"strings"
	"testing"

	"github.com/hindcast/hindcast/luabind/internal/api"
	"github.com/hindcast/hindcast/luabind/internal/ident"
)

// described are the names that API has for what sections of a kind belong to.
func described(of string, kinds ...api.SectionKind) (names []string) {
	for _, s := range api.Sections() {
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
	same("globals", described("", api.Functions), globals)
	for _, m := range methodEntries() {
		methods = append(methods, m.name)
	}
	same("methods of objects", described("Object", api.Methods), methods)
	for _, h := range api.ObjectHooks() {
		hooks = append(hooks, h.String())
	}
	same("hooks", described("Object", api.Hooks), hooks)
	for _, h := range api.GameHooks() {
		gameOnes = append(gameOnes, h.String())
	}
	gameOnes = append(gameOnes, api.Relevant)
	same("hooks of game.lua", described("", api.Hooks), gameOnes)
	for _, s := range shelves() {
		names := ident.Keys(s.numbers)
		for _, e := range s.entries {
			names = append(names, e.name)
		}
		same(s.name, described(s.name, api.Functions), names)
	}
	same("keys of a class", described("Declaration", api.Keys), ident.Keys(classKeys))
	var bots []string
	for _, e := range botEntries() {
		bots = append(bots, e.name)
	}
	same("a bot's world", described("BotWorld", api.Functions), bots)
	bots = append(bots, "arena")
	for _, e := range lookEntries() {
		bots = append(bots, e.name)
	}
	same("what a bot's world has in all", slices.Sorted(slices.Values(api.BotWorldMembers())), bots)
	r := &testRun{}
	for of, list := range map[string][]testMethod{"Test": r.checks(), "TestWorld": r.worldMethods()} {
		var names []string
		for _, m := range list {
			names = append(names, m.name)
		}
		var told []string
		for _, s := range api.Sections() {
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
	if got := described("Body", api.Keys); !slices.Equal(got, names) {
		t.Errorf("described are\n%v\nand known\n%v", got, names)
	}
}
