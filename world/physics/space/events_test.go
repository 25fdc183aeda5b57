package space_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/hindcast/hindcast/world/physics"
	"github.com/hindcast/hindcast/world/physics/space"
)

// Events tell who began to touch, who visits whom and what broke, also of bodies that were
// removed.
func TestEvents(t *testing.T) {
	y := newYard()
	y.steps(1)
	if e := y.Events(); len(e.Begins) != 1 || e.Begins[0].A != y.floor || e.Begins[0].B != y.crate || len(e.Enters) != 0 {
		t.Errorf("the crate lies on the floor: %+v", e)
	}
	visitor := space.Must(y.AddBody(y.ballDef, physics.Pose{X: -4, Y: 1.2}))
	y.steps(1)
	if e := y.Events(); !slices.Equal(e.Enters, []space.Visit{{Sensor: y.zone, Visitor: visitor}}) {
		t.Errorf("a ball in the zone: %+v", e)
	}
	if err := errors.Join(y.RemoveBody(y.zone), y.RemoveBody(y.crate), y.RemoveBody(y.ball)); err != nil {
		t.Fatal(err)
	}
	space.Must(y.AddBody(y.crateDef, physics.Pose{X: 8, Y: 8})) // into one of the slots
	y.steps(1)
	e := y.Events()
	if !slices.Equal(e.Leaves, []space.Visit{{Sensor: y.zone, Visitor: visitor}}) {
		t.Errorf("the zone was removed: %+v", e.Leaves)
	}
	if len(e.Ends) != 1 || e.Ends[0].A != y.floor || e.Ends[0].B != y.crate {
		t.Errorf("the crate was removed: %+v", e.Ends)
	}
	if len(e.Breaks) != 0 {
		t.Errorf("%+v of a joint with the world, of which the only body was removed", e.Breaks)
	}
	y.steps(60)
	if len(y.Events().Hits) > 0 {
		t.Errorf("at rest: %+v", y.Events().Hits)
	}
}

func TestHitsAndBreaks(t *testing.T) {
	y := newYard()
	falling := space.Must(y.AddBody(y.crateDef, physics.Pose{X: 6, Y: 4}))
	tied := space.Must(y.AddJoint(space.Joint{Kind: physics.Weld, A: y.ball, B: y.crate, At: physics.Vec{X: 2, Y: 2}, BreakForce: 1}))
	hits, breaks := 0, 0
	for range 90 {
		y.Step()
		for _, h := range y.Events().Hits {
			if h.B == falling && h.A == y.floor && h.Speed > 5 {
				hits++
			}
		}
		for _, b := range y.Events().Breaks {
			if b.Joint == tied && b.Broke && b.Force > 1 && b.A == y.ball && b.B == y.crate {
				breaks++
			}
		}
	}
	if hits != 1 || breaks != 1 {
		t.Errorf("%d hits of the falling crate and %d breaks, want one of each", hits, breaks)
	}
}
