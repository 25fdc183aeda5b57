package world_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
	"pgregory.net/rapid"
)

// action is one thing that a hook may do: of ten kinds; n says to whom, or how much.
type action struct {
	kind, n int
	within  []action // of a hook within this one, which is undone if kind is 9
}

func actions(depth int) *rapid.Generator[[]action] {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) action {
		d := action{kind: rapid.IntRange(0, 9).Draw(t, "kind"), n: rapid.IntRange(0, 5).Draw(t, "n")}
		if d.kind >= 8 && depth > 0 {
			d.within = actions(depth-1).Draw(t, "within")
		}
		return d
	}), 0, 8)
}

// do does actions as the object in slot.
func perform(w *world.World, slot int, list []action) {
	for _, d := range list {
		run := w.Now.Run
		target := w.Now.Objects[run[d.n%len(run)]].ID
		me := w.Now.Objects[slot].ID
		switch d.kind {
		case 0:
			_ = w.Actor().Do(setHP(me, float64(d.n)))
		case 1:
			_ = w.Actor().Do(world.Op{Target: target, Kind: world.AddImpulse, A: 1, B: float64(d.n)})
		case 2:
			_ = w.Actor().Do(world.Op{Target: target, Kind: world.Remove})
		case 3:
			_ = w.Actor().Do(world.Op{Target: target, Kind: world.SetOwner, Word: uint64(d.n)})
		case 4:
			_ = w.Actor().Do(setHP(me, w.Actor().Random()))
		case 5, 6, 7:
			if born, err := w.Spawn("Ball", world.Placement{Pose: physics.Pose{X: float64(d.n), Y: 9}}); err == nil && d.kind > 5 {
				_ = w.Actor().Do(setHP(w.Now.Objects[born].ID, float64(d.n)))
			}
		case 8:
			if born, err := w.Spawn("Ball", world.Placement{Pose: physics.Pose{X: float64(d.n), Y: 9}}); err == nil {
				hook(w, born, d.within, true)
			}
		case 9:
			if born, err := w.Spawn("Ball", world.Placement{Pose: physics.Pose{X: float64(d.n), Y: 9}}); err == nil {
				hook(w, born, d.within, false)
			}
		}
	}
}

// hook does actions within an Act, and takes them back unless they end well.
func hook(w *world.World, slot int, list []action, well bool) {
	mark := w.Actor().Calls().Mark()
	before := w.Act(slot)
	perform(w, slot, list)
	if !well {
		w.Fault(slot, world.OnSpawn, errors.New("within"))
	}
	w.Act(before)
	if !well {
		w.Actor().Calls().Undo(mark)
	}
}

// TestUndo: a tick in which hooks were undone is one in which they were not
// called.
func TestUndo(t *testing.T) {
	schema := testSchema(t, nil)
	undone := 0
	missing := func() string {
		if undone >= 20 {
			return ""
		}
		return fmt.Sprintf("%d actions undone", undone)
	}
	draws.Until(t, 0, missing, func(rt *rapid.T) {
		before, middle, after := actions(2).Draw(rt, "before"), actions(2).Draw(rt, "middle"), actions(2).Draw(rt, "after")
		run := func(with bool) *world.World {
			w, b := begin(rt, schema, 3)
			for _, actor := range []int{0, 0, 1} { // two hooks of one object in an order, and one of another
				w.BeginOrder()
				hook(w, b[actor], before, true)
				if with {
					hook(w, b[actor], middle, false)
					undone += len(middle)
				}
				hook(w, b[actor], after, true)
				hook(w, b[2], before, true)
				w.EndOrder()
			}
			w.Step()
			w.End()
			return w
		}
		a, b := run(false), run(true)
		if a.Now.Hash() != b.Now.Hash() || a.Now.Len() != b.Now.Len() {
			rt.Fatalf("hash %x of %d objects with what was undone, want %x of %d", b.Now.Hash(), b.Now.Len(), a.Now.Hash(), a.Now.Len())
		}
		if len(b.Faults()) != len(a.Faults()) {
			rt.Fatalf("faults: %v, want %v", b.Faults(), a.Faults())
		}
	})
}

// TestUndoWithin: what was undone within a hook is not mistaken for what the
// hook did, and what was used of a budget stays used.
func TestUndoWithin(t *testing.T) {
	w, b := begin(t, testSchema(t, nil), 1)
	id := w.Now.Objects[b[0]].ID
	set := func(hp float64) {
		if err := w.Actor().Do(setHP(id, hp)); err != nil {
			t.Fatal(err)
		}
	}
	w.BeginOrder()
	defer w.Act(w.Act(b[0]))
	set(1)
	outer := w.Actor().Calls().Mark()
	inner := w.Actor().Calls().Mark()
	set(2)
	w.Actor().Calls().Undo(inner)
	if n := number(w, b[0]); n != 1 {
		t.Errorf("after the inner one hp = %v", n)
	}
	set(3)
	w.Actor().Calls().Spend(b[0], 7)
	w.Actor().Calls().Undo(outer)
	if n, spent := number(w, b[0]), w.Actor().Calls().Spent(b[0]); n != 1 || spent != 7 {
		t.Errorf("after the outer one hp = %v, %d spent", n, spent)
	}
}
