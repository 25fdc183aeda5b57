package space_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/hindcast/hindcast/world/physics"
	"github.com/hindcast/hindcast/world/physics/space"
)

// yard is a floor with a crate on it, a ball that hangs from the world by a hinge with a
// motor, and a zone that senses what is in it.
type yard struct {
	*space.Space
	floorDef, crateDef, ballDef, zoneDef space.DefID
	floor, crate, ball, zone             space.BodyID
	hinge                                space.JointID
}

func newYard() *yard {
	s := space.Must(space.New(physics.NewParams(60)))
	y := &yard{Space: s}
	y.floorDef = space.Must(s.AddDef(physics.NewDef(physics.Static, physics.BoxShape(20, 1))))
	y.crateDef = space.Must(s.AddDef(physics.NewDef(physics.Dynamic, physics.BoxShape(1, 1))))
	y.ballDef = space.Must(s.AddDef(physics.NewDef(physics.Dynamic, physics.CircleShape(0.5))))
	zone := physics.NewDef(physics.Static, physics.BoxShape(2, 2))
	zone.Sensor = true
	y.zoneDef = space.Must(s.AddDef(zone))
	y.floor = space.Must(s.AddBody(y.floorDef, physics.Pose{Y: -0.5}))
	y.crate = space.Must(s.AddBody(y.crateDef, physics.Pose{Y: 0.5}))
	y.ball = space.Must(s.AddBody(y.ballDef, physics.Pose{X: 4, Y: 3}))
	y.zone = space.Must(s.AddBody(y.zoneDef, physics.Pose{X: -4, Y: 1}))
	y.hinge = space.Must(s.AddJoint(space.Joint{Kind: physics.Hinge, A: y.ball, At: physics.Vec{X: 4, Y: 3}, Motor: &space.Motor{Speed: 2, MaxForce: 10}}))
	return y
}

func (y *yard) steps(n int) {
	for range n {
		y.Step()
	}
}

// Sleepers wake when a static body appears near them or moves, and when gravity changes.
func TestWakes(t *testing.T) {
	for name, c := range map[string]struct {
		change func(y *yard) error
		wakes  bool
	}{
		"nothing":       {func(y *yard) error { return nil }, false},
		"far wall":      {func(y *yard) error { _, err := y.AddBody(y.floorDef, physics.Pose{Y: 40}); return err }, false},
		"wall":          {func(y *yard) error { _, err := y.AddBody(y.floorDef, physics.Pose{Y: 2}); return err }, true},
		"floor moved":   {func(y *yard) error { return y.ChangeBody(y.floor, func(b *physics.Body, _ *physics.Def) { b.Y -= 5 }) }, true},
		"floor removed": {func(y *yard) error { return y.RemoveBody(y.floor) }, true},
		"gravity": {func(y *yard) error {
			_, _, p := y.Flat()
			p.GravityX = 4
			return y.SetParams(p)
		}, true},
		"pushed": {func(y *yard) error {
			return y.ChangeBody(y.crate, func(b *physics.Body, d *physics.Def) { b.ApplyImpulse(d, 1, 0) })
		}, true},
	} {
		y := newYard()
		y.steps(120)
		if b := space.Must(y.Body(y.crate)); !b.Asleep() {
			t.Fatal("the crate does not sleep")
		}
		if err := c.change(y); err != nil {
			t.Fatal(err)
		}
		y.Step()
		if b := space.Must(y.Body(y.crate)); b.Asleep() == c.wakes {
			t.Errorf("%s: asleep %v", name, b.Asleep())
		}
	}
}

// Bodies gives all, in the order in which they were added, and may be left early.
func TestBodies(t *testing.T) {
	y := newYard()
	if err := y.RemoveBody(y.crate); err != nil {
		t.Fatal(err)
	}
	late := space.Must(y.AddBody(y.crateDef, physics.Pose{Y: 9}))
	var ids []space.BodyID
	for id, b := range y.Bodies {
		if b.Key != uint64(id) {
			t.Errorf("body %d has key %d", id, b.Key)
		}
		ids = append(ids, id)
	}
	if want := []space.BodyID{y.floor, y.ball, y.zone, late}; !slices.Equal(ids, want) {
		t.Errorf("%v, want %v", ids, want)
	}
	for range y.Bodies {
		break
	}
	ids = nil
	for id := range y.Bodies { // removes the first two, and adds one
		if id == y.floor {
			if err := errors.Join(y.RemoveBody(y.floor), y.RemoveBody(y.ball)); err != nil {
				t.Error(err)
			}
			space.Must(y.AddBody(y.crateDef, physics.Pose{Y: 12}))
		}
		ids = append(ids, id)
	}
	if want := []space.BodyID{y.floor, y.zone, late, late + 1}; !slices.Equal(ids, want) {
		t.Errorf("with changes on the way %v, want %v", ids, want)
	}
}
