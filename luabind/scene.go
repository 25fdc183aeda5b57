package luabind

import (
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
	lua "github.com/yuin/gopher-lua"
)

// actor is the object whose hook runs.
type actor struct {
	ID      world.ObjectID
	Slot    int
	Hook    world.Hook
	Input   *world.Input   // of applyInput and simulate
	Sight   *world.Sight   // the same
	Presses *world.Presses // the same
}

// scene is the world as the running script can see and change it, on behalf of the
// acting object.
type scene struct {
	w       world.Actor
	actor   actor
	rights  *rights
	objects *objects
	tracer  *tracer
	pending *pending
}

func newScene(r *rights, t *tracer) *scene {
	sc := &scene{rights: r, tracer: t}
	sc.pending = &pending{scene: sc}
	return sc
}

// find gives the scene the objects that it looks in.
func (sc *scene) find(objects *objects) { sc.objects = objects }

// enter begins with a world and an acting object.
func (sc *scene) enter(w world.Actor, a actor) { sc.w, sc.actor = w, a }

// act makes an object the acting one and returns the one before.
func (sc *scene) act(a actor) (before actor) {
	before, sc.actor = sc.actor, a
	return before
}

// acting returns the acting object.
func (sc *scene) acting() actor { return sc.actor }

// world returns the world on behalf of the acting object.
func (sc *scene) world() world.Actor { return sc.w }

// see returns the state and the slot in which the acting object sees an object.
func (sc *scene) see(id world.ObjectID) (s *world.State, slot int, ok bool) {
	if id == sc.actor.ID {
		return sc.w.State(), sc.actor.Slot, true
	}
	if sc.rights.question() != nil {
		slot, ok = sc.w.Find(id)
		return sc.w.State(), slot, ok
	}
	return sc.w.See(id)
}

// look is see for an object that must exist.
func (sc *scene) look(L call, h *handle) (*world.State, int) {
	sc.rights.inWorld(L)
	if h.ID != sc.actor.ID {
		sc.notMigrating(L)
	}
	s, slot, ok := sc.see(h.ID)
	if !ok && sc.rights.seesPast() {
		L.RaiseError(
			"this %s does not exist, or this player's client did not show it; call valid() before you use a stored "+
				"handle",
			h.Class.def().Name)
	}
	if !ok {
		L.RaiseError("this %s has been removed; call valid() before you use a handle that was kept", h.Class.def().Name)
	}
	return s, slot
}

// body returns the body of an object, as the acting object sees it.
func (sc *scene) body(L call, h *handle) *physics.Body {
	s, slot := sc.look(L, h)
	b := &s.Physics.Bodies[slot]
	if sc.rights.seesPast() {
		b = sc.w.SeenBody(h.ID, b)
	}
	if b.Key == 0 {
		L.RaiseError("%s has no body: declare body = { shape = ... }", h.Class.def().Name)
	}
	return b
}

// joint returns the joint of an object, as the acting object sees it.
func (sc *scene) joint(id world.ObjectID) (j physics.Joint, ok bool) {
	if sc.rights.question() == nil {
		return sc.w.SeeJoint(id)
	}
	p := &sc.w.State().Physics
	i, ok := p.FindJoint(uint64(id))
	if ok {
		j = p.Joints[i]
	}
	return j, ok
}

// self returns the handle of the acting object.
func (sc *scene) self() *lua.LUserData {
	return sc.handleIn(sc.w.State(), sc.actor.Slot)
}

// handleIn returns the handle of the object in a slot of a state.
func (sc *scene) handleIn(s *world.State, slot int) *lua.LUserData {
	o := &s.Objects[slot]
	return sc.objects.handle(o.ID, sc.objects.class(o.Class))
}

// handleOf returns the handle of an object, which may have been removed; nil for no
// object.
func (sc *scene) handleOf(id world.ObjectID) lua.LValue {
	if id == 0 {
		return lua.LNil
	}
	s, slot, ok := sc.see(id)
	if !ok {
		return sc.objects.handle(id, sc.unseen(id))
	}
	return sc.objects.handle(id, sc.objects.class(s.Objects[slot].Class))
}

// refOf returns the handle of the object that a ref of state names: nil if it is removed.
func (sc *scene) refOf(id world.ObjectID) lua.LValue {
	u := sc.handleOf(id)
	if h, ok := u.(*lua.LUserData); ok && h.Value.(*handle).Class == sc.objects.removed() {
		return lua.LNil
	}
	return u
}

// unseen returns the class of a handle to an object that the acting object does not
// see: the class of removed objects, even if this VM used the object before, because
// the VM of another machine may not have. An object that is only hidden by asSeen keeps
// its own class.
func (sc *scene) unseen(id world.ObjectID) *class {
	if slot, there := sc.w.Find(id); there && sc.rights.seesPast() {
		return sc.objects.class(sc.w.State().Objects[slot].Class)
	}
	return sc.objects.removed()
}

// notMigrating raises an error in migrate, which is a function of one object, so
// that an object can be migrated alone.
func (sc *scene) notMigrating(L call) {
	if sc.rights.simulates() && sc.actor.Hook == world.OnMigrate {
		L.RaiseError("migrate can read and change only its own object: it fills new fields from old ones")
	}
}

// do carries out a change; on other objects it takes effect when the order ends.
func (sc *scene) do(L call, op *world.Op) {
	sc.rights.mayChange(L)
	if op.Target != sc.actor.ID {
		sc.notMigrating(L)
	}
	if sc.tracer.on() {
		sc.traced(L, sc.w.Settled(*op), "")
	}
	sc.pending.write(L, op)
	if err := sc.w.Do(*op); err != nil {
		if err == world.ErrRemoved {
			L.RaiseError("the object has been removed; call valid() before you use a handle that was kept")
		}
		L.RaiseError("%s", err.Error())
	}
}

// traced reports a change to a trace. spawned is the class of a new object.
func (sc *scene) traced(L call, op world.Op, spawned string) {
	sc.tracer.change(L, sc.actor, op, spawned)
}

// limitWork limits the work of the query that follows to what the budget has left.
func (sc *scene) limitWork(L call) { sc.w.Calls().LimitWork(max(int(L.lang.limits().left), 1)) }

// countWork begins to count the work of what is no query.
func (sc *scene) countWork() { sc.w.Calls().LimitWork(0) }

// payWork charges the work since limitWork or countWork. It raises an error if that was more than the limit.
func (sc *scene) payWork(L call) {
	n := sc.w.Calls().Work()
	sc.w.Calls().LimitWork(0)
	L.charge(n)
}

// asSeen implements self:asSeen(f): it runs f while the other objects are where the
// client of self's player showed them when the player decided on the input.
func (sc *scene) asSeen(L call, h *handle) int {
	sc.rights.inWorld(L)
	f, ok := L.Get(2).(*lua.LFunction)
	switch {
	case !ok:
		L.RaiseError("asSeen: the argument must be a function, not %s: self:asSeen(function() return raycast(...) end)",
			aTypeName(L.Get(2)))
	case sc.rights.question() != nil || sc.actor.Hook != world.ApplyInput && sc.actor.Hook != world.Simulate:
		L.RaiseError(
			"asSeen can be called only in applyInput and simulate, because the input says what the player's screen " +
				"showed")
	case h.ID != sc.actor.ID:
		L.RaiseError("asSeen can be called only on self: the player of another object has another screen")
	case sc.rights.seesPast():
		L.RaiseError("asSeen cannot be called within asSeen")
	}
	L.charge(queryCost)
	sc.countWork()
	sc.w.BeginAsSeen(sc.actor.Input.ViewTime, *sc.actor.Sight)
	sc.rights.seePast(true)
	defer func() { // f may fail
		sc.w.EndAsSeen()
		sc.rights.seePast(false)
	}()
	sc.payWork(L)
	n := L.GetTop()
	L.Push(f)
	L.Call(0, lua.MultRet)
	return L.GetTop() - n
}
