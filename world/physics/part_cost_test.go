package physics

import (
	"slices"
	"testing"

	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"pgregory.net/rapid"
)

// If one body is tied to most others, StepPart steps all bodies, and finds that out
// early.
func TestConnectedPileIsSteppedWhole(t *testing.T) {
	sc := heavyPyramid(t, 8)
	sc.run(&Solver{Check: true}, 30)
	h := newPast(sc, 4)
	h.sv.partial.anySize = false
	h.play()
	h.scripts[0] = []action{force(5, 1, 0)}
	h.again(t, 0, true)
	if h.wholes != 4 {
		t.Errorf("%d of 4 steps of a pile were whole", h.wholes)
	}
	if n := len(h.sv.partial.excerpt.sub.Bodies); n != 0 {
		t.Errorf("a part of %d bodies was stepped first", n)
	}
}

func TestPartDoesNotAllocate(t *testing.T) {
	for name, anySize := range map[string]bool{"in part": true, "whole": false} {
		t.Run(name, func(t *testing.T) {
			sc := heavyPyramid(t, 6)
			sc.run(&Solver{Check: true}, 30)
			h := newPast(sc, 8)
			h.sv.Check, h.sv.partial.anySize = false, anySize // asserts allocate
			h.play()
			var first State
			var changed []int32
			round := 0
			again := func() {
				first.CopyFrom(&h.start)
				round++
				first.Bodies[9].ApplyForce(float64(round%5), 0)
				changed = append(changed[:0], 9)
				mid := &first
				for tick := range h.mids {
					part := h.sv.StepPart(mid, &h.afters[tick], &h.traces[tick], changed, h.defs, h.rules, nil)
					if len(part.Changed) == 0 || part.Whole == anySize {
						t.Fatalf("round %d, tick %d: %+v", round, tick, part)
					}
					changed = append(changed[:0], part.Changed...)
					mid = &h.afters[tick]
				}
			}
			for range 20 {
				again()
			}
			if n := testing.AllocsPerRun(20, again); n != 0 {
				t.Errorf("%v allocations in %d steps", n, len(h.mids))
			}
		})
	}
}

// The index finds the same slots as a comparison with every extent, whatever was added
// and removed.
func TestSlotIndex(t *testing.T) {
	draws.Check(t, func(rt *rapid.T) {
		const slots = 40
		boxes := make([]extent, slots)
		one := func() extent {
			size := uint32(1) << rapid.IntRange(0, 31).Draw(rt, "size")
			x, y := rapid.Uint32().Draw(rt, "x"), rapid.Uint32().Draw(rt, "y")
			return extent{x, max(x, x+size), y, max(y, y+size/2)}
		}
		n, sum := 0, 0
		for slot := range boxes {
			if boxes[slot] = nowhere(); rapid.Bool().Draw(rt, "there") {
				boxes[slot] = one()
				n, sum = n+1, sum+boxes[slot].size()
			}
		}
		var ix slotIndex
		ix.start(n, sum, slots)
		for slot := range boxes {
			ix.insert(boxes, int32(slot))
		}
		for range 60 {
			slot := int32(rapid.IntRange(0, slots-1).Draw(rt, "slot"))
			ix.remove(boxes, slot)
			boxes[slot] = one()
			ix.insert(boxes, slot)
			e := one()
			found := ix.find(boxes, e, nil)
			slices.Sort(found)
			found = slices.Compact(found)
			for i := range boxes {
				if want := !boxes[i].empty() && e.meets(boxes[i]); want != slices.Contains(found, int32(i)) {
					rt.Fatalf("slot %d at %v overlaps %v: %v, and the index says otherwise", i, boxes[i], e, want)
				}
			}
		}
	})
}
