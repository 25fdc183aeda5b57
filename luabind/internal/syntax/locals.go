package syntax

// Locals are the local variables of the files of a bundle that functions change.
type Locals struct {
	// Changes are the places of the changes of variables that are no scratch variables. Only functions that run while
	// the files are loaded may change these.
	Changes []LocalChange

	numbers int // given out
	scratch int // how many scratch variables there are
}

// LocalChange is a place where a function changes a local variable of its file.
type LocalChange struct {
	Name   string
	Number int // of the variable, from 1
	File   string
	Line   int
	// In is the name of the function of a module that makes the change, see Mentions; "" for other functions.
	In string
}

// change notes a change of a variable, which gets a number.
func (l *Locals) change(v *variable, file string, line int, in string) {
	if v.number == 0 {
		l.numbers++
		v.number = l.numbers
	}
	l.Changes = append(l.Changes, LocalChange{v.name, v.number, file, line, in})
}

// InHook returns the message about a change in a hook.
func (c LocalChange) InHook() string {
	return c.Name + ", a local of the file, is changed in a hook, but it is frozen after loading: " +
		WhereToKeep(c.File, c.Name)
}

// Problem returns the error of a change that hooks would make, because nothing does while the files are loaded.
func (c LocalChange) Problem() error {
	return Problem(c.File, c.Line,
		"%s, a local of the file, is changed in a function, but it is frozen after loading: %s", c.Name,
		WhereToKeep(c.File, c.Name))
}
