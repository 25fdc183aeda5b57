package client

import (
	"testing"

	"github.com/hindcast/hindcast/runtime/timeline"
)

// TestVerifyEvery: check mode does the first rewind again and about as many of the others as the configuration says, at
// no fixed distance, and all of them if it says nothing.
func TestVerifyEvery(t *testing.T) {
	const rewinds = 10_000
	for _, c := range []struct{ every, least, most int }{{0, rewinds, rewinds}, {1, rewinds, rewinds}, {5, 1900, 2100}} {
		p := predictor{cfg: &Config{Verify: true, VerifyEvery: c.every}}
		n, last, gaps := 0, 0, map[int]int{}
		for i := range rewinds {
			p.rewinds.Add(timeline.Rewound{}, 0)
			if p.verifies() {
				gaps[i-last]++
				n, last = n+1, i
			} else if i == 0 {
				t.Errorf("every %d: not the first one", c.every)
			}
		}
		if n < c.least || n > c.most || c.every > 1 && len(gaps) < 5 {
			t.Errorf("every %d: %d of %d rewinds, in distances of %v", c.every, n, rewinds, gaps)
		}
	}
}
