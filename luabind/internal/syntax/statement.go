package syntax

import "github.com/yuin/gopher-lua/ast"

// stmt rewrites one statement into one or more; into none once there was too much work, since the file is not
// compiled then.
func (r rewriter) stmt(s ast.Stmt) []ast.Stmt {
	if r.u.work.Exceeded() {
		return nil
	}
	r.u.work.spend(nodeWork)
	switch s := s.(type) {
	case *ast.AssignStmt:
		return assignments{r}.assign(s)
	case *ast.LocalAssignStmt:
		return assignments{r}.local(s)
	case *ast.FuncCallStmt:
		r.call(s.Expr.(*ast.FuncCallExpr))
	case *ast.DoBlockStmt:
		s.Stmts = r.body(s.Stmts)
	case *ast.WhileStmt:
		return blocks{r}.while(s)
	case *ast.RepeatStmt:
		s.Stmts = blocks{r}.loop(nil, s.Stmts, &s.Condition)
	case *ast.IfStmt:
		return blocks{r}.branch(s)
	case *ast.NumberForStmt:
		s.Init, s.Limit = r.expr(s.Init), r.expr(s.Limit)
		if s.Step != nil {
			s.Step = r.expr(s.Step)
		}
		s.Stmts = blocks{r}.loop([]string{s.Name}, s.Stmts, nil)
	case *ast.GenericForStmt:
		return blocks{r}.forIn(s)
	case *ast.FuncDefStmt:
		return assignments{r}.define(s)
	case *ast.ReturnStmt:
		r.results(s)
	case *ast.BreakStmt:
		r.u.scope().breaks()
	case *ast.GotoStmt:
		r.u.fail(s.Line(), "goto is not in Lua 5.1: use a loop and break, or a function and return")
	case *ast.LabelStmt:
		r.u.fail(s.Line(), "labels are not in Lua 5.1: use a loop and break, or a function and return")
	}
	return []ast.Stmt{s}
}
