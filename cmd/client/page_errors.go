package main

import (
	"errors"
	"slices"

	"github.com/hindcast/hindcast/world"
)

// pageError is a script error, as the page shows it to the people who write the scripts.
type pageError struct {
	Place   string     `json:"place"` // FILE:LINE; "": not known
	Message string     `json:"message"`
	Class   string     `json:"class"` // of the object; "" in view.lua
	Hook    string     `json:"hook"`
	Object  string     `json:"object"`
	Tick    world.Tick `json:"tick"`            // of the first one
	Until   world.Tick `json:"until,omitempty"` // the hook is paused until then
}

// maxErrors is how many script errors the page shows: the newest.
const maxErrors = 5

// errorList has the script errors under the present scripts.
type errorList struct {
	T    string      `json:"t"` // "errors"
	List []pageError `json:"list"`
}

// add adds an error in tick t.
func (l *errorList) add(t world.Tick, f world.Fault) {
	e := newPageError(f.Err)
	e.Class, e.Hook, e.Object, e.Tick, e.Until = f.Class, f.Hook.String(), f.Object.String(), t, f.Until
	l.take(e)
}

// addView adds an error of view.lua, which has neither an object nor a tick.
func (l *errorList) addView(err error) { l.take(newPageError(err)) }

func newPageError(err error) pageError {
	if se := (*world.ScriptError)(nil); errors.As(err, &se) {
		return pageError{Place: se.Place(), Message: se.Message}
	}
	return pageError{Message: err.Error()}
}

// take adds an error in place of the same one before, which is that of an earlier pause.
func (l *errorList) take(e pageError) {
	l.List = slices.DeleteFunc(l.List, func(old pageError) bool {
		return old.Place == e.Place && old.Message == e.Message && old.Class == e.Class && old.Hook == e.Hook
	})
	l.List = append(l.List, e)
	l.List = l.List[max(0, len(l.List)-maxErrors):]
}

// forget removes the errors up to tick t, after which other scripts are in force. It reports whether
// there were any.
func (l *errorList) forget(t world.Tick) bool {
	before := len(l.List)
	l.List = slices.DeleteFunc(l.List, func(e pageError) bool { return e.Tick <= t })
	return len(l.List) < before
}
