package luabind

import (
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	lua "github.com/yuin/gopher-lua"
)

// scratchMark is the key under which the metatable of a scratch table has the table's scratchTable. Scripts reach no
// such metatable.
const scratchMark = "scratch"

// maxScratchKeys is how many keys a scratch table may have.
const maxScratchKeys = 256

// scratchTables are the tables of files in which functions keep intermediate values, such as
// local tmp = { x = 0, y = 0 }. Such a table has numbers, texts and booleans under keys that stay the same.
//
// A hook writes a key before it reads it. Every read of a key that the hook has not written is an error, whatever the
// files or an earlier hook left there. So the table can keep nothing from one hook for the next, and a script that
// relies on that learns it. For this, the table is empty when a hook begins, and a metatable catches reads. Once the
// hook has written all keys, the table has them, and reading costs no more than with other tables.
type scratchTables struct {
	declared []scratchPlace
	opened   []*scratchTable // in the present hook
	missing  *lua.LFunction  // the __index of scratch tables
	whole    *lua.LFunction  // and their __len
}

// scratchPlace is a local variable of a file that may have a scratch table.
type scratchPlace struct {
	name  string
	file  string
	place *lua.Upvalue
}

// scratchTable is a scratch table. The fields from now on are of the present hook.
type scratchTable struct {
	scratchPlace
	table        *lua.LTable
	loaded       lua.LTable // as the files left it
	keys         []lua.LValue
	closed, full *lua.LTable // the metatables before all keys are written, and afterwards
	meta         *meta       // of the script, nil if there is none

	open    bool
	now     *lua.LTable // the values, until all keys are written
	written map[lua.LValue]bool
}

// keep makes scratch tables of what the declared variables hold, when the files have been loaded. Other tables
// stay read-only.
func (st *scratchTables) keep(ms *metas) {
	for _, p := range st.declared {
		t, ok := p.place.Value().(*lua.LTable)
		if !ok || !isFrozen(t) || hasGaps(t) || marked(t, keptMark) || scratchOf(t) != nil {
			continue
		}
		if s := (&scratchTable{scratchPlace: p, table: t, loaded: *t, meta: metaOf(t)}); s.suits() {
			s.closed, s.full = s.metatable(), s.metatable()
			if s.closed.RawSetString("__index", st.missing); s.closed.RawGetString("__len") == lua.LNil {
				s.closed.RawSetString("__len", st.whole)
			}
			s.close()
		}
	}
	st.declared = nil
}

// suits notes the keys of a table, and reports whether it can be a scratch table.
func (s *scratchTable) suits() bool {
	plain := true
	for _, k := range sortedTableKeys(s.table) {
		v := valueAt(s.table, k)
		if v == lua.LValue(s.table) { // it refers to itself, and cannot be changed
			continue
		}
		name, _ := k.(lua.LString)
		plain = plain && keyRank(k) <= keyRank(lua.LTrue) && keyRank(v) <= keyRank(lua.LTrue) && !isEvent(string(name))
		s.keys = append(s.keys, k)
	}
	return plain && len(s.keys) > 0 && len(s.keys) <= maxScratchKeys &&
		(s.meta == nil || s.meta.of.RawGetString("__mode") == lua.LNil)
}

// metatable returns a copy of the table's metatable, with the mark.
func (s *scratchTable) metatable() *lua.LTable {
	of := s.table.Metatable.(*lua.LTable)
	m := &lua.LTable{Metatable: of.Metatable}
	of.ForEach(func(k, v lua.LValue) { m.RawSet(k, v) })
	m.RawSetString(scratchMark, &lua.LUserData{Value: s, Metatable: lua.LNil})
	return m
}

// close empties the table, as each hook finds it.
func (s *scratchTable) close() {
	*s.table = lua.LTable{Metatable: s.closed}
	s.open, s.now, s.written = false, nil, nil
}

// begin closes the tables that the hook before has written to.
func (st *scratchTables) begin() {
	for _, s := range st.opened {
		s.close()
	}
	st.opened = st.opened[:0]
}

// scratchOf returns the scratch table that a table is, nil for other tables.
func scratchOf(t *lua.LTable) *scratchTable {
	m, ok := t.Metatable.(*lua.LTable)
	if !ok {
		return nil
	}
	u, ok := m.RawGetString(scratchMark).(*lua.LUserData)
	if !ok {
		return nil
	}
	return u.Value.(*scratchTable)
}

// has reports whether the table has a key that may be written.
func (s *scratchTable) has(key lua.LValue) bool {
	v := valueAt(&s.loaded, key)
	return v != lua.LNil && v != lua.LValue(s.table)
}

// isFull reports whether the hook has written all keys, and the table has them.
func (s *scratchTable) isFull() bool { return s.table.Metatable == s.full }

// write writes a value under a key that the table has.
func (s *scratchTable) write(L call, key, value lua.LValue) {
	if _, isNumber := key.(lua.LNumber); isNumber && value == lua.LNil { // the list would get gaps
		L.RaiseError("%s cannot become nil: %s is a table of the file, and keeps its keys", s.field(key), s.name)
	}
	if s.isFull() {
		setTable(L, s.table, key, value)
		return
	}
	if !s.open {
		s.opens(L)
	}
	L.charge(4)
	setTable(L, s.now, key, value)
	if s.written[key] = true; len(s.written) == len(s.keys) {
		*s.table = *s.now
		s.table.Metatable = s.full
	}
}

// opens makes room for the values of the hook.
func (s *scratchTable) opens(L call) {
	L.charge(10 + 8*len(s.keys))
	L.alloc(256 + 2*entryBytes*len(s.keys))
	s.open, s.now, s.written = true, &lua.LTable{Metatable: lua.LNil}, map[lua.LValue]bool{}
	for _, k := range sortedTableKeys(&s.loaded) {
		s.now.RawSet(k, valueAt(&s.loaded, k))
	}
	L.lang.scratchTables.opened = append(L.lang.scratchTables.opened, s)
}

// read returns what the table itself has under a key.
func (s *scratchTable) read(L call, key lua.LValue) lua.LValue {
	L.charge(2 + textWork(key))
	if s.isFull() {
		return valueAt(s.table, key)
	}
	if !s.has(key) {
		return valueAt(&s.loaded, key)
	}
	if !s.written[key] {
		L.RaiseError("%s is read before the hook has written it: %s", s.field(key), s.advice(key))
	}
	return valueAt(s.now, key)
}

// field names a key of the table.
func (s *scratchTable) field(key lua.LValue) string {
	if name, isText := key.(lua.LString); isText {
		return s.name + "." + string(name)
	}
	return s.name + "[" + toText(key) + "]"
}

// advice says what to do instead.
func (s *scratchTable) advice(key lua.LValue) string {
	name := s.name
	if text, isText := key.(lua.LString); isText {
		name = string(text)
	}
	return s.name + " is a table of the file, which keeps nothing from one hook for the next; " +
		syntax.WhereToKeep(s.file, name)
}

// whole refuses to look at all of a scratch table before the hook has written all keys.
func (L call) whole(t *lua.LTable) {
	s := scratchOf(t)
	if s == nil || s.isFull() {
		return
	}
	for _, k := range s.keys {
		if !s.written[k] {
			L.RaiseError("all of %s is read before the hook has written %s: %s", s.name, s.field(k), s.advice(k))
		}
	}
}

// luaMissing implements the __index of a scratch table: (table, key) to the value.
func luaMissing(L call) int {
	t, key := L.Get(1).(*lua.LTable), L.Get(2) // the interpreter passes nothing else
	L.Push(L.index(t, key))
	return 1
}

// luaWhole implements the __len of a scratch table.
func luaWhole(L call) int {
	L.whole(L.Get(1).(*lua.LTable))
	L.Push(L.num(float64(L.Get(1).(*lua.LTable).Len())))
	return 1
}
