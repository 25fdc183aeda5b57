package runtime

import "fmt"

// assert panics if an invariant of this package does not hold. That is a mistake in this
// code, never bad input from outside. It is called in check mode only (HostConfig.Verify,
// ClientConfig.Verify).
func assert(ok bool, format string, args ...any) {
	if !ok {
		panic("runtime: " + fmt.Sprintf(format, args...))
	}
}
