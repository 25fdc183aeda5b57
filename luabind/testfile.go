package luabind

import (
	"errors"
	"fmt"

	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/hindcast/hindcast/world"
	lua "github.com/yuin/gopher-lua"
)

// Stage is the world that a test plays in; who runs the tests gives it. Ticks
// pass in Step, Spawn and Settle only.
type Stage interface {
	// Schema is what the game declares.
	Schema() *world.Schema
	// Open makes the world and lets the players in. It is asked once.
	Open(o StageOptions) error
	// Step plays a number of the host's ticks.
	Step(ticks int) error
	// Input is what a player's objects are to do from now on, by the index of
	// their class. object: this one only, 0 for all of his.
	Input(p world.PlayerID, object world.ObjectID, byClass []world.Input) error
	// Spawn makes an object, which takes a tick.
	Spawn(class string, at world.Placement) (world.ObjectID, error)
	// Look is the present as the host has it, or as a player sees it. Schemas
	// of one bundle are one.
	Look(p world.PlayerID) (*world.State, *world.Schema, error)
	// Confirmed is the host's newest state that cannot change any more.
	Confirmed() (*world.State, *world.Schema, error)
	// Settle lets everybody go on without new inputs until all that was played
	// is confirmed.
	Settle() error
	// Errors are what the game's hooks did wrong since it was last asked.
	Errors() []string
}

// StageOptions are what a test says about its world.
type StageOptions struct {
	Seed    uint64 // 0: the game's
	Players int
	Net     string // a network profile; "": no network between
	Empty   bool   // without the level's walls and spawned objects
}

// What one test may use: hooks run on the game's budget, not on this.
const (
	testInstructions = 50_000_000
	testMemory       = 256 << 20
)

// Tests is a file of tests in Lua, *_test.lua: see docs/modding.md.
type Tests struct {
	vm    *VM
	cases []testCase
}

type testCase struct {
	name string
	line int
	fn   *lua.LFunction
}

// TestLine is a line that a test says: a failure, or a note.
type TestLine struct {
	File   string
	Line   int
	Text   string
	Failed bool
}

// String is FILE:LINE: text.
func (l TestLine) String() string { return fmt.Sprintf("%s:%d: %s", l.File, l.Line, l.Text) }

// NewTests loads a test file. Files of the game are not part of it: a test
// sees the game from outside.
func NewTests(name, source string) (*Tests, error) {
	setup := world.Setup{TickRate: 60, Substeps: 1, Width: 1, Height: 1}
	files := []world.Source{{Name: name, Text: source}}
	if errs := syntax.CheckSources(files); len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	ts := &Tests{}
	p, errs := compileAs(dialect{anyField: true, extra: []entry{{"test", ts.register}}}, files, setup, map[string]bool{})
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	ts.cases = nil // compiling has run the file once
	ts.vm = p.NewVM()
	return ts, nil
}

// Names are those of the tests, in their order.
func (ts *Tests) Names() (names []string) {
	for _, c := range ts.cases {
		names = append(names, c.name)
	}
	return names
}

// register is test(name, function(t) ... end).
func (ts *Tests) register(vm *VM, L *lua.LState) int {
	vm.whileLoading(L, "test")
	name := vm.stringArg(L, 1, "test: the name")
	fn, ok := L.Get(2).(*lua.LFunction)
	if !ok {
		L.RaiseError("test: the second argument must be a function: test(%q, function(t) ... end)", name)
	}
	for _, c := range ts.cases {
		if c.name == name {
			L.RaiseError("test: there is a test %q already, in line %d", name, c.line)
		}
	}
	_, line := placeOf(L)
	ts.cases = append(ts.cases, testCase{name, line, fn})
	return 0
}

// Run plays the i-th test and gives what it says, in order. It has failed if
// any of the lines has.
func (ts *Tests) Run(i int, stage Stage) (lines []TestLine) {
	vm := ts.vm
	r := &testRun{vm: vm, stage: stage, file: vm.prog.files[0]}
	vm.test, vm.w, vm.actor = r, world.New(), actor{slot: -1}
	defer func() { vm.test, vm.bot = nil, nil }()
	r.show(nil, stage.Schema())
	vm.budget.reset(testInstructions, testMemory)
	if err := ts.call(ts.cases[i].fn, r); err != nil {
		se := vm.luaProblem(err)
		r.say(se.File, se.Line, se.Message, true)
	}
	for _, e := range stage.Errors() {
		r.lines = append(r.lines, TestLine{r.file, ts.cases[i].line, "a script failed: " + e, true})
	}
	return r.lines
}

func (ts *Tests) call(fn *lua.LFunction, r *testRun) (err error) {
	L := ts.vm.states[0]
	defer func() {
		if broken := recover(); broken != nil {
			err = fmt.Errorf("internal error: the interpreter failed: %v", broken)
			ts.cases = nil // the interpreter is lost: a new one declares them again
			ts.vm = ts.vm.prog.NewVM()
		}
	}()
	L.Push(fn)
	L.Push(r.table(L, r.checks()))
	return L.PCall(1, 0, nil)
}

// testRun is a test that runs.
type testRun struct {
	vm     *VM
	stage  Stage
	file   string
	lines  []TestLine
	opened bool
}

// show puts a state before the test: what objects and queries see.
func (r *testRun) show(s *world.State, schema *world.Schema) {
	vm := r.vm
	if vm.schema != schema {
		vm.schema = schema
		vm.dropHandles()
		vm.buildClasses(vm.states[0])
		vm.openArena(vm.states[0], &schema.Setup)
	}
	if len(vm.handles.of) > maxHandles {
		vm.dropHandles()
	}
	vm.w.Load(s, schema)
	vm.w.Act(-1)
	vm.bot = &botRun{state: mix(schema.Setup.Seed)}
}

// look shows what the host or a player has now.
func (r *testRun) look(L *lua.LState) {
	s, schema, err := r.stage.Look(0)
	r.must(L, err)
	r.show(s, schema)
}

func (r *testRun) must(L *lua.LState, err error) {
	if err != nil {
		L.RaiseError("%s", err.Error())
	}
}

func (r *testRun) say(file string, line int, text string, failed bool) {
	r.lines = append(r.lines, TestLine{file, line, text, failed})
}

// sayHere notes a line at the place of the script that runs.
func (r *testRun) sayHere(L *lua.LState, failed bool, format string, args ...any) {
	file, line := placeOf(L)
	r.say(file, line, fmt.Sprintf(format, args...), failed)
}

// placeOf is the file and line of the script that called.
func placeOf(L *lua.LState) (file string, line int) {
	if m := rxPlace.FindStringSubmatch(L.Where(1) + " "); m != nil {
		return m[1], atoi(m[2])
	}
	return "", 0
}

// testMethod is a method of a test or of its world; its first argument is
// number 2.
type testMethod struct {
	name string
	fn   func(r *testRun, L *lua.LState) int
}

// table is a table of methods.
func (r *testRun) table(L *lua.LState, methods []testMethod) *lua.LTable {
	t := L.CreateTable(0, len(methods))
	for _, m := range methods {
		fn, name := m.fn, m.name
		t.RawSetString(name, L.NewFunction(func(L *lua.LState) int {
			if L.Get(1) != t {
				L.RaiseError("%s is called with a colon: :%s(...)", name, name)
			}
			return fn(r, L)
		}))
	}
	t.Metatable = r.vm.frozen
	return t
}
