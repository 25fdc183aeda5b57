package runtime

import (
	"errors"
	"slices"
	"testing"

	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/world"
)

// judging says yes to every object but those refused, and counts.
type judging struct {
	schema  *world.Schema
	refused []int
	asked   int
	err     error
}

func (j *judging) Schema() *world.Schema { return j.schema }
func (j *judging) HasRelevancy() bool    { return true }
func (j *judging) Call(*world.World, world.Hook, int, *world.Args) error {
	return nil
}
func (j *judging) Relevant(_ *world.World, _, object int) (bool, error) {
	j.asked++
	return !slices.Contains(j.refused, object), j.err
}

// watching gives a room of n balls in a row, a metre apart, the first being
// player 1's, and what tells who is told of what.
func watching(t *testing.T, n int, reach float64, hidden bool, j *judging) (*world.World, *interest, []int32) {
	t.Helper()
	s, schema := crowd(t, n)
	i, _ := schema.ClassByName("Ball")
	schema.Classes[i].Hidden, schema.Classes[i].Range = hidden, reach
	w := world.New()
	w.Load(s, schema)
	var log errorLog
	of := &interest{errors: &log, log: silent(nil)}
	rules := bundle.DefaultRules().Snapshots
	if j == nil {
		of.rule(&deaf{schema}, &rules)
	} else {
		j.schema = schema
		of.rule(j, &rules)
	}
	return w, of, bodiesByID(w.Now, nil)
}

// deaf is a script without a say.
type deaf struct{ schema *world.Schema }

func (d *deaf) Schema() *world.Schema                                 { return d.schema }
func (d *deaf) Call(*world.World, world.Hook, int, *world.Args) error { return nil }

// far is the distance of the furthest that is told of, and how many there are.
func far(w *world.World, slots []int32) (x float64, n int) {
	for _, slot := range slots {
		x = max(x, w.Now.Body(int(slot)).X)
	}
	return x, len(slots)
}

func TestRangeOfWhatIsToldOf(t *testing.T) {
	w, n, slots := watching(t, 30, 10, false, nil)
	var o outlook
	if x, many := far(w, o.pick(n, w, 1, slots)); x != 10 || many != 11 {
		t.Errorf("%d are told of, up to %v m", many, x)
	}
	own := slices.IndexFunc(w.Now.Objects, func(o world.Object) bool { return o.Owner == 1 })
	for _, c := range []struct{ to, want float64 }{
		{-0.9, 10}, // 10.9 m away: still in, as it was
		{-1.1, 9},  // 10.1 m from the one at 9; the one at 10 is out
		{-0.5, 9},  // 10.5 m: not in again
		{0, 10},    // again
	} {
		w.Now.Body(own).X = c.to
		if x, _ := far(w, o.pick(n, w, 1, slots)); x != c.want {
			t.Errorf("at %v they are told of up to %v m, want %v", c.to, x, c.want)
		}
	}
	if got := o.pick(n, w, 7, slots); len(got) != 30 {
		t.Errorf("one who looks on is told of %d", len(got))
	}
}

func TestHiddenIsToldOfOnlyWhenSaid(t *testing.T) {
	w, n, slots := watching(t, 5, 0, true, nil)
	var o outlook
	if got := o.pick(n, w, 1, slots); len(got) != 1 {
		t.Errorf("told of %d, want his own only", len(got))
	}
	if got := o.pick(n, w, 7, slots); len(got) != 0 {
		t.Errorf("one who looks on is told of %d", len(got))
	}
	j := &judging{}
	w, n, slots = watching(t, 5, 0, true, j)
	j.refused = []int{int(slots[3])}
	for round := range 3 {
		if got := o.pick(n, w, 1, slots); len(got) != 4 || slices.Contains(got, slots[3]) || j.asked != 4*(round+1) {
			t.Errorf("told of %v, after %d questions", got, j.asked)
		}
	}
	j.refused = nil
	n.asked = maxAsked
	if got := o.pick(n, w, 1, slots); len(got) != 1 || n.counts.Skipped != 4 {
		t.Errorf("with no room for questions told of %d; %+v", len(got), n.counts)
	}
	n.asked, j.err = 0, errors.New("broken")
	if got := o.pick(n, w, 1, slots); len(got) != 1 || n.counts.Failed != 4 {
		t.Errorf("with a broken judge told of %d; %+v", len(got), n.counts)
	}
}

// An answer about what is no secret holds for a while; none is a yes.
func TestAnswersHold(t *testing.T) {
	j := &judging{}
	w, n, slots := watching(t, 5, 0, false, j)
	j.refused = []int{int(slots[3])}
	var o outlook
	for range askedWithin {
		if got := o.pick(n, w, 1, slots); len(got) != 4 || j.asked != 4 {
			t.Fatalf("told of %d after %d questions", len(got), j.asked)
		}
		w.Now.Tick++
	}
	j.err = errors.New("broken")
	if got := o.pick(n, w, 1, slots); len(got) != 5 || j.asked != 8 || n.counts.Failed != 4 {
		t.Errorf("told of %d after %d questions, %+v", len(got), j.asked, n.counts)
	}
}
