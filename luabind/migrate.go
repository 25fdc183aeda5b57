package luabind

import (
	"github.com/hindcast/hindcast/luabind/internal/ident"
	"github.com/hindcast/hindcast/world"
	lua "github.com/yuin/gopher-lua"
)

// pushMigrate pushes what migrate(self, old) is given; game.lua's is
// migrate(old). old is a read-only table of the fields before the switch.
func (vm *VM) pushMigrate(L *lua.LState, a *world.Args) (n int) {
	if vm.actor.id != world.GameID {
		L.Push(vm.self())
		n++
	}
	L.Push(vm.oldValue(L, a, &shape{parts: shapesOf(a.From)}, 0))
	return n + 1
}

// oldValue is a field before the switch: a value, or a read-only table. base
// is the field that the shape's indices count from.
func (vm *VM) oldValue(L *lua.LState, a *world.Args, s *shape, base int) lua.LValue {
	switch {
	case s.plain():
		vm.pushField(L, a.Old, &a.From.Fields[base+s.at])
		v := L.Get(-1)
		L.Pop(1)
		return v
	case s.parts != nil:
		t := L.CreateTable(0, len(s.parts))
		for _, name := range ident.Keys(s.parts) {
			t.RawSetString(name, vm.oldValue(L, a, s.parts[name], base))
		}
		t.Metatable = vm.frozen
		return t
	}
	count := &a.From.Fields[base+s.at]
	t := L.CreateTable(count.Len(a.Old), 0)
	for i := range count.Len(a.Old) {
		t.Append(vm.oldValue(L, a, s.item, base+s.at+1+i*count.Leaves))
	}
	t.Metatable = vm.frozen
	return t
}

// notMigrating raises an error in migrate: it is a function of one object, so
// that an object can be migrated alone.
func (vm *VM) notMigrating(L *lua.LState) {
	if vm.w != nil && vm.bot == nil && vm.actor.hook == world.OnMigrate {
		L.RaiseError("migrate sees and changes its own object only: it makes new fields of old ones")
	}
}
