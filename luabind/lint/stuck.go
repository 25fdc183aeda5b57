package lint

import (
	"slices"

	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// stuck checks a loop whose condition reads only what nothing in the loop changes: once it goes on, it never ends.
func (w *walker) stuck(keyword string, line int, condition ast.Expr, body []ast.Stmt) {
	reads := map[string]bool{}
	if !w.inTick || !w.isSteady(condition, reads) || len(reads) == 0 || leaves(body) || w.mayChange(body, reads) {
		return
	}
	w.report.say(line, keyword, "change what the condition reads, or write if for what happens once in a tick",
		"nothing in this loop changes its condition, so that it never ends")
}

// isSteady reports whether an expression calls nothing, and notes the names that it reads.
func (w *walker) isSteady(e ast.Expr, reads map[string]bool) (steady bool) {
	steady = true
	var expr func(ast.Expr)
	expr = func(e ast.Expr) {
		switch e := e.(type) {
		case nil:
			return
		case *ast.FuncCallExpr, *ast.FunctionExpr, *ast.Comma3Expr, *ast.TableExpr:
			steady = false
			return
		case *ast.IdentExpr:
			reads[e.Value] = true
		case *ast.AttrGetExpr:
			name, isText := syntax.TextOf(e.Key)
			steady = steady && isText // an item may be changed under any key
			reads[name] = true
			expr(e.Object)
			return
		}
		syntax.EachOperand(e, expr, func([]ast.Stmt) {})
	}
	expr(e)
	return steady
}

// harmless are the functions of the library, besides those of math, string and vec, that change no variable and no
// field.
var harmless = []string{"cue", "ipairs", "now", "pairs", "players", "print", "random", "raycast", "tell", "tickNumber",
	"tonumber", "tostring", "type"}

// mayChange reports whether code may change what has one of some names.
func (w *walker) mayChange(stmts []ast.Stmt, names map[string]bool) (may bool) {
	var block func([]ast.Stmt)
	block = func(list []ast.Stmt) {
		for _, s := range list {
			switch s := s.(type) {
			case *ast.AssignStmt:
				for _, e := range s.Lhs {
					may = may || names[syntax.LastName(e)] || syntax.LastName(e) == ""
				}
			case *ast.LocalAssignStmt:
				may = may || slices.ContainsFunc(s.Names, func(n string) bool { return names[n] })
			case *ast.FuncCallStmt, *ast.IfStmt, *ast.DoBlockStmt, *ast.NumberForStmt, *ast.GenericForStmt,
				*ast.WhileStmt, *ast.RepeatStmt:
			default:
				may = true
			}
			syntax.EachPart(s, func(ast.Expr) {}, block)
		}
	}
	block(stmts)
	eachExpr(stmts, func(e ast.Expr) {
		switch e := e.(type) {
		case *ast.FunctionExpr:
			may = true
		case *ast.FuncCallExpr:
			may = may || !w.isHarmless(e)
		}
	})
	return may
}

// isHarmless reports whether a call surely changes no variable and no field.
func (w *walker) isHarmless(e *ast.FuncCallExpr) bool {
	if e.Receiver != nil {
		v := w.scope.infer(e.Receiver)
		isObject := v.Kind == object || v.Kind == someObject
		return v.Kind == anything && v.Type == "string" && e.Method != "gsub" || isObject && library.Method(e.Method) != nil &&
			e.Method != "asSeen" || v.Kind == input
	}
	m := w.scope.callee(e.Func)
	if m == nil {
		return false
	}
	get, isMember := e.Func.(*ast.AttrGetExpr)
	if !isMember {
		return slices.Contains(harmless, m.Name)
	}
	base := syntax.NameOf(get.Object)
	return base == "math" || base == "vec" || base == "string" && m.Name != "gsub"
}
