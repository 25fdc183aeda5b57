package runtime

import (
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/clocksync"
	"github.com/hindcast/hindcast/world"
)

// TestDisplacementsAreReportedOncePerRoundTrip tests that an object's displacement is reported once
// per round trip, and that nothing is kept of objects that were reported earlier: a player may own a
// new object in every tick.
func TestDisplacementsAreReportedOncePerRoundTrip(t *testing.T) {
	t.Parallel()
	p, c := &displacements{}, &endpoint{Clock: clocksync.New(clocksync.Options{Tick: 16 * time.Millisecond})}
	for range 20 {
		if err := c.Clock.Sample(c.Now, c.Now+50*time.Millisecond, c.Now+100*time.Millisecond); err != nil {
			t.Fatal(err)
		}
		c.Now += 100 * time.Millisecond
	}
	reported := 0
	for range 1000 {
		c.Now += 10 * time.Millisecond
		if p.mayReport(c, 7) {
			reported++
		}
		if !p.mayReport(c, world.ObjectID(1000+c.Now)) {
			t.Fatalf("a new object is not reported at %v", c.Now)
		}
	}
	if reported != 100 {
		t.Errorf("%d reports in 100 round trips", reported)
	}
	if n := len(p.reported); n > 12 {
		t.Errorf("%d displacements are kept, of %d", n, 1000+reported)
	}
}
