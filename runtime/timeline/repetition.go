package timeline

import "github.com/hindcast/hindcast/world"

// repetition is the rule by which the last input is repeated in ticks without one: for a
// number of ticks. After completeTo, inputs may still be on their way. There the last one
// is repeated without limit, unless its repetition ended before.
type repetition struct{ ticks, completeTo world.Tick }

// complete sets the tick up to which all inputs are known, and returns the previous
// one.
func (r *repetition) complete(t world.Tick) (before world.Tick) {
	before, r.completeTo = r.completeTo, t
	return before
}

// endsSince returns the last tick that repeats e. ends reports whether e was repeated without
// limit after that while inputs were complete up to from, and now is not.
func (r *repetition) endsSince(from world.Tick, e *inputEntry) (last world.Tick, ends bool) {
	last = e.Tick + r.ticks
	return last, from <= last && r.completeTo > last && e.Payload != (world.Input{})
}

// effective sets in to the effective input of entry e in tick t if no later entry replaces it. A
// button that was down for a part of its tick is down for all of the ticks that repeat it. in
// must be zero: it is a pointer because an input is large, and a tick asks for one for each
// object that a player steers.
func (r *repetition) effective(e *inputEntry, t world.Tick, in *boundInput) {
	in.Bundle, in.Age = e.Bundle, t-e.Tick
	if r.expired(e, t) {
		return
	}
	in.Input = e.Payload
	if t > e.Tick {
		in.Input.Held = [world.MaxButtons]uint8{}
	}
}

func (r *repetition) expired(e *inputEntry, t world.Tick) bool {
	return min(t, r.completeTo) > e.Tick+r.ticks
}

// firstChange returns the first tick whose effective input differs between entries with and
// without e, which belongs before entry j; 0 if none does. fades: a repeated input may differ
// from the input itself.
func (r *repetition) firstChange(entries []inputEntry, j int, e *inputEntry, fades bool) world.Tick {
	var prev boundInput // before the first input all is neutral
	if j > 0 {
		r.effective(&entries[j-1], e.Tick, &prev)
	}
	if prev.Input != e.Payload || j > 0 && prev.Bundle != e.Bundle || fades && e.Payload != (world.Input{}) {
		return e.Tick
	}
	if e.Payload == (world.Input{}) || j == 0 {
		return 0
	}
	// The input is the same, but it now lasts longer.
	end := entries[j-1].Tick + r.ticks + 1
	if end > r.completeTo || j < len(entries) && end >= entries[j].Tick {
		return 0
	}
	return end
}

// firstNeeded returns the first entry that a tick after oldest needs; if shared is set, the
// first relayed one.
func (r *repetition) firstNeeded(es []inputEntry, oldest world.Tick, shared bool) int {
	need, found := 0, false
	for i := range es {
		if es[i].Tick > oldest {
			break
		}
		if !shared || es[i].Flags.relayed() {
			need, found = i, true
		}
	}
	var in boundInput
	if found {
		r.effective(&es[need], oldest+1, &in)
	}
	switch neutral := found && in.Input == (world.Input{}); {
	case shared && (!found || neutral):
		return len(es)
	case neutral:
		return need + 1
	}
	return need
}

// certainTo is inputLog.certainTo for the entries of one track.
func (r *repetition) certainTo(es []inputEntry, t world.Tick) world.Tick {
	certain := t // an input that is repeated beyond the rule is a guess, too
	for j := range es {
		e := &es[j]
		switch {
		case e.Flags&unrelayed != 0: // not all clients simulate the object: nothing is to be confirmed
			return t
		case e.Tick > t:
			return min(t, certain)
		case e.Flags.guessed():
			return min(e.Tick-1, certain)
		case e.Tick > certain+1:
			return certain
		}
		if certain = t; e.Tick+r.ticks >= r.completeTo && e.Payload != (world.Input{}) {
			certain = e.Tick + r.ticks
		}
	}
	return min(t, certain)
}
