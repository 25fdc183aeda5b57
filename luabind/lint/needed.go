package lint

import (
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// neededIn returns what a function demands of its parameters in branches that it takes whatever it is given, and that
// it asks of no parameter: a call that leaves such a one out fails when the branch is taken.
func (g *game) neededIn(f *ast.FunctionExpr, file string) []demand {
	d := g.demandsIn(f, file)
	again := assignedIn(f.Stmts)
	for i, p := range f.ParList.Names {
		d.depends[p] = p != "self"
		if !again[p] && !tests(f.Stmts, p, false) {
			d.params[p] = i
		}
	}
	d.branches(f.Stmts)
	return d.of
}

// branches notes the demands of code and of its branches, up to a statement that may end the function because of what it
// is given. ended reports that there is one.
func (d *demands) branches(stmts []ast.Stmt) (ended bool) {
	inner := func(list []ast.Stmt) { ended = d.branches(list) || ended }
	for _, s := range stmts {
		switch s := s.(type) {
		case *ast.IfStmt, *ast.WhileStmt, *ast.NumberForStmt, *ast.GenericForStmt, *ast.RepeatStmt, *ast.DoBlockStmt:
			asks := false
			syntax.EachPart(s, func(e ast.Expr) { asks = asks || e != nil && d.dependsOn(e) }, func([]ast.Stmt) {})
			if asks {
				ended = leaves([]ast.Stmt{s})
			} else {
				syntax.EachPart(s, d.expr, inner)
			}
		default:
			d.stmt(s)
			d.ended = false
		}
		if ended {
			return true
		}
	}
	return false
}
