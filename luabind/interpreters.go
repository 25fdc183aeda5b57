package luabind

import (
	"fmt"
	"sort"

	lua "github.com/yuin/gopher-lua"
)

// maxSpawning is how deep onSpawn hooks may run within each other.
const maxSpawning = 8

// interpreters run functions of scripts. There is one interpreter for each
// onSpawn or pcall within another, because an error in one closes the open variables of
// all its frames.
type interpreters struct {
	lang                *language
	states              []*lua.LState
	depth               int // hooks and calls of pcall around the present one
	spawning, protected int // how many of them are hooks, and calls of pcall
	// an interpreter is of no use any more: all are made anew once the outermost hook has ended
	broken bool
	failed bool  // the function that ended last ended in a panic
	calls  []int // within the interpreters around the present one
}

// open makes the first interpreter.
func (in *interpreters) open() *lua.LState {
	L := in.lang.open()
	in.states = []*lua.LState{L}
	in.lang.limits().runs = in.running
	return L
}

// running is present, nil while that is being made.
func (in *interpreters) running() *lua.LState {
	if in.depth >= len(in.states) {
		return nil
	}
	return in.states[in.depth]
}

// first returns the first interpreter, which ran the files.
func (in *interpreters) first() *lua.LState { return in.states[0] }

// present returns the interpreter for hooks at the present depth.
func (in *interpreters) present() *lua.LState {
	for len(in.states) <= in.depth {
		in.states = append(in.states, nil)
	}
	if in.states[in.depth] == nil {
		in.states[in.depth] = in.lang.thread(in.states[0])
	}
	return in.states[in.depth]
}

// global returns a global function of the files, nil if there is none.
func (in *interpreters) global(name string) *lua.LFunction {
	fn, _ := in.states[0].G.Global.RawGetString(name).(*lua.LFunction)
	return fn
}

// full reports whether no further hook may run within the present one.
func (in *interpreters) full() bool { return in.spawning >= maxSpawning }

// enter makes the next interpreter the present one. leave goes back.
func (in *interpreters) enter() {
	in.calls = append(in.calls, callsOf(in.present()))
	in.depth++
}

func (in *interpreters) leave() {
	in.depth--
	in.calls = in.calls[:len(in.calls)-1]
}

// checkDepth raises an error if the calls of all interpreters nest too deep for a further one. Calls of our functions
// take memory of the program's stack, of which a browser gives about a megabyte.
func (in *interpreters) checkDepth(L call) {
	total := callsOf(L.LState)
	L.charge(max(total-16, 0) / 2) // they are walked several times
	for _, n := range in.calls {
		total += n
	}
	if total > callDepth {
		L.RaiseError("stack overflow")
	}
}

// where returns the place in a script at which one of our functions is called, also if another one calls it, as in
// pcall(print, "x"): each call on the way there has been paid for.
func (in *interpreters) where(L *lua.LState) string {
	depth, level := in.depth, 1
	for ; ; level++ {
		switch place := L.Where(level); {
		case place == "" && depth == 0:
			return ""
		case place == "":
			depth, level = depth-1, 0
			L = in.states[depth]
		case place != goPlace:
			return place
		}
	}
}

// goPlace is what gopher-lua gives as the place of one of our functions.
const goPlace = "[G]:"

// callsOf returns how many calls are on the stack of an interpreter.
func callsOf(L *lua.LState) int {
	has := func(n int) bool {
		_, ok := L.GetStack(n - 1)
		return ok
	}
	least, most := 0, 8
	for has(most) {
		least, most = most, 2*most
	}
	return least + sort.Search(most-least-1, func(i int) bool { return !has(least + i + 1) })
}

// within runs a hook within the present one.
func (in *interpreters) within(hook func()) {
	in.enter()
	in.spawning++
	hook()
	in.spawning--
	in.leave()
}

// apart runs f with an interpreter of its own.
func (in *interpreters) apart(f func(*lua.LState) error) error {
	in.enter()
	in.protected++
	defer func() {
		in.protected--
		in.leave()
	}()
	return f(in.present())
}

// inside runs f, which runs a coroutine: its thread is the present interpreter.
func (in *interpreters) inside(thread *lua.LState, f func()) {
	in.enter()
	if len(in.states) <= in.depth {
		in.states = append(in.states, nil)
	}
	keep := in.states[in.depth]
	in.states[in.depth] = thread
	defer func() {
		in.states[in.depth] = keep
		in.leave()
	}()
	f()
}

// fail notes that an interpreter has failed.
func (in *interpreters) fail() { in.broken, in.failed = true, true }

// failing reports whether a panic is on its way out.
func (in *interpreters) failing() bool { return in.failed }

// pcall calls the function that was pushed with its arguments to the interpreter
// of the present depth. A panic that gopher-lua lets through leaves it useless.
func (in *interpreters) pcall(L *lua.LState, args, results int) (err error) {
	defer func() {
		if r := recover(); r != nil {
			in.fail()
			in.states[in.depth] = nil
			err = fmt.Errorf("internal error: the interpreter failed: %v", r)
		}
	}()
	if err := L.PCall(args, results, nil); err != nil {
		if isPanic(err) {
			in.fail()
		}
		if b, ok := L.Context().(*budget); ok && in.depth == 0 { // who catches an error has paid for its calls
			b.listed(err)
		}
		return err
	}
	return nil
}

// isPanic distinguishes an error of the interpreter from one of a script.
func isPanic(err error) bool {
	ae, ok := err.(*lua.ApiError)
	return ok && ae.Type == lua.ApiErrorPanic
}

// takeFailure reports whether the last function ended in a panic, and forgets it.
func (in *interpreters) takeFailure() bool {
	failed := in.failed
	in.failed = false
	return failed
}

// takeBroken reports whether the interpreters have to be made anew, and forgets
// it. Within a hook that is not yet.
func (in *interpreters) takeBroken() bool {
	if in.depth > 0 || !in.broken {
		return false
	}
	in.broken = false
	return true
}
