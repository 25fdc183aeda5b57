package luabind

import (
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/hindcast/hindcast/world"
	lua "github.com/yuin/gopher-lua"
)

// runner runs hooks: those that are called from outside, and onSpawn within them.
type runner struct {
	lang     *language
	states   *interpreters
	scene    *scene
	objects  *objects
	args     *hookArgs
	problems *problems
	tracer   *tracer
}

// run calls a hook's function within the budget that is set. spawnArgs is the
// argument of onSpawn.
func (ru *runner) run(fn *lua.LFunction, slot int, h world.Hook, a *world.Args,
	spawnArgs *lua.LTable) *world.ScriptError {
	w := ru.scene.world()
	self := actor{ID: w.State().Objects[slot].ID, Slot: slot, Hook: h}
	if h == world.ApplyInput || h == world.Simulate {
		self.Input, self.Sight, self.Presses = &a.Input, &a.Sight, &a.Presses
	}
	outer := ru.scene.act(self)
	limits := ru.lang.limits()
	outerHook := limits.hook
	limits.hook = hookName{ru.classOf(slot).def(), h, a}
	mark := w.Calls().Mark()
	before := w.Calls().Act(slot)
	err := ru.protected(fn, h, a, spawnArgs)
	var se *world.ScriptError
	if err != nil {
		se = ru.failed(err, w, mark, self)
	}
	w.Calls().Act(before)
	limits.hook = outerHook
	ru.scene.act(outer)
	return se
}

// failed describes the error of a hook, and undoes the effects of the hook if the
// interpreter failed.
func (ru *runner) failed(err error, w world.Actor, mark world.Mark, self actor) *world.ScriptError {
	se := ru.problems.of(err)
	if se.Panic = ru.states.takeFailure(); se.Panic {
		w.Calls().Undo(mark)
	}
	se.Wrote = !se.Panic && w.Calls().Wrote(mark)
	se.Tick, se.Object, se.Hook = w.State().Tick, self.ID, self.Hook
	se.Class = ru.classOf(self.Slot).def().Name
	if n := len(se.Trace); n > 0 && n < maxTrace && self.Hook != world.HostEvent {
		se.Trace[n-1].Func = se.Class + ":" + self.Hook.String()
	}
	return se
}

func (ru *runner) classOf(slot int) *class {
	return ru.objects.class(ru.scene.world().State().Objects[slot].Class)
}

// protected pushes function and arguments, calls, and takes the result.
func (ru *runner) protected(fn *lua.LFunction, h world.Hook, a *world.Args, spawnArgs *lua.LTable) error {
	L := ru.states.present()
	if ru.tracer.on() {
		defer ru.tracer.watch(L, ru.lang.limits())()
	}
	L.Push(fn)
	args := ru.args.push(ru.lang.call(L), h, a, spawnArgs)
	results := 0
	if h == world.Think || h == world.Verify {
		results = 1
	}
	if err := ru.states.pcall(L, args, results); err != nil || results == 0 {
		return err
	}
	answer := L.Get(-1)
	L.Pop(1)
	if h == world.Verify {
		a.OK = lua.LVAsBool(answer)
		return nil
	}
	return ru.takeInput(answer, a)
}

// takeInput reads the result of think into an input.
func (ru *runner) takeInput(v lua.LValue, a *world.Args) error {
	c := ru.classOf(ru.scene.acting().Slot)
	a.Input = world.Input{}
	if v == lua.LNil {
		return nil
	}
	p := c.hook(world.Think).Proto // no instruction raises what is said here: it is at the hook's first line
	in, err := inputOf(c.def(), v, nil, ru.scene.pending.result(p.SourceName, p.LineDefined))
	if err != nil {
		return syntax.Problem(p.SourceName, p.LineDefined, "the result %s", err)
	}
	a.Input = in
	return nil
}

// born runs onSpawn of a new object, within the hook that spawned it. An error there
// counts for the new object.
func (ru *runner) born(fn *lua.LFunction, slot int, args *lua.LTable) {
	keep := ru.lang.limits().share()
	var err *world.ScriptError
	ru.states.within(func() { err = ru.run(fn, slot, world.OnSpawn, nil, args) })
	ru.lang.limits().give(keep)
	if err != nil {
		ru.scene.world().Calls().Fault(slot, world.OnSpawn, err)
	}
}

// tooDeep reports whether no further onSpawn may run within the present hook. It raises an error if calls nest too
// deep.
func (ru *runner) tooDeep(L call) bool {
	ru.states.checkDepth(L)
	return ru.states.full()
}
