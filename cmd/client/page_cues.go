package main

import (
	"log/slog"

	"github.com/hindcast/hindcast/luabind"
	"github.com/hindcast/hindcast/runtime"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/world"
)

// cueShow makes effects of a client's cues with the view.lua of the bundle in force.
type cueShow struct {
	bundle func() *bundle.Bundle
	player func() world.PlayerID
	show   func(pageCue)
	log    *slog.Logger

	loaded *bundle.Bundle  // the bundle whose view.lua is loaded
	view   *luabind.View   // nil: the bundle has none
	failed map[string]bool // errors that were logged, of this bundle
	taken  int             // cues since the last frame
}

// maxTaken is how many cues are shown in one frame.
const maxTaken = 64

// pageCue is a cue for browsers. page/effects.js reads it.
type pageCue struct {
	T       string           `json:"t"` // "cue"
	What    string           `json:"what"`
	Key     string           `json:"key"`
	Was     string           `json:"was,omitempty"` // the key before, of a cue that moved
	Age     float64          `json:"age,omitempty"` // milliseconds of its effects that have passed, of a cue with a duration
	Effects []luabind.Effect `json:"effects"`
}

// take is a runtime.ClientConfig's Cues.
func (s *cueShow) take(e runtime.CueEvent) {
	s.load()
	m := pageCue{T: "cue", What: e.Kind.String(), Key: e.Cue.String()}
	s.taken++
	switch {
	case s.taken <= maxTaken:
		m.Effects = s.effects(&e)
	case e.Kind != runtime.CueCancelled:
		s.logOnce("too many cues at once: not all are shown", "most in a frame", maxTaken)
		return
	}
	if e.Cue.Lasts > 0 {
		m.Age = float64(e.Age.Milliseconds())
	}
	if e.Kind == runtime.CueMoved {
		m.Was = e.Was.String()
	}
	s.show(m)
}

// load loads the view.lua of the bundle in force.
func (s *cueShow) load() {
	b := s.bundle()
	if b == s.loaded && s.failed != nil {
		return
	}
	s.loaded, s.failed, s.view = b, map[string]bool{}, nil
	if b == nil {
		return
	}
	var err error
	s.view, err = luabind.NewView(b.Files, b.Setup, func(line string) { s.log.Info("view", "line", line) })
	if err != nil { // it loaded when the bundle was compiled
		s.log.Error("view.lua does not load", "error", err)
	}
}

// effects returns those that view.lua makes of a cue; without any, a ring.
func (s *cueShow) effects(e *runtime.CueEvent) []luabind.Effect {
	hooks := []luabind.ViewHook{luabind.OnCue}
	switch e.Kind {
	case runtime.CueMoved:
		hooks = []luabind.ViewHook{luabind.OnCueMoved, luabind.OnCue}
	case runtime.CueCancelled:
		hooks = []luabind.ViewHook{luabind.OnCueCancelled}
	}
	for _, h := range hooks {
		if effects, ok := s.run(h, e); ok {
			return effects
		}
	}
	if e.Kind == runtime.CueCancelled {
		return nil
	}
	return luabind.Ring(&e.Cue)
}

func (s *cueShow) run(h luabind.ViewHook, e *runtime.CueEvent) (effects []luabind.Effect, ok bool) {
	if s.view == nil {
		return nil, false
	}
	c := &e.Cue
	effects, ok, err := s.view.Show(h, c, luabind.Showing{Mine: c.Owner != 0 && c.Owner == s.player(), Age: e.Age})
	if err != nil {
		s.logOnce("view.lua: "+err.Error(), "cue", c.Name)
	}
	return effects, ok
}

// drawn begins the next frame.
func (s *cueShow) drawn() {
	if s != nil {
		s.taken = 0
	}
}

// logOnce logs a message once for each bundle.
func (s *cueShow) logOnce(message string, args ...any) {
	if !s.failed[message] {
		s.failed[message] = true
		s.log.Error(message, args...)
	}
}
