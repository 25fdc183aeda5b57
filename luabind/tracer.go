package luabind

import (
	"context"
	"fmt"

	"github.com/hindcast/hindcast/world"
	lua "github.com/yuin/gopher-lua"
)

// tracer reports the changes of hooks, with their lines.
type tracer struct {
	report func(world.Change) // nil: no trace
	ended  scriptLine         // of the last hook that was traced
}

// scriptLine is a line of a script.
type scriptLine struct {
	file string
	line int
}

// String returns FILE:LINE.
func (l scriptLine) String() string { return fmt.Sprintf("%s:%d", l.file, l.line) }

// trace reports every change to f; nil ends it.
func (tr *tracer) trace(f func(world.Change)) { tr.report = f }

// on reports whether changes are traced.
func (tr *tracer) on() bool { return tr.report != nil }

// returned returns where the last hook ended that was traced.
func (tr *tracer) returned() (file string, line int) { return tr.ended.file, tr.ended.line }

// change reports a change. spawned is the class of a new object.
func (tr *tracer) change(L call, by actor, op world.Op, spawned string) {
	if tr.report == nil {
		return
	}
	file, line := lineOf(L.LState)
	tr.report(world.Change{By: by.ID, Hook: by.Hook, Op: op, Spawned: spawned, File: file, Line: line})
}

// watch notes the lines that an interpreter runs, until end is called.
func (tr *tracer) watch(L *lua.LState, b *budget) (end func()) {
	tr.ended = scriptLine{}
	L.SetContext(lineWatch{b, L, &tr.ended})
	return func() { L.SetContext(b) }
}

// lineWatch is a budget that notes the line of every instruction.
type lineWatch struct {
	*budget
	L  *lua.LState
	at *scriptLine
}

var _ context.Context = lineWatch{}

// Done is called before each instruction.
func (w lineWatch) Done() <-chan struct{} {
	w.at.file, w.at.line = lineOf(w.L)
	return w.budget.Done()
}

// lineOf returns the script line that is being run: that of the innermost Lua function.
func lineOf(L *lua.LState) (file string, line int) {
	for level := 0; ; level++ {
		switch call, ok := callAt(L, level); {
		case !ok:
			return "", 0
		case call.line > 0:
			return call.file, call.line
		}
	}
}
