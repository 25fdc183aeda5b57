package draws

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestPlainRunsAreAlike: a plain run draws the same cases each time, whatever other tests
// draw.
func TestPlainRunsAreAlike(t *testing.T) {
	runs := make([][]uint64, 2)
	for i := range runs {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			CheckN(t, 20, func(t *rapid.T) { runs[i] = append(runs[i], rapid.Uint64().Draw(t, "x")) })
		})
	}
	if len(runs[0]) < Short(20) || !slices.Equal(runs[0], runs[1]) {
		t.Errorf("%d and %d cases, which are to be the same: %x %x", len(runs[0]), len(runs[1]), runs[0], runs[1])
	}
}

// TestUntilItIsShown: Until draws as many cases as were asked for, and then more until
// the condition is shown.
func TestUntilItIsShown(t *testing.T) {
	for _, want := range []int{3, 50, 120} {
		cases := 0
		missing := func() string {
			if cases >= want {
				return ""
			}
			return "more"
		}
		Until(t, 100, missing, func(*rapid.T) { cases++ })
		exactly := max(want, Short(100))
		if _, ok := fresh(); ok {
			exactly = max(want, Short(100/repeated)) + Short(100)
		}
		if cases != exactly {
			t.Errorf("%d cases until %d, want %d", cases, want, exactly)
		}
	}
}

// TestEnoughLooksAgainAtACaseThatFailed: or rapid could not shrink it.
func TestEnoughLooksAgainAtACaseThatFailed(t *testing.T) {
	looked, fails := 0, false
	property := enough(1, func() string { return "" }, func(*rapid.T) {
		if looked++; fails {
			panic("found")
		}
	})
	look := func() (found any) {
		defer func() { found = recover() }()
		rapid.Custom(func(t *rapid.T) bool { property(t); return rapid.Bool().Draw(t, "") }).Example()
		return nil
	}
	fails = true
	if look() == nil || looked < 2 { // rapid tries again
		t.Errorf("looked %d times at cases that fail", looked)
	}
	looked, fails = 0, false
	property = enough(1, func() string { return "" }, func(*rapid.T) { looked++ })
	if look(); look() != nil || looked != 1 {
		t.Errorf("looked at %d cases, 1 was enough", looked)
	}
	looked = 0
	property = enough(2, func() string { return "" }, func(t *rapid.T) {
		if looked++; looked == 1 {
			t.SkipNow()
		}
	})
	if look(); look() != nil || looked != 2 {
		t.Errorf("looked at %d cases, one of them left out; 2 were enough", looked)
	}
}

func TestSeeds(t *testing.T) {
	seeds := Seeds(8)
	for i := range 8 {
		if seeds[i] != uint64(i)+1 {
			t.Errorf("%v: want 1 to 8 first", seeds)
		}
	}
	if _, ok := fresh(); len(seeds) != 8 && !ok || len(seeds) != 10 && ok {
		t.Errorf("%v; fresh ones are wanted: %v", seeds, ok)
	}
}
