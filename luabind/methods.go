package luabind

import (
	"github.com/hindcast/hindcast/world"
	lua "github.com/yuin/gopher-lua"
)

// methodEntry is a method of objects.
type methodEntry struct {
	Name string
	Fn   func(call, *handle) int
}

// called returns the function that scripts call. Called on something else than
// an object, it is that something's own method of the same name.
func (m methodEntry) called(en *environment) func(call) int {
	fn, name := m.Fn, m.Name
	return func(L call) int {
		if u, ok := L.Get(1).(*lua.LUserData); ok {
			if h, ok := u.Value.(*handle); ok {
				return fn(L, h)
			}
		}
		return redirect(L, name, en.method(name))
	}
}

// methods returns the methods of every object but a joint's.
func (bo *bodies) methods() []methodEntry {
	return []methodEntry{
		{"getPosition", bo.getPosition}, {"getVelocity", bo.getVelocity},
		{"getDirection", bo.getDirection}, {"getAngularVelocity", bo.getAngularVelocity},
		{"getMass", bo.getMass},
		{"setPosition", bo.two(world.SetPosition, "setPosition", "x", "y")},
		{"setVelocity", bo.two(world.SetVelocity, "setVelocity", "vx", "vy")},
		{"setDirection", bo.one(world.SetDirection, "setDirection", "angle")},
		{"setAngularVelocity", bo.one(world.SetAngularVelocity, "setAngularVelocity", "w")},
		{"setForce", bo.two(world.SetForce, "setForce", "fx", "fy")},
		{"setTorque", bo.one(world.SetTorque, "setTorque", "torque")},
		{"setDirectionalForce", bo.two(world.SetDirectionalForce, "setDirectionalForce", "angle", "force")},
		{"applyForce", bo.two(world.AddForce, "applyForce", "fx", "fy")},
		{"applyImpulse", bo.two(world.AddImpulse, "applyImpulse", "jx", "jy")},
		{"applyTorque", bo.one(world.AddTorque, "applyTorque", "torque")},
		{"applyAngularImpulse", bo.one(world.AddAngularImpulse, "applyAngularImpulse", "j")},
		{"asSeen", bo.scene.asSeen}, {"setOwner", bo.setOwner}, {"remove", bo.remove}, {"valid", bo.valid},
		{"is", bo.is},
		{"moveAndSlide", bo.moveAndSlide}, {"attach", bo.attach}, {"detach", bo.detach}, {"getHolder", bo.getHolder},
	}
}

// redirect calls what a table has under the name of a method of objects.
func redirect(L call, name string, method *lua.LFunction) int {
	n := L.GetTop()
	own := lua.LValue(lua.LNil)
	if t, ok := L.Get(1).(*lua.LTable); ok {
		own = L.GetField(t, name)
	}
	if own == method || own.Type() != lua.LTFunction && event(own, "__call") == lua.LNil {
		L.RaiseError("%s is a method of objects: call it with a colon on an object, as in self:%s(...), not on %s",
			name, name, aTypeName(L.Get(1)))
	}
	L.charge(n)
	L.Push(own)
	for i := 1; i <= n; i++ {
		L.Push(L.Get(i))
	}
	L.Call(n, lua.MultRet)
	return L.GetTop() - n
}

// setOwner gives the object to a player; 0 means nobody.
func (bo *bodies) setOwner(L call, h *handle) int {
	if h.isJoint() {
		L.RaiseError("a joint has no owner")
	}
	bo.notState(L, h, "be given away")
	bo.scene.do(L,
		&world.Op{Target: h.ID, Kind: world.SetOwner, Word: uint64(playerOf(L, L.number(2, "setOwner: the player")))})
	return 0
}

// remove removes the object at the end of the tick.
func (bo *bodies) remove(L call, h *handle) int {
	L.charge(changeCost)
	bo.notState(L, h, "be removed")
	bo.scene.do(L, &world.Op{Target: h.ID, Kind: world.Remove})
	return 0
}

// notState raises an error for an object that holds the state of the match or of a player.
func (bo *bodies) notState(L call, h *handle, what string) {
	switch h.Class.def().Name {
	case world.GameClass:
		L.RaiseError("the game cannot %s", what)
	case world.PlayerClass:
		L.RaiseError("the stats of a player cannot %s", what)
	}
}

// valid pushes whether the object exists.
func (bo *bodies) valid(L call, h *handle) int {
	bo.rights.inWorld(L)
	_, _, ok := bo.scene.see(h.ID)
	if ok {
		bo.scene.pending.readValid(L, h)
	}
	L.Push(lua.LBool(ok))
	return 1
}

// is implements object:is("Class"): whether the object is of a class, or of one that extends it.
func (bo *bodies) is(L call, h *handle) int {
	bo.scene.look(L, h)
	name := L.text(2, "is: the class")
	if bo.objects.named(name) == nil {
		bo.objects.classArg(L, 2, "is") // raises
	}
	L.Push(lua.LBool(h.Class.def().Is(name)))
	return 1
}
