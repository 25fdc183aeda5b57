package world_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
	"pgregory.net/rapid"
)

// rope returns a rope of a length between two objects, or from one to the place
// where it is.
func rope(w *world.World, a, b int, length float64) physics.Joint {
	j := physics.Joint{Kind: physics.Distance, KeyA: uint64(w.Now.Objects[a].ID), Flags: physics.JointLimits, Length: length, Max: length}
	if b >= 0 {
		j.KeyB = uint64(w.Now.Objects[b].ID)
	} else {
		j.AnchorB = w.Now.Body(a).Position()
	}
	return j
}

// as lets an object act in an order of its own.
func as(w *world.World, slot int, f func()) {
	w.BeginOrder()
	before := w.Act(slot)
	f()
	w.Act(before)
	w.EndOrder()
	w.BeginOrder() // queries see the result from here on
}

func must(t tester, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// tie makes a rope and gives the slot and id of its object.
func tie(t tester, w *world.World, a, b int, length float64) (slot int, id world.ObjectID) {
	t.Helper()
	as(w, a, func() {
		made, err := w.Actor().Tie(rope(w, a, b, length))
		must(t, err)
		slot, id = made, w.Now.Objects[made].ID
	})
	return slot, id
}

// rest runs the physics and the end of a tick, and begins the next.
func rest(w *world.World) {
	w.Step()
	w.BeginBlock(w.Schema().ContactBlock())
	w.EndOrder()
	w.End()
	w.Begin()
}

// tied returns a world with a rope, a hinge to the world, an attachment, and a rope
// of which one end has gone.
func tied(t tester) (*world.World, []int) {
	w, b := begin(t, testSchema(t, carriable), 6)
	tie(t, w, b[0], b[1], 4)
	tie(t, w, b[4], b[5], 4)
	as(w, b[2], func() {
		body := *w.Now.Body(b[2])
		_, err := w.Actor().Tie(physics.NewJoint(0, physics.Hinge, &body, nil, physics.Vec{X: body.X + 1, Y: body.Y}))
		must(t, err)
		must(t, w.Actor().Attach(w.Now.Objects[b[3]].ID, w.Now.Objects[b[2]].ID, 0, 1))
	})
	for range 5 {
		rest(w)
	}
	as(w, b[5], func() { must(t, w.Actor().Do(world.Op{Target: w.Now.Objects[b[5]].ID, Kind: world.Remove})) })
	w.Step()
	w.End()
	return w, b
}

func TestJointsSurviveTheByteForm(t *testing.T) {
	w, _ := tied(t)
	if n := len(w.Now.Physics.Joints); n != 4 {
		t.Fatalf("%d joints, want 4, one of them gone", n)
	}
	bytes := world.AppendState(nil, w.Now, w.Schema())
	got, err := world.ParseState(bytes, w.Schema())
	must(t, err)
	if got.Hash() != w.Now.Hash() {
		t.Errorf("%v", world.Diff(w.Now, got, w.Schema(), 5))
	}
	for n := range bytes {
		if _, err := world.ParseState(bytes[:n], w.Schema()); !errors.Is(err, world.ErrFormat) {
			t.Fatalf("cut off after %d bytes: %v", n, err)
		}
	}
	if before, after := bytesOf(w.Now), bytesOf(got); before <= after-4*physics.JointBytes || after < 4*physics.JointBytes {
		t.Errorf("%d and %d bytes", before, after)
	}
}

func TestDiffAndHashSeeJoints(t *testing.T) {
	w, _ := tied(t)
	var other world.State
	other.CopyFrom(w.Now)
	holds := 0
	for i := range other.Physics.Joints {
		if j := &other.Physics.Joints[i]; !j.Gone() && j.Kind == physics.Distance {
			j.Max += 0.5
			holds++
		}
	}
	d := world.Diff(w.Now, &other, w.Schema(), 10)
	if holds != 1 || len(d) != 1 || d[0].Class != world.JointClass || d[0].Field != "joint: max" {
		t.Errorf("%d joints changed, named %v", holds, d)
	}
	if w.Now.Hash() == other.Hash() {
		t.Error("equal hashes of different joints")
	}
}

func TestChangesOfAJointWaitForTheEndOfTheOrder(t *testing.T) {
	w, b := begin(t, testSchema(t, nil), 3)
	_, id := tie(t, w, b[0], b[1], 4)
	length := func() float64 {
		j, ok := w.Actor().SeeJoint(id)
		if !ok {
			t.Fatal("no joint")
		}
		return j.Max
	}
	as(w, b[2], func() {
		must(t, w.Actor().Do(world.Op{Target: id, Kind: world.SetLength, A: 2}))
		if length() != 4 {
			t.Error("the change showed before the order ended")
		}
		if err := w.Actor().Do(world.Op{Target: id, Kind: world.SetLength, A: -1}); !errors.Is(err, physics.ErrJoint) {
			t.Errorf("a length below 0: %v", err)
		}
	})
	if length() != 2 {
		t.Error("the change got lost")
	}
	before := w.Now.Hash()
	as(w, b[2], func() { must(t, w.Actor().Do(world.Op{Target: id, Kind: world.SetLength, A: 2})) })
	if w.Now.Hash() != before {
		t.Error("setting a joint to the length that it has changed it")
	}
}

func TestNewJointIsVisibleToItsMakerAtOnce(t *testing.T) {
	w, b := begin(t, testSchema(t, nil), 2)
	as(w, b[0], func() {
		slot, err := w.Actor().Tie(rope(w, b[0], b[1], 4))
		must(t, err)
		id := w.Now.Objects[slot].ID
		must(t, w.Actor().Do(world.Op{Target: id, Kind: world.SetLength, A: 3}))
		if j, ok := w.Actor().SeeJoint(id); !ok || j.Max != 3 || world.ObjectID(w.Now.Row(slot).State[1]) != w.Now.Objects[b[1]].ID {
			t.Errorf("its maker sees %+v, %v", j, ok)
		}
		before := w.Act(b[1])
		if _, ok := w.Actor().SeeJoint(id); ok {
			t.Error("another sees it before the order ends")
		}
		w.Act(before)
		if _, err := w.Actor().Tie(rope(w, b[0], b[0], 4)); !errors.Is(err, physics.ErrJoint) {
			t.Errorf("a rope from an object to itself: %v", err)
		}
		if _, err := w.Spawn(world.JointClass, world.Placement{}); !errors.Is(err, world.ErrNoClass) {
			t.Errorf("a joint that is spawned: %v", err)
		}
	})
}

func TestRemovedJointStopsPullingAtOnce(t *testing.T) {
	w, b := begin(t, testSchema(t, nil), 3)
	slot, id := tie(t, w, b[0], b[1], 4)
	w.Now.Body(b[0]).Rest = 1 << 31 // asleep: letting go must wake it
	as(w, b[2], func() { must(t, w.Actor().Do(world.Op{Target: id, Kind: world.Remove})) })
	if len(w.Now.Physics.Joints) != 0 || !w.Now.Objects[slot].Removed {
		t.Error("the joint holds on")
	}
	if w.Now.Body(b[0]).Asleep() {
		t.Error("what it held sleeps on")
	}
	w.Step()
	if len(w.JointBreaks()) != 0 {
		t.Errorf("it was reported: %+v", w.JointBreaks())
	}
	w.End()
	if _, ok := w.Now.Find(id); ok {
		t.Error("the object of the joint stayed")
	}
}

func TestBrokenAndLostJointsAreReported(t *testing.T) {
	w, b := begin(t, testSchema(t, nil), 3)
	_, breaks := tie(t, w, b[0], -1, 0)
	as(w, b[0], func() { w.Now.Physics.Joints[0].BreakForce = 1e-3 })
	w.Now.Body(b[0]).VX = 9
	_, lost := tie(t, w, b[1], b[2], 4)
	as(w, b[2], func() { must(t, w.Actor().Do(world.Op{Target: w.Now.Objects[b[2]].ID, Kind: world.Remove})) })
	var ended []world.JointBreak
	for range 2 {
		w.Step()
		w.BeginBlock(w.Schema().ContactBlock())
		ended = append(ended, w.JointBreaks()...)
		w.EndOrder()
		w.End()
		w.Begin()
	}
	if len(ended) != 2 || ended[0].Joint != breaks || !ended[0].Broke || ended[0].B != 0 || !(ended[0].Force > 0) ||
		ended[1].Joint != lost || ended[1].Broke {
		t.Errorf("reported %+v, want that %v broke and %v lost a body", ended, breaks, lost)
	}
	for _, id := range []world.ObjectID{breaks, lost} {
		if _, ok := w.Now.Find(id); ok {
			t.Errorf("the object of joint %v stayed", id)
		}
	}
}

func TestAttachedObjectsFollow(t *testing.T) {
	w, b := begin(t, testSchema(t, carriable), 3)
	ball, one, two := w.Now.Objects[b[0]].ID, w.Now.Objects[b[1]].ID, w.Now.Objects[b[2]].ID
	as(w, b[0], func() { must(t, w.Actor().Attach(ball, one, 0.5, 0)) })
	w.Now.Body(b[1]).VX, w.Now.Body(b[1]).VY, w.Now.Body(b[1]).W = 3, -1, 2
	for range 40 {
		rest(w)
	}
	h := w.Now.Body(b[1])
	at := h.ToWorld(physics.Vec{X: 0.5})
	if d := math.Hypot(w.Now.Body(b[0]).X-at.X, w.Now.Body(b[0]).Y-at.Y); d > 0.02 {
		t.Errorf("%v m from its place", d)
	}
	for _, c := range w.Now.Physics.Contacts {
		if c.KeyA == uint64(ball) && c.KeyB == uint64(one) || c.KeyB == uint64(ball) && c.KeyA == uint64(one) {
			t.Error("it collides with its holder")
		}
	}
	as(w, b[2], func() { must(t, w.Actor().Attach(ball, two, 0, 0.5)) })
	if j, ok := w.Actor().SeeJoint(ball); !ok || world.ObjectID(j.KeyA) != two || len(w.Now.Physics.Joints) != 1 {
		t.Errorf("held by %v, %v, not by the second; %d joints", world.ObjectID(j.KeyA), ok, len(w.Now.Physics.Joints))
	}
	as(w, b[0], func() { must(t, w.Actor().Detach(ball)) })
	if _, ok := w.Actor().SeeJoint(ball); ok || len(w.Now.Physics.Joints) != 0 {
		t.Error("it is held after detach")
	}
	as(w, b[0], func() {
		if err := w.Actor().Attach(ball, ball, 0, 0); err == nil {
			t.Error("an object is attached to itself")
		}
		game, _ := w.Match()
		if err := w.Actor().Attach(ball, w.Now.Objects[game].ID, 0, 0); !errors.Is(err, world.ErrBody) {
			t.Errorf("attached to what has no body: %v", err)
		}
	})
}

// TestOrderOfJointMakersDoesNotMatter tests that the result of a tick does not depend
// on which object makes its joint first.
func TestOrderOfJointMakersDoesNotMatter(t *testing.T) {
	schema := testSchema(t, carriable)
	draws.Check(t, func(t *rapid.T) {
		const n = 4
		actions := make([][3]int, n)
		for i := range actions {
			actions[i] = [3]int{rapid.IntRange(0, 4).Draw(t, "action"), rapid.IntRange(0, n-1).Draw(t, "to"), rapid.IntRange(0, n-1).Draw(t, "with")}
		}
		run := func(order []int) uint64 {
			w, b := begin(t, schema, n)
			_, old := tie(t, w, b[0], b[1], 4)
			for range 3 {
				w.BeginOrder()
				for _, i := range order {
					w.Act(b[i])
					do(w, b, i, actions[i], old)
				}
				w.Act(-1)
				w.EndOrder()
				rest(w)
			}
			return w.Now.Hash()
		}
		order := rapid.Permutation([]int{0, 1, 2, 3}).Draw(t, "order")
		if a, b := run([]int{0, 1, 2, 3}), run(order); a != b {
			t.Fatalf("order %v: hash %016x, in sequence %016x", order, b, a)
		}
	})
}

// do carries out an operation on joints, if it is possible.
func do(w *world.World, b []int, self int, action [3]int, joint world.ObjectID) {
	id := func(i int) world.ObjectID { return w.Now.Objects[b[i]].ID }
	switch action[0] {
	case 0:
		_ = w.Actor().Attach(id(action[1]), id(action[2]), float64(self), 1)
	case 1:
		_ = w.Actor().Detach(id(action[1]))
	case 2:
		_, _ = w.Actor().Tie(rope(w, b[action[1]], b[action[2]], float64(3+self)))
	case 3:
		_ = w.Actor().Do(world.Op{Target: joint, Kind: world.SetLength, A: float64(1 + self)})
	default:
		_ = w.Actor().Do(world.Op{Target: joint, Kind: world.Remove})
	}
}

func TestOverlayBringsJointsAndMigrateCarriesThem(t *testing.T) {
	schema := testSchema(t, carriable)
	truth, b := tied(t)
	w, _ := tied(t)
	for i := range truth.Now.Physics.Joints {
		if j := &truth.Now.Physics.Joints[i]; !j.Gone() && j.Kind == physics.Distance {
			j.Max = 3.5
		}
	}
	island := truth.Now.Touching(b[0], nil)
	part, err := world.ParseState(world.AppendObjects(nil, truth.Now, schema, island), schema)
	must(t, err)
	if len(part.Physics.Joints) != 1 || part.Len() != 3 {
		t.Errorf("%d objects and %d joints in the island of two that are tied", part.Len(), len(part.Physics.Joints))
	}
	w.ApplyCorrection(part)
	if w.Now.Hash() != truth.Now.Hash() {
		t.Errorf("%v", world.Diff(w.Now, truth.Now, schema, 5))
	}
	var before world.State
	before.CopyFrom(w.Now)
	w.Migrate(testSchema(t, func(c []world.Class) { carriable(c); c[1].Name = "Points" }), 2)
	if d := world.Diff(&before, w.Now, schema, 20); len(d) != 1 || d[0].Field != "bundle" {
		t.Errorf("a switch changed more than the bundle: %v", d)
	}
}

func TestMoveAndSlideReadsTheStartOfTheOrder(t *testing.T) {
	w, b := begin(t, testSchema(t, nil), 2)
	as(w, b[0], func() {
		before := w.Act(b[1]) // 3 m to the right of it, it steps aside
		must(t, w.Actor().Do(world.Op{Target: w.Now.Objects[b[1]].ID, Kind: world.SetPosition, A: 3, B: 9}))
		w.Act(before)
		met, err := w.Actor().MoveAndSlide(5, 0)
		must(t, err)
		if len(met) == 0 || met[0].Object != w.Now.Objects[b[1]].ID || math.Abs(met[0].NormalX+1) > 1e-9 {
			t.Errorf("met %+v, not the ball where it was", met)
		}
		if x := w.Now.Body(b[0]).X; math.Abs(x-2) > 0.02 {
			t.Errorf("came to %v, not to the ball's edge at 2", x)
		}
		game, _ := w.Match()
		w.Act(game)
		if _, err := w.Actor().MoveAndSlide(1, 0); !errors.Is(err, world.ErrBody) {
			t.Errorf("moved without a body: %v", err)
		}
		w.Act(b[0])
	})
}

func TestJointsHaveNoOwner(t *testing.T) {
	w, b := begin(t, testSchema(t, nil), 2)
	slot, id := tie(t, w, b[0], b[1], 4)
	w.SetOwner(id, 3)
	w.End()
	if w.Now.Objects[slot].Owner != 0 {
		t.Error("a player owns a joint")
	}
}

func TestChangesOfJointsAsText(t *testing.T) {
	for _, c := range []struct {
		op   world.Op
		want string
	}{
		{world.Op{Kind: world.SetMotor, A: 1, B: 2}, "setMotor(1, 2)"},
		{world.Op{Kind: world.SetLimits, A: -1, B: 1}, "setLimits(-1, 1)"},
		{world.Op{Kind: world.SetLength, A: 2.5}, "setLength(2.5)"},
		{world.Op{Kind: world.SetSpring, A: 3, B: 1}, "setSpring(3, 1)"},
		{world.Op{Kind: world.AttachTo, Word: 18, A: 1}, "attach(0000000000000012, 1, 0)"},
		{world.Op{Kind: world.LetGo}, "detach()"},
	} {
		if got := (&world.Change{Op: c.op}).Text(&world.Class{}); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

func TestBuiltInClassNamesAreReserved(t *testing.T) {
	_, err := world.NewSchema([]world.Class{{Name: world.JointClass}}, world.Setup{TickRate: 60, Substeps: 4, Width: 1, Height: 1})
	if err == nil || !strings.Contains(err.Error(), "declared twice") {
		t.Errorf("%v", err)
	}
}

// carriable lets balls be attached to others.
func carriable(c []world.Class) { c[0].Body.Carried = true }
