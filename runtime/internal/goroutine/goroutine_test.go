package goroutine

import (
	"sync"
	"testing"
)

// Goroutines have different numbers, also one after the other, and each keeps its own.
func TestIDsDiffer(t *testing.T) {
	seen := map[uint64]bool{ID(): true}
	var mu sync.Mutex
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			first, again := ID(), ID()
			mu.Lock()
			defer mu.Unlock()
			if first != again {
				t.Errorf("one goroutine has the numbers %d and %d", first, again)
			}
			if seen[first] {
				t.Errorf("two goroutines have the number %d", first)
			}
			seen[first] = true
		})
	}
	all.Wait()
	after := make(chan uint64)
	go func() { after <- ID() }()
	if id := <-after; seen[id] {
		t.Errorf("the number %d was used again", id)
	}
}

func BenchmarkID(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		ID()
	}
}
