package stats_test

import (
	"math"
	"slices"
	"testing"

	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"github.com/hindcast/hindcast/runtime/stats"
	"pgregory.net/rapid"
)

func TestQuantilesAreWithinOnePercent(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Float64Range(0.01, 1e5), 1, 300).Draw(t, "values")
		var s stats.Series
		for _, v := range values {
			s.Add(v)
		}
		slices.Sort(values)
		for _, q := range []float64{0.5, 0.99} {
			want := values[int(math.Ceil(q*float64(len(values))))-1]
			if got := s.Quantile(q); math.Abs(got-want) > 0.0105*want {
				t.Fatalf("quantile %v of %v: %v, want %v", q, values, got, want)
			}
		}
		if got := s.Spread().Max; math.Abs(got-values[len(values)-1]) > 0.001*got {
			t.Fatalf("max %v", got)
		}
	})
}

func TestSeriesOfOddValues(t *testing.T) {
	var s stats.Series
	if s.Quantile(0.5) != 0 || s.Spread().Max != 0 {
		t.Error("an empty series is not 0")
	}
	for _, v := range []float64{-5, 0, math.NaN(), 1e300, math.Inf(1)} {
		s.Add(v)
	}
	if s.Count() != 5 || s.Quantile(0.5) != 0 {
		t.Errorf("count %d, median %v", s.Count(), s.Quantile(0.5))
	}
}
