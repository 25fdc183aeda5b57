package luabind

import (
	"slices"
	"strings"

	"github.com/hindcast/hindcast/luabind/internal/ident"
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/hindcast/hindcast/world"
	lua "github.com/yuin/gopher-lua"
)

// lists are the functions of the library that take tables as well as the lists
// and records in the state of objects.
type lists struct {
	env    *environment
	scene  *scene
	fields *fields
	writer *writer
}

// entries returns the functions among the globals.
func (ls *lists) entries() []entry {
	return []entry{{"ipairs", ls.ipairs}, {"pairs", ls.pairs}, {"next", ls.next}, {"unpack", ls.unpack},
		{"rawget", ls.rawget}, {"rawset", ls.rawset}}
}

// helpers returns the steps of ipairs and pairs.
func (ls *lists) helpers() []entry {
	return []entry{{syntax.NextIndex, ls.nextIndex}, {syntax.NextKey, ls.nextKey}}
}

// table returns the library's table of functions for tables.
func (ls *lists) table() libraryTable {
	return libraryTable{Name: "table", Entries: []entry{
		{"insert", ls.tableInsert}, {"remove", ls.tableRemove}, {"concat", ls.tableConcat},
		{"sort", ls.tableSort}, {"unpack", ls.unpack},
	}}
}

// copyOf returns an item of a list as a value of its own: a record as a table.
func (ls *lists) copyOf(L call, v lua.LValue) lua.LValue {
	p := asPart(v)
	if p == nil {
		return v
	}
	t := L.CreateTable(0, len(p.Shape.Parts))
	L.alloc(128 + 96*len(p.Shape.Parts))
	for _, name := range ident.Keys(p.Shape.Parts) {
		t.RawSetString(name, ls.copyOf(L, ls.fields.at(L, v, lua.LString(name))))
	}
	return t
}

// sequence returns argument i, a table or a list of state.
func (ls *lists) sequence(L call, i int, what string) lua.LValue {
	v := L.Get(i)
	if asList(v) == nil {
		return L.table(i, what)
	}
	return v
}

// itemCost is the price of an item of a list of state that a function reads, in instructions.
const itemCost = 5

// listInsert implements table.insert on a list of state.
func (ls *lists) listInsert(L call, p *part) int {
	switch L.GetTop() {
	case 2:
		ls.writer.putItem(L, p, world.InsertItem, 0, ls.copyOf(L, L.Get(2)))
	case 3:
		at, n := L.integer(2, "table.insert: the position"), ls.fields.listLen(L, p)
		if at < 1 || at > n+1 {
			L.RaiseError("table.insert at %d: %s has %d items", at, p.path(), n)
		}
		ls.writer.putItem(L, p, world.InsertItem, at, ls.copyOf(L, L.Get(3)))
	default:
		L.RaiseError("table.insert takes a list, an optional position and a value")
	}
	return 0
}

// listRemove implements table.remove on a list of state. It returns a record as a
// table.
func (ls *lists) listRemove(L call, p *part) int {
	n := ls.fields.listLen(L, p)
	at := L.integerOr(2, "table.remove: the position", n)
	if at < 1 || at > n {
		return 0
	}
	last := at
	if L.Get(2) == lua.LNil {
		last = 0 // a list of another object: the item that is the last one when the order ends
	}
	L.charge(8 + len(p.words(ls.fields.row(L, p.Of), 1))*(n-at)/8)
	got := ls.copyOf(L, ls.fields.at(L, L.Get(1), L.num(float64(at))))
	ls.scene.do(L, &world.Op{Target: p.Of.ID, Kind: world.RemoveItem, Field: p.Base + p.Shape.At, Item: int32(last)})
	L.Push(got)
	return 1
}

// listSort implements table.sort on a list of state.
func (ls *lists) listSort(L call, p *part, s *sorter) int {
	n := ls.fields.listLen(L, p)
	L.alloc(40 * n)
	values := make([]lua.LValue, n)
	for i := range values {
		values[i] = ls.fields.at(L, L.Get(1), L.num(float64(i+1)))
	}
	s.sort(values, make([]lua.LValue, n))
	row := ls.fields.row(L, p.Of).Clone()
	for i, v := range values {
		from := i + 1
		if item := asPart(v); item != nil {
			from = item.Item
		} else {
			ls.writer.fillLeaf(L, row, p.Of, p.itemBase(from), v)
		}
		if i < ls.fields.listLen(L, p) { // less may have taken items away
			ls.writer.doItem(L, p, world.SetItem, i+1, row, from)
		}
	}
	return 0
}

// ipairs returns the values with which a for loop visits 1, 2, ... up to the first nil.
// The step keeps no state, so storing it is harmless.
func (ls *lists) ipairs(L call) int {
	t := ls.sequence(L, 1, "ipairs: the argument")
	L.Push(ls.env.helper(syntax.NextIndex))
	L.Push(t)
	L.Push(L.num(0))
	return 3
}

// stepCost is the price of a step of ipairs and pairs, in instructions, besides the loop's own.
const stepCost = 2

// nextIndex implements the step of ipairs: (list, index) to the next index and value.
func (ls *lists) nextIndex(L call) int {
	L.charge(stepCost)
	i := L.integer(2, "ipairs: the index") + 1
	if p := asList(L.Get(1)); p != nil {
		return ls.nextItem(L, p, i)
	}
	t := L.table(1, "ipairs: the list")
	v := t.RawGetInt(i)
	if v == lua.LNil {
		L.Push(lua.LNil)
		return 1
	}
	L.Push(L.num(float64(i)))
	L.Push(v)
	return 2
}

// nextItem implements the step of ipairs over a list of state.
func (ls *lists) nextItem(L call, p *part, i int) int {
	if i < 1 || i > ls.fields.listLen(L, p) {
		ls.scene.pending.readItem(L, p, i)
		L.Push(lua.LNil)
		return 1
	}
	L.charge(itemCost - stepCost)
	L.Push(L.num(float64(i)))
	ls.fields.pushItem(L, p, i)
	return 2
}

// walk is a table, or a list or a record of state, with the keys that it had
// when pairs was called.
type walk struct {
	table lua.LValue
	keys  []lua.LValue
	last  int // where the last step ended: only a hint for the next one
}

// pairs returns the values with which a for loop visits the keys that the table has
// now: numbers ascending, then strings by their bytes, then false and true, then objects by
// id, then tables and functions as they were inserted. A key that is removed meanwhile is skipped.
func (ls *lists) pairs(L call) int {
	t := L.Get(1)
	if asPart(t) == nil {
		t = L.table(1, "pairs: the argument")
	}
	w := &walk{table: t, keys: ls.fields.keysIn(L, t)}
	L.lang.visits.walks = append(L.lang.visits.walks, w)
	L.Push(ls.env.helper(syntax.NextKey))
	L.Push(&lua.LUserData{Value: w, Metatable: lua.LNil})
	L.Push(lua.LNil)
	return 3
}

// nextKey implements the step of pairs: (walk, key) to the next key and its value.
func (ls *lists) nextKey(L call) int {
	u, _ := L.Get(1).(*lua.LUserData)
	if u == nil {
		L.RaiseError("pairs: the three values that it returns must be used together")
	}
	w, ok := u.Value.(*walk)
	if !ok {
		L.RaiseError("pairs: the three values that it returns must be used together")
	}
	return ls.step(L, w, L.Get(2))
}

// step pushes the key of a walk that follows a key, and its value.
func (ls *lists) step(L call, w *walk, after lua.LValue) int {
	for i := w.after(L, after); i < len(w.keys); i++ {
		L.charge(stepCost + textWork(w.keys[i]))
		if v := ls.fields.at(L, w.table, w.keys[i]); v != lua.LNil {
			w.last = i
			L.Push(w.keys[i])
			L.Push(v)
			return 2
		}
	}
	L.Push(lua.LNil)
	return 1
}

// after returns the index of the key that follows a key.
func (w *walk) after(L call, key lua.LValue) int {
	if key == lua.LNil {
		return 0
	}
	if w.last < len(w.keys) && w.keys[w.last] == key {
		return w.last + 1
	}
	if hasRank(key) {
		L.charge(len(w.keys) / 16)
		return slices.Index(w.keys, key) + 1
	}
	L.charge(16 * textWork(key))
	i, found := slices.BinarySearchFunc(w.keys, key, compareKeys)
	if found {
		i++
	}
	return i
}

// next implements next(t, key) for tables, and for lists and records of state.
func (ls *lists) next(L call) int {
	p := asPart(L.Get(1))
	if p == nil {
		return luaNext(L)
	}
	L.charge(nextCost)
	after := L.Get(2)
	if p.Shape.Item != nil {
		return ls.nextOfList(L, p, after)
	}
	w := walk{table: L.Get(1), keys: ls.fields.keysIn(L, L.Get(1))}
	if after != lua.LNil && !slices.Contains(w.keys, after) {
		L.RaiseError("next: %s has no key %s", p.path(), toText(after))
	}
	return ls.step(L, &w, after)
}

// nextOfList is next for a list of state. It passes by references that are nil.
func (ls *lists) nextOfList(L call, p *part, after lua.LValue) int {
	n, i := ls.fields.shownLen(L, p), 0
	if after != lua.LNil {
		at, _ := after.(lua.LNumber)
		if i = clampInt(float64(at)); float64(i) != float64(at) || i < 1 || i > n {
			L.RaiseError("next: %s has no item %s", p.path(), toText(after))
		}
	}
	for i++; i <= n; i++ {
		L.charge(itemCost)
		L.Push(L.num(float64(i)))
		if ls.fields.pushItem(L, p, i); L.Get(-1) != lua.LNil {
			return 2
		}
		L.Pop(2)
	}
	L.Push(lua.LNil)
	return 1
}

// rawget implements rawget(t, key). A list or a record of state has nothing under other keys than its own.
func (ls *lists) rawget(L call) int {
	p, key := asPart(L.Get(1)), L.Get(2)
	if p == nil {
		return luaRawget(L)
	}
	name, _ := key.(lua.LString)
	n, isNumber := key.(lua.LNumber)
	switch {
	case p.Shape.Item == nil && p.Shape.Parts[string(name)] == nil, p.Shape.Item != nil && (!isNumber || float64(n) != float64(clampInt(float64(n)))):
		L.Push(lua.LNil)
	default:
		L.Push(ls.fields.at(L, L.Get(1), key))
	}
	return 1
}

// rawset implements rawset(t, key, value), which checks what it writes to a list or a record of state as t[key] = value
// does.
func (ls *lists) rawset(L call) int {
	p := asPart(L.Get(1))
	if p == nil || L.GetTop() < 3 {
		return luaRawset(L)
	}
	ls.writer.setPart(L, p, L.Get(2), L.Get(3))
	L.SetTop(1)
	return 1
}

// unpack implements unpack(t, i, j).
func (ls *lists) unpack(L call) int {
	t := ls.sequence(L, 1, "unpack: the first argument")
	i := L.integerOr(2, "unpack: from", 1)
	j := L.integerOr(3, "unpack: to", ls.fields.length(L, t))
	if i > j {
		return 0
	}
	if j-i >= maxResults {
		L.RaiseError("unpack of %d values: at most %d", j-i+1, maxResults)
	}
	each := 1
	if asList(t) != nil {
		each = itemCost
	}
	L.charge(each * (j - i + 1))
	for n := i; n <= j; n++ {
		L.Push(ls.fields.at(L, t, L.num(float64(n))))
	}
	return j - i + 1
}

// tableInsert implements table.insert(t, v) and table.insert(t, position, v).
func (ls *lists) tableInsert(L call) int {
	if p := asList(L.Get(1)); p != nil {
		return ls.listInsert(L, p)
	}
	t := writable(L, "table.insert: the first argument")
	n := t.Len()
	switch L.GetTop() {
	case 2:
		setNumber(L, t, lua.LNumber(n+1), L.Get(2))
	case 3:
		at, v := L.integer(2, "table.insert: the position"), L.Get(3)
		if at < 1 || at > n+1 {
			L.RaiseError("table.insert at %d: the list has %d values", at, n)
		}
		L.charge(1 + (n-at)/4)
		if v == lua.LNil || at == n+1 {
			insertSlowly(L, t, n, at, v)
			return 0
		}
		L.alloc(24)
		if n+1 >= maxArray {
			L.RaiseError("a list holds at most %d values", maxArray-1)
		}
		L.shifts(t, at)
		t.Insert(at, v)
		closeGap(L, t, n+1)
	default:
		L.RaiseError("table.insert takes a table, an optional position and a value")
	}
	return 0
}

// tableRemove implements table.remove(t) and table.remove(t, position).
func (ls *lists) tableRemove(L call) int {
	if p := asList(L.Get(1)); p != nil {
		return ls.listRemove(L, p)
	}
	t := writable(L, "table.remove: the first argument")
	n := t.Len()
	at := L.integerOr(2, "table.remove: the position", n)
	if at < 1 || at > n {
		return 0
	}
	L.charge(1 + (n-at)/4)
	v := t.RawGetInt(at)
	if at == n {
		trim(t, n)
	} else {
		L.shifts(t, at)
		t.Remove(at) // the last value stays the last: no nils come to the end
	}
	L.Push(v)
	return 1
}

// tableConcat implements table.concat(t, separator, i, j).
func (ls *lists) tableConcat(L call) int {
	t := ls.sequence(L, 1, "table.concat: the first argument")
	sep := ""
	if L.Get(2) != lua.LNil {
		sep = L.text(2, "table.concat: the separator")
	}
	i := L.integerOr(3, "table.concat: from", 1)
	j := L.integerOr(4, "table.concat: to", ls.fields.length(L, t))
	var b strings.Builder
	for n := i; n <= j; n++ {
		L.charge(1)
		switch v := ls.fields.at(L, t, L.num(float64(n))).(type) {
		case lua.LString:
			b.WriteString(string(v))
		case lua.LNumber:
			b.WriteString(L.numberText(v))
		default:
			L.RaiseError("table.concat joins strings and numbers: value %d is %s", n, aTypeName(v))
		}
		if n < j {
			b.WriteString(sep)
		}
		if b.Len() > syntax.MaxStringBytes {
			break // pushText says why
		}
	}
	return L.pushText(b.String())
}

// tableSort implements table.sort(t, less): a stable merge sort. It ends whatever less
// returns, and writes back when it is done.
func (ls *lists) tableSort(L call) int {
	var less *lua.LFunction
	if L.Get(2) != lua.LNil {
		fn, ok := L.Get(2).(*lua.LFunction)
		if !ok {
			L.RaiseError("table.sort: the second argument must be a function, not %s", aTypeName(L.Get(2)))
		}
		less = fn
	}
	s := sorter{L: L, less: less}
	if p := asList(L.Get(1)); p != nil {
		return ls.listSort(L, p, &s)
	}
	t := writable(L, "table.sort: the first argument")
	n := t.Len()
	L.alloc(32 * n)
	values := make([]lua.LValue, n)
	for i := range values {
		values[i] = t.RawGetInt(i + 1)
		if values[i] == lua.LNil {
			L.RaiseError("table.sort: value %d is nil", i+1)
		}
	}
	s.sort(values, make([]lua.LValue, n))
	for i, v := range values {
		setNumber(L, t, lua.LNumber(i+1), v)
	}
	return 0
}
