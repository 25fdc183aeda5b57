package client

import (
	"maps"
	"time"

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

// lacks reports whether a cue from the host is for the program. found says that it is one that this
// client finds if it simulates the tick.
func (r *cueReporter) lacks(c *world.Cue, found bool) bool {
	return r.book != nil && !(found && c.Tick <= r.known)
}

// fire reports the cues that this client has found in this frame. Cues up to the tick complete no longer change.
// Those of culled objects fire when the moment culled is shown.
func (r *cueReporter) fire(tl *timeline.Timeline, complete world.Tick, culled float64, tickLength time.Duration) {
	if r.book == nil {
		return
	}
	present := float64(tl.Now())
	for _, u := range r.book.Flush(complete) {
		switch {
		case u.Change == view.CueCancelled && r.later.Drop(u.Cue.CueKey):
			continue
		case u.Change == view.CueMoved && r.later.Drop(u.Was.CueKey):
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
// one of them takes it back. The program sees one cue.
type shownCues struct {
	to    func(room.CueEvent)
	by    map[world.CueKey]int // how many report the cue
	swept world.Tick           // when old cues were forgotten last
}

// shownTicks is for how many ticks cues are remembered. Only those of the last seconds can be taken back.
const shownTicks = 2048

// mergeCues returns a function that reports to a program's function; nil if that is nil.
func mergeCues(to func(room.CueEvent)) func(room.CueEvent) {
	if to == nil {
		return nil
	}
	s := &shownCues{to: to, by: map[world.CueKey]int{}}
	return s.report
}

// report takes an event, and reports what it changes for the program.
func (s *shownCues) report(e room.CueEvent) {
	switch e.Kind {
	case room.CueFired:
		if s.add(e.Cue.CueKey) {
			s.to(e)
		}
	case room.CueCancelled:
		if s.remove(e.Cue.CueKey) {
			s.to(e)
		}
	case room.CueMoved:
		gone, come := s.remove(e.Was.CueKey), s.add(e.Cue.CueKey)
		switch {
		case gone && come:
			s.to(e)
		case gone:
			s.to(room.CueEvent{Kind: room.CueCancelled, Cue: e.Was})
		case come:
			s.to(room.CueEvent{Kind: room.CueFired, Cue: e.Cue, Age: e.Age})
		}
	}
}

// add counts a report of a cue, and reports whether the cue is new.
func (s *shownCues) add(key world.CueKey) bool {
	n := s.by[key]
	s.by[key] = n + 1
	if n > 0 {
		return false
	}
	if key.Tick > s.swept+shownTicks {
		s.swept = key.Tick
		maps.DeleteFunc(s.by, func(k world.CueKey, _ int) bool { return k.Tick+shownTicks < key.Tick })
	}
	return true
}

// remove takes a report of a cue back, and reports whether it was the last one.
func (s *shownCues) remove(key world.CueKey) bool {
	n := s.by[key]
	if n > 1 {
		s.by[key] = n - 1
		return false
	}
	delete(s.by, key)
	return n == 1
}
