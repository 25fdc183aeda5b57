// Package maps breaks the rule on the order of maps.
package maps

import (
	"cmp"
	"maps"
	"slices"
)

type table map[int]string

func ranges(m map[int]string, named table, list []int) (n int) {
	for range m { // want: range over a map
		n++
	}
	for k := range named { // want: range over a map
		n += k
	}
	// It is a sum.
	for k := range m { // want: range over a map
		n += k
	}
	// order:
	for k := range m { // want: range over a map
		n += k
	}
	// order: a sum of whole numbers

	for k := range m { // want: range over a map
		n += k
	}
	// order: a sum of whole numbers
	for k := range m {
		n += k
	}
	// Gather them all,
	// order: a sum of whole numbers,
	// whichever comes first.
	for k := range m {
		n += k
	}
	for range list {
		n++
	}
	return n + len(m)
}

func generic[M ~map[K]V, K comparable, V any](m M) (n int) {
	for range m { // want: range over a map
		n++
	}
	return n
}

func iterators(m map[int]string) []int {
	for k := range maps.Keys(m) { // want: maps.Keys
		_ = k
	}
	for k := range maps.All(m) { // want: maps.All
		_ = k
	}
	values := slices.Collect(maps.Values(m)) // want: maps.Values
	_ = values
	keys := maps.Keys[map[int]string] // want: maps.Keys
	_ = keys
	// order: any one will do
	for k := range maps.Keys(m) {
		_ = k
	}
	_ = slices.SortedFunc(maps.Values(m), cmp.Compare[string])
	return slices.Sorted(maps.Keys(m))
}
