package physics

import (
	"fmt"
	"slices"
)

// The parts of a stepper assert what the others rely on, with Solver.Check. A violation is
// a mistake in this package, never bad input: of states, only what a step makes is
// asserted, and their order only if it was right before the step.

// violated panics: an invariant does not hold.
func violated(format string, args ...any) {
	panic("physics: violated: " + fmt.Sprintf(format, args...))
}

// inOrder reports whether contacts and joints are sorted, none of them twice.
func inOrder(s *State) bool {
	return ascending(s.Contacts, (*Contact).compare) && ascending(s.Joints, (*Joint).compare)
}

// ascending reports whether each element comes before the next one.
func ascending[T any](list []T, order func(a, b *T) int) bool {
	for i := 1; i < len(list); i++ {
		if order(&list[i-1], &list[i]) >= 0 {
			return false
		}
	}
	return true
}

// distinct reports whether all elements are from 0 to n-1, none of them twice.
func distinct(list []int32, n int) bool {
	seen := make([]bool, n)
	return !slices.ContainsFunc(list, func(i int32) bool {
		if i < 0 || int(i) >= n || seen[i] {
			return true
		}
		seen[i] = true
		return false
	})
}
