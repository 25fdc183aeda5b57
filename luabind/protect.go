package luabind

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/hindcast/hindcast/world"
	lua "github.com/yuin/gopher-lua"
)

const (
	// maxProtected is how deep calls of pcall may run within each other. Each has an interpreter of its own.
	maxProtected = 20
	// protectCost and caughtCost are the prices of a pcall and of an error that it catches, in instructions. For
	// an error, the interpreter lists the calls, and drops most of them if they are many: unlistedCost is the price
	// of one of these.
	protectCost  = 20
	caughtCost   = 1000
	unlistedCost = 8
)

// protector is pcall and xpcall.
//
// The function runs in an interpreter of its own, as onSpawn does: an error closes the open variables of all frames
// of its interpreter, and so would detach those of the functions around pcall (gopher-lua's issue 448).
type protector struct {
	states   *interpreters
	problems *problems
}

// entries returns pcall and xpcall.
func (pt *protector) entries() []entry { return []entry{{"pcall", pt.pcall}, {"xpcall", pt.xpcall}} }

// pcall implements pcall(f, ...).
func (pt *protector) pcall(L call) int {
	if L.GetTop() == 0 {
		L.RaiseError("pcall: a function is missing")
	}
	return pt.answer(L, func() []lua.LValue { return pt.arguments(L, 2) }, nil)
}

// xpcall implements xpcall(f, handler, ...). The handler runs after the error has ended f.
func (pt *protector) xpcall(L call) int {
	if L.GetTop() < 2 {
		L.RaiseError("xpcall: it takes a function and a function that handles an error")
	}
	return pt.answer(L, func() []lua.LValue { return pt.arguments(L, 3) }, L.Get(2))
}

// arguments returns the arguments from number i on.
func (pt *protector) arguments(L call, i int) (args []lua.LValue) {
	for ; i <= L.GetTop(); i++ {
		args = append(args, L.Get(i))
	}
	return args
}

// answer calls argument 1 and pushes true and its results, or false and the error. A handler is given the error,
// and its result takes the place of the error.
func (pt *protector) answer(L call, arguments func() []lua.LValue, handler lua.LValue) int {
	if pt.states.protected >= maxProtected {
		L.RaiseError("pcall within pcall: at most %d deep", maxProtected)
	}
	pt.states.checkDepth(L)
	L.charge(protectCost + L.GetTop())
	results, failure, ok := pt.run(L, L.Get(1), arguments())
	if !ok && handler != nil {
		failure = pt.handled(L, handler, failure)
	}
	if !ok {
		L.Push(lua.LFalse)
		L.Push(failure)
		return 2
	}
	if len(results) >= maxResults {
		L.RaiseError("pcall: %d results: at most %d", len(results), maxResults-1)
	}
	L.charge(len(results))
	L.Push(lua.LTrue)
	for _, v := range results {
		L.Push(v)
	}
	return 1 + len(results)
}

// handled returns what a handler makes of an error.
func (pt *protector) handled(L call, handler, failure lua.LValue) lua.LValue {
	const fault = lua.LString("error in error handling")
	if handler.Type() != lua.LTFunction {
		L.charge(caughtCost)
		return fault
	}
	results, _, ok := pt.run(L, handler, []lua.LValue{failure})
	switch {
	case !ok:
		return fault
	case len(results) == 0:
		return lua.LNil
	}
	return results[0]
}

// run calls fn, and returns its results or the value of its error. An error that cannot be caught goes on.
func (pt *protector) run(L call, fn lua.LValue, args []lua.LValue) (out []lua.LValue, failure lua.LValue, ok bool) {
	if fn.Type() != lua.LTFunction && event(fn, "__call").Type() != lua.LTFunction {
		L.charge(caughtCost)
		return nil, lua.LString("attempt to call " + syntax.AValue(typeName(fn))), false
	}
	left := L.lang.limits().left
	err := pt.states.apart(func(in *lua.LState) error {
		in.Push(fn)
		for _, a := range args {
			in.Push(a)
		}
		if err := pt.states.pcall(in, len(args), lua.MultRet); err != nil {
			return err
		}
		for i := 1; i <= in.GetTop(); i++ {
			out = append(out, in.Get(i))
		}
		in.SetTop(0)
		return nil
	})
	if err == nil {
		return out, lua.LNil, true
	}
	if pt.goesOn(L, err) {
		L.lang.passed = append(L.lang.passed, traceIn(err)...)
		L.Error(lua.LString(messageOf(err)), 0) // with the place that it has
	}
	L.charge(caughtCost + len(messageOf(err))/2 + 2*len(stackOf(err)) + unlistedCost*unlisted(err, left-L.lang.limits().left, innerDepth))
	return nil, pt.value(L, err), false
}

// goesOn reports whether an error cannot be caught: that of a budget, of calls that nest too deep, and a panic of
// the interpreter.
func (pt *protector) goesOn(L call, err error) bool {
	return pt.endsHook(L, messageOf(err))
}

// endsHook is goesOn for the text of an error.
func (pt *protector) endsHook(L call, text string) bool {
	return L.lang.limits().spent || pt.states.failing() || isOverflow(text)
}

// value returns the value of an error for a script. A message of the interpreter is explained, as in a report.
func (pt *protector) value(L call, err error) lua.LValue {
	var ae *lua.ApiError
	if !errors.As(err, &ae) {
		return lua.LString(syntax.Clean(err.Error()))
	}
	text, isText := ae.Object.(lua.LString)
	if !isText {
		return ae.Object
	}
	if len(traceIn(err)) == 0 {
		text = lua.LString(strings.TrimPrefix(string(text), " ")) // that is between a place, here none, and a message
	}
	text = text[:min(len(text), syntax.MaxStringBytes)]
	m := placeIn(string(text))
	if m == nil || !slices.Contains(pt.problems.files, m[1]) || len(text) > maxMessage { // ours are short
		return text
	}
	e := &world.ScriptError{File: m[1], Line: atoi(m[2]), Message: string(text[len(m[0]):])}
	said := e.Message
	pt.problems.blamer.Explain(e, L.lang.blamed())
	if e.Message != said {
		text = lua.LString(fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Message))
	}
	return text
}

// traceIn returns the calls of an error of the interpreter.
func traceIn(err error) []world.CallSite {
	var ae *lua.ApiError
	if !errors.As(err, &ae) {
		return nil
	}
	return traceOf(ae.StackTrace)
}

// stackOf returns the list of calls that an error of the interpreter has.
func stackOf(err error) string {
	var ae *lua.ApiError
	if !errors.As(err, &ae) {
		return ""
	}
	return ae.StackTrace
}

// messageOf returns the text of an error.
func messageOf(err error) string {
	var ae *lua.ApiError
	if errors.As(err, &ae) {
		return errorText(ae.Object)
	}
	return err.Error()
}

// isOverflow reports whether a message is about calls that nest too deep.
func isOverflow(message string) bool {
	return strings.Contains(message, "stack overflow") || strings.Contains(message, "registry overflow")
}
