package gametest

import "github.com/hindcast/hindcast/world"

// faults are the errors of hooks, each once.
type faults struct {
	list  []error
	noted map[error]bool
}

func newFaults() *faults { return &faults{noted: map[error]bool{}} }

func (f *faults) note(err error) {
	if err != nil && !f.noted[err] {
		f.noted[err] = true
		f.list = append(f.list, err)
	}
}

// take returns the errors since it was last called.
func (f *faults) take() []error {
	list := f.list
	f.list = nil
	return list
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
		s.faults.note(f.Err)
	}
	s.faults.note(err)
	return err
}
