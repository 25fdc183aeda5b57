package timeline

import (
	"cmp"
	"slices"

	"github.com/hindcast/hindcast/world"
)

// An object that ticks independently is simulated in its owner's frames, each
// with an input and a length of its own. The host runs them in the tick in which
// they arrive. The owner's client has run them before, in the ticks in which
// they were made: when it learns in which ticks the host ran them, it puts them
// there, and all that the host has not run yet behind them.

// frameEntry is a frame that is run in one tick.
type frameEntry struct {
	tick   world.Tick
	number uint32
	dt     uint16
	bundle uint32
	guess  bool       // this client's own, not in the host's log yet
	made   world.Tick // of a guess: the tick for which it was made
	input  world.Input
}

// frameTrack is one player's frames for one object, by tick and number.
type frameTrack struct {
	of      steering
	entries []frameEntry
	newest  uint32     // the highest number in the log
	at      world.Tick // the tick of that one
}

// frameLog holds everybody's frames.
type frameLog struct {
	tracks  []frameTrack // by steering
	changed func(of steering, t world.Tick)
}

func compareFrames(a, b frameEntry) int {
	return cmp.Or(cmp.Compare(a.tick, b.tick), cmp.Compare(a.number, b.number))
}

func (l *frameLog) find(of steering) (int, bool) {
	return slices.BinarySearchFunc(l.tracks, of, func(t frameTrack, of steering) int { return compareSteering(t.of, of) })
}

// in gives a player's frames for an object in tick t, in their order.
func (l *frameLog) in(of steering, t world.Tick) []frameEntry {
	i, ok := l.find(of)
	if !ok {
		return nil
	}
	es := l.tracks[i].entries
	from, _ := slices.BinarySearchFunc(es, frameEntry{tick: t}, compareFrames)
	to := from
	for to < len(es) && es[to].tick == t {
		to++
	}
	return es[from:to]
}

// put adds a frame. One of the log takes the place of the guess of that number,
// and of those before it, which the host did not run; those after it are run
// after it.
func (l *frameLog) put(of steering, e frameEntry) (duplicate bool) {
	i, ok := l.find(of)
	if !ok {
		l.tracks = slices.Insert(l.tracks, i, frameTrack{of: of})
	}
	t := &l.tracks[i]
	if e.guess && e.number <= t.newest {
		return true // the host is further already
	}
	j, exact := slices.BinarySearchFunc(t.entries, e, compareFrames)
	if exact && (!t.entries[j].guess || e.guess) {
		return true
	}
	if !e.guess && e.number > t.newest {
		t.newest, t.at = e.number, e.tick
		l.overtake(t, &e)
	}
	j, exact = slices.BinarySearchFunc(t.entries, e, compareFrames)
	if exact { // the guess was right
		was := t.entries[j]
		t.entries[j] = e
		if was.dt == e.dt && was.input == e.input && was.bundle == e.bundle {
			return false
		}
	} else {
		t.entries = slices.Insert(t.entries, j, e)
	}
	l.changed(of, e.tick)
	return false
}

// overtake makes room for a frame of the log among the guesses: those of its
// number or below go, but for the one that it confirms, and those above it are
// run in its tick at the earliest.
func (l *frameLog) overtake(t *frameTrack, e *frameEntry) {
	t.entries = slices.DeleteFunc(t.entries, func(g frameEntry) bool {
		gone := g.guess && g.number <= e.number && (g.number != e.number || g.tick != e.tick)
		if gone {
			l.changed(t.of, g.tick)
		}
		return gone
	})
	l.delay(t, e.tick)
}

// delay has no guess run before tick to.
func (l *frameLog) delay(t *frameTrack, to world.Tick) {
	moved := false
	for i := range t.entries {
		if g := &t.entries[i]; g.guess && g.tick < to {
			l.changed(t.of, g.tick)
			l.changed(t.of, to)
			g.tick, moved = to, true
		}
	}
	if moved {
		slices.SortFunc(t.entries, compareFrames)
	}
}

// settle tells the log that all frames up to tick t are known: guesses are run
// later, and those made before tick since not at all.
func (l *frameLog) settle(t, since world.Tick) {
	for i := range l.tracks {
		tr := &l.tracks[i]
		tr.entries = slices.DeleteFunc(tr.entries, func(g frameEntry) bool {
			gone := g.guess && g.made < since
			if gone {
				l.changed(tr.of, g.tick)
			}
			return gone
		})
		l.delay(tr, t+1)
	}
}

// knownTo is the newest tick up to t before which there is no guess.
func (l *frameLog) knownTo(t world.Tick) world.Tick {
	for i := range l.tracks {
		for j := range l.tracks[i].entries {
			if e := &l.tracks[i].entries[j]; e.guess && e.tick <= t {
				t = e.tick - 1
			}
		}
	}
	return t
}

// reached is the highest number of a player's frames for an object in the log.
func (l *frameLog) reached(of steering) uint32 {
	if i, ok := l.find(of); ok {
		return l.tracks[i].newest
	}
	return 0
}

// reread tells that frames made by a bundle may be others than they were.
func (l *frameLog) reread(bundle uint32) {
	for i := range l.tracks {
		for j := range l.tracks[i].entries {
			if e := &l.tracks[i].entries[j]; e.bundle == bundle && e.input != (world.Input{}) {
				l.changed(l.tracks[i].of, e.tick)
			}
		}
	}
}

// oldestBundle is the lowest number of a bundle by which a frame in the log was
// made; none if there is no frame.
func (l *frameLog) oldestBundle(none uint32) uint32 {
	for i := range l.tracks {
		for j := range l.tracks[i].entries {
			none = min(none, l.tracks[i].entries[j].bundle)
		}
	}
	return none
}

// prune forgets what no tick after oldest needs.
func (l *frameLog) prune(oldest world.Tick) {
	for i := range l.tracks {
		l.tracks[i].entries = slices.DeleteFunc(l.tracks[i].entries, func(e frameEntry) bool { return e.tick <= oldest })
	}
	l.tracks = slices.DeleteFunc(l.tracks, func(t frameTrack) bool { return len(t.entries) == 0 && t.at <= oldest })
}

// patience is for how many seconds a frame that the host does not run is
// believed to be on its way.
const patience = 2

// settleFrames drops or delays the guesses that the log does not have.
func (tl *Timeline) settleFrames(t world.Tick) {
	wait := world.Tick(patience * tl.world.Schema().Setup.TickRate)
	tl.own.settle(t, t-min(t, wait))
}

// frameChanged marks a tick in which an object may have other frames.
func (tl *Timeline) frameChanged(of steering, t world.Tick) { tl.ownChanged(of, t, world.FrameEvent) }

// ownChanged marks a tick in which a move or a frame of an owner's may be another.
func (tl *Timeline) ownChanged(of steering, t world.Tick, what world.EventKind) {
	tl.mark(stale{object: of.object, from: t, to: t, player: of.player, event: what, why: change{kind: CauseEvent, tick: t}})
}

// runFrames runs the frames of an object that ticks independently.
func (r *runner) runFrames(w *world.World, script world.Script, slot int, t world.Tick) {
	o := &w.Now.Objects[slot]
	for _, f := range r.tl.own.in(steering{o.ID, o.Owner}, t) {
		if f.guess && w.SharedOnly {
			continue
		}
		if f.bundle != w.Now.Bundle {
			f.input = r.tl.TranslateInput(f.input, f.bundle, w.Class(slot))
		}
		r.args = world.Args{Input: f.input, DT: f.dt}
		r.callWith(w, script, world.Simulate, slot)
	}
}
