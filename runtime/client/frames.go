package client

import (
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

// frameNotifier is the state with which the Frames of a program were last called.
type frameNotifier struct {
	frames  Frames     // may be nil
	shown   world.Tick // the present
	changed bool       // the present has changed since
}

// restore reports that the client has rewound to tick t, which can be simulated from.
func (n *frameNotifier) restore(tl *timeline.Timeline, t world.Tick) {
	if n.frames != nil {
		n.changed = true
		_ = tl.Past().Read(t, n.frames.RestoreFrame) // such a tick is kept
	}
}

// finalize reports the present, if it changed since the last report.
func (n *frameNotifier) finalize(tl *timeline.Timeline) {
	if n.frames == nil || !n.changed && n.shown == tl.Now() {
		return
	}
	n.changed, n.shown = false, tl.Now()
	n.frames.FinalizeFrame(tl.World().Reader())
}

// Frames tells a program that keeps a scene, sounds or a camera of its own how the world of a
// Client changes. The Readers are valid during the call.
type Frames interface {
	// RestoreFrame is called when the Client rewinds. r reads the world before the oldest dirty
	// tick; later ticks that the program has seen are no longer valid. It is also called
	// with the world of a keyframe, when the Client joins or has fallen too far behind.
	RestoreFrame(r world.Reader)
	// FinalizeFrame is called in each Update that ran a tick. r reads the present to be shown,
	// after the ticks that this Update ran again and all new ticks.
	FinalizeFrame(r world.Reader)
}
