package clocksync

import (
	"slices"
	"testing"
	"time"

	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"pgregory.net/rapid"
)

// The median and the spread are those of the newest values, however many came before.
func TestRecentIsOfTheNewestValues(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 9).Draw(t, "n")
		r := newRecent(n)
		var all []time.Duration
		for range rapid.IntRange(1, 40).Draw(t, "values") {
			if rapid.IntRange(0, 15).Draw(t, "clear") == 0 {
				r.clear()
				all = nil
			}
			v := time.Duration(rapid.IntRange(-5, 5).Draw(t, "v"))
			r.add(v)
			all = append(all, v)
			newest := slices.Clone(all[max(len(all)-n, 0):])
			slices.Sort(newest)
			median, spread := newest[len(newest)/2], time.Duration(0)
			for _, v := range newest {
				spread += (v - median).Abs()
			}
			spread /= time.Duration(len(newest))
			if r.full() != (len(all) >= n) || r.median() != median || r.spread() != spread {
				t.Fatalf("%v of %v: full %v, median %v, spread %v, want %v, %v, %v", newest, all, r.full(), r.median(), r.spread(), len(all) >= n, median, spread)
			}
		}
	})
}
