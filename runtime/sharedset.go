package runtime

import (
	"fmt"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

// sharedSet simulates the shared set of complete ticks, in a partially replicated room.
type sharedSet struct {
	run *timeline.SharedRun
}

// restart begins again with a new Timeline.
func (x *sharedSet) restart(tl *timeline.Timeline) { x.run = timeline.NewSharedRun(tl) }

// begin begins at the state s.
func (x *sharedSet) begin(s *world.State) { x.run.Begin(s) }

// anchored reports whether the Timeline continues from the shared run.
func (x *sharedSet) anchored() bool { return x.run.Anchored() }

// complete simulates the shared set in the complete ticks after from, and compares it with the
// host's hashes. Then the Timeline continues from the last of these ticks.
func (x *sharedSet) complete(tl *timeline.Timeline, log *clientLog, a *agreement, from world.Tick) error {
	if !tl.Scripts().AnyPartial() || x.run.Lost() {
		x.run.Stop()
		return nil
	}
	if !x.run.Begun() {
		x.run.Begin(tl.At(from)) // until then, everything was shared
	}
	to := log.completeTo()
	for t := from + 1; t <= to; t++ {
		err := x.run.Complete(log.takePatch(t))
		if err != nil && a.broken() {
			x.run.Lose() // after a desync a patch may no longer fit
			break
		}
		if err != nil {
			return fmt.Errorf("tick %d: %w: %w", t, wire.ErrMalformed, err)
		}
		if m := log.markOf(t); m != nil {
			a.compare(x.run.State(), m)
		}
	}
	if to > from {
		x.run.Anchor(to)
	}
	return nil
}
