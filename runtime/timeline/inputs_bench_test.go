package timeline

import (
	"math"
	"testing"

	"github.com/hindcast/hindcast/world"
)

// BenchmarkInputLog is what the inputs of 64 players cost in a tick: each is put into the log,
// and looked up for the tick and the 8 before, as a rewind does.
func BenchmarkInputLog(b *testing.B) {
	const players, deep = 64, 8
	l := &inputLog{sights: &sightLog{}, fades: func(world.ObjectID) bool { return false }, rule: repetition{15, math.MaxUint32}, changed: func(trackKey, world.Tick, world.Tick, change) {}}
	held := 0
	b.ReportAllocs()
	for n := range b.N {
		t := world.Tick(n + deep + 1)
		for p := range world.PlayerID(players) {
			of := trackKey{world.ObjectID(p)*7919 + 1, p}
			l.put(of, inputEntry{Tick: t, Bundle: 1, Payload: world.Input{Buttons: uint32(t) / 7 % 4}}, nil)
			for at := t - deep; at <= t; at++ {
				var in boundInput
				if l.effective(of, at, false, &in); in.Age == 0 && in.Input.Buttons != 0 {
					held++
				}
			}
		}
		if t%64 == 0 {
			l.prune(t - 32)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*players*(deep+1)), "ns/lookup")
	if b.N > 100 && held == 0 {
		b.Fatal("no input was held")
	}
}
