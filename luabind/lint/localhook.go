package lint

import (
	"github.com/hindcast/hindcast/luabind/internal/api"
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/hindcast/hindcast/world"
	"github.com/yuin/gopher-lua/ast"
)

// localHook is a local function of a file with the name of a hook.
type localHook struct {
	name, instead string
	at            syntax.Place
}

// noteLocalHook notes a local function of game.lua that is called like a hook of it.
func (w *walker) noteLocalHook(s *ast.LocalAssignStmt) {
	isFunction := len(s.Names) == 1 && len(s.Exprs) == 1 && literal(s.Exprs[0]) == "function"
	if !isFunction || !w.scope.outermost() || w.report.current() != api.GameFile {
		return
	}
	name := s.Names[0]
	if like, exact := api.LikeHook(name, api.GameHooks()); exact && like != world.HookCount {
		at := syntax.Place{File: api.GameFile, Line: max(s.Line(), 1)}
		w.hidden = append(w.hidden, localHook{name, "leave out local: function " + name + "() ... end", at})
	}
}

// sayLocalHooks reports those that nothing calls.
func (w *walker) sayLocalHooks() {
	for _, h := range w.hidden {
		if !w.named[h.name] {
			w.report.sayIn(h.at, h.name, h.instead, "%s is local, so it is no hook, and nothing calls it", h.name)
		}
	}
}
