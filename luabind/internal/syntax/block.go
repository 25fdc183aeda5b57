package syntax

import "github.com/yuin/gopher-lua/ast"

// blocks rewrites statements that hold others: loops and branches.
type blocks struct{ r rewriter }

func (w blocks) while(s *ast.WhileStmt) []ast.Stmt {
	s.Condition = w.r.expr(s.Condition)
	s.Stmts = w.loop(nil, s.Stmts, nil)
	if isConstant(s.Condition) && !truth(s.Condition) {
		return nil
	}
	return []ast.Stmt{s}
}

// branch rewrites an if. One with a constant condition becomes the branch that
// is taken.
func (w blocks) branch(s *ast.IfStmt) []ast.Stmt {
	s.Condition = w.r.expr(s.Condition)
	s.Then, s.Else = w.r.body(s.Then), w.r.body(s.Else)
	if !isConstant(s.Condition) {
		return []ast.Stmt{s}
	}
	taken := s.Then
	if !truth(s.Condition) {
		taken = s.Else
	}
	if len(taken) == 0 {
		return nil
	}
	return []ast.Stmt{at(&ast.DoBlockStmt{Stmts: taken}, s.Line())}
}

// forIn makes sure that a generic for gets its three values from one call or
// from three names. Otherwise gopher-lua leaves old values in their places.
func (w blocks) forIn(s *ast.GenericForStmt) []ast.Stmt {
	w.r.exprs(s.Exprs, true)
	var before []ast.Stmt
	if len(s.Exprs) != 1 || !isList(s.Exprs[0]) {
		names := []string{w.r.u.temp(), w.r.u.temp(), w.r.u.temp()}
		before = append(before, local(s.Line(), names, s.Exprs...))
		s.Exprs = []ast.Expr{name(names[0], s.Line()), name(names[1], s.Line()), name(names[2], s.Line())}
	}
	s.Stmts = w.loop(s.Names, s.Stmts, nil)
	if before == nil {
		return []ast.Stmt{s}
	}
	return []ast.Stmt{at(&ast.DoBlockStmt{Stmts: append(before, s)}, s.Line())}
}

// loop rewrites the body of a loop that begins with the variables vars. until
// is the condition of a repeat, which sees the variables of the body; nil for
// other loops.
func (w blocks) loop(vars []string, list []ast.Stmt, until *ast.Expr) []ast.Stmt {
	b := w.r.u.scope().open(true)
	defer w.r.u.scope().close()
	w.r.u.scope().declare(vars...)
	out := w.r.stmts(list)
	if until != nil {
		*until = w.r.expr(*until)
	}
	line := 1
	if len(list) > 0 {
		line = list[0].Line()
	}
	switch {
	case b.needsClosing():
		// A captured variable of the body makes each break close all of them.
		v := w.r.u.temp()
		see := at(&ast.FunctionExpr{
			ParList: &ast.ParList{},
			Stmts:   []ast.Stmt{at(&ast.ReturnStmt{Exprs: []ast.Expr{name(v, line)}}, line)},
		}, line)
		return append([]ast.Stmt{local(line, []string{v}, at(&ast.NilExpr{}, line)),
			local(line, []string{w.r.u.temp()}, at(&ast.FalseExpr{}, line), see)}, out...)
	case !startsSafe(out, until):
		return append([]ast.Stmt{local(line, []string{w.r.u.temp()}, at(&ast.NilExpr{}, line))}, out...)
	}
	return out
}

// startsSafe reports whether the code of the body of a loop certainly does not
// begin with a jump. gopher-lua follows jumps to jumps, and mistakes a backward
// jump that is already patched for something else.
func startsSafe(body []ast.Stmt, until *ast.Expr) bool {
	if len(body) == 0 {
		return true // then it is the loop's own instruction, or the condition
	}
	switch s := body[0].(type) {
	case *ast.AssignStmt, *ast.LocalAssignStmt, *ast.FuncCallStmt, *ast.ReturnStmt, *ast.NumberForStmt,
		*ast.GenericForStmt:
		return true
	case *ast.IfStmt:
		return true // constant conditions are folded away
	case *ast.WhileStmt:
		return !isConstant(s.Condition)
	}
	return false
}

// isList reports whether an expression may give several values.
func isList(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.FuncCallExpr:
		return !e.AdjustRet
	case *ast.Comma3Expr:
		return !e.AdjustRet
	}
	return false
}
