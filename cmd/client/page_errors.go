package main

import (
	"errors"
	"slices"
	"strings"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/world"
)

// pageError is something wrong with the scripts, as the page shows it to the people who write them. Its kind is
// "failed", "refused" (saved scripts are not in force), "held" (not yet), "warned" (they are, and likely wrong), "lost"
// (see losses) or "slow": the room is.
type pageError struct {
	Kind    string     `json:"kind"`
	Place   string     `json:"place"` // FILE:LINE; "": not known
	Message string     `json:"message"`
	Class   string     `json:"class"` // of the object; "": there is none
	Hook    string     `json:"hook"`
	Object  string     `json:"object"`
	Others  uint32     `json:"others,omitempty"` // of how many other objects the hook is paused, by what the host says
	Tick    world.Tick `json:"tick"`             // of the newest one
	Until   world.Tick `json:"until,omitempty"`  // the hook is paused until then
}

// pageErrors is the message with all of them.
type pageErrors struct {
	T    string      `json:"t"` // "errors"
	List []pageError `json:"list"`
}

// same reports whether two errors are one mistake, in whatever object and tick: see wire.MistakeKey.
func (e *pageError) same(o *pageError) bool {
	return e.Class == o.Class && e.Hook == o.Hook && wire.SameMistake(e.Place, e.Message, o.Place, o.Message)
}

// maxErrors is how many errors of functions the page shows: the newest.
const maxErrors = 5

// errorList has the errors under the present scripts: those that the client has found, and those that
// the host tells of. A client finds its own sooner; it does not run every function.
type errorList struct {
	own  []pageError
	view []pageError // of view.lua, which have neither an object nor a tick
	host []pageError
	lost string // what the player has lost to saved scripts; "": nothing
}

// add adds an error in tick t.
func (l *errorList) add(t world.Tick, f world.Fault) {
	e := newPageError(f.Err)
	e.Class, e.Hook, e.Object, e.Tick, e.Until = f.Class, f.Function(), f.Object.String(), t, f.Until
	e.Others = uint32(f.Others)
	l.own = added(l.own, e)
}

// addAsked adds an error of a function that is asked between ticks, which belongs to no object.
func (l *errorList) addAsked(t world.Tick, name string, err error) {
	e := newPageError(err)
	e.Hook, e.Tick = name, t
	l.own = added(l.own, e)
}

// addView adds an error of view.lua in one of its functions; "": elsewhere.
func (l *errorList) addView(hook string, err error) {
	e := newPageError(err)
	e.Hook = hook
	l.view = added(l.view, e)
}

// viewOver removes the errors of view.lua, because another one is loaded: that says so by itself, at a frame or a cue
// before or after the tick from which other scripts are in force. It reports whether there were any.
func (l *errorList) viewOver() bool {
	any := len(l.view) > 0
	l.view = nil
	return any
}

// viewMended removes an error of view.lua.
func (l *errorList) viewMended(hook string, err error) {
	e := newPageError(err)
	e.Hook = hook
	l.view = slices.DeleteFunc(l.view, func(old pageError) bool { return old.same(&e) })
}

func newPageError(err error) pageError {
	if se := (*world.ScriptError)(nil); errors.As(err, &se) {
		return pageError{Kind: "failed", Place: se.Place(), Message: se.Full()}
	}
	return pageError{Kind: "failed", Message: err.Error()}
}

// added adds an error to a list in place of the same one before, which is that of an earlier pause.
func added(list []pageError, e pageError) []pageError {
	list = append(slices.DeleteFunc(list, func(old pageError) bool { return old.same(&e) }), e)
	return list[max(0, len(list)-maxErrors):]
}

// told takes the errors that the host tells of, in place of those before.
func (l *errorList) told(p room.Problems) {
	before := l.host
	l.host = nil
	for _, text := range p.Refused {
		e := refusal(text)
		if p.Held {
			e.Kind = "held"
		}
		l.host = append(l.host, e)
	}
	for _, text := range p.Warned {
		e := refusal(text)
		if e.Kind = "warned"; strings.HasPrefix(text, wire.Note) {
			e = pageError{Kind: "noted", Message: text}
		}
		l.host = append(l.host, e)
	}
	for _, f := range p.Failed {
		e := pageError{Kind: "failed", Place: f.Place, Message: f.Message, Class: f.Class, Hook: f.Hook}
		e.Tick, e.Until, e.Others = f.Tick, f.Until, f.Others
		if f.Object != 0 {
			e.Object = f.Object.String()
		}
		if f.IsSlowness() {
			e.Kind = "slow"
		}
		l.host = append(l.host, e)
		ended := func(o pageError) bool { return o.Until > 0 && o.Tick == e.Tick && o.same(&e) }
		if e.Until == 0 && slices.ContainsFunc(before, ended) { // a failure in a later tick is of other scripts
			l.resumed(&e)
		}
	}
}

// resumed notes that the function of an error is not paused any more.
func (l *errorList) resumed(e *pageError) {
	for i := range l.own {
		if l.own[i].same(e) {
			l.own[i].Until = 0
		}
	}
}

// refusal makes an error of FILE:LINE: message, or of a message without a place.
func refusal(text string) pageError {
	if place, message, ok := strings.Cut(text, ": "); ok && !strings.ContainsRune(place, ' ') {
		return pageError{Kind: "refused", Place: place, Message: message}
	}
	return pageError{Kind: "refused", Message: text}
}

// forget removes the client's own errors up to tick t, after which other scripts are in force. It reports whether
// there were any. The host says by itself which of its errors are over.
func (l *errorList) forget(t world.Tick) bool {
	before := len(l.own)
	l.own = slices.DeleteFunc(l.own, func(e pageError) bool { return e.Tick <= t })
	return len(l.own) < before
}

// restart removes all errors: those of a room that is over, or that the host of this one names anew. What the player
// has lost stays. It reports whether there were any.
func (l *errorList) restart() bool {
	before := len(l.own) + len(l.view) + len(l.host)
	l.own, l.view, l.host = nil, nil, nil
	return before > 0
}

// list returns what the page shows: why saved scripts are not in force, what the player has lost, then the newest
// errors.
func (l *errorList) list() []pageError {
	all := slices.Concat(l.view, l.own)
	refused := []pageError{}
	for _, e := range l.host {
		if e.Kind == "refused" || e.Kind == "held" || e.Kind == "warned" || e.Kind == "noted" {
			refused = append(refused, e)
		} else if i := slices.IndexFunc(all, func(o pageError) bool { return o.same(&e) }); i < 0 {
			all = append(all, e)
		} else if all[i].Until > 0 && e.Until > 0 {
			all[i].Object, all[i].Others = e.Object, e.Others // the client may not know all of them
		}
	}
	slices.SortStableFunc(all, func(a, b pageError) int { return int(int64(a.Tick) - int64(b.Tick)) })
	refused = slices.DeleteFunc(refused, func(w pageError) bool { // what has failed says more
		return w.Kind == "warned" && slices.ContainsFunc(all, func(e pageError) bool {
			return e.Place != "" && strings.HasPrefix(w.Place, e.Place+":")
		})
	})
	if l.lost != "" {
		refused = append(refused, pageError{Kind: "lost", Message: l.lost})
	}
	return append(refused, all[max(0, len(all)-maxErrors):]...)
}
