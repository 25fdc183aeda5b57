package luabind

import (
	"github.com/hindcast/hindcast/luabind/internal/ident"
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	lua "github.com/yuin/gopher-lua"
)

// environment has the globals of scripts: the functions and tables of the library.
type environment struct {
	lang    *language
	values  map[string]lua.LValue     // that the chunks of files take as arguments, by their names there
	methods map[string]*lua.LFunction // of objects
	frozen  *lua.LTable               // the metatable that marks tables as read-only
	empty   *lua.LTable               // an empty frozen table
}

// open empties the environment, for a new interpreter.
func (en *environment) open() {
	en.values, en.methods = map[string]lua.LValue{}, map[string]*lua.LFunction{}
	en.frozen = &lua.LTable{Metatable: lua.LNil}
	en.empty = &lua.LTable{Metatable: en.frozen}
}

// provide gives scripts a value under a name of the library.
func (en *environment) provide(name string, v lua.LValue) { en.values[syntax.Imported(name)] = v }

// provided returns a value of the library.
func (en *environment) provided(name string) lua.LValue { return en.values[syntax.Imported(name)] }

// helper returns one of the functions that rewritten code calls.
func (en *environment) helper(name string) lua.LValue { return en.values[name] }

// method returns a method of objects, nil if there is none.
func (en *environment) method(name string) *lua.LFunction { return en.methods[name] }

// freeze makes a table read-only.
func (en *environment) freeze(t *lua.LTable) {
	if en.lang.metas.mark(t, frozenBit) {
		return
	}
	gapped := hasGaps(t)
	if t.Metatable = en.frozen; gapped {
		t.Metatable = en.lang.gapped().Frozen
	}
}

// freezeAll freezes everything that scripts can reach from tables. root says where their members are from.
func (en *environment) freezeAll(tables []*lua.LTable, root func(of *lua.LTable, key lua.LValue) place) *freezer {
	return freezeAll(en.lang, en.freeze, tables, root)
}

// none returns an empty read-only table.
func (en *environment) none() *lua.LTable { return en.empty }

// function makes a Lua function of a function of ours.
func (en *environment) function(L *lua.LState, fn func(call) int) *lua.LFunction {
	lang := en.lang
	return L.NewFunction(func(L *lua.LState) int {
		c := lang.call(L)
		n := fn(c)
		c.passOn(n)
		return n
	})
}

// operator is function for one that rewritten code or the interpreter calls in place of an operator, a field or a
// method, and that scripts do not see.
func (en *environment) operator(L *lua.LState, fn func(call) int) *lua.LFunction {
	f := en.function(L, fn)
	en.lang.inPlace[f] = true
	return f
}

// bind provides functions.
func (en *environment) bind(L *lua.LState, list []entry) {
	for _, e := range list {
		en.provide(e.Name, en.function(L, e.Fn))
	}
}

// bindHelpers provides the functions that rewritten code calls.
func (en *environment) bindHelpers(L *lua.LState, list []entry) {
	for _, e := range list {
		en.values[e.Name] = en.operator(L, e.Fn)
	}
}

// bindMethods provides the methods of objects.
func (en *environment) bindMethods(L *lua.LState, list []methodEntry) {
	for _, m := range list {
		fn := en.operator(L, m.called(en))
		en.methods[m.Name], en.values[syntax.Method(m.Name)] = fn, fn
	}
}

// bindLibrary makes a library table, and provides each member under its full name
// as well.
func (en *environment) bindLibrary(L *lua.LState, s libraryTable) {
	t := L.CreateTable(0, len(s.Entries))
	put := func(name string, v lua.LValue) {
		t.RawSetString(name, v)
		en.provide(s.Name+"."+name, v)
	}
	for _, e := range s.Entries {
		put(e.Name, en.function(L, e.Fn))
	}
	for _, n := range ident.Keys(s.Numbers) {
		put(n, lua.LNumber(s.Numbers[n]))
	}
	en.freeze(t)
	en.provide(s.Name, t)
}

// setArena fills in the table of the level's size. There is only one, because the files
// keep it.
func (en *environment) setArena(L *lua.LState, width, height float64) {
	t, ok := en.provided("arena").(*lua.LTable)
	if !ok {
		t = L.CreateTable(0, 2)
		en.freeze(t)
		en.provide("arena", t)
	}
	t.RawSetString("width", lua.LNumber(width))
	t.RawSetString("height", lua.LNumber(height))
}

// bindStrings gives strings their methods, s:upper(), and an arithmetic that
// reads them as Lua does: gopher-lua's own takes "010" for 8.
func (en *environment) bindStrings(L *lua.LState) {
	meta := L.CreateTable(0, 8)
	meta.RawSetString("__index", en.provided("string"))
	ops := stringArithmetic()
	for _, n := range ident.Keys(ops) {
		op := ops[n]
		meta.RawSetString(n, en.operator(L, func(L call) int {
			if v, ok := L.arithmetic(n, L.Get(1), L.Get(2)); ok {
				L.Push(v)
				return 1
			}
			L.Push(L.num(op(L.operand(1), L.operand(2))))
			return 1
		}))
	}
	meta.RawSetString("__unm", en.function(L, func(L call) int {
		L.Push(L.num(-L.operand(1)))
		return 1
	}))
	call := en.operator(L, luaCannotCall)
	meta.RawSetString("__call", call)
	L.SetMetatable(lua.LString(""), meta)
	for _, v := range []lua.LValue{lua.LNil, lua.LFalse, lua.LNumber(0)} {
		other := L.CreateTable(0, 1)
		other.RawSetString("__call", call)
		L.SetMetatable(v, other)
	}
}

// luaCannotCall is what the interpreter calls in the place of a value that no script can give a metatable: the error of
// the interpreter does not say what the value is.
func luaCannotCall(L call) int {
	L.RaiseError("attempt to call %s", syntax.AValue(typeName(L.Get(1))))
	return 0
}

// publish makes the provided values globals, for files with too many imports.
func (en *environment) publish(L *lua.LState) {
	for _, n := range ident.Keys(en.values) {
		L.G.Global.RawSetString(n, en.values[n])
	}
}

// pushImports pushes the values that a chunk takes as arguments.
func (en *environment) pushImports(L *lua.LState, names []string) {
	for _, n := range names {
		L.Push(en.values[n])
	}
}
