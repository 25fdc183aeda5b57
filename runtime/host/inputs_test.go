package host_test

import (
	"fmt"
	"slices"

	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/host"
	"github.com/hindcast/hindcast/world"
)

// A track is the inputs of a player for an object.
type track struct {
	object world.ObjectID
	player world.PlayerID
}

// compareInputs compares the relayed inputs that a client has for its complete ticks with those of the host. It
// describes an input that differs, or that the host has not relayed; "" if there is none. Inputs that one of the two no
// longer keeps are left out; compared is the number of the others. mixed says that clients do not simulate all classes:
// a client then has a part of the sight that the host has.
func compareInputs(h *host.Host, c *client.Client, mixed bool) (mismatch string, compared int) {
	type relayed struct {
		event   world.Event
		relayed bool
	}
	first, had := map[track]world.Tick{}, map[track]map[world.Tick]relayed{} // first is the oldest that the host still has
	h.EachInput(func(e world.Event, to bool) {
		of := track{e.Object, e.Player}
		if had[of] == nil {
			first[of], had[of] = e.Tick, map[world.Tick]relayed{}
		}
		first[of] = min(first[of], e.Tick)
		had[of][e.Tick] = relayed{e, to}
	})
	c.EachInput(func(e world.Event) {
		of := track{e.Object, e.Player}
		since, ok := first[of]
		if !ok || e.Tick < since {
			return
		}
		compared++
		at, own := had[of][e.Tick]
		kept := h.StateAt(e.Tick-1) != nil // the host has not dropped the sight
		if !own || !at.relayed || at.event.Input != e.Input || at.event.Bundle != e.Bundle || kept && !sightsAgree(at.event.Sight, e.Sight, mixed) {
			mismatch = fmt.Sprintf("tick %d, object %s: the client has buttons %b of bundle %d, the host %b of bundle %d (for this tick: %v, relayed: %v)",
				e.Tick, e.Object, e.Input.Buttons, e.Bundle, at.event.Input.Buttons, at.event.Bundle, own, at.relayed)
		}
	})
	return mismatch, compared
}

// sightsAgree reports whether a client has the sight that the host has, or in a mixed room a part of it.
func sightsAgree(host, client world.Sight, mixed bool) bool {
	if !mixed {
		return slices.Equal(host, client)
	}
	return !slices.ContainsFunc(client, func(p world.PastPose) bool { return !slices.Contains(host, p) })
}
