package world

import (
	"errors"
	"fmt"
)

// Errors that calls on a World give.
var (
	// ErrRemoved: the object is gone, or was never there.
	ErrRemoved = errors.New("the object has been removed")
	// ErrNoClass: no such class in the bundle in force.
	ErrNoClass = errors.New("no such class")
	// ErrTooMany: a spawn beyond MaxSpawns or MaxObjects.
	ErrTooMany = errors.New("too many objects")
	// ErrReadOnly: a change through the Actor of a Reader.
	ErrReadOnly = errors.New("the world is only read")
	// ErrFormat: bytes that are no state of this version.
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
	Panic   bool   // the interpreter itself failed and was made anew; the hook has done nothing
	// Trace is where the script was: the innermost call first, the hook last.
	Trace []CallSite
}

// CallSite is the place of a call that had not ended.
type CallSite struct {
	File string // of the script
	Line int    // from 1
	Func string // its name, as far as it is known
}

// Error returns FILE:LINE: message.
func (e *ScriptError) Error() string {
	return e.In("")
}

// In is Error with the folder of the files, as the user names it.
func (e *ScriptError) In(folder string) string {
	return fmt.Sprintf("%s:%d: %s", InFolder(folder, e.File), e.Line, e.Message)
}

// TraceIn returns the trace in one line, or "" if it says no more than Error does.
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
