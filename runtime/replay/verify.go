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
	// Sought says that both agree with the recording, and that the run that begins at the keyframe before
	// Tick does not.
	Sought bool
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
	switch {
	case d.Rewound:
		how = "rewound again"
	case d.Sought:
		how = "from the keyframe before it"
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

// Verify simulates the match again up to tick last, three times at the same time: once simulating
// each tick once, once rewinding for every late input as the host did, and once from the keyframe
// before each tick, as Seek does. It compares all of them with the recorded hash of every tick, and
// with every recorded state. The error is a
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
	again  *rerun  // rewinds as the host did
	host   feed    // the same records, in the order in which they arrived
	sought *Player // plays from the last keyframe, as Seek does
	block  int     // with that keyframe
	done   Verified
}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}

// begin starts the second run at the first keyframe.
func (v *verifier) begin() error {
	again, err := newRerunWith(v.player.scripts(), 0)
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
	if err := v.again.check(); err != nil {
		return err
	}
	v.sought, err = NewPlayer(v.player.file, v.player.compile)
	return err
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
	if err := v.seek(h); err != nil {
		return err
	}
	v.done.Ticks++
	if h.Committed {
		v.done.Committed++
	}
	return v.compareStates()
}

// seek compares the present tick with what Seek shows of it: what a keyframe says besides its state counts in the ticks
// after it.
func (v *verifier) seek(h TickHash) error {
	if i := v.player.file.KeyAt(h.Tick); i != v.block {
		if err := v.sought.restart(i); err != nil {
			return err
		}
		v.block = i
	}
	for v.sought.Tick() < h.Tick {
		if err := v.sought.Step(); err != nil {
			return err
		}
	}
	once, got := v.player.State(), v.sought.State()
	if once.Hash() == got.Hash() {
		return nil
	}
	return &Divergence{Tick: h.Tick, At: h.Tick, Recorded: h.Hash, Got: got.Hash(), Sought: true,
		Differences: world.Diff(once, got, v.player.Schema(), maxDifferences)}
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
			if err := v.again.check(); err != nil {
				return err
			}
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

// farAhead is for how many ticks explain reads on: there is a keyframe every two seconds.
const farAhead = 1 << 12

// explain finds the difference in a tick in which no run has the recorded hash: by a
// recorded state of the tick, by a flipped bit, or by the next recorded state.
func (v *verifier) explain(d *Divergence) {
	for more := true; more; more = v.player.tape.clock < d.Tick+farAhead && v.player.tape.next(v.player.insert) == nil {
		if s := v.player.tape.stateFrom(d.Tick); s != nil {
			if s.tick == d.Tick {
				d.Differences, _, _ = v.differences(s)
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
			d.Differences, _, _ = v.differences(s)
			return
		}
	}
}

// differences compares a recorded state with that of a run. compared is false if no run has a state of its tick any more.
func (v *verifier) differences(recorded *recordedState) (different []world.Difference, compared bool, err error) {
	s, err := v.player.run.parse(recorded.data, recorded.tick)
	if err != nil {
		return nil, false, err
	}
	run := v.player.run
	if run.at(recorded.tick) == nil {
		run = v.again // which keeps more states
	}
	mine := run.at(recorded.tick)
	if mine == nil || mine.Hash() == s.Hash() {
		return nil, mine != nil, nil
	}
	return world.Diff(s, mine, run.schema(recorded.tick), maxDifferences), true, nil
}

// compareStates compares the recorded states of past ticks.
func (v *verifier) compareStates() error {
	for _, s := range v.player.tape.recordedStates() {
		if s.tick > v.player.Tick() {
			continue
		}
		different, compared, err := v.differences(&s)
		if err != nil {
			return err
		}
		v.done.States += one(compared)
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
