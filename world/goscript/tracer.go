package goscript

import "github.com/hindcast/hindcast/world"

// tracer reports the changes of hooks, with their lines.
type tracer struct{ report func(world.Change) }

// trace reports every change to f; nil ends it.
func (t *tracer) trace(f func(world.Change)) { t.report = f }

// change reports a change. spawned is the class of a new object.
func (t *tracer) change(by acting, op world.Op, spawned string) {
	if t.report == nil {
		return
	}
	at := caller()
	t.report(world.Change{By: by.ID, Hook: by.Hook, Op: op, Spawned: spawned, File: at.File, Line: at.Line})
}

// TraceChanges calls f for every change that a hook asks for, with the line that
// does, until it is called again. A nil f ends the trace.
func (s *script) TraceChanges(f func(world.Change)) { s.tracer.trace(f) }

// Line returns the line of the game that is being run, while a hook is.
func (s *script) Line() (file string, line int) {
	at := caller()
	return at.File, at.Line
}

// ReturnLine returns no line: Go does not tell where a function has returned.
func (s *script) ReturnLine() (file string, line int) { return "", 0 }
