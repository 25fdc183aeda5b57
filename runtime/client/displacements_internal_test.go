package client

import (
	"testing"
	"time"

	"github.com/hindcast/hindcast/world"
)

// TestDisplacementsAreReportedOncePerRoundTrip tests that an object's displacement is reported once
// per round trip, and that nothing is kept of objects that were reported earlier: a player may own a
// new object in every tick.
func TestDisplacementsAreReportedOncePerRoundTrip(t *testing.T) {
	t.Parallel()
	d, at := &displacements{}, &displacementContext{trip: 100 * time.Millisecond}
	reported := 0
	for range 1000 {
		at.now += 10 * time.Millisecond
		if d.mayReport(at, 7) {
			reported++
		}
		if !d.mayReport(at, world.ObjectID(1000+at.now)) {
			t.Fatalf("a new object is not reported at %v", at.now)
		}
	}
	if reported != 100 {
		t.Errorf("%d reports in 100 round trips", reported)
	}
	if n := len(d.reported); n > 12 {
		t.Errorf("%d displacements are kept, of %d", n, 1000+reported)
	}
}
