package replay

import (
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

// Verified counts the ticks, states and rewinds that Player.Verify has compared.
type Verified struct {
	Ticks     int // simulated once, with all their events, and compared
	Committed int // of these, committed when the host stopped
	States    int // whole states compared
	Rewinds   int // rewinds done again as the host did them
}

// Divergence is the first tick in which a run and the recording differ. It is a
// timeline.ErrDesync.
type Divergence struct {
	Tick     world.Tick
	Recorded uint64 // hash
	Got      uint64 // the hash of the run
	// Rewound says that the run that simulates each tick once agrees with the
	// recording, and that the run that rewinds as the host did does not.
	Rewound bool
	// Differences are those between the recorded state of tick At and that of the run.
	// If the file has no state of Tick, At is the next tick of which it has one.
	// Inferred says that the file has no state of Tick, but one flipped bit explains the
	// recorded hash.
	Differences []world.Difference
	At          world.Tick
	Inferred    bool // see Differences
}

// Error names the tick, the object and the field.
func (d *Divergence) Error() string {
	how := "simulated again"
	if d.Rewound {
		how = "rewound again"
	}
	text := fmt.Sprintf("tick %d: recorded hash %016x, %s %016x", d.Tick, d.Recorded, how, d.Got)
	if len(d.Differences) == 0 {
		return text + "; the file has no state that would tell what differs"
	}
	switch {
	case d.Inferred:
		text += "; one flipped bit explains it: "
	case d.At != d.Tick:
		text += fmt.Sprintf("; in the first state recorded after it, of tick %d, the first of %d differences: ",
			d.At, len(d.Differences))
	default:
		text += "; "
	}
	return text + d.Differences[0].String()
}

// Unwrap returns timeline.ErrDesync.
func (d *Divergence) Unwrap() error { return timeline.ErrDesync }

// maxDifferences is the most differences that a Divergence lists.
const maxDifferences = 16

// Verify simulates the match again up to tick last, twice at the same time: once simulating
// each tick once, and once rewinding for every late input as the host did. It compares
// both with the recorded hash of every tick and with every recorded state. The error is a
// *Divergence if one differs.
func (p *Player) Verify(last world.Tick) (Verified, error) {
	if err := p.restart(0); err != nil {
		return Verified{}, err
	}
	v := verifier{player: p, host: p.tape.rest()}
	if err := v.begin(); err != nil {
		return Verified{}, err
	}
	for p.Tick() < last {
		err := p.Step()
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil {
			err = v.check()
		}
		if err != nil {
			return v.done, err
		}
	}
	return v.done, nil
}

// verifier verifies what a Player plays.
type verifier struct {
	player *Player
	again  *rerun // rewinds as the host did
	host   feed   // the same records, in the order in which they arrived
	done   Verified
}

// begin starts the second run at the first keyframe.
func (v *verifier) begin() error {
	again, err := newRerun(v.player.scripts())
	if err != nil {
		return err
	}
	v.again = again
	read := feed{file: v.player.file}
	rec, err := read.keyframe()
	if err != nil {
		return err
	}
	if err := v.again.begin(rec); err != nil {
		return err
	}
	for v.again.now() < rec.Clock {
		v.again.step()
	}
	return nil
}

// check verifies the tick that the player has simulated.
func (v *verifier) check() error {
	h, ok := v.player.Hash()
	if !ok {
		return nil // the host was killed before it recorded the hash
	}
	if err := v.rewindTo(h.Tick); err != nil {
		return err
	}
	if d := v.compare(h, v.again.at(h.Tick)); d != nil {
		return d
	}
	v.done.Ticks++
	if h.Committed {
		v.done.Committed++
	}
	return v.compareStates()
}

// rewindTo repeats in the second run what the host did, in the same order, up to the
// hash of a tick.
func (v *verifier) rewindTo(t world.Tick) error {
	rewind := func() {
		if v.again.rewind() {
			v.done.Rewinds++
		}
	}
	for {
		rec, err := v.host.next()
		if err != nil {
			return err
		}
		switch rec.Kind {
		case Event:
			if err := v.again.insert(rec.Event); err != nil {
				return err
			}
		case Tick:
			rewind()
			v.again.step()
		case Mark:
			rewind() // for events that arrived while the room was paused
			if rec.Tick == t {
				return nil
			}
		}
	}
}

// compare compares the present tick of both runs with the recorded hash.
func (v *verifier) compare(h TickHash, again *world.State) *Divergence {
	once := v.player.State()
	d := &Divergence{Tick: h.Tick, At: h.Tick, Recorded: h.Hash, Got: once.Hash()}
	if again == nil { // too old for the second run, although the host kept it
		again = once
	}
	switch {
	case d.Got == h.Hash && again.Same(once):
		return nil
	case d.Got == h.Hash:
		d.Rewound, d.Got = true, again.Hash()
		d.Differences = world.Diff(once, again, v.player.Schema(), maxDifferences)
	case again.Hash() == h.Hash:
		d.Differences = world.Diff(again, once, v.player.Schema(), maxDifferences)
	default:
		v.explain(d)
	}
	return d
}

// explain finds the difference in a tick in which no run has the recorded hash: by a
// recorded state of the tick, by a flipped bit, or by the next recorded state.
func (v *verifier) explain(d *Divergence) {
	for more := true; more; more = v.player.tape.next(v.player.insert) == nil {
		if s := v.player.tape.stateFrom(d.Tick); s != nil {
			if s.tick == d.Tick {
				d.Differences, _ = v.differences(s)
				return
			}
			break
		}
	}
	if d.Differences = flippedBit(v.player.State(), v.player.Schema(), d.Recorded); d.Differences != nil {
		d.Inferred = true
		return
	}
	for v.player.Step() == nil {
		if s := v.player.tape.stateFrom(d.Tick); s != nil && s.tick <= v.player.Tick() {
			d.At = s.tick
			d.Differences, _ = v.differences(s)
			return
		}
	}
}

// differences compares a recorded state with that of the first run.
func (v *verifier) differences(recorded *recordedState) ([]world.Difference, error) {
	s, err := v.player.run.parse(recorded.data, recorded.tick)
	if err != nil {
		return nil, err
	}
	mine := v.player.run.at(recorded.tick)
	if mine == nil || mine.Hash() == s.Hash() {
		return nil, nil
	}
	return world.Diff(s, mine, v.player.run.schema(recorded.tick), maxDifferences), nil
}

// compareStates compares the recorded states of past ticks.
func (v *verifier) compareStates() error {
	for _, s := range v.player.tape.recordedStates() {
		if s.tick > v.player.Tick() {
			continue
		}
		different, err := v.differences(&s)
		if err != nil {
			return err
		}
		v.done.States++
		if different != nil {
			return &Divergence{Tick: s.tick, At: s.tick, Differences: different}
		}
	}
	return nil
}

// flippedBit searches for one bit in the fields or the body of an object whose flip
// gives s the hash. It returns nil if there is none.
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

// flips returns functions that flip bits, each of one word of an object.
func flips(s *world.State, slot int) (out []func(bits uint64)) {
	for i := range s.Row(slot).Len() {
		out = append(out, func(bits uint64) { s.FlipWord(slot, i, bits) })
	}
	if b := s.Body(slot); b.Key != 0 {
		for _, v := range []*float64{&b.X, &b.Y, &b.Angle, &b.VX, &b.VY, &b.W, &b.FX, &b.FY, &b.Torque} {
			out = append(out, func(bits uint64) { *v = math.Float64frombits(math.Float64bits(*v) ^ bits) })
		}
	}
	return out
}
