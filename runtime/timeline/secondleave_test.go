package timeline_test

import (
	"testing"

	"github.com/hindcast/hindcast/runtime/internal/stub"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

// TestSecondLeaveEndsTheGraceTime tests a leave of a player who has left already, on time and inserted in the past: the
// player and their objects are removed as at the end of the grace time, and a first leave still waits for that.
func TestSecondLeaveEndsTheGraceTime(t *testing.T) {
	script, err := stub.Compile(nil, stub.Game().Setup)
	if err != nil {
		t.Fatal(err)
	}
	var hashes []uint64
	for _, late := range []world.Tick{0, 7} {
		tl := timeline.New(script, timeline.Options{States: 64, Check: true})
		insert := func(tick world.Tick, kind world.EventKind, p world.PlayerID) {
			if _, err := tl.Insert(world.Event{Tick: tick, Kind: kind, Player: p}, timeline.Origin{}); err != nil {
				t.Fatal(err)
			}
		}
		insert(2, world.JoinEvent, 1)
		insert(2, world.JoinEvent, 2)
		insert(10, world.LeaveEvent, 1)
		insert(11, world.LeaveEvent, 2)
		for range 19 + late {
			tl.Step()
		}
		if n := len(tl.At(tl.Now()).Players); n != 2 {
			t.Fatalf("%d players in the grace time", n)
		}
		insert(20, world.LeaveEvent, 1)
		tl.Rewind()
		for tl.Now() < 40 {
			tl.Step()
		}
		s := tl.At(tl.Now())
		if _, here := s.PlayerByID(1); here {
			t.Errorf("%d ticks late: the player is still there", late)
		}
		if _, here := s.PlayerByID(2); !here {
			t.Errorf("%d ticks late: the other one is not there", late)
		}
		for _, slot := range s.Run {
			if s.Objects[slot].Owner == 1 {
				t.Errorf("%d ticks late: the player owns %s", late, s.Objects[slot].ID)
			}
		}
		hashes = append(hashes, s.Hash())
	}
	if hashes[0] != hashes[1] {
		t.Errorf("on time and late: %x", hashes)
	}
}
