package luabind

import lua "github.com/yuin/gopher-lua"

// gaps are the metatables of tables with gaps: tables with numbers in the hash part that the array part
// could have, if there were fewer nils between. gopher-lua looks for such numbers in the array part only;
// __index finds them. All of them are greater than the length of the array part plus one.
type gaps struct {
	Open, Frozen *lua.LTable // of tables that can be written, and that are read-only
}

// Keys of these metatables. Scripts reach no metatable.
const (
	gapMark  = "gaps"
	openMark = "open" // the table can be written
)

// newGaps makes the metatables for an interpreter.
func newGaps(L *lua.LState) gaps {
	read := L.NewFunction(func(L *lua.LState) int {
		L.Push(L.Get(1).(*lua.LTable).RawGetH(L.Get(2)))
		return 1
	})
	g := gaps{withIndex(L, read), withIndex(L, read)}
	g.Open.RawSetString(gapMark, lua.LTrue)
	g.Frozen.RawSetString(gapMark, lua.LTrue)
	g.Open.RawSetString(openMark, lua.LTrue)
	return g
}

// marked reports whether the metatable of a table has a mark.
func marked(t *lua.LTable, mark string) bool {
	m, ok := t.Metatable.(*lua.LTable)
	if !ok {
		return false
	}
	if s := shadowIn(m); s != nil {
		return s.has(mark)
	}
	return m.RawGetString(mark) == lua.LTrue
}

// hasGaps reports whether a table has, or has had, gaps.
func hasGaps(t *lua.LTable) bool { return marked(t, gapMark) }

// setBeyond writes under a number that is far beyond the array part.
func (L call) setBeyond(t *lua.LTable, key lua.LNumber, value lua.LValue) {
	if t.RawGetH(key) == lua.LNil {
		L.entry()
		L.adds(t, key)
	}
	if !L.lang.metas.mark(t, gapsBit) {
		t.Metatable = L.lang.gapped().Open
	}
	L.payShadows()
	t.RawSetH(key, value)
}

// drop removes number n from the hash part.
func drop(t *lua.LTable, n int) {
	if hasGaps(t) {
		t.RawSetH(lua.LNumber(n), lua.LNil)
	}
}

// moveCost is the price of a number that moves from the hash part to the array part.
const moveCost = 12

// closeGap moves numbers from the hash part to the array part, which had have values and may have grown:
// those that the array part now reaches, and those that follow them.
func closeGap(L call, t *lua.LTable, have int) {
	if !hasGaps(t) {
		return
	}
	length := t.MaxN()
	for n := have + 1; n < maxArray; n++ {
		v := t.RawGetH(lua.LNumber(n))
		if v == lua.LNil && n > length {
			return
		}
		if v != lua.LNil {
			L.alloc(24)
			L.charge(moveCost)
			L.leaves(lua.LNil)
			drop(t, n)
			L.shifts(t, n)
			t.RawSetInt(n, v)
		}
	}
}

// valueAt returns what a table has under a key.
func valueAt(t *lua.LTable, key lua.LValue) lua.LValue {
	v := t.RawGet(key)
	if n, ok := key.(lua.LNumber); ok && v == lua.LNil {
		return t.RawGetH(n)
	}
	return v
}
