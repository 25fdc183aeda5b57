package world_test

import (
	"testing"
	"time"

	"github.com/hindcast/hindcast/world"
)

// bytesOf returns the memory of a state.
func bytesOf(s *world.State) int {
	var m world.Memory
	m.AddState(s)
	return m.Bytes()
}

// BenchmarkSave copies a State of 1,000 balls and, turn by turn, as many plain
// bytes: how fast a save or a restore is by the fastest that it could be.
func BenchmarkSave(b *testing.B) {
	w, _ := begin(b, testSchema(b, nil), 1000)
	var to world.State
	from, plain := make([]byte, bytesOf(w.Now)), make([]byte, bytesOf(w.Now))
	var save, least time.Duration
	b.ReportAllocs()
	for b.Loop() {
		began := time.Now()
		to.CopyFrom(w.Now)
		between := time.Now()
		copy(plain, from)
		save, least = save+between.Sub(began), least+time.Since(between)
	}
	b.ReportMetric(0, "ns/op") // both together say nothing
	b.ReportMetric(float64(save)/float64(b.N), "ns/save")
	b.ReportMetric(float64(least)/float64(save), "of-plain-copy-speed")
	b.ReportMetric(float64(bytesOf(w.Now)), "bytes")
}
