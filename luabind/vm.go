package luabind

import (
	"fmt"

	"github.com/hindcast/hindcast/luabind/internal/ident"
	"github.com/hindcast/hindcast/luabind/internal/numbers"
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/hindcast/hindcast/world"
	lua "github.com/yuin/gopher-lua"
)

// Sizes of an LState and limits of a VM.
const (
	callDepth    = 160  // calls within each other, ours included
	registrySize = 4096 // values on the stack
	maxSpawning  = 8    // onSpawn within onSpawn
	maxHandles   = 1 << 15
	maxInputs    = 256 // input tables kept for a class
)

// VM runs the hooks of a Program: an interpreter of its own, with no state
// that outlives a hook. It is not safe for concurrent use.
type VM struct {
	prog   *Program
	schema *world.Schema
	budget *budget
	// numbers are those that scripts are given, and compute. None outlives a hook
	// but the files' constants.
	numbers *numbers.Numbers
	// states are the interpreters: one for each onSpawn within an onSpawn,
	// because an error in one closes the open variables of all its frames.
	states  []*lua.LState
	broken  bool // to be made anew once the outermost hook has ended
	failed  bool // the hook that ended last ended in a panic
	classes []class
	game    *lua.LUserData
	judge   *lua.LFunction // game.lua's relevant; may be nil
	gone    class          // of handles to objects whose class is not known any more
	handles handles
	methods map[string]*lua.LFunction // of objects: ours
	values  map[string]lua.LValue     // what the files' chunks are given, by syntax.Imported names
	frozen  *lua.LTable               // the metatable that marks tables as read-only
	empty   *lua.LTable               // an empty frozen table
	contact *lua.LTable               // the argument of onContact; nil before the first
	parts   *lua.LTable               // the metatable of lists and records

	loading *loading // set while the files are run
	viewing bool     // it runs a view.lua: there is no world
	bot     *botRun  // set while a bot is asked, or a test looks
	judging botRun   // memory of bot, for relevant
	test    *testRun // set while a test runs
	seeing  bool     // within asSeen

	operandAt int // which operand the last error about one was about
	blamer    *syntax.Blamer

	trace func(world.Change) // is told of every change; may be nil
	ended scriptLine         // of the last hook that was traced

	w        *world.World
	depth    int
	actor    actor
	slots    []int32           // scratch for queries
	scratch  []uint64          // and for writing lists and records
	calls    uint64            // of hooks from outside, and of files
	used     int64             // instructions of the last of them
	patterns map[string][]atom // as read
}

// actor is the object whose hook runs.
type actor struct {
	id    world.ObjectID
	slot  int
	hook  world.Hook
	input *world.Input // of applyInput and simulate
}

// NewVM makes an interpreter with the program loaded. VMs of one Program share
// its byte code.
func (p *Program) NewVM() *VM {
	vm := newVM(p)
	vm.schema = p.schema
	if errs := vm.load(); len(errs) > 0 {
		// It loaded when it was compiled, and loading is deterministic.
		panic(fmt.Sprintf("luabind: a compiled program does not load: %v", errs[0]))
	}
	return vm
}

func newVM(p *Program) *VM {
	return &VM{prog: p, budget: newBudget(), blamer: syntax.NewBlamer(p.sources, p.library), patterns: map[string][]atom{}}
}

// Schema is the schema of the VM's program.
func (vm *VM) Schema() *world.Schema { return vm.schema }

// open makes the first interpreter and what scripts find in it.
func (vm *VM) open() *lua.LState {
	L := vm.newState()
	vm.states = []*lua.LState{L}
	vm.numbers = numbers.New()
	vm.numbers.Watch(L)
	vm.frozen = &lua.LTable{Metatable: lua.LNil}
	vm.empty = &lua.LTable{Metatable: vm.frozen}
	vm.contact = nil
	vm.handles.clear()
	vm.methods, vm.values = map[string]*lua.LFunction{}, map[string]lua.LValue{}
	for _, m := range methodEntries() {
		fn := vm.wrapMethod(L, m)
		vm.methods[m.name], vm.values[syntax.Method(m.name)] = fn, fn
	}
	for _, list := range [][]entry{baseEntries(), worldEntries(), declareEntries(), vm.prog.extra} {
		for _, e := range list {
			vm.provide(e.name, vm.wrap(L, e))
		}
	}
	for _, e := range helperEntries() {
		vm.values[e.name] = vm.wrap(L, e)
	}
	for _, s := range shelves() {
		vm.openShelf(L, s)
	}
	vm.openStrings(L)
	vm.openParts(L)
	vm.openArena(L, &vm.prog.setup)
	for _, n := range ident.Keys(vm.values) {
		L.G.Global.RawSetString(n, vm.values[n])
	}
	return L
}

// num is a number for a script.
func (vm *VM) num(v float64) lua.LValue { return vm.numbers.Value(v) }

// provide gives scripts a value under a name of the library.
func (vm *VM) provide(name string, v lua.LValue) { vm.values[syntax.Imported(name)] = v }

// provided is a value of the library.
func (vm *VM) provided(name string) lua.LValue { return vm.values[syntax.Imported(name)] }

func (vm *VM) newState() *lua.LState {
	L := lua.NewState(lua.Options{CallStackSize: callDepth, RegistrySize: registrySize, SkipOpenLibs: true})
	L.SetContext(vm.budget)
	return L
}

// wrap makes a Lua function of an entry.
func (vm *VM) wrap(L *lua.LState, e entry) *lua.LFunction {
	fn := e.fn
	return L.NewFunction(func(L *lua.LState) int { return fn(vm, L) })
}

// openShelf makes a library table, and provides each member under its full
// name as well.
func (vm *VM) openShelf(L *lua.LState, s shelf) {
	t := L.CreateTable(0, len(s.entries))
	put := func(name string, v lua.LValue) {
		t.RawSetString(name, v)
		vm.provide(s.name+"."+name, v)
	}
	for _, e := range s.entries {
		put(e.name, vm.wrap(L, e))
	}
	for _, n := range ident.Keys(s.numbers) {
		put(n, lua.LNumber(s.numbers[n]))
	}
	t.Metatable = vm.frozen
	vm.provide(s.name, t)
}

// openArena fills in the table of the level's size. There is one for good: the
// files hold on to it.
func (vm *VM) openArena(L *lua.LState, s *world.Setup) {
	t, ok := vm.provided("arena").(*lua.LTable)
	if !ok {
		t = L.CreateTable(0, 2)
		t.Metatable = vm.frozen
		vm.provide("arena", t)
	}
	t.RawSetString("width", lua.LNumber(s.Width))
	t.RawSetString("height", lua.LNumber(s.Height))
}

// state is the interpreter for hooks at the present depth.
func (vm *VM) state() *lua.LState {
	for len(vm.states) <= vm.depth {
		vm.states = append(vm.states, nil)
	}
	if vm.states[vm.depth] == nil {
		keep := *vm.budget // making a thread asks the context once or twice
		thread, _ := vm.states[0].NewThread()
		thread.SetContext(vm.budget)
		vm.numbers.Watch(thread)
		*vm.budget = keep
		vm.states[vm.depth] = thread
	}
	return vm.states[vm.depth]
}

// Call runs one hook of the object in slot, with the object as the acting one.
// A class without the hook does nothing. The error is a *world.ScriptError;
// what the hook did before it stays, unless Panic says that it did nothing.
func (vm *VM) Call(w *world.World, h world.Hook, slot int, a *world.Args) error {
	fn := vm.classes[w.Now.Objects[slot].Class].hooks[h]
	if fn == nil {
		return nil
	}
	if len(vm.handles.of) > maxHandles {
		vm.dropHandles()
	}
	vm.w = w
	vm.calls++
	vm.numbers.Reuse() // no other hook runs: those within one do not come by here
	give := min(HookInstructions, OrderInstructions-w.Spent(slot))
	vm.used = 0
	if give <= 0 {
		return vm.overdrawn(slot, h, fn)
	}
	vm.budget.reset(give, HookMemory)
	err := vm.run(fn, slot, h, a, vm.empty)
	vm.used = give - max(vm.budget.left, 0)
	w.Spend(slot, vm.used)
	if err != nil {
		return err
	}
	return nil
}

// overdrawn is the error of a hook that is not run: those before it in the
// order have used all that the object may.
func (vm *VM) overdrawn(slot int, h world.Hook, fn *lua.LFunction) error {
	se := syntax.Problem(fn.Proto.SourceName, fn.Proto.LineDefined,
		"the hooks of this object used up their budget of %d instructions before this one ran", OrderInstructions)
	se.Tick, se.Object, se.Hook, se.Class, se.Budget = vm.w.Now.Tick, vm.w.Now.Objects[slot].ID, h, vm.w.Class(slot).Name, true
	return se
}

// Instructions returns the number of instructions that the last Call took, those of the onSpawn hooks
// that ran within it included.
func (vm *VM) Instructions() int { return int(vm.used) }

// dropHandles forgets all handles but the one that is a global: no other
// outlives a hook.
func (vm *VM) dropHandles() {
	vm.handles.clear()
	vm.handles.put(world.GameID, vm.game)
}

// run calls a hook's function within the budget that is set.
func (vm *VM) run(fn *lua.LFunction, slot int, h world.Hook, a *world.Args, spawnArgs *lua.LTable) *world.ScriptError {
	outer := vm.actor
	vm.actor = actor{id: vm.w.Now.Objects[slot].ID, slot: slot, hook: h}
	if h == world.ApplyInput || h == world.Simulate {
		vm.actor.input = &a.Input
	}
	mark := vm.w.Mark()
	before := vm.w.Act(slot)
	err := vm.protected(fn, h, a, spawnArgs)
	var se *world.ScriptError
	if err != nil {
		se = vm.luaProblem(err)
		se.Panic = vm.failed
		if vm.failed {
			vm.w.Undo(mark)
		}
		vm.failed = false
		se.Tick, se.Object, se.Hook, se.Class = vm.w.Now.Tick, vm.actor.id, h, vm.w.Class(slot).Name
		if n := len(se.Trace); n > 0 && n < maxTrace {
			se.Trace[n-1].Func = se.Class + ":" + h.String()
		}
	}
	vm.w.Act(before)
	vm.actor = outer
	if vm.broken && vm.depth == 0 {
		vm.rebuild()
	}
	return se
}

// protected pushes function and arguments, calls, and takes the result. A
// panic that gopher-lua lets through leaves its LState useless.
func (vm *VM) protected(fn *lua.LFunction, h world.Hook, a *world.Args, spawnArgs *lua.LTable) (err error) {
	L := vm.state()
	defer func() {
		if r := recover(); r != nil {
			vm.broken, vm.failed = true, true
			vm.states[vm.depth] = nil
			err = fmt.Errorf("internal error: the interpreter failed: %v", r)
		}
	}()
	if vm.trace != nil {
		defer vm.watchLines(L)()
	}
	L.Push(fn)
	args := vm.pushArgs(L, h, a, spawnArgs)
	results := 0
	if h == world.Think || h == world.Verify {
		results = 1
	}
	if err := L.PCall(args, results, nil); err != nil {
		if isPanic(err) {
			vm.broken, vm.failed = true, true
		}
		return err
	}
	if results == 0 {
		return nil
	}
	answer := L.Get(-1)
	L.Pop(1)
	if h == world.Verify {
		a.OK = lua.LVAsBool(answer)
		return nil
	}
	return vm.takeInput(answer, a)
}

// isPanic tells an error of the interpreter from one of a script.
func isPanic(err error) bool {
	ae, ok := err.(*lua.ApiError)
	return ok && ae.Type == lua.ApiErrorPanic
}

// rebuild makes the VM anew after a panic.
func (vm *VM) rebuild() {
	vm.broken = false
	left := *vm.budget
	if errs := vm.load(); len(errs) > 0 {
		panic(fmt.Sprintf("luabind: a compiled program does not load again: %v", errs[0]))
	}
	*vm.budget = left
}

// pushArgs pushes what a hook is given and tells how many values that is.
func (vm *VM) pushArgs(L *lua.LState, h world.Hook, a *world.Args, spawnArgs *lua.LTable) int {
	switch h {
	case world.OnStart, world.OnGameTick:
		return 0
	case world.OnJoin, world.OnLeave:
		L.Push(vm.num(float64(a.Player)))
		return 1
	case world.OnMigrate:
		return vm.pushMigrate(L, a)
	}
	L.Push(vm.self())
	switch h {
	case world.OnSpawn:
		L.Push(spawnArgs)
		return 2
	case world.ApplyInput:
		L.Push(vm.inputTable(&a.Input))
		return 2
	case world.Simulate:
		L.Push(vm.inputTable(&a.Input))
		L.Push(vm.num(float64(a.DT) / world.FrameParts))
		return 3
	case world.Verify:
		L.Push(vm.claimedTable(L, &a.Claimed))
		return 2
	case world.OnContact:
		L.Push(vm.handleOf(a.Other))
		L.Push(vm.contactTable(L, &a.Contact))
		return 3
	case world.OnJointBreak:
		L.Push(vm.handleOf(a.Other))
		L.Push(vm.handleOf(a.JointBreak.Joint))
		return 3
	case world.OnContactEnd, world.OnTrigger:
		L.Push(vm.handleOf(a.Other))
		return 2
	}
	return 1
}

// contactTable is the third argument of onContact: one table for all contacts,
// since no hook of a contact runs within another.
func (vm *VM) contactTable(L *lua.LState, c *world.Contact) *lua.LTable {
	t := vm.contact
	if t == nil {
		t = L.CreateTable(0, 6)
		t.Metatable = vm.frozen
		vm.contact = t
	}
	t.RawSetString("x", vm.num(c.X))
	t.RawSetString("y", vm.num(c.Y))
	t.RawSetString("nx", vm.num(c.NormalX))
	t.RawSetString("ny", vm.num(c.NormalY))
	t.RawSetString("impulse", vm.num(c.Impulse))
	t.RawSetString("speed", vm.num(c.Speed))
	return t
}
