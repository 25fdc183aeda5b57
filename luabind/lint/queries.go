package lint

import (
	"fmt"
	"slices"

	"github.com/hindcast/hindcast/luabind/internal/api"
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// queries are functions of the library, beside those of math, string and vec, that only return a value. tostring is none
// of them, which may call a metamethod, nor is random, whose next number is another one.
var queries = []string{
	"circleCast", "nearest", "now", "objects", "overlapBox", "overlapCircle", "overlapPolygon", "players", "raycast", "raycastAll",
	"select", "smallestTeam", "teamColor", "tickNumber", "timeLeft", "tonumber", "type", "unpack",
}

// onlyAnswers reports whether a call only asks something: that of a query, and of level without a name.
func (w *walker) onlyAnswers(m *api.Member, call *ast.FuncCallExpr) bool {
	if name, isText := syntax.TextOf(first(call.Args)); isText && (m == library.Function("", "objects") || m == library.Function("", "nearest")) &&
		w.game.class(name) == nil {
		return false // it is said that there is no such class
	}
	return m != nil && call.Receiver == nil && w.scope.isQuery(call.Func, append([]string{"level"}, queries...)...) &&
		(m.Name != "level" || len(call.Args) == 0)
}

// forgetsReturn reports whether the last statement of a function that returns nothing calls a query, which is meant to be
// what it returns.
func forgetsReturn(stmts []ast.Stmt) bool {
	call, ok := lastCall(stmts).(*ast.FuncCallExpr)
	return ok && call.Receiver == nil && slices.Contains(queries, syntax.NameOf(call.Func)) && !gives(stmts)
}

// lastCall returns the call that is the last statement of code; nil: it is something else.
func lastCall(stmts []ast.Stmt) ast.Expr {
	if len(stmts) == 0 {
		return nil
	}
	last, ok := stmts[len(stmts)-1].(*ast.FuncCallStmt)
	if !ok {
		return nil
	}
	return last.Expr
}

// dropped is what the last statement of a function that returns nothing makes: a value, which is lost.
type dropped struct {
	line int
	text string // the call, as a message shows it
	said bool   // there is a finding about the call
}

// noteDropped notes a call that is the last statement of a function that returns nothing, if it has a result. said is
// true if there is a finding about that.
func (w *walker) noteDropped(e ast.Expr, said bool) {
	call, ok := e.(*ast.FuncCallExpr)
	if !ok || lastCall(w.body) != e || gives(w.body) || w.testing || w.steered != nil {
		return
	}
	m, own := w.scope.calledMember(call), w.scope.ownCall(call)
	makes := nameIn(call) == "new" // of a class of the game, however it has that
	if m != nil || own != nil {
		makes = m != nil && len(m.Returns) > 0 || own != nil && gives(own.to.f.Stmts)
	}
	if said || makes {
		w.game.dropped[e] = dropped{max(call.Line(), 1), shortlyCalled(call), said}
	}
}

// forgotten reports a function that returns nothing, and whose last statement makes a value, where its result is used.
// said reports that there is a finding.
func (w *walker) forgotten(own *ownCall, line int) (said bool) {
	d, makes := w.game.dropped[lastCall(own.to.f.Stmts)]
	if !makes || w.testing || w.steered != nil { // whose findings are about their own files
		return false
	}
	at := syntax.Place{File: own.to.file, Line: own.to.f.Line()}
	w.report.sayOf(own.missingReturn(), at, own.name, "write return "+d.text, "%s gives nothing back: line %d makes a value and drops it",
		own.name, d.line)
	if last := len(w.report.found) - 1; last >= 0 && w.report.found[last].about.sort == aReturn {
		w.report.found[last].used = fmt.Sprintf("%s:%d", w.report.current(), line)
	}
	return true
}

// missingReturn is what a finding about a return is about that the function lacks.
func (c *ownCall) missingReturn() topic {
	return topic{aReturn, fmt.Sprintf("%s:%d", c.to.file, c.to.f.Line()), ""}
}

// usingResult says what to do with the result of a call that nothing uses.
func (w *walker) usingResult(call *ast.FuncCallExpr) string {
	if lastCall(w.body) != call || gives(w.body) || w.hook != "" && w.nested == 0 && !forgetsReturn(w.body) {
		return "use its result: local result = " + shortlyCalled(call)
	}
	if w.seeing {
		return "write return " + shortlyCalled(call) + ": asSeen returns what its function returns"
	}
	return "use its result: local result = " + shortlyCalled(call) + ", or return " + shortlyCalled(call)
}

// seesNothing checks local hit = self:asSeen(function() ... end), whose function returns nothing, and a statement that
// does not use what is seen.
func (w *walker) seesNothing(e *ast.FuncCallExpr) {
	f, ok := first(e.Args).(*ast.FunctionExpr)
	if !ok || len(e.Args) != 1 {
		return
	}
	if e != w.alone {
		if !gives(f.Stmts) && !forgetsReturn(f.Stmts) && !tellsOtherwise(f.Stmts) {
			w.report.say(e.Line(), e.Method, "end its function with return and what it found", "asSeen returns what its function returns, which is nothing")
		}
		return
	}
	if len(f.Stmts) != 1 {
		return
	}
	if r, isReturn := f.Stmts[0].(*ast.ReturnStmt); isReturn && len(r.Exprs) == 1 && w.isAnswer(r.Exprs[0]) {
		w.report.say(e.Line(), e.Method, "use its result: local result = "+shortlyCalled(e), "asSeen only returns what its function returns, which nothing uses")
	}
}

// tellsOtherwise reports whether code gives what it finds to variables or lists, which may be those around it, or ends in an
// error of its own.
func tellsOtherwise(stmts []ast.Stmt) (tells bool) {
	eachStmt(stmts, func(s ast.Stmt) {
		_, assigns := s.(*ast.AssignStmt)
		tells = tells || assigns
	})
	eachExpr(stmts, func(e ast.Expr) {
		call, ok := e.(*ast.FuncCallExpr)
		tells = tells || ok && (syntax.NameOf(call.Func) == "error" || syntax.LastName(call.Func) == "insert")
	})
	return tells
}

// isAnswer reports whether an expression is a call of a query.
func (w *walker) isAnswer(e ast.Expr) bool {
	call, ok := e.(*ast.FuncCallExpr)
	return ok && call.Receiver == nil && w.onlyAnswers(w.scope.callee(call.Func), call)
}
