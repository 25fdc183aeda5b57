package side

import (
	"errors"
	"log/slog"
	"slices"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/world"
)

// ScriptLog counts the hooks that failed, and reports what cannot be sent. It reports each kind of failure once per
// bundle, however many objects and ticks it happens in.
type ScriptLog struct {
	count  int
	folder string          // the folder of the scripts, as the user names it; "" if unknown
	seen   map[string]bool // looked up, never ranged over
	heard  []wire.Failure  // by a client from its host, and logged
	bundle uint32          // the bundle under which they were seen
	// called for each kind, for the pauses of its hook, and for each host event that fails; may be nil
	report func(t world.Tick, f world.Fault)
	// called for each text of a function that is asked between ticks; may be nil
	asking func(t world.Tick, name string, err error)
}

// NewScriptLog returns an empty log of scripts in a folder, as the user names it; "" if unknown.
func NewScriptLog(folder string) ScriptLog { return ScriptLog{folder: folder} }

// maxSeen bounds the memory for kinds of failures. Further kinds are only counted.
const maxSeen = 1000

// Collect handles the failures of a tick that was run.
func (l *ScriptLog) Collect(w *world.World, log *slog.Logger) {
	if w.Now.Bundle > l.bundle {
		l.bundle = w.Now.Bundle
		clear(l.seen)
	}
	for _, f := range w.Faults() {
		l.take(w, f, log)
	}
}

func (l *ScriptLog) take(w *world.World, f world.Fault, log *slog.Logger) {
	if !w.Rerun {
		l.count++
	}
	said := FailureOf(w.Now.Tick, f.Hook.String(), f.Err)
	said.Class = f.Class
	fresh := l.Once(key(&said), func() {
		if !slices.ContainsFunc(l.heard, func(h wire.Failure) bool { return SameFailure(&h, &said) }) {
			report(w, f, l.folder, log)
		}
	})
	if f.Until > 0 {
		said.Object, said.Until = f.Object, f.Until
		paused := l.Once(pauseKey(&said), func() {
			heard := func(h wire.Failure) bool { return SameFailure(&h, &said) && h.Until == said.Until }
			if slices.ContainsFunc(l.heard, heard) {
				return
			}
			if said.Place != "" {
				said.Place = world.InFolder(l.folder, said.Place)
			}
			LogPause(log, &said, w.Schema().Setup.TickRate)
		})
		fresh = fresh || paused
	}
	if l.report != nil && (fresh || f.Hook == world.HostEvent && !w.Rerun) {
		l.report(w.Now.Tick, f)
	}
}

// Hook reports an error of a hook of game.lua that runs between ticks. Each text is
// reported once.
func (l *ScriptLog) Hook(t world.Tick, name string, err error, log *slog.Logger) {
	l.Once(name+err.Error(), func() {
		text := err.Error()
		if se := (*world.ScriptError)(nil); errors.As(err, &se) {
			text = se.In(l.folder)
		}
		log.Error(text, "tick", uint32(t), "hook", name)
		if l.asking != nil {
			l.asking(t, name, err)
		}
	})
}

// Count returns how many hooks have failed.
func (l *ScriptLog) Count() int { return l.count }

// Seen reports whether a failure has been logged under the present scripts.
func (l *ScriptLog) Seen(f *wire.Failure) bool { return l.seen[key(f)] }

// SeenPause reports whether a pause of that length has been logged under the present scripts.
func (l *ScriptLog) SeenPause(f *wire.Failure) bool { return l.seen[pauseKey(f)] }

// Heard notes what a client has heard from its host, and logged.
func (l *ScriptLog) Heard(failed []wire.Failure) { l.heard = failed }

// ReportAsked sets the function that is called for each text of a function that is asked between ticks and fails.
func (l *ScriptLog) ReportAsked(f func(t world.Tick, name string, err error)) { l.asking = f }

// ReportTo sets the function that is called for each kind of failure, and for each host
// event that fails.
func (l *ScriptLog) ReportTo(f func(t world.Tick, f world.Fault)) { l.report = f }

// Once runs f if it has not been run for that key, and reports whether it did.
func (l *ScriptLog) Once(key string, f func()) bool {
	if l.seen[key] || len(l.seen) >= maxSeen {
		return false
	}
	if l.seen == nil {
		l.seen = map[string]bool{}
	}
	l.seen[key] = true
	f()
	return true
}

func report(w *world.World, f world.Fault, folder string, log *slog.Logger) {
	attrs := []any{"tick", uint32(w.Now.Tick), "object", f.Object.String(), "class", f.Class, "hook", f.Hook.String()}
	text := f.Err.Error()
	var se *world.ScriptError
	if errors.As(f.Err, &se) {
		text = world.InFolder(folder, se.Place()) + ": " + se.Full()
		if trace := se.TraceIn(folder); trace != "" {
			attrs = append(attrs, "trace", trace)
		}
		if se.Budget {
			attrs = append(attrs, "budget", true)
		}
	}
	log.Error(text, attrs...)
}

// PrintTo returns a function that logs the lines that scripts print. Each begins with
// file and line.
func PrintTo(folder string, log *slog.Logger) func(t world.Tick, by world.ObjectID, line string) {
	return func(t world.Tick, by world.ObjectID, line string) {
		log.Info(world.InFolder(folder, line), "tick", uint32(t), "object", by.String())
	}
}

// Asked returns a function that logs an error of a function of game.lua that is asked between ticks, each text
// once.
func (l *ScriptLog) Asked(name string, to *slog.Logger) func(t world.Tick, err error) {
	return func(t world.Tick, err error) { l.Hook(t, name, err, to) }
}
