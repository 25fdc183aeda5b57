package host

import (
	"testing"
	"time"
)

// TestStalenessBelievesJamsAndNoFreeze notes what clients acknowledge in each tick of 16 ms, and asks for how long they
// can have guessed that say: for as long as they like.
func TestStalenessBelievesJamsAndNoFreeze(t *testing.T) {
	const tick, trip, forever = 16 * time.Millisecond, 48 * time.Millisecond, time.Hour
	for _, c := range []struct {
		what   string
		silent func(now time.Duration) bool // nothing is acknowledged
		least  time.Duration                // that is believed at some time, after ten seconds
		most   time.Duration                // that is believed at any time then
		mean   time.Duration                // at most, on average
	}{
		{"a steady line", func(time.Duration) bool { return false }, trip, trip + 120*time.Millisecond, trip + 120*time.Millisecond},
		{"a jam of half a second in 20 s", func(now time.Duration) bool { return now%(20*time.Second) >= 19500*time.Millisecond }, 500 * time.Millisecond, 600 * time.Millisecond, 200 * time.Millisecond},
		{"a freeze with one packet in 10 s", func(now time.Duration) bool { return now > 10*time.Second && now%(10*time.Second) > tick }, trip, 2 * time.Second, 300 * time.Millisecond},
		{"a freeze for good", func(now time.Duration) bool { return now > 10*time.Second }, trip, 2 * time.Second, 250 * time.Millisecond},
	} {
		var s staleness
		var newest, least, sum time.Duration
		n := time.Duration(0)
		s.note(0, 0)
		if got := s.credible(forever); got > staleSlack {
			t.Errorf("%s: %v is believed before anything is acknowledged", c.what, got)
		}
		for now := tick; now < 60*time.Second; now += tick {
			if now > trip && !c.silent(now) {
				newest = now - trip
			}
			s.note(now, newest)
			if now <= 10*time.Second {
				continue
			}
			got := s.credible(forever)
			least, sum, n = max(least, got), sum+got, n+1
			if got > c.most {
				t.Errorf("%s: at %v, %v is believed", c.what, now, got)
				break
			}
		}
		if least < c.least || sum/n > c.mean {
			t.Errorf("%s: up to %v is believed, %v on average", c.what, least, sum/n)
		}
	}
}
