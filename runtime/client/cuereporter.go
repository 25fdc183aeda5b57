package client

import (
	"maps"
	"math"
	"slices"
	"time"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/internal/view"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

// cueReporter reports the cues that a predictor finds to its program, if Config.Cues is set.
type cueReporter struct {
	report func(room.CueEvent) // may be nil
	book   *view.CueBook       // nil if report is
	known  world.Tick          // cues of ticks up to this one were found with an earlier Timeline
	later  view.CueQueue       // of culled objects, until their ticks are shown
}

// restart begins again with a new Timeline, at the tick of a keyframe. No cue is reported before open.
func (r *cueReporter) restart(tl *timeline.Timeline, player world.PlayerID, keyframe world.Tick) {
	if r.report == nil {
		return
	}
	if r.book == nil {
		r.book = view.NewCueBook(player)
	}
	r.known = r.book.Close(keyframe)
	tl.KeepCues(true)
}

// open begins to report the cues of ticks after t, and those of earlier ticks that still last.
func (r *cueReporter) open(t world.Tick) {
	if r.book != nil {
		r.book.Open(t)
	}
}

// ran takes the cues of a tick that was simulated, the first time or again.
func (r *cueReporter) ran(t world.Tick, trace *world.Trace) {
	if r.book != nil {
		r.book.Ran(t, trace)
	}
}

// completed takes the cues of shared objects in a complete tick as the host has them, after the last time that
// the Timeline ran the tick.
func (r *cueReporter) completed(t world.Tick, cues []world.Cue) {
	if r.book != nil {
		r.book.Complete(t, cues)
	}
}

// happened takes a cue that this client may have guessed, and that happened at the host.
func (r *cueReporter) happened(c *world.Cue) {
	if r.book != nil {
		r.book.Happened(*c)
	}
}

// settled notes up to which tick the host has sent all such cues, as a snapshot says.
func (r *cueReporter) settled(m *wire.Snapshot) {
	if r.book == nil {
		return
	}
	inputs := m.Tick - min(world.Tick(m.Behind), m.Tick)
	if m.Behind == math.MaxUint8 {
		inputs = m.Settled // as of a player whose objects all tick independently, of whose frames no snapshot says so
	}
	r.book.Settled(m.Settled, inputs, m.Tick)
}

// lacks reports whether a cue from the host is for the program. found says that it is one that this
// client finds if it simulates the tick.
func (r *cueReporter) lacks(c *world.Cue, found bool) bool {
	return r.book != nil && !(found && c.Tick <= r.known)
}

// fire reports the cues that this client has found in this frame. Cues up to the tick complete no longer change.
// Those of culled objects fire when the moment culled is shown. behind says that more ticks are due.
func (r *cueReporter) fire(
	tl *timeline.Timeline,
	complete world.Tick,
	behind bool,
	culled float64,
	tickLength time.Duration,
) {
	if r.book == nil {
		return
	}
	present := float64(tl.Now())
	for _, u := range r.book.Flush(complete, behind) {
		switch {
		case u.Change == view.CueCancelled && r.later.Drop(&u.Cue):
			continue
		case u.Change == view.CueMoved && r.later.Drop(&u.Was):
			u.Change = view.CueFired
		}
		if u.Change == view.CueFired && tl.Culling().Has(u.Cue.Object) && float64(u.Cue.Tick) > culled {
			r.later.Add(u.Cue)
			continue
		}
		r.report(room.NewCueEvent(u, cueAge(u.Cue.Tick, present, tickLength)))
	}
	for _, cue := range r.later.Due(culled) {
		r.report(room.CueEvent{Kind: room.CueFired, Cue: cue, Age: cueAge(cue.Tick, culled, tickLength)})
	}
}

// fireRemote reports the cues of the host that are due at the client's present.
func (r *cueReporter) fireRemote(
	now time.Duration,
	tl *timeline.Timeline,
	from *replica,
	cues *remoteCues,
	clock *clock,
) {
	if r.book == nil {
		return
	}
	present := float64(tl.Now())
	shown := present // nothing is interpolated
	if _, begun := from.moment(); begun && tl.Scripts().Partial(tl.At(tl.Now())) {
		if cues.pending() {
			from.show(clock.frame(now, tl.Now()))
		}
		shown, _ = from.moment()
	}
	cues.fire(now, shown, present, clock.tickLength())
}

// shownCues merges the cues that a client finds by itself with those of the host. When scripts take
// effect that change which objects clients simulate, both may report the same cue for a while, and
// one of them takes it back. The host's cues may overtake each other: one may have a key before another has given it
// up. The program sees one cue with a key, in its newest form.
type shownCues struct {
	to    func(room.CueEvent)
	by    map[world.CueKey][]world.Cue // the cues of a key; the last one is shown
	swept world.Tick                   // when old cues were forgotten last
}

// shownTicks is for how many ticks cues are remembered. Only those of the last seconds can be taken back.
const shownTicks = 2048

// mergeCues returns a function that reports to a program's function; nil if that is nil.
func mergeCues(to func(room.CueEvent)) func(room.CueEvent) {
	if to == nil {
		return nil
	}
	s := &shownCues{to: to, by: map[world.CueKey][]world.Cue{}}
	return s.report
}

// report takes an event, and reports what it changes for the program.
func (s *shownCues) report(e room.CueEvent) {
	switch e.Kind {
	case room.CueFired:
		s.change(e.Cue.CueKey, func() { s.add(&e.Cue) }, e.Age)
	case room.CueCancelled:
		s.change(e.Cue.CueKey, func() { s.remove(&e.Cue) }, e.Age)
	case room.CueMoved:
		if e.Was.CueKey == e.Cue.CueKey {
			s.change(e.Cue.CueKey, func() {
				s.remove(&e.Was)
				s.add(&e.Cue)
			}, e.Age)
			return
		}
		if len(s.by[e.Was.CueKey]) == 1 && len(s.by[e.Cue.CueKey]) == 0 {
			s.remove(&e.Was)
			s.add(&e.Cue)
			s.to(e)
			return
		}
		s.change(e.Was.CueKey, func() { s.remove(&e.Was) }, e.Age)
		s.change(e.Cue.CueKey, func() { s.add(&e.Cue) }, e.Age)
	}
}

// change makes a change of the cues of a key, and reports what the program sees of it.
func (s *shownCues) change(key world.CueKey, make func(), age time.Duration) {
	was, had := s.shown(key)
	make()
	now, has := s.shown(key)
	switch {
	case !had && has:
		s.to(room.CueEvent{Kind: room.CueFired, Cue: now, Age: age})
	case had && !has:
		s.to(room.CueEvent{Kind: room.CueCancelled, Cue: was, Age: age})
	case had && !now.Same(&was):
		s.to(room.CueEvent{Kind: room.CueMoved, Cue: now, Was: was, Age: age})
	}
}

// shown returns the cue that is shown of those with a key.
func (s *shownCues) shown(key world.CueKey) (c world.Cue, ok bool) {
	list := s.by[key]
	if len(list) == 0 {
		return c, false
	}
	return list[len(list)-1], true
}

// add adds a cue, which is shown.
func (s *shownCues) add(c *world.Cue) {
	key := c.CueKey
	s.by[key] = append(s.by[key], *c)
	if key.Tick > s.swept+shownTicks {
		s.swept = key.Tick
		maps.DeleteFunc(s.by, func(k world.CueKey, _ []world.Cue) bool { return k.Tick+shownTicks < key.Tick })
	}
}

// remove removes a cue, or, if it has been forgotten in this form, the oldest one of its key.
func (s *shownCues) remove(c *world.Cue) {
	list := s.by[c.CueKey]
	if len(list) == 0 {
		return
	}
	i := max(slices.IndexFunc(list, func(o world.Cue) bool { return o.Same(c) }), 0)
	if list = slices.Delete(list, i, i+1); len(list) == 0 {
		delete(s.by, c.CueKey)
	} else {
		s.by[c.CueKey] = list
	}
}
