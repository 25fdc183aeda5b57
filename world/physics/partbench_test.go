package physics

import (
	"fmt"
	"testing"
	"time"
)

// benchPart re-runs the last 16 ticks with late forces on some bodies, in part
// and as a whole, and reports how the two compare.
func benchPart(b *testing.B, sc *scene, warm, bodies int) {
	const ticks = 16
	var sv Solver
	sc.run(&sv, warm)
	h := newPast(sc, ticks)
	h.sv.Check, h.sv.partial = false, partial{} // not in part at any cost
	h.play()
	var movable []int
	for slot := range sc.Bodies {
		if sc.defs[sc.Bodies[slot].Def].Type == Dynamic {
			movable = append(movable, slot)
		}
	}
	late := func(s *State, round int, slots []int32) []int32 {
		for i := range bodies {
			slot := movable[(i*len(movable)/bodies+7)%len(movable)]
			s.Bodies[slot].ApplyForce(float64(round%7)-3, float64(round%5)-2)
			slots = append(slots, int32(slot))
		}
		return slots
	}
	var first State
	var changed []int32
	solved, wholes := 0, 0
	inPart := func(round int) {
		first.CopyFrom(&h.start)
		changed = late(&first, round, changed[:0])
		for tick := range ticks {
			mid := &first
			if tick > 0 {
				mid = h.from(tick) // no script writes between
			}
			part := h.sv.StepPart(mid, &h.afters[tick], &h.traces[tick], changed, h.defs, h.rules, nil)
			changed = append(changed[:0], part.Changed...)
			solved += part.Solved
			if part.Whole {
				wholes++
			}
		}
	}
	inWhole := func(round int) {
		first.CopyFrom(&h.start)
		late(&first, round, nil)
		for tick := range ticks {
			mid := &first
			if tick > 0 {
				mid = h.from(tick)
			}
			h.afters[tick].CopyFrom(mid)
			h.sv.Step(&h.afters[tick], h.defs, h.rules)
			h.sv.Record(&h.afters[tick], &h.traces[tick])
		}
	}
	least := func(run func(round int), rounds int) (best time.Duration) {
		for round := range rounds {
			begin := time.Now()
			run(round)
			if took := time.Since(begin); best == 0 || took < best {
				best = took
			}
		}
		return best
	}
	var part, whole time.Duration
	for range 5 {
		p, w := least(inPart, 6), least(inWhole, 6)
		if part == 0 || p < part {
			part = p
		}
		if whole == 0 || w < whole {
			whole = w
		}
	}
	inPart(0)
	solved, wholes = 0, 0
	b.ReportAllocs()
	b.ResetTimer()
	for i := range b.N {
		inPart(i)
	}
	b.ReportMetric(float64(part)/float64(whole), "of-whole")
	b.ReportMetric(float64(part.Nanoseconds())/1e3, "least-us")
	b.ReportMetric(float64(whole.Nanoseconds())/1e3, "whole-us")
	b.ReportMetric(float64(solved)/float64(b.N)/ticks, "bodies/step")
	b.ReportMetric(float64(wholes)/float64(b.N), "wholes")
}

func BenchmarkPart(b *testing.B) {
	for _, sc := range []struct {
		name string
		make func() *scene
		warm int
	}{
		{"arena10", func() *scene { return arena(b, 1060, 84) }, 30},
		{"arena40", func() *scene { return arena(b, 1060, 49) }, 30},
		{"falling", func() *scene { return falling(b, 1000) }, 240},
		{"pile", func() *scene { return pile(b, 1064, 60) }, 240},
	} {
		for _, bodies := range []int{1, 4, 64} {
			b.Run(fmt.Sprintf("%s/%d", sc.name, bodies), func(b *testing.B) { benchPart(b, sc.make(), sc.warm, bodies) })
		}
	}
}
