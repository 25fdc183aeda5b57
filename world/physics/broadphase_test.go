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
		b := box{Part: int32(i), Rank: int32(i), Kind: Static + BodyType(r.next()%3), Sensor: r.next()%8 == 0}
		b.Idle = b.Kind == Static || r.next()%4 == 0
		b.Lo, b.Hi = span(size)
		b.Bottom, b.Top = span(size)
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
		if bodies[i].Def = many; i%5 == 0 {
			bodies[i].Def = few
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
				meet := a.Lo <= b.Hi && b.Lo <= a.Hi && a.Bottom <= b.Top && b.Bottom <= a.Top
				if meet && !(a.Idle && b.Idle) && (a.Kind == Dynamic || b.Kind == Dynamic) && !(a.Sensor && b.Sensor) && bodies[i].Def == bodies[j].Def {
					want = append(want, uint64(i)<<32|uint64(j))
					if a.Idle || b.Idle {
						withIdle++
					}
				}
			}
		}
		sweep := func(bp *broadphase, most int) []uint64 {
			bp.reset(bodies)
			bp.pairs.most = most
			for _, b := range boxes {
				*bp.add(b.Idle) = b
			}
			return bp.sweep(len(boxes))
		}
		if got := sweep(&bp, MaxPairs); !slices.Equal(got, want) || bp.isFull() {
			rt.Errorf("%d pairs, want %d: %x, want %x", len(got), len(want), got, want)
		}
		most := rapid.IntRange(0, len(want)).Draw(rt, "most")
		some, idle := slices.Clone(sweep(&bp, most)), 0
		for _, p := range some {
			if boxes[p>>32].Idle || boxes[uint32(p)].Idle {
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
