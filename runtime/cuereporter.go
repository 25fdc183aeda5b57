package runtime

import (
	"time"

	"github.com/hindcast/hindcast/runtime/internal/view"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

// cueReporter reports the cues that a predictor finds to its program, if ClientConfig.Cues is set.
type cueReporter struct {
	report func(CueEvent) // may be nil
	book   *view.CueBook  // nil if report is
	known  world.Tick     // cues of ticks up to this one were found with an earlier Timeline
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

// lacks reports whether a cue from the host is new here. found says that it is one that this client
// finds if it simulates the tick.
func (r *cueReporter) lacks(c *world.Cue, found bool) bool {
	return r.book != nil && !(found && c.Tick <= r.known) && !r.book.Has(c.CueKey)
}

// fire reports the cues that this client has found in this frame, and those of the host that are due at
// the client's present. Cues up to the tick complete no longer change.
func (r *cueReporter) fire(c *endpoint, now time.Duration, tl *timeline.Timeline, complete world.Tick, atPresent bool) {
	if r.book == nil {
		return
	}
	present, tickLength := float64(tl.Now()), c.Clock.tickLength()
	for _, u := range r.book.Flush(complete) {
		r.report(cueEvent(u, cueAge(u.Cue.Tick, present, tickLength)))
	}
	if !atPresent {
		return
	}
	shown := present // nothing is interpolated
	if c.Replica.begun() && tl.Scripts().Partial(tl.At(tl.Now())) {
		if c.Cues.pending() {
			c.Replica.show(c.Clock.frame(now, tl.Now()))
		}
		shown = c.Replica.moment()
	}
	c.Cues.fire(now, shown, present, tickLength)
}
