package runtime

import (
	"github.com/hindcast/hindcast/runtime/internal/view"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

// cueReporter reports the cues of a predictor to its program, if ClientConfig.Cues is set.
type cueReporter struct {
	report func(CueEvent) // may be nil
	book   *view.CueBook  // nil if report is
}

// restart begins again with a new Timeline. No cue is reported before open.
func (r *cueReporter) restart(tl *timeline.Timeline, player world.PlayerID) {
	if r.report == nil {
		return
	}
	if r.book == nil {
		r.book = view.NewCueBook(player)
	}
	r.book.Close()
	tl.KeepCues(true)
}

// open begins to report the cues of ticks after t.
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

// flush reports the cues that changed in this frame. Cues up to the tick complete no longer
// change.
func (r *cueReporter) flush(complete world.Tick) {
	if r.book == nil {
		return
	}
	for _, u := range r.book.Flush(complete) {
		r.report(cueEvent(u))
	}
}
