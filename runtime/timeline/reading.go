package timeline

import (
	"fmt"

	"github.com/hindcast/hindcast/world"
)

// ReadBetween calls f with the world as it was at a part, of world.ViewParts, between the ticks
// t-1 and t: each body is where asSeen shows it at that moment, and everything else is as after
// tick t. f reads a copy, so the Timeline does not change. The Reader is valid during f.
//
// It needs the state after t and, unless part is world.ViewParts, the state after t-1: it does
// not interpolate over ticks that are not kept. The error wraps ErrAhead, ErrTooOld or
// ErrThinned.
func (tl *Timeline) ReadBetween(t world.Tick, part int64, f func(r world.Reader)) error {
	s, err := tl.keptAt(t)
	var before *world.State
	if err == nil && part < world.ViewParts && t > 0 {
		before, err = tl.keptAt(t - 1)
	}
	if err != nil {
		return err
	}
	w := tl.reading
	tl.reading = nil // f may read another tick
	if w == nil {
		w = world.New()
	}
	w.LoadBetween(before, s, part, tl.scripts.schema(s))
	f(w.Reader())
	tl.reading = w
	return nil
}

// keptAt returns the state after a tick, or the reason why it is not kept.
func (tl *Timeline) keptAt(t world.Tick) (*world.State, error) {
	oldest := tl.past.oldestKept().Tick
	s := tl.At(t)
	switch {
	case t > tl.Now():
		return nil, fmt.Errorf("tick %d: %w: the last one is %d", t, ErrAhead, tl.Now())
	case t < oldest:
		return nil, fmt.Errorf("tick %d: %w (from %d)", t, ErrTooOld, oldest)
	case s == nil:
		return nil, fmt.Errorf("tick %d: %w: all from %d on", t, ErrThinned, tl.Oldest())
	}
	return s, nil
}
