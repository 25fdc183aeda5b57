package runtime

import (
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/clocksync"
	"github.com/hindcast/hindcast/world"
)

// TestDisplacementsAreReportedOncePerRoundTrip: of each object, and nothing is kept of those that were
// reported before: a player may own a new one every tick.
func TestDisplacementsAreReportedOncePerRoundTrip(t *testing.T) {
	t.Parallel()
	p, c := &displacements{}, &endpoint{Clock: clocksync.New(clocksync.Options{Tick: 16 * time.Millisecond})}
	for range 20 {
		if err := c.Clock.Sample(c.Now, c.Now+50*time.Millisecond, c.Now+100*time.Millisecond); err != nil {
			t.Fatal(err)
		}
		c.Now += 100 * time.Millisecond
	}
	told := 0
	for range 1000 {
		c.Now += 10 * time.Millisecond
		if p.mayReport(c, 7) {
			told++
		}
		if !p.mayReport(c, world.ObjectID(1000+c.Now)) {
			t.Fatalf("a new object is not told of at %v", c.Now)
		}
	}
	if told != 100 {
		t.Errorf("told %d times in 100 round trips", told)
	}
	if n := len(p.reported); n > 12 {
		t.Errorf("%d moves are kept, of %d", n, 1000+told)
	}
}
