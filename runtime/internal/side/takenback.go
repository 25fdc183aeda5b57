package side

import (
	"fmt"
	"log/slog"
	"slices"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/world"
)

// A failure is logged as soon as it is found, because modders wait for it. Its tick may be simulated again with a late
// input, and then be committed without the failure. The log says that, too.

// doubt is a tick that is not committed, in which a failure was found.
type doubt struct {
	tick   world.Tick
	missed bool // it has been simulated again since, without the failure
}

// Commits makes that failures are taken back: the caller calls Committed with the state of each tick that is committed.
func (l *ScriptLog) Commits() { l.commits = true }

// doubt notes a tick in which a failure was found, if it may still turn out not to have happened. Only of an error of a
// script does the state say whether it stands.
func (l *ScriptLog) doubt(f *wire.Failure) {
	at := l.opened(f)
	if at < 0 || !l.commits || l.open[at].stands || f.Place == "" {
		return
	}
	o := &l.open[at]
	if f.Until > 0 { // it has failed many times in a row
		o.stands, o.doubts = true, nil
		return
	}
	if i := slices.IndexFunc(o.doubts, func(d doubt) bool { return d.tick == f.Tick }); i >= 0 {
		o.doubts[i].missed = false
		return
	}
	o.doubts = append(o.doubts, doubt{tick: f.Tick})
}

// missed notes that a tick is simulated again: its failures are found once more, or were taken back. A part of a tick
// that is not run again does not find its failures either, so Committed looks at the state as well.
func (l *ScriptLog) missed(t world.Tick) {
	for i := range l.open {
		for j := range l.open[i].doubts {
			if d := &l.open[i].doubts[j]; d.tick == t {
				d.missed = true
			}
		}
	}
}

// Committed logs the failures that have not happened after all, by the state of a tick that is committed, and returns
// them. They are logged anew if they happen later.
func (l *ScriptLog) Committed(s *world.State, schema *world.Schema, log *slog.Logger) (takenBack []wire.Failure) {
	for i := range l.open {
		o := &l.open[i]
		at := slices.IndexFunc(o.doubts, func(d doubt) bool { return d.tick == s.Tick })
		switch {
		case at < 0:
		case !o.doubts[at].missed || mayHaveFailed(s, schema, &o.Failure):
			o.stands, o.doubts = true, nil
		case len(o.doubts) > 1:
			o.doubts = slices.Delete(o.doubts, at, at+1)
		default:
			takenBack = append(takenBack, o.Failure)
		}
	}
	for i := range takenBack {
		l.takeBack(&takenBack[i], log)
	}
	return takenBack
}

// mayHaveFailed reports whether a hook has failed in a tick, by its state, or its object is not there any more.
func mayHaveFailed(s *world.State, schema *world.Schema, f *wire.Failure) bool {
	if _, ok := s.Find(f.Object); !ok {
		return true
	}
	return slices.ContainsFunc(s.Run, countIn(s, schema, f, func(failures uint8) bool { return failures > 0 }))
}

// takeBack logs that a failure has not happened.
func (l *ScriptLog) takeBack(f *wire.Failure, log *slog.Logger) {
	at := l.opened(f)
	text := ": it did not happen after all: a late input has changed tick "
	text += fmt.Sprint(l.open[at].doubts[0].tick)
	if l.rounds == nil {
		l.rounds = map[string]int{}
	}
	round := "taken back " + key(f)
	if l.rounds[round]++; l.rounds[round] < maxRounds {
		l.open = slices.Delete(l.open, at, at+1)
		delete(l.seen, key(f))
		delete(l.seen, own+key(f))
	} else {
		l.open[at].stands, l.open[at].doubts = true, nil
		text += "; further failures of this kind are not logged until other scripts are in force"
	}
	said := l.inFolder(f)
	log.Info(textOf(&said)+text, "tick", uint32(f.Tick), "class", f.Class, "hook", f.Hook)
}
