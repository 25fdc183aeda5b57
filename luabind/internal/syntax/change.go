package syntax

import "github.com/yuin/gopher-lua/ast"

// Operators are the operators of "self.n = self.n + 1" that (change) knows.
const Operators = "+-*/"

// change rewrites an assignment like self.hp = self.hp - 1 or self.hits[i] =
// self.hits[i] + by into one call of (change), which makes no value on its way.
// It has to be the same whether the field is read before the right operand or
// after it: so that is a number, a variable, or made of these.
func (w assignments) change(s *ast.AssignStmt) (ast.Stmt, bool) {
	to, isField := s.Lhs[0].(*ast.AttrGetExpr)
	sum, isSum := s.Rhs[0].(*ast.ArithmeticOpExpr)
	if !isField || !isSum || !w.isStored(to) || !samePlace(to, sum.Lhs) || !w.isQuiet(sum.Rhs) {
		return nil, false
	}
	for i := range Operators {
		if sum.Operator != Operators[i:i+1] {
			continue
		}
		t := w.target(to, nil)
		return statement(w.r.helper(Change, t.line, t.object, t.key, count(i, t.line), w.r.expr(sum.Rhs))), true
	}
	return nil, false
}

// isStored reports whether a place may be in the state of an object: a
// variable's field with a name that some class declares, or an item of that.
func (w assignments) isStored(e *ast.AttrGetExpr) bool {
	key, isName := e.Key.(*ast.StringExpr)
	switch o := e.Object.(type) {
	case *ast.IdentExpr:
		return isName && w.r.names.Fields[key.Value] && !w.r.fn.isGlobal(o.Value)
	case *ast.AttrGetExpr:
		return w.isStored(o) && (isName && w.r.names.Fields[key.Value] || !isName && w.isQuiet(e.Key))
	}
	return false
}

// isQuiet reports whether an expression only looks at variables.
func (w assignments) isQuiet(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.NumberExpr:
		return true
	case *ast.IdentExpr:
		return !w.r.fn.isGlobal(e.Value)
	case *ast.UnaryMinusOpExpr:
		return w.isQuiet(e.Expr)
	case *ast.ArithmeticOpExpr:
		return e.Operator != "^" && w.isQuiet(e.Lhs) && w.isQuiet(e.Rhs)
	}
	return false
}

// samePlace reports whether two expressions are written the same.
func samePlace(a, b ast.Expr) bool {
	switch a := a.(type) {
	case *ast.IdentExpr:
		b, ok := b.(*ast.IdentExpr)
		return ok && a.Value == b.Value
	case *ast.StringExpr:
		b, ok := b.(*ast.StringExpr)
		return ok && a.Value == b.Value
	case *ast.NumberExpr:
		b, ok := b.(*ast.NumberExpr)
		return ok && a.Value == b.Value
	case *ast.AttrGetExpr:
		b, ok := b.(*ast.AttrGetExpr)
		return ok && samePlace(a.Object, b.Object) && samePlace(a.Key, b.Key)
	}
	return false
}
