package timeline_test

import (
	"testing"

	"github.com/hindcast/hindcast/runtime/internal/stub"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

// TestStopGivesATickUp: the hook before which Stop returns true is not called, nor is any later one.
func TestStopGivesATickUp(t *testing.T) {
	calls, stopAt := 0, -1
	tl := timeline.New(stub.MustCompile(), timeline.Options{States: 16, Check: true, Stop: func() bool {
		calls++
		return calls == stopAt
	}})
	for p := range world.PlayerID(3) {
		if _, err := tl.Insert(world.Event{Tick: 1, Kind: world.JoinEvent, Player: p + 1}, timeline.Origin{}); err != nil {
			t.Fatal(err)
		}
	}
	for range 10 {
		tl.Step()
	}
	if calls < 30 || tl.Interrupted() {
		t.Fatalf("asked %d times, interrupted: %v", calls, tl.Interrupted())
	}
	stopAt = calls + 2
	func() {
		defer func() {
			if r := recover(); r != timeline.ErrInterrupted {
				t.Errorf("the panic is %v", r)
			}
		}()
		tl.Step()
		t.Error("the tick went on")
	}()
	if tl.Now() != 10 {
		t.Errorf("the last tick is %d", tl.Now())
	}
	if calls != stopAt || !tl.Interrupted() {
		t.Errorf("asked %d times, want %d; interrupted: %v", calls, stopAt, tl.Interrupted())
	}
}
