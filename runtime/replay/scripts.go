package replay

import (
	"errors"
	"fmt"
	"slices"

	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/world"
)

// maxLive bounds the memory of the scripts that one run keeps compiled, besides two of any size, in bytes, roughly. It is
// as many as somebody could save who saves ten times a second, for as long as a host can rewind.
const maxLive = 128 << 20

// memory returns roughly what a compiled bundle of so many bytes takes.
func memory(b *bundle.Bundle, size int) int {
	walls := len(b.Setup.Walls)
	for i := range b.Setup.Levels {
		walls += len(b.Setup.Levels[i].Walls)
	}
	return 1<<20 + 8*size + 1<<10*walls
}

// scripts compiles the bundles of a match for one run, each when the run first needs it. It keeps those that were
// needed last: a match may have had more than memory holds.
type scripts struct {
	file    *File
	compile world.Compile
	live    []liveScript // the last one that was needed is the last one
	edited  *liveScript  // in the place of the bundle with its number; may be nil
	shifted uint32       // that bundle itself has its number and this
	traced  func(world.Change)
}

// liveScript is a bundle that has been compiled.
type liveScript struct {
	number uint32
	memory int // of it
	bundle *bundle.Bundle
	script world.Script
}

// get returns the script of a bundle. inUse reports whether the run still has the script of another one. The error
// wraps ErrCorrupt, or is that of compile.
func (s *scripts) get(number uint32, inUse func(uint32) bool) (world.Script, error) {
	if s.edited != nil && s.edited.number == number {
		return s.edited.script, nil
	}
	if i := slices.IndexFunc(s.live, func(l liveScript) bool { return l.number == number }); i >= 0 {
		l := s.live[i]
		s.live = append(slices.Delete(s.live, i, i+1), l)
		return l.script, nil
	}
	m := s.file.bundle(number)
	if s.edited != nil && number == s.edited.number+s.shifted {
		m = s.file.bundle(s.edited.number)
	}
	if m == nil {
		return nil, fmt.Errorf("%w: bundle %d is not in it", ErrCorrupt, number)
	}
	if err := s.makeRoom(m.memory, inUse); err != nil {
		return nil, err
	}
	l, err := s.load(m)
	if err != nil {
		return nil, err
	}
	l.number = number
	s.live = append(s.live, l)
	return l.script, nil
}

// load compiles a bundle.
func (s *scripts) load(m *MatchBundle) (liveScript, error) {
	b, err := s.file.Source(m.Hash)
	if err != nil {
		return liveScript{}, err
	}
	script, err := s.compile(b.Files, b.Setup)
	if err == nil && script == nil {
		err = errors.New("compile returned neither a script nor an error")
	}
	if err != nil {
		return liveScript{}, fmt.Errorf("bundle %d of the replay: %w", m.Number, err)
	}
	l := liveScript{memory: m.memory, bundle: b, script: script}
	l.trace(s.traced)
	return l, nil
}

// makeRoom lets scripts go until one that takes so much memory may be added.
func (s *scripts) makeRoom(memory int, inUse func(uint32) bool) error {
	sum := memory
	for i := range s.live {
		sum += s.live[i].memory
	}
	for i := 0; i < len(s.live) && sum > maxLive; {
		if inUse(s.live[i].number) {
			i++
			continue
		}
		sum -= s.live[i].memory
		s.live = slices.Delete(s.live, i, i+1)
	}
	if sum > maxLive && len(s.live) > 1 {
		return fmt.Errorf("%w: %d bundles within the ticks that a host can rewind take more than %d MB of memory",
			ErrCorrupt, len(s.live)+1, maxLive>>20)
	}
	return nil
}

// bundle returns the bundle of a script that the run has.
func (s *scripts) bundle(number uint32) *bundle.Bundle {
	i := slices.IndexFunc(s.live, func(l liveScript) bool { return l.number == number })
	return s.live[i].bundle
}

// trace calls each with the changes that scripts make; nil ends that.
func (s *scripts) trace(each func(world.Change)) {
	s.traced = each
	for i := range s.live {
		s.live[i].trace(each)
	}
	if s.edited != nil {
		s.edited.trace(each)
	}
}

func (l *liveScript) trace(each func(world.Change)) {
	if tracer, ok := l.script.(world.ChangeTracer); ok {
		tracer.TraceChanges(each)
	}
}
