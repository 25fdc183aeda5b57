package goscript

import (
	"fmt"
	"runtime"
	"strings"

	"github.com/hindcast/hindcast/world"
)

// failure is the value with which functions of this package panic in a hook if a call
// cannot be carried out. It ends the hook, as any other panic does.
type failure string

// Error returns the message.
func (f failure) Error() string { return string(f) }

func fail(format string, args ...any) { panic(failure(fmt.Sprintf(format, args...))) }

// problem is a panic in a hook. The zero value is none.
type problem struct {
	message  string // "": none
	budget   bool
	internal bool // the panic came from the world itself, not from the game
	trace    []world.CallSite
}

// failed reports whether the hook failed.
func (p *problem) failed() bool { return p.message != "" }

// exceeded notes that the budget was used up.
func (p *problem) exceeded(at place) {
	*p = problem{message: string(spentBudget), budget: true, trace: []world.CallSite{at.site("")}}
}

// panicked notes a panic, of which the stack is still there.
func (p *problem) panicked(r any) {
	p.message = "panic: " + fmt.Sprint(r)
	if f, ok := r.(failure); ok {
		p.message = string(f)
	}
	p.trace, p.internal = calls()
}

// scriptError returns the error of the hook.
func (p *problem) scriptError() *world.ScriptError {
	e := &world.ScriptError{Message: p.message, Budget: p.budget, Panic: p.internal, Trace: p.trace}
	if len(p.trace) > 0 {
		e.File, e.Line = p.trace[0].File, p.trace[0].Line
	}
	return e
}

// maxTrace is how many calls a trace has at most, and maxFrames how far up the
// stack they are looked for.
const (
	maxTrace  = 8
	maxFrames = 128
)

// calls returns the calls of the game that led to the panic that is caught, and
// whether it was raised in the world itself.
func calls() (trace []world.CallSite, internal bool) {
	var pcs [maxFrames]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	std, first := "", false
	for {
		f, more := frames.Next()
		switch {
		case f.Function == "runtime.gopanic":
			std = strings.TrimSuffix(f.File,
				"runtime/panic.go") // the folder of the standard library; "" if paths are trimmed
			trace, internal, first = trace[:0], false, true // the calls above have run since
		case strings.HasPrefix(f.Function, "runtime."):
		case runsHook(f.Function):
			return trace, internal
		case isOurs(f.Function):
			internal = internal || first && !strings.HasPrefix(f.Function, packagePath+".")
			first = false
		default:
			first = false
			if len(trace) < maxTrace && (std == "" || !strings.HasPrefix(f.File, std)) {
				trace = append(trace, place{shortened(f.File), f.Line}.site(f.Function))
			}
		}
		if !more {
			return trace, internal
		}
	}
}

// runsHook reports whether a function is one that calls functions of the game.
func runsHook(function string) bool {
	switch function {
	case packagePath + ".(*script).invoke",
		packagePath + ".(*gameScript).invoke",
		packagePath + ".(*script).answer",
		packagePath + ".(*showings).show":
		return true
	}
	return false
}

// place is a line of a Go program.
type place struct {
	File string
	Line int
}

// caller returns the line of the game that called into this package.
func caller() place {
	var pcs [maxFrames]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	for {
		f, more := frames.Next()
		if !isOurs(f.Function) {
			return place{shortened(f.File), f.Line}
		}
		if !more {
			return place{}
		}
	}
}

const (
	modulePath  = "github.com/hindcast/hindcast/"
	packagePath = modulePath + "world/goscript"
)

// isOurs reports whether a function is one between a game and the world.
func isOurs(function string) bool {
	for _, pkg := range [...]string{"world/goscript.", "world.", "world/physics.", "world/detmath.",
		"runtime/timeline."} {
		if strings.HasPrefix(function, modulePath+pkg) {
			return true
		}
	}
	return false
}

// shortened returns the last folder and the name of a file, which are the same on
// every machine.
func shortened(file string) string {
	folder := strings.LastIndexByte(file, '/')
	if folder < 0 {
		return file
	}
	return file[strings.LastIndexByte(file[:folder], '/')+1:]
}

// String returns FILE:LINE.
func (p place) String() string { return fmt.Sprintf("%s:%d", p.File, p.Line) }

// site returns the place as that of a call. function is its full name.
func (p place) site(function string) world.CallSite {
	return world.CallSite{File: p.File, Line: p.Line, Func: function[strings.LastIndexByte(function, '/')+1:]}
}

// problem returns an error in a declaration.
func (p place) problem(format string, args ...any) error {
	return &world.ScriptError{File: p.File, Line: p.Line, Message: fmt.Sprintf(format, args...)}
}
