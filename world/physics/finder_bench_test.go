package physics

import (
	"fmt"
	"testing"
)

// BenchmarkFinder asks for a ray that meets nothing: by looking at all bodies, with the index, and with making it.
func BenchmarkFinder(b *testing.B) {
	for _, n := range []int{64, 1000, 16000} {
		s, defs := crowd(n)
		f := NewFinder(s, defs)
		ask := func() { f.Raycast(Vec{-10, -10}, Vec{-12, -11}, 1, 0) }
		b.Run(fmt.Sprintf("%d bodies/scan", n), func(b *testing.B) {
			for b.Loop() {
				f.Reset(s, defs)
				ask()
			}
		})
		b.Run(fmt.Sprintf("%d bodies/index", n), func(b *testing.B) {
			f.scans = scansForTree
			for b.Loop() {
				ask()
			}
		})
		b.Run(fmt.Sprintf("%d bodies/make", n), func(b *testing.B) {
			for b.Loop() {
				f.Reset(s, defs)
				f.scans = scansForTree
				ask()
			}
		})
	}
}

// crowd returns n bodies in a square.
func crowd(n int) (*State, []Def) {
	def := Def{Type: Dynamic, Shape: BoxShape(0.8, 0.8), Density: 1, Layer: 1}
	if err := def.Prepare(); err != nil {
		panic(err)
	}
	s := &State{}
	side := 1
	for side*side < n {
		side++
	}
	for i := range n {
		at := Vec{float64(i%side) * 1.2, float64(i/side) * 1.2}
		s.Bodies = append(s.Bodies, NewBody(uint64(i*7919%n+1), 0, at, 0.3))
	}
	return s, []Def{def}
}
