package lint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hindcast/hindcast/luabind/internal/api"
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// startedIn is a call of after or every in a function that has no self.
type startedIn struct {
	call *ast.FuncCallExpr
	name string // of the timer
}

// startsIn returns the timers that a function starts, without those of functions in it.
func startsIn(f *ast.FunctionExpr) (list []startedIn) {
	var block func([]ast.Stmt)
	var expr func(ast.Expr)
	expr = func(e ast.Expr) {
		if _, isFunction := e.(*ast.FunctionExpr); isFunction || e == nil {
			return
		}
		if call, ok := e.(*ast.FuncCallExpr); ok && len(call.Args) == 2 && api.StartsTimer(syntax.NameOf(call.Func)) {
			if name, isText := syntax.TextOf(call.Args[1]); isText {
				list = append(list, startedIn{call, name})
			}
		}
		syntax.EachOperand(e, expr, block)
	}
	block = func(stmts []ast.Stmt) {
		for _, s := range stmts {
			syntax.EachPart(s, expr, block)
		}
	}
	block(f.Stmts)
	return list
}

// helperTimers checks the call of a function without self in a hook, which is given another object and starts a timer of
// that: local function freeze(o) o.cold = true after(2, "thaw") end. The timer is looked for in the object whose hook runs.
func (w *walker) helperTimers(e *ast.FuncCallExpr) {
	if w.testing || w.steered != nil || w.scope.shows() != nil || w.hook == "" || w.nested > 0 || w.game.isCalledBack(w.hook) {
		return
	}
	own := w.scope.ownCall(e)
	if own == nil || own.class != nil || own.to.colon || slices.Contains(own.to.f.ParList.Names, "self") || declares(w.body, own.name) {
		return
	}
	acting, acts := w.scope.lookUp("self")
	if acts && (acting.Kind != object || acting.Class == nil) || !acts && w.hookedBy != nil {
		return
	}
	for _, started := range startsIn(own.to.f) {
		for i, a := range own.args {
			v := w.scope.infer(a)
			if i >= len(own.params) || v.Kind != object || v.Class == nil || !v.Class.mayTime(started.name) || syntax.NameOf(a) == "self" ||
				!looksInto(own.to.f, own.params[i]) || !w.timesOther(own, i, acting.Class, v.Class, started.name) {
				continue
			}
			w.sayHelperTimer(own, i, acting.Class, v.Class, started)
			return
		}
	}
}

// timesOther reports whether the timer that a function starts is surely meant to be one of the object that it is given, and
// not one of the object whose hook runs, which is of the class by, or the match: that has none of this name, or the function
// is given self elsewhere.
func (w *walker) timesOther(own *ownCall, param int, by, given *class, name string) bool {
	if w.game.matchTimes(name) {
		return false
	}
	if by == nil || !by.mayTime(name) {
		return true
	}
	if by == given || by.mayBe(given) || given.mayBe(by) {
		return false
	}
	ofSelf := false
	for _, tree := range w.game.trees {
		eachExpr(tree, func(e ast.Expr) {
			call, ok := e.(*ast.FuncCallExpr)
			ofSelf = ofSelf || ok && call.Receiver == nil && syntax.LastName(call.Func) == own.name && param < len(call.Args) &&
				syntax.NameOf(call.Args[param]) == "self"
		})
	}
	return ofSelf
}

// sayHelperTimer reports the call that starts the timer.
func (w *walker) sayHelperTimer(own *ownCall, param int, by, given *class, started startedIn) {
	whose := "of the match"
	if by != nil {
		whose = "of the " + by.name() + " whose hook runs"
	}
	p, rest := own.params[param], slices.Delete(slices.Clone(own.params), param, param+1)
	at := syntax.Place{File: own.to.file, Line: max(started.call.Line(), 1)}
	of := syntax.NameOf(started.call.Func)
	w.report.sayIn(at, started.name, fmt.Sprintf("a timer belongs to self: make it a method, function %s:%s(%s) ... %s(..., %q) end, and call %s:%s(...)",
		given.name(), own.name, strings.Join(rest, ", "), of, started.name, p, own.name),
		"%s: %s has no self, so that %s is a timer %s (%s:%d), and not of %s", of, own.name, started.name, whose, w.report.current(),
		max(w.statement.Line(), 1), p)
}

// looksInto reports whether a function looks something up in a parameter, or calls a method of it.
func looksInto(f *ast.FunctionExpr, param string) (looks bool) {
	eachExpr(f.Stmts, func(e ast.Expr) {
		switch e := e.(type) {
		case *ast.AttrGetExpr:
			looks = looks || syntax.NameOf(e.Object) == param
		case *ast.FuncCallExpr:
			looks = looks || e.Receiver != nil && syntax.NameOf(e.Receiver) == param
		}
	})
	return looks
}

// passedTimer checks after(seconds, name) with a parameter that all callers give the name of a function which no call of
// after or every writes as a text.
func (w *walker) passedTimer(e *ast.FuncCallExpr, arg ast.Expr) (said bool) {
	given := w.textsGiven(syntax.NameOf(arg))
	if given.open {
		return false
	}
	for _, t := range given.texts {
		if w.game.timed[t.text] || !w.game.isFunction(t.text) || w.game.mayDeclare(t.text) {
			continue
		}
		of := syntax.NameOf(e.Func)
		w.report.sayAbout(topic{sort: aTimerName, name: t.text}, e.Line(), syntax.NameOf(arg), fmt.Sprintf("write %s(..., %q)", startOf(of), t.text),
			"%s: the name of a timer is written as a text in the call, and %s is a variable", of, syntax.NameOf(arg))
		return true
	}
	return false
}

// startOf returns the function that starts the timer about which a function is asked.
func startOf(of string) string {
	if api.StartsTimer(of) {
		return of
	}
	return api.After
}

// startsOtherwise reports whether a call of after or every has the name of a timer in another way than as the text of its
// second argument: every(1, second), after(1, self.thaw), every("second", 1).
func (g *game) startsOtherwise(name string) (starts bool) {
	for _, tree := range g.trees {
		eachExpr(tree, func(e ast.Expr) {
			call, ok := e.(*ast.FuncCallExpr)
			if !ok || !api.StartsTimer(or(call.Method, syntax.LastName(call.Func))) {
				return
			}
			eachExpr([]ast.Stmt{&ast.ReturnStmt{Exprs: call.Args}}, func(a ast.Expr) {
				text, _ := syntax.TextOf(a)
				starts = starts || name == syntax.NameOf(a) || name == text
				if inner, isCall := a.(*ast.FuncCallExpr); isCall {
					starts = starts || inner.Method == name
				}
			})
		})
	}
	return starts
}
