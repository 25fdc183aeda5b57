package physics

import (
	"testing"
	"time"
)

// benchSteps reports the time of a body and step; and that of a step if each of
// the window took as long as the least time that it took, so that what else goes
// on in the machine does not count.
func benchSteps(b *testing.B, sc *scene, warm, window int) {
	var sv Solver
	dynamic := 0
	for i := range sc.Bodies {
		if sc.defs[sc.Bodies[i].Def].Type == Dynamic {
			dynamic++
		}
	}
	sc.run(&sv, warm)
	start := sc.copy()
	touching := map[int32]bool{}
	for _, c := range sc.Contacts {
		touching[c.SlotA], touching[c.SlotB] = true, true
	}
	least := make([]time.Duration, min(window, b.N))
	b.ReportAllocs()
	b.ResetTimer()
	for i := range b.N {
		if i%window == 0 {
			sc.CopyFrom(&start.State)
		}
		began := time.Now()
		sv.Step(&sc.State, sc.defs, sc.rules)
		if took := time.Since(began); i < window || took < least[i%window] {
			least[i%window] = took
		}
	}
	var sum time.Duration
	for _, took := range least {
		sum += took
	}
	b.ReportMetric(float64(sum.Nanoseconds())/1e3/float64(len(least)), "least-us")
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(dynamic), "ns/body")
	b.ReportMetric(100*float64(len(touching))/float64(dynamic), "%touching")
	b.ReportMetric(float64(len(start.Contacts)), "contacts")
}

// BenchmarkScene steps each of the standard scenes.
func BenchmarkScene(b *testing.B) {
	for _, s := range standards() {
		b.Run(s.name, func(b *testing.B) { benchSteps(b, s.make(b), s.warm, 60) })
	}
}

// BenchmarkSave copies a State and, turn by turn, as many plain bytes: how fast
// a save or a restore is by the fastest that it could be.
func BenchmarkSave(b *testing.B) {
	for _, name := range []string{"arena-10", "pile-1064", "sparse-5000"} {
		b.Run(name, func(b *testing.B) {
			sc := standardScene(b, name)
			sc.run(new(Solver), 60)
			var to State
			from, plain := make([]byte, sc.Size()), make([]byte, sc.Size())
			var save, least time.Duration
			b.ReportAllocs()
			for b.Loop() {
				began := time.Now()
				to.CopyFrom(&sc.State)
				between := time.Now()
				copy(plain, from)
				save, least = save+between.Sub(began), least+time.Since(between)
			}
			b.ReportMetric(0, "ns/op") // both together say nothing
			b.ReportMetric(float64(save)/float64(b.N), "ns/save")
			b.ReportMetric(float64(least)/float64(save), "of-plain-copy-speed")
			b.ReportMetric(float64(sc.Size()), "bytes")
		})
	}
}

func BenchmarkHash1064(b *testing.B) {
	sc := arena(b, 1060, 110)
	var sv Solver
	sc.run(&sv, 30)
	b.ReportAllocs()
	for b.Loop() {
		sc.Hash()
	}
}

func BenchmarkRaycast1064(b *testing.B) {
	sc := arena(b, 1060, 84)
	b.ReportAllocs()
	for b.Loop() {
		NewFinder(&sc.State, sc.defs).Raycast(Vec{-40, -38}, Vec{35, 41}, 1, 0)
	}
}

func BenchmarkIslands1064(b *testing.B) {
	sc := arena(b, 1060, 49)
	var sv Solver
	sc.run(&sv, 30)
	var is Islands
	b.ReportAllocs()
	for b.Loop() {
		is.Build(&sc.State)
	}
}
