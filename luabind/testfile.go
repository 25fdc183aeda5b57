package luabind

import (
	"errors"
	"fmt"

	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/hindcast/hindcast/world"
	lua "github.com/yuin/gopher-lua"
)

// Stage is the world that a test plays in; who runs the tests gives it. Ticks
// pass in Step, Spawn and Confirm only.
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
	// Confirm lets everybody go on without new inputs until all that was played
	// is confirmed.
	Confirm() error
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
	file  string
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
	ts := &Tests{file: name}
	p, errs := compileAs(dialect{anyField: true, extra: []extra{{entry{"test", ts.register}, true}}}, files, setup, map[string]bool{})
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
func (ts *Tests) register(L call) int {
	name := L.text(1, "test: the name")
	fn, ok := L.Get(2).(*lua.LFunction)
	if !ok {
		L.RaiseError("test: the second argument must be a function: test(%q, function(t) ... end)", name)
	}
	for _, c := range ts.cases {
		if c.name == name {
			L.RaiseError("test: there is a test %q already, in line %d", name, c.line)
		}
	}
	_, line := placeOf(L.LState)
	ts.cases = append(ts.cases, testCase{name, line, fn})
	return 0
}

// Run plays the i-th test and returns what it says, in order. It has failed if
// any of the lines has.
func (ts *Tests) Run(i int, stage Stage) (lines []TestLine) {
	c := ts.cases[i]
	r, log := newTestRun(ts.vm, stage), &testLog{}
	defer ts.vm.lookAt(nil, nil)
	problem, lost := ts.vm.call(c.fn, testAllowance, r.table(r.methods(log)))
	if lost { // a new interpreter declares the tests again
		ts.cases = nil
		ts.vm = ts.vm.again()
	}
	if problem != nil {
		log.say(problem.File, problem.Line, problem.Message, true)
	}
	for _, e := range stage.Errors() {
		log.say(ts.file, c.line, "a script failed: "+e, true)
	}
	return log.all()
}

// placeOf is the file and line of the script that called.
func placeOf(L *lua.LState) (file string, line int) {
	if m := rxPlace.FindStringSubmatch(L.Where(1) + " "); m != nil {
		return m[1], atoi(m[2])
	}
	return "", 0
}
