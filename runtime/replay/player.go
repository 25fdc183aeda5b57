package replay

import (
	"errors"
	"fmt"
	"io"

	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/world"
)

// Player plays a recorded match again, in its committed form: it simulates every tick
// once, with all its events, late ones included.
//
//	file, err := replay.Open(f, size, packing)
//	p, err := replay.NewPlayer(file, compile)
//	err = p.Seek(812)
//	show(p.State(), p.Schema())
type Player struct {
	// Each is called before every tick that is simulated. Its error ends the call. May
	// be nil.
	Each func(t world.Tick) error
	// Cues is called with the cues for all players, of every tick that is simulated. May
	// be nil.
	Cues func(world.Cue)

	file    *File
	compile world.Compile
	run     *rerun
	also    *rerun // gets the same events; may be nil
	tape    tape
	failed  error // of the last restart or Step: the tape and the run do not fit together
}

// ErrNoTick is the error of a tick that is not in the replay.
var ErrNoTick = errors.New("not in the replay")

// NewPlayer returns a player at the first tick of a file. The file has the scripts of the
// match; compile compiles them, each when it is first needed. The error wraps ErrCorrupt, or is
// that of compile.
func NewPlayer(file *File, compile world.Compile) (*Player, error) {
	switch {
	case file == nil:
		return nil, errors.New("replay: no file to play: Open one")
	case compile == nil:
		return nil, errors.New("replay: no world.Compile for the scripts of the match, such as luabind.Compile")
	}
	p := &Player{file: file, compile: compile}
	run, err := newRerun(p.scripts())
	if err != nil {
		return nil, err
	}
	p.run = run
	return p, p.restart(0)
}

// scripts returns the scripts of another run.
func (p *Player) scripts() scripts { return scripts{file: p.file, compile: p.compile} }

// Damage returns the error of the file after Last: ErrTruncated if the host was killed
// while it wrote, otherwise ErrCorrupt; nil if there is none.
func (p *Player) Damage() error { return p.file.Damage }

// Bundles returns the bundles of the match in the order in which they took effect.
func (p *Player) Bundles() []MatchBundle { return p.file.Bundles }

// First returns the first tick that Seek can go to.
func (p *Player) First() world.Tick { return p.file.Blocks[0].Key }

// Last returns the last tick that the host is known to have simulated.
func (p *Player) Last() world.Tick { return p.file.Blocks[len(p.file.Blocks)-1].To }

// Committed returns the last tick that is known to have been committed.
func (p *Player) Committed() world.Tick { return p.file.Blocks[len(p.file.Blocks)-1].Committed }

// Tick returns the present tick.
func (p *Player) Tick() world.Tick { return p.run.now() }

// State returns the state after the present tick. It belongs to the Player and changes
// with Step and Seek.
func (p *Player) State() *world.State { return p.run.at(p.run.now()) }

// Schema returns the schema of the present state.
func (p *Player) Schema() *world.Schema { return p.run.schema(p.run.now()) }

// Source returns a bundle of the match by its hash, as File.Source does.
func (p *Player) Source(h bundle.Hash) (*bundle.Bundle, error) { return p.file.Source(h) }

// Bundle returns the bundle of the present state, with the newest view.lua that it had.
func (p *Player) Bundle() *bundle.Bundle { return p.run.scripts.bundle(p.State().Bundle) }

// Name returns the name of a player, "" if it is not recorded.
func (p *Player) Name(id world.PlayerID) string { return p.tape.name(id) }

// Hash returns the hash that the host had of the present tick. ok is false if it is not
// recorded: before tick 1, and for the last ticks of a host that was killed.
func (p *Player) Hash() (h TickHash, ok bool) { return p.tape.hash(p.Tick()) }

// Seek goes to a tick, forward or back. It simulates from the last keyframe before it, or
// from the present tick if that is nearer. The error wraps ErrNoTick if the file does not
// have the tick, or is one of Step.
func (p *Player) Seek(t world.Tick) error {
	if t < p.First() || t > p.Last() {
		return fmt.Errorf("tick %d: %w: it has ticks %d to %d", t, ErrNoTick, p.First(), p.Last())
	}
	if i := p.file.KeyAt(t); p.failed != nil || t < p.Tick() || p.file.Blocks[i].Key > p.Tick() {
		if err := p.restart(i); err != nil {
			return err
		}
	}
	for p.Tick() < t {
		if err := p.Step(); err != nil {
			return err
		}
	}
	return nil
}

// Step simulates the next tick. At the end of the file it returns io.EOF, or the error of
// the file there. After another error it returns that, until Seek has gone to another tick.
func (p *Player) Step() error {
	if p.failed != nil {
		return p.failed
	}
	next := p.Tick() + 1
	if p.Each != nil {
		if err := p.Each(next); err != nil {
			return err
		}
	}
	switch err := p.tape.readTo(next, p.insert); {
	case errors.Is(err, io.EOF) && p.file.Damage != nil && !errors.Is(p.file.Damage, ErrTruncated):
		return p.file.Damage
	case errors.Is(err, io.EOF):
		return err
	case err != nil:
		p.failed = err
		return err
	}
	if p.Cues == nil {
		p.run.step()
		return nil
	}
	for _, c := range p.run.stepWithCues() {
		p.Cues(c)
	}
	return nil
}

func (p *Player) insert(e world.Event) error {
	if p.also != nil {
		if err := p.also.insert(e); err != nil {
			return err
		}
	}
	return p.run.insert(e)
}

// restart begins at the keyframe of a block. After an error, the state is the one before.
func (p *Player) restart(block int) error {
	rec, err := p.tape.begin(p.file, block)
	if err == nil {
		err = p.run.begin(rec)
	}
	if p.failed = err; err != nil {
		return err
	}
	p.tape.began(p.State().Hash())
	return nil
}
