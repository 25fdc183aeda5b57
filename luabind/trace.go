package luabind

import (
	"context"

	"github.com/hindcast/hindcast/world"
	lua "github.com/yuin/gopher-lua"
)

// TraceChanges has f told of every change that a hook asks for, with the line that
// does, until it is called again; nil ends it. It changes nothing of what hooks
// do or may use.
func (vm *VM) TraceChanges(f func(world.Change)) { vm.trace = f }

// Line is the script line that is being run, while a hook is.
func (vm *VM) Line() (file string, line int) { return lineOf(vm.state()) }

// ReturnLine is where the last hook ended that was run under Trace: as a rule the
// line of its return. 0: nowhere.
func (vm *VM) ReturnLine() (file string, line int) { return vm.ended.file, vm.ended.line }

// scriptLine is a line of a script.
type scriptLine struct {
	file string
	line int
}

// lineWatch is a budget that notes the line of every instruction.
type lineWatch struct {
	*budget
	L  *lua.LState
	at *scriptLine
}

var _ context.Context = lineWatch{}

// Done is called before each instruction.
func (w lineWatch) Done() <-chan struct{} {
	w.at.file, w.at.line = lineOf(w.L)
	return w.budget.Done()
}

// watchLines has it noted, while a trace is on, in which line a hook ends, until
// the function that it gives is called.
func (vm *VM) watchLines(L *lua.LState) (end func()) {
	vm.ended = scriptLine{}
	L.SetContext(lineWatch{vm.budget, L, &vm.ended})
	return func() { L.SetContext(vm.budget) }
}

// tell reports a change; spawned is the class of a new object.
func (vm *VM) tell(L *lua.LState, op world.Op, spawned string) {
	if vm.trace == nil {
		return
	}
	file, line := lineOf(L)
	vm.trace(world.Change{By: vm.actor.id, Hook: vm.actor.hook, Op: op, Spawned: spawned, File: file, Line: line})
}

// lineOf is the script line that is being run: that of the innermost function
// that is not one of ours.
func lineOf(L *lua.LState) (file string, line int) {
	for level := 0; ; level++ {
		frame, ok := L.GetStack(level)
		if !ok {
			return "", 0
		}
		if _, err := L.GetInfo("Sl", frame, lua.LNil); err == nil && frame.CurrentLine > 0 {
			return frame.Source, frame.CurrentLine
		}
	}
}
