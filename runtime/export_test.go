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
func (tl *Timeline) AsClient() { tl.inputs.complete = tl.now }

// GuessInput notes an input that the log has yet to confirm.
func (tl *Timeline) GuessInput(p world.PlayerID, e world.Event) {
	tl.guessInput(steering{e.Object, p}, e.Tick, e.Bundle, e.Input, false)
}

// GuessOwn notes a move or a frame that the log has yet to confirm.
func (tl *Timeline) GuessOwn(p world.PlayerID, e world.Event) {
	of := steering{e.Object, p}
	if e.Kind == world.MoveEvent {
		tl.insertMove(of, moveEntry{tick: e.Tick, guess: true, at: e.Place})
		return
	}
	tl.own.put(of, frameEntry{tick: e.Tick, number: e.Number, dt: e.DT, bundle: e.Bundle, guess: true, made: e.Tick, input: e.Input})
}

// Verdicts counts the moves that were taken and refused in tick t.
func (tl *Timeline) Verdicts(t world.Tick) (taken, refused int) {
	s := tl.At(t)
	for _, slot := range s.Run {
		was, why := s.MoveAt(int(slot), &tl.Schema(t).Classes[s.Objects[slot].Class], t)
		if was {
			taken++
		}
		if why != world.NotRefused {
			refused++
		}
	}
	return taken, refused
}

// GuessState puts a correction in the place of what its tick gives.
func (tl *Timeline) GuessState(part *world.State) { tl.guessState(part) }

// Settle tells that the log up to tick t is there.
func (tl *Timeline) Settle(t world.Tick) { tl.settle(t) }

// TrailTo is where objects were before tick t.
func (tl *Timeline) TrailTo(t world.Tick) []byte { return tl.trailTo(t) }

// Held are the inputs that the ticks after t may repeat.
func (tl *Timeline) Held(t world.Tick) []world.Event { return tl.inputs.last(t, false) }

// HasScript reports whether the script of a bundle is kept.
func (tl *Timeline) HasScript(bundle uint32) bool { return tl.scripts[bundle] != nil }

// Restart begins anew with a state, the inputs that it holds, and where objects
// were before it.
func (tl *Timeline) Restart(s *world.State, held []world.Event, trail []byte) error {
	if err := tl.reset(s); err != nil {
		return err
	}
	if err := tl.takeTrail(trail); err != nil {
		return err
	}
	for _, e := range held {
		tl.inputs.put(steering{e.Object, e.Player}, entry{tick: e.Tick, bundle: e.Bundle, input: e.Input})
	}
	return nil
}

// Doubt has an object run again in some ticks, as if its input might differ.
func (tl *Timeline) Doubt(object world.ObjectID, from, to world.Tick) {
	tl.inputChanged(steering{object: object}, from, to, change{kind: CauseInput})
}

// KeepCues has the cues of all ticks to come kept.
func (tl *Timeline) KeepCues() { tl.world.KeepCues = true }

// CuesOf are the cues of tick t.
func (tl *Timeline) CuesOf(t world.Tick) []world.Cue { return tl.frame(t).Trace.Cues(nil) }

// NoteWhys has rewinds note how objects came to differ. Whys is what they
// noted about one in a slot, nil if it does not differ after the last tick.
func (tl *Timeline) NoteWhys() { tl.part.NoteWhys() }

// Whys is how the object in a slot came to differ in the last rewind.
func (tl *Timeline) Whys(slot int) []world.Why {
	if !tl.part.Differs(slot) {
		return nil
	}
	return tl.part.Why(slot, func(t world.Tick) *world.Frame {
		if t < tl.oldest || t > tl.now {
			return nil
		}
		return tl.frame(t)
	}, nil)
}

// Finish tells that nothing up to tick t changes any more.
func (tl *Timeline) Finish(t world.Tick) { tl.finish(t) }

// ReleaseSlots does what is done now and then.
func (tl *Timeline) ReleaseSlots() { tl.world.ReleaseSlots(tl.frames) }

// TellCues has the cues for a player told, from tick 1 on. flush is what a
// client does after each frame.
func (tl *Timeline) TellCues(p world.PlayerID, tell func(CueEvent)) (flush func(settled world.Tick)) {
	b := newCueBook(p, tell)
	tl.tellCues(b)
	b.open(0)
	return b.flush
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
		if !tl.mixed() {
			return 0
		}
		return len(k.final(tl.At(tl.now)))
	}
}

// AsClientOf makes a Timeline a client's of a player.
func (tl *Timeline) AsClientOf(p world.PlayerID) { tl.world.Client = p }

// Tell puts an object where a client was told it was at the end of a tick; it is
// held so many ticks later, if nothing else is told.
func (tl *Timeline) Tell(t world.Tick, at world.Told, ticks world.Tick) {
	tl.hear(at.Object, t, ticks)
	tl.tell(t, at)
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
