package replicate

import (
	"testing"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/world"
)

// TestOwned: what a client has outlasts a bundle switch, until a later baseline lacks it or has it as another player's.
func TestOwned(t *testing.T) {
	s := &Sender{base: new(wire.Snapshot)}
	baseline := func(tick world.Tick, ids ...world.ObjectID) {
		s.base.Reset(1, 1, tick)
		for _, id := range ids {
			s.base.Entities = append(s.base.Entities, wire.Entity{ID: id, Owner: world.PlayerID(1 + id/100), FieldsTick: tick})
		}
	}
	var o Owned
	check := func(id world.ObjectID, at world.Tick, want bool) {
		t.Helper()
		if o.Before(id, at) != want {
			t.Errorf("object %d, before tick %d: %v", id, at, !want)
		}
	}
	baseline(10, 2, 5, 102) // 102 is another player's
	s.base.Entities[1].FieldsTick = 0
	o.Acknowledged(s, 1)
	check(2, 10, false)
	check(2, 11, true)
	check(5, 99, false)
	check(102, 99, false)
	s.base.Reset(0, 2, 0) // another bundle
	check(2, 11, true)
	o.Note(7, 14)
	o.Note(7, 20)
	check(7, 15, true)
	baseline(12, 2)
	o.Acknowledged(s, 1)
	check(2, 11, true) // since the first of them
	check(7, 15, true) // the baseline is older
	baseline(16, 7)
	o.Acknowledged(s, 1)
	check(2, 99, false)
	check(7, 15, true)
	o.Forget(&world.State{})
	check(7, 99, false)
	o.Note(3, 1)
	o.Clear()
	check(3, 99, false)
}
