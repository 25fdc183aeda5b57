package main

import (
	"errors"
	"log/slog"
	"slices"

	"github.com/hindcast/hindcast/luabind"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/world"
)

// viewScript makes effects of a client's cues, and the HUD, with the view.lua of the bundle in force.
type viewScript struct {
	bundle func() *bundle.Bundle
	player func() world.PlayerID
	show   func(pageCue)
	tell   func(text string)            // shows a message to this player
	fail   func(hook string, err error) // shows an error of view.lua, in one of its functions or, with "", elsewhere
	over   func()                       // shows none of those before any more
	mended func(hook string, err error) // shows one of them no more
	tiles  func([]luabind.TileMap)
	log    *slog.Logger

	loaded *bundle.Bundle // the bundle whose view.lua is loaded
	view   *luabind.View  // nil: the bundle has none
	failed []viewFailure  // errors that were logged, of this bundle
	shown  []shownFailure // errors that the page shows, of this view.lua
	taken  int            // cues since the last frame
	hud    hudMaker
}

// viewFailure is an error of view.lua, as the log has it.
type viewFailure struct {
	hook    string // the function that failed, such as onCue or camera; "": none
	message string
}

// shownFailure is an error of view.lua that the page shows.
type shownFailure struct {
	hook, cue string // the function that failed, and for which cue; "": none
	err       error
	before    bool // it was so under other scripts, with the same view.lua
}

// same reports whether two are one entry of the page.
func (f *shownFailure) same(g *shownFailure) bool {
	a, b := newPageError(f.err), newPageError(g.err)
	return f.hook == g.hook && a.same(&b)
}

// maxTaken is how many cues are shown in one frame.
const maxTaken = 64

// pageCue is a cue for browsers. page/effects.js reads it.
type pageCue struct {
	T    string `json:"t"` // "cue"
	What string `json:"what"`
	Key  string `json:"key"`
	Was  string `json:"was,omitempty"` // the key before, of a cue that moved
	// milliseconds of its effects that have passed, of a cue with a duration
	Age     float64          `json:"age,omitempty"`
	Effects []luabind.Effect `json:"effects"`
}

// take is a client.Config's Cues.
func (s *viewScript) take(e room.CueEvent) {
	if text, ok := e.Cue.Message(); ok {
		s.tell(text)
		return
	}
	s.load()
	m := pageCue{T: "cue", What: e.Kind.String(), Key: e.Cue.String()}
	s.taken++
	switch {
	case s.taken <= maxTaken:
		m.Effects = s.effects(&e)
	case e.Kind != room.CueCancelled:
		s.logOnce(viewFailure{message: "too many cues at once: not all are shown"}, "most in a frame", maxTaken)
		return
	}
	if e.Cue.Lasts > 0 {
		m.Age = float64(e.Age.Milliseconds())
	}
	if e.Kind == room.CueMoved {
		m.Was = e.Was.String()
	}
	s.show(m)
}

// load loads the view.lua of the bundle in force.
func (s *viewScript) load() {
	b := s.bundle()
	if b == s.loaded {
		return
	}
	before := s.loaded
	if s.loaded = b; b == nil { // the client is a new one, and has no scripts yet
		s.view = nil
		return
	}
	same := before != nil && viewOf(before) == viewOf(b)
	for _, f := range s.failed {
		message := f.message + ": over, other scripts are in force"
		if same {
			message += ", with the same " + world.ViewFile + ", so that it may happen again"
		}
		s.log.Info(message, f.attrs()...)
	}
	s.failed = nil
	s.outlive(same)
	view, err := luabind.NewView(b.Files, b.Setup, func(line string) { s.log.Info("view", "line", line) })
	if err != nil { // the host refuses such a view.lua
		s.failedWith("", "", err)
		return
	}
	s.succeeded("", "")
	view.TakeOver(s.view)
	s.view = view
	if s.tiles != nil && s.view != nil {
		s.tiles(s.view.Tiles())
	} else if s.tiles != nil {
		s.tiles(nil)
	}
}

// viewOf returns the text of the view.lua of a bundle.
func viewOf(b *bundle.Bundle) string {
	i := slices.IndexFunc(b.Files, func(f world.Source) bool { return f.Name == world.ViewFile })
	if i < 0 {
		return ""
	}
	return b.Files[i].Text
}

// effects returns those that view.lua makes of a cue; without any, a ring.
func (s *viewScript) effects(e *room.CueEvent) []luabind.Effect {
	hooks := []luabind.ViewHook{luabind.OnCue}
	switch e.Kind {
	case room.CueMoved:
		hooks = []luabind.ViewHook{luabind.OnCueMoved, luabind.OnCue}
	case room.CueCancelled:
		hooks = []luabind.ViewHook{luabind.OnCueCancelled}
	}
	for _, h := range hooks {
		if effects, ok := s.run(h, e); ok {
			return effects
		}
	}
	if e.Kind == room.CueCancelled {
		return nil
	}
	return luabind.Ring(&e.Cue)
}

func (s *viewScript) run(h luabind.ViewHook, e *room.CueEvent) (effects []luabind.Effect, ok bool) {
	if s.view == nil {
		return nil, false
	}
	c := &e.Cue
	effects, ok, err := s.view.Show(h, c, luabind.Showing{Mine: c.Owner != 0 && c.Owner == s.player(), Age: e.Age})
	if err != nil {
		s.failedWith(h.String(), c.Name, err)
	} else if ok {
		s.succeeded(h.String(), c.Name)
	}
	return effects, ok
}

// hudDue reports whether it is time for the HUD of a view.
func (s *viewScript) hudDue(v *room.View) bool {
	if s == nil || !s.hud.due(v) {
		return false
	}
	s.load()
	return s.view != nil || s.hud.shows()
}

// makeHUD returns the HUD of a view; nil: the game has none, or none any more.
func (s *viewScript) makeHUD(v *room.View, committed world.FieldReader) *pageHUD {
	if s.view == nil {
		s.hud.forget()
		return nil
	}
	hud, err := s.hud.of(s.view, v, committed)
	failed := new(luabind.HUDError)
	errors.As(err, &failed)
	s.ended("hud", failed.HUD)
	s.ended("camera", failed.Camera)
	return hud
}

// ended notes how a function of view.lua that is asked for each HUD has ended.
func (s *viewScript) ended(hook string, err error) {
	if err != nil {
		s.failedWith(hook, "", err)
	} else {
		s.succeeded(hook, "")
	}
}

// drawn begins the next frame.
func (s *viewScript) drawn() {
	if s != nil {
		s.taken = 0
	}
}

// outlive makes that the errors which the page shows stay, under other scripts with the same view.lua, or ends them all.
func (s *viewScript) outlive(same bool) {
	if !same {
		s.shown = nil
		s.over()
	}
	for i := range s.shown {
		s.shown[i].before = true
	}
}

// succeeded notes that a function of view.lua has succeeded for a cue, or whatever there is besides cues: its errors
// under other scripts are over.
func (s *viewScript) succeeded(hook, cue string) {
	for i := 0; i < len(s.shown); i++ {
		f := s.shown[i]
		if !f.before || f.hook != hook || f.cue != cue {
			continue
		}
		s.shown = slices.Delete(s.shown, i, i+1)
		i--
		if !slices.ContainsFunc(s.shown, func(g shownFailure) bool { return g.same(&f) }) {
			s.mended(f.hook, f.err)
		}
	}
}

// failedWith logs and shows an error of view.lua in one of its functions, for a cue, or, with "", elsewhere.
func (s *viewScript) failedWith(hook, cue string, err error) {
	var args []any
	if cue != "" {
		args = []any{"cue", cue}
	}
	message := err.Error()
	if se := (*world.ScriptError)(nil); !errors.As(err, &se) { // else it says the file by itself
		message = world.ViewFile + ": " + message
	}
	if s.logOnce(viewFailure{hook, message}, args...) {
		f := shownFailure{hook: hook, cue: cue, err: err}
		s.shown = slices.DeleteFunc(s.shown, func(g shownFailure) bool { return g.same(&f) && (g.before || g.cue == cue) })
		s.shown = append(s.shown, f)
		s.shown = s.shown[max(0, len(s.shown)-maxViewErrors):]
		s.fail(hook, err)
	}
}

// attrs are the attributes of the failure in the log.
func (f *viewFailure) attrs() []any {
	if f.hook == "" {
		return nil
	}
	return []any{"hook", f.hook}
}

// maxViewErrors is how many errors of view.lua are logged for a bundle. An error may have another text each time.
const maxViewErrors = 100

// logOnce logs a failure once for each bundle. It reports whether this is the first time.
func (s *viewScript) logOnce(f viewFailure, args ...any) bool {
	if slices.Contains(s.failed, f) || len(s.failed) >= maxViewErrors {
		return false
	}
	s.failed = append(s.failed, f)
	s.log.Error(f.message, append(f.attrs(), args...)...)
	return true
}
