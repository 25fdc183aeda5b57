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
	h.play()
	var movable []int
	for slot := range sc.Bodies {
		if sc.defs[sc.Bodies[slot].Def].Type == Dynamic {
			movable = append(movable, slot)
		}
	}
	late := func(s *State, round int) (slots []int32) {
		for i := range bodies {
			slot := movable[(i*len(movable)/bodies+7)%len(movable)]
			s.Bodies[slot].ApplyForce(float64(round%7)-3, float64(round%5)-2)
			slots = append(slots, int32(slot))
		}
		return slots
	}
	var mid, whole State
	var changed []int32
	solved, wholes := 0, 0
	inPart := func(round int) {
		changed = changed[:0]
		for tick := range ticks {
			mid.CopyFrom(h.from(tick))
			if tick == 0 {
				changed = append(changed, late(&mid, round)...)
			}
			part := h.sv.StepPart(&mid, &h.afters[tick], &h.traces[tick], changed, h.defs, h.rules)
			changed = append(changed[:0], part.Changed...)
			solved += part.Solved
			if part.Whole {
				wholes++
			}
		}
	}
	inWhole := func(round int) {
		for tick := range ticks {
			whole.CopyFrom(h.from(tick))
			if tick == 0 {
				late(&whole, round)
			}
			h.afters[tick].CopyFrom(&whole)
			h.sv.Step(&h.afters[tick], h.defs, h.rules)
			h.sv.Record(&h.afters[tick], &h.traces[tick])
		}
	}
	for round := range 8 {
		inPart(round)
	}
	solved, wholes = 0, 0
	b.ReportAllocs()
	b.ResetTimer()
	for i := range b.N {
		inPart(i)
	}
	b.StopTimer()
	inTime := b.Elapsed()
	begin := time.Now()
	n := 0
	for n < 3 || time.Since(begin) < 50*time.Millisecond {
		inWhole(n)
		n++
	}
	wholeTime := time.Since(begin) / time.Duration(n)
	b.ReportMetric(float64(inTime.Nanoseconds())/float64(b.N)/float64(wholeTime.Nanoseconds()), "of-whole")
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
		{"pile", func() *scene { return falling(b, 1000) }, 240},
	} {
		for _, bodies := range []int{1, 4, 64} {
			b.Run(fmt.Sprintf("%s/%d", sc.name, bodies), func(b *testing.B) { benchPart(b, sc.make(), sc.warm, bodies) })
		}
	}
}
