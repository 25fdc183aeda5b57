package timeline

import (
	"slices"

	"github.com/hindcast/hindcast/world"
)

// frame is the payload of an independent frame.
type frame struct {
	dt    uint16     // its length, as world.Args has it
	made  world.Tick // of a guess: the tick for which it was made
	input world.Input
	sight sight
}

type frameEntry = entry[frame]

// newFrame makes the entry of a FrameEvent.
func newFrame(e *world.Event, f flags) frameEntry {
	out := frameEntry{
		Tick:    e.Tick,
		Number:  e.Number,
		Bundle:  e.Bundle,
		Flags:   f,
		Payload: frame{dt: e.DT, input: e.Input, sight: plain(e.Sight)},
	}
	if out.Flags.guessed() {
		out.Payload.made = e.Tick
	}
	return out
}

// independentLog holds the independent frames of all players. An object that ticks
// independently is simulated in its owner's frames, each with an input and a length of its
// own. The host runs them in the tick in which they arrive.
//
// Its rule is a queue: the owner's client has run its frames before, as guesses in the ticks
// for which it made them. When the log says in which tick the host ran a frame, the client
// moves it there, and all frames that the host has not run yet behind it. A guess that the
// log overtakes is dropped when the log is complete: the host did not run it. Until then its record may be delayed.
type independentLog struct {
	tracks[frame]
	changed func(of trackKey, t world.Tick)              // gets each tick in which an object may have other frames
	private func(t world.Tick) func(world.ObjectID) bool // reports whether not all clients simulate an object in tick t
}

// in returns the frames of a player and an object in tick t, in order.
func (l *independentLog) in(of trackKey, t world.Tick) []frameEntry {
	tr := l.find(of)
	if tr == nil {
		return nil
	}
	from, _ := findTick(tr.Entries, t)
	to := from
	for to < len(tr.Entries) && tr.Entries[to].Tick == t {
		to++
	}
	return tr.Entries[from:to]
}

// put adds a frame. A frame of the log replaces the guess with its number. Guesses before it run before it, and those
// after it run after it.
func (l *independentLog) put(of trackKey, e frameEntry) (duplicate bool) {
	tr := addTrack(&l.tracks, of)
	if e.Flags.guessed() && e.Number <= tr.Newest {
		return true // the host has run a later frame
	}
	j, exact := slices.BinarySearchFunc(tr.Entries, e, compareEntries[frame])
	if exact && (!tr.Entries[j].Flags.guessed() || e.Flags.guessed()) {
		return true
	}
	if g := guessOf(tr, e.Number); g != nil && !e.Flags.guessed() && !g.Payload.sight.empty() {
		e.Payload.sight = e.Payload.sight.over(&g.Payload.sight, l.private(e.Tick))
	}
	if !e.Flags.guessed() {
		if e.Number > tr.Newest {
			tr.Newest, tr.NewestTick = e.Number, e.Tick
		}
		l.overtake(tr, &e)
		j, exact = slices.BinarySearchFunc(tr.Entries, e, compareEntries[frame])
	}
	if !exact {
		tr.Entries = slices.Insert(tr.Entries, j, e)
		l.changed(of, e.Tick)
		return false
	}
	was := tr.Entries[j]
	tr.Entries[j] = e
	if was.Flags.guessed() || was.Payload.dt != e.Payload.dt || was.Payload.input != e.Payload.input ||
		was.Bundle != e.Bundle ||
		!was.Payload.sight.showsAs(&e.Payload.sight) {
		l.changed(of, e.Tick)
	}
	return false
}

// guessOf returns the guess of a number, nil if there is none.
func guessOf(tr *track[frame], number uint32) *frameEntry {
	for i := range tr.Entries {
		if e := &tr.Entries[i]; e.Number == number && e.Flags.guessed() {
			return e
		}
	}
	return nil
}

// overtake makes room for a frame of the log among the guesses. A guess with its number in another tick is dropped.
// Guesses with higher numbers run in its tick at the earliest, and those with lower ones at the latest.
func (l *independentLog) overtake(tr *track[frame], e *frameEntry) {
	tr.Entries = slices.DeleteFunc(tr.Entries, func(g frameEntry) bool {
		gone := g.Flags.guessed() && g.Number == e.Number && g.Tick != e.Tick
		if gone {
			l.changed(tr.Of, g.Tick)
		}
		return gone
	})
	l.move(tr, e.Tick, func(g *frameEntry) bool {
		return g.Number > e.Number && g.Tick < e.Tick || g.Number < e.Number && g.Tick > e.Tick
	})
}

// move moves to tick t the guesses for which wrong returns true, except those that are not relayed.
func (l *independentLog) move(tr *track[frame], t world.Tick, wrong func(*frameEntry) bool) {
	moved := false
	for i := range tr.Entries {
		if g := &tr.Entries[i]; g.Flags&(guessed|unrelayed) == guessed && wrong(g) {
			l.changed(tr.Of, g.Tick)
			l.changed(tr.Of, t)
			g.Tick, moved = t, true
		}
	}
	if moved {
		slices.SortFunc(tr.Entries, compareEntries[frame])
	}
}

// complete notes that the log has all frames up to tick t, so that guesses run later, except those
// that are not relayed. Guesses made before tick since are dropped, and so are those up to tick t that
// are not relayed, of objects that all clients simulate since a bundle switch, and those before a frame of the log up
// to tick t. Guesses up to tick t of an object that not all clients simulate any more since a bundle switch are not
// relayed: they stay where they are, as those do that are made after the switch.
func (l *independentLog) complete(t, since world.Tick, shared func(world.ObjectID) bool) {
	for i := range l.all() {
		tr := &l.all()[i]
		ran := ranTo(tr, t)
		tr.Entries = slices.DeleteFunc(tr.Entries, func(g frameEntry) bool {
			gone := g.Flags.guessed() && (g.Payload.made < since || g.Number <= ran)
			if g.Flags&unrelayed != 0 {
				gone = g.Flags.guessed() && g.Tick <= t && shared(tr.Of.Object)
			}
			if gone {
				l.changed(tr.Of, g.Tick)
			}
			return gone
		})
		if l.private(t)(tr.Of.Object) {
			for j := range tr.Entries {
				if g := &tr.Entries[j]; g.Flags.guessed() && g.Tick <= t {
					g.Flags |= unrelayed
				}
			}
		}
		l.move(tr, t+1, func(g *frameEntry) bool { return g.Tick <= t })
	}
}

// ranTo returns the highest number of a frame that the log has for a tick up to t.
func ranTo(tr *track[frame], t world.Tick) (number uint32) {
	if tr.NewestTick <= t {
		return tr.Newest
	}
	for i := range tr.Entries {
		if e := &tr.Entries[i]; !e.Flags.guessed() && e.Tick <= t {
			number = max(number, e.Number)
		}
	}
	return number
}

// certainTo returns the newest tick up to t before which there is no guess that is to be relayed.
func (l *independentLog) certainTo(t world.Tick) world.Tick {
	for i := range l.all() {
		for j := range l.all()[i].Entries {
			if e := &l.all()[i].Entries[j]; e.Flags&(guessed|unrelayed) == guessed && e.Tick <= t {
				t = e.Tick - 1
			}
		}
	}
	return t
}

// reached returns the highest number of a player's frames for an object in the host's log.
func (l *independentLog) reached(of trackKey) uint32 {
	if tr := l.find(of); tr != nil {
		return tr.Newest
	}
	return 0
}

// reread reports that the script of a bundle has arrived. Until now, the inputs of frames
// that follow its declarations were read as neutral.
func (l *independentLog) reread(bundle uint32) {
	for i := range l.all() {
		tr := &l.all()[i]
		for j := range tr.Entries {
			if e := &tr.Entries[j]; e.Bundle == bundle && e.Payload.input != (world.Input{}) {
				l.changed(tr.Of, e.Tick)
			}
		}
	}
}

// frameWait is how many seconds a client waits for the host to run a frame. After that the
// frame counts as lost.
const frameWait = 2

// runFrames runs the frames of an object that ticks independently. If its owner also decides where it is,
// frames of the log do not move it, because they run in other ticks than those for which the owner's
// client made them: owner poses say where it is. Each finds the object where the one before it in the tick has put
// it, as on the owner's client. Guessed frames make the poses that come next.
func (r *runner) runFrames(w *world.World, script world.Script, slot int, t world.Tick) {
	o := &w.Now.Objects[slot]
	frames := r.frames.in(trackKey{o.ID, o.Owner}, t)
	if len(frames) == 0 {
		return
	}
	w.EarnReach(slot, lengthOf(frames, w.SharedOnly))
	was := *w.Now.Body(slot) // before the frames of the log
	logged := false          // and they have begun
	for _, f := range frames {
		if w.SharedOnly && !f.Flags.relayed() {
			continue
		}
		switch moves := w.Class(slot).Moves == nil || f.Flags.guessed(); {
		case !moves && !logged:
			was, logged = *w.Now.Body(slot), true
		case moves && logged:
			w.UndoMotion(slot, &was)
			logged = false
		}
		in := f.Payload.input
		if f.Bundle != w.Now.Bundle {
			in = r.scripts.Translate(in, f.Bundle, w.Class(slot))
		}
		r.hooks.steer(w, script, world.Simulate, slot, &in, f.Payload.sight.in(w), f.Payload.dt)
		w.NoteFrame(slot, f.Number)
	}
	if logged {
		w.UndoMotion(slot, &was)
	}
}

// lengthOf returns how long frames take together, in world.FrameParts of a second; relayed leaves out those that are
// not relayed.
func lengthOf(frames []frameEntry, relayed bool) (parts int) {
	for i := range frames {
		if f := &frames[i]; !relayed || f.Flags.relayed() {
			parts += int(f.Payload.dt)
		}
	}
	return parts
}
