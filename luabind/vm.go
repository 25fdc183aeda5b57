package luabind

import (
	"fmt"
	"slices"

	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/hindcast/hindcast/world"
	lua "github.com/yuin/gopher-lua"
)

// VM runs the hooks of a Program. It has no state that outlives a hook, and is
// not safe for concurrent use.
//
// A VM is composed of parts. From the bottom up: the language and the rights of code
// (language, rights), its interpreters and globals (interpreters, environment), its
// view of the world (objects, scene, tracer), the functions that it calls (fields,
// writer, lists, bodies, queries, spawner, joints, cues, printer, timers, levels, teams),
// and the parts that call it (hookArgs, problems, runner, loader). The functions that show
// fields have interpreters of their own (display).
type VM struct {
	prog    *Program
	lang    *language
	rights  *rights
	states  *interpreters
	env     *environment
	objects *objects
	tracer  *tracer
	scene   *scene

	fields  *fields
	writer  *writer
	lists   *lists
	bodies  *bodies
	queries *queries
	spawner *spawner
	joints  *joints
	cues    *cues
	printer *printer
	guard   *protector
	modules *modules
	locals  *locals
	threads *coroutines
	timers  *timers
	levels  *levels
	teams   *teams

	args     *hookArgs
	problems *problems
	runner   *runner
	loader   *loader

	filters filters // of game.lua
	calls   hostCalls
	display *display
	asked   question // memory of the question that is being asked
	used    int64    // instructions of the last hook
}

// newVM puts the parts of a VM together. Nothing is loaded yet.
func newVM(p *Program) *VM {
	vm := &VM{prog: p, lang: newLanguage(p.captures, p.ofFile), rights: &rights{}, tracer: &tracer{}}
	vm.locals = &locals{rights: vm.rights, of: p.locals, scratch: &vm.lang.scratch,
		tables: &vm.lang.scratchTables}
	vm.states = &interpreters{lang: vm.lang}
	vm.env = &environment{lang: vm.lang}
	env, sc := vm.env, newScene(vm.rights, vm.tracer)
	vm.objects = newObjects(env, p.library, func(L *lua.LState, def *world.Class) *lua.LTable {
		return inputMeta(L, env, sc, def)
	})
	sc.find(vm.objects)
	vm.scene = sc
	vm.fields = &fields{scene: vm.scene, objects: vm.objects}
	vm.writer = &writer{rights: vm.rights, scene: vm.scene, objects: vm.objects, fields: vm.fields}
	vm.objects.read = vm.fields.getField
	vm.lists = &lists{env: vm.env, scene: vm.scene, fields: vm.fields, writer: vm.writer}
	vm.bodies = &bodies{env: vm.env, rights: vm.rights, scene: vm.scene, objects: vm.objects}
	vm.queries = &queries{env: vm.env, rights: vm.rights, scene: vm.scene, objects: vm.objects}
	vm.joints = &joints{env: vm.env, rights: vm.rights, scene: vm.scene, objects: vm.objects}
	vm.cues = &cues{env: vm.env, rights: vm.rights, scene: vm.scene}
	vm.printer = &printer{rights: vm.rights, scene: vm.scene, states: vm.states}
	vm.problems = &problems{files: p.files, lang: vm.lang, states: vm.states, blamer: syntax.NewBlamer(p.sources, p.library)}
	vm.guard = &protector{states: vm.states, problems: vm.problems}
	vm.threads = &coroutines{lang: vm.lang, states: vm.states, guard: vm.guard}
	vm.modules = &modules{rights: vm.rights, env: vm.env, files: p.files, run: vm.runModule,
		text: vm.problems.text}
	vm.args = &hookArgs{env: vm.env, states: vm.states, scene: vm.scene, objects: vm.objects, fields: vm.fields}
	vm.runner = &runner{
		lang:     vm.lang,
		states:   vm.states,
		scene:    vm.scene,
		objects:  vm.objects,
		args:     vm.args,
		problems: vm.problems,
		tracer:   vm.tracer,
	}
	vm.spawner = &spawner{
		env:     vm.env,
		rights:  vm.rights,
		scene:   vm.scene,
		objects: vm.objects,
		writer:  vm.writer,
		runner:  vm.runner,
	}
	vm.loader = &loader{rights: vm.rights, env: vm.env, objects: vm.objects, library: p.library, places: p.decls}
	vm.timers = &timers{rights: vm.rights, scene: vm.scene, objects: vm.objects}
	vm.levels = &levels{rights: vm.rights, scene: vm.scene}
	vm.teams = &teams{rights: vm.rights, scene: vm.scene, objects: vm.objects, loader: vm.loader}
	vm.display = &display{prog: p}
	return vm
}

// NewVM returns a VM with the program loaded. VMs of one Program share its byte
// code.
func (p *Program) NewVM() *VM {
	vm := newVM(p)
	vm.reload()
	return vm
}

// reload loads the program, which loaded when it was compiled. Loading is
// deterministic.
func (vm *VM) reload() {
	if errs := vm.load(vm.prog.schema); len(errs) > 0 {
		panic(fmt.Sprintf("luabind: a compiled program does not load: %v", errs[0]))
	}
}

// globals returns the functions that every script finds.
func (vm *VM) globals() (all []entry) {
	for _, list := range [][]entry{baseEntries(), metaEntries(), vm.guard.entries(), vm.modules.entries(),
		vm.lists.entries(), vm.printer.entries(), vm.queries.entries(), vm.joints.entries(),
		vm.spawner.entries(), vm.cues.entries(), vm.timers.entries(), vm.levels.entries(), vm.teams.entries(),
		vm.loader.entries(),
		(&lineup{vm.rights, vm.scene, vm.objects, vm.env, vm.spawner}).entries()} {
		all = append(all, list...)
	}
	return all
}

// methods returns the methods of objects.
func (vm *VM) methods() []methodEntry { return append(vm.joints.methods(), vm.bodies.methods()...) }

// libraryTables returns the tables of the library.
func (vm *VM) libraryTables() []libraryTable {
	all := append(libraryTables(), vm.lists.table(), vm.threads.table())
	for i := range all {
		if all[i].Name == "math" {
			all[i].Entries = append(all[i].Entries, entry{"random", vm.queries.random})
		}
	}
	return all
}

// open makes the first interpreter with its globals.
func (vm *VM) open() *lua.LState {
	L := vm.states.open()
	vm.env.open()
	vm.args.open()
	vm.objects.open()
	vm.env.bindMethods(L, vm.methods())
	vm.env.bind(L, vm.globals())
	vm.env.bind(L, vm.extra())
	vm.env.bindHelpers(L, slices.Concat(baseHelpers(), vm.lists.helpers(), vm.writer.helpers(), vm.locals.helpers()))
	for _, s := range vm.libraryTables() {
		vm.env.bindLibrary(L, s)
	}
	vm.threads.open(L)
	vm.env.bindStrings(L)
	vm.env.provide("_VERSION", lua.LString("Lua 5.1"))
	vm.lang.metas.open(L, func(fn func(call) int) *lua.LFunction { return vm.env.operator(L, fn) }, vm.fields.index)
	vm.lang.scratchTables.missing = vm.env.operator(L, luaMissing)
	vm.lang.scratchTables.whole = vm.env.operator(L, luaWhole)
	vm.fields.open(L, vm.env)
	vm.env.setArena(L, vm.prog.setup.Width, vm.prog.setup.Height)
	vm.env.publish(L)
	return L
}

// extra returns the functions of files of a kind of their own.
func (vm *VM) extra() (list []entry) {
	for _, e := range vm.prog.extra {
		list = append(list, entry{e.Name, func(L call) int {
			if e.LoadingOnly {
				vm.rights.whileLoading(L, e.Name)
			}
			return e.Fn(L)
		}})
	}
	return list
}

// FieldPlace returns where a field of a class is declared: its line, or that of the declaration which it is part of. ok
// is false if no file declares the class.
func (vm *VM) FieldPlace(class, field string, aux bool) (file string, line int, ok bool) {
	at, ok := vm.prog.placed[class]
	part := "state"
	if aux {
		part = "aux"
	}
	if line = at.Line; at.Keys != nil {
		line = at.Keys.Find(part, field)
	}
	return at.File, line, ok && at.File != ""
}

// ClassPlace returns where a class is declared. ok is false if that is not known.
func (vm *VM) ClassPlace(class string) (file string, line int, ok bool) {
	at, ok := vm.prog.placed[class]
	return at.File, at.Line, ok && at.File != ""
}

// HookPlace returns where the function of a hook of a class begins. ok is false if there is none.
func (vm *VM) HookPlace(class string, h world.Hook) (file string, line int, ok bool) {
	i, ok := vm.Schema().ClassByName(class)
	if !ok {
		return "", 0, false
	}
	fn := vm.objects.class(uint16(i)).hook(h)
	if fn == nil || fn.Proto == nil {
		return "", 0, false
	}
	return fn.Proto.SourceName, fn.Proto.LineDefined, true
}

// Schema returns the schema of the VM's program.
func (vm *VM) Schema() *world.Schema { return vm.objects.inForce() }

// Call runs one hook of the object in slot, with the object as the acting one. A class
// without the hook does nothing. The error is a *world.ScriptError. The effects of the
// hook before the error stay, unless Panic is set: then it has no effect.
func (vm *VM) Call(a world.Actor, h world.Hook, slot int, args *world.Args) error {
	if !a.Calls().Check() {
		return vm.call(a, h, slot, args)
	}
	vm.checkBefore(a, slot)
	acting := a.Calls().Acting()
	err := vm.call(a, h, slot, args)
	vm.checkAfter(a, acting)
	return err
}

// call is Call without asserts.
func (vm *VM) call(on world.Actor, h world.Hook, slot int, a *world.Args) error {
	if h == world.HostEvent && answered(on, a.Event) != nil && !vm.admits(on, a.Event) {
		return nil
	}
	fn := vm.hook(on, h, slot, a)
	if fn == nil {
		return nil
	}
	vm.objects.trim()
	vm.enter(on, actor{})
	left := min(HookInstructions, OrderInstructions-on.Calls().Spent(slot))
	vm.used = 0
	vm.lang.begin(left, hookAllowance)
	if left <= 0 {
		return vm.overdrawn(on, slot, h, fn, a)
	}
	err := vm.runner.run(fn, slot, h, a, vm.env.none())
	vm.used = vm.lang.limits().used(left)
	on.Calls().Spend(slot, vm.used)
	vm.mend()
	if err != nil {
		return err
	}
	return nil
}

// hook returns the function that a hook calls, nil if there is none.
func (vm *VM) hook(on world.Actor, h world.Hook, slot int, a *world.Args) *lua.LFunction {
	if h == world.HostEvent {
		return vm.calls.function(a.Event)
	}
	class := vm.objects.class(on.State().Objects[slot].Class)
	if h == world.OnTimer {
		return class.timer(a.Timer)
	}
	return class.hook(h)
}

// overdrawn returns the error of a hook that is not run, because earlier hooks of the
// order have used the object's whole budget.
func (vm *VM) overdrawn(on world.Actor, slot int, h world.Hook, fn *lua.LFunction, a *world.Args) error {
	o := &on.State().Objects[slot]
	name := hookName{vm.objects.class(o.Class).def(), h, a}
	se := syntax.Problem(fn.Proto.SourceName, fn.Proto.LineDefined,
		"the hooks of %s used up their budget of %d instructions: those before this one, %s, used all of it; "+
			"spread their work over several ticks", name.object(), OrderInstructions, name)
	se.Tick, se.Object, se.Hook, se.Budget = on.State().Tick, o.ID, h, true
	se.Class = vm.objects.class(o.Class).def().Name
	return se
}

// mend makes the interpreters anew after a panic in one.
func (vm *VM) mend() {
	if !vm.states.takeBroken() {
		return
	}
	left := *vm.lang.limits()
	vm.reload()
	*vm.lang.limits() = left
}

// Instructions returns the number of instructions that the last Call took, those
// of the onSpawn hooks that ran within it included.
func (vm *VM) Instructions() int { return int(vm.used) }

// TraceChanges calls f for every change of a hook, with its line, until it is called
// again. A nil f ends the trace. A trace does not change the effects or the budgets of
// hooks.
func (vm *VM) TraceChanges(f func(world.Change)) { vm.tracer.trace(f) }

// WatchPending calls f with what scripts overlook, until it is called again: a hook reads a field of another object
// that it has changed, so that it has the old value until the order ends, or two objects compute a new value for one
// field in the same order. The ScriptError is no error of the hook. A nil f ends it. It is for trial runs, because it
// takes time; it does not change the effects or the budgets of hooks.
func (vm *VM) WatchPending(f func(*world.ScriptError)) { vm.scene.pending.watch(f) }

// Line returns the script line that is being run. It is valid while a hook runs.
func (vm *VM) Line() (file string, line int) { return lineOf(vm.states.present()) }

// ReturnLine returns the line at which the last hook ended that ran while changes
// were traced, usually the line of its return. A line of 0 means that there was
// none.
func (vm *VM) ReturnLine() (file string, line int) { return vm.tracer.returned() }

// knowTeams notes the teams that other files have declared.
func (vm *VM) knowTeams(list []world.Option) { vm.loader.know(list) }
