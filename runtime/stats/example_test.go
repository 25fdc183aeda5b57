package stats_test

import (
	"fmt"

	"github.com/hindcast/hindcast/runtime/stats"
)

// Nine ticks took about a millisecond, and one took 20.
func Example() {
	var ms stats.Series
	for i := range 9 {
		ms.Add(1 + float64(i)/100)
	}
	ms.Add(20)
	fmt.Println(ms.Count(), "ticks, median", stats.Round(ms.Quantile(0.5)), "ms")
	spread := ms.Spread()
	fmt.Println("99th percentile", spread.P99, "ms, longest", spread.Max, "ms")
	// Output:
	// 10 ticks, median 1.039 ms
	// 99th percentile 20 ms, longest 20 ms
}
