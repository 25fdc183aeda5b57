package timeline

import (
	"fmt"
	"math"

	"github.com/hindcast/hindcast/world"
)

// Keyframe is a starting point of a simulation: a state, and what the ticks after it need of
// the time before.
type Keyframe struct {
	State *world.State
	// Poses is the pose history of the ticks before, in bytes; nil: no poses are known.
	Poses []byte
	// Held are the newest inputs up to the state's tick: later ticks repeat them.
	Held []world.Event
}

// Start makes a keyframe the oldest state and the present, and forgets everything else. The
// script of the state's bundle must be there. On a client, inputs after it may still be on
// their way: until Complete, the last one is repeated without limit.
//
// The error wraps ErrNoScript, or is about the bytes of the pose history.
func (tl *Timeline) Start(k Keyframe) error {
	s := k.State
	script := tl.scripts.Of(s.Bundle)
	if script == nil {
		return fmt.Errorf("keyframe: %w of bundle %d", ErrNoScript, s.Bundle)
	}
	completeTo := world.Tick(math.MaxUint32)
	if tl.world.Client != 0 {
		completeTo = s.Tick
	}
	tl.log.start(completeTo)
	tl.corrections.start()
	tl.proxies.start()
	tl.anchor.forget()
	tl.dirty.start()
	tl.left = 0
	tl.world.Load(s, script.Schema())
	tl.history.start(tl.world.Now)
	tl.enterPresent()
	if err := tl.poseHistory.start(s.Tick, k.Poses); err != nil {
		return err
	}
	for i := range k.Held {
		e := &k.Held[i]
		tl.log.insert(e, Origin{}, 0)
	}
	return nil
}

// Keyframe returns what a simulation of the ticks after t can start from. The state after t
// must be kept. relayed leaves out inputs that not all clients get.
func (tl *Timeline) Keyframe(t world.Tick, relayed bool) Keyframe {
	return Keyframe{State: tl.At(t), Poses: tl.poseHistory.encode(t), Held: tl.log.held(t, relayed)}
}
