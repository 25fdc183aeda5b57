package view

import (
	"cmp"
	"math"
	"slices"

	"github.com/hindcast/hindcast/world"
)

// ownCues are the cues of replicated objects of a client's player. The client guesses them: it runs the hooks without
// all objects, and with inputs that the host may refuse. What it has shown is taken back unless it happened at the
// host, and what happened there and was not shown is shown late.
type ownCues struct {
	shown []world.Cue // of ticks that cannot change any more here: the host has not said yet whether they happened
	host  []world.Cue // that happened at the host, and have yet to be found among those shown
	kept  []keptCue   // that happened in another tick than the one that is shown
	heard []heard     // of the player's inputs, by tick
	to    world.Tick  // up to here, host has had all
	began world.Tick  // when the client began to show cues
}

// keptCue is a cue that stays as it is shown. It moves to its true key if another one turns out to have the key under
// which it is shown.
type keptCue struct{ shown, really world.Cue }

// heard is that the host had the inputs up to a tick at its tick at, and not long before. It acts on a press of an
// input that it has refused with the next one.
type heard struct{ inputs, at world.Tick }

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

// settled notes what a snapshot of tick at says: host has had all cues up to tick to, and the host the inputs up to
// inputs.
func (o *ownCues) settled(to, inputs, at world.Tick) {
	o.to = max(o.to, to)
	if n := len(o.heard); n == 0 || inputs > o.heard[n-1].inputs {
		o.heard = append(o.heard, heard{inputs, at})
	}
}

// settle compares what was shown with what happened, as far as both are known, and appends the differences to updates.
// complete is the newest tick that cannot change any more here.
func (o *ownCues) settle(complete world.Tick, updates []CueUpdate) []CueUpdate {
	o.forget(complete)
	if len(o.shown)+len(o.host) == 0 { // what is kept waits for another one
		return updates
	}
	to := min(o.to, complete)
	updates = o.pair(updates, func(c, h *world.Cue) bool { return c.CueKey == h.CueKey && alike(c, h) })
	near := func(c, h *world.Cue) bool { return c.Tick <= to && h.Tick <= to && apart(c, h) <= o.due(c)-c.Tick }
	updates = o.pair(updates, func(c, h *world.Cue) bool { return near(c, h) && len(c.Fields) > 0 && alike(c, h) })
	over := func(c *world.Cue) bool { return o.due(c) <= to }
	old := func(h *world.Cue) bool { return h.Tick+cueNear <= to }
	updates = o.pair(updates, func(c, h *world.Cue) bool { return near(c, h) && (over(c) || old(h)) })
	o.shown = slices.DeleteFunc(o.shown, func(c world.Cue) bool {
		if over(&c) {
			updates = append(updates, CueUpdate{Change: CueCancelled, Cue: c})
		}
		return over(&c)
	})
	o.host = slices.DeleteFunc(o.host, func(h world.Cue) bool {
		if old(&h) && h.Tick > o.began {
			updates = append(o.freeKey(updates, h.CueKey), CueUpdate{Change: CueFired, Cue: h})
		}
		return old(&h)
	})
	return updates
}

// due returns the tick up to which a cue may happen at the host instead of in its own; the last tick of all if the host
// has not had the input yet.
func (o *ownCues) due(c *world.Cue) world.Tick {
	later := func(h heard, t world.Tick) int { return cmp.Compare(h.inputs, t) }
	i, _ := slices.BinarySearchFunc(o.heard, c.Tick, later)
	if i == len(o.heard) {
		return math.MaxUint32
	}
	return max(c.Tick, o.heard[i].at) + cueNear
}

// forget drops what waits for too long.
func (o *ownCues) forget(complete world.Tick) {
	forgotten := func(c world.Cue) bool { return c.Tick+ownKept < complete }
	o.shown, o.host = slices.DeleteFunc(o.shown, forgotten), slices.DeleteFunc(o.host, forgotten)
	o.kept = slices.DeleteFunc(o.kept, func(k keptCue) bool { return forgotten(k.shown) })
	n := 0
	for n < len(o.heard) && o.heard[n].at+ownKept < complete {
		n++
	}
	o.heard = slices.Delete(o.heard, 0, n)
}

// pair removes each shown cue with the nearest one of the same effect that happened and for which same returns true.
// One that has turned out otherwise moves.
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
			updates = append(o.freeKey(updates, h.CueKey), CueUpdate{CueMoved, h, c})
		} else if c.CueKey != h.CueKey {
			o.kept = append(o.kept, keptCue{c, h})
		}
		o.host = slices.Delete(o.host, at, at+1)
		return true
	})
	return updates
}

// freeKey appends the move of the cue that is kept under a key, before another one gets it.
func (o *ownCues) freeKey(updates []CueUpdate, key world.CueKey) []CueUpdate {
	i := slices.IndexFunc(o.kept, func(k keptCue) bool { return k.shown.CueKey == key })
	if i < 0 {
		return updates
	}
	k := o.kept[i]
	o.kept = slices.Delete(o.kept, i, i+1)
	return append(o.freeKey(updates, k.really.CueKey), CueUpdate{CueMoved, k.really, k.shown})
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
