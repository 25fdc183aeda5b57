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
	// ErrFormat: bytes that are no state of this version.
	ErrFormat = errors.New("not a state of this version")
)

// ScriptError is an error in a script: the hook of one object in one tick.
type ScriptError struct {
	File    string
	Line    int
	Tick    Tick
	Object  ObjectID
	Class   string
	Hook    Hook
	Message string
	Budget  bool // the instruction or memory budget was spent
	Panic   bool // the interpreter itself failed, and was made anew
}

// Error is FILE:LINE: message.
func (e *ScriptError) Error() string {
	return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Message)
}
