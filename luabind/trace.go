package luabind

import (
	"github.com/hindcast/hindcast/world"
	lua "github.com/yuin/gopher-lua"
)

// Trace has f told of every change that a hook asks for, with the line that
// does, until it is called again; nil ends it. It changes nothing of what hooks
// do or may use.
func (vm *VM) Trace(f func(world.Change)) { vm.trace = f }

// Place is the script line that is being run, while a hook is.
func (vm *VM) Place() (file string, line int) { return lineOf(vm.state()) }

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
