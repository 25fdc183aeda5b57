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

// name notes the names that an argument may be: one, or those that "and" and "or" choose between.
func (t timed) name(e ast.Expr) {
	if name, ok := TextOf(e); ok {
		t[name] = true
	}
	if either, ok := e.(*ast.LogicalOpExpr); ok {
		t.name(either.Lhs)
		t.name(either.Rhs)
	}
}

func (t timed) expr(e ast.Expr) {
	if e == nil {
		return
	}
	if call, ok := e.(*ast.FuncCallExpr); ok && len(call.Args) == 2 {
		if f, ok := call.Func.(*ast.IdentExpr); ok && api.StartsTimer(f.Value) {
			t.name(call.Args[1])
		}
	}
	EachOperand(e, t.expr, t.block)
}
