package timeline

import (
	"fmt"

	"github.com/hindcast/hindcast/world"
)

// Past is what a Timeline keeps of the ticks that were simulated.
type Past struct {
	history *history
	poses   *poseHistory
	scripts *Scripts
	memory  *world.World // of ReadBetween; nil: there is none, or it is in use
}

// AtOrAfter returns the state after the first tick from t on that is kept; after the present if t
// is later.
func (p *Past) AtOrAfter(t world.Tick) *world.State { return p.history.atOrAfter(t) }

// Cues returns the cues of tick t, which must be one that can be simulated again, if they were
// kept.
func (p *Past) Cues(t world.Tick) []world.Cue { return p.history.entry(t).Trace.Cues(nil) }

// Ticks returns how many ticks the Timeline can keep.
func (p *Past) Ticks() int { return p.history.ticks() }

// Bytes returns the memory of the past in bytes: states, traces and poses.
func (p *Past) Bytes() int { return p.history.bytes() + p.poses.bytes() }

// Read calls f with the world as it was after tick t. f reads a copy, so the Timeline does not
// change. The Reader is valid during f. The error wraps ErrAhead, ErrTooOld, or ErrThinned if the
// state after t is not kept.
func (p *Past) Read(t world.Tick, f func(r world.Reader)) error {
	s, err := p.keptFrom(t)
	if err == nil && s.Tick != t {
		oldest, _ := p.history.bounds()
		err = fmt.Errorf("tick %d: %w: all from %d on", t, ErrThinned, oldest)
	}
	if err != nil {
		return err
	}
	p.read(f, func(w *world.World) { w.Load(s, p.scripts.SchemaOf(s)) })
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
// that objects that were spawned after t are left out. Timeline.At tells whether the state after a
// tick is kept.
//
// The error wraps ErrAhead or ErrTooOld.
func (p *Past) ReadBetween(t world.Tick, part int64, f func(r world.Reader)) error {
	after, err := p.keptFrom(t)
	if err == nil && t > 0 && part < world.ViewParts {
		_, err = p.keptFrom(t - 1)
	}
	if err != nil {
		return err
	}
	m := world.Moment{Tick: t, Part: part, After: after}
	if t > 0 {
		m.Before = p.history.atOrBefore(t - 1)
		from, begins := p.poses.at(t - 1)
		to, ends := p.poses.at(t)
		if ends && (begins || part == world.ViewParts) {
			m.From, m.To = from, to
		}
	}
	p.read(f, func(w *world.World) { w.LoadMoment(&m, p.scripts.SchemaOf(after)) })
	return nil
}

// read calls f with a world of its own that load fills.
func (p *Past) read(f func(r world.Reader), load func(w *world.World)) {
	w := p.memory
	p.memory = nil // f may read another tick
	if w == nil {
		w = world.New()
	}
	load(w)
	f(w.Reader())
	p.memory = w
}

// keptFrom returns the state after the first tick from t on that is kept. The error says that there is
// none, or that no tick up to t is kept.
func (p *Past) keptFrom(t world.Tick) (*world.State, error) {
	oldest := p.history.oldestKept().Tick
	_, now := p.history.bounds()
	switch {
	case t > now:
		return nil, fmt.Errorf("tick %d: %w: the last one is %d", t, ErrAhead, now)
	case t < oldest:
		return nil, fmt.Errorf("tick %d: %w (from %d)", t, ErrTooOld, oldest)
	}
	return p.AtOrAfter(t), nil
}
