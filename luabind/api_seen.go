package luabind

import (
	"github.com/hindcast/hindcast/world"
	lua "github.com/yuin/gopher-lua"
)

// asSeen is self:asSeen(f): what f gives, run while the others stand where the
// screen of self's player showed them when it decided on the input.
func (vm *VM) asSeen(L *lua.LState, h *handle) int {
	vm.inWorld(L)
	f, ok := L.Get(2).(*lua.LFunction)
	switch {
	case !ok:
		L.RaiseError("asSeen: it is given a function, not %s: self:asSeen(function() return raycast(...) end)", aTypeName(L.Get(2)))
	case vm.bot != nil || vm.actor.hook != world.ApplyInput:
		L.RaiseError("asSeen is called in applyInput: it is the input that says what the player's screen showed")
	case h.id != vm.actor.id:
		L.RaiseError("asSeen is called on self: another object's player has another screen")
	case vm.seeing:
		L.RaiseError("asSeen within asSeen")
	}
	vm.budget.charge(L, queryCost)
	vm.w.BeginSeen(vm.actor.input.ViewTime)
	vm.seeing = true
	defer func() { // f may fail
		vm.w.EndSeen()
		vm.seeing = false
	}()
	n := L.GetTop()
	L.Push(f)
	L.Call(0, lua.MultRet)
	return L.GetTop() - n
}

// seen reads seen: whether asSeen shows objects of the class where they were.
func (d *declaration) seen(key string, v lua.LValue) {
	on, ok := v.(lua.LBool)
	if !ok {
		d.fail([]string{key}, "%s.seen is true or false, not %s", d.class.Name, aTypeName(v))
	}
	d.class.Seen = bool(on)
}
