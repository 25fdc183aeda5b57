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
	gameOnes = append(gameOnes, api.Relevant, api.Predicted, api.FilterChat)
	same("methods of an input", described("Input", api.Methods), ident.Keys(inputMethods))
	same("hooks of game.lua", described("", api.Hooks), gameOnes)
	for _, s := range vm.libraryTables() {
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
	for of, list := range map[string][]entry{"Test": (&testRun{vm: vm}).methods(&testLog{}), "TestWorld": (&testRun{}).worldMethods()} {
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

// TestViewKeysAreDescribed: the functions of view.lua take the keys that their descriptions list, and each
// of these is explained.
func TestViewKeysAreDescribed(t *testing.T) {
	taken := map[string][]string{}
	for kind, keys := range widgetKeys() {
		taken[kind] = append(taken[kind], keys...)
		if kind != "tag" && kind != "arrow" { // which are not in a place of the window
			taken[kind] = append(taken[kind], "at")
		}
		taken[kind] = append(taken[kind], "id")
		if kind == "text" || kind == "banner" {
			taken[kind] = append(taken[kind], "[1]")
		}
	}
	for _, kind := range []string{"flash", "text", "sound", "burst", "shake", "rumble", "instantReplay"} {
		numbers, words := (&Effect{Kind: kind, Replay: &Replay{}}).keys()
		for _, k := range append(ident.Keys(numbers), ident.Keys(words)...) {
			taken[kind] = append(taken[kind], strings.Replace(k, "1", "[1]", 1))
		}
	}
	found := 0
	for _, s := range api.Sections() {
		for _, m := range s.Members {
			if taken[m.Name] == nil || !strings.HasPrefix(s.Title, "View") {
				continue
			}
			found++
			keys := slices.Sorted(slices.Values(m.Params[0].Keys()))
			if want := slices.Compact(slices.Sorted(slices.Values(taken[m.Name]))); !slices.Equal(keys, want) {
				t.Errorf("%s takes %q, described are %q", m.Name, want, keys)
			}
			for _, k := range keys {
				if k != "[1]" && !strings.Contains(s.Text+m.Text, "`"+k+"`") {
					t.Errorf("%s: %s is not explained", m.Name, k)
				}
			}
		}
	}
	if found != len(taken) {
		t.Errorf("%d functions of %d are described", found, len(taken))
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
