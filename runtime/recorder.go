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

// begin writes what stands before tick 1.
func (r *Recorder) begin(h *Host) {
	if r == nil {
		return
	}
	r.every = world.Tick(h.bundles[0].bundle.Setup.TickRate)
	r.bundle(h.bundles[0])
	r.keyframe(h)
	_ = r.file.Flush() // Err has it
}

// bundle writes a bundle, its bytes only the first time.
func (r *Recorder) bundle(a *announced) {
	if r == nil {
		return
	}
	rec := replay.Record{Kind: replay.Bundle, Number: a.number, Tick: a.tick, Hash32: a.hash}
	if !r.known[a.hash] {
		r.known[a.hash], rec.Data = true, a.bytes
	}
	r.file.Add(&rec)
}

// event writes an event that has just come.
func (r *Recorder) event(h *Host, e *world.Event) {
	if r == nil {
		return
	}
	if wire.UsesChannel(e.Kind) && !r.objects[e.Object] {
		if slot, ok := h.State().Find(e.Object); ok {
			r.objects[e.Object] = true
			r.file.Add(&replay.Record{Kind: replay.Object, Object: e.Object, Text: h.Schema().Classes[h.State().Objects[slot].Class].Name})
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

// final writes the hash of a tick that cannot change any more.
func (r *Recorder) final(h *Host) {
	if r == nil {
		return
	}
	r.file.Add(&replay.Record{Kind: replay.Mark, Tick: h.final, Hash: h.finalSum, Final: true})
	if h.final >= r.key+keyframeSeconds*r.every {
		r.keyframe(h)
		clear(r.objects) // most of those that there were may be gone
	}
}

// keyframe writes what a simulation from the last final tick on needs: what
// one who joins now would get.
func (r *Recorder) keyframe(h *Host) {
	key := h.tl.Keyframe(h.final, false)
	s := key.State
	rec := replay.Record{Kind: replay.Keyframe, Tick: h.final, Clock: h.tl.Now(), State: h.stateBytes(s), Trail: key.Poses, Held: key.Held}
	for _, e := range h.applied.Withheld() { // before the log: of two inputs for the same tick the later one counts
		if e.Tick > h.final {
			rec.Coming = append(rec.Coming, e)
		}
	}
	for seq := h.applied.Since(h.final); seq < h.applied.End(); seq++ {
		if a := h.applied.At(seq); a.IsEvent() && a.Event.Tick > h.final {
			rec.Coming = append(rec.Coming, a.Event)
		}
	}
	for _, p := range h.peers {
		if p.stage == stagePlaying {
			rec.Names = append(rec.Names, replay.Named{Player: p.player, Name: p.name})
		}
	}
	r.file.Add(&rec)
	r.key = h.final
}

// name writes what a player is called.
func (r *Recorder) name(p *peer) {
	if r != nil {
		r.file.Add(&replay.Record{Kind: replay.Name, Player: p.player, Text: p.name})
	}
}

// correction writes that a player was sent a correction.
func (r *Recorder) correction(p *peer, t world.Tick, id world.ObjectID, distance float64) {
	if r != nil {
		r.file.Add(&replay.Record{Kind: replay.Correction, Tick: t, Player: p.player, Object: id, Distance: distance})
	}
}

// notice writes that inputs were not applied.
func (r *Recorder) notice(p *peer, count int, newest world.Tick, why string) {
	if r != nil {
		r.file.Add(&replay.Record{Kind: replay.Notice, Tick: newest, Player: p.player, Count: count, Text: why})
	}
}

// state writes the state of a tick that somebody doubts: with it the replay
// can name object and field.
func (r *Recorder) state(h *Host, s *world.State) {
	if r != nil {
		r.file.Add(&replay.Record{Kind: replay.State, Tick: s.Tick, State: h.stateBytes(s)})
	}
}

// end writes the hashes of the ticks that are still open, and that this is all.
func (r *Recorder) end(h *Host, states bool) {
	if r == nil || r.ended {
		return
	}
	r.ended = true
	h.tl.Rewind() // for inputs that came while the room was paused
	for t := h.final + 1; t <= h.tl.Now(); t++ {
		r.file.Add(&replay.Record{Kind: replay.Mark, Tick: t, Hash: h.tl.At(t).Hash()})
		if states {
			r.state(h, h.tl.At(t))
		}
	}
	r.file.Add(&replay.Record{Kind: replay.End})
	_ = r.file.Flush() // Err has it
}

// WriteReplay writes a replay of all that can still change: the last final
// state, the events since, and every state since as this host has it. Played
// with -verify it shows where these states are not what the events give: the
// thing to keep when check mode finds a difference.
func (h *Host) WriteReplay(out io.Writer, packing replay.Packing) error {
	r := NewRecorder(out, packing)
	for _, a := range h.bundles {
		if a.bytes != nil && h.tl.Script(a.number) != nil {
			r.bundle(a)
		}
	}
	r.keyframe(h)
	r.end(h, true)
	return r.Err()
}
