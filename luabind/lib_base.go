package luabind

import (
	"slices"
	"strings"

	"github.com/hindcast/hindcast/luabind/internal/syntax"
	lua "github.com/yuin/gopher-lua"
)

func baseEntries() []entry {
	return []entry{
		{"print", (*VM).luaPrint}, {"type", (*VM).luaType}, {"select", (*VM).luaSelect},
		{"error", (*VM).luaError}, {"assert", (*VM).luaAssert},
		{"ipairs", (*VM).luaIpairs}, {"pairs", (*VM).luaPairs}, {"next", (*VM).luaNext},
		{"tostring", (*VM).luaTostring}, {"tonumber", (*VM).luaTonumber}, {"unpack", (*VM).luaUnpack},
	}
}

// maxResults is how many values one call can give.
const maxResults = 250

// luaPrint sends a line to the log, with the place in the script. It costs the
// same when a tick is run again, but stays silent then.
func (vm *VM) luaPrint(L *lua.LState) int {
	parts := make([]string, L.GetTop())
	size := 0
	for i := range parts {
		parts[i] = toText(L.Get(i + 1))
		size += len(parts[i]) + 1
	}
	if size > maxLine {
		L.RaiseError("print of %d bytes: at most %d", size, maxLine)
	}
	vm.budget.alloc(L, size)
	if vm.loading != nil || vm.w.Rerun || vm.w.Print == nil {
		return 0
	}
	vm.w.Print(vm.w.Now.Tick, vm.actor.id, L.Where(1)+" "+strings.Join(parts, "\t"))
	return 0
}

func (vm *VM) luaType(L *lua.LState) int {
	if L.GetTop() == 0 {
		L.RaiseError("type: a value is missing")
	}
	if asPart(L.Get(1)) != nil {
		L.Push(lua.LString("table"))
		return 1
	}
	L.Push(lua.LString(L.Get(1).Type().String()))
	return 1
}

// luaSelect is select(n, ...) and select("#", ...).
func (vm *VM) luaSelect(L *lua.LState) int {
	top := L.GetTop()
	vm.budget.charge(L, top)
	if L.Get(1) == lua.LString("#") {
		L.Push(vm.num(float64(top - 1)))
		return 1
	}
	n := vm.integer(L, 1, "select: the first argument")
	switch {
	case n < 0:
		n += top
		if n < 1 {
			L.RaiseError("select: there are fewer values than that")
		}
	case n == 0:
		L.RaiseError("select: values are counted from 1")
	}
	return max(top-n, 0)
}

// luaError is error(message, level): it ends the hook.
func (vm *VM) luaError(L *lua.LState) int {
	msg, isText := L.Get(1).(lua.LString)
	if !isText {
		L.Error(L.Get(1), 0)
	}
	if level := vm.integerOr(L, 2, "error: level", 1); level > 0 {
		if where := L.Where(level); where != "" && where[0] != '[' {
			msg = lua.LString(where+" ") + msg
		}
	}
	L.Error(msg, 0)
	return 0
}

// luaAssert is assert(v, message).
func (vm *VM) luaAssert(L *lua.LState) int {
	if L.GetTop() == 0 {
		L.RaiseError("assert: a value is missing")
	}
	if lua.LVAsBool(L.Get(1)) {
		return L.GetTop()
	}
	switch msg := L.Get(2).(type) {
	case *lua.LNilType:
		L.RaiseError("assertion failed!")
	case lua.LString:
		L.RaiseError("%s", string(msg))
	default:
		L.Error(msg, 0)
	}
	return 0
}

// luaIpairs gives what a for needs to go over 1, 2, ... up to the first nil.
// The step keeps nothing: an iterator that is stored is no memory.
func (vm *VM) luaIpairs(L *lua.LState) int {
	t := vm.sequence(L, 1, "ipairs: the argument")
	L.Push(vm.values[syntax.NextIndex])
	L.Push(t)
	L.Push(vm.num(0))
	return 3
}

// luaNextIndex is ipairs' step: (list, index) to the next index and value.
func (vm *VM) luaNextIndex(L *lua.LState) int {
	i := vm.integer(L, 2, "ipairs: the index") + 1
	if p := asList(L.Get(1)); p != nil {
		return vm.nextItem(L, p, i)
	}
	t := vm.tableArg(L, 1, "ipairs: the list")
	v := t.RawGetInt(i)
	if v == lua.LNil {
		L.Push(lua.LNil)
		return 1
	}
	L.Push(vm.num(float64(i)))
	L.Push(v)
	return 2
}

// nextItem is ipairs' step over a list of state.
func (vm *VM) nextItem(L *lua.LState, p *part, i int) int {
	if i < 1 || i > vm.listLen(L, p) {
		L.Push(lua.LNil)
		return 1
	}
	L.Push(vm.num(float64(i)))
	vm.pushItem(L, p, i)
	return 2
}

// walk is a table, or a list or a record of state, with the keys that it had
// when pairs was called.
type walk struct {
	table lua.LValue
	keys  []lua.LValue
	last  int // where the last step ended: where the next one looks first, and nothing else
}

// luaPairs gives what a for needs to go over the keys that the table has now:
// numbers ascending, then strings by their bytes, then false and true. A key
// removed meanwhile is left out.
func (vm *VM) luaPairs(L *lua.LState) int {
	t := L.Get(1)
	if asPart(t) == nil {
		t = vm.tableArg(L, 1, "pairs: the argument")
	}
	w := &walk{table: t, keys: vm.keysIn(L, t)}
	L.Push(vm.values[syntax.NextKey])
	L.Push(&lua.LUserData{Value: w, Metatable: lua.LNil})
	return 2
}

// luaNextKey is pairs' step: (walk, key) to the next key and its value.
func (vm *VM) luaNextKey(L *lua.LState) int {
	u, _ := L.Get(1).(*lua.LUserData)
	if u == nil {
		L.RaiseError("pairs: its three values belong together")
	}
	w, ok := u.Value.(*walk)
	if !ok {
		L.RaiseError("pairs: its three values belong together")
	}
	for i := w.after(L.Get(2)); i < len(w.keys); i++ {
		if v := vm.at(L, w.table, w.keys[i]); v != lua.LNil {
			w.last = i
			L.Push(w.keys[i])
			L.Push(v)
			return 2
		}
		vm.budget.charge(L, 1)
	}
	L.Push(lua.LNil)
	return 1
}

// after is the index of the key after one.
func (w *walk) after(key lua.LValue) int {
	if key == lua.LNil {
		return 0
	}
	if w.last < len(w.keys) && w.keys[w.last] == key {
		return w.last + 1
	}
	i, found := slices.BinarySearchFunc(w.keys, key, compareKeys)
	if found {
		i++
	}
	return i
}

// keysOf is the sorted keys of a table, paid for.
func (vm *VM) keysOf(L *lua.LState, t *lua.LTable) []lua.LValue {
	n := 0
	t.ForEach(func(_, _ lua.LValue) { n++ })
	vm.budget.alloc(L, 128+16*n)
	vm.budget.charge(L, 4*n)
	return sortedTableKeys(t)
}

// luaNext gives the key after one, in the order of pairs, and its value.
func (vm *VM) luaNext(L *lua.LState) int {
	t := vm.tableArg(L, 1, "next: the first argument")
	after := L.Get(2)
	var best lua.LValue = lua.LNil
	n := 0
	t.ForEach(func(k, _ lua.LValue) {
		n++
		if (after == lua.LNil || compareKeys(k, after) > 0) && (best == lua.LNil || compareKeys(k, best) < 0) {
			best = k
		}
	})
	vm.budget.charge(L, 2*n)
	L.Push(best)
	if best == lua.LNil {
		return 1
	}
	L.Push(t.RawGet(best))
	return 2
}

func (vm *VM) luaTostring(L *lua.LState) int {
	if L.GetTop() == 0 {
		L.RaiseError("tostring: a value is missing")
	}
	return vm.pushText(L, toText(L.Get(1)))
}

// luaTonumber is tonumber(v) and tonumber(text, base).
func (vm *VM) luaTonumber(L *lua.LState) int {
	base := vm.integerOr(L, 2, "tonumber: base", 10)
	switch v := L.Get(1).(type) {
	case lua.LNumber:
		L.Push(v)
		return 1
	case lua.LString:
		vm.budget.charge(L, len(v)/4)
		if n, ok := textToNumber(string(v), base); ok {
			L.Push(vm.num(n))
			return 1
		}
	}
	L.Push(lua.LNil)
	return 1
}

func textToNumber(s string, base int) (float64, bool) {
	if base == 10 {
		return syntax.ParseNumber(s)
	}
	s = strings.ToLower(strings.Trim(s, " \t\n\v\f\r"))
	if base < 2 || base > 36 || s == "" {
		return 0, false
	}
	if base == 16 {
		s = strings.TrimPrefix(s, "0x")
	}
	v := 0.0
	for _, c := range []byte(s) {
		d := 99
		switch {
		case c >= '0' && c <= '9':
			d = int(c - '0')
		case c >= 'a' && c <= 'z':
			d = int(c-'a') + 10
		}
		if d >= base {
			return 0, false
		}
		v = float64(v*float64(base)) + float64(d)
	}
	return v, s != ""
}

// luaUnpack is unpack(t, i, j).
func (vm *VM) luaUnpack(L *lua.LState) int {
	t := vm.sequence(L, 1, "unpack: the first argument")
	i := vm.integerOr(L, 2, "unpack: from", 1)
	j := vm.integerOr(L, 3, "unpack: to", vm.length(L, t))
	if i > j {
		return 0
	}
	if j-i >= maxResults {
		L.RaiseError("unpack of %d values: at most %d", j-i+1, maxResults)
	}
	vm.budget.charge(L, j-i+1)
	for n := i; n <= j; n++ {
		L.Push(vm.at(L, t, vm.num(float64(n))))
	}
	return j - i + 1
}

// luaConcat is (concat)(a, b, ...), the .. operator.
func (vm *VM) luaConcat(L *lua.LState) int {
	n := L.GetTop()
	size := 0
	var buf [8]string
	parts := buf[:0]
	for i := 1; i <= n; i++ {
		switch v := L.Get(i).(type) {
		case lua.LString:
			parts = append(parts, string(v))
		case lua.LNumber:
			parts = append(parts, formatNumber(float64(v)))
		default:
			vm.operandAt = i
			L.RaiseError(syntax.CannotConcat+"%s", aTypeName(v))
		}
		size += len(parts[i-1])
	}
	vm.payText(L, size)
	L.Push(lua.LString(strings.Join(parts, "")))
	return 1
}

// luaTable is (table)(t, n): it pays for a new table of n%syntax.NamedUnit positional
// values and n/syntax.NamedUnit named ones, and takes away the nils at the end.
func (vm *VM) luaTable(L *lua.LState) int {
	t, n := L.Get(1).(*lua.LTable), int(L.Get(2).(lua.LNumber)) // rewritten code passes nothing else
	positional := n % syntax.NamedUnit
	vm.budget.alloc(L, 128+16*positional+96*(n/syntax.NamedUnit))
	if positional > 0 && t.RawGetInt(positional) == lua.LNil {
		trim(t, positional)
	}
	L.SetTop(1)
	return 1
}

// luaList is (list)(t, have, ...): a constructor whose last value spreads, after
// have positional ones.
func (vm *VM) luaList(L *lua.LState) int {
	t, have, n := L.Get(1).(*lua.LTable), int(L.Get(2).(lua.LNumber)), L.GetTop()-2
	vm.budget.alloc(L, 128+24*n)
	for ; n > 0 && L.Get(n+2) == lua.LNil; n-- {
		if at := have + n; at <= t.MaxN() { // a key that was written out
			vm.removeNumber(t, at, t.MaxN())
		}
	}
	for i := 1; i <= n; i++ {
		t.RawSetInt(have+i, L.Get(i+2))
	}
	L.SetTop(1)
	return 1
}

// luaPut is (put)(t, mask, key, value, ...): the fields of a constructor, those
// with a bit in mask, which had no key, after all others.
func (vm *VM) luaPut(L *lua.LState) int {
	t, mask := L.Get(1).(*lua.LTable), uint(L.Get(2).(lua.LNumber))
	for _, late := range [...]bool{false, true} {
		for i := 3; i < L.GetTop(); i += 2 {
			if mask>>((i-3)/2)&1 == 1 == late {
				vm.setTable(L, t, L.Get(i), L.Get(i+1))
			}
		}
	}
	L.SetTop(1)
	return 1
}

// luaVarargs is (varargs)(...): its own arguments, paid for.
func (vm *VM) luaVarargs(L *lua.LState) int {
	n := L.GetTop()
	vm.budget.charge(L, n)
	return n
}
