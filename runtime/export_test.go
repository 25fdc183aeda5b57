package runtime

import (
	"fmt"
	"slices"

	"github.com/hindcast/hindcast/runtime/internal/view"
	"github.com/hindcast/hindcast/world"
)

// Bundles returns how many bundles the client keeps.
func (c *Client) Bundles() int { return len(c.end.Library.known) }

// RelayedInput returns the input of tick t that the host relayed to a client, if it did.
func RelayedInput(c *Client, p world.PlayerID, object world.ObjectID, t world.Tick) (in world.Input, ok bool) {
	e, relayed, own := c.role.(*predictor).tl.Log().InputAt(object, p, t)
	return e.Input, own && relayed
}

// CompareInputs compares the relayed inputs that a client has for its complete ticks with those
// of the host. It describes an input that differs, or that the host has not relayed; "" if there is
// none. Inputs that one of the two no longer keeps are left out; compared is the number of the
// others.
func CompareInputs(h *Host, c *Client) (mismatch string, compared int) {
	role, predicts := c.role.(*predictor)
	if !predicts || role.tl == nil || !c.end.Session.Playing() {
		return "", 0
	}
	type track struct {
		object world.ObjectID
		player world.PlayerID
	}
	first := map[track]world.Tick{} // the oldest input that the host still has
	h.match.Log().EachInput(func(e world.Event, _ bool) {
		of := track{e.Object, e.Player}
		if t, ok := first[of]; !ok || e.Tick < t {
			first[of] = e.Tick
		}
	})
	role.tl.Log().EachInput(func(e world.Event, relayed bool) {
		since, ok := first[track{e.Object, e.Player}]
		if !ok || !relayed || e.Tick <= role.log.keyframe || e.Tick > role.log.complete || e.Tick < since {
			return
		}
		compared++
		if had, relayed, own := h.match.Log().InputAt(e.Object, e.Player, e.Tick); !own || !relayed || had.Input != e.Input || had.Bundle != e.Bundle || e.Tick > h.match.Oldest() && !h.sightsAgree(had.Sight, e.Sight) {
			mismatch = fmt.Sprintf("tick %d, object %s: the client has buttons %b of bundle %d, the host %b of bundle %d (for this tick: %v, relayed: %v)",
				e.Tick, e.Object, e.Input.Buttons, e.Bundle, had.Input.Buttons, had.Bundle, own, relayed)
		}
	})
	return mismatch, compared
}

// sightsAgree reports whether a client has the sight that the host has, or, if some bundle has replicated classes, a
// part of it.
func (h *Host) sightsAgree(host, client world.Sight) bool {
	mixed := slices.ContainsFunc(h.bundles.From(1), func(a *announced) bool { return h.match.Scripts().Of(a.Number).Schema().PartiallyReplicated() })
	if !mixed {
		return slices.Equal(host, client)
	}
	return !slices.ContainsFunc(client, func(p world.PastPose) bool { return !slices.Contains(host, p) })
}

// LogLength returns how many records of the log the host keeps.
func (h *Host) LogLength() int { return h.applied.Len() }

// ReportCues reports the cues for a player in all ticks that a Timeline runs. ran is for
// timeline.Options.Ran. A client calls flush after each update.
func ReportCues(p world.PlayerID, report func(CueEvent)) (ran func(*world.World, *world.Trace), flush func(committed world.Tick)) {
	b := view.NewCueBook(p)
	b.Open(0)
	return func(w *world.World, trace *world.Trace) { b.Ran(w.Now.Tick, trace) }, func(committed world.Tick) {
		for _, u := range b.Flush(committed) {
			report(cueEvent(u, 0))
		}
	}
}

// JudgeSight judges the sight of an input of a client that has acknowledged nothing.
func (h *Host) JudgeSight(e *world.Event) { h.judgeSight(newPeer(0, 0, false), e) }
