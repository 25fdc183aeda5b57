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
}

type frameEntry = entry[frame]

// newFrame makes the entry of a FrameEvent.
func newFrame(e *world.Event, f flags) frameEntry {
	out := frameEntry{Tick: e.Tick, Number: e.Number, Bundle: e.Bundle, Flags: f, Payload: frame{dt: e.DT, input: e.Input}}
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
// log overtakes is dropped: the host did not run it.
type independentLog struct {
	tracks[frame]
	changed func(of control, t world.Tick) // gets each tick in which an object may have other frames
}

// in returns the frames of a player and an object in tick t, in order.
func (l *independentLog) in(of control, t world.Tick) []frameEntry {
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

// put adds a frame. A frame of the log replaces the guess with its number and those before
// it; those after it run after it.
func (l *independentLog) put(of control, e frameEntry) (duplicate bool) {
	tr := addTrack(&l.tracks, of)
	if e.Flags.guessed() && e.Number <= tr.Newest {
		return true // the host has run a later frame
	}
	j, exact := slices.BinarySearchFunc(tr.Entries, e, compareEntries[frame])
	if exact && (!tr.Entries[j].Flags.guessed() || e.Flags.guessed()) {
		return true
	}
	if !e.Flags.guessed() && e.Number > tr.Newest {
		tr.Newest, tr.NewestTick = e.Number, e.Tick
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
	if was.Payload.dt != e.Payload.dt || was.Payload.input != e.Payload.input || was.Bundle != e.Bundle {
		l.changed(of, e.Tick)
	}
	return false
}

// overtake makes room for a frame of the log among the guesses. Guesses with its number or
// a lower one are dropped, except the one that it confirms. Guesses with higher numbers
// run in its tick at the earliest.
func (l *independentLog) overtake(tr *track[frame], e *frameEntry) {
	tr.Entries = slices.DeleteFunc(tr.Entries, func(g frameEntry) bool {
		gone := g.Flags.guessed() && g.Number <= e.Number && (g.Number != e.Number || g.Tick != e.Tick)
		if gone {
			l.changed(tr.Of, g.Tick)
		}
		return gone
	})
	l.delay(tr, e.Tick)
}

// delay moves the guesses before tick t to tick t.
func (l *independentLog) delay(tr *track[frame], t world.Tick) {
	moved := false
	for i := range tr.Entries {
		if g := &tr.Entries[i]; g.Flags.guessed() && g.Tick < t {
			l.changed(tr.Of, g.Tick)
			l.changed(tr.Of, t)
			g.Tick, moved = t, true
		}
	}
	if moved {
		slices.SortFunc(tr.Entries, compareEntries[frame])
	}
}

// complete notes that the log has all frames up to tick t, so that guesses run later.
// Guesses made before tick since are dropped.
func (l *independentLog) complete(t, since world.Tick) {
	for i := range l.all() {
		tr := &l.all()[i]
		tr.Entries = slices.DeleteFunc(tr.Entries, func(g frameEntry) bool {
			gone := g.Flags.guessed() && g.Payload.made < since
			if gone {
				l.changed(tr.Of, g.Tick)
			}
			return gone
		})
		l.delay(tr, t+1)
	}
}

// certainTo returns the newest tick up to t before which there is no guess.
func (l *independentLog) certainTo(t world.Tick) world.Tick {
	for i := range l.all() {
		for j := range l.all()[i].Entries {
			if e := &l.all()[i].Entries[j]; e.Flags.guessed() && e.Tick <= t {
				t = e.Tick - 1
			}
		}
	}
	return t
}

// reached returns the highest number of a player's frames for an object in the host's log.
func (l *independentLog) reached(of control) uint32 {
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

// runFrames runs the frames of an object that ticks independently.
func (r *runner) runFrames(w *world.World, script world.Script, slot int, t world.Tick) {
	o := &w.Now.Objects[slot]
	for _, f := range r.frames.in(control{o.ID, o.Owner}, t) {
		if f.Flags.guessed() && w.SharedOnly {
			continue
		}
		in := f.Payload.input
		if f.Bundle != w.Now.Bundle {
			in = r.scripts.Translate(in, f.Bundle, w.Class(slot))
		}
		r.hooks.steer(w, script, world.Simulate, slot, &in, f.Payload.dt)
	}
}
