package luabind

import (
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	lua "github.com/yuin/gopher-lua"
)

// setTable writes into a table and charges for its growth.
func setTable(L call, t *lua.LTable, key, value lua.LValue) {
	switch k := key.(type) {
	case lua.LString:
		if len(k) >= freeKey {
			L.charge(len(k) / freeKey)
		}
		L.leaves(value)
		if t.RawGetString(string(k)) == lua.LNil {
			L.entry()
			L.adds(t, k)
			if L.lang.limits().places == 0 && t.MaxN() == 0 && isEmpty(t) { // and no key was ever removed
				fresh := L.CreateTable(0, 1)
				fresh.Metatable = t.Metatable
				*t = *fresh
			}
		}
		t.RawSetString(string(k), value)
		if isEvent(string(k)) {
			L.lang.metas.changed(t)
			L.payShadows()
		}
	case lua.LNumber:
		setNumber(L, t, k, value)
	case lua.LBool:
		L.leaves(value)
		L.entry()
		L.adds(t, k)
		t.RawSet(k, value)
	case *lua.LNilType:
		L.checkKey(key)
	default:
		L.setByIdentity(t, key, value)
	}
}

// isEmpty reports whether a table has no keys. gopher-lua gives a table without any a map for 32 with its first text key,
// which takes more time and memory than most tables ever need.
func isEmpty(t *lua.LTable) bool {
	key, _ := t.Next(lua.LNil)
	return key == lua.LNil
}

// checkKey refuses what cannot be a key.
func (L call) checkKey(key lua.LValue) {
	if n, isNumber := key.(lua.LNumber); isNumber && n != n {
		L.RaiseError("a table key is NaN (0/0)")
	}
	if key == lua.LNil {
		L.RaiseError("a table key is nil")
	}
}

// freeKey is the length of a key from which on it costs to find its place.
const freeKey = 128

// maxGap is how many nils in a row the array part of a table takes when a number is written beyond its
// end. Such a nil costs as much as a value.
const maxGap = 4

// setNumber writes under a number. The array part of a table never ends in
// nils, because # and MaxN look at its last value only. A number further than maxGap beyond its end
// goes to the hash part of the table, which then has gaps.
func setNumber(L call, t *lua.LTable, key lua.LNumber, value lua.LValue) {
	n, have := clampInt(float64(key)), t.MaxN()
	switch {
	case key != key:
		L.checkKey(key)
	case float64(n) != float64(key) || n < 1 || n >= maxArray:
		if n == maxArray && have == maxArray-1 && value != lua.LNil {
			L.RaiseError("a list holds at most %d values", maxArray-1)
		}
		L.leaves(value)
		L.entry()
		L.adds(t, key)
		t.RawSet(key, value)
	case value == lua.LNil:
		if n > have {
			L.leaves(value)
		}
		removeNumber(t, n, have)
	case n > have+1+maxGap:
		L.setBeyond(t, key, value)
	default:
		if n > have {
			L.alloc(24 * (n - have))
			drop(t, n)
		}
		L.shifts(t, n)
		t.RawSetInt(n, value)
		closeGap(L, t, have)
	}
}

// removeNumber clears index n of a table whose array part has have values, and removes the nils at the
// end of that part.
func removeNumber(t *lua.LTable, n, have int) {
	switch {
	case n < have:
		t.RawSetInt(n, lua.LNil)
	case n == have:
		trim(t, have)
	default:
		drop(t, n)
	}
}

// trim removes the last of have values of an array part, and the nils before
// it.
func trim(t *lua.LTable, have int) {
	for t.Remove(have); have > 1 && t.RawGetInt(have-1) == lua.LNil; {
		have--
		t.Remove(have)
	}
}

// luaTable implements syntax.Table(t, n). It charges for a new table of
// n%syntax.NamedUnit positional values and n/syntax.NamedUnit named ones, and
// removes the nils at the end.
func luaTable(L call) int {
	t, n := L.Get(1).(*lua.LTable), int(L.Get(2).(lua.LNumber)) // rewritten code passes nothing else
	positional := n % syntax.NamedUnit
	L.alloc(128 + 16*positional + 96*(n/syntax.NamedUnit))
	L.charge(n / syntax.NamedUnit / 2)
	if positional > 0 && t.RawGetInt(positional) == lua.LNil {
		trim(t, positional)
	}
	L.SetTop(1)
	return 1
}

// luaList implements syntax.List(t, have, ...): a constructor whose last value spreads,
// after have positional ones.
func luaList(L call) int {
	t, have, n := L.Get(1).(*lua.LTable), int(L.Get(2).(lua.LNumber)), L.GetTop()-2
	L.alloc(128 + 24*n)
	for ; n > 0 && L.Get(n+2) == lua.LNil; n-- {
		removeNumber(t, have+n, t.MaxN()) // a key that was written out
	}
	for i := 1; i <= n; i++ {
		drop(t, have+i)
		t.RawSetInt(have+i, L.Get(i+2))
	}
	closeGap(L, t, have+n)
	L.SetTop(1)
	return 1
}

// luaPut implements syntax.Put(t, mask, key, value, ...): the fields of a constructor.
// The fields with a bit in mask had no key, and come after all others.
func luaPut(L call) int {
	t, mask := L.Get(1).(*lua.LTable), uint(L.Get(2).(lua.LNumber))
	for _, late := range [...]bool{false, true} {
		for i := 3; i < L.GetTop(); i += 2 {
			if mask>>((i-3)/2)&1 == 1 == late {
				setTable(L, t, L.Get(i), L.Get(i+1))
			}
		}
	}
	L.SetTop(1)
	return 1
}

// luaVarargs implements syntax.Varargs(...). It returns its arguments and charges for
// them.
func luaVarargs(L call) int {
	n := L.GetTop()
	if n > maxResults {
		L.RaiseError("%d values are passed on at once: at most %d; put them into a table", n, maxResults)
	}
	L.charge(n)
	return n
}

// leaves notes that a key other than a number of the array part gets a value. A table does not give the place of one
// that gets nil back, and who visits its entries passes by it.
func (L call) leaves(value lua.LValue) {
	if value == lua.LNil {
		L.lang.limits().places++
	}
}

// placesPrice is how many places without a value a visit to the entries of a table passes by for one instruction.
const placesPrice = 4

// empty charges for the places without a value of a table with n entries: those in the array part, and at most all
// that the hook has left anywhere.
func (L call) empty(t *lua.LTable, n int) {
	L.charge((max(t.MaxN()-n, 0) + L.lang.limits().places) / placesPrice)
}

// compact gives the places without a value of a table back.
func compact(t *lua.LTable) {
	fresh, n := &lua.LTable{Metatable: t.Metatable}, t.MaxN()
	for i := 1; i <= n; i++ {
		fresh.RawSetInt(i, t.RawGetInt(i))
	}
	for _, k := range sortedTableKeys(t) {
		fresh.RawSet(k, t.RawGet(k))
	}
	*t = *fresh
}

// sortCost is the price of a key of the hash part that is sorted among others, in instructions.
func sortCost(key lua.LValue) int {
	s, _ := key.(lua.LString)
	return 8 + max(len(s)-syntax.ShortString, 0)/64
}

// arrayCost is the price of a key of the array part, which are in order.
const arrayCost = 2

// keysOf returns the sorted keys of a table and charges for them.
func keysOf(L call, t *lua.LTable) []lua.LValue {
	L.whole(t)
	n, cost, most := 0, 0, lua.LNumber(t.MaxN())
	t.ForEach(func(k, _ lua.LValue) {
		if i, isNumber := k.(lua.LNumber); isNumber && i >= 1 && i <= most {
			cost += arrayCost
		} else {
			cost += sortCost(k)
		}
		n++
	})
	L.alloc(128 + 16*n)
	L.charge(cost)
	L.empty(t, n)
	return L.lang.order.keys(t)
}

// writable returns argument 1, a table that may be changed.
func writable(L call, what string) *lua.LTable {
	t := L.table(1, what)
	if isFrozen(t) {
		raiseFrozen(L, true)
	}
	return t
}

// insertSlowly moves the values one by one.
func insertSlowly(L call, t *lua.LTable, n, at int, v lua.LValue) {
	for i := n; i >= at; i-- {
		L.charge(1)
		setNumber(L, t, lua.LNumber(i+1), t.RawGetInt(i))
	}
	setNumber(L, t, lua.LNumber(at), v)
}
