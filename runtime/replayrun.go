package runtime

import (
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/hindcast/hindcast/runtime/replay"
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
	tl      *Timeline
	scripts []numbered
	states  int
	seen    world.Tick // max_seen
	shifted uint32     // inputs of this bundle number ...
	shift   uint32     // ... are put in under one so much higher
}

// begin stands at a keyframe.
func (u *rerun) begin(rec *replay.Record) error {
	u.tl = NewTimeline(u.scripts[0].Script, u.states)
	u.tl.KeepSeen(u.seen)
	u.tl.keep = 0 // all scripts: one may seek back
	for _, s := range u.scripts {
		u.tl.AddScript(s.number, s.Script)
	}
	if rec.Tick > 0 { // before tick 1 there is nothing but the seed, which the bundle has
		s, err := u.parse(rec.State, rec.Tick)
		if err != nil {
			return err
		}
		if err := u.tl.reset(s); err != nil {
			return fmt.Errorf("%w: %w", replay.ErrCorrupt, err)
		}
		if err := u.tl.takeTrail(rec.Trail); err != nil {
			return fmt.Errorf("%w: %w", replay.ErrCorrupt, err)
		}
		u.tl.inputs.complete = math.MaxUint32 // no input is on its way
	}
	for i := range rec.Held {
		e := &rec.Held[i]
		if e.Kind != world.InputEvent || e.Tick > rec.Tick {
			return fmt.Errorf("%w: keyframe of tick %d holds an event (%s) of tick %d", replay.ErrCorrupt, rec.Tick, e.Kind, e.Tick)
		}
		u.tl.inputs.put(steering{e.Object, e.Player}, entry{tick: e.Tick, bundle: u.number(e.Bundle), input: e.Input})
	}
	for _, e := range rec.Coming {
		if err := u.insert(e); err != nil {
			return err
		}
	}
	return nil
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
		if u.tl.scripts[e.Bundle] == nil {
			return fmt.Errorf("%w: an input of bundle %d, which is not in it", replay.ErrCorrupt, e.Bundle)
		}
	}
	u.tl.record.seq++ // of two inputs for the same tick the later one counts
	if _, err := u.tl.Insert(e); err != nil {
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
