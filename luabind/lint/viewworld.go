package lint

import (
	"slices"

	"github.com/hindcast/hindcast/luabind/internal/api"
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// The keys of a text in the function of hud, and in those of cues.
var (
	hudText = []string{"[1]", "at", "blink", "color", "id", "size"}
	cueText = []string{"color", "ms", "size", "text", "x", "y"}
)

// textKeys returns the keys of a text where it is shown; all, if that is not known.
func (v *view) textKeys(all []string) []string {
	switch {
	case v.inHUD:
		return hudText
	case v.inCue:
		return cueText
	}
	return all
}

// cueFunction walks the function that shows a cue. done reports that nothing of the call is left to walk.
func (w *walker) cueFunction(e *ast.FuncCallExpr) (done bool) {
	if len(e.Args) != 2 {
		return false
	}
	f, ok := e.Args[1].(*ast.FunctionExpr)
	if !ok {
		return false
	}
	w.expr(e.Args[0])
	v, vars := w.scope.shows(), unknown(f.ParList.Names)
	name, _ := syntax.TextOf(e.Args[0])
	if c := v.sent[name]; c != nil && len(f.ParList.Names) > 0 {
		vars[f.ParList.Names[0]] = value{Kind: shownCue, Class: c}
	}
	outer := w.inTick
	v.inCue, w.inTick = true, true
	w.function(nil, vars, f.Stmts)
	v.inCue, w.inTick = false, outer
	return true
}

// looking are functions of hooks that look at the world, with what view.lua has in their place.
var looking = map[string]string{
	"level": "v.level in hud and camera", "nearest": "v.first(\"Class\") and v.all(\"Class\") in hud and camera",
	"now": "v.now in hud and camera", "objects": "v.all(\"Class\") in hud and camera",
	"players": "v.players() in hud and camera", "raycast": "a cue carries what is to be shown",
	"overlapCircle": "a cue carries what is to be shown", "overlapBox": "a cue carries what is to be shown",
	"stats": "v.players() in hud and camera", "tickNumber": "v.now in hud and camera",
}

// looksAtWorld checks a call of a function that only hooks have. said reports that there is a finding.
func (w *walker) looksAtWorld(name string, e *ast.FuncCallExpr) (said bool) {
	instead := looking[name]
	if instead == "" || !w.scope.isGlobal(e.Func, name) {
		return false
	}
	w.report.say(e.Line(), name, "there is "+instead, "%s is for hooks, and %s cannot reach the world", name,
		api.ViewFile)
	return true
}

// neverNilShown reports whether a.name is never nil in view.lua.
func (s *scope) neverNilShown(e *ast.AttrGetExpr) bool {
	name, _ := syntax.TextOf(e.Key)
	switch s.infer(e.Object).Kind {
	case frame:
		return slices.Contains([]string{"level", "now", "player"}, name)
	case shownCue:
		return slices.Contains([]string{"age", "mine", "name", "object"}, name)
	}
	return false
}

// matchInView checks game.round in view.lua.
func (k *checks) matchInView(s *scope, e *ast.AttrGetExpr) {
	name, isText := syntax.TextOf(e.Key)
	if s.shows() == nil || !isText || !s.isGlobal(e.Object, "game") {
		return
	}
	k.report.say(max(e.Key.Line(), e.Line()), "game", "write v.game."+name+", or v.committed.game."+name,
		"%s cannot reach the match but through v", api.ViewFile)
}

// viewHooks reports functions of view.lua that are called like hooks, and that nothing calls.
func (w *walker) viewHooks(tree []ast.Stmt) {
	for _, s := range tree {
		f, ok := s.(*ast.FuncDefStmt)
		if !ok {
			continue
		}
		name := syntax.NameOf(f.Name.Func)
		_, isHook := api.LikeHook(name, slices.Concat(api.GameHooks(), api.ObjectHooks()))
		if name == "" || w.named[name] || api.ForeignHook(name) == "" && !isHook {
			continue
		}
		w.report.say(f.Func.Line(), name,
			"hud(function(v) ... end) is called for each picture, and onCue(name, function(c) "+
				"... end) for each cue", "nothing calls %s", name)
	}
}

// countedTwice checks countdown(v.game.ends - v.now), which takes the time of the end.
func (w *walker) countedTwice(e *ast.FuncCallExpr) {
	less, ok := first(e.Args).(*ast.ArithmeticOpExpr)
	if !ok || less.Operator != "-" {
		return
	}
	now, isMember := less.Rhs.(*ast.AttrGetExpr)
	if !isMember || syntax.LastName(now) != "now" || w.scope.infer(now.Object).Kind != frame {
		return
	}
	until := shortly(less.Lhs)
	if named(less.Lhs) == nil {
		until = "..."
	}
	w.report.say(max(e.Line(), 1), "countdown", "write countdown("+until+")", "countdown takes the time of the end, and subtracts %s itself", shortly(now))
}
