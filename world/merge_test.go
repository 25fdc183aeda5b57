package world_test

import (
	"math"
	"testing"

	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"github.com/hindcast/hindcast/world"
	"pgregory.net/rapid"
)

// mergedFields have one input of each rule.
func mergedFields() []world.InputField {
	axis := func(name string, i int, m world.Merge) world.InputField {
		return world.InputField{Name: name, Axis: true, Index: i, Min: -4, Max: 4, Merge: m}
	}
	return []world.InputField{{Name: "any"}, {Name: "at the end", Index: 1, Merge: world.MergeLast},
		axis("last", 0, world.MergeDefault), axis("sum", 1, world.MergeSum), axis("mean", 2, world.MergeMean), axis("furthest", 3, world.MergeFurthest)}
}

// frame is a frame of some length in which all buttons are down or up, and all
// axes in one place.
type frame struct {
	length, at float64
	down       bool
}

func (f frame) input() (in world.Input) {
	if f.down {
		in.Buttons = 3
	}
	for i := range 4 {
		in.Axes[i] = f.at
	}
	return in
}

// TestMerging: what the frames of a tick come to, rule by rule.
func TestMerging(t *testing.T) {
	for name, c := range map[string]struct {
		before, frames            []frame // of the tick before, and of this one
		any, end                  int     // for how many parts the buttons are down
		last, sum, mean, furthest float64
	}{
		"nothing":                    {},
		"one frame":                  {frames: []frame{{1, 2, true}}, any: 64, end: 64, last: 2, sum: 2, mean: 2, furthest: 2},
		"a tap":                      {frames: []frame{{1, 0, false}, {1, 0, true}, {2, 0, false}}, any: 16},
		"down at the end":            {frames: []frame{{3, 0, false}, {1, 0, true}}, any: 16, end: 16},
		"there and back":             {frames: []frame{{1, 1, false}, {1, -3, false}, {2, 0.5, false}}, last: 0.5, sum: -1.5, mean: -0.25, furthest: -3},
		"beyond the range":           {frames: []frame{{1, 3, false}, {1, 3, false}}, last: 3, sum: 4, mean: 3, furthest: 3},
		"no frame, after one":        {before: []frame{{1, 2, true}}, any: 64, end: 64, last: 2, mean: 2, furthest: 2},
		"none after a tap":           {before: []frame{{1, 2, true}, {1, 1, false}}, last: 1, mean: 1, furthest: 1},
		"frames of no length":        {frames: []frame{{0, 1, true}, {0, 3, false}}, any: 32, last: 3, sum: 4, mean: 2, furthest: 3},
		"a length that is no number": {frames: []frame{{math.NaN(), 1, true}}, any: 64, end: 64, last: 1, sum: 1, mean: 1, furthest: 1},
	} {
		t.Run(name, func(t *testing.T) {
			var m world.Merger
			fields := mergedFields()
			add := func(frames []frame) {
				for _, f := range frames {
					in := f.input()
					m.Add(&in, f.length)
				}
			}
			if c.before != nil {
				add(c.before)
				m.Take(fields)
			}
			add(c.frames)
			in := world.Conform(fields, m.Take(fields))
			if a, b := in.HeldParts(0), in.HeldParts(1); a != c.any || b != c.end {
				t.Errorf("down for %d and %d parts, not %d and %d", a, b, c.any, c.end)
			}
			for i, want := range []float64{c.last, c.sum, c.mean, c.furthest} {
				if math.Abs(in.Axes[i]-want) > 1e-9 {
					t.Errorf("%s: %v, not %v", fields[i+2].Name, in.Axes[i], want)
				}
			}
		})
	}
}

// TestMergedInputsAreInOrder: whatever the frames, the input is one that a host
// takes, and ticks one after the other have sums that add up.
func TestMergedInputsAreInOrder(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		var m world.Merger
		fields := mergedFields()
		all, sums := 0.0, 0.0
		for range rapid.IntRange(1, 5).Draw(t, "ticks") {
			down := false
			for range rapid.IntRange(0, 4).Draw(t, "frames") {
				f := frame{rapid.Float64Range(0, 1).Draw(t, "length"), math.Floor(rapid.Float64Range(-1, 1).Draw(t, "at")*4) / 4, rapid.Bool().Draw(t, "down")}
				in := f.input()
				m.Add(&in, f.length)
				all, down = all+f.at, down || f.down
			}
			merged := m.Take(fields)
			sums += merged.Axes[1]
			if err := world.CheckInput(fields, world.Conform(fields, merged)); err != nil {
				t.Fatal(err)
			}
			if down && merged.HeldParts(0) == 0 {
				t.Fatal("a press was lost")
			}
			if mean := merged.Axes[2]; math.Abs(mean) > math.Abs(merged.Axes[3])+1e-9 {
				t.Fatalf("the mean is %v, the furthest %v", mean, merged.Axes[3])
			}
		}
		if all != sums {
			t.Fatalf("%v came, %v went out", all, sums)
		}
	})
}

func TestMergeNames(t *testing.T) {
	for _, axis := range []bool{false, true} {
		seen := map[world.Merge]bool{}
		for i, n := range world.MergeNames(axis) {
			m, ok := world.MergeNamed(n, axis)
			if !ok || seen[m] || (i == 0) != (m == world.MergeDefault) {
				t.Errorf("%s of %v: %v, %v", n, axis, m, ok)
			}
			seen[m] = true
		}
	}
	for _, n := range []string{"sum", "", "Any"} {
		if m, ok := world.MergeNamed(n, false); ok {
			t.Errorf("%q is %v for a button", n, m)
		}
	}
}
