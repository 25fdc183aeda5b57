package runtime

import (
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/hindcast/hindcast/runtime/replay"
	"github.com/hindcast/hindcast/world"
)

// Verified is what Replay.Verify has done.
type Verified struct {
	Ticks   int // simulated once, with all their events, and compared
	Final   int // of these: final when the host stopped
	States  int // whole states compared
	Rewinds int // done again as the host did them
}

// Divergence is the first tick in which a re-run and the recording differ.
type Divergence struct {
	Tick     world.Tick
	Recorded uint64 // hash
	Got      uint64
	// Rewound is set when the re-run that simulates each tick once agrees with
	// the recording, but the one that rewinds as the host did does not.
	Rewound bool
	// Differences are between the recorded state of tick At and the re-run's.
	// Where the file has no state of Tick itself, At is the next tick of which
	// it has one. Inferred: it has none of Tick, but one flipped bit there
	// explains the recorded hash.
	Differences []world.Difference
	At          world.Tick
	Inferred    bool
}

// Error names tick, object and field.
func (d *Divergence) Error() string {
	how := "simulated again"
	if d.Rewound {
		how = "rewound again"
	}
	text := fmt.Sprintf("tick %d: recorded hash %s, %s %s", d.Tick, hashText(d.Recorded), how, hashText(d.Got))
	if len(d.Differences) == 0 {
		return text + "; the file has no state that would tell what differs"
	}
	switch {
	case d.Inferred:
		text += "; one flipped bit explains it: "
	case d.At != d.Tick:
		text += fmt.Sprintf("; in the first state recorded after it, of tick %d, the first of %d differences: ", d.At, len(d.Differences))
	default:
		text += "; "
	}
	return text + d.Differences[0].String()
}

// Unwrap lets errors.Is find ErrDesync.
func (d *Divergence) Unwrap() error { return ErrDesync }

// maxDifferences is how many a Divergence lists.
const maxDifferences = 16

// Verify re-runs the match up to tick last, twice in one go: simulating each
// tick once, and rewinding for every late input as the host did. It compares
// both with the recorded hash of every tick and with every recorded state. The
// error is a *Divergence if one differs.
func (r *Replay) Verify(last world.Tick) (Verified, error) {
	var done Verified
	if err := r.restart(0); err != nil {
		return done, err
	}
	again, err := r.again()
	if err != nil {
		return done, err
	}
	host := r.read // it reads the same records, for the order in which they came
	for r.Tick() < last {
		err := r.Step()
		if errors.Is(err, io.EOF) {
			return done, nil
		}
		if err != nil {
			return done, err
		}
		m, ok := r.Mark()
		if !ok {
			continue // the host was killed before it told
		}
		if err := again.upTo(m.Tick, &host, &done); err != nil {
			return done, err
		}
		if d := r.compare(m, again.tl.At(m.Tick)); d != nil {
			return done, d
		}
		done.Ticks++
		if m.Final {
			done.Final++
		}
		if err := r.compareStates(&done); err != nil {
			return done, err
		}
	}
	return done, nil
}

// again is a second run from where this one stands.
func (r *Replay) again() (*rerun, error) {
	scripts, err := r.scripts()
	if err != nil {
		return nil, err
	}
	u := &rerun{scripts: scripts, states: r.states, seen: r.bundles[0].Ticks(r.bundles[0].Rules.MaxSeen)}
	read := feed{file: r.file}
	for {
		rec, err := read.next()
		if err != nil {
			return nil, unlessEOF(err)
		}
		if rec.Kind != replay.Keyframe {
			continue
		}
		if err := u.begin(rec); err != nil {
			return nil, err
		}
		for u.tl.Now() < rec.Clock {
			u.tl.Step()
		}
		return u, nil
	}
}

// upTo does what the host did, in its order, until it had marked tick t.
func (u *rerun) upTo(t world.Tick, host *feed, done *Verified) error {
	rewind := func() {
		if u.tl.Rewind().From != 0 {
			done.Rewinds++
		}
	}
	for {
		rec, err := host.next()
		if err != nil {
			return err
		}
		switch rec.Kind {
		case replay.Event:
			if err := u.insert(rec.Event); err != nil {
				return err
			}
		case replay.Tick:
			rewind()
			u.tl.Step()
		case replay.Mark:
			rewind() // what came while the room was paused
			if rec.Tick == t {
				return nil
			}
		}
	}
}

// compare finds out whether the present tick is as recorded, in both runs.
func (r *Replay) compare(m ReplayMark, again *world.State) *Divergence {
	once := r.State()
	d := &Divergence{Tick: m.Tick, At: m.Tick, Recorded: m.Hash, Got: once.Hash()}
	if again == nil { // so far back that the second run does not keep it: the host did
		again = once
	}
	switch {
	case d.Got == m.Hash && again.Hash() == m.Hash:
		return nil
	case d.Got == m.Hash:
		d.Rewound, d.Got = true, again.Hash()
		d.Differences = world.Diff(once, again, r.Schema(), maxDifferences)
	case again.Hash() == m.Hash:
		d.Differences = world.Diff(again, once, r.Schema(), maxDifferences)
	default:
		r.explain(d)
	}
	return d
}

// explain finds out what differs in a tick in which no run has the recorded
// hash: from a recorded state of it, from a bit, or from the next state that
// was recorded.
func (r *Replay) explain(d *Divergence) {
	for more := true; more; more = r.next() == nil {
		if e := r.evidenceFrom(d.Tick); e != nil {
			if e.tick == d.Tick {
				d.Differences, _ = r.differences(e)
				return
			}
			break
		}
	}
	if d.Differences = flippedBit(r.State(), r.Schema(), d.Recorded); d.Differences != nil {
		d.Inferred = true
		return
	}
	for r.Step() == nil {
		if e := r.evidenceFrom(d.Tick); e != nil && e.tick <= r.Tick() {
			d.At = e.tick
			d.Differences, _ = r.differences(e)
			return
		}
	}
}

// evidenceFrom is the first recorded state that has been read of tick t or later.
func (r *Replay) evidenceFrom(t world.Tick) *evidence {
	for i := range r.evidence {
		if r.evidence[i].tick >= t {
			return &r.evidence[i]
		}
	}
	return nil
}

// differences compares a recorded state with what this run has of its tick.
func (r *Replay) differences(e *evidence) ([]world.Difference, error) {
	s, err := r.run.parse(e.data, e.tick)
	if err != nil {
		return nil, err
	}
	mine := r.run.tl.At(e.tick)
	if mine == nil || mine.Hash() == s.Hash() {
		return nil, nil
	}
	return world.Diff(s, mine, r.run.tl.Schema(e.tick), maxDifferences), nil
}

// compareStates compares what was recorded of past ticks with what they were here.
func (r *Replay) compareStates(done *Verified) error {
	for i := range r.evidence {
		e := &r.evidence[i]
		if e.tick > r.Tick() {
			continue
		}
		different, err := r.differences(e)
		if err != nil {
			return err
		}
		done.States++
		if different != nil {
			return &Divergence{Tick: e.tick, At: e.tick, Differences: different}
		}
	}
	return nil
}

// flippedBit looks for the one bit of an object's fields or body that makes s
// have a hash, and says which it is.
func flippedBit(s *world.State, schema *world.Schema, hash uint64) []world.Difference {
	var tried world.State
	tried.CopyFrom(s)
	gap := hash - s.Hash()
	for _, slot := range s.Run {
		own := s.HashObject(int(slot))
		for _, flip := range flips(&tried, int(slot)) {
			for bit := range 64 {
				flip(1 << bit)
				if tried.HashObject(int(slot))-own == gap {
					return world.Diff(&tried, s, schema, maxDifferences)
				}
				flip(1 << bit)
			}
		}
	}
	return nil
}

// flips are functions that flip bits of one word each of an object.
func flips(s *world.State, slot int) (out []func(bits uint64)) {
	row := s.Row(slot)
	for i := range row {
		out = append(out, func(bits uint64) { row[i] ^= bits })
	}
	if b := s.Body(slot); b.Key != 0 {
		for _, v := range []*float64{&b.X, &b.Y, &b.Angle, &b.VX, &b.VY, &b.W, &b.FX, &b.FY, &b.Torque} {
			out = append(out, func(bits uint64) { *v = math.Float64frombits(math.Float64bits(*v) ^ bits) })
		}
	}
	return out
}
