package room

import (
	"time"

	"github.com/hindcast/hindcast/runtime/internal/view"
	"github.com/hindcast/hindcast/world"
)

// CueEvent is a change of one cue. A cue fires once, however often its tick runs again. A cue of
// a tick that is not complete may then move or be cancelled.
type CueEvent struct {
	Kind CueChange
	Cue  world.Cue
	Was  world.Cue // of CueMoved: the cue before
	// Age is how long the tick of the cue is before the moment at which the client shows the cue's
	// object, and at a host before its present. At first it is 0 for what a client predicts, and
	// less than a tick for what it shows with the interpolation delay. It is longer for a cue that
	// became known later, that waited to be confirmed, or that moves or is cancelled. An effect
	// with a duration, Cue.Lasts, begins at its age.
	Age time.Duration
}

// CueChange says how a cue has changed.
type CueChange uint8

const (
	// CueFired means that the cue is new: show it.
	CueFired CueChange = iota
	// CueMoved means that the cue was shown, and now has another position, other
	// arguments or a nearby tick.
	CueMoved
	// CueCancelled means that the cue was shown, and did not happen after all.
	CueCancelled
)

// String returns the change in a word.
func (k CueChange) String() string { return [...]string{"fired", "moved", "cancelled"}[k] }

// NewCueEvent returns the event of a change.
func NewCueEvent(u view.CueUpdate, age time.Duration) CueEvent {
	return CueEvent{CueChange(u.Change), u.Cue, u.Was, age}
}
