package view

import (
	"cmp"
	"math"
	"slices"

	"github.com/hindcast/hindcast/world"
)

// ownCues are the cues of replicated objects of a client's player. The client guesses them: it runs the hooks without all
// objects, and with inputs that the host may refuse. What it has shown is taken back unless it happened at the host, and
// what happened there and was not shown is shown late.
type ownCues struct {
	shown   []world.Cue // of ticks that cannot change any more here: the host has not said yet whether they happened
	host    []world.Cue // that happened at the host, and have yet to be found among those shown
	settled world.Tick  // up to here, host has had all
	began   world.Tick  // when the client began to show cues
}

// ownKept is for how many ticks cues wait for what the host says, which says nothing after a switch to scripts under
// which clients simulate all objects.
const ownKept = 2048

// shows adds those cues of a tick that the client has shown and cannot change any more.
func (o *ownCues) shows(player world.PlayerID, cues []world.Cue) {
	for i := range cues {
		if cues[i].GuessedBy(player) {
			o.shown = append(o.shown, cues[i])
		}
	}
}

// settle compares what was shown with what happened, as far as both are known, and appends the differences to updates.
// complete is the newest tick that cannot change any more here.
func (o *ownCues) settle(complete world.Tick, updates []CueUpdate) []CueUpdate {
	if len(o.shown)+len(o.host) == 0 {
		return updates
	}
	to := min(o.settled, complete)
	forgotten := func(c world.Cue) bool { return c.Tick+ownKept < complete }
	o.shown, o.host = slices.DeleteFunc(o.shown, forgotten), slices.DeleteFunc(o.host, forgotten)
	updates = o.pair(updates, func(c, h *world.Cue) bool { return c.CueKey == h.CueKey })
	near := func(c, h *world.Cue) bool { return c.Tick <= to && h.Tick <= to && apart(c, h) <= cueNear }
	updates = o.pair(updates, func(c, h *world.Cue) bool { return near(c, h) && len(c.Fields) > 0 && alike(c, h) })
	old := func(c *world.Cue) bool { return c.Tick+cueNear <= to } // others may be the same as one of the next ticks
	updates = o.pair(updates, func(c, h *world.Cue) bool { return near(c, h) && (old(c) || old(h)) })
	o.shown = slices.DeleteFunc(o.shown, func(c world.Cue) bool {
		if old(&c) {
			updates = append(updates, CueUpdate{Change: CueCancelled, Cue: c})
		}
		return old(&c)
	})
	o.host = slices.DeleteFunc(o.host, func(c world.Cue) bool {
		if old(&c) && c.Tick > o.began {
			updates = append(updates, CueUpdate{Change: CueFired, Cue: c})
		}
		return old(&c)
	})
	return updates
}

// pair removes each shown cue with the nearest one of the same effect that happened and for which same returns true. One
// that has turned out otherwise moves.
func (o *ownCues) pair(updates []CueUpdate, same func(c, h *world.Cue) bool) []CueUpdate {
	o.shown = slices.DeleteFunc(o.shown, func(c world.Cue) bool {
		at := -1
		for i := range o.host {
			h := &o.host[i]
			if compareEffects(&c, h) == 0 && same(&c, h) && (at < 0 || apart(&c, h) < apart(&c, &o.host[at])) {
				at = i
			}
		}
		if at < 0 {
			return false
		}
		if h := o.host[at]; !alike(&c, &h) {
			updates = append(updates, CueUpdate{CueMoved, h, c})
		}
		o.host = slices.Delete(o.host, at, at+1)
		return true
	})
	return updates
}

// How far apart two numbers of a cue may be that are measured, as places and impulses are, and not counted: a client's
// guess is never exact, and an effect must not be shown again because of that.
const (
	cueMeasure  = 0.25
	cueRelative = 1e-6 // of large ones, which are rounded on their way
)

// alike reports whether two cues of an effect look the same.
func alike(a, b *world.Cue) bool {
	return slices.EqualFunc(a.Fields, b.Fields, func(x, y world.CueField) bool {
		if x.Name != y.Name || x.Kind != y.Kind || x.Text != y.Text {
			return false
		}
		if x.Number == math.Trunc(x.Number) && y.Number == math.Trunc(y.Number) {
			return cmp.Compare(x.Number, y.Number) == 0
		}
		return math.Abs(x.Number-y.Number) <= max(cueMeasure, float64(cueRelative*math.Abs(y.Number)))
	})
}
