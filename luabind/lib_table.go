package luabind

import (
	"strings"

	"github.com/hindcast/hindcast/luabind/internal/syntax"
	lua "github.com/yuin/gopher-lua"
)

func tableShelf() shelf {
	return shelf{name: "table", entries: []entry{
		{"insert", (*VM).tableInsert}, {"remove", (*VM).tableRemove}, {"concat", (*VM).tableConcat},
		{"sort", (*VM).tableSort}, {"unpack", (*VM).luaUnpack},
	}}
}

// writable is argument 1, a table that may be changed.
func (vm *VM) writable(L *lua.LState, what string) *lua.LTable {
	t := vm.tableArg(L, 1, what)
	if isFrozen(t) {
		vm.raiseFrozen(L)
	}
	return t
}

// tableInsert is table.insert(t, v) and table.insert(t, position, v).
func (vm *VM) tableInsert(L *lua.LState) int {
	if p := asList(L.Get(1)); p != nil {
		return vm.listInsert(L, p)
	}
	t := vm.writable(L, "table.insert: the first argument")
	n := t.Len()
	switch L.GetTop() {
	case 2:
		vm.setNumber(L, t, lua.LNumber(n+1), L.Get(2))
	case 3:
		at, v := vm.integer(L, 2, "table.insert: the position"), L.Get(3)
		if at < 1 || at > n+1 {
			L.RaiseError("table.insert at %d: the list has %d values", at, n)
		}
		vm.budget.charge(L, (n-at)/4)
		if v == lua.LNil || at == n+1 {
			vm.insertSlowly(L, t, n, at, v)
			return 0
		}
		vm.budget.alloc(L, 24)
		if n+1 >= maxArray {
			L.RaiseError("a list holds at most %d values", maxArray-1)
		}
		t.Insert(at, v)
	default:
		L.RaiseError("table.insert takes a table, maybe a position, and a value")
	}
	return 0
}

// insertSlowly moves the values one by one.
func (vm *VM) insertSlowly(L *lua.LState, t *lua.LTable, n, at int, v lua.LValue) {
	for i := n; i >= at; i-- {
		vm.budget.charge(L, 1)
		vm.setNumber(L, t, lua.LNumber(i+1), t.RawGetInt(i))
	}
	vm.setNumber(L, t, lua.LNumber(at), v)
}

// tableRemove is table.remove(t) and table.remove(t, position).
func (vm *VM) tableRemove(L *lua.LState) int {
	if p := asList(L.Get(1)); p != nil {
		return vm.listRemove(L, p)
	}
	t := vm.writable(L, "table.remove: the first argument")
	n := t.Len()
	at := vm.integerOr(L, 2, "table.remove: the position", n)
	if at < 1 || at > n {
		return 0
	}
	vm.budget.charge(L, (n-at)/4)
	v := t.RawGetInt(at)
	if at == n {
		trim(t, n)
	} else {
		t.Remove(at) // the last value stays the last: no nils come to the end
	}
	L.Push(v)
	return 1
}

// tableConcat is table.concat(t, separator, i, j).
func (vm *VM) tableConcat(L *lua.LState) int {
	t := vm.sequence(L, 1, "table.concat: the first argument")
	sep := ""
	if L.Get(2) != lua.LNil {
		sep = vm.stringArg(L, 2, "table.concat: the separator")
	}
	i := vm.integerOr(L, 3, "table.concat: from", 1)
	j := vm.integerOr(L, 4, "table.concat: to", vm.length(L, t))
	var b strings.Builder
	for n := i; n <= j; n++ {
		vm.budget.charge(L, 1)
		switch v := vm.at(L, t, vm.num(float64(n))).(type) {
		case lua.LString:
			b.WriteString(string(v))
		case lua.LNumber:
			b.WriteString(formatNumber(float64(v)))
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
	return vm.pushText(L, b.String())
}

// tableSort is table.sort(t, less): a stable merge sort, which ends whatever
// less answers, and writes back only once it is done.
func (vm *VM) tableSort(L *lua.LState) int {
	var less *lua.LFunction
	if L.Get(2) != lua.LNil {
		fn, ok := L.Get(2).(*lua.LFunction)
		if !ok {
			L.RaiseError("table.sort: the second argument must be a function, not %s", aTypeName(L.Get(2)))
		}
		less = fn
	}
	s := sorter{vm: vm, L: L, less: less}
	if p := asList(L.Get(1)); p != nil {
		return vm.listSort(L, p, &s)
	}
	t := vm.writable(L, "table.sort: the first argument")
	n := t.Len()
	vm.budget.alloc(L, 32*n)
	values := make([]lua.LValue, n)
	for i := range values {
		values[i] = t.RawGetInt(i + 1)
		if values[i] == lua.LNil {
			L.RaiseError("table.sort: value %d is nil", i+1)
		}
	}
	s.sort(values, make([]lua.LValue, n))
	for i, v := range values {
		vm.setNumber(L, t, lua.LNumber(i+1), v)
	}
	return 0
}

type sorter struct {
	vm   *VM
	L    *lua.LState
	less *lua.LFunction
}

// before asks whether a goes before b.
func (s *sorter) before(a, b lua.LValue) bool {
	s.vm.budget.charge(s.L, 2)
	if s.less == nil {
		switch a := a.(type) {
		case lua.LNumber:
			if b, ok := b.(lua.LNumber); ok {
				return a < b
			}
		case lua.LString:
			if b, ok := b.(lua.LString); ok {
				return a < b
			}
		}
		s.L.RaiseError("table.sort cannot compare %s with %s; give a function that can", aTypeName(a), aTypeName(b))
	}
	s.L.Push(s.less)
	s.L.Push(a)
	s.L.Push(b)
	s.L.Call(2, 1)
	v := s.L.Get(-1)
	s.L.Pop(1)
	return lua.LVAsBool(v)
}

// sort merges from the bottom up; room is as long as v.
func (s *sorter) sort(v, room []lua.LValue) {
	for width := 1; width < len(v); width *= 2 {
		for from := 0; from+width < len(v); from += 2 * width {
			s.merge(v[from:min(from+2*width, len(v))], width, room)
		}
	}
}

// merge joins v[:mid] and v[mid:], each sorted.
func (s *sorter) merge(v []lua.LValue, mid int, room []lua.LValue) {
	left := room[:copy(room, v[:mid])]
	i, j := 0, mid
	for k := range v {
		switch {
		case i == len(left):
			return
		case j < len(v) && s.before(v[j], left[i]):
			v[k] = v[j]
			j++
		default:
			v[k] = left[i]
			i++
		}
	}
}
