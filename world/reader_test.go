package world_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
)

// TestReaderChangesNothing: the Actor of a Reader refuses each change and leaves
// the state and the random numbers of the tick as they are.
func TestReaderChangesNothing(t *testing.T) {
	w, b := begin(t, testSchema(t, carriable), 3)
	w.End()
	before := w.Now.Hash()
	r := w.Reader()
	a := r.Actor()
	defer a.Calls().Act(a.Calls().Act(b[0]))
	me, other := w.Now.Objects[b[0]].ID, w.Now.Objects[b[1]].ID
	for name, change := range map[string]func() error{
		"Do":           func() error { return a.Do(setHP(me, 3)) },
		"Spawn":        func() error { _, err := a.Spawn("Ball", world.Placement{}); return err },
		"Tie":          func() error { _, err := a.Tie(physics.Joint{}); return err },
		"Attach":       func() error { return a.Attach(me, other, 1, 0) },
		"Detach":       func() error { return a.Detach(me) },
		"MoveAndSlide": func() error { _, err := a.MoveAndSlide(1, 0); return err },
		"Cue":          func() error { return a.Cue("boom", world.CueAll, world.CuePredicted, 0, nil) },
	} {
		if err := change(); !errors.Is(err, world.ErrReadOnly) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if n := a.Random(); n != 0 {
		t.Errorf("it draws %v", n)
	}
	if w.Now.Hash() != before || w.Now.Len() != 5 {
		t.Error("the state is another")
	}
}

// TestReaderQueries: queries leave out only the object that Without names.
func TestReaderQueries(t *testing.T) {
	w, b := begin(t, testSchema(t, carriable), 3)
	for i, slot := range b {
		w.Now.Body(slot).X, w.Now.Body(slot).Y = float64(10*i), 20
	}
	w.End()
	r := w.Reader()
	first, second := w.Now.Objects[b[0]].ID, w.Now.Objects[b[1]].ID
	if hit, ok := r.Queries().Raycast(-5, 20, 50, 20, ^uint64(0)); !ok || hit.Object != first {
		t.Errorf("the ray hits %v, %v", hit, ok)
	}
	if hit, ok := r.Queries().Without(first).Raycast(-5, 20, 50, 20, ^uint64(0)); !ok || hit.Object != second {
		t.Errorf("without the first one, the ray hits %v, %v", hit, ok)
	}
	if all := r.Queries().OverlapCircle(0, 20, 11, ^uint64(0), nil); len(all) != 2 || !slices.Contains(all, int32(b[0])) {
		t.Errorf("the circle touches %v", all)
	}
	if all := r.Queries().Without(first).OverlapCircle(0, 20, 11, ^uint64(0), nil); len(all) != 1 || all[0] != int32(b[1]) {
		t.Errorf("without the first one, the circle touches %v", all)
	}
	if s, tick := r.Seconds(), r.Tick(); tick != w.Now.Tick || s != float64(tick)/60 {
		t.Errorf("tick %d at %v s", tick, s)
	}
}
