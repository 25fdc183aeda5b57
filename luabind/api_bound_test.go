package luabind

import (
	"slices"
	"strings"
	"testing"

	"github.com/hindcast/hindcast/luabind/internal/api"
	"github.com/hindcast/hindcast/luabind/internal/ident"
)

// described returns the names that API has for what sections of a kind belong to.
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

// TestBoundFunctionsAreDescribed: every function, method, hook, key and constant that exists is
// described in package api, and nothing else is described.
func TestBoundFunctionsAreDescribed(t *testing.T) {
	same := func(what string, described, bound []string) {
		t.Helper()
		slices.Sort(bound)
		if !slices.Equal(described, bound) {
			t.Errorf("%s: described are\n%v\nand bound\n%v", what, described, bound)
		}
	}
	var globals, methods, hooks, gameOnes []string
	vm := newVM(&Program{library: api.NewLibrary()})
	for _, e := range vm.globals() {
		globals = append(globals, e.Name)
	}
	same("globals", described("", api.Functions), globals)
	for _, m := range vm.methods() {
		methods = append(methods, m.Name)
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
	same("methods of an input", described("Input", api.Methods), ident.Keys(inputMethods))
	same("hooks of game.lua", described("", api.Hooks), gameOnes)
	for _, s := range vm.shelves() {
		names := ident.Keys(s.Numbers)
		for _, e := range s.Entries {
			names = append(names, e.Name)
		}
		same(s.Name, described(s.Name, api.Functions), names)
	}
	same("keys of a class", described("Declaration", api.Keys), keyNames(classKeys))
	same("keys of the game", described("GameDeclaration", api.Keys), keyNames(gameKeys))
	var bots []string
	for _, e := range (&steering{}).entries() {
		bots = append(bots, e.Name)
	}
	same("a bot's world", described("BotWorld", api.Functions), bots)
	bots = append(bots, "arena")
	for _, e := range vm.queries.entries() {
		bots = append(bots, e.Name)
	}
	same("what a bot's world has in all", slices.Sorted(slices.Values(api.BotWorldMembers())), bots)
	for of, list := range map[string][]entry{"Test": (&testRun{}).methods(&testLog{}), "TestWorld": (&testRun{}).worldMethods()} {
		var names []string
		for _, m := range list {
			names = append(names, m.Name)
		}
		var described []string
		for _, s := range api.Sections() {
			if s.Of == of {
				for _, m := range s.Members {
					described = append(described, m.Name)
				}
			}
		}
		slices.Sort(described)
		same(of, described, names)
	}
}

// TestBodyKeysAreDescribed: the message about an unknown key of body lists all keys.
func TestBodyKeysAreDescribed(t *testing.T) {
	_, err := NewProgram(bundle("a.lua", `A = object "A" { body = { shape = { circle = 1 }, zzzzzzzz = 1 } }`), testSetup)
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
