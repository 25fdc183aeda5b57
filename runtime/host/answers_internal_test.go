package host

import (
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/world"
)

// TestStatesAreLimited tests the budget of whole states: what is equal is encoded once, what is not waits, the budget
// comes back, also after a day without a state, and those come first who have had the fewest.
func TestStatesAreLimited(t *testing.T) {
	var a answers
	encoded := 0
	make1MB := func(now time.Duration, tick world.Tick, viewer world.PlayerID) bool {
		_, _, ok := a.Make(now, tick, answerKey{kind: wire.KindKeyframe, tick: tick, viewer: viewer}, func() ([]byte, int) {
			encoded++
			return make([]byte, 1<<20), 1 << 20
		})
		return ok
	}
	const most = mostStateBytes >> 20
	for _, now := range []time.Duration{0, 100 * time.Second, 24 * time.Hour, 24*time.Hour + time.Minute} {
		encoded = 0
		for viewer := range world.PlayerID(2 * most) {
			if ok := make1MB(now, 5, viewer); ok != (viewer < most) {
				t.Fatalf("after %v: state %d: %v", now, viewer, ok)
			}
		}
		if !make1MB(now, 5, 0) || encoded != most {
			t.Fatalf("after %v: %d states were encoded, and one that was is not shared", now, encoded)
		}
		a.made = nil
	}
	for i, had := range []int{3, 0, 1, 0} {
		a.Wait(link.Peer(i+1), had, false, []byte{byte(wire.KindReady)})
	}
	a.Wait(2, 0, false, []byte{byte(wire.KindReady), 7}) // asks again
	a.Left(3)
	var order []link.Peer
	for _, w := range a.Take() {
		order = append(order, w.from)
	}
	if len(order) != 3 || order[0] != 4 || order[1] != 2 || order[2] != 1 || len(a.Take()) != 0 {
		t.Errorf("in the order %v, want 4 2 1", order)
	}
}

// TestWhoWaitsComesFirst: who asks anew while others wait that may have had fewer states waits, too, but not for those who
// have not been sent their last one; and who can share one that is encoded need not wait.
func TestWhoWaitsComesFirst(t *testing.T) {
	var a answers
	make1KB := func(viewer world.PlayerID) bool {
		_, _, ok := a.Make(0, 5, answerKey{tick: 5, viewer: viewer}, func() ([]byte, int) { return make([]byte, 1<<10), 1 << 10 })
		return ok
	}
	a.Wait(1, 0, true, []byte{byte(wire.KindReady)})
	if !make1KB(1) {
		t.Error("a client waits for one that is busy")
	}
	a.Wait(2, 0, false, []byte{byte(wire.KindReady)})
	if make1KB(2) {
		t.Error("a client that asks again comes before one that waits")
	}
	if !make1KB(1) {
		t.Error("a client waits for a state that is encoded")
	}
	if a.Take(); !make1KB(2) {
		t.Error("nobody waits, and a client does")
	}
}
