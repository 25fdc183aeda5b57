package syntax

import (
	"github.com/hindcast/hindcast/luabind/internal/api"
	"github.com/yuin/gopher-lua/ast"
)

// timed are the functions that calls such as after(2, "explode") name by a text.
type timed map[string]bool

// timersIn finds them.
func timersIn(tree []ast.Stmt) map[string]bool {
	t := timed{}
	t.block(tree)
	return t
}

func (t timed) block(list []ast.Stmt) {
	for _, s := range list {
		EachPart(s, t.expr, t.block)
	}
}

func (t timed) expr(e ast.Expr) {
	if e == nil {
		return
	}
	if call, ok := e.(*ast.FuncCallExpr); ok && len(call.Args) == 2 {
		if f, ok := call.Func.(*ast.IdentExpr); ok && api.StartsTimer(f.Value) {
			if name, ok := TextOf(call.Args[1]); ok {
				t[name] = true
			}
		}
	}
	EachOperand(e, t.expr, t.block)
}
