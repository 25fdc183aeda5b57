package luabind

import (
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/hindcast/hindcast/world"
	lua "github.com/yuin/gopher-lua"
)

// loading is what running the files of a bundle brings together.
type loading struct {
	decls []*declaration
	errs  []error
	game  *declaration

	partial bool // not all classes may be there
}

// trial loads a program for the first time and makes its schema.
func (p *Program) trial() (*VM, []error) {
	vm := newVM(p)
	errs := vm.load()
	return vm, errs
}

// load runs the files, reads off what they declared, and freezes everything.
func (vm *VM) load() []error {
	L := vm.beginLoading()
	defer vm.endLoading()
	for _, c := range vm.prog.chunks {
		if err := vm.runChunk(L, c); err != nil {
			return append(vm.loading.errs, err) // the files after it would only follow suit
		}
	}
	errs := append(vm.loading.errs, vm.finishDeclarations(L)...)
	if len(errs) > 0 {
		return errs
	}
	if vm.schema == nil {
		schema, err := world.NewSchema(vm.worldClasses(), vm.prog.setup)
		if err != nil {
			return []error{vm.schemaProblem(err)}
		}
		vm.schema = schema
	}
	vm.buildClasses(L)
	return vm.freezeAll(L)
}

// loadLoosely runs the files of a bundle that is at fault, and gives what their
// declarations do wrong.
func (vm *VM) loadLoosely() []error {
	L := vm.beginLoading()
	defer vm.endLoading()
	for _, c := range vm.prog.chunks {
		if c.Proto != nil {
			_ = vm.runChunk(L, c) // may follow from what is at fault
		}
	}
	vm.loading.partial = true
	return append(vm.loading.errs, vm.finishDeclarations(L)...)
}

func (vm *VM) beginLoading() *lua.LState {
	L := vm.open()
	vm.loading = &loading{}
	vm.calls++
	vm.openGame(L)
	vm.budget.reset(loadInstructions, loadMemory)
	return L
}

func (vm *VM) endLoading() {
	vm.loading = nil
	vm.numbers.Keep() // the constants of the files
}

func (vm *VM) runChunk(L *lua.LState, c *syntax.Chunk) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = syntax.Problem(vm.prog.files[0], 1, "internal error: the interpreter failed: %v", r)
		}
	}()
	L.Push(L.NewFunctionFromProto(c.Proto))
	for _, n := range c.Imports {
		L.Push(vm.values[n])
	}
	if err := L.PCall(len(c.Imports), 0, nil); err != nil {
		return vm.luaProblem(err)
	}
	return nil
}

// helperEntries are the functions that rewritten code calls, and the steps of
// ipairs and pairs.
func helperEntries() []entry {
	return []entry{
		{syntax.Get, (*VM).luaGet}, {syntax.Set, (*VM).luaSet}, {syntax.Change, (*VM).luaChange}, {syntax.Concat, (*VM).luaConcat}, {syntax.Pow, (*VM).luaPow},
		{syntax.Table, (*VM).luaTable}, {syntax.List, (*VM).luaList}, {syntax.Put, (*VM).luaPut},
		{syntax.Closure, (*VM).luaClosure}, {syntax.Varargs, (*VM).luaVarargs},
		{syntax.NextIndex, (*VM).luaNextIndex}, {syntax.NextKey, (*VM).luaNextKey},
	}
}
