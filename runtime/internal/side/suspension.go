package side

import (
	"fmt"
	"log/slog"
	"slices"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/world"
)

// SuspensionOf returns what a host tells its clients of a SuspendEvent, whose hooks run again in a tick. It is a
// Failure without a hook.
func SuspensionOf(e *world.Event, until world.Tick) wire.Failure {
	return wire.Failure{Tick: e.Tick, Until: until, Class: e.Class, Message: suspensionText(e)}
}

// IsSuspension reports whether a failure is that of a SuspendEvent.
func IsSuspension(f *wire.Failure) bool { return f.Hook == "" && f.Until > 0 }

// suspensionText says what is suspended. It is the same each time.
func suspensionText(e *world.Event) string {
	what := "the hooks of " + e.Class
	switch {
	case e.Class == "" && e.Hooks == world.AllHooks:
		what = "all hooks"
	case e.Class == "":
		what = "the hooks of all classes, except inputs and game.lua,"
	case e.Hooks == world.InputHooks:
		what = "the input hooks of " + e.Class
	case e.Class == world.GameClass:
		what = "the hooks of game.lua"
	}
	if e.Player != 0 {
		what += fmt.Sprintf(" objects of player %d", e.Player)
	}
	return what + " are too much work for the room"
}

// LogSuspension logs a suspension. tickRate is in Hz, 0 if it is not known.
func LogSuspension(log *slog.Logger, f *wire.Failure, tickRate int) {
	attrs := []any{"tick", uint32(f.Tick), "class", f.Class, "until", uint32(f.Until)}
	until := fmt.Sprintf(": suspended until tick %d", f.Until)
	if tickRate > 0 && f.Until > f.Tick {
		seconds := int(f.Until-f.Tick) / tickRate
		attrs = append(attrs, "seconds", seconds)
		until += fmt.Sprintf(", %d s after this one", seconds)
	}
	log.Warn(f.Message+until+", or until other scripts are in force", attrs...)
}

// LogSuspensionsOver logs which suspensions among failures are not among later ones any more, at tick t. One that should
// have lasted longer has ended with its scripts.
func LogSuspensionsOver(log *slog.Logger, before, now []wire.Failure, t world.Tick) {
	for i := range before {
		f := &before[i]
		same := func(g wire.Failure) bool { return SameFailure(f, &g) }
		if IsSuspension(f) && !slices.ContainsFunc(now, same) {
			why := "they run again"
			if f.Until > t {
				why = "other scripts are in force"
			}
			log.Info(f.Message+": over, "+why, "class", f.Class)
		}
	}
}
