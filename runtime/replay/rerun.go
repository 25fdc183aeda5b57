package replay

import (
	"fmt"
	"slices"

	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

// rerun is a Timeline that recorded events are inserted into.
type rerun struct {
	tl       *timeline.Timeline
	scripts  scripts
	states   int
	seen     world.Tick           // max_seen
	ran      func(w *world.World) // called after every tick; may be nil
	inserted uint32               // events so far
	switched uint32               // the bundle of the last switch
	waiting  waiting
	shifted  uint32 // inputs of this bundle ...
	shift    uint32 // ... are inserted as of a bundle with a number so much higher
}

// newRerun returns a run of a match that simulates each tick once. It must begin at a keyframe.
func newRerun(s scripts) (*rerun, error) { return newRerunWith(s, 4) }

// newRerunWith returns a run that can rewind by so many ticks; 0: by as many as the host.
func newRerunWith(s scripts, states int) (*rerun, error) {
	first, err := s.file.Source(s.file.Bundles[0].Hash)
	if err != nil {
		return nil, err
	}
	if states == 0 {
		states = first.HistoryStates()
	}
	return &rerun{scripts: s, states: states, seen: first.Ticks(first.Rules.MaxSeen)}, nil
}

// maxHistory bounds the memory of the states that a run keeps, in bytes.
const maxHistory = 2 << 30

// check returns an error if the states that the run keeps take too much memory.
func (u *rerun) check() error {
	if one := u.at(u.now()).Memory(); one*u.states > maxHistory {
		return fmt.Errorf("the host of this match kept %d states, of %d MB each in tick %d: to verify it takes more than %d MB",
			u.states, one>>20, u.now(), maxHistory>>20)
	}
	return nil
}

// now returns the last tick simulated.
func (u *rerun) now() world.Tick { return u.tl.Now() }

// at returns the state after a tick, nil if it is not kept.
func (u *rerun) at(t world.Tick) *world.State { return u.tl.At(t) }

// schema returns the schema of a tick.
func (u *rerun) schema(t world.Tick) *world.Schema { return u.tl.Schema(t) }

// step simulates the next tick.
func (u *rerun) step() {
	u.tl.Step()
	u.waiting.drop(u.tl.Oldest())
}

// stepWithCues simulates the next tick and returns its cues.
func (u *rerun) stepWithCues() []world.Cue {
	u.tl.KeepCues(true)
	defer u.tl.KeepCues(false)
	u.step()
	return u.tl.Past().Cues(u.tl.Now())
}

// rewind simulates again what late events have changed, and reports whether there was any.
func (u *rerun) rewind() bool { return u.tl.Rewind().From != 0 }

// shiftInputs makes the inputs of a bundle count as those of another one.
func (u *rerun) shiftInputs(of, by uint32) { u.shifted, u.shift = of, by }

// begin starts at a keyframe.
func (u *rerun) begin(rec *Record) error {
	before := *u
	err := u.start(rec)
	if err != nil {
		u.tl, u.switched, u.waiting = before.tl, before.switched, before.waiting
	}
	return err
}

func (u *rerun) start(rec *Record) error {
	u.switched, u.waiting = u.scripts.file.Bundles[0].Number, waiting{oldest: rec.Tick}
	if rec.Tick > 0 {
		number, err := world.BundleOf(rec.State)
		if err != nil {
			return fmt.Errorf("%w: state of tick %d: %w", ErrCorrupt, rec.Tick, err)
		}
		u.switched = number
	}
	script, err := u.scripts.get(u.switched, func(uint32) bool { return false })
	if err != nil {
		return err
	}
	u.tl = timeline.New(script, timeline.Options{States: u.states, Bundle: u.switched, PoseHistory: u.seen,
		Ran: u.observe})
	for i := range rec.Held {
		e := &rec.Held[i]
		if e.Kind != world.InputEvent || e.Tick > rec.Tick || rec.Tick == 0 {
			return fmt.Errorf("%w: keyframe of tick %d holds an event (%s) of tick %d", ErrCorrupt, rec.Tick,
				e.Kind, e.Tick)
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
			if _, err := u.script(held[i].Bundle); err != nil {
				return err
			}
		}
		if err := u.tl.Start(timeline.Keyframe{State: s, Poses: rec.PoseHistory, Held: held}); err != nil {
			return fmt.Errorf("%w: %w", ErrCorrupt, err)
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

// parse reads a recorded state of a tick.
func (u *rerun) parse(data []byte, t world.Tick) (*world.State, error) {
	number, err := world.BundleOf(data)
	if err != nil {
		return nil, fmt.Errorf("%w: state of tick %d: %w", ErrCorrupt, t, err)
	}
	script, err := u.script(number)
	if err != nil {
		return nil, fmt.Errorf("state of tick %d: %w", t, err)
	}
	st, err := world.ParseState(data, script.Schema())
	switch {
	case err != nil:
		return nil, fmt.Errorf("%w: state of tick %d: %w", ErrCorrupt, t, err)
	case st.Tick != t:
		return nil, fmt.Errorf("%w: state of tick %d stands for tick %d", ErrCorrupt, st.Tick, t)
	}
	if _, ok := st.Find(world.MatchID); !ok && t > 0 {
		return nil, fmt.Errorf("%w: state of tick %d without a game object", ErrCorrupt, t)
	}
	return st, nil
}

// script returns the script of a bundle, which the Timeline then has.
func (u *rerun) script(number uint32) (world.Script, error) {
	if s := u.tl.Scripts().Of(number); s != nil {
		return s, nil
	}
	s, err := u.scripts.get(number, func(n uint32) bool { return u.tl.Scripts().Of(n) != nil })
	if err == nil {
		u.tl.AddScript(number, s)
	}
	return s, err
}

func (u *rerun) insert(e world.Event) error {
	switch e.Kind {
	case world.BundleEvent:
		if e.Bundle <= u.switched {
			return fmt.Errorf("%w: a switch to bundle %d after bundle %d", ErrCorrupt, e.Bundle, u.switched)
		}
		u.switched = e.Bundle
		if _, err := u.script(e.Bundle); err != nil {
			return err
		}
	case world.InputEvent, world.FrameEvent:
		e.Bundle = u.number(e.Bundle)
		if _, err := u.script(e.Bundle); err != nil {
			return fmt.Errorf("an input: %w", err)
		}
	}
	if err := u.waiting.add(&e); err != nil {
		return fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	u.inserted++ // if two inputs have the same tick, the later one counts
	if _, err := u.tl.Insert(e, timeline.Origin{Record: u.inserted}); err != nil {
		return fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	return nil
}

func (u *rerun) number(bundle uint32) uint32 {
	if bundle == u.shifted {
		return bundle + u.shift
	}
	return bundle
}

// trace collects the changes that the scripts of a run make in one tick.
type trace struct {
	run     *rerun
	changes []world.Change
	faults  []world.Fault
}

func traceAll(u *rerun) *trace {
	t := &trace{run: u}
	u.scripts.trace(func(c world.Change) {
		if len(t.changes) < maxTraced {
			t.changes = append(t.changes, c)
		}
	})
	u.ran = func(w *world.World) { t.faults = append(t.faults, w.Faults()...) }
	return t
}

// maxTraced is the most changes of a tick in which a cause is searched.
const maxTraced = 1 << 20

// outcomes returns the effects of scripts in the tick of s.
func (t *trace) outcomes(s *world.State, schema *world.Schema) []timeline.Outcome {
	return timeline.Outcomes(t.changes, t.faults, s, schema)
}

func (t *trace) begin() { t.changes, t.faults = t.changes[:0], t.faults[:0] }

func (t *trace) end() {
	t.run.scripts.trace(nil)
	t.run.ran = nil
}
