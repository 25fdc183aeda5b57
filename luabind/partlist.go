package luabind

import (
	"slices"

	"github.com/hindcast/hindcast/luabind/internal/ident"
	"github.com/hindcast/hindcast/world"
	lua "github.com/yuin/gopher-lua"
)

// keysIn are the keys of a table or of a record of state.
func (vm *VM) keysIn(L *lua.LState, v lua.LValue) (keys []lua.LValue) {
	p := asPart(v)
	switch {
	case p == nil:
		return vm.keysOf(L, v.(*lua.LTable))
	case p.shape.item != nil:
		for i := range vm.listLen(L, p) {
			keys = append(keys, vm.num(float64(i+1)))
		}
	default:
		for _, name := range ident.Keys(p.shape.parts) {
			keys = append(keys, lua.LString(name))
		}
	}
	vm.budget.alloc(L, 128+16*len(keys))
	return keys
}

// length is # of a table or of a list of state.
func (vm *VM) length(L *lua.LState, v lua.LValue) int {
	if t, ok := v.(*lua.LTable); ok {
		return t.Len()
	}
	if p := asList(v); p != nil {
		return vm.listLen(L, p)
	}
	L.RaiseError("%s is not a list", aTypeName(v))
	return 0
}

// at is what a key of a table, or of a list or a record of state, holds.
func (vm *VM) at(L *lua.LState, v, key lua.LValue) lua.LValue {
	if t, ok := v.(*lua.LTable); ok {
		return t.RawGet(key)
	}
	vm.getPart(L, asPart(v), key)
	got := L.Get(-1)
	L.Pop(1)
	return got
}

// copyOf is an item of a list as a value of its own: a record as a table.
func (vm *VM) copyOf(L *lua.LState, v lua.LValue) lua.LValue {
	p := asPart(v)
	if p == nil {
		return v
	}
	t := L.CreateTable(0, len(p.shape.parts))
	vm.budget.alloc(L, 128+96*len(p.shape.parts))
	for _, name := range ident.Keys(p.shape.parts) {
		t.RawSetString(name, vm.copyOf(L, vm.at(L, v, lua.LString(name))))
	}
	return t
}

// sequence is argument i, a table or a list of state.
func (vm *VM) sequence(L *lua.LState, i int, what string) lua.LValue {
	v := L.Get(i)
	if asList(v) == nil {
		return vm.tableArg(L, i, what)
	}
	return v
}

// listInsert is table.insert on a list of state.
func (vm *VM) listInsert(L *lua.LState, p *part) int {
	switch L.GetTop() {
	case 2:
		vm.putItem(L, p, world.InsertItem, 0, vm.copyOf(L, L.Get(2)))
	case 3:
		at, n := vm.integer(L, 2, "table.insert: the position"), vm.listLen(L, p)
		if at < 1 || at > n+1 {
			L.RaiseError("table.insert at %d: %s has %d items", at, p.path(), n)
		}
		vm.putItem(L, p, world.InsertItem, at, vm.copyOf(L, L.Get(3)))
	default:
		L.RaiseError("table.insert takes a list, maybe a position, and a value")
	}
	return 0
}

// listRemove is table.remove on a list of state. A record comes back as a table.
func (vm *VM) listRemove(L *lua.LState, p *part) int {
	n := vm.listLen(L, p)
	at := vm.integerOr(L, 2, "table.remove: the position", n)
	if at < 1 || at > n {
		return 0
	}
	last := at
	if L.Get(2) == lua.LNil {
		last = 0 // of another object: whichever is the last one then
	}
	vm.budget.charge(L, 2+len(p.words(vm.row(L, p.of), 1))*(n-at)/8)
	got := vm.copyOf(L, vm.at(L, L.Get(1), vm.num(float64(at))))
	vm.do(L, &world.Op{Target: p.of.id, Kind: world.RemoveItem, Field: p.base + p.shape.at, Item: int32(last)})
	L.Push(got)
	return 1
}

// listSort is table.sort on a list of state.
func (vm *VM) listSort(L *lua.LState, p *part, s *sorter) int {
	n := vm.listLen(L, p)
	vm.budget.alloc(L, 40*n)
	values := make([]lua.LValue, n)
	for i := range values {
		values[i] = vm.at(L, L.Get(1), vm.num(float64(i+1)))
	}
	s.sort(values, make([]lua.LValue, n))
	row := slices.Clone(vm.row(L, p.of))
	for i, v := range values {
		from := i + 1
		if item := asPart(v); item != nil {
			from = item.item
		} else {
			vm.fillLeaf(L, row, p.of, p.itemBase(from), v)
		}
		if i < vm.listLen(L, p) { // less may have taken items away
			vm.doItem(L, p, world.SetItem, i+1, row, from)
		}
	}
	return 0
}
