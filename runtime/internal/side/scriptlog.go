package side

import (
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/world"
)

// ScriptLog counts the hooks that failed, and reports what cannot be sent. It reports each kind of failure once per
// bundle, however many objects and ticks it happens in.
type ScriptLog struct {
	count  int
	folder string          // the folder of the scripts, as the user names it; "" if unknown
	seen   map[string]bool // under the present bundle; looked up, never ranged over
	open   []openFailure   // logged, and the log does not say yet that they are over
	bundle uint32          // the present one ...
	from   world.Tick      // ... which is in force from this tick on
	files  filesOf
	rounds map[string]int // by class and hook, under the present bundle: how often its pauses have ended
	// see Commits
	commits bool
	// called for each kind, for the pauses of its hook, and for each host event that fails; may be nil
	report func(t world.Tick, f world.Fault)
	// called for each text of a function that is asked between ticks; may be nil
	asking func(t world.Tick, name string, err error)
}

// filesOf returns the scripts of a bundle, nil if they are not known any more. The function may be nil.
type filesOf func(bundle uint32) []world.Source

// alike reports whether two bundles have a file, and the same one.
func (f filesOf) alike(a, b uint32, name string) bool {
	if f == nil {
		return false
	}
	is := func(s world.Source) bool { return s.Name == name }
	files, others := f(a), f(b)
	i, j := slices.IndexFunc(files, is), slices.IndexFunc(others, is)
	return i >= 0 && j >= 0 && files[i].Text == others[j].Text
}

// openFailure is a failure that is logged and not over.
type openFailure struct {
	wire.Failure
	under uint32     // the bundle in whose ticks this side found it; 0: it heard of it only
	heard world.Tick // the newest tick of which it heard; 0: none

	more  int        // how often it has failed since the last line about it, outside pauses
	every world.Tick // how long after the last line the next one says that; 0: none has
	next  world.Tick // when it is due

	doubts []doubt // the ticks in which it was found, while no committed tick has it
	stands bool    // a committed tick has it
}

// A failure that goes on without a pause, because its hook succeeds in between, is logged again, first after firstAgain
// seconds and then after twice as long each time, up to lastAgain.
const (
	firstAgain = 10
	lastAgain  = 640
)

// again counts a failure that is in the log already, and reports whether the log is to say how often it was.
func (f *openFailure) again(t world.Tick, tickRate int) (say bool) {
	second := world.Tick(tickRate)
	switch f.more++; {
	case f.every == 0:
		f.every, f.next = firstAgain*second, f.Tick+firstAgain*second
		return false
	case t < f.next:
		return false
	}
	f.every = min(2*f.every, lastAgain*second)
	f.next = t + f.every
	return true
}

// endsWith reports whether the failure is over when a bundle is in force from a tick on. A client is ahead of its host:
// it may have found a failure in ticks after that one, and ran them with the scripts before.
func (f *openFailure) endsWith(bundle uint32, from world.Tick) bool {
	return f.under < bundle && f.heard < from
}

// NewScriptLog returns an empty log of scripts in a folder, as the user names it; "" if unknown.
func NewScriptLog(folder string) ScriptLog { return ScriptLog{folder: folder} }

// maxSeen bounds the memory for kinds of failures. Further kinds are only counted.
const maxSeen = 2000

// Collect handles the failures of a tick that was run. from is the first tick of the bundle in force in it.
func (l *ScriptLog) Collect(w *world.World, from world.Tick, log *slog.Logger) {
	l.Under(w.Now.Bundle, from, log)
	if w.Rerun {
		l.missed(w.Now.Tick)
	}
	all := w.Faults()
	for i, f := range all {
		for j := i + 1; j < len(all); j++ {
			if same(&f, &all[j]) {
				f.Others++
			}
		}
		l.take(w, f, log)
	}
}

// same reports whether the hooks of two objects failed in the same way.
func same(a, b *world.Fault) bool {
	if a.Class != b.Class || a.Function() != b.Function() || a.Object == b.Object {
		return false
	}
	f, g := FailureOf(0, "", a.Err), FailureOf(0, "", b.Err)
	return SameFailure(&f, &g)
}

// Under notes that a bundle is in force from a tick on, and logs that what failed under those before is over.
func (l *ScriptLog) Under(bundle uint32, from world.Tick, log *slog.Logger) {
	if bundle <= l.bundle {
		return
	}
	before := l.bundle
	l.bundle, l.from = bundle, from
	var over []wire.Failure
	l.open = slices.DeleteFunc(l.open, func(f openFailure) bool {
		ends := f.endsWith(bundle, from)
		if ends {
			over = append(over, f.Failure)
		}
		return ends
	})
	l.logOver(over, before, log)
	clear(l.seen)
	clear(l.rounds)
	for i := range l.open { // the host told of them before this client had the bundle
		f := &l.open[i].Failure
		l.seen[key(f)], l.seen[pauseKey(f)] = true, true
	}
}

func (l *ScriptLog) take(w *world.World, f world.Fault, log *slog.Logger) {
	if !w.Rerun {
		l.count++
	}
	if w.Now.Bundle < l.bundle { // a tick of before was run again: the log says that its failures are over
		return
	}
	said := FailureOf(w.Now.Tick, f.Function(), f.Err)
	said.Class, said.Object, said.Until, said.Others = f.Class, f.Object, f.Until, uint32(f.Others)
	if !l.once(&said, func() { report(w, f, l.folder, log) }) && !w.Rerun && f.Until == 0 {
		l.again(&said, w.Schema().Setup.TickRate, log)
	}
	l.found(&said, w.Now.Bundle)
	l.doubt(&said)
	later := l.pausedLater(&said)
	l.pausedOnce(&said, func() (others uint32) {
		_, others = CountFailing(w.Now, w.Schema(), &said)
		return others
	}, w.Schema().Setup.TickRate, log)
	fresh := l.Once(own+key(&said), func() {}) // a client may have heard of it from its host
	fresh = f.Until > 0 && l.Once(own+pauseKey(&said), func() {}) || later || fresh
	if l.report != nil && (fresh || f.Hook == world.HostEvent && !w.Rerun) {
		l.report(w.Now.Tick, f)
	}
}

// own precedes the keys of failures and pauses that were reported, and not only logged.
const own = "own "

// again counts a failure that is in the log already, and logs now and then how often it was.
func (l *ScriptLog) again(f *wire.Failure, tickRate int, log *slog.Logger) {
	at := l.opened(f)
	if at < 0 || f.Tick == l.open[at].Tick || !l.open[at].again(f.Tick, tickRate) {
		return
	}
	said := l.inFolder(f)
	log.Error(fmt.Sprintf("%s: it failed %d more times", textOf(&said), l.open[at].more), "tick", uint32(f.Tick),
		"object", f.Object.String(), "class", f.Class, "hook", f.Hook)
	l.open[at].more = 0
}

// once runs log for a kind of failure that is not in the log yet, and reports whether it did.
func (l *ScriptLog) once(f *wire.Failure, log func()) bool {
	return l.Once(key(f), func() {
		first := *f
		first.Until = 0 // pausedOnce notes it
		l.open = append(l.open, openFailure{Failure: first})
		log()
	})
}

// pausedOnce logs the pause of a hook, if f ends with one whose length is not in the log yet. others returns of how
// many other objects it is paused.
func (l *ScriptLog) pausedOnce(f *wire.Failure, others func() uint32, tickRate int, log *slog.Logger) {
	if f.Until == 0 {
		return
	}
	l.Once(pauseKey(f), func() {
		if at := l.opened(f); at >= 0 {
			l.open[at].Until = f.Until
		}
		said := l.inFolder(f)
		said.Others = others()
		logPause(log, &said, tickRate)
	})
}

// pausedLater reports whether f ends with a pause after the one that was noted, which has ended, and notes it.
func (l *ScriptLog) pausedLater(f *wire.Failure) bool {
	at := l.opened(f)
	if at < 0 || f.Until == 0 || l.open[at].Until == 0 || l.open[at].Until > f.Tick {
		return false
	}
	l.open[at].Until = f.Until
	return true
}

// found notes that this side has found a failure in a tick under a bundle.
func (l *ScriptLog) found(f *wire.Failure, bundle uint32) {
	if at := l.opened(f); at >= 0 {
		l.open[at].under = max(l.open[at].under, bundle)
	}
}

// opened returns the index in open of a failure of the same kind, -1 if there is none.
func (l *ScriptLog) opened(f *wire.Failure) int {
	return slices.IndexFunc(l.open, func(o openFailure) bool { return SameFailure(&o.Failure, f) })
}

// Hear logs a failure that a client hears of from its host, unless it is in the log already or one of scripts of
// before.
func (l *ScriptLog) Hear(f *wire.Failure, tickRate int, log *slog.Logger) {
	if f.Tick < l.from {
		return
	}
	l.once(f, func() {
		attrs := []any{"tick", uint32(f.Tick), "object", f.Object.String(), "class", f.Class, "hook", f.Hook,
			"at", "the host"}
		if f.Others > 0 {
			attrs = append(attrs, "others", f.Others)
		}
		log.Error(textOf(f), attrs...)
	})
	if at := l.opened(f); at >= 0 {
		l.open[at].heard = max(l.open[at].heard, f.Tick)
	}
	l.pausedOnce(f, func() uint32 { return f.Others }, tickRate, log)
}

// maxRounds is how many ends of a hook's pauses are logged under the same scripts: it may fail and recover for ever.
const maxRounds = 8

// Resumed logs that the pauses of a hook have ended by themselves: no object's is paused any more.
func (l *ScriptLog) Resumed(f *wire.Failure, log *slog.Logger) {
	at := l.opened(f)
	if at < 0 || l.open[at].Until == 0 {
		return
	}
	l.open[at].Until = 0
	if l.rounds == nil {
		l.rounds = map[string]int{}
	}
	hook := f.Class + " " + f.Hook
	l.rounds[hook]++
	text := ": no object's " + f.Hook + " is paused any more"
	if l.rounds[hook] == maxRounds {
		text += "; further pauses of it are not logged until other scripts are in force"
	} else {
		maps.DeleteFunc(l.seen, func(k string, _ bool) bool {
			return strings.HasPrefix(strings.TrimPrefix(k, own), pausesOf(f))
		})
	}
	said := l.inFolder(f)
	log.Info(textOf(&said)+text, hookOf(f)...)
}

// hookOf returns what a log line says of the hook of a failure. Functions of view.lua have no class.
func hookOf(f *wire.Failure) []any {
	if f.Class == "" {
		return []any{"hook", f.Hook}
	}
	return []any{"class", f.Class, "hook", f.Hook}
}

// Settle logs that pauses which a client has found by itself have ended, of those that should have by the tick of a
// state: the host may have no such pause, and then does not tell when it ends. told is what the host tells of.
func (l *ScriptLog) Settle(s *world.State, schema *world.Schema, told []wire.Failure, log *slog.Logger) {
	for i := range l.open {
		f := l.open[i].Failure
		hosts := func(h wire.Failure) bool { return h.Until > 0 && SameFailure(&h, &f) }
		if f.Until > 0 && f.Until < s.Tick && l.seen[own+key(&f)] && !slices.ContainsFunc(told, hosts) &&
			!Failing(s, schema, &f) {
			l.Resumed(&f, log)
		}
	}
}

// Any reports whether the log has failures that are not over by what it says.
func (l *ScriptLog) Any() bool { return len(l.open) > 0 }

// maxOver is how many failures that are over are logged, a line each. The others are counted.
const maxOver = 20

// logOver logs that failures are over, because other scripts are in force than those of the bundle before.
func (l *ScriptLog) logOver(over []wire.Failure, before uint32, log *slog.Logger) {
	for i := range over[:min(len(over), maxOver)] {
		f := l.inFolder(&over[i])
		text := textOf(&f) + ": over, other scripts are in force"
		if file, _, _ := strings.Cut(over[i].Place, ":"); l.files.alike(before, l.bundle, file) {
			text += ", with the same " + file + ", so that it may happen again"
		}
		if f.Until > l.from {
			text += fmt.Sprintf("; its pause until tick %d has ended", f.Until)
		}
		log.Info(text, append([]any{"tick", uint32(l.from)}, hookOf(&f)...)...)
	}
	if more := len(over) - maxOver; more > 0 {
		log.Info(fmt.Sprintf("%d more failures are over, other scripts are in force", more), "tick", uint32(l.from))
	}
}

// inFolder returns a failure with its place as the user names it.
func (l *ScriptLog) inFolder(f *wire.Failure) wire.Failure {
	said := *f
	if said.Place != "" {
		said.Place = world.InFolder(l.folder, said.Place)
	}
	return said
}

// FilesFrom sets the function that returns the scripts of a bundle.
func (l *ScriptLog) FilesFrom(f func(bundle uint32) []world.Source) { l.files = f }

// Hook reports an error of a function of game.lua that is asked between ticks. Each text is
// reported once.
func (l *ScriptLog) Hook(t world.Tick, name string, err error, log *slog.Logger) {
	if t < l.from { // it was asked for a moment before the present scripts
		return
	}
	said := FailureOf(t, name, err)
	l.once(&said, func() {
		text := err.Error()
		if se := (*world.ScriptError)(nil); errors.As(err, &se) {
			text = se.In(l.folder)
		}
		log.Error(text, "tick", uint32(t), "hook", name)
		l.open[len(l.open)-1].heard = t
		if l.asking != nil {
			l.asking(t, name, err)
		}
	})
}

// Count returns how many hooks have failed.
func (l *ScriptLog) Count() int { return l.count }

// Bundle returns the number of the bundle whose failures are logged, 0 before there is one.
func (l *ScriptLog) Bundle() uint32 { return l.bundle }

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
	attrs := []any{"tick", uint32(w.Now.Tick), "object", f.Object.String(), "class", f.Class, "hook", f.Function()}
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
	if f.Others > 0 {
		attrs = append(attrs, "others", f.Others)
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
