package space_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/hindcast/hindcast/world/physics"
	"github.com/hindcast/hindcast/world/physics/space"
)

func TestQueries(t *testing.T) {
	y := newYard()
	all := y.Query(space.Filter{})
	if hit, ok := all.Raycast(physics.Vec{Y: 5}, physics.Vec{Y: -5}); !ok || hit.Body != y.crate || hit.Point.Y != 1 || hit.Normal.Y != 1 || hit.Fraction != 0.4 {
		t.Errorf("ray from above: %+v %v", hit, ok)
	}
	if hit, ok := y.Query(space.Filter{Ignore: y.crate}).Raycast(physics.Vec{Y: 5}, physics.Vec{Y: -5}); !ok || hit.Body != y.floor {
		t.Errorf("ray through the crate: %+v %v", hit, ok)
	}
	if _, ok := y.Query(space.Filter{Layers: 2}).Raycast(physics.Vec{Y: 5}, physics.Vec{Y: -5}); ok {
		t.Error("a ray sees a layer that it does not look at")
	}
	hits := all.RaycastAll(physics.Vec{Y: 5}, physics.Vec{Y: -5}, nil)
	if len(hits) != 2 || hits[0].Body != y.crate || hits[1].Body != y.floor {
		t.Errorf("all on the ray: %+v", hits)
	}
	if hit, ok, err := all.ShapeCast(physics.CircleShape(0.5), physics.Pose{X: 4, Y: 9}, physics.Vec{Y: -9}); err != nil || !ok || hit.Body != y.ball {
		t.Errorf("cast: %+v %v %v", hit, ok, err)
	}
	if ids, err := all.Overlap(physics.BoxShape(1, 1), physics.Pose{Y: 0.1}, nil); err != nil || !slices.Equal(ids, []space.BodyID{y.floor, y.crate}) {
		t.Errorf("overlap: %v %v", ids, err)
	}
	if ids, err := y.Query(space.Filter{Ignore: y.floor}).Overlap(physics.BoxShape(1, 1), physics.Pose{Y: 0.1}, nil); err != nil || !slices.Equal(ids, []space.BodyID{y.crate}) {
		t.Errorf("overlap but for the floor: %v %v", ids, err)
	}
	if found, ok := all.Nearest(physics.Vec{X: 4, Y: 5}, 3); !ok || found.Body != y.ball || math.Abs(found.Distance-1.5) > 1e-9 {
		t.Errorf("nearest: %+v %v", found, ok)
	}
	if _, ok := all.Nearest(physics.Vec{X: 4, Y: 50}, 3); ok {
		t.Error("the nearest is farther than asked for")
	}
}

// A character walks down from the crate to the floor, and not through it.
func TestMove(t *testing.T) {
	y := newYard()
	m := physics.Mover{Shape: physics.CircleShape(0.5)}
	walk := y.Query(space.Filter{})
	at, bumps, err := walk.Move(&m, physics.Vec{Y: 3}, physics.Vec{Y: -5}, nil)
	if err != nil || len(bumps) != 1 || bumps[0].Body != y.crate || math.Abs(at.Y-1.5) > 1e-3 {
		t.Errorf("down: at %v, met %+v, %v", at, bumps, err)
	}
	at, _, _ = walk.Move(&m, at, physics.Vec{X: 2}, nil)
	at, bumps, _ = walk.Move(&m, at, physics.Vec{Y: -5}, bumps[:0])
	if len(bumps) != 1 || bumps[0].Body != y.floor || math.Abs(at.Y-0.5) > 1e-3 || math.Abs(at.X-2) > 1e-3 {
		t.Errorf("beside the crate: at %v, met %+v", at, bumps)
	}
	if at, bumps, _ := y.Query(space.Filter{Ignore: y.crate}).Move(&m, physics.Vec{Y: 3}, physics.Vec{Y: -1.5}, nil); len(bumps) != 0 || at.Y != 1.5 {
		t.Errorf("through what it ignores: at %v, met %+v", at, bumps)
	}
	m.Shape = physics.Shape{}
	if _, _, err := walk.Move(&m, at, physics.Vec{Y: -5}, nil); !errors.Is(err, physics.ErrShape) {
		t.Errorf("without a shape: %v", err)
	}
}
