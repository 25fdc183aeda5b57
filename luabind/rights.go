package luabind

import "github.com/hindcast/hindcast/luabind/internal/api"

// phase says which functions a script may call.
type phase uint8

const (
	inHook phase = iota
	loadingFiles
	inView // of view.lua: there is no world
	inShow // in a function that shows a field: likewise
)

// rights say which functions the running script may call.
type rights struct {
	phase  phase
	asking *question // set where the world can only be read
	seeing bool      // within asSeen
}

// in sets the phase.
func (ri *rights) in(p phase) { ri.phase = p }

// loading reports whether the files are being run.
func (ri *rights) loading() bool { return ri.phase == loadingFiles }

// simulates reports whether a hook of the simulation runs.
func (ri *rights) simulates() bool { return ri.phase == inHook && ri.asking == nil }

// ask begins a question, during which the world can only be read; nil ends it.
func (ri *rights) ask(q *question) { ri.asking = q }

// question returns the present question, nil in hooks.
func (ri *rights) question() *question { return ri.asking }

// seePast sets whether asSeen runs.
func (ri *rights) seePast(on bool) { ri.seeing = on }

// seesPast reports whether asSeen runs.
func (ri *rights) seesPast() bool { return ri.seeing }

// inWorld raises an error while the files are loaded, in view.lua, and in functions of show.
func (ri *rights) inWorld(L call) {
	switch ri.phase {
	case inView:
		L.RaiseError("%s cannot reach the simulation: a cue must carry what is to be shown", api.ViewFile)
	case inShow:
		L.RaiseError(
			"a function of show cannot reach the simulation: it gets two values of a field and a fraction, and " +
				"returns a value")
	case loadingFiles:
		L.RaiseError("the world does not exist yet while the files are loaded; do this in a hook")
	}
}

// mayPrint raises an error in functions of show, which run many times in each frame.
func (ri *rights) mayPrint(L call) {
	if ri.phase == inShow {
		L.RaiseError("a function of show cannot print: it runs for many fields in each frame; print in a hook")
	}
}

// whileLoading raises an error in a hook.
func (ri *rights) whileLoading(L call, what string) {
	if ri.phase != loadingFiles {
		L.RaiseError("%s can be called only while the files are loaded, not in a hook", what)
	}
}

// mayChange raises an error where the world can only be read.
func (ri *rights) mayChange(L call) {
	ri.inWorld(L)
	if ri.asking != nil {
		L.RaiseError("%s", ri.asking.refused())
	}
	if ri.seeing {
		L.RaiseError(
			"nothing can be changed within asSeen, which looks at the past; return what you found, and change it " +
				"afterwards")
	}
}
