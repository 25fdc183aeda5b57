package timeline

import (
	"fmt"

	"github.com/hindcast/hindcast/world"
)

// Read calls f with the world as it was after tick t. f reads a copy, so the Timeline does not
// change. The Reader is valid during f. The error wraps ErrAhead, ErrTooOld, or ErrThinned if the
// state after t is not kept.
func (tl *Timeline) Read(t world.Tick, f func(r world.Reader)) error {
	s, err := tl.keptFrom(t)
	if err == nil && s.Tick != t {
		err = fmt.Errorf("tick %d: %w: all from %d on", t, ErrThinned, tl.Oldest())
	}
	if err != nil {
		return err
	}
	tl.read(f, func(w *world.World) { w.Load(s, tl.scripts.schema(s)) })
	return nil
}

// ReadBetween calls f with the world as it was at a part, of world.ViewParts, between the ticks
// t-1 and t. f reads a copy, so the Timeline does not change. The Reader is valid during f; its
// tick is t.
//
// Between two ticks whose states are both kept, as they are from Oldest on, each body stands where
// asSeen shows it at that moment, and everything else is as after tick t.
//
// Of older ticks, every fourth state is kept, and for Options.PoseHistory ticks the poses of
// classes that asSeen moves. There, objects of these classes still stand exactly where asSeen
// shows them. Other bodies are interpolated: they stand on the straight line between their poses
// in the two kept states around the moment. Everything else is as in the later one of these two,
// up to three ticks after t: fields, owners and speeds, and also which objects there are, except
// that objects that were spawned after t are left out. At reports whether the state after a tick
// is kept.
//
// The error wraps ErrAhead or ErrTooOld.
func (tl *Timeline) ReadBetween(t world.Tick, part int64, f func(r world.Reader)) error {
	after, err := tl.keptFrom(t)
	if err == nil && t > 0 && part < world.ViewParts {
		_, err = tl.keptFrom(t - 1)
	}
	if err != nil {
		return err
	}
	m := world.Moment{Tick: t, Part: part, After: after}
	if t > 0 {
		m.Before = tl.past.atOrBefore(t - 1)
		from, begins := tl.poseHistory.at(t - 1)
		to, ends := tl.poseHistory.at(t)
		if ends && (begins || part == world.ViewParts) {
			m.From, m.To = from, to
		}
	}
	tl.read(f, func(w *world.World) { w.LoadMoment(&m, tl.scripts.schema(after)) })
	return nil
}

// read calls f with a world of its own that load fills.
func (tl *Timeline) read(f func(r world.Reader), load func(w *world.World)) {
	w := tl.reading
	tl.reading = nil // f may read another tick
	if w == nil {
		w = world.New()
	}
	load(w)
	f(w.Reader())
	tl.reading = w
}

// keptFrom returns the state after the first tick from t on that is kept. The error says that there is
// none, or that no tick up to t is kept.
func (tl *Timeline) keptFrom(t world.Tick) (*world.State, error) {
	oldest := tl.past.oldestKept().Tick
	switch {
	case t > tl.Now():
		return nil, fmt.Errorf("tick %d: %w: the last one is %d", t, ErrAhead, tl.Now())
	case t < oldest:
		return nil, fmt.Errorf("tick %d: %w (from %d)", t, ErrTooOld, oldest)
	}
	return tl.AtOrAfter(t), nil
}
