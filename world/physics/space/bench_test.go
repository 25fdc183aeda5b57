package space_test

import (
	"testing"

	"github.com/hindcast/hindcast/world/physics"
	"github.com/hindcast/hindcast/world/physics/space"
)

// pile returns 400 crates that fall into a heap.
func pile() *space.Space {
	s := space.Must(space.New(physics.NewParams(60)))
	floor := space.Must(s.AddDef(physics.NewDef(physics.Static, physics.BoxShape(60, 1))))
	crate := space.Must(s.AddDef(physics.NewDef(physics.Dynamic, physics.BoxShape(1, 1))))
	space.Must(s.AddBody(floor, physics.Pose{Y: -0.5}))
	for i := range 400 {
		space.Must(s.AddBody(crate, physics.Pose{X: float64(i%20)*1.1 - 10, Y: 1 + float64(i/20)*1.1}))
	}
	return s
}

// A step of a Space costs as much as one of its flat state.
func BenchmarkStep(b *testing.B) {
	s := pile()
	var saved space.Saved
	for range 30 {
		s.Step()
	}
	s.Save(&saved)
	b.Run("space", func(b *testing.B) {
		for b.Loop() {
			s.Restore(&saved)
			for range 10 {
				s.Step()
			}
		}
	})
	b.Run("flat", func(b *testing.B) {
		var solver physics.Solver
		var state physics.State
		_, defs, params := s.Flat()
		for b.Loop() {
			state.CopyFrom(saved.State())
			for range 10 {
				solver.Step(&state, defs, params)
			}
		}
	})
}
