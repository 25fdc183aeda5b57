package luabind

import (
	"reflect"
	"strings"

	lua "github.com/yuin/gopher-lua"
)

const (
	// maxResumed is how deep coroutines may run within each other.
	maxResumed = 20
	// coroutineBytes is the memory of a coroutine, and coroutineCost the price of making one besides it, in
	// instructions. resumeCost is that of running one on.
	coroutineBytes = 12 << 10
	coroutineCost  = 150
	resumeCost     = 20
	// coroutineStack is how many values the stack of a coroutine holds at first.
	coroutineStack = 64
)

// keptCoroutine is what is wrong with a coroutine that the hook has not made.
const keptCoroutine = "the coroutine was made while the files were loaded, or in another hook: a coroutine lives as " +
	"long as the hook that makes it; keep a step number in state instead"

// coroutine is a coroutine of the hook that runs. Its thread is the value that scripts have.
type coroutine struct {
	thread *lua.LState
	around *coroutine // that runs it on; valid while it runs
	state  string     // as coroutine.status says
	wanted int        // how many values the call of yield that it waits in takes; lua.MultRet: as many as there are
}

// coroutines is the library coroutine. Coroutines live as long as the hook that makes them.
//
// gopher-lua runs a coroutine with the Go function that resumes it, and ends its loop when a function returns -1, which
// is how yield leaves it. That must be the innermost loop: in one that runs a metamethod, or the function of a generic
// for, the interpreter would go on with the loop around it as if the call had returned. So yield looks at how each of
// the calls around it was made.
type coroutines struct {
	lang   *language
	states *interpreters
	guard  *protector
	step   *lua.LFunction // gopher-lua's resume
	make   *lua.LFunction // and its create

	run     uint64 // the hook that the following are of
	known   map[*lua.LState]*coroutine
	present *coroutine // that runs, nil outside of coroutines
	depth   int
	yielded bool // what runs has ended with yield
}

// open takes the functions of gopher-lua, for a new interpreter.
func (co *coroutines) open(L *lua.LState) {
	L.Push(L.NewFunction(lua.OpenCoroutine))
	L.Call(0, 1)
	lib := L.Get(-1).(*lua.LTable)
	L.Pop(1)
	co.step, co.make = lib.RawGetString("resume").(*lua.LFunction), lib.RawGetString("create").(*lua.LFunction)
	L.G.Global.RawSetString(lua.CoroutineLibName, lua.LNil)
	co.known, co.present = nil, nil
}

// table returns the library.
func (co *coroutines) table() libraryTable {
	return libraryTable{Name: lua.CoroutineLibName, Entries: []entry{{"create", co.create}, {"resume", co.resume},
		{"yield", co.yield}, {"status", co.status}, {"wrap", co.wrap}, {"running", co.running}}}
}

// begin forgets the coroutines of the hook before.
func (co *coroutines) begin() {
	if run := co.lang.run(); co.run != run {
		co.run, co.known, co.present, co.depth, co.yielded = run, nil, nil, 0, false
	}
}

// new makes a coroutine of argument 1.
func (co *coroutines) new(L call, what string) *coroutine {
	co.begin()
	if fn, ok := L.Get(1).(*lua.LFunction); !ok || fn.IsG {
		L.RaiseError("%s: a function of a script is expected", what)
	}
	L.charge(coroutineCost)
	L.alloc(coroutineBytes)
	c := &coroutine{thread: co.lang.coroutine(L.LState, co.make, L.Get(1)), state: "suspended", wanted: lua.MultRet}
	if co.known == nil {
		co.known = map[*lua.LState]*coroutine{}
	}
	co.known[c.thread] = c
	return c
}

// argument returns argument 1, a coroutine.
func (co *coroutines) argument(L call, what string) *coroutine {
	co.begin()
	thread, ok := L.Get(1).(*lua.LState)
	if !ok {
		L.RaiseError("%s: a coroutine is expected, not %s", what, aTypeName(L.Get(1)))
	}
	c := co.known[thread]
	if c == nil {
		L.RaiseError("%s: %s", what, keptCoroutine)
	}
	return c
}

// create implements coroutine.create(f).
func (co *coroutines) create(L call) int {
	L.Push(co.new(L, "coroutine.create").thread)
	return 1
}

// wrap implements coroutine.wrap(f).
func (co *coroutines) wrap(L call) int {
	c := co.new(L, "coroutine.wrap")
	L.Push(L.function(func(L call) int {
		if co.begin(); co.known[c.thread] != c {
			L.RaiseError("%s", keptCoroutine)
		}
		n, failure := co.goOn(L, c, 1)
		if failure != nil {
			L.Error(failure, 0)
		}
		return n
	}))
	return 1
}

// status implements coroutine.status(co).
func (co *coroutines) status(L call) int {
	L.Push(lua.LString(co.argument(L, "coroutine.status").state))
	return 1
}

// running implements coroutine.running().
func (co *coroutines) running(L call) int {
	if co.begin(); co.present == nil {
		L.Push(lua.LNil)
	} else {
		L.Push(co.present.thread)
	}
	return 1
}

// yield implements coroutine.yield(...).
func (co *coroutines) yield(L call) int {
	co.begin()
	c := co.present
	if c == nil {
		L.RaiseError("coroutine.yield: no coroutine is running")
	}
	if L.LState != c.thread || L.isCrossed() {
		L.RaiseError("coroutine.yield: between it and the coroutine is pcall, table.sort, string.gsub or another " +
			"function of the engine, a metamethod, or the function of a for loop: call it from the coroutine itself")
	}
	L.charge(L.GetTop())
	co.yielded, c.wanted = true, L.wanted()
	return -1
}

// wanted returns how many results the call of a function of ours takes, which a script has made.
func (L call) wanted() int {
	frame, _ := L.GetStack(1)
	fn, _ := L.GetInfo("f", frame, lua.LNil)
	code := fn.(*lua.LFunction).Proto.Code[instructionOf(frame)]
	if int(code>>26) != lua.OP_CALL {
		return lua.MultRet
	}
	return int(code>>9&0x1ff) - 1
}

// isCrossed reports whether one of the calls of a thread is that of a Go function, besides the innermost, or was not
// made by an instruction that calls, but by one that has called a metamethod or the function of a for loop.
func (L call) isCrossed() bool {
	for level := 1; ; level++ {
		L.charge(1 + level/8) // GetStack walks to it
		frame, ok := L.GetStack(level)
		if !ok {
			return false
		}
		fn, err := L.GetInfo("f", frame, lua.LNil)
		f, isFunction := fn.(*lua.LFunction)
		if err != nil || !isFunction || f.IsG {
			return true
		}
		if op := int(f.Proto.Code[instructionOf(frame)] >> 26); op != lua.OP_CALL && op != lua.OP_TAILCALL {
			return true
		}
	}
}

// The fields of gopher-lua's frame of a call and of its number of the next instruction, which it does not export.
var frameField, pcField = func() (frame, pc int) {
	f, _ := reflect.TypeFor[lua.Debug]().FieldByName("frame")
	n, _ := f.Type.Elem().FieldByName("Pc")
	return f.Index[0], n.Index[0]
}()

// instructionOf returns the number of the instruction that a call of a script is at.
func instructionOf(frame *lua.Debug) int {
	return int(reflect.ValueOf(frame).Elem().Field(frameField).Elem().Field(pcField).Int()) - 1
}

// resume implements coroutine.resume(co, ...).
func (co *coroutines) resume(L call) int {
	c := co.argument(L, "coroutine.resume")
	if c.state != "suspended" {
		L.Push(lua.LFalse)
		L.Push(lua.LString("cannot resume " + c.state + " coroutine"))
		return 2
	}
	n, failure := co.goOn(L, c, 2)
	if failure != nil {
		L.Push(lua.LFalse)
		L.Push(failure)
		return 2
	}
	L.Insert(lua.LTrue, L.GetTop()-n+1)
	return n + 1
}

// goOn runs a coroutine with the arguments from number first on. It pushes what the coroutine yields or returns, and
// returns how many values that are, or the value of its error.
func (co *coroutines) goOn(L call, c *coroutine, first int) (n int, failure lua.LValue) {
	if c.state != "suspended" {
		L.RaiseError("cannot resume %s coroutine", c.state)
	}
	if co.depth >= maxResumed {
		L.RaiseError("coroutines within coroutines: at most %d deep", maxResumed)
	}
	co.states.checkDepth(L)
	L.charge(resumeCost + L.GetTop())
	top := L.GetTop()
	L.Push(co.step)
	L.Push(c.thread)
	passed := max(top-first+1, 0)
	if c.wanted != lua.MultRet { // gopher-lua would leave the variables beyond the values as they are
		passed = c.wanted
	}
	for i := first; i < first+passed; i++ {
		if i > top {
			L.Push(lua.LNil)
		} else {
			L.Push(L.Get(i))
		}
	}
	co.enter(c)
	co.states.inside(c.thread, func() {
		defer co.leave(c)
		L.Call(1+passed, lua.MultRet)
	})
	n = L.GetTop() - top - 1
	if L.Get(top+1) == lua.LTrue {
		if n >= maxResults {
			L.RaiseError("a coroutine yields or returns %d values: at most %d", n, maxResults-1)
		}
		L.charge(n)
		return n, nil
	}
	v := L.Get(top + 2)
	text := errorText(v)
	if isGoError(text) && L.lang.thrown != text { // gopher-lua makes an error of a panic in a coroutine
		co.states.fail()
	}
	if co.guard.endsHook(L, text) {
		L.Error(lua.LString(text), 0)
	}
	L.charge(caughtCost)
	return 0, co.guard.value(L, &lua.ApiError{Type: lua.ApiErrorRun, Object: v})
}

// isGoError reports whether a text is that of a panic, of Go's or of one of ours, see assert.
func isGoError(text string) bool {
	for _, start := range []string{"runtime error: ", "luabind: ", "world: ", "physics: "} {
		if strings.HasPrefix(text, start) {
			return true
		}
	}
	return false
}

// enter notes that a coroutine runs.
func (co *coroutines) enter(c *coroutine) {
	if c.around = co.present; c.around != nil {
		c.around.state = "normal"
	}
	co.present, c.state = c, "running"
	co.depth++
}

// leave notes that it has yielded or ended.
func (co *coroutines) leave(c *coroutine) {
	co.depth--
	if co.present = c.around; co.present != nil {
		co.present.state = "running"
	}
	c.around, c.state = nil, "dead"
	if co.yielded {
		co.yielded, c.state = false, "suspended"
	}
}
