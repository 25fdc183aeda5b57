package luabind

import (
	"github.com/hindcast/hindcast/luabind/internal/numbers"
	"github.com/hindcast/hindcast/world"
	lua "github.com/yuin/gopher-lua"
)

// Sizes of an interpreter. Listing the calls of an error takes a time that grows with the square of their number. An
// error in the first interpreter ends the hook. Those of the others may be caught, again and again.
const (
	callDepth  = 1000 // calls within each other in the first interpreter, ours included
	innerDepth = 160  // and in others: in pcall, coroutines, and onSpawn within a hook
	// registryStart is how many values the stack of an interpreter holds at first, and by how many it grows.
	registryStart = 2048
	registryMost  = 16 << 10 // values on the stack of the first interpreter
	registryInner = 4096     // and of others
)

// language has the state that the functions of the Lua language share: the budget that
// they charge, the numbers that they return, and the patterns that they have parsed.
type language struct {
	budget   *budget
	numbers  *numbers.Numbers
	patterns map[string][]atom
	captures map[*lua.FunctionProto]int    // variables that each function captures
	ofFile   map[*lua.FunctionProto][]bool // which of them are local variables of the file
	scratch  []scratchVariable
	weak     weakTables
	selves   selves
	// the tables of files that hooks write to, which keep nothing from one hook for the next
	scratchTables scratchTables
	runs          uint64 // of hooks from outside, and of files
	gaps          gaps
	order         keyOrder
	metas         metas
	passed        []world.CallSite // the calls within pcall of the error that it could not catch
	visits        visits
	thrown        string                  // the last error of a script that reads like one of Go
	inPlace       map[*lua.LFunction]bool // our functions that run in place of an operator, a field or a method
	operand       int                     // the number of the operand that the last error about one was about
}

const (
	maxPatterns     = 64   // that are kept
	maxPatternBytes = 1024 // of a pattern
)

func newLanguage(captures map[*lua.FunctionProto]int, ofFile map[*lua.FunctionProto][]bool) *language {
	return &language{budget: newBudget(), patterns: map[string][]atom{}, captures: captures, ofFile: ofFile}
}

// open makes the first interpreter. Numbers from earlier ones are not reused.
func (l *language) open() *lua.LState {
	l.numbers, l.inPlace = numbers.New(), map[*lua.LFunction]bool{}
	L := lua.NewState(lua.Options{CallStackSize: callDepth, RegistrySize: registryStart,
		RegistryMaxSize: registryMost, RegistryGrowStep: registryStart, SkipOpenLibs: true})
	L.SetContext(l.budget)
	l.numbers.Watch(L)
	l.gaps = newGaps(L)
	return L
}

// thread makes a further interpreter, which charges the same budget.
func (l *language) thread(of *lua.LState) *lua.LState {
	keep, options := *l.budget, of.Options // making a thread asks the context once or twice
	of.Options.CallStackSize, of.Options.RegistryMaxSize = innerDepth, registryInner
	thread, _ := of.NewThread()
	of.Options = options
	thread.SetContext(l.budget)
	l.numbers.Watch(thread)
	*l.budget = keep
	return thread
}

// coroutine makes an interpreter for a coroutine with gopher-lua's create. Its memory grows when it is used.
func (l *language) coroutine(L *lua.LState, create, fn lua.LValue) *lua.LState {
	keep, options := *l.budget, L.Options
	L.Options.MinimizeStackMemory, L.Options.CallStackSize = true, innerDepth
	L.Options.RegistrySize, L.Options.RegistryMaxSize = coroutineStack, registryInner
	L.Options.RegistryGrowStep = coroutineStack
	L.Push(create)
	L.Push(fn)
	L.Call(1, 1)
	L.Options = options
	thread := L.Get(-1).(*lua.LState)
	L.Pop(1)
	thread.SetContext(l.budget)
	*l.budget = keep
	return thread
}

// call returns the argument of Go functions.
func (l *language) call(L *lua.LState) call { return call{L, l} }

// begin starts a hook that is called from outside, with an allowance. Numbers of
// earlier hooks are not used any more.
func (l *language) begin(instructions int64, a *allowance) {
	l.runs++
	l.numbers.Reuse()
	l.order.begin()
	l.metas.begin()
	l.clean()
	l.budget.reset(instructions, a)
}

// beginAll is begin with all of an allowance.
func (l *language) beginAll(a *allowance) {
	l.runs++
	l.numbers.Reuse()
	l.order.begin()
	l.metas.begin()
	l.clean()
	l.budget.start(a)
}

// clean forgets what only the hook before may use.
func (l *language) clean() {
	l.passed = nil
	l.visits.begin()
	l.weak.begin()
	l.selves.begin(&l.metas)
	l.scratchTables.begin()
	for i := range l.scratch {
		l.scratch[i].reset()
	}
}

// beginLoading starts the files of a program.
func (l *language) beginLoading() {
	l.runs++
	l.scratch, l.weak, l.selves = nil, weakTables{}, nil
	l.visits.begin()
	l.scratchTables.declared, l.scratchTables.opened = nil, nil
	l.order = keyOrder{}
	l.budget.start(loadAllowance)
}

// endLoading keeps the constants of the files, the order of their keys, and their metatables.
func (l *language) endLoading() {
	l.numbers.Keep()
	l.visits.begin()
	l.order.keep()
	l.metas.keep()
	l.scratchTables.keep(&l.metas)
	for i := range l.scratch {
		l.scratch[i].keep()
	}
}

// run numbers the hook, or the loading, that runs.
func (l *language) run() uint64 { return l.runs }

// number returns a number for a script, which lives until the next begin.
func (l *language) number(v float64) lua.LValue { return l.numbers.Value(v) }

// blame notes which operand the error that follows is about.
func (l *language) blame(operand int) { l.operand = operand }

// blamed returns the number of the operand that the last error about one was
// about.
func (l *language) blamed() int { return l.operand }

// atoms returns a pattern as read. It depends on nothing but the text.
func (l *language) atoms(pattern string) []atom {
	atoms, kept := l.patterns[pattern]
	if !kept {
		if len(l.patterns) >= maxPatterns {
			clear(l.patterns)
		}
		atoms = readPattern(pattern)
		l.patterns[pattern] = atoms
	}
	return atoms
}

// gapped returns the metatables of tables with gaps.
func (l *language) gapped() gaps { return l.gaps }

// captured returns how many variables of the function around it a function
// captures.
func (l *language) captured(p *lua.FunctionProto) int { return l.captures[p] }

// limits returns the budget that is charged.
func (l *language) limits() *budget { return l.budget }

// scribble makes begin overwrite the numbers that it reuses, so that tests detect
// numbers that are still used.
func (l *language) scribble() { l.numbers.Scribble() }
