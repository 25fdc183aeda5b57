package host

import (
	"math"
	"testing"
	"time"
)

// TestSpeedIsTheShareOfRealTime: a room that gives up half of the time runs at half the speed, whenever it is asked, and
// at the whole one some seconds after it gave up time last.
func TestSpeedIsTheShareOfRealTime(t *testing.T) {
	var s speed
	now := time.Duration(0)
	for range 100 {
		now += 700 * time.Millisecond
		s.Lost(now, 350*time.Millisecond)
		if share := s.Share(now); now > 2*speedSpan && math.Abs(share-0.5) > 0.1 {
			t.Errorf("at %v: %v", now, share)
		}
	}
	for range 3 {
		now += speedSpan
		s.Lost(now, 0)
	}
	if share := s.Share(now); share != 1 {
		t.Errorf("in the end: %v", share)
	}
	// A single stall says nothing about how long the next second takes.
	s.Lost(now+1300*time.Millisecond, 1300*time.Millisecond)
	if share := s.Share(now + 1400*time.Millisecond); share != 1 {
		t.Errorf("after a stall: %v", share)
	}
}
