package physics_test

import (
	"math"
	"testing"

	"github.com/hindcast/hindcast/world/physics"
)

// TestContactPoints tests that the points of a box that lies on the ground are its two lower corners.
func TestContactPoints(t *testing.T) {
	defs := []physics.Def{physics.NewDef(physics.Static, physics.BoxShape(20, 2)), physics.NewDef(physics.Dynamic, physics.BoxShape(1, 1))}
	for i := range defs {
		if err := defs[i].Prepare(); err != nil {
			t.Fatal(err)
		}
	}
	rules := physics.Params{DT: 1.0 / 60, GravityY: -10, Substeps: 4}
	s := physics.State{Bodies: []physics.Body{physics.NewBody(1, 0, physics.Vec{}, 0), physics.NewBody(2, 1, physics.Vec{X: 3, Y: 1.52}, 0)}}
	var sv physics.Solver
	for range 60 {
		sv.Step(&s, defs, rules)
	}
	var points []physics.Vec
	for i := range s.Contacts {
		points = physics.ContactPoints(&s, defs, &s.Contacts[i], points)
	}
	if len(points) != 2 {
		t.Fatalf("%d points of %d contacts, want 2", len(points), len(s.Contacts))
	}
	for _, at := range points {
		if math.Abs(at.Y-1) > 0.02 || math.Abs(math.Abs(at.X-3)-0.5) > 0.02 {
			t.Errorf("a point at %v, want a corner of the box on the ground", at)
		}
	}
}
