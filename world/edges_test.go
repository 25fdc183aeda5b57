package world_test

import (
	"fmt"
	"log"
	"math/rand/v2"
	"testing"

	"github.com/hindcast/hindcast/world"
)

// One press reaches an object once, although the input of its tick is lost.
func ExampleInputFields() {
	fields := world.InputFields{{Name: "Fire", Counted: true}}
	schema, err := world.NewSchema([]world.Class{{Name: "Gun", Inputs: fields}},
		world.Setup{TickRate: 60, Substeps: 4, Width: 20, Height: 20, Spawns: []world.Spawn{{Class: "Gun", Count: 1}}})
	if err != nil {
		log.Fatal(err)
	}
	w := world.New()
	w.Load(nil, schema)
	w.Begin()
	w.BeginOrder()
	w.SpawnLevel(func(int, *world.Event) {})
	w.EndOrder()
	gun := int(w.Now.Run[0])
	class := w.Class(gun)

	var merger world.Merger // the client's
	merger.Count(world.EdgesOf(class, w.Now.Row(gun)))
	for tick, down := range []uint32{0, 1, 0, 0} {
		merger.Add(&world.Input{Buttons: down}, 1)
		in := world.Conform(fields, merger.Take(fields))
		if tick == 1 {
			continue // lost
		}
		presses := w.TakeEdges(gun, &in)
		fmt.Printf("tick %d: down %d, up %d\n", tick, presses.Down.Of(0), presses.Up.Of(0))
	}
	in := world.Input{Buttons: 1}
	world.FollowEdges(class, w.Now.Row(gun), &in) // as of a bot that runs on the host
	fmt.Println("then down", w.TakeEdges(gun, &in).Down == world.ButtonCounts{1})
	// Output:
	// tick 0: down 0, up 0
	// tick 2: down 1, up 1
	// tick 3: down 0, up 0
	// then down true
}

// counted is a world with one object that has two counted buttons and one that is not.
func counted(t *testing.T, owner world.PlayerID) (*world.World, int) {
	t.Helper()
	fields := world.InputFields{{Name: "A", Counted: true}, {Name: "plain", Index: 1}, {Name: "B", Index: 31, Counted: true}}
	schema, err := world.NewSchema([]world.Class{{Name: "Gun", Inputs: fields, Fields: []world.Field{{Name: "hp"}}, Moves: &world.MoveRules{}}},
		world.Setup{TickRate: 60, Substeps: 4, Width: 20, Height: 20, Spawns: []world.Spawn{{Class: "Gun", Count: 1}}})
	if err != nil {
		t.Fatal(err)
	}
	w := world.New()
	w.Check = true
	w.Load(nil, schema)
	w.Begin()
	w.BeginOrder()
	w.SpawnLevel(func(int, *world.Event) {})
	w.EndOrder()
	w.Step()
	slot := int(w.Now.Run[0])
	w.Now.Objects[slot].Owner = owner
	w.End()
	return w, slot
}

// TestLostInputsLoseNoPress: whichever inputs are lost, the presses that arrive are those that were
// made, as long as no more than six in a row are lost.
func TestLostInputsLoseNoPress(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 1))
		w, slot := counted(t, 1)
		fields := w.Class(slot).Inputs
		var m world.Merger
		made, arrived, lost := [2]int{}, [2]int{}, 0
		was := uint32(0)
		for tick := range 300 {
			down := r.Uint32() & (1 | 1<<31 | 2)
			made[0] += int(down &^ was & 1)
			made[1] += int((down &^ was) >> 31)
			was = down
			m.Add(&world.Input{Buttons: down}, 1)
			in := world.Conform(fields, m.Take(fields))
			if err := world.CheckInput(fields, in); err != nil {
				t.Fatal(err)
			}
			if lost++; lost <= 6 && r.IntN(2) == 0 && tick < 299 {
				continue
			}
			lost = 0
			w.Begin()
			p := w.TakeEdges(slot, &in)
			again := w.TakeEdges(slot, &in)
			w.Step()
			w.End()
			if again != (world.Presses{}) {
				t.Fatalf("seed %d: the same input pressed again: %v", seed, again)
			}
			arrived[0] += p.Down.Of(0)
			arrived[1] += p.Down.Of(31)
		}
		if made != arrived || made[0] < 20 {
			t.Fatalf("seed %d: %v presses made, %v arrived", seed, made, arrived)
		}
	}
}

// TestNewOwnersPressNothing: the first counts of a new owner, and those of a client that has started
// anew, set the counts of the object and press nothing.
func TestNewOwnersPressNothing(t *testing.T) {
	w, slot := counted(t, 1)
	take := func(count int) world.Presses {
		t.Helper()
		in := world.Input{}
		in.Edges.Set(0, count)
		w.Begin()
		p := w.TakeEdges(slot, &in)
		w.Step()
		w.End()
		return p
	}
	if p := take(5); p.Down.Of(0) != 2 || p.Up.Of(0) != 1 {
		t.Errorf("3 changes: %v", p)
	}
	w.Begin()
	w.SetOwner(w.Now.Objects[slot].ID, 2)
	w.Step()
	w.End()
	if p := take(9); p != (world.Presses{}) {
		t.Errorf("the first input of a new owner pressed %v", p)
	}
	if p := take(11); p.Down.Of(0) != 1 || p.Up.Of(0) != 1 {
		t.Errorf("then: %v", p)
	}
	if p := take(9); p != (world.Presses{}) { // 2 back
		t.Errorf("a count that went back pressed %v", p)
	}
}

// TestCountsGoOnUnderOtherDeclarations: a Merger that is rebound has the counts of the buttons that
// are counted before and after.
func TestCountsGoOnUnderOtherDeclarations(t *testing.T) {
	from := world.InputFields{{Name: "A", Counted: true}, {Name: "B", Index: 1}}
	to := world.InputFields{{Name: "B", Counted: true}, {Name: "new", Index: 1, Counted: true}, {Name: "A", Index: 2, Counted: true}}
	var m world.Merger
	for _, down := range []uint32{3, 0, 3} {
		m.Add(&world.Input{Buttons: down}, 1)
	}
	m.Take(from)
	m.Rebind(from, to)
	m.Add(&world.Input{Buttons: 5}, 1)
	in := m.Take(to)
	if a, b, n := in.Edges.Of(2), in.Edges.Of(0), in.Edges.Of(1); a != 5 || b != 3 || n != 2 {
		t.Errorf("A %d, want 5; B %d, want 3, because it is counted from the switch on; new %d, want 2", a, b, n)
	}
}

// TestRepeatedInputsFade: Once and Decay say what a repeated input amounts to.
func TestRepeatedInputsFade(t *testing.T) {
	fields := world.InputFields{{Name: "hold"}, {Name: "tap", Index: 1, Once: true}, {Name: "x", Axis: true, Min: -1, Max: 1, Step: 0.25, Decay: 0.1},
		{Name: "y", Axis: true, Index: 1, Min: -1, Max: 1, Once: true}, {Name: "z", Axis: true, Index: 2, Min: -1, Max: 1}}
	in := world.Input{Buttons: 3, Axes: [world.MaxAxes]float64{-1, 1, 0.5}}
	in.Held[1] = 5
	for age, want := range map[world.Tick]float64{3: -0.5, 5: -0.25, 6: 0, 60: 0} {
		got := fields.Repeated(in, age, 60)
		if got.Buttons != 1 || got.Held != [world.MaxButtons]uint8{} || got.Axes != [world.MaxAxes]float64{want, 0, 0.5} {
			t.Errorf("age %d: %+v, want x = %v", age, got, want)
		}
	}
	if !fields.Fades() || fields[:1].Fades() {
		t.Error("Fades")
	}
}
