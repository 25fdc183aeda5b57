package timeline

import (
	"cmp"
	"math"
	"slices"

	"github.com/hindcast/hindcast/world"
)

// entry is an input that is known for one tick.
type entry struct {
	tick   world.Tick
	bundle uint32 // by whose declaration it was made
	guess  bool   // this client's own, not in the host's log yet
	seq    uint32 // of its record in the log that the host relays: a later one replaces it
	alone  bool   // not in the log that the host relays: the object is not simulated by all
	input  world.Input
}

// said reports whether all are told of it.
func (e *entry) said() bool { return !e.guess && !e.alone }

// steering is a player steering an object. When an object changes hands, the
// new owner's inputs are none of the old one's.
type steering struct {
	object world.ObjectID
	player world.PlayerID
}

func compareSteering(a, b steering) int {
	if a.object != b.object {
		return cmp.Compare(a.object, b.object)
	}
	return cmp.Compare(a.player, b.player)
}

// track is one player's inputs for one object in the order of ticks. The
// first one may be older than the window: it is what the first tick of the
// window repeats.
type track struct {
	of      steering
	entries []entry
}

// inputLog holds everybody's inputs, and says which one an object has in a
// tick: its own; else the last before it, for repeat ticks; else the neutral
// one. Beyond complete, where inputs may still be on their way, the last one
// is repeated for as long as it takes, unless it was over before.
type inputLog struct {
	tracks   []track    // by steering
	near     [256]int32 // by the lowest bits of an object: where its track was found last
	repeat   world.Tick
	complete world.Tick
	changed  func(of steering, from, to world.Tick, why change) // told of ticks whose effective input may have changed
}

// change is why an input may have changed: kind is CauseInput, CauseUnused or
// CauseSilence.
type change struct {
	kind CauseKind
	tick world.Tick // that the input was made for
	was  entry      // what it was before, in the first tick that changed
}

func (l *inputLog) find(of steering) (int, bool) {
	near := &l.near[of.object%world.ObjectID(len(l.near))]
	if i := int(*near); i < len(l.tracks) && l.tracks[i].of == of {
		return i, true
	}
	i, ok := slices.BinarySearchFunc(l.tracks, of, func(t track, of steering) int { return compareSteering(t.of, of) })
	*near = int32(i)
	return i, ok
}

// steered reports whether the log has inputs for an object, of anybody.
func (l *inputLog) steered(id world.ObjectID) bool {
	i, _ := l.find(steering{object: id})
	return i < len(l.tracks) && l.tracks[i].of.object == id
}

// steered reports whether anybody's inputs, moves or frames for an object are known.
func (tl *Timeline) Steered(id world.ObjectID) bool {
	for i := range tl.moves.tracks {
		if tl.moves.tracks[i].of.object == id {
			return true
		}
	}
	for i := range tl.own.tracks {
		if tl.own.tracks[i].of.object == id {
			return true
		}
	}
	return tl.inputs.steered(id)
}

// at gives the input of a player for an object in tick t, and whether it is
// that tick's own (not a substitute).
func (l *inputLog) at(of steering, t world.Tick) (e entry, own bool) { return l.seek(of, t, false) }

// seek is at; sure: only what all are told of counts.
func (l *inputLog) seek(of steering, t world.Tick, sure bool) (e entry, own bool) {
	i, ok := l.find(of)
	if !ok {
		return entry{}, false
	}
	es := l.tracks[i].entries
	j := countTo(es, t)
	for sure && j > 0 && !es[j-1].said() {
		j--
	}
	if j == 0 {
		return entry{}, false
	}
	return l.held(&es[j-1], t), es[j-1].tick == t
}

// countTo counts the entries up to tick t. Usually there is one for every tick:
// then the distance from the last one tells.
func countTo(es []entry, t world.Tick) int {
	n := len(es)
	if n == 0 || es[n-1].tick <= t {
		return n
	}
	j := max(n-int(es[n-1].tick-t), 0)
	for es[j].tick <= t {
		j++
	}
	return j
}

// held is what entry e amounts to in tick t, if no later one replaced it: a
// button is down for all of the ticks that repeat it.
func (l *inputLog) held(e *entry, t world.Tick) entry {
	if l.expired(e, t) {
		return entry{tick: e.tick, bundle: e.bundle}
	}
	out := *e
	if t > e.tick {
		out.input.Held = [world.MaxButtons]uint8{}
	}
	return out
}

func (l *inputLog) expired(e *entry, t world.Tick) bool {
	return min(t, l.complete) > e.tick+l.repeat
}

// put adds an input for a tick, and reports whether there was one. A guess
// gives way to the log; what the log has stays, unless the log has another later on.
func (l *inputLog) put(of steering, e entry) (duplicate bool) {
	i, ok := l.find(of)
	if !ok {
		l.tracks = slices.Insert(l.tracks, i, track{of: of})
	}
	tr := &l.tracks[i]
	j, exact := slices.BinarySearchFunc(tr.entries, e.tick, func(e entry, t world.Tick) int { return cmp.Compare(e.tick, t) })
	if exact {
		old := &tr.entries[j]
		if e.guess || !old.guess && e.seq <= old.seq {
			return true
		}
		was := *old
		*old = e
		if was.input != e.input || was.bundle != e.bundle {
			l.tell(tr, e.tick, j+1, change{CauseInput, e.tick, was})
		}
		return false
	}
	dirty := l.firstChange(tr.entries, j, &e)
	why := change{kind: CauseInput, tick: e.tick}
	if j > 0 {
		why.was = l.held(&tr.entries[j-1], max(dirty, e.tick))
	}
	tr.entries = slices.Insert(tr.entries, j, e)
	l.tell(tr, dirty, j+1, why)
	return false
}

// tell tells that the effective input may have changed from a tick on, up to
// the one before entries[next]. A from of 0 is no change.
func (l *inputLog) tell(tr *track, from world.Tick, next int, why change) {
	if from == 0 {
		return
	}
	to := world.Tick(math.MaxUint32)
	if next < len(tr.entries) {
		to = tr.entries[next].tick - 1
	}
	l.changed(tr.of, from, to, why)
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

// revise replaces a guess of this client's, if it is one still.
func (l *inputLog) revise(of steering, t world.Tick, in world.Input) {
	i, ok := l.find(of)
	if !ok {
		return
	}
	tr := &l.tracks[i]
	j := countTo(tr.entries, t) - 1
	if j < 0 || tr.entries[j].tick != t || !tr.entries[j].guess || tr.entries[j].input == in {
		return
	}
	was := tr.entries[j]
	tr.entries[j].input = in
	l.tell(tr, t, j+1, change{CauseInput, t, was})
}

// settle tells the log that all inputs up to tick t are known: guesses that
// the log does not confirm go, and substitution follows the rule there.
func (l *inputLog) settle(t world.Tick) {
	from := l.complete
	l.complete = t
	for i := range l.tracks {
		l.dropGuesses(&l.tracks[i], t)
		l.expire(&l.tracks[i], from)
	}
}

// forgetOwn drops this client's inputs up to tick t that nobody else was told of, of objects that
// all simulate since a switch: they are not repeated any more. Ticks up to t that are run again
// are run without them, in part as in full.
func (l *inputLog) forgetOwn(t world.Tick, known func(world.ObjectID) bool) {
	own := func(e entry) bool { return e.guess && e.alone && e.tick <= t }
	for i := range l.tracks {
		tr := &l.tracks[i]
		first := slices.IndexFunc(tr.entries, own)
		if first < 0 || !known(tr.of.object) {
			continue
		}
		from, was := tr.entries[first].tick, tr.entries[countTo(tr.entries, t)-1]
		tr.entries = slices.DeleteFunc(tr.entries, own)
		l.tell(tr, from, countTo(tr.entries, t), change{CauseUnused, was.tick, was})
	}
}

func (l *inputLog) dropGuesses(tr *track, t world.Tick) {
	for j := 0; j < len(tr.entries) && tr.entries[j].tick <= t; {
		if !tr.entries[j].guess || tr.entries[j].alone {
			j++
			continue
		}
		e := tr.entries[j]
		tr.entries = slices.Delete(tr.entries, j, j+1)
		l.tell(tr, l.firstChange(tr.entries, j, &e), j, change{CauseUnused, e.tick, e})
	}
}

// expire finds inputs that were repeated without limit, while the log was
// complete up to from, and are not any more.
func (l *inputLog) expire(tr *track, from world.Tick) {
	for j := range tr.entries {
		e := &tr.entries[j]
		last := e.tick + l.repeat
		if from > last || l.complete <= last || e.input == (world.Input{}) {
			continue
		}
		if j+1 == len(tr.entries) || last+1 < tr.entries[j+1].tick {
			l.tell(tr, last+1, j+1, change{CauseSilence, e.tick, entry{tick: e.tick, bundle: e.bundle, input: e.input}})
		}
	}
}

// reread tells that inputs made by a bundle may be others than they were.
func (l *inputLog) reread(bundle uint32) {
	for i := range l.tracks {
		tr := &l.tracks[i]
		for j := range tr.entries {
			if e := &tr.entries[j]; e.bundle == bundle && e.input != (world.Input{}) {
				l.tell(tr, e.tick, j+1, change{CauseInput, e.tick, entry{tick: e.tick, bundle: bundle}})
			}
		}
	}
}

// oldestBundle is the lowest number of a bundle by which an input in the log
// was made; none if there is no input.
func (l *inputLog) oldestBundle(none uint32) uint32 {
	for i := range l.tracks {
		for j := range l.tracks[i].entries {
			none = min(none, l.tracks[i].entries[j].bundle)
		}
	}
	return none
}

// prune forgets what no tick after oldest needs. An input that is not
// repeated any more counts as none, and so does the neutral one.
func (l *inputLog) prune(oldest world.Tick) {
	for i := range l.tracks {
		es := l.tracks[i].entries
		keep := min(l.firstNeeded(es, oldest, false), l.firstNeeded(es, oldest, true))
		l.tracks[i].entries = slices.Delete(es, 0, keep)
	}
	l.tracks = slices.DeleteFunc(l.tracks, func(t track) bool { return len(t.entries) == 0 })
}

// firstNeeded is the first entry that a tick after oldest needs; sure: of those that
// all are told of.
func (l *inputLog) firstNeeded(es []entry, oldest world.Tick, sure bool) int {
	need, found := 0, false
	for i := range es {
		if es[i].tick > oldest {
			break
		}
		if !sure || es[i].said() {
			need, found = i, true
		}
	}
	switch neutral := found && l.held(&es[need], oldest+1).input == (world.Input{}); {
	case sure && (!found || neutral):
		return len(es)
	case neutral:
		return need + 1
	}
	return need
}

// last gives each object's newest input up to tick t, sure: of those that all are
// told of. With a state of that tick it is all that substitution needs.
func (l *inputLog) last(t world.Tick, sure bool) []world.Event {
	var out []world.Event
	for i := range l.tracks {
		es := l.tracks[i].entries
		for j := len(es) - 1; j >= 0; j-- {
			if es[j].tick <= t && (!sure || es[j].said()) {
				of := l.tracks[i].of
				out = append(out, world.Event{Tick: es[j].tick, Kind: world.InputEvent, Player: of.player, Object: of.object, Bundle: es[j].bundle, Input: es[j].input})
				break
			}
		}
	}
	return out
}

// knownTo is the newest tick up to t for which this log gives what a log
// without guesses would, if no more inputs came: for whoever is the owner of
// an object now, another may have been in an earlier tick.
func (l *inputLog) knownTo(t world.Tick) world.Tick {
	for i := range l.tracks {
		t = l.knownOf(&l.tracks[i], t)
	}
	return t
}

func (l *inputLog) knownOf(tr *track, t world.Tick) world.Tick {
	held := t // an input repeated beyond the rule is a guess too
	for j := range tr.entries {
		e := &tr.entries[j]
		switch {
		case e.alone: // of an object that is told of: nothing to know
			return t
		case e.tick > t:
			return min(t, held)
		case e.guess:
			return min(e.tick-1, held)
		case e.tick > held+1:
			return held
		}
		if held = t; e.tick+l.repeat >= l.complete && e.input != (world.Input{}) {
			held = e.tick + l.repeat
		}
	}
	return min(t, held)
}

// earlier is the lesser of two ticks of which 0 means none.
func earlier(a, b world.Tick) world.Tick {
	if a == 0 || b != 0 && b < a {
		return b
	}
	return a
}
