package luabind

import (
	"fmt"

	"github.com/hindcast/hindcast/luabind/internal/api"
	"github.com/hindcast/hindcast/world"
	lua "github.com/yuin/gopher-lua"
)

// RelevantInstructions is what relevant may use for one answer: a host asks it
// for many pairs in a tick.
const RelevantInstructions = 10_000

// HasRelevancy reports whether game.lua has a function relevant.
func (vm *VM) HasRelevancy() bool { return vm.judge != nil }

// Relevant asks game.lua's relevant(viewer, object) whether the owner of the
// object in slot viewer is to be told of the one in slot object. It reads w as
// it is between ticks and changes nothing that lasts. An error is a
// *world.ScriptError; there is no answer then.
func (vm *VM) Relevant(w *world.World, viewer, object int) (bool, error) {
	if vm.judge == nil {
		return true, nil
	}
	if len(vm.handles.of) > maxHandles {
		vm.dropHandles()
	}
	o, v := &w.Now.Objects[object], &w.Now.Objects[viewer]
	vm.w, vm.actor = w, actor{id: v.ID, slot: viewer}
	vm.judging = botRun{state: mix(w.Schema().Setup.Seed^uint64(o.ID)) ^ uint64(w.Now.Tick), as: relevantOnlyLooks}
	vm.bot = &vm.judging
	vm.calls++
	vm.numbers.Reuse()
	vm.budget.reset(RelevantInstructions, HookMemory)
	defer w.Act(w.Act(viewer))
	defer func() { vm.bot = nil }()
	answer, err := vm.askJudge(vm.handle(v.ID, &vm.classes[v.Class]), vm.handle(o.ID, &vm.classes[o.Class]))
	if err != nil {
		se := vm.luaProblem(err)
		se.Tick, se.Object, se.Class, se.Panic = w.Now.Tick, o.ID, world.GameClass, vm.failed
		vm.failed = false
		if vm.broken {
			vm.rebuild()
		}
		return false, se
	}
	return lua.LVAsBool(answer), nil
}

const relevantOnlyLooks = api.Relevant + " may look at the world, not change it: it gives back true or false"

func (vm *VM) askJudge(viewer, object lua.LValue) (answer lua.LValue, err error) {
	L := vm.states[0]
	defer func() {
		if r := recover(); r != nil {
			vm.broken, vm.failed = true, true
			err = fmt.Errorf("internal error: the interpreter failed: %v", r)
		}
	}()
	L.Push(vm.judge)
	L.Push(viewer)
	L.Push(object)
	if err := L.PCall(2, 1, nil); err != nil {
		if isPanic(err) {
			vm.broken, vm.failed = true, true
		}
		return nil, err
	}
	answer = L.Get(-1)
	L.Pop(1)
	return answer, nil
}
