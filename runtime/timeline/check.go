package timeline

import "fmt"

// assert panics if an invariant of this package does not hold. That is a mistake in this
// code or in the order of calls, never bad input from outside. Callers test Options.Check
// before they compute what it gets.
func assert(ok bool, format string, args ...any) {
	if !ok {
		panic("timeline: " + fmt.Sprintf(format, args...))
	}
}
