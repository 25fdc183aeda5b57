package luabind

import (
	"github.com/hindcast/hindcast/world"
	lua "github.com/yuin/gopher-lua"
)

// bodies are the methods of objects that read and move their bodies.
type bodies struct {
	env     *environment
	rights  *rights
	scene   *scene
	objects *objects
}

func (bo *bodies) getPosition(L call, h *handle) int {
	b := bo.scene.body(L, h)
	bo.scene.pending.readBody(L, h, world.SetPosition, "getPosition", b.X, b.Y)
	return L.push2(b.X, b.Y)
}

func (bo *bodies) getVelocity(L call, h *handle) int {
	b := bo.scene.body(L, h)
	bo.scene.pending.readBody(L, h, world.SetVelocity, "getVelocity", b.VX, b.VY)
	return L.push2(b.VX, b.VY)
}

func (bo *bodies) getDirection(L call, h *handle) int {
	b := bo.scene.body(L, h)
	bo.scene.pending.readBody(L, h, world.SetDirection, "getDirection", b.Angle)
	L.Push(L.num(b.Angle))
	return 1
}

func (bo *bodies) getAngularVelocity(L call, h *handle) int {
	b := bo.scene.body(L, h)
	bo.scene.pending.readBody(L, h, world.SetAngularVelocity, "getAngularVelocity", b.W)
	L.Push(L.num(b.W))
	return 1
}

// getMass pushes the mass in kilograms; 0 for a body that is not dynamic.
func (bo *bodies) getMass(L call, h *handle) int {
	b := bo.scene.body(L, h)
	L.Push(L.num(bo.objects.inForce().Defs[b.Def].MassKg()))
	return 1
}

// push changes a body. The change of another object is carried out later, when
// it is too late to report that it has no body, so push checks that first.
func (bo *bodies) push(L call, h *handle, op *world.Op) {
	L.charge(1)
	if h.ID != bo.scene.acting().ID {
		bo.scene.body(L, h)
	}
	bo.scene.do(L, op)
}

// one returns a method that changes one number of the body.
func (bo *bodies) one(kind world.OpKind, name, a string) func(call, *handle) int {
	what := name + ": " + a
	return func(L call, h *handle) int {
		bo.push(L, h, &world.Op{Target: h.ID, Kind: kind, A: L.number(2, what)})
		return 0
	}
}

// two returns a method that changes two numbers of the body.
func (bo *bodies) two(kind world.OpKind, name, a, b string) func(call, *handle) int {
	whatA, whatB := name+": "+a, name+": "+b
	return func(L call, h *handle) int {
		bo.push(L, h, &world.Op{Target: h.ID, Kind: kind, A: L.number(2, whatA), B: L.number(3, whatB)})
		return 0
	}
}

// moveAndSlide implements self:moveAndSlide(dx, dy). It returns a list of bumps.
func (bo *bodies) moveAndSlide(L call, h *handle) int {
	bo.rights.mayChange(L)
	bo.scene.notMigrating(L)
	bo.scene.body(L, h)
	if h.ID != bo.scene.acting().ID {
		L.RaiseError("moveAndSlide moves the object whose hook runs: self:moveAndSlide(dx, dy)")
	}
	L.charge(3 * queryCost)
	dx, dy := L.finite(2, "moveAndSlide: dx"), L.finite(3, "moveAndSlide: dy")
	bo.scene.limitWork(L)
	bumps, err := bo.scene.world().MoveAndSlide(dx, dy)
	bo.scene.payWork(L)
	if err != nil {
		L.RaiseError("moveAndSlide: %s", err.Error())
	}
	b := bo.scene.world().State().Body(bo.scene.acting().Slot)
	bo.scene.traced(L, world.Op{Target: h.ID, Kind: world.SetPosition, A: b.X, B: b.Y}, "")
	return bo.pushBumps(L, bumps)
}

// pushBumps pushes a read-only list of bumps.
func (bo *bodies) pushBumps(L call, bumps []world.Bump) int {
	L.alloc(128 + 400*len(bumps))
	list := L.CreateTable(len(bumps), 0)
	for i := range bumps {
		b := &bumps[i]
		t := L.CreateTable(0, 5)
		t.RawSetString("object", bo.scene.handleOf(b.Object))
		for _, n := range [...]struct {
			name  string
			value float64
		}{{"x", b.X}, {"y", b.Y}, {"nx", b.NormalX}, {"ny", b.NormalY}} {
			t.RawSetString(n.name, L.num(n.value))
		}
		bo.env.freeze(t)
		list.Append(t)
	}
	bo.env.freeze(list)
	L.Push(list)
	return 1
}

// attachCost is the price of attach and of detach, in instructions.
const attachCost = 50

// attach implements self:attach(other, dx, dy).
func (bo *bodies) attach(L call, h *handle) int {
	bo.rights.mayChange(L)
	bo.scene.notMigrating(L)
	bo.scene.body(L, h)
	holder := handleArg(L, 2, "attach: the object to attach to")
	bo.scene.body(L, holder)
	if class := h.Class.def(); !class.Body.Carried {
		L.RaiseError(
			"attach: a %s cannot be attached, because no file calls the method by its name; write "+
				"object:attach(holder, dx, dy)",
			class.Name)
	}
	dx, dy := L.numberOr(3, "attach: dx", 0), L.numberOr(4, "attach: dy", 0)
	bo.scene.traced(L, world.Op{Target: h.ID, Kind: world.AttachTo, Word: uint64(holder.ID), A: dx, B: dy}, "")
	L.charge(attachCost)
	bo.scene.countWork()
	err := bo.scene.world().Attach(h.ID, holder.ID, dx, dy)
	bo.scene.payWork(L)
	if err != nil {
		L.RaiseError("attach: %s", err.Error())
	}
	bo.scene.pending.write(L, &world.Op{Target: h.ID, Kind: world.AttachTo, Word: uint64(holder.ID)})
	return 0
}

// detach ends the attachment of the object, if there is one.
func (bo *bodies) detach(L call, h *handle) int {
	bo.rights.mayChange(L)
	bo.scene.notMigrating(L)
	bo.scene.body(L, h)
	bo.scene.traced(L, world.Op{Target: h.ID, Kind: world.LetGo}, "")
	L.charge(attachCost)
	if err := bo.scene.world().Detach(h.ID); err != nil {
		L.RaiseError("detach: %s", err.Error())
	}
	bo.scene.pending.write(L, &world.Op{Target: h.ID, Kind: world.LetGo})
	return 0
}

// getHolder pushes the object that this one is attached to, or nil.
func (bo *bodies) getHolder(L call, h *handle) int {
	L.charge(changeCost)
	bo.scene.body(L, h)
	j, ok := bo.scene.joint(h.ID)
	bo.scene.pending.readHolder(L, h, world.ObjectID(j.KeyA))
	if !ok {
		L.Push(lua.LNil)
		return 1
	}
	L.Push(bo.scene.handleOf(world.ObjectID(j.KeyA)))
	return 1
}
