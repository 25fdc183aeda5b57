package luabind

import (
	"github.com/hindcast/hindcast/luabind/internal/ident"
	"github.com/hindcast/hindcast/world"
	lua "github.com/yuin/gopher-lua"
)

// hookArgs makes the arguments of hooks.
type hookArgs struct {
	env     *environment
	states  *interpreters
	scene   *scene
	objects *objects
	fields  *fields
	contact *lua.LTable // the argument of onContact; nil before the first
}

// open forgets the tables of earlier interpreters.
func (ha *hookArgs) open() { ha.contact = nil }

// push pushes the arguments of a hook and returns their number.
func (ha *hookArgs) push(L call, h world.Hook, a *world.Args, spawnArgs *lua.LTable) int {
	switch h {
	case world.OnStart:
		return L.pushText(world.LevelsOf(ha.scene.world()).InForce().Name)
	case world.OnGameTick:
		return 0
	case world.OnJoin, world.OnLeave:
		L.Push(L.num(float64(a.Player)))
		return 1
	case world.OnMigrate:
		return ha.pushMigrate(L, a)
	case world.HostEvent:
		return ha.pushCall(L, a.Event)
	case world.OnTimer:
		if ha.scene.acting().ID == world.MatchID {
			return 0
		}
	}
	L.Push(ha.scene.self())
	switch h {
	case world.OnSpawn:
		if a != nil && a.Event != nil {
			spawnArgs = ha.hostSpawn(L, a.Event)
		}
		L.Push(spawnArgs)
		return 2
	case world.ApplyInput:
		L.Push(ha.input(L, &a.Input))
		return 2
	case world.Simulate:
		L.Push(ha.input(L, &a.Input))
		L.Push(L.num(float64(a.DT) / world.FrameParts))
		return 3
	case world.Verify:
		L.Push(ha.claimedTable(L, &a.Claimed))
		return 2
	case world.OnContact:
		L.Push(ha.scene.handleOf(a.Other))
		L.Push(ha.contactTable(L, &a.Contact))
		return 3
	case world.OnJointBreak:
		L.Push(ha.scene.handleOf(a.Other))
		L.Push(ha.scene.handleOf(a.JointBreak.Joint))
		return 3
	case world.OnContactEnd, world.OnTrigger:
		L.Push(ha.scene.handleOf(a.Other))
		return 2
	}
	return 1
}

// input returns the table of the acting object's input.
func (ha *hookArgs) input(L call, in *world.Input) *lua.LTable {
	c := ha.objects.class(ha.scene.world().State().Objects[ha.scene.acting().Slot].Class)
	return c.input(L, ha.states.first(), in)
}

// contactTable returns the third argument of onContact: one table for all
// contacts, since no hook of a contact runs within another.
func (ha *hookArgs) contactTable(L call, c *world.Contact) *lua.LTable {
	t := ha.contact
	if t == nil {
		t = L.CreateTable(0, 6)
		ha.env.freeze(t)
		ha.contact = t
	}
	t.RawSetString("x", L.num(c.X))
	t.RawSetString("y", L.num(c.Y))
	t.RawSetString("nx", L.num(c.NormalX))
	t.RawSetString("ny", L.num(c.NormalY))
	t.RawSetString("impulse", L.num(c.Impulse))
	t.RawSetString("speed", L.num(c.Speed))
	return t
}

// claimedTable returns the second argument of verify.
func (ha *hookArgs) claimedTable(L call, p *world.Placement) *lua.LTable {
	t := ha.placeTable(L, p)
	ha.env.freeze(t)
	return t
}

// placeTable returns a placement as a table.
func (ha *hookArgs) placeTable(L call, p *world.Placement) *lua.LTable {
	t := L.CreateTable(0, 8)
	t.RawSetString("x", L.num(p.X))
	t.RawSetString("y", L.num(p.Y))
	t.RawSetString("angle", L.num(p.Angle))
	t.RawSetString("vx", L.num(p.VX))
	t.RawSetString("vy", L.num(p.VY))
	t.RawSetString("w", L.num(p.W))
	return t
}

// pushMigrate pushes the arguments of migrate(self, old); game.lua's is migrate(old).
// old is a read-only table of the fields before the switch.
func (ha *hookArgs) pushMigrate(L call, a *world.Args) (n int) {
	if ha.scene.acting().ID != world.MatchID {
		L.Push(ha.scene.self())
		n++
	}
	L.Push(ha.old(L, a, &shape{Parts: shapesOf(a.From)}, 0))
	return n + 1
}

// old returns a field before the switch: a value, or a read-only table. base is
// the field that the shape's indices count from.
func (ha *hookArgs) old(L call, a *world.Args, s *shape, base int) lua.LValue {
	switch {
	case s.plain():
		ha.fields.pushField(L, a.Old, &a.From.Fields[base+s.At])
		v := L.Get(-1)
		L.Pop(1)
		return v
	case s.Parts != nil:
		t := L.CreateTable(0, len(s.Parts))
		for _, name := range ident.Keys(s.Parts) {
			t.RawSetString(name, ha.old(L, a, s.Parts[name], base))
		}
		ha.env.freeze(t)
		return t
	}
	count := &a.From.Fields[base+s.At]
	t := L.CreateTable(count.Len(a.Old), 0)
	for i := range count.Len(a.Old) {
		t.Append(ha.old(L, a, s.Item, base+s.At+1+i*count.Leaves))
	}
	ha.env.freeze(t)
	return t
}
