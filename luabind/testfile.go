package luabind

import (
	"errors"
	"fmt"

	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/hindcast/hindcast/world"
	lua "github.com/yuin/gopher-lua"
)

// Stage is the world in which a test plays. The program that runs the tests implements
// it. Ticks pass only in Step, Spawn, Call, Join, Leave and Confirm.
type Stage interface {
	// Schema returns the game's declarations.
	Schema() *world.Schema
	// Game returns the game's scripts, whose objProps tests see; nil: they are not known, as before Open.
	Game() *VM
	// Open makes the world and lets the players join. It is called once.
	Open(o StageOptions) error
	// Step plays a number of ticks of the host.
	Step(ticks int) error
	// Input sets the inputs of a player's objects from now on, by the index of their
	// class. If object is not 0, it sets the input of this object only.
	Input(p world.PlayerID, object world.ObjectID, byClass []world.Input) error
	// Spawn makes an object with these fields: numbers, booleans, texts and ids, []any for lists,
	// map[string]any for records. That takes a tick.
	Spawn(class string, at world.Placement, fields map[string]any) (world.ObjectID, error)
	// Call calls a function of game.lua, as the host program does. That takes a tick.
	Call(function string, args []world.Value) error
	// Join has one more player join, with answers to the entry form as in "team=Red kit=Scout" ("-": none), and plays
	// until the player is there.
	Join(answers string) (world.PlayerID, error)
	// Leave has a player leave. That takes a tick; the player's objects stay for the grace time.
	Leave(p world.PlayerID) error
	// Cues returns the cues of the host so far, in the order of their ticks. What a late input has taken back is not
	// among them.
	Cues() []world.Cue
	// Look returns the present state of the host, or of the client of a player,
	// with its schema. The schemas of one bundle are identical.
	Look(p world.PlayerID) (*world.State, *world.Schema, error)
	// Confirmed returns the newest committed state of the host.
	Confirmed() (*world.State, *world.Schema, error)
	// Confirm releases all inputs and plays on until all ticks are confirmed on the
	// host and on the clients.
	Confirm() error
	// Errors returns the errors of the game's hooks since the last call.
	Errors() []string
}

// StageOptions are the arguments of t:world.
type StageOptions struct {
	Seed    uint64 // 0: the game's
	Players int    // who join at the start
	Net     string // a network profile; "": no network
	Empty   bool   // without the level's walls and spawned objects
}

// Limits of one test. The hooks of the game run on their own budgets.
const (
	testInstructions = 50_000_000
	testMemory       = 256 << 20
)

// Tests is a test file, *_test.lua. docs/modding.md describes them.
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

// TestLine is a line of output of a test: a failure or a note.
type TestLine struct {
	File   string // of the test
	Line   int    // from 1
	Text   string // the message
	Failed bool   // a failure; otherwise a note
}

// String returns FILE:LINE: text.
func (l TestLine) String() string { return fmt.Sprintf("%s:%d: %s", l.File, l.Line, l.Text) }

// NewTests loads a test file. It does not load the files of the game: a test
// sees the game from outside. The error joins every problem, each a
// *world.ScriptError.
func NewTests(name, source string) (*Tests, error) {
	setup := world.Setup{TickRate: 60, Substeps: 1, Width: 1, Height: 1}
	files := []world.Source{{Name: name, Text: source}}
	if errs := syntax.CheckSources(files); len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	ts := &Tests{file: name}
	p, errs := compileAs(dialect{
		anyField: true,
		work:     syntax.NewWork(syntax.MostWork),
		extra:    []extra{{entry{"test", ts.register}, true}},
	}, files, setup, map[string]bool{})
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	ts.cases = nil // compiling has run the file once
	ts.vm = p.NewVM()
	ts.vm.objects.outside = true
	return ts, nil
}

// Names returns the names of the tests, in their order.
func (ts *Tests) Names() (names []string) {
	for _, c := range ts.cases {
		names = append(names, c.name)
	}
	return names
}

// register implements test(name, function(t) ... end).
func (ts *Tests) register(L call) int {
	name := L.text(1, "test: the name")
	fn, ok := L.Get(2).(*lua.LFunction)
	if !ok {
		L.RaiseError("test: the second argument must be a function: test(%q, function(t) ... end)", name)
	}
	for _, c := range ts.cases {
		if c.name == name {
			L.RaiseError("test: a test %q is already declared in line %d", name, c.line)
		}
	}
	_, line := placeOf(L.LState)
	ts.cases = append(ts.cases, testCase{name, line, fn})
	return 0
}

// Run plays the i-th test and returns its output. The test has failed if any
// line has.
func (ts *Tests) Run(i int, stage Stage) (lines []TestLine) {
	c := ts.cases[i]
	r, log := newTestRun(ts.vm, stage), &testLog{}
	defer ts.vm.lookAway()
	_, problem, lost := ts.vm.runAlone(c.fn, testAllowance, r.table(r.methods(log)))
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

// placeOf returns the file and the line of the script that called.
func placeOf(L *lua.LState) (file string, line int) {
	if m := rxPlace.FindStringSubmatch(L.Where(1) + " "); m != nil {
		return m[1], atoi(m[2])
	}
	return "", 0
}
