package side

import (
	"errors"
	"fmt"
	"log/slog"
	"slices"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/world"
)

// FailureOf returns what a host tells its clients of an error of a function of the scripts.
func FailureOf(t world.Tick, hook string, err error) wire.Failure {
	f := wire.Failure{Tick: t, Hook: hook, Message: err.Error()}
	if se := (*world.ScriptError)(nil); errors.As(err, &se) {
		f.Place, f.Message = se.Place(), se.Full()
	}
	return f
}

// key is the same for the same failure in other ticks and objects, under the same scripts.
func key(f *wire.Failure) string {
	return f.Class + f.Hook + wire.MistakeKey(f.Place, f.Message)
}

// pauseKey is the same for the pauses of one length of a hook, in whatever ticks and objects.
func pauseKey(f *wire.Failure) string { return fmt.Sprint(pausesOf(f), f.Until-f.Tick) }

// pausesOf is what the pauseKeys of a hook begin with.
func pausesOf(f *wire.Failure) string { return "pause " + f.Class + " " + f.Hook + " " }

// textOf returns FILE:LINE: message, or the message if the place is not known.
func textOf(f *wire.Failure) string {
	if f.Place == "" {
		return f.Message
	}
	return f.Place + ": " + f.Message
}

// SameFailure reports whether two failures are of the same kind, in whatever tick and object: see wire.MistakeKey.
func SameFailure(a, b *wire.Failure) bool {
	return a.Class == b.Class && a.Hook == b.Hook && wire.SameMistake(a.Place, a.Message, b.Place, b.Message)
}

// PauseEnded reports whether a host that told of a failure before tells now that its pause has ended by itself. The
// tick of the failure is the same then: one in a later tick, not paused yet, is of other scripts.
func PauseEnded(before, now *wire.Failure) bool {
	return before.Until > 0 && now.Until == 0 && now.Tick == before.Tick && SameFailure(before, now)
}

// Failing reports whether the hook of a failure is paused for an object, or has not succeeded since its pause.
func Failing(s *world.State, schema *world.Schema, f *wire.Failure) bool {
	return slices.ContainsFunc(s.Run, failingIn(s, schema, f))
}

// CountFailing returns for how many objects that is so: f's own or, if it is not so for that any more, another one, and
// how many others.
func CountFailing(s *world.State, schema *world.Schema, f *wire.Failure) (object world.ObjectID, others uint32) {
	is := failingIn(s, schema, f)
	n := uint32(0)
	for _, slot := range s.Run {
		if !is(slot) {
			continue
		}
		if id := s.Objects[slot].ID; n == 0 || id == f.Object {
			object = id
		}
		n++
	}
	if n == 0 {
		return f.Object, 0
	}
	return object, n - 1
}

// failingIn returns a function that reports whether the hook of a failure is paused for the object in a slot, or has
// not succeeded since its pause.
func failingIn(s *world.State, schema *world.Schema, f *wire.Failure) func(slot int32) bool {
	return countIn(s, schema, f, func(failures uint8) bool { return failures >= world.FaultLimit })
}

// countIn returns a function that reports what is says of how often the function of a failure has failed in a row for
// the object in a slot.
func countIn(
	s *world.State, schema *world.Schema, f *wire.Failure, is func(failures uint8) bool,
) func(slot int32) bool {
	class, ok := schema.ClassByName(f.Class)
	count := 0
	if ok {
		count, ok = schema.Classes[class].CountedAs(f.Hook)
	}
	return func(slot int32) bool {
		o := &s.Objects[slot]
		return ok && int(o.Class) == class && is(o.Faults[count])
	}
}

// logPause logs that a hook is paused, with what goes wrong in it: the line that said so first may be far above. f
// ends with a pause, of any length if a hostile host says so. tickRate is in Hz, 0 if it is not known.
func logPause(log *slog.Logger, f *wire.Failure, tickRate int) {
	attrs := []any{"tick", uint32(f.Tick), "object", f.Object.String(), "class", f.Class, "hook", f.Hook, "until",
		uint32(f.Until)}
	if f.Others > 0 {
		attrs = append(attrs, "others", f.Others)
	}
	until := fmt.Sprintf("; failed too often: paused for this object%s until tick %d", andOthers(f.Others), f.Until)
	if tickRate > 0 && f.Until > f.Tick {
		seconds := int(f.Until-f.Tick) / tickRate
		attrs = append(attrs, "seconds", seconds)
		until += fmt.Sprintf(", %d s after this one", seconds)
	}
	until += ", or until other scripts are in force"
	log.Warn(textOf(f)+until, attrs...)
}

// andOthers names how many objects there are besides one; "": none.
func andOthers(n uint32) string {
	switch n {
	case 0:
		return ""
	case 1:
		return " and 1 other"
	default:
		return fmt.Sprintf(" and %d others", n)
	}
}
