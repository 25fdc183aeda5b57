package main

import (
	"errors"
	"slices"
	"sync"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/world"
)

// problem is something wrong with the scripts, as the inspector shows it.
type problem struct {
	// "error": a hook failed; "refused": saved scripts are not in force; "waits": not yet; "warning": as of host check
	Kind   string     `json:"kind"`
	Text   string     `json:"text"` // FILE:LINE: message
	Class  string     `json:"class,omitempty"`
	Hook   string     `json:"hook,omitempty"`
	Object string     `json:"object,omitempty"`
	Others uint32     `json:"others,omitempty"` // of how many other objects the hook is paused
	Tick   world.Tick `json:"tick,omitempty"`
	Until  world.Tick `json:"until,omitempty"` // the hook is paused until then

	place, message string // FILE:LINE and the message, of a hook that failed
}

// newFailed returns the problem of an error in a function of the scripts in a folder.
func newFailed(folder string, err error) problem {
	se := (*world.ScriptError)(nil)
	if !errors.As(err, &se) {
		return problem{Kind: "error", Text: err.Error(), message: err.Error()}
	}
	text := world.InFolder(folder, se.Place()) + ": " + se.Full()
	return problem{Kind: "error", Text: text, place: se.Place(), message: se.Full()}
}

// fails reports whether the problem is that of a hook at a place with a message: see wire.MistakeKey.
func (e *problem) fails(class, hook, place, message string) bool {
	return e.Class == class && e.Hook == hook && wire.SameMistake(e.place, e.message, place, message)
}

// maxProblems is how many problems of a kind are kept: the newest.
const maxProblems = 50

// problems are what is wrong with the scripts now. Any goroutine may call them.
type problems struct {
	folder string // of the scripts, as the user names it

	mu                       sync.Mutex
	from                     world.Tick // when the present scripts take effect
	refused, failed, warning []problem
	bereft                   string // which players have no object, and what to do; "": none
}

// Failed notes a hook that failed, in place of the same failure before.
func (p *problems) Failed(t world.Tick, f world.Fault) {
	e := newFailed(p.folder, f.Err)
	e.Class, e.Hook, e.Object, e.Tick, e.Until = f.Class, f.Function(), f.Object.String(), t, f.Until
	p.mu.Lock()
	defer p.mu.Unlock()
	if t < p.from {
		return
	}
	p.failed = slices.DeleteFunc(p.failed, func(old problem) bool { // the same one, of whatever object
		return old.fails(e.Class, e.Hook, e.place, e.message)
	})
	p.failed = newest(append(p.failed, e))
}

// Refused notes why saved scripts are not in force; none: they are.
func (p *problems) Refused(mistakes ...string) { p.keptBack("refused", mistakes...) }

// Held notes why the host waits before it puts saved scripts in force, or refuses them.
func (p *problems) Held(text string) { p.keptBack("waits", text) }

func (p *problems) keptBack(kind string, texts ...string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.refused = nil
	for _, text := range texts {
		p.refused = append(p.refused, problem{Kind: kind, Text: text})
	}
	p.refused = p.refused[:min(len(p.refused), maxProblems)]
}

// Reloaded notes the likely mistakes in the scripts that take effect in tick from, and forgets what
// was wrong with others.
func (p *problems) Reloaded(from world.Tick, warnings []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.from, p.failed = from, nil
	p.warn(warnings)
}

// Shown notes the likely mistakes in scripts of which only view.lua has changed.
func (p *problems) Shown(warnings []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.warn(warnings)
}

// Bereft notes which players have no object any more; "": all have one.
func (p *problems) Bereft(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.bereft = text
}

// Warnings returns how many likely mistakes the scripts in force have.
func (p *problems) Warnings() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.warning)
}

// warn replaces the warnings. Nothing is refused any more.
func (p *problems) warn(warnings []string) {
	p.refused, p.warning = nil, nil
	for _, text := range warnings {
		p.warning = append(p.warning, problem{Kind: "warning", Text: text})
	}
	p.warning = newest(p.warning)
}

func newest(list []problem) []problem { return list[max(0, len(list)-maxProblems):] }

// List returns the problems, what keeps saved scripts from taking effect first. said is what the host tells its
// clients: it has the functions that are asked between ticks, such as filterChat, which no hook calls, and knows which
// hooks are not paused any more.
func (p *problems) List(said []wire.Failure) []problem {
	p.mu.Lock()
	defer p.mu.Unlock()
	list := append(append([]problem{}, p.refused...), p.failed...)
	for _, f := range said {
		for i := range list {
			if e := &list[i]; e.message != "" && e.fails(f.Class, f.Hook, f.Place, f.Message) {
				e.Others = f.Others
				if f.Until == 0 {
					e.Until = 0
				} else {
					e.Object = f.Object.String()
				}
			}
		}
		if f.Object == 0 && (f.Class == "" || f.Hook == "") { // the latter is suspended
			text := f.Message
			if f.Place != "" {
				text = world.InFolder(p.folder, f.Place) + ": " + text
			}
			list = append(list, problem{Kind: "error", Text: text, Hook: f.Hook, Tick: f.Tick, Until: f.Until})
		}
	}
	if p.bereft != "" {
		list = append(list, problem{Kind: "error", Text: p.bereft})
	}
	return append(list, p.warning...)
}
