package runtime

import (
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

// published is the state with which the Frames of a program were last called.
type published struct {
	frames  Frames     // may be nil
	shown   world.Tick // the present
	changed bool       // the present has changed since
}

// restore reports that the client has rewound to tick t, which can be simulated from.
func (p *published) restore(tl *timeline.Timeline, t world.Tick) {
	if p.frames != nil {
		p.changed = true
		_ = tl.Past().Read(t, p.frames.RestoreFrame) // such a tick is kept
	}
}

// finalize reports the present, if it changed since the last report.
func (p *published) finalize(tl *timeline.Timeline) {
	if p.frames == nil || !p.changed && p.shown == tl.Now() {
		return
	}
	p.changed, p.shown = false, tl.Now()
	p.frames.FinalizeFrame(tl.World().Reader())
}
