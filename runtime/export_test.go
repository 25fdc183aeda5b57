package runtime

import (
	"fmt"
	"strings"

	"github.com/hindcast/hindcast/world"
)

// Bundles is how many bundles the client keeps.
func (c *Client) Bundles() int { return len(c.library.known) }

// AsClient makes a Timeline a client's: inputs may be missing because they are
// on their way.
func (tl *Timeline) AsClient() { tl.inputs.complete = tl.Now() }

// Verdicts counts the moves that were taken and refused in tick t.
func (tl *Timeline) Verdicts(t world.Tick) (taken, refused int) {
	s := tl.At(t)
	for _, slot := range s.Run {
		was, why := s.OwnerPoseAt(int(slot), &tl.Schema(t).Classes[s.Objects[slot].Class], t)
		if was {
			taken++
		}
		if why != world.NotRefused {
			refused++
		}
	}
	return taken, refused
}

// TrailTo is where objects were before tick t.
func (tl *Timeline) TrailTo(t world.Tick) []byte { return tl.trailTo(t) }

// Held are the inputs that the ticks after t may repeat.
func (tl *Timeline) Held(t world.Tick) []world.Event { return tl.inputs.last(t, false) }

// HasScript reports whether the script of a bundle is kept.
func (tl *Timeline) HasScript(bundle uint32) bool { return tl.scripts[bundle] != nil }

// Doubt has an object run again in some ticks, as if its input might differ.
func (tl *Timeline) Doubt(object world.ObjectID, from, to world.Tick) {
	tl.inputChanged(steering{object: object}, from, to, change{kind: CauseInput})
}

// TrackProvenance has rewinds note how objects came to differ. Whys is what they
// noted about one in a slot, nil if it does not differ after the last tick.
func (tl *Timeline) NoteWhys() { tl.part.TrackProvenance() }

// Whys is how the object in a slot came to differ in the last rewind.
func (tl *Timeline) Whys(slot int) []world.ProvenanceStep {
	if !tl.part.Differs(slot) {
		return nil
	}
	return tl.part.Provenance(slot, func(t world.Tick) *world.HistoryEntry {
		if t < tl.Oldest() || t > tl.Now() {
			return nil
		}
		return tl.frame(t)
	}, nil)
}

// ReleaseSlots does what is done now and then.
func (tl *Timeline) ReleaseSlots() { tl.World().ReleaseSlots(tl.frames) }

// CueTeller has the cues for a player told of all ticks that a Timeline runs. ran is for
// Options.Ran; flush is what a client does after each frame.
func CueTeller(p world.PlayerID, tell func(CueEvent)) (ran func(*world.World, *world.Trace), flush func(settled world.Tick)) {
	b := newCueBook(p, tell)
	b.open(0)
	return func(w *world.World, trace *world.Trace) { b.ran(w.Now.Tick, trace) }, b.flush
}

// MoveCue tells what becomes of a cue that was told of in one tick, and turns up
// in another.
func MoveCue(from, to world.Tick) string {
	var said []string
	b := newCueBook(1, func(e CueEvent) { said = append(said, fmt.Sprintf("%s %d", e.Kind, e.Cue.Tick)) })
	b.open(0)
	cue := func(t world.Tick) cuePage {
		return cuePage{t, []world.Cue{{CueKey: world.CueKey{Tick: t, Object: 5, Name: "boom"}}}}
	}
	b.news = append(b.news, cue(from))
	b.flush(0)
	said = nil
	b.news = append(b.news, cuePage{tick: from}, cue(to))
	b.flush(0)
	return strings.Join(said, ", ")
}

// Giver gives what a host does of each tick, once it is final: the bytes that clients
// are given. Call it after each Step.
func (tl *Timeline) Giver() func() int {
	k := newKnownRun(tl)
	k.begin(tl.At(0))
	return func() int {
		if !tl.AnyPartial() {
			return 0
		}
		return len(k.final(tl.At(tl.Now())))
	}
}

// AsClientOf makes a Timeline a client's of a player.
func (tl *Timeline) AsClientOf(p world.PlayerID) { tl.World().Client = p }

// Tell puts an object where a client was told it was at the end of a tick; it is
// held so many ticks later, if nothing else is told.
func (tl *Timeline) Tell(t world.Tick, at world.ProxyUpdate, ticks world.Tick) {
	tl.ExtendProxy(at.Object, t, ticks)
	tl.ApplyProxy(t, at)
}

// Told is the input of tick t that a client was told of, if he was.
func Told(c *Client, p world.PlayerID, object world.ObjectID, t world.Tick) (in world.Input, ok bool) {
	e, own := c.tl.inputs.at(steering{object, p}, t)
	return e.input, own && e.said()
}

// Misheard names an input that a client was told of and that the host has otherwise, or
// has not told all of, in a tick of which the client knows everything. It gives
// how many it compared: what either has forgotten counts as right.
func Misheard(h *Host, c *Client) (what string, compared int) {
	if c.tl == nil || c.stage != StagePlaying || c.cfg.Blind {
		return "", 0
	}
	for i := range c.tl.inputs.tracks {
		tr := &c.tl.inputs.tracks[i]
		at, ok := h.tl.inputs.find(tr.of)
		for j := range tr.entries {
			e := &tr.entries[j]
			if !ok || !e.said() || e.tick <= c.keyframe || e.tick > c.settled || e.tick < h.tl.inputs.tracks[at].entries[0].tick {
				continue
			}
			compared++
			if had, own := h.tl.inputs.at(tr.of, e.tick); !own || !had.said() || had.input != e.input || had.bundle != e.bundle {
				what = fmt.Sprintf("tick %d, object %s: told buttons %b of bundle %d, the host has %b of bundle %d (for this tick: %v, told: %v)",
					e.tick, tr.of.object, e.input.Buttons, e.bundle, had.input.Buttons, had.bundle, own, had.said())
			}
		}
	}
	return what, compared
}

// LogLength is how many records of the log the host keeps.
func (h *Host) LogLength() int { return h.applied.Len() }
