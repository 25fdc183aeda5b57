package luabind

import (
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
	lua "github.com/yuin/gopher-lua"
)

// methodEntry is a method of objects.
type methodEntry struct {
	name string
	fn   func(*VM, *lua.LState, *handle) int
}

// methodEntries are the methods of every object.
func methodEntries() []methodEntry {
	return append(jointMethods(), []methodEntry{
		{"getPosition", (*VM).getPosition}, {"getVelocity", (*VM).getVelocity},
		{"getDirection", (*VM).getDirection}, {"getAngularVelocity", (*VM).getAngularVelocity},
		{"getMass", (*VM).getMass},
		{"setPosition", two(world.SetPosition, "setPosition", "x", "y")},
		{"setVelocity", two(world.SetVelocity, "setVelocity", "vx", "vy")},
		{"setDirection", one(world.SetDirection, "setDirection", "angle")},
		{"setAngularVelocity", one(world.SetAngularVelocity, "setAngularVelocity", "w")},
		{"setForce", two(world.SetForce, "setForce", "fx", "fy")},
		{"setTorque", one(world.SetTorque, "setTorque", "torque")},
		{"setDirectionalForce", two(world.SetDirectionalForce, "setDirectionalForce", "angle", "force")},
		{"applyForce", two(world.AddForce, "applyForce", "fx", "fy")},
		{"applyImpulse", two(world.AddImpulse, "applyImpulse", "jx", "jy")},
		{"applyTorque", one(world.AddTorque, "applyTorque", "torque")},
		{"applyAngularImpulse", one(world.AddAngularImpulse, "applyAngularImpulse", "j")},
		{"asSeen", (*VM).asSeen}, {"setOwner", (*VM).setOwner}, {"remove", (*VM).remove}, {"valid", (*VM).valid},
		{"moveAndSlide", (*VM).moveAndSlide}, {"attach", (*VM).attach}, {"detach", (*VM).detach}, {"getHolder", (*VM).getHolder},
	}...)
}

// wrapMethod makes a Lua function of a method. Called on something else than
// an object, it is that something's own method of the same name.
func (vm *VM) wrapMethod(L *lua.LState, m methodEntry) *lua.LFunction {
	fn := m.fn
	return L.NewFunction(func(L *lua.LState) int {
		if u, ok := L.Get(1).(*lua.LUserData); ok {
			if h, ok := u.Value.(*handle); ok {
				return fn(vm, L, h)
			}
		}
		return vm.redirect(L, m.name)
	})
}

// redirect calls the method that a table has itself.
func (vm *VM) redirect(L *lua.LState, name string) int {
	n := L.GetTop()
	own := lua.LValue(lua.LNil)
	if t, ok := L.Get(1).(*lua.LTable); ok {
		own = t.RawGetString(name)
	}
	fn, ok := own.(*lua.LFunction)
	if !ok {
		L.RaiseError("%s is a method of objects: it is called with a colon on one, self:%s(...), not on %s", name, name, aTypeName(L.Get(1)))
	}
	vm.budget.charge(L, n)
	L.Push(fn)
	for i := 1; i <= n; i++ {
		L.Push(L.Get(i))
	}
	L.Call(n, lua.MultRet)
	return L.GetTop() - n
}

// seenBody is the body of the method's object, as the acting object sees it.
func (vm *VM) seenBody(L *lua.LState, h *handle) *physics.Body {
	s, slot := vm.look(L, h)
	b := &s.Physics.Bodies[slot]
	if vm.seeing {
		b = vm.w.Shown(h.id, b)
	}
	if b.Key == 0 {
		L.RaiseError("%s has no body: declare body = { shape = ... }", h.class.def.Name)
	}
	return b
}

func (vm *VM) getPosition(L *lua.LState, h *handle) int {
	b := vm.seenBody(L, h)
	return vm.push2(L, b.X, b.Y)
}

func (vm *VM) getVelocity(L *lua.LState, h *handle) int {
	b := vm.seenBody(L, h)
	return vm.push2(L, b.VX, b.VY)
}

func (vm *VM) getDirection(L *lua.LState, h *handle) int {
	b := vm.seenBody(L, h)
	L.Push(vm.num(b.Angle))
	return 1
}

func (vm *VM) getAngularVelocity(L *lua.LState, h *handle) int {
	b := vm.seenBody(L, h)
	L.Push(vm.num(b.W))
	return 1
}

// getMass is in kilograms; 0 for a body that nothing pushes.
func (vm *VM) getMass(L *lua.LState, h *handle) int {
	b := vm.seenBody(L, h)
	L.Push(vm.num(vm.schema.Defs[b.Def].MassKg()))
	return 1
}

// push changes a body. On another object this is carried out later, when it is
// too late to say that there is none.
func (vm *VM) push(L *lua.LState, h *handle, op *world.Op) {
	if h.id != vm.actor.id {
		vm.seenBody(L, h)
	}
	vm.do(L, op)
}

// one is a method that changes one number of the body.
func one(kind world.OpKind, name, a string) func(*VM, *lua.LState, *handle) int {
	what := name + ": " + a
	return func(vm *VM, L *lua.LState, h *handle) int {
		vm.push(L, h, &world.Op{Target: h.id, Kind: kind, A: vm.number(L, 2, what)})
		return 0
	}
}

// two is a method that changes two numbers of the body.
func two(kind world.OpKind, name, a, b string) func(*VM, *lua.LState, *handle) int {
	whatA, whatB := name+": "+a, name+": "+b
	return func(vm *VM, L *lua.LState, h *handle) int {
		vm.push(L, h, &world.Op{Target: h.id, Kind: kind, A: vm.number(L, 2, whatA), B: vm.number(L, 3, whatB)})
		return 0
	}
}

// setOwner gives the object to a player, 0 to nobody.
func (vm *VM) setOwner(L *lua.LState, h *handle) int {
	if h.isJoint() {
		L.RaiseError("a joint has no owner")
	}
	vm.do(L, &world.Op{Target: h.id, Kind: world.SetOwner, Word: uint64(vm.player(L, vm.number(L, 2, "setOwner: the player")))})
	return 0
}

// player is a number that can be a PlayerID.
func (vm *VM) player(L *lua.LState, n float64) world.PlayerID {
	p := clampInt(n)
	if float64(p) != n || p < 0 || p > 1<<16-1 {
		L.RaiseError("%s is no player: players are numbers, 0 is nobody", formatNumber(n))
	}
	return world.PlayerID(p)
}

// remove takes the object away at the end of the tick.
func (vm *VM) remove(L *lua.LState, h *handle) int {
	if h.id == world.GameID {
		L.RaiseError("the game cannot be removed")
	}
	vm.do(L, &world.Op{Target: h.id, Kind: world.Remove})
	return 0
}

// valid tells whether the object is still there.
func (vm *VM) valid(L *lua.LState, h *handle) int {
	vm.inWorld(L)
	_, _, ok := vm.see(h.id)
	L.Push(lua.LBool(ok))
	return 1
}
