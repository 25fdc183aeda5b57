package runtime

import (
	"cmp"
	"slices"

	"github.com/hindcast/hindcast/world"
)

// entry is an input that is known for one tick.
type entry struct {
	tick   world.Tick
	bundle uint32 // by whose declaration it was made
	guess  bool   // this client's own, not in the host's log yet
	input  world.Input
}

// track is one object's inputs in the order of ticks. The first one may be
// older than the window: it is what the first tick of the window repeats.
type track struct {
	object  world.ObjectID
	entries []entry
}

// inputLog holds everybody's inputs, and says which one an object has in a
// tick: its own; else the last before it, for repeat ticks; else the neutral
// one. Beyond complete, where inputs may still be on their way, the last one
// is repeated for as long as it takes, unless it was over before.
type inputLog struct {
	tracks   []track // by object
	repeat   world.Tick
	complete world.Tick
}

func (l *inputLog) find(id world.ObjectID) (int, bool) {
	return slices.BinarySearchFunc(l.tracks, id, func(t track, id world.ObjectID) int { return cmp.Compare(t.object, id) })
}

// at gives the input of an object in tick t, and whether it is its own
// (not a substitute).
func (l *inputLog) at(id world.ObjectID, t world.Tick) (e entry, own bool) {
	i, ok := l.find(id)
	if !ok {
		return entry{}, false
	}
	es := l.tracks[i].entries
	j := len(es)
	for j > 0 && es[j-1].tick > t { // from the end: that is where ticks are run
		j--
	}
	if j == 0 {
		return entry{}, false
	}
	return l.held(&es[j-1], t), es[j-1].tick == t
}

// held is what entry e amounts to in tick t, if no later one replaced it.
func (l *inputLog) held(e *entry, t world.Tick) entry {
	if l.expired(e, t) {
		return entry{tick: e.tick, bundle: e.bundle}
	}
	return *e
}

func (l *inputLog) expired(e *entry, t world.Tick) bool {
	return min(t, l.complete) > e.tick+l.repeat
}

// outcome is what putting an input into the log did.
type outcome struct {
	dirty     world.Tick // first tick whose effective input changed; 0: none
	duplicate bool
}

// put adds the input of an object for a tick. A guess gives way to the log;
// what the log has stays.
func (l *inputLog) put(id world.ObjectID, e entry) outcome {
	i, ok := l.find(id)
	if !ok {
		l.tracks = slices.Insert(l.tracks, i, track{object: id})
	}
	tr := &l.tracks[i]
	j, exact := slices.BinarySearchFunc(tr.entries, e.tick, func(e entry, t world.Tick) int { return cmp.Compare(e.tick, t) })
	if exact {
		old := &tr.entries[j]
		if !old.guess || e.guess {
			return outcome{duplicate: true}
		}
		changed := old.input != e.input || old.bundle != e.bundle
		*old = e
		if changed {
			return outcome{dirty: e.tick}
		}
		return outcome{}
	}
	dirty := l.firstChange(tr.entries, j, &e)
	tr.entries = slices.Insert(tr.entries, j, e)
	return outcome{dirty: dirty}
}

// firstChange is the first tick whose effective input differs between entries
// with and without e, which belongs before entries[j]; 0 if none does.
func (l *inputLog) firstChange(entries []entry, j int, e *entry) world.Tick {
	var prev entry // before the first input all is neutral
	if j > 0 {
		prev = l.held(&entries[j-1], e.tick)
	}
	if prev.input != e.input || j > 0 && prev.bundle != e.bundle {
		return e.tick
	}
	if e.input == (world.Input{}) || j == 0 {
		return 0
	}
	// The same input, but it now lasts longer.
	end := prev.tick + l.repeat + 1
	if end > l.complete || j < len(entries) && end >= entries[j].tick {
		return 0
	}
	return end
}

// settle tells the log that all inputs up to tick t are known: guesses that
// the log does not confirm go, and substitution follows the rule there. It
// gives the first tick whose effective input changed, 0 if none.
func (l *inputLog) settle(t world.Tick) (dirty world.Tick) {
	from := l.complete
	for i := range l.tracks {
		dirty = earlier(dirty, l.dropGuesses(&l.tracks[i], t))
	}
	l.complete = t
	for i := range l.tracks {
		dirty = earlier(dirty, l.expire(&l.tracks[i], from))
	}
	return dirty
}

func (l *inputLog) dropGuesses(tr *track, t world.Tick) (dirty world.Tick) {
	for j := 0; j < len(tr.entries) && tr.entries[j].tick <= t; {
		if !tr.entries[j].guess {
			j++
			continue
		}
		e := tr.entries[j]
		tr.entries = slices.Delete(tr.entries, j, j+1)
		dirty = earlier(dirty, l.firstChange(tr.entries, j, &e))
	}
	return dirty
}

// expire finds the first tick at which an input that was repeated without
// limit, while the log was complete up to from, is not repeated any more.
func (l *inputLog) expire(tr *track, from world.Tick) (dirty world.Tick) {
	for j := range tr.entries {
		e := &tr.entries[j]
		last := e.tick + l.repeat
		if from > last || l.complete <= last || e.input == (world.Input{}) {
			continue
		}
		if j+1 == len(tr.entries) || last+1 < tr.entries[j+1].tick {
			dirty = earlier(dirty, last+1)
		}
	}
	return dirty
}

// prune forgets what no tick after oldest needs, and the tracks of objects
// that alive does not know any more.
func (l *inputLog) prune(oldest world.Tick, alive func(world.ObjectID) bool) {
	for i := range l.tracks {
		es := l.tracks[i].entries
		keep := 0
		for keep+1 < len(es) && es[keep+1].tick <= oldest {
			keep++
		}
		l.tracks[i].entries = slices.Delete(es, 0, keep)
	}
	l.tracks = slices.DeleteFunc(l.tracks, func(t track) bool {
		return len(t.entries) > 0 && t.entries[len(t.entries)-1].tick <= oldest && !alive(t.object)
	})
}

// last gives each object's newest input up to tick t: with a state of that
// tick, all that substitution needs.
func (l *inputLog) last(t world.Tick) []world.Event {
	var out []world.Event
	for i := range l.tracks {
		es := l.tracks[i].entries
		for j := len(es) - 1; j >= 0; j-- {
			if es[j].tick <= t {
				out = append(out, world.Event{Tick: es[j].tick, Kind: world.InputEvent, Object: l.tracks[i].object, Bundle: es[j].bundle, Input: es[j].input})
				break
			}
		}
	}
	return out
}

// newest is the last tick for which the log (guesses aside) has an input of
// the object.
func (l *inputLog) newest(id world.ObjectID) (world.Tick, bool) {
	i, ok := l.find(id)
	if !ok {
		return 0, false
	}
	es := l.tracks[i].entries
	for j := len(es) - 1; j >= 0; j-- {
		if !es[j].guess {
			return es[j].tick, true
		}
	}
	return 0, false
}

// earlier is the lesser of two ticks of which 0 means none.
func earlier(a, b world.Tick) world.Tick {
	if a == 0 || b != 0 && b < a {
		return b
	}
	return a
}
