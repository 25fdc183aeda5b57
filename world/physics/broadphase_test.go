package physics

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// drawBoxes makes boxes of very different sizes, some in one place, some at
// the ends of the grid.
func drawBoxes(rt *rapid.T) []box {
	n := rapid.IntRange(0, 300).Draw(rt, "n")
	r := random(rapid.Uint64().Draw(rt, "seed"))
	side := [...]uint64{1 << 8, 1 << 20, 1 << 32}[r.next()%3]
	span := func(size uint64) (lo, hi uint32) {
		at := r.next() % side
		return uint32(at), uint32(min(at+r.next()%size, gridMax))
	}
	boxes := make([]box, n)
	for i := range boxes {
		size := side/16 + 1
		if r.next()%10 == 0 {
			size = side
		}
		b := box{part: int32(i), rank: int32(i), kind: Static + BodyType(r.next()%3), sensor: r.next()%8 == 0}
		b.lo, b.hi = span(size)
		b.bottom, b.top = span(size)
		boxes[i] = b
	}
	return boxes
}

func TestSweepAgainstBruteForce(t *testing.T) {
	var bp broadphase // kept: a used one must find the same
	rapid.Check(t, func(rt *rapid.T) {
		boxes := drawBoxes(rt)
		var want []uint64
		for i, a := range boxes {
			for j := i + 1; j < len(boxes); j++ {
				b := boxes[j]
				meet := a.lo <= b.hi && b.lo <= a.hi && a.bottom <= b.top && b.bottom <= a.top
				if meet && (a.kind == Dynamic || b.kind == Dynamic) && !(a.sensor && b.sensor) {
					want = append(want, uint64(i)<<32|uint64(j))
				}
			}
		}
		bp.reset()
		for _, b := range boxes {
			bp.add(b)
		}
		if got := bp.sweep(len(boxes)); !slices.Equal(got, want) {
			rt.Errorf("%d pairs, want %d: %x, want %x", len(got), len(want), got, want)
		}
	})
}

func TestGridIsMonotone(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		a, b := rapid.Float64().Draw(rt, "a"), rapid.Float64().Draw(rt, "b")
		if a > b {
			a, b = b, a
		}
		if grid(a) > grid(b) {
			rt.Errorf("grid(%v) = %d is above grid(%v) = %d", a, grid(a), b, grid(b))
		}
	})
	if grid(1) >= grid(1.001) || grid(-MaxPosition) == 0 || grid(MaxPosition) == gridMax {
		t.Error("the grid is too coarse or too small for the world")
	}
}
