package luabind

import (
	"strconv"
	"strings"

	"github.com/hindcast/hindcast/luabind/internal/ident"
	"github.com/hindcast/hindcast/world"
	lua "github.com/yuin/gopher-lua"
)

// part is what a script holds of a list or a record in an object's state, or
// of a record in a list: a place, not a value. There is one for each place, so
// that parts compare equal for the same place.
type part struct {
	of    *handle
	shape *shape
	base  int              // what is added to the shape's field indexes
	item  int              // of a record in a list: which item
	views []*lua.LUserData // of parts of this part
}

// openParts makes the metatable of lists and records. Most of their uses are
// rewritten into calls of (get) and (set) and do not come by here.
func (vm *VM) openParts(L *lua.LState) {
	vm.parts = withIndex(L, L.NewFunction(func(L *lua.LState) int {
		return vm.getPart(L, L.Get(1).(*lua.LUserData).Value.(*part), L.Get(2))
	}))
	vm.parts.RawSetString("__len", L.NewFunction(func(L *lua.LState) int {
		L.Push(vm.num(float64(vm.listLen(L, vm.listArg(L, 1, "#")))))
		return 1
	}))
}

// view is the part with a number among views.
func (vm *VM) view(views *[]*lua.LUserData, n int, p part) *lua.LUserData {
	for len(*views) <= n {
		*views = append(*views, nil)
	}
	if (*views)[n] == nil {
		(*views)[n] = &lua.LUserData{Value: &p, Metatable: vm.parts}
	}
	return (*views)[n]
}

// asPart is v as a part, nil if it is none.
func asPart(v lua.LValue) *part {
	if u, ok := v.(*lua.LUserData); ok {
		p, _ := u.Value.(*part)
		return p
	}
	return nil
}

// asList is v as a list of state, nil if it is none.
func asList(v lua.LValue) *part {
	if p := asPart(v); p != nil && p.shape.item != nil {
		return p
	}
	return nil
}

// listArg is argument i, which is known to be a list or a record.
func (vm *VM) listArg(L *lua.LState, i int, what string) *part {
	p := asList(L.Get(i))
	if p == nil {
		L.RaiseError("%s: %s", what, "this is a record, not a list; its parts have names")
	}
	return p
}

// row is the fields of a handle's object, as the acting object sees it.
func (vm *VM) row(L *lua.LState, h *handle) []uint64 {
	s, slot := vm.look(L, h)
	return s.Words[slot*s.Stride : (slot+1)*s.Stride]
}

// count is the Count of a list.
func (p *part) count() *world.Field { return &p.of.class.def.Fields[p.base+p.shape.at] }

func (vm *VM) listLen(L *lua.LState, p *part) int { return p.count().Len(vm.row(L, p.of)) }

// itemBase is the index in the class's Fields of the first field of an item.
func (p *part) itemBase(item int) int {
	return p.base + p.shape.at + 1 + (item-1)*p.count().Leaves
}

// itemNumber is a key of a list as a whole number, -1 for what is out of range.
func (vm *VM) itemNumber(L *lua.LState, p *part, key lua.LValue) int {
	n, ok := key.(lua.LNumber)
	if !ok {
		L.RaiseError("%s is a list: its items have numbers, as in %s[1]; table.insert, remove and sort change it, # is how many there are",
			p.path(), p.path())
	}
	i := clampInt(float64(n))
	if float64(i) != float64(n) {
		return -1
	}
	return i
}

// path names a part for messages: Ship.slots[2].
func (p *part) path() string {
	name := p.of.class.def.Name + "." + p.shape.name
	if p.item > 0 {
		name = strings.Replace(name, "[]", "["+strconv.Itoa(p.item)+"]", 1)
	}
	return name
}

// getPart pushes what a key of a list or a record holds.
func (vm *VM) getPart(L *lua.LState, p *part, key lua.LValue) int {
	if p.shape.item == nil {
		return vm.getNamed(L, p, key)
	}
	vm.pushItem(L, p, vm.itemNumber(L, p, key))
	return 1
}

// pushItem pushes an item of a list, nil if it has none of that number.
func (vm *VM) pushItem(L *lua.LState, p *part, i int) {
	switch {
	case i < 1 || i > vm.listLen(L, p):
		L.Push(lua.LNil)
	case p.shape.item.plain():
		vm.pushLeaf(L, p.of, p.itemBase(i))
	default:
		L.Push(vm.view(&p.views, i-1, part{of: p.of, shape: p.shape.item, base: p.itemBase(i), item: i}))
	}
}

func (vm *VM) getNamed(L *lua.LState, p *part, key lua.LValue) int {
	name, _ := key.(lua.LString)
	s := p.shape.parts[string(name)]
	if s == nil {
		vm.raiseNoPart(L, p.path(), p.shape, key)
	}
	if s.plain() {
		vm.pushLeaf(L, p.of, p.base+s.at)
	} else {
		L.Push(vm.view(&p.views, s.index, part{of: p.of, shape: s, base: p.base, item: p.item}))
	}
	return 1
}

func (vm *VM) raiseNoPart(L *lua.LState, path string, s *shape, key lua.LValue) {
	L.RaiseError("%s has no part %s; there are %s", path, toText(key), strings.Join(ident.NearestFirst(toText(key), ident.Keys(s.parts)), ", "))
}

// pushLeaf pushes the value of a field. One of an item that has gone is an error.
func (vm *VM) pushLeaf(L *lua.LState, h *handle, i int) {
	row := vm.row(L, h)
	vm.present(L, h, row, i)
	vm.pushField(L, row, &h.class.def.Fields[i])
}

// pushField pushes what a row of state holds in a field.
func (vm *VM) pushField(L *lua.LState, row []uint64, f *world.Field) {
	switch f.Kind {
	case world.Number:
		L.Push(vm.num(numberOf(row[f.Offset])))
	case world.Bool:
		L.Push(lua.LBool(row[f.Offset] != 0))
	case world.Ref:
		L.Push(vm.handleOf(world.ObjectID(row[f.Offset])))
	case world.String:
		L.Push(lua.LString(world.StringField(row, f)))
	}
}

// present raises an error for a field of an item that a list does not have.
func (vm *VM) present(L *lua.LState, h *handle, row []uint64, i int) {
	if f := &h.class.def.Fields[i]; f.List != 0 && !h.class.def.Has(row, i) {
		L.RaiseError("%s.%s: the list has %d items now", h.class.def.Name, f.Name, h.class.def.Fields[i-f.List].Len(row))
	}
}
