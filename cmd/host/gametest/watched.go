package gametest

import (
	"slices"

	"github.com/hindcast/hindcast/world"
)

// faults are the errors of hooks, each once.
type faults struct {
	list  []error
	class map[error]string // of the object whose hook it was, "" if that is not known
}

func newFaults() *faults { return &faults{class: map[error]string{}} }

func (f *faults) note(err error, class string) {
	if _, again := f.class[err]; err != nil && !again {
		f.class[err] = class
		f.list = append(f.list, err)
	}
}

// take returns the errors since it was last called.
func (f *faults) take() []error {
	list := f.list
	f.list = nil
	return list
}

// overlooks are what hooks overlook, see luabind.VM.WatchPending: once for each line.
type overlooks struct{ list []*world.ScriptError }

func (o *overlooks) note(e *world.ScriptError) {
	if !slices.ContainsFunc(o.list, func(before *world.ScriptError) bool { return before.Place() == e.Place() }) {
		o.list = append(o.list, e)
	}
}

// watched is the game's script. It notes the errors of hooks in ticks that are
// simulated for the first time, and what is printed.
type watched struct {
	world.Script
	faults *faults
	prints func(line string)
}

// Call runs a hook.
func (s *watched) Call(w world.Actor, h world.Hook, slot int, a *world.Args) error {
	calls := w.Calls()
	calls.PrintTo(func(_ world.Tick, _ world.ObjectID, line string) { s.prints(line) })
	err := s.Script.Call(w, h, slot, a)
	if calls.Rerun() {
		return err
	}
	for _, f := range calls.Faults() { // onSpawn, of objects that the hook spawned
		s.faults.note(f.Err, f.Class)
	}
	s.faults.note(err, w.Class(slot).Name)
	return err
}

// Instructions returns the number of instructions that the last Call took; 0 if the script does not count them.
func (s *watched) Instructions() int {
	if c, ok := s.Script.(world.InstructionCounter); ok {
		return c.Instructions()
	}
	return 0
}
