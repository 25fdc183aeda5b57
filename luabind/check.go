package luabind

import "github.com/hindcast/hindcast/world"

// assert panics if an invariant of this package does not hold. That is a mistake
// in this package or in what drives it, never in a script. Callers test
// Calls.Check first.
func assert(holds bool, invariant string) {
	if !holds {
		panic("luabind: " + invariant)
	}
}

// checkBefore asserts the preconditions of a hook that is called from outside.
func (vm *VM) checkBefore(a world.Actor, slot int) {
	vm.rights.checkHook()
	vm.states.checkIdle()
	vm.objects.checkObject(a, slot)
}

// checkAfter asserts the invariants after a hook. acting is the slot of the acting
// object before it.
func (vm *VM) checkAfter(a world.Actor, acting int) {
	vm.rights.checkHook()
	vm.states.checkIdle()
	vm.objects.checkHandles()
	assert(vm.used >= 0 && vm.used <= HookInstructions, "a hook used more instructions than its budget has")
	assert(a.Calls().Acting() == acting, "a hook leaves another acting object")
	assert(vm.scene.acting() == actor{}, "a hook leaves an acting object of the scene")
}

// checkHook asserts that a hook of the simulation runs, or may run.
func (ri *rights) checkHook() {
	assert(ri.phase == inHook, "a hook runs while files are loaded, or in view.lua")
	assert(ri.asking == nil, "a hook runs within a question")
	assert(!ri.seeing, "a hook begins or ends within asSeen")
}

// checkIdle asserts that no hook runs, and that none has left values behind.
func (in *interpreters) checkIdle() {
	assert(in.depth == 0 && in.spawning == 0 && in.protected == 0, "a hook is called from outside within a hook")
	assert(!in.broken && !in.failed, "a panic of an interpreter was not dealt with")
	for _, L := range in.states {
		assert(L == nil || L.GetTop() == 0, "a hook leaves values on the stack")
	}
}

// checkObject asserts that there is an object in slot, of a class that the VM
// knows.
func (ob *objects) checkObject(a world.Actor, slot int) {
	o := &a.State().Objects[slot]
	assert(o.ID != 0, "a hook of an empty slot is called")
	assert(int(o.Class) < len(ob.classes), "an object is of a class that the scripts do not declare")
	assert(ob.classes[o.Class].def().Name == a.Class(slot).Name, "the world has another schema than the scripts")
}

// checkHandles asserts that the handles agree with each other.
func (ob *objects) checkHandles() { ob.handles.check() }
