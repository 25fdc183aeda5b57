package world_test

import (
	"math"
	"slices"
	"testing"

	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
)

// TestSightHasWhatQueriesComeNearTo looks along a row of objects that are all drawn elsewhere, in a world
// where the client looks.
func TestSightHasWhatQueriesComeNearTo(t *testing.T) {
	def := physics.Def{Type: physics.Dynamic, Shape: physics.CircleShape(0.5), Density: 1}
	schema, err := world.NewSchema([]world.Class{{Name: "Mark", Seen: &world.SeenRules{}, Body: &world.BodySpec{Def: def}}, {Name: "Post", Body: &world.BodySpec{Def: def}}}, world.Setup{TickRate: 60, Substeps: 1, Width: 100, Height: 100})
	if err != nil {
		t.Fatal(err)
	}
	w := world.New()
	w.Load(nil, schema)
	w.Begin()
	w.BeginOrder()
	w.SpawnLevel(func(int, *world.Event) {})
	game, _ := w.Match()
	w.Act(game)
	var ids []world.ObjectID
	for i := range 12 {
		slot, err := w.Spawn("Mark", world.Placement{Pose: physics.Pose{X: float64(3 * i), Y: -50}})
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, w.Now.Objects[slot].ID)
	}
	gun, err := w.Spawn("Post", world.Placement{Pose: physics.Pose{X: -5}})
	if err != nil {
		t.Fatal(err)
	}
	w.EndOrder()
	w.BeginOrder()
	w.Drawn = func(id world.ObjectID) (at physics.Pose, ok bool) {
		i := slices.Index(ids, id)
		return physics.Pose{X: float64(3 * i), Y: 0.7}, i >= 0 && i != 4
	}
	defer w.Act(w.Act(gun))
	a := w.Actor()
	for _, c := range []struct {
		what string
		ask  func(q world.Queries)
		want []int // of ids
	}{
		{"a ray meets the first, and has all that it is near to, the nearest first", func(q world.Queries) { q.Raycast(-5, 0, 30, 0, math.MaxUint64) }, []int{0, 1, 2, 3, 5, 6, 7, 8}},
		{"a short ray", func(q world.Queries) { q.Raycast(-5, 0, -2, 0, math.MaxUint64) }, []int{0}},
		{"a circle", func(q world.Queries) { q.OverlapCircle(33, 5, 1, math.MaxUint64, nil) }, []int{10, 11}},
		{"a box far away", func(q world.Queries) { q.OverlapBox(0, 40, 1, 1, math.MaxUint64, nil) }, nil},
		{"other layers", func(q world.Queries) { q.Raycast(-5, 0, 30, 0, 0) }, nil},
		{"all of a class, the nearest to the actor", func(q world.Queries) { q.OfClass(0, nil) }, []int{0, 1, 2, 3, 5, 6, 7, 8}},
	} {
		a.BeginAsSeen(world.ViewTime{}, nil)
		c.ask(a.Queries())
		a.EndAsSeen()
		c.ask(a.Queries()) // outside, nothing is noted
		got := w.TakeSight()
		if err := got.Check(); err != nil || len(got) != len(c.want) {
			t.Errorf("%s: %v, %v", c.what, got, err)
			continue
		}
		for _, i := range c.want {
			if p, ok := got.Find(ids[i]); !ok || p != world.SightPose(ids[i], physics.Pose{X: float64(3 * i), Y: 0.7}) {
				t.Errorf("%s: object %d is at %v", c.what, i, p)
			}
		}
	}
	if hit, ok := func() (world.RayHit, bool) {
		w.Drawn = nil
		w.EndOrder()
		w.BeginOrder()
		a.BeginAsSeen(world.ViewTime{}, world.Sight{world.SightPose(ids[7], physics.Pose{X: 2})})
		defer a.EndAsSeen()
		return a.Queries().Raycast(-4, 0, 30, 0, math.MaxUint64)
	}(); !ok || hit.Object != ids[7] || hit.X != 1.5 {
		t.Errorf("a ray meets %+v, %v", hit, ok)
	}
}

// TestTowardStopsAtTheLimit moves a pose toward another one, by metres and radians.
func TestTowardStopsAtTheLimit(t *testing.T) {
	from, to := world.SightPose(1, physics.Pose{X: 1, Angle: 3}), world.SightPose(1, physics.Pose{X: 4, Y: 4, Angle: -3})
	for _, c := range []struct {
		metres, radians float64
		x, y, angle     float64
		all             bool
	}{{5, 1, 4, 4, -3, true}, {2.5, 1, 2.5, 2, -3, false}, {0, 1, 1, 0, -3, false}, {9, 0.1, 4, 4, 3.1, false}} {
		at, all := from.Toward(to, c.metres, c.radians)
		if want := world.SightPose(1, physics.Pose{X: c.x, Y: c.y, Angle: c.angle}); at.DistanceTo(want) > 0.01 || at.TurnTo(want) > 0.01 || all != c.all {
			t.Errorf("%+v: %v, %v", c, at, all)
		}
	}
}

// TestEachFrameSeesItsOwnSight looks twice in one order, as two frames of a tick do, with another sight each time,
// and then without one.
func TestEachFrameSeesItsOwnSight(t *testing.T) {
	def := physics.Def{Type: physics.Dynamic, Shape: physics.CircleShape(0.5), Density: 1}
	schema, err := world.NewSchema([]world.Class{{Name: "Mark", Seen: &world.SeenRules{}, Body: &world.BodySpec{Def: def}}, {Name: "Post", Body: &world.BodySpec{Def: def}}}, world.Setup{TickRate: 60, Substeps: 1, Width: 100, Height: 100})
	if err != nil {
		t.Fatal(err)
	}
	w := world.New()
	w.Load(nil, schema)
	w.Begin()
	w.BeginOrder()
	w.SpawnLevel(func(int, *world.Event) {})
	game, _ := w.Match()
	w.Act(game)
	slot, _ := w.Spawn("Mark", world.Placement{Pose: physics.Pose{X: 40, Y: -40}})
	id := w.Now.Objects[slot].ID
	gun, _ := w.Spawn("Post", world.Placement{Pose: physics.Pose{X: -5}})
	w.EndOrder()
	w.BeginOrder()
	defer w.Act(w.Act(gun))
	a := w.Actor()
	looks := func(s world.Sight) (x float64, met bool) {
		a.BeginAsSeen(world.ViewTime{}, s)
		defer a.EndAsSeen()
		hit, met := a.Queries().Raycast(-4, 0, 30, 0, math.MaxUint64)
		return hit.X, met
	}
	for _, want := range []float64{2, 10, 10, 3} {
		if x, met := looks(world.Sight{world.SightPose(id, physics.Pose{X: want})}); !met || x != want-0.5 {
			t.Errorf("the sight is at %v: the ray meets %v at %v", want, met, x)
		}
	}
	if x, met := looks(nil); met {
		t.Errorf("without a sight, the ray meets something at %v", x)
	}
	w.Drawn = func(world.ObjectID) (physics.Pose, bool) { return physics.Pose{X: 7}, true }
	if x, met := looks(nil); !met || x != 6.5 {
		t.Errorf("drawn at 7: the ray meets %v at %v", met, x)
	}
}
