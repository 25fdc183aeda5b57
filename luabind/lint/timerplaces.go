package lint

import (
	"github.com/hindcast/hindcast/luabind/internal/api"
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/hindcast/hindcast/world"
	"github.com/yuin/gopher-lua/ast"
)

// longerThanTicks is a time, in seconds, that is longer than two ticks at any rate.
const longerThanTicks = 0.2

// timersIn checks a hook that starts a timer where it never runs: each tick anew, or on an object that is removed.
func (w *walker) timersIn(c *class, name string, f *ast.FunctionExpr) {
	if w.testing || w.steered != nil || !w.game.isLoaded() {
		return
	}
	switch {
	case name == world.OnTick.String():
		w.startedEachTick(f.Stmts)
	case name == world.OnRemove.String() && c != nil:
		for _, started := range startsIn(f) {
			if c.mayTime(started.name) {
				w.report.say(started.call.Line(), syntax.NameOf(started.call.Func), "call self:"+started.name+"() here, or start a timer of the match: function "+
					started.name+"() in "+api.GameFile, "%s: the object is gone before its timer %s runs", syntax.NameOf(started.call.Func), started.name)
			}
		}
	}
}

// startedEachTick checks function Gun:tick() every(1, "shoot") end, which starts the timer anew in each tick, so that its
// time is never over.
func (w *walker) startedEachTick(stmts []ast.Stmt) {
	for _, s := range stmts {
		if leaves([]ast.Stmt{s}) {
			return // it may not come to what follows
		}
		call, ok := asCall(s)
		if !ok || call.Receiver != nil || len(call.Args) != 2 || !w.scope.isGlobal(call.Func, api.After, api.Every) {
			continue
		}
		seconds, isWritten := w.scope.numberIn(call.Args[0])
		name, isText := syntax.TextOf(call.Args[1])
		if !isText || !isWritten || seconds < longerThanTicks || isMilliseconds(seconds) {
			continue
		}
		of := syntax.NameOf(call.Func)
		hint := "start it once, in onSpawn, or in onStart for the match"
		if of == api.After {
			hint = "start it where something happens: if not timeLeft(\"" + name + "\") then " + of + "(...) end"
		}
		w.report.say(call.Line(), of, hint, "%s starts the timer %s anew in each tick, so that it never runs", of, name)
	}
}

// asCall returns the call that a statement is.
func asCall(s ast.Stmt) (call *ast.FuncCallExpr, ok bool) {
	if stmt, isCall := s.(*ast.FuncCallStmt); isCall {
		call, ok = stmt.Expr.(*ast.FuncCallExpr)
	}
	return call, ok
}
