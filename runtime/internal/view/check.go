package view

import "fmt"

// assert panics if an invariant of this package does not hold. That is a mistake in this
// code or in what drives it, never bad input from outside. Callers test their check field
// before they compute what it gets.
func assert(ok bool, format string, args ...any) {
	if !ok {
		violated(format, args...)
	}
}

// violated panics as assert does. Loops over many samples test the invariant themselves and
// call it, because the arguments of assert are allocated even if the invariant holds.
func violated(format string, args ...any) {
	panic("view: " + fmt.Sprintf(format, args...))
}
