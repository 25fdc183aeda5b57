package timeline

import (
	"cmp"
	"slices"

	"github.com/hindcast/hindcast/world"
)

// dirtySpan is a range of ticks that the next Rewind has to simulate again: for the input
// of an object; without an object, as whole ticks; or only for what is replaced at their
// ends.
type dirtySpan struct {
	object   world.ObjectID
	end      bool
	from, to world.Tick

	player world.PlayerID  // whose input or event it was
	event  world.EventKind // of CauseEvent
	called string          // the called function, for a CallEvent

	replaced Replicated   // what replaces the end
	shared   []Replicated // the objects of which the shared set replaces something at the end
	number   uint32       // of a host event
	why      change
	origin   Origin     // the origin of the change that made the span dirty
	now      world.Tick // the present when it became dirty
}

// isOf reports whether the span is of an event, among those of its tick.
func (s dirtySpan) isOf(e *world.Event) bool {
	return e.Kind == s.event && e.Player == s.player && e.Number == s.number
}

// dirtySpans holds the spans that became dirty since the last Rewind, and those that the
// last Rewind simulated again: the causes of its changes.
type dirtySpans struct {
	past   *history // whose ticks they are
	list   []dirtySpan
	rest   []dirtySpan // memory of simulated
	causes rerunCauses // of the last Rewind
	first  world.Tick  // the first dirty tick; 0: none
	events int         // how many changes made ticks dirty
	origin Origin      // the origin of the event that is being inserted
}

// start drops all spans.
func (d *dirtySpans) start() { d.list, d.first, d.events = d.list[:0], 0, 0 }

// from sets the origin of the next changes.
func (d *dirtySpans) from(o Origin) { d.origin = o }

// firstTick returns the first dirty tick; 0: none.
func (d *dirtySpans) firstTick() world.Tick { return d.first }

// mark adds the part of a span that has been simulated and can be simulated again.
func (d *dirtySpans) mark(s dirtySpan) {
	oldest, now := d.past.bounds()
	s.from, s.to, s.now, s.origin = max(s.from, oldest+1), min(s.to, now), now, d.origin
	if s.from > s.to {
		return
	}
	d.list = append(d.list, s)
	d.first = earlier(d.first, s.from)
	d.events++
}

// tick marks tick t as a whole: a correction begins or ends.
func (d *dirtySpans) tick(t world.Tick) {
	d.mark(dirtySpan{from: t, to: t, why: change{kind: CauseComputed, tick: t}})
}

// end marks the end of tick t: a different state replaces the simulated one.
func (d *dirtySpans) end(t world.Tick, by Replicated) {
	d.mark(dirtySpan{end: true, from: t, to: t, replaced: by, why: change{kind: CauseReplicated, tick: t}})
}

// event marks the tick of an event.
func (d *dirtySpans) event(e *world.Event) {
	d.mark(dirtySpan{
		from:   e.Tick,
		to:     e.Tick,
		player: e.Player,
		event:  e.Kind,
		called: e.Name,
		number: e.Number,
		why:    change{kind: CauseEvent, tick: e.Tick},
	})
}

// input marks ticks in which an object may have a different input.
func (d *dirtySpans) input(of trackKey, from, to world.Tick, why change) {
	d.mark(dirtySpan{object: of.Object, from: from, to: to, player: of.Player, why: why})
}

// owner marks a tick in which an owner pose or independent frame may have changed.
func (d *dirtySpans) owner(of trackKey, t world.Tick, kind world.EventKind, cause CauseKind) {
	d.mark(dirtySpan{
		object: of.Object,
		from:   t,
		to:     t,
		player: of.Player,
		event:  kind,
		why:    change{kind: cause, tick: t},
	})
}

// frame marks a tick in which an object may have different independent frames.
func (d *dirtySpans) frame(of trackKey, t world.Tick) { d.owner(of, t, world.FrameEvent, CauseEvent) }

// begin sorts the spans for a Rewind. It returns the first tick and the number of
// changes.
func (d *dirtySpans) begin() (first world.Tick, events int) {
	slices.SortFunc(d.list, func(a, b dirtySpan) int { return cmp.Compare(a.from, b.from) })
	return d.first, d.events
}

// simulated makes what a Rewind has simulated, from one tick to another, its causes; begun says that it is a new one.
// What is dirty in other ticks remains so.
func (d *dirtySpans) simulated(from, to world.Tick, begun bool) {
	if begun {
		d.causes = d.causes[:0]
	}
	d.rest = d.rest[:0]
	for _, s := range d.list {
		if s.from > to || s.to < from {
			d.rest = append(d.rest, s)
			continue
		}
		d.causes = append(d.causes, s)
		if before := s; s.from < from {
			before.to = from - 1
			d.rest = append(d.rest, before)
		}
		if after := s; s.to > to {
			after.from = to + 1
			d.rest = append(d.rest, after)
		}
	}
	d.list, d.rest = d.rest, d.list
	d.first, d.events = 0, 0
	for i := range d.list {
		d.first = earlier(d.first, d.list[i].from)
	}
}

// again marks what the last Rewind simulated again.
func (d *dirtySpans) again() {
	for i := range d.causes {
		d.list = append(d.list, d.causes[i])
		d.first = earlier(d.first, d.causes[i].from)
	}
}

// whole marks all ticks from the first dirty one on as a whole, if there is one.
func (d *dirtySpans) whole() {
	if _, now := d.past.bounds(); d.first != 0 {
		d.list = append(d.list, dirtySpan{from: d.first, to: now})
	}
}

// at reports what is dirty in tick t, after begin: the whole tick, some inputs, or
// its end.
func (d *dirtySpans) at(t world.Tick) (whole, some, end bool) {
	for i := range d.list {
		s := &d.list[i]
		if s.from > t {
			break
		}
		switch {
		case s.to < t:
		case s.end:
			end = true
		default:
			some, whole = true, whole || s.object == 0
		}
	}
	return whole, some, end
}

// inputs calls f for each object whose input may differ in tick t.
func (d *dirtySpans) inputs(t world.Tick, f func(object world.ObjectID)) {
	for i := range d.list {
		if s := &d.list[i]; s.from <= t && s.to >= t && s.object != 0 {
			f(s.object)
		}
	}
}

// cause finds the span, among the causes of the last Rewind, that began with the step first. If it is of what was
// replaced at the end of a tick, it says which object that was.
func (d *dirtySpans) cause(first *world.ProvenanceStep) (s dirtySpan, ok bool) {
	switch first.Kind {
	case world.FromInput:
		return d.causes.find(first.Object, first.Tick)
	case world.FromEvent:
		end, replaced := d.causes.end(first.Object, first.Tick, d.past.at(first.Tick))
		if replaced && end.replaced.Object == first.Object {
			return end, true
		}
		if s, ok = d.causes.find(0, first.Tick); ok {
			return s, true
		}
		if replaced {
			return end, true
		}
		return d.causes.eventBefore(first.Tick)
	}
	return s, false
}

// check asserts that all dirty ticks can be simulated again.
func (d *dirtySpans) check() {
	oldest, now := d.past.bounds()
	assert((d.first == 0) == (len(d.list) == 0), "the first dirty tick is %d, with %d dirty spans", d.first,
		len(d.list))
	assert(d.first == 0 || d.first > oldest && d.first <= now,
		"tick %d is dirty, of the ticks %d to %d that can be simulated again", d.first, oldest+1, now)
}

// rerunCauses are the spans that a Rewind simulated again.
type rerunCauses []dirtySpan

// find returns the span of the input of an object, or without an object of an event, that covers tick t.
func (c rerunCauses) find(object world.ObjectID, t world.Tick) (s dirtySpan, ok bool) {
	for i := range c {
		if s := &c[i]; s.object == object && !s.end && s.from <= t && s.to >= t && s.why.kind != CauseUnknown {
			return *s, true
		}
	}
	return s, false
}

// eventBefore returns the span of the last event before tick t. Such as the list of players differs from then on, so
// later ticks were simulated as a whole, too, and an object can differ in them that no other one has reached.
func (c rerunCauses) eventBefore(t world.Tick) (s dirtySpan, ok bool) {
	for i := range c {
		if e := &c[i]; e.object == 0 && !e.end && e.why.kind == CauseEvent && e.to < t && (!ok || e.to >= s.to) {
			s, ok = *e, true
		}
	}
	return s, ok
}

// earlier returns the lesser of two ticks of which 0 means none.
func earlier(a, b world.Tick) world.Tick {
	if a == 0 || b != 0 && b < a {
		return b
	}
	return a
}
