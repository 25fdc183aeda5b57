package luabind

import (
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/hindcast/hindcast/world"
	lua "github.com/yuin/gopher-lua"
)

// This file runs functions of files that are not hooks: bots, tests, view.lua, functions of
// show, and game.lua's relevant.

// ask calls a function that reads the world between two ticks, and returns its result.
func (vm *VM) ask(on world.Actor, a actor, q question, instructions int64, of *allowance, fn *lua.LFunction,
	args ...lua.LValue) (lua.LValue, *world.ScriptError) {
	vm.asked = q
	vm.enter(on, a)
	defer vm.scene.act(actor{})
	vm.rights.ask(&vm.asked)
	defer vm.rights.ask(nil)
	vm.lang.begin(instructions, of)
	defer on.Calls().Act(on.Calls().Act(a.Slot))
	L := vm.states.first()
	L.Push(fn)
	for _, v := range args {
		L.Push(v)
	}
	if err := vm.states.pcall(L, len(args), 1); err != nil {
		se := vm.problems.of(err)
		se.Panic = vm.states.takeFailure()
		vm.mend()
		return lua.LNil, se
	}
	answer := L.Get(-1)
	L.Pop(1)
	return answer, nil
}

// show makes the classes those of a schema, for scripts that look at the worlds
// of a game from outside.
func (vm *VM) show(s *world.Schema) {
	vm.objects.forget()
	vm.objects.define(vm.states.first(), s)
	vm.env.setArena(vm.states.first(), s.Setup.Width, s.Setup.Height)
}

// lookAt lets a test look at a world, until the next call.
func (vm *VM) lookAt(r world.Reader, q *question) {
	vm.rights.ask(q)
	if vm.Schema() != r.Schema() {
		vm.show(r.Schema())
	}
	vm.objects.trim()
	vm.enter(r.Actor(), actor{Slot: -1})
	r.Actor().Calls().Act(-1)
}

// lookAway ends lookAt.
func (vm *VM) lookAway() { vm.rights.ask(nil) }

// hideWorld makes the VM one for view.lua, or for functions of show, which see no world. print goes to w.
func (vm *VM) hideWorld(w *world.World, p phase) {
	vm.rights.in(p)
	vm.scene.enter(w.Actor(), actor{})
}

// runAlone calls a function with an allowance, and returns its result. lost reports that the
// interpreter failed and is of no use any more.
func (vm *VM) runAlone(fn *lua.LFunction, of *allowance,
	args ...lua.LValue) (answer lua.LValue, err *world.ScriptError, lost bool) {
	c := vm.loneCaller()
	return c.run(fn, of, args...)
}

// loneCaller returns the caller of functions that are no hooks.
func (vm *VM) loneCaller() loneCaller {
	return loneCaller{lang: vm.lang, states: vm.states, problems: vm.problems}
}

// loneCaller calls functions that are no hooks: no object acts.
type loneCaller struct {
	lang     *language
	states   *interpreters
	problems *problems
}

// run calls a function. See VM.runAlone.
func (c *loneCaller) run(fn *lua.LFunction, of *allowance,
	args ...lua.LValue) (answer lua.LValue, err *world.ScriptError, lost bool) {
	c.lang.beginAll(of)
	L := c.states.first()
	L.Push(fn)
	for _, v := range args {
		L.Push(v)
	}
	if err := c.states.pcall(L, len(args), 1); err != nil {
		return lua.LNil, c.problems.of(err), c.states.takeFailure()
	}
	answer = L.Get(-1)
	L.Pop(1)
	return answer, nil, false
}

// again returns another VM with the same program.
func (vm *VM) again() *VM { return vm.prog.NewVM() }

// global returns a global function of the files, nil if there is none.
func (vm *VM) global(name string) *lua.LFunction { return vm.states.global(name) }

// handleIn returns the handle of the object in a slot of a state.
func (vm *VM) handleIn(s *world.State, slot int) *lua.LUserData { return vm.scene.handleIn(s, slot) }

// handleOf returns the handle of an object, nil for no object.
func (vm *VM) handleOf(id world.ObjectID) lua.LValue { return vm.scene.handleOf(id) }

// spawnable returns the classes that a script can spawn, those like name first.
func (vm *VM) spawnable(name string) []string { return vm.objects.spawnable(name) }

// placementOf reads the arguments of spawn for a class.
func (vm *VM) placementOf(L call, class string, args *lua.LTable) (p world.Placement, fields []string) {
	return placementOf(L, vm.objects.named(class), args)
}

// members returns the names in the tables of the classes.
func (vm *VM) members() map[string]map[string]syntax.Place { return vm.objects.members() }

// constants returns the values in the objProps of the classes.
func (vm *VM) constants() map[string]string { return vm.objects.constants() }

// takeConstants gives the classes copies of the objProps that the classes of these names have in a game.
func (vm *VM) takeConstants(game *VM) { vm.objects.takeConstants(game.objects, vm.copyOf) }

// copyOf returns a read-only copy of a table of another VM, without functions and what is kept under tables and
// functions. made are the copies so far.
func (vm *VM) copyOf(t *lua.LTable, made map[*lua.LTable]*lua.LTable) *lua.LTable {
	if out := made[t]; out != nil {
		return out
	}
	out := vm.newTable(0)
	made[t] = out
	for _, k := range sortedTableKeys(t) {
		if hasRank(k) {
			continue
		}
		switch v := valueAt(t, k).(type) {
		case lua.LNumber, lua.LString, lua.LBool:
			out.RawSet(k, v)
		case *lua.LTable:
			out.RawSet(k, vm.copyOf(v, made))
		}
	}
	vm.freeze(out)
	return out
}

// newTable makes a table for scripts.
func (vm *VM) newTable(fields int) *lua.LTable { return vm.states.first().CreateTable(0, fields) }

// freeze makes a table read-only.
func (vm *VM) freeze(t *lua.LTable) { vm.env.freeze(t) }

// freezeCaptured makes what functions have captured read-only. No global leads to the functions. What cannot be
// frozen was refused when the file was compiled.
func (vm *VM) freezeCaptured(functions []*lua.LFunction) {
	list := vm.newTable(0)
	for _, fn := range functions {
		list.Append(fn)
	}
	vm.env.freezeAll([]*lua.LTable{list}, func(*lua.LTable, lua.LValue) place { return place{} })
}

// function makes a Lua function of a function of ours.
func (vm *VM) function(fn func(call) int) *lua.LFunction {
	return vm.env.function(vm.states.first(), fn)
}

// lookTable makes a read-only table of the functions that read the world, and others.
func (vm *VM) lookTable(others []entry) *lua.LTable {
	t := vm.newTable(12)
	for _, e := range vm.queries.entries() {
		t.RawSetString(e.Name, vm.env.provided(e.Name))
	}
	for _, e := range others {
		t.RawSetString(e.Name, vm.function(e.Fn))
	}
	t.RawSetString("arena", vm.env.provided("arena"))
	vm.freeze(t)
	return t
}
