package world_test

import (
	"testing"

	"github.com/hindcast/hindcast/world"
)

// TestTakeOverLooksAtItsOwn tests how much TakeOver looks at: the objects of the class, up to the one it takes, and
// those that the acting object has given away. What others have given away does not count, nor is it left out.
func TestTakeOverLooksAtItsOwn(t *testing.T) {
	w, balls := begin(t, testSchema(t, nil), 5)
	class := int(w.Now.Objects[balls[0]].Class)
	as := func(actor int, do func(a world.Actor)) {
		before := w.Act(actor)
		do(w.Actor())
		w.Act(before)
	}
	give := func(a world.Actor, slot int, to uint64) {
		if err := a.Do(world.Op{Target: w.Now.Objects[slot].ID, Kind: world.SetOwner, Word: to}); err != nil {
			t.Fatal(err)
		}
	}
	game, _ := w.Match()
	w.BeginOrder()
	as(game, func(a world.Actor) {
		for _, b := range balls[1:] {
			give(a, b, 0)
		}
	})
	w.EndOrder()
	w.End()
	w.Begin()
	w.BeginOrder()
	as(balls[1], func(a world.Actor) { give(a, balls[3], 1); give(a, balls[2], 1) })
	as(balls[0], func(a world.Actor) {
		for i, want := range []struct{ taken, looked int }{{1, 2}, {2, 1 + 3}, {3, 2 + 4}} {
			slot, looked, ok, err := world.LineupOf(a).TakeOver(1, class)
			if err != nil || !ok || slot != balls[want.taken] || looked != want.looked {
				t.Errorf("%d: object %d, looked at %d: %v, %v; want ball %d, %d", i, slot, looked, ok, err, want.taken, want.looked)
			}
		}
	})
}
