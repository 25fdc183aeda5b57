package lint

import (
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// patterns checks the pattern that find, match, gmatch and gsub are given, if it is written out.
func (w *walker) patterns(e *ast.FuncCallExpr) {
	args, name := e.Args, e.Method
	if e.Receiver == nil {
		get, isMember := e.Func.(*ast.AttrGetExpr)
		if !isMember || syntax.NameOf(get.Object) != "string" || w.scope.callee(e.Func) == nil || len(args) == 0 {
			return
		}
		args, name = args[1:], syntax.LastName(e.Func)
	} else if w.scope.typeOf(e.Receiver) != "string" {
		return
	}
	text, isText := syntax.TextOf(first(args))
	takes := name == "find" && len(args) < 3 || name == "match" || name == "gmatch" || name == "gsub"
	if problem := patternProblem(text); takes && isText && problem != "" {
		w.report.say(e.Line(), name, "write % before a sign that stands for itself, as in \"%(\"", "%s: in the pattern %q %s", name,
			text, problem)
	}
}

// patternProblem returns what is wrong with a pattern; empty: it may be right.
func patternProblem(p string) string {
	open := 0
	for i := 0; i < len(p); i++ {
		switch p[i] {
		case '%':
			if i++; i >= len(p) {
				return "nothing follows the last %"
			}
			if p[i] == 'b' || p[i] == 'f' {
				return "" // what follows has rules of its own
			}
		case '[':
			end := setEnd(p, i)
			if end < 0 {
				return "[ has no ]"
			}
			i = end
		case '(':
			open++
		case ')':
			if open--; open < 0 {
				return ") has no ("
			}
		}
	}
	if open > 0 {
		return "( has no )"
	}
	return ""
}

// setEnd returns where the set ends that begins at i, -1 if it does not.
func setEnd(p string, i int) int {
	i++
	if i < len(p) && p[i] == '^' {
		i++
	}
	for first := true; i < len(p); first = false {
		switch {
		case p[i] == ']' && !first:
			return i
		case p[i] == '%':
			i++
		}
		i++
	}
	return -1
}
