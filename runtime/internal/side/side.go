// Package side has what either side of a room, a host or a client, is made of and no program sees: the mailbox of the
// link, the log of script errors, the profile of hooks, and the checks and texts of both.
//
// Everything in it belongs to one host or one client, and to the goroutine that calls that.
package side

import (
	"fmt"
	"log/slog"
	"math"

	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

// Assert panics if an invariant of a host or a client does not hold. That is a mistake in this
// code, never bad input from outside. It is called in check mode only (host.Config.Verify,
// client.Config.Verify).
func Assert(ok bool, format string, args ...any) {
	if !ok {
		panic("hindcast: " + fmt.Sprintf(format, args...))
	}
}

// OrDiscard returns log, or a logger that discards everything if log is nil.
func OrDiscard(log *slog.Logger) *slog.Logger {
	if log == nil {
		return slog.New(slog.DiscardHandler)
	}
	return log
}

// WithReason adds a reason, which may be empty, to an error.
func WithReason(err error, reason string) error {
	if reason == "" {
		return err
	}
	return fmt.Errorf("%w: %s", err, reason)
}

// HashText returns a state hash as all programs show it.
func HashText(h uint64) string { return fmt.Sprintf("%016x", h) }

// MissingSetting returns the ErrConfig about a setting.
func MissingSetting(setting, what string) error {
	return fmt.Errorf("%w: %s is not set: %s", room.ErrConfig, setting, what)
}

// Texts of errors about settings that hosts and clients share.
const (
	CompileIs = "luabind.Compile for scripts in Lua, goscript.Compile for rules in Go"
	LinkIs    = "the network, such as kcplink.Listen or kcplink.Dial returns"
)

// Compiled returns the script that a Compile made of a bundle.
func Compiled(compile world.Compile, files []world.Source, setup world.Setup) (world.Script, error) {
	script, err := compile(files, setup)
	if err == nil && script == nil {
		err = fmt.Errorf("%w: Compile returned neither a script nor an error", room.ErrConfig)
	}
	return script, err
}

// ReadAt calls f with the room as past has it between the ticks t-1 and t: at t-1 if fraction is 0, at t if it is 1.
func ReadAt(past *timeline.Past, t world.Tick, fraction float64, f func(r world.Reader)) error {
	if !(fraction >= 0 && fraction <= 1) {
		return fmt.Errorf("tick %d: a fraction of %v: 0 to 1", t, fraction)
	}
	return past.ReadBetween(t, int64(math.Floor(float64(fraction*world.ViewParts)+0.5)), f)
}
