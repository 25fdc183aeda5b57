package lint

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// rxPattern matches texts that are patterns, and nothing that somebody reads.
var rxPattern = regexp.MustCompile(`^[\^(]*%[a-zA-Z.][-*+?)$]*$`)

// turnedRound checks calls whose arguments are in another order than they are taken: select(f(), 1),
// string.gsub(pattern, text, to), and vec.fromAngle(speed), which lacks the angle.
func (w *walker) turnedRound(e *ast.FuncCallExpr) {
	if w.scope.isGlobal(e.Func, "select") && len(e.Args) == 2 && literal(e.Args[1]) == "number" {
		if call, isCall := e.Args[0].(*ast.FuncCallExpr); isCall {
			w.report.say(e.Line(), "select", fmt.Sprintf("write select(%s, %s)", numberOf(e.Args[1]), shortlyCalled(call)),
				"select takes the number first")
		}
		return
	}
	if name := nameIn(first(e.Args)); len(e.Args) == 1 && slices.Contains(lengthNames, name) && w.scope.isFunction(e.Func, "vec", "fromAngle") {
		w.report.say(e.Line(), "fromAngle", "write vec.fromAngle(angle, "+shortly(e.Args[0])+")", "fromAngle takes an angle first, and is given %s alone", name)
		return
	}
	if !w.scope.isFunction(e.Func, "string", "gsub") || len(e.Args) < 3 {
		return
	}
	text, isText := syntax.TextOf(e.Args[0])
	pattern, isPattern := syntax.TextOf(e.Args[1])
	switch {
	case isText && !isPattern && rxPattern.MatchString(text),
		isText && isPattern && literal(e.Args[2]) == "" && !strings.ContainsAny(pattern, "^$()%.[]*+-?") && !strings.Contains(text, pattern):
		w.report.say(e.Line(), "gsub", "write string.gsub(text, pattern, to): the text that is changed comes first", "gsub changes %q, and finds nothing in it", text)
	}
}

// lengthNames are names that scripts give to lengths, and never to angles.
var lengthNames = []string{"dist", "distance", "force", "length", "power", "radius", "range", "reach", "speed"}

// overLast checks local t = {} ... t[#t] = v, with nothing else that adds to t: it is always t[0].
func (w *walker) overLast(stmts []ast.Stmt, at int) {
	s := stmts[at].(*ast.LocalAssignStmt)
	t, isTable := first(s.Exprs).(*ast.TableExpr)
	if !isTable || len(t.Fields) > 0 || len(s.Names) != 1 || len(s.Exprs) != 1 {
		return
	}
	name, line, others := s.Names[0], 0, false
	eachStmt(stmts[at+1:], func(s ast.Stmt) {
		assign, ok := s.(*ast.AssignStmt)
		for i := 0; ok && i < len(assign.Lhs); i++ {
			get, isGet := assign.Lhs[i].(*ast.AttrGetExpr)
			switch length, isLength := keyOf(get).(*ast.UnaryLenOpExpr); {
			case syntax.NameOf(assign.Lhs[i]) == name:
				others = true
			case !isGet || syntax.NameOf(get.Object) != name:
			case isLength && syntax.NameOf(length.Expr) == name && i < len(assign.Rhs) && literal(assign.Rhs[i]) != "nil":
				if line == 0 {
					line = max(get.Line(), assign.Line())
				}
			default:
				others = true
			}
		}
	})
	eachExpr(stmts[at+1:], func(e ast.Expr) {
		if call, ok := e.(*ast.FuncCallExpr); ok {
			others = others || syntax.NameOf(call.Receiver) == name || slices.ContainsFunc(call.Args, func(a ast.Expr) bool {
				return syntax.NameOf(a) == name && syntax.NameOf(call.Func) != "ipairs" && syntax.NameOf(call.Func) != "print"
			})
		}
	})
	if line > 0 && !others {
		w.report.say(line, name, fmt.Sprintf("write %s[#%s + 1] = v, or table.insert(%s, v)", name, name, name), "%s is empty, so that %s[#%s] is %s[0]", name, name,
			name, name)
	}
}

// keyOf returns the key of a member; nil: there is none.
func keyOf(get *ast.AttrGetExpr) ast.Expr {
	if get == nil {
		return nil
	}
	return get.Key
}

// errorMembers are the members that caught errors have in other languages.
var errorMembers = []string{"code", "description", "getMessage", "message", "msg", "name", "stack", "toString", "traceback", "what"}

// errorNames are names that scripts give to caught errors.
var errorNames = []string{"e", "er", "err", "error", "ex", "exc", "exception", "problem"}

// caught checks local ok, err = pcall(f) ... err.message: an error is a text unless the game itself raises another value.
func (w *walker) caught(of ast.Expr, name string, line int) (said bool) {
	v, isLocal := w.scope.lookUp(syntax.NameOf(of))
	if !isLocal || !v.Caught || !slices.Contains(errorMembers, name) || !slices.Contains(errorNames, syntax.NameOf(of)) {
		return false
	}
	w.report.say(line, name, "write print("+syntax.NameOf(of)+")", "a caught error is a text, and has no %s", name)
	return true
}

// raisesTables reports whether files may raise something else than a text: they give it to error or to assert, or use
// these otherwise than to call them.
func raisesTables(trees [][]ast.Stmt) (raises bool) {
	raising := []string{"error", "assert"}
	for _, tree := range trees {
		texts := map[ast.Expr]bool{} // error and assert where they are given texts
		eachExpr(tree, func(e ast.Expr) {
			call, ok := e.(*ast.FuncCallExpr)
			if !ok {
				return
			}
			of, args := call.Func, call.Args
			if syntax.NameOf(of) == "pcall" && len(args) > 0 {
				of, args = args[0], args[1:]
			}
			if syntax.NameOf(of) == "assert" {
				args = args[min(1, len(args)):]
				texts[of] = len(args) == 0 && syntax.NameOf(call.Func) == "assert" && !manyResults(first(call.Args))
			}
			texts[of] = texts[of] || isSomeText(first(args))
		})
		eachExpr(tree, func(e ast.Expr) {
			raises = raises || slices.Contains(raising, syntax.NameOf(e)) && !texts[e]
		})
	}
	return raises
}

// isSomeText reports whether an expression is a text, whatever its variables hold.
func isSomeText(e ast.Expr) bool {
	_, joined := e.(*ast.StringConcatOpExpr)
	return joined || literal(e) == "string"
}

// manyResults reports whether an expression may have several values.
func manyResults(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.FuncCallExpr:
		return !e.AdjustRet
	case *ast.Comma3Expr:
		return true
	}
	return false
}

// catchesText reports whether an expression is a call of pcall that gives a text, or nothing, besides whether the function
// ended: it returns nothing, and its errors are texts. The handler of xpcall may return anything.
func (w *walker) catchesText(e ast.Expr) bool {
	call, ok := e.(*ast.FuncCallExpr)
	if !ok || !w.scope.isGlobal(call.Func, "pcall") || w.game.raisesTables || raisesTables([][]ast.Stmt{w.tree}) {
		return false
	}
	if f, isFunction := first(call.Args).(*ast.FunctionExpr); isFunction {
		return !gives(f.Stmts)
	}
	if w.scope.isGlobal(first(call.Args), "error") {
		return true
	}
	own := w.scope.ownCall(&ast.FuncCallExpr{Func: first(call.Args)})
	return own != nil && !gives(own.to.f.Stmts)
}

// isCoroutine reports whether an expression makes a coroutine.
func (s *scope) isCoroutine(e ast.Expr) bool {
	call, ok := e.(*ast.FuncCallExpr)
	return ok && (s.isFunction(call.Func, "coroutine", "create") || s.isFunction(call.Func, "coroutine", "wrap"))
}

// ofLoading checks coroutine.resume(co) in a hook where co is made while the files are loaded.
func (w *walker) ofLoading(e *ast.FuncCallExpr) {
	of := syntax.NameOf(e.Func)
	if w.scope.isFunction(e.Func, "coroutine", "resume") {
		of = syntax.NameOf(first(e.Args))
	}
	if v, isLocal := w.scope.lookUp(of); isLocal && v.AtLoad && w.inTick {
		w.report.say(e.Line(), of, "keep a step number in state, and go on from it", "%s is a coroutine that is made while the files are loaded: "+
			"a coroutine lives as long as the hook that makes it", of)
	}
}
