package host

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/internal/side"
	"github.com/hindcast/hindcast/runtime/replay"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

// Config configures a Host. Its functions run on the goroutine that calls the Host, the driving
// goroutine of a Driver, and the room waits for them. Admit, Confirmed, Rewound and Displaced are called
// in the midst of Poll, Update or Tick: they may read the Host. To act on the room, use the
// callbacks in On. Driver.Do in any of them runs its function at once, with the same limits.
type Config struct {
	Bundle  *bundle.Bundle
	Compile world.Compile // called by New only
	Link    link.Link     // the Driver closes it, or Host.Close
	Log     *slog.Logger  // nil: no log. Its handler must not call the Host
	// Admit decides who may join; nil admits every player. The player reads its error.
	// It is called within Poll. If it is set, a player keeps the name that it admitted: the name that a player
	// types in an entry form has no effect.
	Admit func(name string, token []byte) error
	// Random is the source of tickets, with which players return. Use crypto/rand.Reader: a
	// client that guesses a ticket can take over its player. If it is nil, there are no
	// tickets, and players cannot return. It is read within Poll and must not call the Host.
	Random io.Reader
	// Folder is the folder of the scripts, as the user names it. Logged file names
	// begin with it. "" leaves it out.
	Folder string
	// Confirmed is called for every tick that is committed; may be nil.
	Confirmed func(t world.Tick, hash uint64)
	// Rewound is called after every rewind, before the tick that follows; may be nil.
	Rewound func(r timeline.Rewound)
	// Displaced is called, after a rewind, for each object of a player that the rewind moved;
	// may be nil. If it is nil and the Log is not at debug level, rewinds do not record
	// displacements.
	Displaced func(room.Displacement)
	// Recorder writes a replay of the match; nil: none. Its writer must not call the Host.
	Recorder *replay.Recorder
	// Verify is check mode: each rewind is done again in full and compared, bit by bit.
	// A difference is timeline.ErrDesync with a *Mismatch. Invariants of the runtime
	// are asserted as well; a violation is a panic.
	Verify bool
	// Fault flips one bit of an object after a tick, to test that all clients notice.
	Fault timeline.Fault
	// On is called when something happens in the room.
	On Callbacks
	// Stopwatch measures time for the report; nil: no times. It does not affect the simulation.
	// It is called in the middle of ticks and must not call the Host.
	Stopwatch func() time.Duration
	// Stop is asked before each hook, in the middle of ticks: if it returns true, the tick is given up, and with it the
	// room, so that a program can end within any tick. It must not call the Host. Driver.Stopping is one; nil: never.
	Stop func() bool
	// Prices are what work takes on this machine; the zero value: timeline.TypicalPrices. A tick that is more work than
	// four tick lengths or 50 ms, at these prices, is given up, and hooks that are to blame are suspended. A rewind
	// that is more than half of what the last tick left of that is taken back, and the late inputs that are to blame
	// are dropped.
	Prices timeline.Prices
}

// prices returns the prices of work.
func (cfg *Config) prices() timeline.Prices {
	return cmp.Or(cfg.Prices, timeline.TypicalPrices)
}

// check returns an error that names a missing setting.
func (cfg *Config) check() error {
	if cfg.Bundle == nil {
		return side.MissingSetting("host.Config.Bundle",
			"the scripts and settings of a game, such as scripts.LoadDir loads")
	}
	if err := cfg.Bundle.Check(); err != nil {
		return err
	}
	switch {
	case cfg.Compile == nil:
		return side.MissingSetting("host.Config.Compile", side.CompileIs)
	case cfg.Link == nil:
		return side.MissingSetting("host.Config.Link", side.LinkIs)
	case cfg.Recorder != nil && errors.Is(cfg.Recorder.Err(), replay.ErrNoWriter):
		return fmt.Errorf("%w: host.Config.Recorder: %w", room.ErrConfig, cfg.Recorder.Err())
	}
	return nil
}
