package world

import (
	"errors"
	"fmt"
)

// The errors of calls on a World.
var (
	// ErrRemoved is the error for an object that was removed or never existed.
	ErrRemoved = errors.New("the object has been removed")
	// ErrNoClass is the error for a class that the bundle in force does not declare.
	ErrNoClass = errors.New("no such class")
	// ErrTooMany is the error of a spawn beyond MaxSpawns or MaxObjects.
	ErrTooMany = errors.New("too many objects")
	// ErrReadOnly is the error of a change through the Actor of a Reader.
	ErrReadOnly = errors.New("the world is only read")
	// ErrFormat is the error of bytes that are not a state of this version.
	ErrFormat = errors.New("not a state of this version")
)

// ScriptError is an error in a script: in the hook of one object in one tick.
type ScriptError struct {
	File    string // of the script
	Line    int    // from 1; 0: not known
	Tick    Tick
	Object  ObjectID
	Class   string // of the object
	Hook    Hook
	Message string // what went wrong
	Budget  bool   // the instruction or memory budget was spent
	Panic   bool   // the interpreter itself failed and was created anew; the hook has no effect
	Wrote   bool   // the hook had changed something before, which stays
	// Trace is the call stack of the script: the innermost call first, the hook last.
	Trace []CallSite
}

// CallSite is the position of a call that had not ended.
type CallSite struct {
	File string // of the script
	Line int    // from 1
	Func string // its name, if it is known
}

// Error returns FILE:LINE: message.
func (e *ScriptError) Error() string {
	return e.In("")
}

// In is Error with the folder of the files, as the user names it.
func (e *ScriptError) In(folder string) string {
	return InFolder(folder, e.Place()) + ": " + e.Message
}

// WroteBefore follows the message of an error in a hook that had written something before it failed.
const WroteBefore = "; what the hook wrote before stays"

// Full returns the message, with WroteBefore if the hook had written something.
func (e *ScriptError) Full() string {
	if e.Wrote {
		return e.Message + WroteBefore
	}
	return e.Message
}

// Place returns FILE:LINE.
func (e *ScriptError) Place() string { return fmt.Sprintf("%s:%d", e.File, e.Line) }

// TraceIn returns the trace in one line, or "" if it adds nothing to Error.
func (e *ScriptError) TraceIn(folder string) (s string) {
	if len(e.Trace) < 2 {
		return ""
	}
	for i, f := range e.Trace {
		if i > 0 {
			s += ", called from "
		}
		s += fmt.Sprintf("%s:%d in %s", InFolder(folder, f.File), f.Line, f.Func)
	}
	return s
}

// InFolder returns a file's name with its folder. An empty folder is left out.
func InFolder(folder, file string) string {
	switch {
	case folder == "":
		return file
	case folder[len(folder)-1] == '/':
		return folder + file
	}
	return folder + "/" + file
}

// Listed returns names as a sentence lists them: a, b and c.
func Listed(names []string) string {
	out := ""
	for i, n := range names {
		switch {
		case i == 0:
		case i == len(names)-1:
			out += " and "
		default:
			out += ", "
		}
		out += n
	}
	return out
}
