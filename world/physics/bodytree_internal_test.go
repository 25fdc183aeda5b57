package physics

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestFewKeysAreSortedAsMany: the order of a tree does not depend on how its keys are sorted, also not of keys of the
// same place.
func TestFewKeysAreSortedAsMany(t *testing.T) {
	rng, same := rand.New(rand.NewPCG(1, 1)), 0
	for n := range fewKeys + 1 {
		var few, many bodyTree
		for slot := range n {
			few.keys = append(few.keys, curveKey{rng.Uint64N(uint64(n)) * 0x0102030405060708, int32(slot)})
		}
		many.keys = slices.Clone(few.keys)
		few.sort()
		many.sortDigits()
		if !slices.Equal(few.keys, many.keys) {
			t.Fatalf("%d keys: %v, want %v", n, few.keys, many.keys)
		}
		for i := 1; i < n; i++ {
			if few.keys[i-1].at == few.keys[i].at {
				same++
			}
		}
	}
	if same < 100 {
		t.Errorf("only %d keys have the place of another one", same)
	}
}
