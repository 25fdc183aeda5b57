package runtime

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/hindcast/hindcast/runtime/replay"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

// feed reads the records of a file one after the other.
type feed struct {
	file  *replay.File
	block int
	rest  []byte
	rec   replay.Record
}

// next gives the next record, until the one after, or io.EOF.
func (f *feed) next() (*replay.Record, error) {
	for len(f.rest) == 0 {
		if f.block == len(f.file.Blocks) {
			return nil, io.EOF
		}
		rest, err := f.file.Read(f.block)
		if err != nil {
			return nil, err
		}
		f.rest = rest
		f.block++
	}
	rest, err := replay.Next(f.rest, &f.rec)
	f.rest = rest
	return &f.rec, err
}

func unlessEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return fmt.Errorf("%w: a keyframe is missing", replay.ErrCorrupt)
	}
	return err
}

// rerun is a Timeline that recorded events are put into.
type rerun struct {
	tl       *timeline.Timeline
	scripts  []numbered
	states   int
	seen     world.Tick           // max_seen
	ran      func(w *world.World) // after every tick; may be nil
	inserted uint32               // events so far
	shifted  uint32               // inputs of this bundle number ...
	shift    uint32               // ... are put in under one so much higher
}

// begin stands at a keyframe.
func (u *rerun) begin(rec *replay.Record) error {
	u.tl = timeline.New(u.scripts[0].Script, timeline.Options{States: u.states, PoseHistory: u.seen, Ran: u.observe})
	u.tl.KeepScripts(0) // all of them: one may seek back
	for _, s := range u.scripts {
		u.tl.AddScript(s.number, s.Script)
	}
	for i := range rec.Held {
		e := &rec.Held[i]
		if e.Kind != world.InputEvent || e.Tick > rec.Tick || rec.Tick == 0 {
			return fmt.Errorf("%w: keyframe of tick %d holds an event (%s) of tick %d", replay.ErrCorrupt, rec.Tick, e.Kind, e.Tick)
		}
	}
	if rec.Tick > 0 { // before tick 1 there is nothing but the seed, which the bundle has
		s, err := u.parse(rec.State, rec.Tick)
		if err != nil {
			return err
		}
		held := slices.Clone(rec.Held)
		for i := range held {
			held[i].Bundle = u.number(held[i].Bundle)
		}
		if err := u.tl.Start(timeline.Keyframe{State: s, Poses: rec.Trail, Held: held}); err != nil {
			return fmt.Errorf("%w: %w", replay.ErrCorrupt, err)
		}
	}
	for _, e := range rec.Coming {
		if err := u.insert(e); err != nil {
			return err
		}
	}
	return nil
}

func (u *rerun) observe(w *world.World, _ *world.Trace) {
	if u.ran != nil {
		u.ran(w)
	}
}

// parse reads a state of a tick.
func (u *rerun) parse(data []byte, t world.Tick) (*world.State, error) {
	number, err := world.BundleOf(data)
	if err != nil {
		return nil, fmt.Errorf("%w: state of tick %d: %w", replay.ErrCorrupt, t, err)
	}
	for _, s := range u.scripts {
		if s.number != number {
			continue
		}
		st, err := world.ParseState(data, s.Schema())
		switch {
		case err != nil:
			return nil, fmt.Errorf("%w: state of tick %d: %w", replay.ErrCorrupt, t, err)
		case st.Tick != t:
			return nil, fmt.Errorf("%w: state of tick %d stands for tick %d", replay.ErrCorrupt, st.Tick, t)
		}
		if _, ok := st.Find(world.GameID); !ok && t > 0 {
			return nil, fmt.Errorf("%w: state of tick %d without a game object", replay.ErrCorrupt, t)
		}
		return st, nil
	}
	return nil, fmt.Errorf("%w: state of tick %d is of bundle %d, which is not in it", replay.ErrCorrupt, t, number)
}

func (u *rerun) insert(e world.Event) error {
	if e.Kind == world.InputEvent || e.Kind == world.FrameEvent {
		e.Bundle = u.number(e.Bundle)
		if u.tl.Script(e.Bundle) == nil {
			return fmt.Errorf("%w: an input of bundle %d, which is not in it", replay.ErrCorrupt, e.Bundle)
		}
	}
	u.inserted++ // of two inputs for the same tick the later one counts
	if _, err := u.tl.Insert(e, timeline.Origin{Record: u.inserted}); err != nil {
		return fmt.Errorf("%w: %w", replay.ErrCorrupt, err)
	}
	return nil
}

func (u *rerun) number(bundle uint32) uint32 {
	if bundle == u.shifted {
		return bundle + u.shift
	}
	return bundle
}
