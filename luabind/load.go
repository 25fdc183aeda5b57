package luabind

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/hindcast/hindcast/world"
	lua "github.com/yuin/gopher-lua"
)

// load runs the files, reads what they declare, and freezes everything. If
// schema is nil, it makes the schema from the declarations.
func (vm *VM) load(schema *world.Schema) []error {
	L := vm.beginLoading()
	defer vm.endLoading()
	found := vm.loader.collected()
	for _, c := range vm.prog.inTurn() {
		if err := vm.runChunk(L, c); err != nil {
			return append(found.failed(), err) // later files would fail because of it
		}
	}
	found.finish(L.G.Global, vm.prog.writes, vm.prog.chunks, false)
	if errs := found.failed(); len(errs) > 0 {
		return errs
	}
	if schema == nil {
		var err error
		if schema, err = vm.prog.schemaOf(found); err != nil {
			return []error{err}
		}
		for _, d := range found.list {
			vm.prog.placed[d.class().Name] = d.where
		}
	}
	vm.filters, vm.calls = found.asked(), found.hostCalls()
	vm.objects.define(L, schema)
	found.give(vm.objects)
	modules := vm.modules.table()
	frozen := vm.env.freezeAll(append(vm.objects.tables(), L.G.Global, modules),
		func(of *lua.LTable, key lua.LValue) place {
			name, _ := key.(lua.LString)
			switch {
			case of == L.G.Global:
				return vm.prog.writes[string(name)]
			case of == modules:
				return place{File: string(name), Line: 1}
			}
			return vm.prog.placed[vm.objects.withTable(of)]
		})
	vm.lang.weak.functions = frozen.functions()
	vm.lang.limits().keep(frozen.longest())
	return frozen.problems()
}

// loadLoosely runs the files of a bundle that has errors, and returns the errors of
// their declarations.
func (vm *VM) loadLoosely() []error {
	L := vm.beginLoading()
	defer vm.endLoading()
	for _, c := range vm.prog.inTurn() {
		if c.Proto != nil {
			_ = vm.runChunk(L, c) // may fail because of the errors
		}
	}
	found := vm.loader.collected()
	found.finish(L.G.Global, vm.prog.writes, vm.prog.chunks, true)
	return found.failed()
}

func (vm *VM) beginLoading() *lua.LState {
	L := vm.open()
	vm.modules.begin()
	vm.loader.begin(L)
	vm.lang.beginLoading()
	return L
}

func (vm *VM) endLoading() {
	vm.loader.end()
	vm.lang.endLoading()
}

func (vm *VM) runChunk(L *lua.LState, c *syntax.Chunk) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = syntax.Problem(vm.prog.files[0], 1, "internal error: the interpreter failed: %v", r)
		}
	}()
	if vm.modules.has(c.File) { // a file before it required it
		return nil
	}
	L.Push(L.NewFunction(func(L *lua.LState) int {
		vm.modules.load(L, c.File)
		return 0
	}))
	if err := L.PCall(0, 0, nil); err != nil {
		se := vm.problems.of(err)
		se.Message += vm.prog.setLater(se)
		return se
	}
	return nil
}

// inTurn returns the files in the order in which they run, unless others require them before: modules come last,
// because
// only functions require those that have not run by then.
func (p *Program) inTurn() []*syntax.Chunk {
	chunks := slices.Clone(p.chunks)
	slices.SortStableFunc(chunks, func(a, b *syntax.Chunk) int {
		switch m := syntax.IsModule(a.File); {
		case m == syntax.IsModule(b.File):
			return 0
		case m:
			return 1
		}
		return -1
	})
	return chunks
}

// runModule runs a file and returns the value that it returns.
func (vm *VM) runModule(L *lua.LState, file string) lua.LValue {
	i := slices.IndexFunc(vm.prog.chunks, func(c *syntax.Chunk) bool { return c.File == file })
	if i < 0 || vm.prog.chunks[i].Proto == nil {
		L.RaiseError("%s cannot be loaded, because it has errors", file)
	}
	c := vm.prog.chunks[i]
	L.Push(L.NewFunctionFromProto(c.Proto))
	vm.env.pushImports(L, c.Imports)
	L.Call(len(c.Imports), 1)
	v := L.Get(-1)
	L.Pop(1)
	return v
}

// setLater explains an error about nil in the main chunk of a file: the line uses a global that a file
// sets which is loaded later. It is "" if the line uses none.
func (p *Program) setLater(se *world.ScriptError) string {
	at := slices.Index(p.files, se.File)
	if at < 0 || !strings.Contains(se.Message, "nil value") {
		return ""
	}
	lines := strings.Split(p.sources[at].Text, "\n")
	if se.Line < 1 || se.Line > len(lines) {
		return ""
	}
	for _, name := range rxName.FindAllString(lines[se.Line-1], -1) {
		if set, ok := p.writes[name]; ok && slices.Index(p.files, set.File) > at {
			return fmt.Sprintf(
				"; %s is set in %s, which is loaded after %s: files are loaded in the order of their names", name,
				set.File, se.File)
		}
	}
	return ""
}

// rxName matches what may be a name.
var rxName = regexp.MustCompile(`[A-Za-z_][A-Za-z0-9_]*`)

// schemaOf makes the schema from the declarations of the files.
func (p *Program) schemaOf(found *declared) (*world.Schema, error) {
	classes := found.classes()
	for i := range classes {
		p.countPresses(classes[i].Inputs)
	}
	p.findCarried(classes, found)
	schema, err := world.NewSchema(classes, p.setup, found.functions()...)
	if err != nil {
		return nil, found.schemaProblem(err)
	}
	schema.Teams = found.joining().options()
	return schema, nil
}

// countPresses makes the presses of the buttons counted that any file asks for.
func (p *Program) countPresses(fields []world.InputField) {
	for i := range fields {
		f := &fields[i]
		f.Counted = !f.Axis &&
			slices.ContainsFunc(p.chunks, func(c *syntax.Chunk) bool { return c.Presses.Has(f.Name) })
	}
}

// findCarried makes the bodies Carried of the classes whose objects any file attaches to others.
func (p *Program) findCarried(classes []world.Class, found *declared) {
	every, of := false, map[string]bool{}
	for _, c := range p.chunks {
		every = every || c.Attached.Any
		// order: of is a set
		for name := range c.Attached.Of {
			of[name] = true
			every = every ||
				// a variable of another name
				!slices.ContainsFunc(classes, func(c world.Class) bool { return c.Name == name })
		}
	}
	of = found.descendants(of)
	for i := range classes {
		c := &classes[i]
		if c.Body != nil {
			c.Body.Carried = every || of[c.Name]
		}
	}
}
