package luabind

import (
	"strings"

	"github.com/hindcast/hindcast/luabind/internal/syntax"
	lua "github.com/yuin/gopher-lua"
)

// meta is what the interpreter finds in place of a metatable of a script. The field Metatable of a table also
// says whether it is frozen and has gaps, so the interpreter gets one of four shadows: a table with a copy of the
// events of the script's metatable. Writes of an event reach them (metas.changed).
type meta struct {
	of      *lua.LTable // the script's metatable
	kept    bool        // it is one of the files: hooks find its shadows there or not, and pay for none
	shadows [4]*shadow
}

// shadow is a table that the interpreter finds as a metatable. Its own metatable, which the interpreter does not look
// at, says what it is: a table of no events has no maps then, each of which takes hundreds of bytes.
type shadow struct {
	table  lua.LTable
	mark   lua.LUserData // the metatable of table
	of     *meta
	bits   int
	events int // how often it was given one that it did not have
}

// The bits of an index in meta.shadows.
const (
	frozenBit = 1
	gapsBit   = 2
)

// copied are the events that the interpreter looks up itself. The others are looked up in the script's
// metatable by functions of this package: __newindex, __pow, __mod, __concat, __tostring and __metatable.
var copied = [...]string{"__add", "__sub", "__mul", "__div", "__eq", "__lt", "__le", "__len", "__call"}

const (
	// What metatables take, in bytes: one that no table had before, a shadow of it, the first event of a shadow, each
	// event, and the one for which the maps of a shadow grow. TestMemoryCoversFunctionsAndMetatables compares them
	// with what Go allocates.
	metaCost   = 192
	shadowCost = 160
	eventsCost = 560
	eventCost  = 72
	growCost   = 1344
	growAt     = 9 // events
	// nativeChain is how many tables the interpreter follows by __index within one instruction.
	nativeChain = 3
	// maxChain is how many tables are followed at all.
	maxChain = 100
)

// metas are the metatables that scripts use. They begin each hook as they were after loading.
type metas struct {
	loaded, made map[*lua.LTable]*meta
	classes      map[*lua.LTable]string // tables of object "Name" {...}
	follow       *lua.LFunction         // charges for each table that __index leads to
	negate       *lua.LFunction         // calls __unm with two operands, as Lua 5.1 does
	// by event: calls what a script has there that is no function, of which the interpreter would know nothing
	callers map[string]*lua.LFunction
	object  func(L call, object, key lua.LValue) lua.LValue
	state   *lua.LState // makes tables
	grown   int         // bytes that shadows have taken and that are not charged yet
}

// open begins without any. operator makes a function that stands for an operator; object reads a field of an object.
func (ms *metas) open(state *lua.LState, operator func(fn func(call) int) *lua.LFunction,
	object func(L call, object, key lua.LValue) lua.LValue) {
	*ms = metas{made: map[*lua.LTable]*meta{}, classes: map[*lua.LTable]string{},
		follow: operator(luaFollow), negate: operator(luaNegate), callers: map[string]*lua.LFunction{}, object: object,
		state: state}
	for _, name := range copied {
		ms.callers[name] = operator(func(L call) int { return luaOperate(L, name) })
	}
	delete(ms.callers, "__call") // which must be a function in Lua 5.1
}

// begin forgets the metatables of the hook before.
func (ms *metas) begin() {
	ms.grown = 0
	if len(ms.made) > 0 {
		ms.made = nil // a map that has grown takes long to clear
	}
}

// keep makes those used so far the ones of the files, whose tables are frozen now.
func (ms *metas) keep() {
	ms.loaded, ms.made = ms.made, nil
	// order: each is refreshed alone
	for _, m := range ms.loaded {
		m.kept = true
		ms.refresh(m)
	}
}

// known returns the meta of a script's metatable, nil if there is none yet.
func (ms *metas) known(of *lua.LTable) *meta {
	if m := ms.made[of]; m != nil {
		return m
	}
	return ms.loaded[of]
}

// take returns the meta of a script's metatable, and whether it is new.
func (ms *metas) take(of *lua.LTable) (m *meta, made bool) {
	if m = ms.known(of); m != nil {
		return m, false
	}
	if ms.made == nil {
		ms.made = map[*lua.LTable]*meta{}
	}
	m = &meta{of: of}
	ms.made[of] = m
	return m, true
}

// metaOf returns the meta of a table, nil if scripts gave it no metatable.
func metaOf(t *lua.LTable) *meta {
	if t.Metatable == lua.LNil {
		return nil
	}
	if s := shadowIn(t.Metatable.(*lua.LTable)); s != nil {
		return s.of
	}
	return nil
}

// shadowIn returns the shadow that a metatable is, nil for other metatables.
func shadowIn(metatable *lua.LTable) *shadow {
	u, ok := metatable.Metatable.(*lua.LUserData)
	if !ok {
		return nil
	}
	return u.Value.(*shadow)
}

// has reports whether the shadow has a mark.
func (s *shadow) has(mark string) bool {
	switch mark {
	case openMark:
		return s.bits&frozenBit == 0
	case gapMark:
		return s.bits&gapsBit != 0
	}
	return false
}

// event returns what a table's metatable has under the name of an event.
func event(v lua.LValue, name string) lua.LValue {
	if t, ok := v.(*lua.LTable); ok {
		if m := metaOf(t); m != nil {
			return m.of.RawGetString(name)
		}
	}
	return lua.LNil
}

// eventOf2 is event for the first of two operands that has one.
func eventOf2(a, b lua.LValue, name string) lua.LValue {
	if fn := event(a, name); fn != lua.LNil {
		return fn
	}
	return event(b, name)
}

// shadow returns the shadow of a meta with the marks that bits name.
func (ms *metas) shadow(m *meta, bits int) *lua.LTable {
	if m.shadows[bits] == nil {
		s := &shadow{of: m, bits: bits}
		s.mark = lua.LUserData{Value: s, Metatable: lua.LNil}
		s.table.Metatable = &s.mark
		m.shadows[bits] = s
		ms.grow(m, shadowCost)
		ms.fill(s)
	}
	return &m.shadows[bits].table
}

// fill copies the events of a script's metatable into a shadow.
func (ms *metas) fill(s *shadow) {
	of := s.of.of
	for _, name := range copied {
		v := of.RawGetString(name)
		if caller := ms.callers[name]; caller != nil && v != lua.LNil && v.Type() != lua.LTFunction {
			v = caller
		}
		ms.set(s, name, v)
	}
	unm := of.RawGetString("__unm")
	if unm != lua.LNil {
		unm = ms.negate
	}
	ms.set(s, "__unm", unm)
	index := of.RawGetString("__index")
	if s.bits&gapsBit != 0 || index != lua.LNil && !isNative(index) {
		index = ms.follow
	}
	ms.set(s, "__index", index)
}

// set gives a shadow an event, or takes it away with nil.
func (ms *metas) set(s *shadow, event string, v lua.LValue) {
	if had := s.table.RawGetString(event) != lua.LNil; !had {
		if v == lua.LNil {
			return // the interpreter would make maps for it
		}
		s.events++
		ms.grow(s.of, eventCost)
		switch s.events {
		case 1:
			s.table = *ms.state.CreateTable(0, 1) // a table that grows begins with room for 32
			s.table.Metatable = &s.mark
			ms.grow(s.of, eventsCost)
		case growAt:
			ms.grow(s.of, growCost)
		}
	}
	s.table.RawSetString(event, v)
}

// grow notes that the shadows of a meta take more memory.
func (ms *metas) grow(m *meta, bytes int) {
	if !m.kept {
		ms.grown += bytes
	}
}

// refresh fills the shadows of a meta again.
func (ms *metas) refresh(m *meta) {
	for _, s := range m.shadows {
		if s != nil {
			ms.fill(s)
		}
	}
}

// changed is called when a script has written under the name of an event.
func (ms *metas) changed(of *lua.LTable) {
	if m := ms.known(of); m != nil {
		ms.refresh(m)
	}
}

// payShadows charges for what shadows have taken since they were last paid for.
func (L call) payShadows() {
	n := L.lang.metas.grown
	L.lang.metas.grown = 0
	L.alloc(n)
}

// isEvent reports whether a write of a key may have to be passed to metas.changed.
func isEvent(key string) bool { return strings.HasPrefix(key, "__") }

// isEventKey is isEvent for a key of any type.
func isEventKey(key lua.LValue) bool {
	name, ok := key.(lua.LString)
	return ok && isEvent(string(name))
}

// isNative reports whether the interpreter can follow an __index itself, which costs one instruction whatever
// it comes to: a function, or a short chain of tables, all of which are frozen, so that it stays short.
func isNative(index lua.LValue) bool {
	for range nativeChain {
		t, isTable := index.(*lua.LTable)
		if !isTable {
			return index.Type() == lua.LTFunction
		}
		if !isFrozen(t) {
			return false
		}
		m := metaOf(t)
		if m == nil {
			return true
		}
		if index = m.of.RawGetString("__index"); index == lua.LNil {
			return true
		}
	}
	return false
}

// put gives a table the shadow of a meta, which keeps its marks.
func (ms *metas) put(t *lua.LTable, m *meta) {
	bits := 0
	if hasGaps(t) {
		bits |= gapsBit
	}
	if isFrozen(t) {
		bits |= frozenBit
	}
	t.Metatable = ms.shadow(m, bits)
}

// mark gives a table with a meta further marks, and reports whether it has a meta.
func (ms *metas) mark(t *lua.LTable, bits int) bool {
	m := metaOf(t)
	if m == nil {
		return false
	}
	if hasGaps(t) {
		bits |= gapsBit
	}
	if isFrozen(t) {
		bits |= frozenBit
	}
	t.Metatable = ms.shadow(m, bits)
	return true
}

// metaEntries returns the functions about metatables.
func metaEntries() []entry {
	return []entry{{"setmetatable", luaSetmetatable}, {"getmetatable", luaGetmetatable},
		{"rawequal", luaRawequal}}
}

// luaSetmetatable implements setmetatable(t, metatable).
func luaSetmetatable(L call) int {
	t, ms := L.table(1, "setmetatable: the first argument"), &L.lang.metas
	if L.Get(2) != lua.LNil || L.GetTop() < 2 {
		L.table(2, "setmetatable: the metatable")
	}
	if class, ok := ms.classes[t]; ok {
		L.RaiseError("setmetatable: %s is declared with object %q, which takes what it inherits from extends = Other",
			class, class)
	}
	if marked(t, keptMark) {
		L.RaiseError("setmetatable: tables of keep have no metatables")
	}
	if isFrozen(t) {
		raiseFrozen(L, false)
	}
	if event(t, "__metatable") != lua.LNil {
		L.RaiseError("setmetatable: the table has a protected metatable (__metatable)")
	}
	L.charge(4)
	of, ok := L.Get(2).(*lua.LTable)
	switch {
	case !ok && hasGaps(t):
		t.Metatable = L.lang.gapped().Open
	case !ok:
		t.Metatable = lua.LNil
	default:
		m, made := ms.take(of)
		if made {
			L.alloc(metaCost)
			L.charge(20)
		}
		ms.put(t, m)
		L.payShadows()
	}
	L.SetTop(1)
	return 1
}

// luaGetmetatable implements getmetatable(v).
func luaGetmetatable(L call) int {
	if L.GetTop() == 0 {
		L.RaiseError("getmetatable: a value is missing")
	}
	switch v := L.Get(1).(type) {
	case *lua.LTable:
		m := metaOf(v)
		switch {
		case m == nil:
			L.Push(lua.LNil)
		case m.of.RawGetString("__metatable") != lua.LNil:
			L.Push(m.of.RawGetString("__metatable"))
		default:
			L.Push(m.of)
		}
	default:
		L.Push(lua.LNil)
	}
	return 1
}

// luaRawget implements rawget(t, key).
func luaRawget(L call) int {
	if t, ok := L.Get(1).(*lua.LTable); ok {
		if s := scratchOf(t); s != nil {
			L.Push(s.read(L, L.Get(2)))
			return 1
		}
	}
	L.Push(valueAt(L.table(1, "rawget: the first argument"), L.Get(2)))
	return 1
}

// luaRawset implements rawset(t, key, value).
func luaRawset(L call) int {
	if L.GetTop() < 3 {
		L.RaiseError("rawset: it takes a table, a key and a value")
	}
	if t, ok := L.Get(1).(*lua.LTable); ok {
		if s := scratchOf(t); s != nil {
			if !s.has(L.Get(2)) {
				raiseFrozen(L, t.Len() > 0)
			}
			s.write(L, L.Get(2), L.Get(3))
			L.SetTop(1)
			return 1
		}
	}
	L.frozenSet(L.table(1, "rawset: the first argument"), L.Get(2), L.Get(3))
	L.SetTop(1)
	return 1
}

// luaRawequal implements rawequal(a, b).
func luaRawequal(L call) int {
	if L.GetTop() < 2 {
		L.RaiseError("rawequal: two values are compared")
	}
	L.Push(lua.LBool(L.RawEqual(L.Get(1), L.Get(2))))
	return 1
}

// luaFollow is what the interpreter calls for an __index that it does not follow itself: (table, key) to the value.
func luaFollow(L call) int {
	L.Push(L.index(L.Get(1), L.Get(2)))
	return 1
}

// luaNegate is what the interpreter calls for -v.
func luaNegate(L call) int {
	L.charge(4)
	v := L.Get(1)
	L.Push(L.result(event(v, "__unm"), v, v))
	return 1
}

// luaOperate is what the interpreter calls for an event that is no function.
func luaOperate(L call, name string) int {
	L.charge(4)
	a, b := L.Get(1), L.Get(2)
	fn := eventOf2(a, b, name)
	switch same := L.RawEqual(event(a, name), event(b, name)); {
	case name == "__len":
		b = lua.LNil
	case name == "__eq" && !same:
		L.Push(lua.LFalse)
		return 1
	case (name == "__lt" || name == "__le") && !same:
		L.RaiseError("attempt to compare %s with %s", a.Type(), b.Type())
	}
	L.Push(L.result(fn, a, b))
	return 1
}

// index returns v[key], and charges for each table that __index leads to.
func (L call) index(v, key lua.LValue) lua.LValue {
	for range maxChain {
		L.charge(3 + textWork(key))
		t, isTable := v.(*lua.LTable)
		if !isTable {
			return L.lang.metas.object(L, v, key)
		}
		if raw := valueAt(t, key); raw != lua.LNil {
			return raw
		}
		m := metaOf(t)
		if s := scratchOf(t); s != nil {
			if v := s.read(L, key); v != lua.LNil || m == nil {
				return v
			}
		}
		if m == nil {
			return L.GetTable(t, key) // an input has methods
		}
		next := m.of.RawGetString("__index")
		if next == lua.LNil {
			return lua.LNil
		}
		if fn, isFunction := next.(*lua.LFunction); isFunction {
			return L.result(fn, v, key)
		}
		v = next
	}
	L.RaiseError("the __index of the table leads through more than %d tables: is it a loop?", maxChain)
	return lua.LNil
}

// result calls a function and returns its first result.
func (L call) result(fn lua.LValue, args ...lua.LValue) lua.LValue {
	L.Push(fn)
	for _, a := range args {
		L.Push(a)
	}
	L.Call(len(args), 1)
	v := L.Get(-1)
	L.Pop(1)
	return v
}

// setIndex writes v[key] = value through __newindex. other writes to what is not a table.
func (L call) setIndex(t *lua.LTable, key, value lua.LValue, other func(L call, object, key, value lua.LValue)) {
	L.checkKey(key) // before __newindex, as in Lua 5.1
	for range maxChain {
		if s := scratchOf(t); s != nil && s.has(key) {
			s.write(L, key, value)
			return
		}
		m := metaOf(t)
		next := lua.LValue(lua.LNil)
		if m != nil && valueAt(t, key) == lua.LNil {
			next = m.of.RawGetString("__newindex")
		}
		if next == lua.LNil {
			L.frozenSet(t, key, value)
			return
		}
		L.charge(3 + textWork(key))
		if fn, isFunction := next.(*lua.LFunction); isFunction {
			L.Push(fn)
			L.Push(t)
			L.Push(key)
			L.Push(value)
			L.Call(3, 0)
			return
		}
		to, isTable := next.(*lua.LTable)
		if !isTable {
			other(L, next, key, value)
			return
		}
		t = to
	}
	L.RaiseError("the __newindex of the table leads through more than %d tables: is it a loop?", maxChain)
}

// arithmetic returns the result of an operator for which an operand has an event.
func (L call) arithmetic(name string, a, b lua.LValue) (v lua.LValue, ok bool) {
	fn := eventOf2(a, b, name)
	if fn == lua.LNil {
		return nil, false
	}
	return L.result(fn, a, b), true
}

// display returns tostring(v).
func (L call) display(v lua.LValue) lua.LValue {
	if fn := event(v, "__tostring"); fn != lua.LNil {
		return L.result(fn, v)
	}
	return lua.LString(toText(v))
}

// shown returns tostring(v), which must be a string.
func (L call) shown(v lua.LValue) string {
	text := L.display(v)
	if !isText(text) {
		L.RaiseError("__tostring must return a string, not %s", aTypeName(text))
	}
	return toText(text)
}

// hasConcat reports whether one of n arguments has __concat.
func (L call) hasConcat(n int) bool {
	for i := 1; i <= n; i++ {
		if event(L.Get(i), "__concat") != lua.LNil {
			return true
		}
	}
	return false
}

// concatSlowly joins values from the right, as .. does, one of which has __concat.
func (L call) concatSlowly(n int) lua.LValue {
	L.charge(2 * n)
	v := L.Get(n)
	for i := n - 1; i >= 1; i-- {
		left := L.Get(i)
		if isText(left) && isText(v) {
			text := toText(left) + toText(v)
			L.payText(len(text))
			v = lua.LString(text)
			continue
		}
		fn := eventOf2(left, v, "__concat")
		if fn == lua.LNil {
			bad, at := left, i
			if isText(left) {
				bad, at = v, i+1
			}
			L.blame(at)
			L.RaiseError(syntax.CannotConcat+"%s", aTypeName(bad))
		}
		v = L.result(fn, left, v)
	}
	return v
}

// isText reports whether .. joins a value itself.
func isText(v lua.LValue) bool { return v.Type() == lua.LTString || v.Type() == lua.LTNumber }

// class notes the table of a class, which takes no metatable.
func (ms *metas) class(t *lua.LTable, name string) { ms.classes[t] = name }
