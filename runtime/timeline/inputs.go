package timeline

import (
	"math"
	"slices"

	"github.com/hindcast/hindcast/world"
)

// inputEntry is an input in the log.
type inputEntry = entry[world.Input]

// newInput makes the entry of an InputEvent.
func newInput(e *world.Event, record uint32, f flags) inputEntry {
	return inputEntry{Tick: e.Tick, Number: record, Bundle: e.Bundle, Flags: f, Payload: e.Input}
}

// boundInput is an input with the bundle whose declarations it follows. Without a bundle
// there is no input, which counts as neutral.
type boundInput struct {
	Bundle uint32
	Input  world.Input
	Age    world.Tick // how many ticks after its own it is repeated; 0: it is the input of its tick
}

// change is why the input of an object may have changed.
type change struct {
	kind CauseKind
	tick world.Tick // for which the input was made
	was  boundInput // the previous input in the first tick that changed
}

// inputLog holds the inputs of all players. Its rule is substitution: in a tick an object has
// the input of that tick; otherwise the last one before it, as long as it is repeated; otherwise the
// neutral one.
//
// The first entry of a track may be older than the window: the first tick of the window
// repeats it.
type inputLog struct {
	tracks[world.Input]
	sights  *sightLog
	private func(t world.Tick) func(world.ObjectID) bool // reports whether not all clients simulate an object in tick t
	rule    repetition
	// reports whether a repeated input of an object may differ from the input itself
	fades   func(world.ObjectID) bool
	changed func(of trackKey, from, to world.Tick, why change) // gets the ticks whose effective input may have changed
}

// start drops all inputs. The log is complete up to completeTo.
func (l *inputLog) start(completeTo world.Tick) {
	l.clear()
	l.sights.clear()
	l.rule.complete(completeTo)
}

// effective sets in, which must be zero, to a player's input for an object in tick t: that of
// the tick itself or its substitute. If shared is set, only relayed inputs count.
func (l *inputLog) effective(of trackKey, t world.Tick, shared bool, in *boundInput) {
	if e := newest(l.find(of), t, shared); e != nil {
		l.rule.effective(e, t, in)
	}
}

// newest returns the newest input of a track up to tick t; nil if there is none. If shared is set,
// only relayed inputs count. The entry belongs to the log.
func newest(tr *track[world.Input], t world.Tick, shared bool) *inputEntry {
	if tr == nil {
		return nil
	}
	es := tr.Entries
	j := countTo(es, t)
	for shared && j > 0 && !es[j-1].Flags.relayed() {
		j--
	}
	if j == 0 {
		return nil
	}
	return &es[j-1]
}

// countTo counts the entries up to tick t. Usually there is one for every tick, and the
// distance from the last one gives the result.
func countTo(es []inputEntry, t world.Tick) int {
	n := len(es)
	if n == 0 || es[n-1].Tick <= t {
		return n
	}
	j := max(n-int(es[n-1].Tick-t), 0)
	for es[j].Tick <= t {
		j++
	}
	return j
}

// each calls f for all entries as events.
func (l *inputLog) each(f func(e world.Event, relayed bool)) {
	for i := range l.all() {
		tr := &l.all()[i]
		for j := range tr.Entries {
			e := inputEvent(tr.Of, &tr.Entries[j])
			saw := l.sights.at(tr.Of, e.Tick)
			e.Sight = saw.relayed()
			f(e, tr.Entries[j].Flags.relayed())
		}
	}
}

func inputEvent(of trackKey, e *inputEntry) world.Event {
	return world.Event{
		Kind:   world.InputEvent,
		Tick:   e.Tick,
		Object: of.Object,
		Player: of.Player,
		Bundle: e.Bundle,
		Input:  e.Payload,
	}
}

// put adds an input for a tick, with the sight that goes with it, and reports whether there was one.
// The log replaces a guess. It replaces its own entry only by one with a higher number.
func (l *inputLog) put(of trackKey, e inputEntry, sight world.Sight) (duplicate bool) {
	tr := addTrack(&l.tracks, of)
	j, exact := findTick(tr.Entries, e.Tick)
	if exact {
		old := &tr.Entries[j]
		if e.Flags.guessed() || !old.Flags.guessed() && e.Number <= old.Number {
			return true
		}
		was := *old
		*old = e
		why := change{CauseInput, e.Tick, bound(&was)}
		saw := plain(sight)
		if guess := l.sights.at(of, e.Tick); was.Flags.guessed() && !guess.empty() {
			saw = saw.over(&guess, l.private(e.Tick))
		}
		resighted := l.sights.put(of, e.Tick, saw)
		if was.Payload != e.Payload || was.Bundle != e.Bundle {
			l.report(tr, e.Tick, j+1, why)
		} else if resighted {
			l.changed(of, e.Tick, e.Tick, why)
		}
		return false
	}
	from := l.rule.firstChange(tr.Entries, j, &e, l.fades(of.Object))
	why := change{kind: CauseInput, tick: e.Tick}
	if j > 0 {
		l.rule.effective(&tr.Entries[j-1], max(from, e.Tick), &why.was)
	}
	tr.Entries = slices.Insert(tr.Entries, j, e)
	l.report(tr, from, j+1, why)
	if l.sights.put(of, e.Tick, plain(sight)) && from != e.Tick {
		l.changed(of, e.Tick, e.Tick, why)
	}
	return false
}

func bound(e *inputEntry) boundInput { return boundInput{Bundle: e.Bundle, Input: e.Payload} }

// report reports that the effective input may have changed from a tick on, up to the tick
// before entry next. A from of 0 is no change.
func (l *inputLog) report(tr *track[world.Input], from world.Tick, next int, why change) {
	if from == 0 {
		return
	}
	to := world.Tick(math.MaxUint32)
	if next < len(tr.Entries) {
		to = tr.Entries[next].Tick - 1
	}
	l.changed(tr.Of, from, to, why)
}

// revise replaces an input of this client if it is still a guess.
func (l *inputLog) revise(of trackKey, t world.Tick, in world.Input) {
	tr := l.find(of)
	if tr == nil {
		return
	}
	j := countTo(tr.Entries, t) - 1
	if j < 0 || tr.Entries[j].Tick != t || !tr.Entries[j].Flags.guessed() || tr.Entries[j].Payload == in {
		return
	}
	was := bound(&tr.Entries[j])
	tr.Entries[j].Payload = in
	l.report(tr, t, j+1, change{CauseInput, t, was})
}

// complete notes that the log has all inputs up to tick t. Guesses that the log does not
// confirm are dropped, and up to t an input is repeated only as long as the rule allows.
func (l *inputLog) complete(t world.Tick) {
	from := l.rule.complete(t)
	for i := range l.all() {
		l.dropGuesses(&l.all()[i], t)
		l.expire(&l.all()[i], from)
	}
}

// dropUnrelayed drops this client's unrelayed inputs up to tick t for objects that all
// clients simulate since a bundle switch. They are not repeated any more. When ticks up to t
// are run again, in part or as a whole, they are run without these inputs.
func (l *inputLog) dropUnrelayed(t world.Tick, shared func(world.ObjectID) bool) {
	own := func(e inputEntry) bool { return e.Flags&(guessed|unrelayed) == guessed|unrelayed && e.Tick <= t }
	for i := range l.all() {
		tr := &l.all()[i]
		first := slices.IndexFunc(tr.Entries, own)
		if first < 0 || !shared(tr.Of.Object) {
			continue
		}
		from, last := tr.Entries[first].Tick, tr.Entries[countTo(tr.Entries, t)-1]
		tr.Entries = slices.DeleteFunc(tr.Entries, func(e inputEntry) bool {
			if !own(e) {
				return false
			}
			l.sights.put(tr.Of, e.Tick, sight{})
			return true
		})
		l.report(tr, from, countTo(tr.Entries, t), change{CauseUnused, last.Tick, bound(&last)})
	}
}

func (l *inputLog) dropGuesses(tr *track[world.Input], t world.Tick) {
	for j := 0; j < len(tr.Entries) && tr.Entries[j].Tick <= t; {
		if tr.Entries[j].Flags&(guessed|unrelayed) != guessed {
			j++
			continue
		}
		l.remove(tr, j)
	}
}

// expire reports inputs that were repeated without limit while the log was complete up to
// from, and now are not.
func (l *inputLog) expire(tr *track[world.Input], from world.Tick) {
	for j := range tr.Entries {
		e := &tr.Entries[j]
		last, ends := l.rule.endsSince(from, e)
		if !ends {
			continue
		}
		if j+1 == len(tr.Entries) || last+1 < tr.Entries[j+1].Tick {
			l.report(tr, last+1, j+1, change{CauseSilence, e.Tick, bound(e)})
		}
	}
}

// reread reports that the script of a bundle has arrived. Until now, inputs that follow
// its declarations were read as neutral.
func (l *inputLog) reread(bundle uint32) {
	for i := range l.all() {
		tr := &l.all()[i]
		for j := range tr.Entries {
			if e := &tr.Entries[j]; e.Bundle == bundle && e.Payload != (world.Input{}) {
				l.report(tr, e.Tick, j+1, change{CauseInput, e.Tick, boundInput{Bundle: bundle}})
			}
		}
	}
}

// prune removes the entries that no tick after oldest needs. An input that is not repeated
// any more is not needed, nor is a neutral one.
func (l *inputLog) prune(oldest world.Tick) {
	l.sights.prune(oldest)
	pruneTracks(&l.tracks, oldest, func(tr *track[world.Input]) int {
		return min(l.rule.firstNeeded(tr.Entries, oldest, false), l.rule.firstNeeded(tr.Entries, oldest, true))
	})
}

// last returns the newest input up to tick t for each player and object; if shared is set,
// the newest relayed one. Together with the state of that tick, it is all that substitution
// needs.
func (l *inputLog) last(t world.Tick, shared bool) []world.Event {
	var out []world.Event
	for i := range l.all() {
		es := l.all()[i].Entries
		for j := len(es) - 1; j >= 0; j-- {
			if es[j].Tick <= t && (!shared || es[j].Flags.relayed()) {
				out = append(out, inputEvent(l.all()[i].Of, &es[j]))
				break
			}
		}
	}
	return out
}

// steers reports whether the inputs of a track for ticks after from, up to to, differ in more than their view times
// from the one that is repeated without them.
func (l *inputLog) steers(of trackKey, from, to world.Tick) bool {
	tr := l.find(of)
	if tr == nil {
		return false
	}
	var held boundInput
	l.effective(of, from, false, &held)
	held.Input.Held, held.Input.ViewTime = [world.MaxButtons]uint8{}, world.ViewTime{}
	for i := countTo(tr.Entries, from); i < len(tr.Entries) && tr.Entries[i].Tick <= to; i++ {
		e := &tr.Entries[i]
		in := e.Payload
		in.ViewTime = world.ViewTime{}
		if in != held.Input || e.Bundle != held.Bundle || l.fades(of.Object) {
			return true
		}
	}
	return false
}

// certainTo returns the newest tick up to t for which this log gives the inputs that it would
// give without guesses, if no more inputs came. It considers all players, because in an
// earlier tick an object may have had a different owner.
func (l *inputLog) certainTo(t world.Tick) world.Tick {
	for i := range l.all() {
		t = l.rule.certainTo(l.all()[i].Entries, t)
	}
	return t
}
