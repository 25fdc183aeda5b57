package replicate

import (
	"errors"
	"slices"
	"testing"

	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/world"
)

// judging is a script with a relevancy hook that refuses some objects, and counts.
type judging struct {
	schema  *world.Schema
	refused []int
	asked   int
	err     error
}

func (j *judging) Schema() *world.Schema { return j.schema }
func (j *judging) HasRelevancy() bool    { return true }
func (j *judging) Call(world.Actor, world.Hook, int, *world.Args) error {
	return nil
}
func (j *judging) Relevant(_ world.Reader, _, object int) (bool, error) {
	j.asked++
	return !slices.Contains(j.refused, object), j.err
}

// row returns a room of n balls in a row, a metre apart, of which the first is player 1's,
// with the filter of its scripts and the candidates.
func row(t *testing.T, n int, reach float64, hidden bool, j *judging) (*world.World, *Filter, []int32) {
	t.Helper()
	s, schema := crowd(t, n)
	i, _ := schema.ClassByName("Ball")
	schema.Classes[i].Ranges.Hidden, schema.Classes[i].Ranges.Relevant = hidden, reach
	w := world.New()
	w.Load(s, schema)
	f := NewFilter(func(world.Tick, error) {})
	rules := bundle.DefaultRules().Snapshots
	if j == nil {
		f.Configure(&deaf{schema}, &rules)
	} else {
		j.schema = schema
		f.Configure(j, &rules)
	}
	return w, f, spectated(w.Now, schema, nil)
}

// deaf is a script without a relevancy hook.
type deaf struct{ schema *world.Schema }

func (d *deaf) Schema() *world.Schema                                { return d.schema }
func (d *deaf) Call(world.Actor, world.Hook, int, *world.Args) error { return nil }

// far returns the position of the object farthest along x, and the number of objects.
func far(w *world.World, slots []int32) (x float64, n int) {
	for _, slot := range slots {
		x = max(x, w.Now.Body(int(slot)).X)
	}
	return x, len(slots)
}

func TestRangeOfReplicatedObjects(t *testing.T) {
	w, n, slots := row(t, 30, 10, false, nil)
	var o Set
	if x, many := far(w, o.Select(n, w.Reader(), 1, slots)); x != 10 || many != 11 {
		t.Errorf("%d are replicated, up to %v m", many, x)
	}
	own := slices.IndexFunc(w.Now.Objects, func(o world.Object) bool { return o.Owner == 1 })
	for _, c := range []struct{ to, want float64 }{
		{-0.9, 10}, // 10.9 m away: still in, as it was
		{-1.1, 9},  // 10.1 m from the one at 9; the one at 10 is out
		{-0.5, 9},  // 10.5 m: not in again
		{0, 10},    // again
	} {
		w.Now.Body(own).X = c.to
		if x, _ := far(w, o.Select(n, w.Reader(), 1, slots)); x != c.want {
			t.Errorf("at %v they are replicated up to %v m, want %v", c.to, x, c.want)
		}
	}
	if got := o.Select(n, w.Reader(), 7, slots); len(got) != 30 {
		t.Errorf("a spectator is sent %d", len(got))
	}
}

func TestHiddenObjectsNeedTheHook(t *testing.T) {
	w, n, slots := row(t, 5, 0, true, nil)
	var o Set
	if got := o.Select(n, w.Reader(), 1, slots); len(got) != 1 {
		t.Errorf("sent %d, want only the player's own", len(got))
	}
	if got := o.Select(n, w.Reader(), 7, slots); len(got) != 0 {
		t.Errorf("a spectator is sent %d", len(got))
	}
	j := &judging{}
	w, n, slots = row(t, 5, 0, true, j)
	j.refused = []int{int(slots[3])}
	for round := range 3 {
		if got := o.Select(n, w.Reader(), 1, slots); len(got) != 4 || slices.Contains(got, slots[3]) || j.asked != 4*(round+1) {
			t.Errorf("sent %v, after %d calls", got, j.asked)
		}
	}
	j.refused = nil
	n.calls = maxCalls
	if got := o.Select(n, w.Reader(), 1, slots); len(got) != 1 || n.counts.Skipped != 4 {
		t.Errorf("with no room for calls sent %d; %+v", len(got), n.counts)
	}
	n.calls, j.err = 0, errors.New("broken")
	if got := o.Select(n, w.Reader(), 1, slots); len(got) != 1 || n.counts.Failed != 4 {
		t.Errorf("with a broken hook sent %d; %+v", len(got), n.counts)
	}
}

// An answer about an object that is not hidden holds for a while; without an answer it is relevant.
func TestRelevancyAnswersAreCached(t *testing.T) {
	j := &judging{}
	w, n, slots := row(t, 5, 0, false, j)
	j.refused = []int{int(slots[3])}
	var o Set
	for range answerHold {
		if got := o.Select(n, w.Reader(), 1, slots); len(got) != 4 || j.asked != 4 {
			t.Fatalf("sent %d after %d calls", len(got), j.asked)
		}
		w.Now.Tick++
	}
	j.err = errors.New("broken")
	if got := o.Select(n, w.Reader(), 1, slots); len(got) != 5 || j.asked != 8 || n.counts.Failed != 4 {
		t.Errorf("sent %d after %d calls, %+v", len(got), j.asked, n.counts)
	}
}
