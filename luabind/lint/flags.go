package lint

import (
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// flag checks an option that is true or false, such as the ring of a tag: a number and a text count as true, whatever they
// are. An object, its id and a field of a cue may be nil, which counts as false. said reports that there is a finding.
func (w *walker) flag(of, key string, e ast.Expr, line int) (said bool) {
	given := w.scope.typeOf(e)
	if get, isMember := e.(*ast.AttrGetExpr); isMember && w.scope.infer(get.Object).Kind == shownCue {
		return false
	}
	if w.scope.infer(e).Hint == isAnID {
		return false
	}
	if given != "number" && given != "string" && literal(e) != "table" {
		return false
	}
	n, isNumber := writtenNumber(e)
	text, isText := syntax.TextOf(e)
	hint := "write " + key + " = true"
	switch {
	case isNumber && n == 0, isText && (text == "" || text == "no" || text == "false" || text == "off" || text == "0"):
		hint = "write " + key + " = false"
	case isNumber, isText, given == "table":
	case given == "number":
		hint = "compare it: " + key + " = " + comparedNumber(e) + " > 0"
	case shortly(e) != "this":
		hint = "compare it: " + key + " = " + shortly(e) + ` ~= ""`
	default:
		hint = "compare it with a text"
	}
	w.report.say(line, key, hint, "%s: %s must be true or false, and is %s, which counts as true", of, key, aType(given))
	return true
}

// comparedNumber returns how a number is written in a comparison.
func comparedNumber(e ast.Expr) string {
	sum, ok := e.(*ast.ArithmeticOpExpr)
	if ok && shortly(sum.Lhs) != "this" && shortly(sum.Rhs) != "this" {
		return shortly(sum.Lhs) + " " + sum.Operator + " " + shortly(sum.Rhs)
	}
	if of := shortly(e); of != "this" {
		return of
	}
	return "(...)"
}
