package side

import (
	"log/slog"
	"slices"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/world"
)

// slow is how the message of a room begins that cannot keep up.
const slow = "the room runs slower than real time: "

// SlownessOf returns what a host tells its clients from a tick on when it cannot keep up. It is a Failure without a
// hook that has no end. class is the one whose hooks do most of the work; "": it is not that of hooks. why says what it
// is.
func SlownessOf(t world.Tick, class, why string) wire.Failure {
	return wire.Failure{Tick: t, Class: class, Message: slow + why}
}

// LogSlowness logs which of two lists of failures say that the room cannot keep up: what is new in now, and whether it
// is over.
func LogSlowness(log *slog.Logger, before, now []wire.Failure) {
	in := func(list []wire.Failure) *wire.Failure {
		if i := slices.IndexFunc(list, func(f wire.Failure) bool { return f.IsSlowness() }); i >= 0 {
			return &list[i]
		}
		return nil
	}
	switch was, is := in(before), in(now); {
	case is != nil && (was == nil || was.Message != is.Message):
		log.Warn(is.Message, "tick", uint32(is.Tick), "class", is.Class)
	case is == nil && was != nil:
		log.Info("the room keeps up with real time again")
	}
}
