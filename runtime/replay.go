package runtime

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/replay"
	"github.com/hindcast/hindcast/world"
)

// Replay plays a recorded match again, as the host ended up with it: every
// tick is simulated once, with all the events that there were for it, late
// ones included.
//
//	file, err := replay.Open(f, size, packing)
//	r, err := runtime.OpenReplay(file, compile)
//	err = r.Seek(812)
//	show(r.State(), r.Schema())
type Replay struct {
	// Each is asked before every tick that is simulated; its error ends what is
	// being done. May be nil.
	Each func(t world.Tick) error
	// Cues is told of the cues of every tick that is simulated, whoever they are for.
	// May be nil.
	Cues func(world.Cue)

	file    *replay.File
	compile world.Compile
	bundles []ReplayBundle
	states  int

	run  *rerun
	also *rerun // takes in the same events; may be nil
	read feed
	// What of the ticks to come has been read: up to known, with what the host
	// found there.
	known    world.Tick
	marks    []ReplayMark
	evidence []evidence
	clock    world.Tick
	names    []ViewPlayer
}

// ReplayBundle is a bundle of a recorded match.
type ReplayBundle struct {
	*bundle.Bundle
	Number uint32
	Tick   world.Tick // in force from here on
	Hash   bundle.Hash
}

// ReplayMark is a tick as the host found it.
type ReplayMark struct {
	Tick  world.Tick
	Hash  uint64
	Final bool // it could not change any more
}

// evidence is a state as the host had it.
type evidence struct {
	tick world.Tick
	data []byte
}

// Damage is what is wrong with the file behind Last: replay.ErrTruncated where
// the host was killed while it wrote, else replay.ErrCorrupt; nil if nothing is.
func (r *Replay) Damage() error { return r.file.Damage }

// OpenReplay stands at the first tick of a file. What the match was played
// with is in it; compile makes scripts of that.
func OpenReplay(file *replay.File, compile world.Compile) (*Replay, error) {
	r := &Replay{file: file, compile: compile}
	for i := range file.Bundles {
		rec := &file.Bundles[i]
		if bundle.HashOf(rec.Data) != rec.Hash32 {
			return nil, fmt.Errorf("%w: bundle %d has another hash than it should", replay.ErrCorrupt, rec.Number)
		}
		b, err := bundle.Parse(rec.Data)
		if err != nil {
			return nil, fmt.Errorf("%w: bundle %d: %w", replay.ErrCorrupt, rec.Number, err)
		}
		r.bundles = append(r.bundles, ReplayBundle{Bundle: b, Number: rec.Number, Tick: rec.Tick, Hash: rec.Hash32})
	}
	r.states = statesKept(r.bundles[0].Bundle)
	scripts, err := r.scripts()
	if err != nil {
		return nil, err
	}
	r.run = &rerun{scripts: scripts, states: r.states, seen: r.bundles[0].Ticks(r.bundles[0].Rules.MaxSeen)}
	return r, r.restart(0)
}

// statesKept is how many states a host of bundle b keeps.
func statesKept(b *bundle.Bundle) int {
	return int(b.Ticks(b.Rules.MaxRewind)+b.Ticks(b.Rules.MaxSeen+queryTime)) + 2
}

// numbered is a script with the number of its bundle.
type numbered struct {
	number uint32
	world.Script
}

// scripts compiles all bundles, for one Timeline.
func (r *Replay) scripts() (out []numbered, err error) {
	for _, b := range r.bundles {
		s, err := r.compile(b.Files, b.Setup)
		if err != nil {
			return nil, fmt.Errorf("bundle %d of the replay: %w", b.Number, err)
		}
		out = append(out, numbered{b.Number, s})
	}
	return out, nil
}

// Bundles are those of the match in the order in which they came in force.
func (r *Replay) Bundles() []ReplayBundle { return r.bundles }

// First and Last are the ticks between which one can seek.
func (r *Replay) First() world.Tick { return r.file.Blocks[0].Key }

// Last is the last tick that the host is known to have simulated.
func (r *Replay) Last() world.Tick { return r.file.Blocks[len(r.file.Blocks)-1].To }

// Final is the last tick that is known to have been final.
func (r *Replay) Final() world.Tick { return r.file.Blocks[len(r.file.Blocks)-1].Final }

// Tick is where the replay stands.
func (r *Replay) Tick() world.Tick { return r.run.tl.Now() }

// State is the state after that tick. It is the Replay's own and changes with
// Step and Seek.
func (r *Replay) State() *world.State { return r.run.tl.At(r.run.tl.Now()) }

// Schema is the schema of that state.
func (r *Replay) Schema() *world.Schema { return r.run.tl.Schema(r.run.tl.Now()) }

// Mark is what the host found in the present tick; ok is false where it is not
// recorded.
func (r *Replay) Mark() (m ReplayMark, ok bool) {
	for _, m := range r.marks {
		if m.Tick == r.Tick() {
			return m, true
		}
	}
	return ReplayMark{}, false
}

// ErrNoTick: the tick is not in the replay.
var ErrNoTick = errors.New("not in the replay")

// Seek goes to a tick, forward or back: from the last keyframe before it.
func (r *Replay) Seek(t world.Tick) error {
	if t < r.First() || t > r.Last() {
		return fmt.Errorf("tick %d: %w: it has ticks %d to %d", t, ErrNoTick, r.First(), r.Last())
	}
	if i := r.file.KeyAt(t); t < r.Tick() || r.file.Blocks[i].Key > r.Tick() {
		if err := r.restart(i); err != nil {
			return err
		}
	}
	for r.Tick() < t {
		if err := r.Step(); err != nil {
			return err
		}
	}
	return nil
}

// Step simulates the next tick. At the end of the file it gives io.EOF, or what
// is wrong with the file there.
func (r *Replay) Step() error {
	next := r.Tick() + 1
	if r.Each != nil {
		if err := r.Each(next); err != nil {
			return err
		}
	}
	r.evidence = slices.DeleteFunc(r.evidence, func(e evidence) bool { return e.tick < next })
	for r.known < next {
		err := r.next()
		switch {
		case err == nil:
		case !errors.Is(err, io.EOF):
			return err
		case r.clock < next:
			return r.over()
		default:
			r.known = r.clock // nothing more will be told of these ticks
		}
	}
	for len(r.marks) > 0 && r.marks[0].Tick < next {
		r.marks = r.marks[1:]
	}
	tl := r.run.tl
	tl.KeepCues(r.Cues != nil)
	tl.Step()
	if r.Cues != nil {
		for _, c := range tl.Cues(tl.Now()) {
			r.Cues(c)
		}
	}
	return nil
}

// over is the error at the end of the file.
func (r *Replay) over() error {
	if r.file.Damage != nil && !errors.Is(r.file.Damage, replay.ErrTruncated) {
		return r.file.Damage
	}
	return io.EOF
}

// maxOpen is how many ticks can be open at most: max_rewind and a bit.
const maxOpen = 512

// restart begins at the keyframe of block i.
func (r *Replay) restart(i int) error {
	r.read = feed{file: r.file, block: i}
	r.marks, r.evidence, r.names = nil, nil, nil
	for {
		rec, err := r.read.next()
		if err != nil {
			return unlessEOF(err)
		}
		if rec.Kind != replay.Keyframe {
			continue
		}
		if rec.Clock < rec.Tick || rec.Clock-rec.Tick > maxOpen {
			return fmt.Errorf("%w: keyframe of tick %d at tick %d", replay.ErrCorrupt, rec.Tick, rec.Clock)
		}
		r.clock, r.known = rec.Clock, rec.Tick
		for _, n := range rec.Names {
			r.names = append(r.names, ViewPlayer{n.Player, n.Name})
		}
		return r.run.begin(rec)
	}
}

// next takes in the next record.
func (r *Replay) next() error {
	rec, err := r.read.next()
	if err != nil {
		return err
	}
	switch rec.Kind {
	case replay.Tick:
		if rec.Tick != r.clock+1 {
			return fmt.Errorf("%w: tick %d follows tick %d", replay.ErrCorrupt, rec.Tick, r.clock)
		}
		r.clock = rec.Tick
	case replay.Event:
		if r.also != nil {
			if err := r.also.insert(rec.Event); err != nil {
				return err
			}
		}
		return r.run.insert(rec.Event)
	case replay.Mark:
		if rec.Tick > r.clock || rec.Tick <= r.known {
			return fmt.Errorf("%w: hash of tick %d, at tick %d, after that of tick %d", replay.ErrCorrupt, rec.Tick, r.clock, r.known)
		}
		r.known = rec.Tick
		r.marks = append(r.marks, ReplayMark{rec.Tick, rec.Hash, rec.Final})
	case replay.Keyframe, replay.State:
		r.evidence = append(r.evidence, evidence{rec.Tick, rec.State})
	case replay.Name:
		r.names = append(r.names, ViewPlayer{rec.Player, rec.Text})
	}
	return nil
}

// View fills v with the present tick.
func (r *Replay) View(v *View) {
	*v = View{Stage: StageReplay, Status: StageReplay.String(), Bodies: v.Bodies[:0], Players: v.Players[:0], Confirmed: r.Final(), Game: r.bundle(r.State().Bundle).Game}
	v.show(r.State(), r.Schema())
	for _, p := range r.State().Players {
		if p.Left == 0 {
			v.Players = append(v.Players, ViewPlayer{p.ID, r.name(p.ID)})
		}
	}
}

func (r *Replay) name(id world.PlayerID) (name string) {
	for _, n := range r.names {
		if n.ID == id {
			name = n.Name
		}
	}
	return name
}

func (r *Replay) bundle(number uint32) *ReplayBundle {
	for i := range r.bundles {
		if r.bundles[i].Number == number {
			return &r.bundles[i]
		}
	}
	return &r.bundles[0]
}
