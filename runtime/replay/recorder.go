package replay

import (
	"io"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/world"
)

// Recorder writes the replay of a match while it is played. Put it into
// host.Config.Recorder: the host calls its other methods. They do nothing on a nil
// Recorder.
//
// A replay has everything that determines the match, with the time of its arrival:
// bundles, seed, events, the hash of every committed tick, keyframes. It also has the
// relayed chat. It does not have the output of scripts.
//
// The Recorder writes once a second, so a host that is killed loses less than that. When
// writing fails, the match goes on without it; see Err.
type Recorder struct {
	file    *Writer
	bundles map[bundle.Hash]bool    // the bundles in the file; only looked up
	objects map[world.ObjectID]bool // the objects whose class is in the file; only looked up
	every   world.Tick              // length of a block
	key     world.Tick              // the tick of the last keyframe
	failed  bool                    // Ticked has returned the error
	ended   bool
}

// keyframeSeconds is the time between keyframes. Seeking simulates that much at most.
const keyframeSeconds = 2

// NewRecorder begins a replay on out. packing compresses it; nil: it is stored as it is.
// Without out, Err is ErrNoWriter, and host.New refuses the Recorder.
func NewRecorder(out io.Writer, packing Packing) *Recorder {
	return &Recorder{file: NewWriter(out, packing), bundles: map[bundle.Hash]bool{}, objects: map[world.ObjectID]bool{}}
}

// Err returns the first error of writing, nil if there was none.
func (r *Recorder) Err() error { return r.file.Err() }

// Start records the keyframe before tick 1. The first bundle must have been recorded.
// The tick rate decides how often blocks are written.
func (r *Recorder) Start(tickRate int, keyframe func() Record) {
	if r == nil {
		return
	}
	r.every = world.Tick(tickRate)
	r.Keyframe(keyframe())
	_ = r.file.Flush() // Err has it
}

// Bundle records a bundle that takes effect at a tick. Its bytes are written only the
// first time.
func (r *Recorder) Bundle(number uint32, from world.Tick, hash bundle.Hash, data []byte) {
	if r == nil {
		return
	}
	rec := Record{Kind: Bundle, Number: number, Tick: from, Hash32: hash}
	if !r.bundles[hash] {
		r.bundles[hash], rec.Data = true, data
	}
	r.file.Add(&rec)
}

// Event records an event that has just arrived. s is the present state, and schema its schema.
func (r *Recorder) Event(e *world.Event, s *world.State, schema *world.Schema) {
	if r == nil {
		return
	}
	if wire.UsesChannel(e.Kind) && !r.objects[e.Object] {
		if slot, ok := s.Find(e.Object); ok {
			r.objects[e.Object] = true
			r.file.Add(&Record{Kind: Object, Object: e.Object, Text: schema.Classes[s.Objects[slot].Class].Name})
		}
	}
	r.file.Add(&Record{Kind: Event, Event: *e})
}

// Ticked records that a tick was simulated. It returns the first error of writing, once.
func (r *Recorder) Ticked(t world.Tick) error {
	if r == nil {
		return nil
	}
	r.file.Add(&Record{Kind: Tick, Tick: t})
	if t%r.every == 0 {
		_ = r.file.Flush() // Err has it
	}
	err := r.file.Err()
	if err == nil || r.failed {
		return nil
	}
	r.failed = true
	return err
}

// Committed records the hash of a tick that cannot change any more, and a keyframe of that
// tick if one is due.
func (r *Recorder) Committed(t world.Tick, hash uint64, keyframe func() Record) {
	if r == nil {
		return
	}
	r.file.Add(&Record{Kind: Mark, Tick: t, Hash: hash, Committed: true})
	if t >= r.key+keyframeSeconds*r.every {
		r.Keyframe(keyframe())
	}
}

// Keyframe records what a simulation from a committed tick on needs: what a client that
// joins then would get.
func (r *Recorder) Keyframe(rec Record) {
	rec.Kind = Keyframe
	r.file.Add(&rec)
	r.key = rec.Tick
	clear(r.objects) // most of them may be gone
}

// Name records the name of a player.
func (r *Recorder) Name(p world.PlayerID, name string) {
	if r != nil {
		r.file.Add(&Record{Kind: Name, Player: p, Text: name})
	}
}

// Chat records a line of chat that a player, or the host (0), said to all.
func (r *Recorder) Chat(p world.PlayerID, text string) {
	if r != nil {
		r.file.Add(&Record{Kind: Chat, Player: p, Text: text})
	}
}

// Correction records that a player was sent a correction of tick t.
func (r *Recorder) Correction(p world.PlayerID, t world.Tick, id world.ObjectID, distance float64) {
	if r != nil {
		r.file.Add(&Record{Kind: Correction, Tick: t, Player: p, Object: id, Distance: distance})
	}
}

// Notice records that inputs of a player were not applied.
func (r *Recorder) Notice(p world.PlayerID, count int, newest world.Tick, reason string) {
	if r != nil {
		r.file.Add(&Record{Kind: Notice, Tick: newest, Player: p, Count: count, Text: reason})
	}
}

// State records the state of a tick that somebody doubts. With it Verify can name the
// object and the field that differ.
func (r *Recorder) State(t world.Tick, state []byte) {
	if r != nil {
		r.file.Add(&Record{Kind: State, Tick: t, State: state})
	}
}

// Open records the hash of a tick that can still change when the match ends.
func (r *Recorder) Open(t world.Tick, hash uint64) {
	if r != nil {
		r.file.Add(&Record{Kind: Mark, Tick: t, Hash: hash})
	}
}

// Ended reports whether nothing is recorded any more.
func (r *Recorder) Ended() bool { return r == nil || r.ended }

// End records that the match has ended.
func (r *Recorder) End() {
	if r.Ended() {
		return
	}
	r.ended = true
	r.file.Add(&Record{Kind: End})
	_ = r.file.Flush() // Err has it
}
