package runtime

import (
	"io"
	"log/slog"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/replay"
	"github.com/hindcast/hindcast/world"
)

// Recorder writes the replay of a host's match while it is played: put it into
// HostConfig.Recorder. Everything that decides about the match is in it, with
// the time at which it came: bundles, seed, events, the hash of every final
// tick, keyframes. What it leaves out: chat, and what scripts print.
//
// It writes once a second; a host that is killed loses less than that. When
// writing fails, the match goes on without it: see Err.
type Recorder struct {
	file    *replay.Writer
	known   map[bundle.Hash]bool    // bundles that are in the file; looked up only
	objects map[world.ObjectID]bool // whose class is in the file; looked up only
	every   world.Tick              // a block
	key     world.Tick              // the last keyframe
	failed  bool                    // it has been logged
	ended   bool
}

// keyframeSeconds is how far keyframes are apart: seeking simulates so much at
// most.
const keyframeSeconds = 2

// NewRecorder begins a replay on out. packing compresses it; nil: it is stored
// as it is.
func NewRecorder(out io.Writer, packing replay.Packing) *Recorder {
	return &Recorder{file: replay.NewWriter(out, packing), known: map[bundle.Hash]bool{}, objects: map[world.ObjectID]bool{}}
}

// Err is the first error of writing, nil if there was none.
func (r *Recorder) Err() error { return r.file.Err() }

// begin writes what stands before tick 1: the bundle and a keyframe.
func (r *Recorder) begin(a *announced, key func() replay.Record) {
	if r == nil {
		return
	}
	r.every = world.Tick(a.Bundle.Setup.TickRate)
	r.bundle(a)
	r.keyframe(key())
	_ = r.file.Flush() // Err has it
}

// bundle writes a bundle, its bytes only the first time.
func (r *Recorder) bundle(a *announced) {
	if r == nil {
		return
	}
	rec := replay.Record{Kind: replay.Bundle, Number: a.Number, Tick: a.Tick, Hash32: a.Hash}
	if !r.known[a.Hash] {
		r.known[a.Hash], rec.Data = true, a.Bytes
	}
	r.file.Add(&rec)
}

// event writes an event that has just come. class names the class of its object, which is in
// s, with that schema.
func (r *Recorder) event(e *world.Event, s *world.State, schema *world.Schema) {
	if r == nil {
		return
	}
	if wire.UsesChannel(e.Kind) && !r.objects[e.Object] {
		if slot, ok := s.Find(e.Object); ok {
			r.objects[e.Object] = true
			r.file.Add(&replay.Record{Kind: replay.Object, Object: e.Object, Text: schema.Classes[s.Objects[slot].Class].Name})
		}
	}
	r.file.Add(&replay.Record{Kind: replay.Event, Event: *e})
}

// ticked writes that a tick was simulated.
func (r *Recorder) ticked(t world.Tick, log *slog.Logger) {
	if r == nil {
		return
	}
	r.file.Add(&replay.Record{Kind: replay.Tick, Tick: t})
	if t%r.every == 0 {
		_ = r.file.Flush() // Err has it
	}
	if err := r.file.Err(); err != nil && !r.failed {
		r.failed = true
		log.Error("no longer recorded, the match goes on: " + err.Error())
	}
}

// commit writes the hash of a tick that cannot change any more, and now and then a keyframe.
func (r *Recorder) commit(t world.Tick, hash uint64, key func() replay.Record) {
	if r == nil {
		return
	}
	r.file.Add(&replay.Record{Kind: replay.Mark, Tick: t, Hash: hash, Final: true})
	if t >= r.key+keyframeSeconds*r.every {
		r.keyframe(key())
		clear(r.objects) // most of those that there were may be gone
	}
}

func (r *Recorder) keyframe(rec replay.Record) {
	r.file.Add(&rec)
	r.key = rec.Tick
}

// name writes what a player is called.
func (r *Recorder) name(player world.PlayerID, name string) {
	if r != nil {
		r.file.Add(&replay.Record{Kind: replay.Name, Player: player, Text: name})
	}
}

// correction writes that a player was sent a correction.
func (r *Recorder) correction(player world.PlayerID, t world.Tick, id world.ObjectID, distance float64) {
	if r != nil {
		r.file.Add(&replay.Record{Kind: replay.Correction, Tick: t, Player: player, Object: id, Distance: distance})
	}
}

// notice writes that inputs were not applied.
func (r *Recorder) notice(player world.PlayerID, n *wire.Notice) {
	if r != nil {
		r.file.Add(&replay.Record{Kind: replay.Notice, Tick: n.Tick, Player: player, Count: int(n.Count), Text: n.Reason})
	}
}

// state writes the state of a tick that somebody doubts: with it the replay
// can name object and field.
func (r *Recorder) state(t world.Tick, data []byte) {
	if r != nil {
		r.file.Add(&replay.Record{Kind: replay.State, Tick: t, State: data})
	}
}

// open writes the hash of a tick that can still change when the match ends.
func (r *Recorder) open(t world.Tick, hash uint64) {
	r.file.Add(&replay.Record{Kind: replay.Mark, Tick: t, Hash: hash})
}

// end writes that this is all.
func (r *Recorder) end() {
	r.ended = true
	r.file.Add(&replay.Record{Kind: replay.End})
	_ = r.file.Flush() // Err has it
}

// over reports whether nothing more is to be written.
func (r *Recorder) over() bool { return r == nil || r.ended }
