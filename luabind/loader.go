package luabind

import (
	"slices"

	"github.com/hindcast/hindcast/luabind/internal/api"
	"github.com/hindcast/hindcast/luabind/internal/ident"
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/hindcast/hindcast/world"
	lua "github.com/yuin/gopher-lua"
)

// loader holds the functions that declare classes and fields while the files are
// run, and collects what they declare.
type loader struct {
	rights  *rights
	env     *environment
	objects *objects
	library *api.Library
	places  map[string]place // of declarations, by class
	found   *declared
	teams   []team // of the files that were loaded last
}

// begin starts to run the files: declarations are collected, and the game object
// can be called, game { state = ... }.
func (lo *loader) begin(L *lua.LState) {
	lo.found = &declared{library: lo.library}
	lo.rights.in(loadingFiles)
	game := lo.objects.openGame(L, lo.env.function(L, lo.game))
	lo.env.provide("game", game)
	L.G.Global.RawSetString(syntax.Imported("game"), game)
}

// end ends it and returns what the files declared.
func (lo *loader) end() *declared {
	found := lo.found
	lo.found, lo.teams = nil, found.joining().teamList()
	lo.rights.in(inHook)
	return found
}

// collected returns what the files declared so far.
func (lo *loader) collected() *declared { return lo.found }

// entries returns the functions that declare.
func (lo *loader) entries() []entry {
	return []entry{{"object", lo.object}, {"player", lo.player}, {"teams", lo.declareTeams}, {"entry", lo.entry},
		{"str", lo.str}, {"ref", lo.ref}, {"list", lo.list}, {"record", lo.record}}
}

// object implements object "Name", which waits for its table.
func (lo *loader) object(L call) int {
	lo.rights.whileLoading(L, "object")
	name, ok := L.Get(1).(lua.LString)
	if !ok || !ident.Valid(string(name)) {
		L.RaiseError("a class needs a name of letters, digits and _: object \"Ship\" { ... }")
	}
	L.Push(lo.env.function(L.LState, func(L call) int {
		lo.rights.whileLoading(L, "object")
		t, ok := L.Get(1).(*lua.LTable)
		if !ok {
			L.RaiseError("object %q must be declared with a table: object %q { ... }", string(name), string(name))
		}
		d := lo.declare(L, string(name))
		if world.HoldsState(string(name)) {
			d.fail(nil, "%s", ofEngine(string(name)))
		}
		d.read(d.extend(L, t), classKeys)
		L.lang.metas.class(d.methods(), string(name))
		L.Push(d.methods())
		return 1
	}))
	return 1
}

// game implements game {...}.
func (lo *loader) game(L call) int {
	lo.rights.whileLoading(L, "game")
	t, ok := L.Get(2).(*lua.LTable)
	if !ok {
		L.RaiseError("the game must be declared with a table: game { state = { ... } }")
	}
	d := lo.declare(L, world.GameClass)
	d.read(t, gameKeys)
	return 0
}

// player implements player {...}.
func (lo *loader) player(L call) int {
	lo.rights.whileLoading(L, "player")
	t, ok := L.Get(1).(*lua.LTable)
	if !ok {
		L.RaiseError("what each player has must be declared with a table: player { state = { kills = 0 } }")
	}
	d := lo.declare(L, world.PlayerClass)
	d.read(t, playerKeys)
	for _, name := range playerReserved {
		if slices.Contains(fieldNames(d.class()), name) {
			d.fail([]string{"state", name},
				"player.state.%s: view.lua has something else under this name, as it has under %s", name,
				world.Listed(playerReserved))
		}
	}
	return 0
}

// declareTeams implements teams {...}.
func (lo *loader) declareTeams(L call) int {
	lo.rights.whileLoading(L, "teams")
	if !lo.found.joining().declareTeams(readTeams(L)) {
		L.RaiseError("teams { ... } is declared twice")
	}
	return 0
}

// entry implements entry {...}.
func (lo *loader) entry(L call) int {
	lo.rights.whileLoading(L, "entry")
	var at place
	if m := rxPlace.FindStringSubmatch(L.Where(1) + " "); m != nil {
		at = place{File: m[1], Line: atoi(m[2])}
	}
	if !lo.found.joining().declareForm(readEntry(L), at) {
		L.RaiseError("entry { ... } is declared twice")
	}
	return 0
}

// know notes teams that other files have declared.
func (lo *loader) know(list []world.Option) {
	lo.teams = nil
	for _, t := range list {
		lo.teams = append(lo.teams, team{t.Name, t.Color})
	}
}

// teamList returns the teams, by name.
func (lo *loader) teamList() []team { return lo.teams }

// maxClasses is how many classes a game may declare. Each is compared with the others.
const maxClasses = 500

// declare starts a declaration. One of a name that is taken is an error.
func (lo *loader) declare(L call, name string) *declaration {
	if len(lo.found.list) == maxClasses {
		L.RaiseError("a game has at most %d classes", maxClasses)
	}
	at := lo.places[name]
	if m := rxPlace.FindStringSubmatch(L.Where(1) + " "); m != nil && (m[1] != at.File || at.Keys == nil) {
		at = place{File: m[1], Line: atoi(m[2])}
	}
	return lo.found.declare(L.LState, name, at)
}

// str implements str(n) or str(n, "default").
func (lo *loader) str(L call) int {
	n := L.integer(1, "str(n): n")
	if n < 1 || n > world.MaxString {
		L.RaiseError("str(%d): a string field holds 1 to %d bytes", n, world.MaxString)
	}
	text := ""
	if L.GetTop() >= 2 {
		text = L.text(2, "str(n, default): default")
	}
	if len(text) > n {
		L.RaiseError("str(%d): the default has %d bytes", n, len(text))
	}
	return lo.pushType(L, &fieldType{kind: world.String, cap: n, text: text})
}

func (lo *loader) ref(L call) int { return lo.pushType(L, &fieldType{kind: world.Ref}) }

// list implements list(of, n): of is "number", "bool", "ref", str(n) or record {...}.
func (lo *loader) list(L call) int {
	of := L.Get(1)
	if name, ok := of.(lua.LString); ok {
		if of = kinds[string(name)]; of == nil {
			L.RaiseError("list(%q, n): a list holds \"number\", \"bool\", \"ref\", str(16) or record {...}",
				string(name))
		}
	}
	if of == lua.LNil {
		L.RaiseError("list(of, n): of must be \"number\", \"bool\", \"ref\", str(16) or record {...}")
	}
	n := L.integer(2, "list(of, n): n")
	if n < 1 || n > maxItems {
		L.RaiseError("list(of, %d): a list holds 1 to %d items", n, maxItems)
	}
	L.alloc(128 * n)
	return lo.pushType(L, &fieldType{items: of, cap: n})
}

// record implements record { name = default, ... }.
func (lo *loader) record(L call) int {
	return lo.pushType(L, &fieldType{parts: L.table(1, "record {...}: the parts")})
}

func (lo *loader) pushType(L call, t *fieldType) int {
	lo.rights.whileLoading(L, "str, ref, list or record")
	L.Push(&lua.LUserData{Value: t, Metatable: lua.LNil})
	return 1
}
