package simtest

import (
	"bytes"
	"errors"
	"testing"

	"github.com/hindcast/hindcast/runtime/host"
	"github.com/hindcast/hindcast/runtime/replay"
	"github.com/hindcast/hindcast/world"
)

// Replay ends the match and returns its replay.
func (s *Sim) Replay() []byte {
	s.Host.Shutdown(s.Now, "over")
	return s.record.Bytes()
}

// OpenReplay opens a replay in memory. Its errors are those of replay.Open and
// replay.NewPlayer.
func (s *Sim) OpenReplay(data []byte) (*replay.Player, error) {
	file, err := replay.Open(bytes.NewReader(data), int64(len(data)), nil)
	if err != nil {
		return nil, err
	}
	return replay.NewPlayer(file, s.opts.Compile)
}

// verifyTicks is how many ticks of the replay of each match are verified; 0: all. The tests of this package change it.
var verifyTicks world.Tick

// verifyReplay runs at the end of a test. It verifies the replay of a match that did
// not fail. If a bit was flipped, verification must name it.
func (s *Sim) verifyReplay(cfg *host.Config) {
	fault := cfg.Fault.Tick
	if _, test := s.tb.(*testing.T); !test || s.tb.Failed() || s.Host == nil || s.Host.Now() == 0 ||
		cfg.Recorder != s.recorder {
		return
	}
	r, err := s.OpenReplay(s.Replay())
	if err != nil {
		s.tb.Errorf("the replay of this match: %v", err)
		return
	}
	last := r.Last()
	if fault == 0 && verifyTicks > 0 {
		last = min(last, verifyTicks)
	}
	done, err := r.Verify(last)
	s.tally.verified(&done)
	var d *replay.Divergence
	switch {
	case fault != 0 && fault <= s.Host.Now():
		if !errors.As(err, &d) || d.Tick != fault || len(d.Differences) == 0 {
			s.tb.Errorf("a bit was flipped in tick %d, the replay says: %v", fault, err)
		}
	case err != nil:
		s.tb.Errorf("the replay of this match: %v", err)
	case done.Ticks != int(last) || r.Last() != s.Host.Now():
		s.tb.Errorf("the replay of a match of %d ticks, %d of which were verified: %+v", s.Host.Now(), last, done)
	}
}
