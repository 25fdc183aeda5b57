package replay

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/hindcast/hindcast/world"
)

// feed reads the records of a file one after the other.
type feed struct {
	file  *File
	block int
	rest  records
	rec   Record
}

// next returns the next record, which is valid until the call after, or io.EOF.
func (f *feed) next() (*Record, error) {
	for f.rest.done() {
		if f.block == len(f.file.Blocks) {
			return nil, io.EOF
		}
		rest, err := f.file.records(f.block)
		if err != nil {
			return nil, err
		}
		f.rest = rest
		f.block++
	}
	return &f.rec, f.rest.next(&f.rec)
}

// header returns the header of the block of the last record.
func (f *feed) header() *Block { return &f.file.Blocks[f.block-1] }

// keyframe reads up to the next keyframe.
func (f *feed) keyframe() (*Record, error) {
	for {
		rec, err := f.next()
		if errors.Is(err, io.EOF) {
			return nil, fmt.Errorf("%w: a keyframe is missing", ErrCorrupt)
		}
		if err != nil || rec.Kind == Keyframe {
			return rec, err
		}
	}
}

// tape has the records of coming ticks that have been read.
type tape struct {
	feed   feed
	clock  world.Tick                // the last tick that the host had simulated
	known  world.Tick                // the hashes of ticks up to here have been read
	hashes []TickHash                // of ticks not simulated yet, and of the last one
	states []recordedState           // of the same ticks, as many as fit into MaxBlock
	kept   int                       // bytes of states
	names  map[world.PlayerID]string // looked up only
}

// TickHash is the host's hash of a tick.
type TickHash struct {
	Tick      world.Tick
	Hash      uint64 // of the host's state after the tick
	Committed bool   // the tick was committed
}

// recordedState is a state of the host.
type recordedState struct {
	tick world.Tick
	data []byte
}

// maxOpen is the most ticks that can be uncommitted: those of max_rewind, with some slack.
const maxOpen = 512

// begin moves to the keyframe of a block and returns it.
func (t *tape) begin(file *File, block int) (*Record, error) {
	*t = tape{feed: feed{file: file, block: block}, names: map[world.PlayerID]string{}}
	rec, err := t.feed.keyframe()
	if err != nil {
		return nil, err
	}
	if h := t.feed.header(); h.Key != rec.Tick || rec.Clock > h.To {
		return nil, fmt.Errorf("%w: a keyframe of tick %d at tick %d in a block with one of tick %d that ends at tick %d",
			ErrCorrupt, rec.Tick, rec.Clock, h.Key, h.To)
	}
	if rec.Clock < rec.Tick || rec.Clock-rec.Tick > maxOpen {
		return nil, fmt.Errorf("%w: keyframe of tick %d at tick %d", ErrCorrupt, rec.Tick, rec.Clock)
	}
	t.clock, t.known = rec.Clock, rec.Tick
	for _, n := range rec.Names {
		t.names[n.Player] = n.Name
	}
	return rec, nil
}

// began notes the hash of the keyframe's state, the host's own. The record with the hash of that tick
// is in front of the keyframe and has not been read.
func (t *tape) began(hash uint64) {
	if t.known > 0 {
		t.hashes = append(t.hashes, TickHash{Tick: t.known, Hash: hash, Committed: true})
	}
}

// next reads the next record, and calls insert for an event.
func (t *tape) next(insert func(world.Event) error) error {
	rec, err := t.feed.next()
	if err != nil {
		return err
	}
	switch rec.Kind {
	case Tick:
		if rec.Tick != t.clock+1 {
			return fmt.Errorf("%w: tick %d follows tick %d", ErrCorrupt, rec.Tick, t.clock)
		}
		if rec.Tick > t.known+maxOpen {
			return fmt.Errorf("%w: tick %d without the hash of tick %d", ErrCorrupt, rec.Tick, t.known+1)
		}
		if last := t.feed.header().To; rec.Tick > last {
			return fmt.Errorf("%w: tick %d in a block that ends at tick %d", ErrCorrupt, rec.Tick, last)
		}
		t.clock = rec.Tick
	case Event:
		return insert(rec.Event)
	case Mark:
		if rec.Tick > t.clock || rec.Tick != t.known+1 {
			return fmt.Errorf("%w: hash of tick %d, at tick %d, after that of tick %d", ErrCorrupt, rec.Tick,
				t.clock, t.known)
		}
		t.known = rec.Tick
		t.hashes = append(t.hashes, TickHash{rec.Tick, rec.Hash, rec.Committed})
	case Keyframe:
		if h := t.feed.header(); !h.HasKey || h.Key != rec.Tick {
			return fmt.Errorf("%w: a keyframe of tick %d, which the header of its block does not have", ErrCorrupt, rec.Tick)
		}
		return t.addState(rec)
	case State:
		return t.addState(rec)
	case End:
		if t.known != t.clock {
			return fmt.Errorf("%w: it ends at tick %d without the hash of tick %d", ErrCorrupt, t.clock, t.known+1)
		}
	case Name:
		t.names[rec.Player] = rec.Text
	}
	return nil
}

// addState keeps the state of a record, if there is room. Whatever it would have told, the hash of its tick tells, too.
func (t *tape) addState(rec *Record) error {
	if rec.Tick > t.clock {
		return fmt.Errorf("%w: state of tick %d, at tick %d", ErrCorrupt, rec.Tick, t.clock)
	}
	s := recordedState{rec.Tick, rec.State}
	if t.kept+s.size() > MaxBlock {
		return nil
	}
	t.kept += s.size()
	s.data = slices.Clone(s.data) // a part of the block would keep all of it
	t.states = append(t.states, s)
	return nil
}

// size returns roughly the memory of the state.
func (s *recordedState) size() int { return 1<<10 + len(s.data) }

// readTo reads all records for a tick. At the end of the file it returns io.EOF.
func (t *tape) readTo(tick world.Tick, insert func(world.Event) error) error {
	t.states = slices.DeleteFunc(t.states, func(s recordedState) bool {
		if s.tick >= tick {
			return false
		}
		t.kept -= s.size()
		return true
	})
	for t.known < tick {
		err := t.next(insert)
		switch {
		case err == nil:
		case errors.Is(err, io.EOF) && t.clock != t.feed.header().To:
			return fmt.Errorf("%w: its last block says that it ends at tick %d, and it ends at tick %d", ErrCorrupt,
				t.feed.header().To, t.clock)
		case !errors.Is(err, io.EOF) || t.clock < tick:
			return err
		default:
			t.known = t.clock // the file has nothing more about these ticks
		}
	}
	for len(t.hashes) > 0 && t.hashes[0].Tick < tick {
		t.hashes = t.hashes[1:]
	}
	return nil
}

// rest returns a feed of the records that have not been read.
func (t *tape) rest() feed { return t.feed }

// keyframe returns the keyframe that the tape began with, until the next record is read.
func (t *tape) keyframe() *Record { return &t.feed.rec }

// recordedStates returns the states that have been read of ticks from the present on.
func (t *tape) recordedStates() []recordedState { return t.states }

// hash returns the hash of a tick.
func (t *tape) hash(tick world.Tick) (h TickHash, ok bool) {
	for _, h := range t.hashes {
		if h.Tick == tick {
			return h, true
		}
	}
	return TickHash{}, false
}

// stateFrom returns the first recorded state that has been read of a tick or a later one,
// nil if there is none.
func (t *tape) stateFrom(tick world.Tick) *recordedState {
	for i := range t.states {
		if t.states[i].tick >= tick {
			return &t.states[i]
		}
	}
	return nil
}

// name returns the name of a player.
func (t *tape) name(id world.PlayerID) string { return t.names[id] }
