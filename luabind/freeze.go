package luabind

import (
	"fmt"

	"github.com/hindcast/hindcast/luabind/internal/syntax"
	lua "github.com/yuin/gopher-lua"
)

// isFrozen reports whether a table is read-only. The metatable marks it, see meta: all
// writes of scripts go through syntax.Set, and the table functions check it. Reading, #
// and iteration work as on any table.
func isFrozen(t *lua.LTable) bool { return t.Metatable != lua.LNil && !marked(t, openMark) }

// raiseFrozen raises the error of a write to a frozen table. list says that it is one, which may be sorted in a copy.
func raiseFrozen(L call, list bool) {
	instead := "keep what changes in the object's state, and in view.lua with keep"
	if list {
		instead = "copy the list into a new table first: for i, v in ipairs(list) do copy[i] = v end"
	}
	L.RaiseError(syntax.ReadOnly+": tables made while the files are loaded, inputs, contacts and results of "+
		"queries are frozen; %s", instead)
}

// freezer walks everything that scripts can reach after loading.
type freezer struct {
	lang   *language
	freeze func(*lua.LTable)
	seen   map[lua.LValue]bool
	made   map[*lua.LFunction]bool // the functions of scripts
	errs   []error
	text   int   // the length of the longest string
	where  place // of what is walked: the function that has it, or the member of a root
	textAt place // of the longest string
}

// freezeAll freezes, with freeze, all tables that scripts can reach from the given ones, and returns what it has met.
// It refuses functions that keep a variable and change it, because a rewind could not restore it. The given tables keep
// their own metatables: scripts do not see them as tables. root says where their members are from.
func freezeAll(lang *language, freeze func(*lua.LTable), tables []*lua.LTable,
	root func(of *lua.LTable, key lua.LValue) place) *freezer {
	f := &freezer{lang: lang, freeze: freeze, seen: map[lua.LValue]bool{}, made: map[*lua.LFunction]bool{}}
	for _, t := range tables {
		f.eachMember(t, func(k lua.LValue) { f.where = root(t, k) })
	}
	return f
}

// functions returns the functions of scripts that were met.
func (f *freezer) functions() map[*lua.LFunction]bool { return f.made }

// longest returns the length of the longest string that was met.
func (f *freezer) longest() int { return f.text }

// problems returns what cannot be frozen.
func (f *freezer) problems() []error {
	if f.text > syntax.MaxKeptString {
		const problem = "the files keep a string of %d bytes in a table or a variable: at most %d"
		if f.textAt.File == "" {
			return append(f.errs, fmt.Errorf(problem, f.text, syntax.MaxKeptString))
		}
		return append(f.errs, syntax.Problem(f.textAt.File, f.textAt.Line, problem, f.text, syntax.MaxKeptString))
	}
	return f.errs
}

func (f *freezer) members(t *lua.LTable) { f.eachMember(t, func(lua.LValue) {}) }

// eachMember walks the members of a table, and calls begin with the key of each before.
func (f *freezer) eachMember(t *lua.LTable, begin func(key lua.LValue)) {
	for _, k := range f.lang.order.keys(t) {
		begin(k)
		f.walk(k)
		f.walk(valueAt(t, k))
	}
	if m := metaOf(t); m != nil {
		f.walk(m.of)
	}
}

func (f *freezer) walk(v lua.LValue) {
	switch v := v.(type) {
	case lua.LString:
		if len(v) > f.text {
			f.text, f.textAt = len(v), f.where
		}
	case *lua.LTable:
		if f.seen[v] || marked(v, keptMark) {
			return
		}
		f.seen[v] = true
		if !isFrozen(v) {
			if f.lang.limits().places > 0 { // hooks do not know of them
				compact(v)
			}
			f.freeze(v)
		}
		if v.RawGetString("__index") != lua.LNil { // hooks will use it as a metatable
			f.lang.metas.take(v)
		}
		f.members(v)
	case *lua.LFunction: // ours, in Go, keep nothing between calls
		if !f.seen[v] && !v.IsG {
			f.seen[v], f.made[v] = true, true
			f.function(v)
		}
	}
}

func (f *freezer) function(fn *lua.LFunction) {
	if name, line, found := syntax.WritesUpvalue(fn.Proto, f.lang.ofFile[fn.Proto]); found {
		f.errs = append(f.errs, syntax.Problem(fn.Proto.SourceName, line,
			"the local variable %s is frozen after loading, and a function changes it: declare %s in state "+
				"(self.%s, or game.%s)", name, name, name, name))
	}
	keep := f.where
	f.where = place{File: fn.Proto.SourceName, Line: fn.Proto.LineDefined}
	for _, up := range fn.Upvalues {
		f.walk(up.Value())
	}
	f.where = keep
}
