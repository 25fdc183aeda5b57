package side

import (
	"errors"

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
func key(f *wire.Failure) string { return f.Class + f.Hook + Text(f) }

// Text returns FILE:LINE: message, or the message if the place is not known.
func Text(f *wire.Failure) string {
	if f.Place == "" {
		return f.Message
	}
	return f.Place + ": " + f.Message
}

// SameFailure reports whether two failures are of the same kind, in whatever tick and object.
func SameFailure(a, b *wire.Failure) bool {
	return a.Class == b.Class && a.Hook == b.Hook && a.Place == b.Place && a.Message == b.Message
}
