package physics

import (
	"slices"
	"testing"

	"github.com/hindcast/hindcast/runtime/simtest/draws"
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
		b.idle = b.kind == Static || r.next()%4 == 0
		b.lo, b.hi = span(size)
		b.bottom, b.top = span(size)
		boxes[i] = b
	}
	return boxes
}

// bodiesOf returns the owners of boxes: every fifth is on a layer that the
// others do not meet.
func bodiesOf(boxes []box) []outline {
	many, few := &Def{Layer: 1, Collides: 1}, &Def{Layer: 2, Collides: 2}
	bodies := make([]outline, len(boxes))
	for i := range bodies {
		if bodies[i].def = many; i%5 == 0 {
			bodies[i].def = few
		}
	}
	return bodies
}

// A sweep finds the same pairs as a comparison of all boxes with all others. If it may
// keep fewer, it keeps so many of those, the same each time, and says so; pairs of which
// one is idle first.
func TestSweepAgainstBruteForce(t *testing.T) {
	var bp broadphase // kept: a used one must find the same
	draws.Check(t, func(rt *rapid.T) {
		boxes := drawBoxes(rt)
		bodies := bodiesOf(boxes)
		var want []uint64
		withIdle := 0
		for i, a := range boxes {
			for j := i + 1; j < len(boxes); j++ {
				b := boxes[j]
				meet := a.lo <= b.hi && b.lo <= a.hi && a.bottom <= b.top && b.bottom <= a.top
				if meet && !(a.idle && b.idle) && (a.kind == Dynamic || b.kind == Dynamic) && !(a.sensor && b.sensor) && bodies[i].def == bodies[j].def {
					want = append(want, uint64(i)<<32|uint64(j))
					if a.idle || b.idle {
						withIdle++
					}
				}
			}
		}
		sweep := func(bp *broadphase, most int) []uint64 {
			bp.reset(bodies)
			bp.pairs.most = most
			for _, b := range boxes {
				*bp.add(b.idle) = b
			}
			return bp.sweep(len(boxes))
		}
		if got := sweep(&bp, MaxPairs); !slices.Equal(got, want) || bp.isFull() {
			rt.Errorf("%d pairs, want %d: %x, want %x", len(got), len(want), got, want)
		}
		most := rapid.IntRange(0, len(want)).Draw(rt, "most")
		some, idle := slices.Clone(sweep(&bp, most)), 0
		for _, p := range some {
			if boxes[p>>32].idle || boxes[uint32(p)].idle {
				idle++
			}
			if _, ok := slices.BinarySearch(want, p); !ok {
				rt.Errorf("%x is no pair", p)
			}
		}
		if len(some) != most || bp.isFull() != (most < len(want)) || idle != min(most, withIdle) {
			rt.Errorf("%d pairs of %d, %d of %d with idle ones, want %d; full: %v", len(some), len(want), idle, withIdle, most, bp.isFull())
		}
		if again := sweep(new(broadphase), most); !slices.Equal(again, some) {
			rt.Errorf("a fresh one keeps %x, not %x", again, some)
		}
	})
}

func TestGridIsMonotone(t *testing.T) {
	draws.Check(t, func(rt *rapid.T) {
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
