package syntax

import "github.com/yuin/gopher-lua/ast"

// checkTree refuses a syntax tree that is too deep for the compiler, whose time
// grows with the square of the depth.
func checkTree(file string, stmts []ast.Stmt) error {
	var d depthMeter
	d.stmts(stmts, 1)
	if d.deepest > maxTreeDepth {
		return Problem(file, max(d.line, 1),
			"this is nested, or chained by operators or by elseif, more than %d deep; use local variables for the parts, and "+
				"functions in a table in the place of branches",
			maxTreeDepth)
	}
	return nil
}

// depthMeter finds the deepest place of a tree.
type depthMeter struct{ deepest, line int }

func (d *depthMeter) at(depth int, p ast.PositionHolder) bool {
	if depth > d.deepest {
		d.deepest, d.line = depth, p.Line()
	}
	return depth <= maxTreeDepth
}

func (d *depthMeter) stmts(list []ast.Stmt, depth int) {
	for _, s := range list {
		if d.at(depth, s) {
			EachPart(s, func(e ast.Expr) { d.expr(e, depth+1) }, func(inner []ast.Stmt) { d.stmts(inner, depth+1) })
		}
	}
}

func (d *depthMeter) expr(e ast.Expr, depth int) {
	if e == nil || !d.at(depth, e) {
		return
	}
	EachOperand(e, func(inner ast.Expr) { d.expr(inner, depth+1) }, func(body []ast.Stmt) { d.stmts(body, depth+1) })
}

// EachPart calls expr and block for the direct parts of a statement.
func EachPart(s ast.Stmt, expr func(ast.Expr), block func([]ast.Stmt)) {
	all := func(list []ast.Expr) {
		for _, e := range list {
			expr(e)
		}
	}
	switch s := s.(type) {
	case *ast.AssignStmt:
		all(s.Lhs)
		all(s.Rhs)
	case *ast.LocalAssignStmt:
		all(s.Exprs)
	case *ast.FuncCallStmt:
		expr(s.Expr)
	case *ast.DoBlockStmt:
		block(s.Stmts)
	case *ast.WhileStmt:
		expr(s.Condition)
		block(s.Stmts)
	case *ast.RepeatStmt:
		block(s.Stmts)
		expr(s.Condition)
	case *ast.IfStmt:
		expr(s.Condition)
		block(s.Then)
		block(s.Else)
	case *ast.NumberForStmt:
		all([]ast.Expr{s.Init, s.Limit, s.Step})
		block(s.Stmts)
	case *ast.GenericForStmt:
		all(s.Exprs)
		block(s.Stmts)
	case *ast.FuncDefStmt:
		expr(s.Name.Func)
		expr(s.Name.Receiver)
		expr(s.Func)
	case *ast.ReturnStmt:
		all(s.Exprs)
	}
}

// EachOperand calls expr and block for the direct parts of an expression.
func EachOperand(e ast.Expr, expr func(ast.Expr), block func([]ast.Stmt)) {
	switch e := e.(type) {
	case *ast.AttrGetExpr:
		expr(e.Object)
		expr(e.Key)
	case *ast.TableExpr:
		for _, f := range e.Fields {
			expr(f.Key)
			expr(f.Value)
		}
	case *ast.FuncCallExpr:
		expr(e.Func)
		expr(e.Receiver)
		for _, a := range e.Args {
			expr(a)
		}
	case *ast.LogicalOpExpr:
		expr(e.Lhs)
		expr(e.Rhs)
	case *ast.RelationalOpExpr:
		expr(e.Lhs)
		expr(e.Rhs)
	case *ast.StringConcatOpExpr:
		expr(e.Lhs)
		expr(e.Rhs)
	case *ast.ArithmeticOpExpr:
		expr(e.Lhs)
		expr(e.Rhs)
	case *ast.UnaryMinusOpExpr:
		expr(e.Expr)
	case *ast.UnaryNotOpExpr:
		expr(e.Expr)
	case *ast.UnaryLenOpExpr:
		expr(e.Expr)
	case *ast.FunctionExpr:
		block(e.Stmts)
	}
}

// NameOf returns the name of a variable, "" for other expressions.
func NameOf(e ast.Expr) string {
	if id, ok := e.(*ast.IdentExpr); ok {
		return id.Value
	}
	return ""
}

// TextOf returns the text of a string constant.
func TextOf(e ast.Expr) (string, bool) {
	s, ok := e.(*ast.StringExpr)
	if !ok {
		return "", false
	}
	return s.Value, true
}

// LastName returns f for f and for world.f.
func LastName(e ast.Expr) string {
	if get, ok := e.(*ast.AttrGetExpr); ok {
		name, _ := TextOf(get.Key)
		return name
	}
	return NameOf(e)
}
