package runtime

import (
	"fmt"

	"github.com/hindcast/hindcast/runtime/internal/view"
	"github.com/hindcast/hindcast/world"
)

// Bundles is how many bundles the client keeps.
func (c *Client) Bundles() int { return len(c.end.Library.known) }

// Told is the input of tick t that a client was told of, if it was.
func Told(c *Client, p world.PlayerID, object world.ObjectID, t world.Tick) (in world.Input, ok bool) {
	e, relayed, own := c.role.(*predictor).tl.InputAt(object, p, t)
	return e.Input, own && relayed
}

// Misheard names an input that a client was told of and that the host has otherwise, or
// has not told all of, in a tick of which the client knows everything. It gives
// how many it compared: what either has forgotten counts as right.
func Misheard(h *Host, c *Client) (what string, compared int) {
	role, predicts := c.role.(*predictor)
	if !predicts || role.tl == nil || c.end.Session.Stage != StagePlaying {
		return "", 0
	}
	type track struct {
		object world.ObjectID
		player world.PlayerID
	}
	first := map[track]world.Tick{} // that the host still has
	h.tl.EachInput(func(e world.Event, _ bool) {
		of := track{e.Object, e.Player}
		if t, ok := first[of]; !ok || e.Tick < t {
			first[of] = e.Tick
		}
	})
	role.tl.EachInput(func(e world.Event, relayed bool) {
		since, ok := first[track{e.Object, e.Player}]
		if !ok || !relayed || e.Tick <= role.log.keyframe || e.Tick > role.log.complete || e.Tick < since {
			return
		}
		compared++
		if had, told, own := h.tl.InputAt(e.Object, e.Player, e.Tick); !own || !told || had.Input != e.Input || had.Bundle != e.Bundle {
			what = fmt.Sprintf("tick %d, object %s: told buttons %b of bundle %d, the host has %b of bundle %d (for this tick: %v, told: %v)",
				e.Tick, e.Object, e.Input.Buttons, e.Bundle, had.Input.Buttons, had.Bundle, own, told)
		}
	})
	return what, compared
}

// LogLength is how many records of the log the host keeps.
func (h *Host) LogLength() int { return h.applied.Len() }

// CueTeller has the cues for a player reported of all ticks that a Timeline runs. ran is for
// Options.Ran; flush is what a client does after each frame.
func CueTeller(p world.PlayerID, tell func(CueEvent)) (ran func(*world.World, *world.Trace), flush func(committed world.Tick)) {
	b := view.NewCueBook(p)
	b.Open(0)
	return func(w *world.World, trace *world.Trace) { b.Ran(w.Now.Tick, trace) }, func(committed world.Tick) {
		for _, u := range b.Flush(committed) {
			tell(cueEvent(u))
		}
	}
}
