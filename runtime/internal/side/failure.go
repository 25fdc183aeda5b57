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
		f.Place, f.Message = se.Place(), se.Message
	}
	return f
}

// SameFailure reports whether two failures are of the same kind, in whatever tick and object.
func SameFailure(a, b *wire.Failure) bool {
	return a.Class == b.Class && a.Hook == b.Hook && a.Place == b.Place && a.Message == b.Message
}
