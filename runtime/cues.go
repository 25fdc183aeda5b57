package runtime

import (
	"github.com/hindcast/hindcast/runtime/internal/view"
	"github.com/hindcast/hindcast/world"
)

// CueEvent is a change of one cue. A cue fires once, however often its tick runs again. A cue of
// a tick that is not complete may then move or be cancelled.
type CueEvent struct {
	Kind CueChange
	Cue  world.Cue
	Was  world.Cue // of CueMoved: the cue before; for a spectator only its key
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

func cueEvent(u view.CueUpdate) CueEvent { return CueEvent{CueChange(u.Change), u.Cue, u.Was} }
