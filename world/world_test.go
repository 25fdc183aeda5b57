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

// tester is what testing.T, testing.F and rapid.T have in common.
type tester interface {
	Helper()
	Fatal(args ...any)
}

// testSchema has a class with every kind of field and a body, and one without.
func testSchema(t tester, change func(c []world.Class)) *world.Schema {
	t.Helper()
	classes := []world.Class{
		{Name: "Ball", Fields: []world.Field{
			{Name: "hp", Default: []uint64{math.Float64bits(10)}},
			{Name: "alive", Kind: world.Bool, Default: []uint64{1}},
			{Name: "name", Kind: world.String, Cap: 12},
			{Name: "target", Kind: world.Ref},
		}, Body: &world.BodySpec{Def: physics.Def{Type: physics.Dynamic, Shape: physics.CircleShape(0.5), Density: 1, Restitution: 0.5}},
			Inputs: []world.InputField{{Name: "go"}, {Name: "aim", Axis: true, Min: -1, Max: 1, Step: 0.25}}},
		{Name: "Score", Order: 5, Fields: []world.Field{{Name: "n", Default: []uint64{0}}}},
	}
	if change != nil {
		change(classes)
	}
	setup := world.Setup{TickRate: 60, Seed: 9, Substeps: 4, Width: 20, Height: 20, GraceTicks: 10,
		Walls: []world.Wall{{X: 0, Y: -5, W: 20, H: 1}}}
	schema, err := world.NewSchema(classes, setup)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// begin makes a world in tick 1 with the level and n balls, and lets the
// balls be acted on.
func begin(t tester, schema *world.Schema, n int) (*world.World, []int) {
	t.Helper()
	w := world.New()
	w.Check = true
	w.Load(nil, schema)
	w.Begin()
	w.BeginOrder()
	w.SpawnLevel(func(int, *world.Event) {})
	game, _ := w.Match()
	w.Act(game)
	var slots []int
	for i := range n {
		slot, err := w.Spawn("Ball", world.Placement{Pose: physics.Pose{X: float64(3 * i), Y: 4}, Owner: world.PlayerID(i + 1)})
		if err != nil {
			t.Fatal(err)
		}
		slots = append(slots, slot)
	}
	w.EndOrder()
	w.Act(-1)
	return w, slots
}

func number(w *world.World, slot int) float64 { return math.Float64frombits(w.Now.Row(slot).State[0]) }

func setHP(id world.ObjectID, v float64) world.Op {
	return world.Op{Target: id, Kind: world.SetWord, Field: 0, Word: world.NumberBits(v)}
}

func TestWritesToOthersWaitForTheEndOfTheOrder(t *testing.T) {
	w, b := begin(t, testSchema(t, nil), 2)
	me, other := w.Now.Objects[b[0]].ID, w.Now.Objects[b[1]].ID
	w.BeginOrder()
	defer w.Act(w.Act(b[0]))
	for _, op := range []world.Op{setHP(me, 1), setHP(other, 2)} {
		if err := w.Actor().Do(op); err != nil {
			t.Fatal(err)
		}
	}
	if s, at, _ := w.Actor().See(me); math.Float64frombits(s.Row(at).State[0]) != 1 {
		t.Error("an object must see its own write at once")
	}
	if s, at, _ := w.Actor().See(other); math.Float64frombits(s.Row(at).State[0]) != 10 || number(w, b[1]) != 10 {
		t.Error("a write to another showed before the order ended")
	}
	w.EndOrder()
	if number(w, b[1]) != 2 {
		t.Error("a write to another got lost")
	}
}

// TestOrderOfActorsDoesNotMatter tests that the result of a tick does not depend on
// which object runs first.
func TestOrderOfActorsDoesNotMatter(t *testing.T) {
	schema := testSchema(t, nil)
	draws.Check(t, func(t *rapid.T) {
		const n = 5
		ops := make([][]world.Op, n)
		probe, b := begin(t, schema, n)
		for i := range ops {
			for range rapid.IntRange(0, 4).Draw(t, "ops") {
				target := probe.Now.Objects[b[rapid.IntRange(0, n-1).Draw(t, "target")]].ID
				ops[i] = append(ops[i], drawOp(t, target))
			}
		}
		run := func(order []int) uint64 {
			w, b := begin(t, schema, n)
			w.BeginOrder()
			for _, i := range order {
				w.Act(b[i])
				for _, op := range ops[i] {
					if err := w.Actor().Do(op); err != nil {
						t.Fatal(err)
					}
				}
				if _, err := w.Spawn("Score", world.Placement{}); err != nil || w.Actor().Random() < 0 {
					t.Fatal(err)
				}
			}
			w.Act(-1)
			w.EndOrder()
			w.Step()
			w.End()
			return w.Now.Hash()
		}
		order := rapid.Permutation([]int{0, 1, 2, 3, 4}).Draw(t, "order")
		if a, b := run([]int{0, 1, 2, 3, 4}), run(order); a != b {
			t.Fatalf("order %v: hash %016x, in sequence %016x", order, b, a)
		}
	})
}

func drawOp(t *rapid.T, target world.ObjectID) world.Op {
	op := world.Op{Target: target, A: rapid.Float64Range(-5, 5).Draw(t, "a"), B: rapid.Float64Range(-5, 5).Draw(t, "b")}
	op.Kind = rapid.SampledFrom([]world.OpKind{world.SetWord, world.AddWord, world.MultiplyWord, world.DivideWord, world.SetVelocity, world.AddImpulse, world.AddForce, world.SetForce,
		world.SetTorque, world.SetDirection, world.SetDirectionalForce, world.SetOwner, world.Remove, world.AddAngularImpulse}).Draw(t, "kind")
	op.Word = world.NumberBits(op.A)
	if op.Kind == world.SetOwner {
		op.Word = uint64(rapid.IntRange(0, 3).Draw(t, "owner"))
	}
	return op
}

func TestSpawnedObjectsIDsDependOnTheSpawnerAlone(t *testing.T) {
	schema := testSchema(t, nil)
	spawn := func(first, second int) [2]world.ObjectID {
		w, b := begin(t, schema, 2)
		w.BeginOrder()
		var ids [2]world.ObjectID
		for _, i := range []int{first, second} {
			w.Act(b[i])
			slot, err := w.Spawn("Score", world.Placement{})
			if err != nil {
				t.Fatal(err)
			}
			ids[i] = w.Now.Objects[slot].ID
		}
		return ids
	}
	if a, b := spawn(0, 1), spawn(1, 0); a != b {
		t.Errorf("ids %v, in the other order %v", a, b)
	}
}

func TestSpawnLimitsArePerSpawner(t *testing.T) {
	w, b := begin(t, testSchema(t, nil), 2)
	w.BeginOrder()
	w.Act(b[0])
	var err error
	n := 0
	for ; err == nil; n++ {
		_, err = w.Spawn("Score", world.Placement{})
	}
	if n != world.MaxSpawns+1 || !errors.Is(err, world.ErrTooMany) {
		t.Errorf("%d spawns, then %v", n-1, err)
	}
	w.Act(b[1])
	if _, err := w.Spawn("Score", world.Placement{}); err != nil {
		t.Errorf("another object may still spawn: %v", err)
	}
	if _, err := w.Spawn("Nothing", world.Placement{}); !errors.Is(err, world.ErrNoClass) || !strings.Contains(err.Error(), "Ball") {
		t.Errorf("unknown class: %v", err)
	}
}

func TestRemovedObjectsGoAtTheEndOfTheTick(t *testing.T) {
	w, b := begin(t, testSchema(t, nil), 2)
	id := w.Now.Objects[b[0]].ID
	w.BeginOrder()
	w.Act(b[0])
	if err := w.Actor().Do(world.Op{Target: id, Kind: world.Remove}); err != nil {
		t.Fatal(err)
	}
	if _, _, ok := w.Actor().See(id); !ok {
		t.Error("gone before the tick ended")
	}
	w.Act(-1)
	w.EndOrder()
	w.End()
	w.Begin()
	w.BeginOrder()
	w.Act(b[1])
	if _, _, ok := w.Actor().See(id); ok {
		t.Error("still there in the next tick")
	}
	if err := w.Actor().Do(setHP(id, 1)); !errors.Is(err, world.ErrRemoved) {
		t.Errorf("writing to a removed object: %v", err)
	}
}

func TestGraceTimeOfALeaver(t *testing.T) {
	w, b := begin(t, testSchema(t, nil), 1)
	owner := w.Now.Objects[b[0]].Owner
	w.Join(owner)
	w.Leave(owner)
	for range 9 {
		w.End()
		w.Begin()
		if _, over := w.Expired(); over {
			t.Fatalf("over at tick %d", w.Now.Tick)
		}
	}
	w.End()
	w.Begin()
	p, over := w.Expired()
	if !over || p != owner {
		t.Fatalf("not over at tick %d", w.Now.Tick)
	}
	w.RemovePlayer(p, true)
	w.End()
	if _, ok := w.Now.Find(w.Now.Objects[b[0]].ID); ok {
		t.Error("the leaver's ball is still here")
	}
}

func TestGoldenWorld(t *testing.T) {
	w, b := begin(t, testSchema(t, nil), 6)
	for i := range 240 {
		w.BeginOrder()
		w.Act(b[i%6])
		_ = w.Actor().Do(world.Op{Target: w.Now.Objects[b[i%6]].ID, Kind: world.SetDirectionalForce, A: w.Actor().Random() * 6, B: 9})
		w.Act(-1)
		w.EndOrder()
		w.Step()
		w.End()
		w.Begin()
	}
	if got := w.Now.Hash(); got != goldenWorld {
		t.Errorf("hash %#016x, want %#016x: the simulation has changed, or this CPU computes otherwise", got, uint64(goldenWorld))
	}
}

// A world that was just loaded can be read, as controls do before a tick.
func TestLoadedWorldCanBeRead(t *testing.T) {
	schema := testSchema(t, nil)
	from, slots := begin(t, schema, 2)
	id := from.Now.Objects[slots[1]].ID
	w := world.New()
	w.Check = true
	w.Load(from.Now, schema)
	w.BeginOrder()
	w.Act(slots[0])
	if s, slot, ok := w.Actor().See(id); !ok || s.Objects[slot].ID != id {
		t.Errorf("sees %v, %v", slot, ok)
	}
	w.Actor().Queries().Raycast(-5, 0, 5, 0, 1)
}
