package luabind

import (
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// weakTables are the tables of files with weak keys that the hook writes to. Such a table, in which a library keeps
// what it has made, takes entries for tables and functions that the hook has made, although it is frozen: when the hook
// has ended, nothing refers to these keys any more, so a garbage collector would take the entries.
type weakTables struct {
	written   []weakTable
	functions map[*lua.LFunction]bool // those of the files
}

// weakTable is a table and what it was. Entries of a hook are not removed one by one, because a table of gopher-lua
// keeps the keys of what is removed.
type weakTable struct {
	table *lua.LTable
	was   lua.LTable
}

// begin puts back what the hook before has written to.
func (w *weakTables) begin() {
	for i := range w.written {
		*w.written[i].table = w.written[i].was
	}
	w.written = nil
}

// isNew reports whether a value is a table or a function that the hook has made.
func (w *weakTables) isNew(v lua.LValue) bool {
	switch v := v.(type) {
	case *lua.LTable:
		return !isFrozen(v)
	case *lua.LFunction:
		return !v.IsG && !w.functions[v]
	}
	return false
}

// frozenSet writes t[key] = value, where t may be frozen. A frozen table takes the events that it has already, and until
// the hook ends itself as its __index, and what takes allows.
func (L call) frozenSet(t *lua.LTable, key, value lua.LValue) {
	switch {
	case !isFrozen(t) || L.takes(t, key):
	case key == indexName && value == lua.LValue(t) && L.lang.metas.classes[t] == "":
		if t.RawGetString("__index") != value {
			L.lang.selves.add(L, t)
		}
		return
	case value != lua.LNil && isEventKey(key) && L.RawEqual(valueAt(t, key), value):
		return
	default:
		raiseFrozen(L, t.Len() > 0)
	}
	setTable(L, t, key, value)
}

// indexName is the name of the event of an index.
const indexName = lua.LString("__index")

// selves are the tables of files which the hook has made their own __index, as a constructor of a class does in the
// manner of the book "Programming in Lua": function Account:new(o) setmetatable(o, self) self.__index = self ... end.
// When the hook has ended, nothing that it made refers to them any more, and the next hook does the same again.
type selves []selfIndex

// selfIndex is such a table, and what it had before.
type selfIndex struct {
	table *lua.LTable
	was   lua.LValue
}

// add makes a table its own __index.
func (s *selves) add(L call, t *lua.LTable) {
	was := t.RawGetString(string(indexName))
	setTable(L, t, indexName, t)
	*s = append(*s, selfIndex{t, was})
}

// begin gives the tables what they had before the hook.
func (s *selves) begin(ms *metas) {
	for _, e := range *s {
		e.table.RawSetString(string(indexName), e.was)
		ms.changed(e.table)
	}
	*s = nil
}

// takes reports whether a frozen table takes an entry under a key until the hook ends, and prepares it for that.
func (L call) takes(t *lua.LTable, key lua.LValue) bool {
	m := metaOf(t)
	if m == nil || !L.lang.weak.isNew(key) {
		return false
	}
	if mode, ok := m.of.RawGetString("__mode").(lua.LString); !ok || !strings.Contains(string(mode), "k") {
		return false
	}
	w := &L.lang.weak
	for i := range w.written {
		L.charge(1)
		if w.written[i].table == t {
			return true
		}
	}
	return w.open(L, t)
}

// open gives a table memory of its own for the hook. It reports false for a table with numbers as keys.
func (w *weakTables) open(L call, t *lua.LTable) bool {
	own, lists := &lua.LTable{Metatable: t.Metatable}, false
	n := 0
	t.ForEach(func(k, v lua.LValue) {
		switch k := k.(type) {
		case lua.LNumber:
			lists = true
		case lua.LString:
			own.RawSetString(string(k), v)
		default:
			own.RawSetH(k, v)
		}
		n++
	})
	if lists {
		return false
	}
	L.charge(10 + 10*n)
	L.alloc(entryBytes * (n + 1))
	w.written = append(w.written, weakTable{t, *t})
	*t = *own
	return true
}
