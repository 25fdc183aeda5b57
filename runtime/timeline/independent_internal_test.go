package timeline

import (
	"slices"
	"testing"

	"github.com/hindcast/hindcast/world"
)

// TestGuessedFramesWaitForTheirRecords puts records of frames into a log out of order: a frame whose record is delayed
// stays, where its number puts it, until the log is complete without it.
func TestGuessedFramesWaitForTheirRecords(t *testing.T) {
	of := trackKey{7, 1}
	private := false
	l := independentLog{changed: func(trackKey, world.Tick) {}, private: func(world.Tick) func(world.ObjectID) bool {
		return func(world.ObjectID) bool { return private }
	}}
	all := func(world.ObjectID) bool { return true }
	put := func(number uint32, tick world.Tick, f flags) {
		e := world.Event{Kind: world.FrameEvent, Tick: tick, Object: 7, Player: 1, Bundle: 1, Number: number, DT: 10}
		l.put(of, newFrame(&e, f))
	}
	type at struct {
		tick   world.Tick
		number uint32
	}
	expect := func(what string, want ...at) {
		t.Helper()
		var got []at
		for _, e := range l.find(of).Entries {
			got = append(got, at{e.Tick, e.Number})
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, expected %v", what, got, want)
		}
	}
	for n := uint32(1); n <= 6; n++ {
		put(n, world.Tick(10+n), guessed)
	}
	put(4, 13, 0)
	expect("frame 4 has run in tick 13", at{11, 1}, at{12, 2}, at{13, 3}, at{13, 4}, at{15, 5}, at{16, 6})
	put(2, 11, 0)
	expect("frame 2 has run in tick 11", at{11, 1}, at{11, 2}, at{13, 3}, at{13, 4}, at{15, 5}, at{16, 6})
	put(5, 17, 0)
	expect("frame 5 has run in tick 17", at{11, 1}, at{11, 2}, at{13, 3}, at{13, 4}, at{17, 5}, at{17, 6})
	put(1, 18, guessed)
	l.complete(12, 0, all)
	expect("the log is complete up to tick 12, without frame 1", at{11, 2}, at{13, 3}, at{13, 4}, at{17, 5}, at{17, 6})
	put(3, 13, 0)
	l.complete(17, 0, all)
	expect("the log is complete up to tick 17", at{11, 2}, at{13, 3}, at{13, 4}, at{17, 5}, at{18, 6})
	if got := l.certainTo(20); got != 17 {
		t.Errorf("certain up to tick %d", got)
	}
	put(7, 19, guessed)
	private = true
	none := func(world.ObjectID) bool { return false }
	l.complete(18, 0, none)
	l.complete(20, 0, none)
	expect("not all simulate the object any more", at{11, 2}, at{13, 3}, at{13, 4}, at{17, 5}, at{18, 6}, at{19, 7})
	if got := l.certainTo(20); got != 20 {
		t.Errorf("certain up to tick %d, with frames that no log will have", got)
	}
}
