package lint

import (
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// nothingIn returns what is nil or false if a condition holds: x of not x and of x == nil. It is nil for others.
func nothingIn(e ast.Expr) ast.Expr {
	switch e := e.(type) {
	case *ast.UnaryNotOpExpr:
		return named(e.Expr)
	case *ast.RelationalOpExpr:
		if _, isNil := e.Rhs.(*ast.NilExpr); isNil && e.Operator == "==" {
			return named(e.Lhs)
		}
	}
	return nil
}

// named returns an expression if it is a name, or a name looked up in one: o, self.target. It is nil for others.
func named(e ast.Expr) ast.Expr {
	switch e := e.(type) {
	case *ast.IdentExpr:
		return e
	case *ast.AttrGetExpr:
		if _, isText := syntax.TextOf(e.Key); isText && named(e.Object) != nil {
			return e
		}
	}
	return nil
}

// nilUsed checks if not o then o:remove() end: the first statement looks something up in what is nil there.
func (w *walker) nilUsed(s *ast.IfStmt) {
	nothing := nothingIn(s.Condition)
	if nothing == nil || len(s.Then) == 0 {
		return
	}
	switch s := s.Then[0].(type) {
	case *ast.FuncCallStmt:
		w.sayNilUsed(nothing, s.Expr)
	case *ast.LocalAssignStmt:
		w.sayNilUsed(nothing, s.Exprs...)
	case *ast.AssignStmt:
		w.sayNilUsed(nothing, s.Rhs...)
	case *ast.ReturnStmt:
		w.sayNilUsed(nothing, s.Exprs...)
	}
}

// nilAfter checks if o then return end o:remove(): what is left is nil, or false.
func (w *walker) nilAfter(s *ast.IfStmt, next ast.Stmt) {
	name := syntax.NameOf(s.Condition)
	if _, isLocal := w.scope.lookUp(name); !isLocal || len(s.Else) > 0 || !ends(s.Then) {
		return
	}
	if line := looksUpIn(next, name); line > 0 {
		w.report.say(line, name, "test it the other way round: if not "+name+" then", "%s is nil here", name)
	}
}

// sayNilUsed reports the first expression that begins by looking something up in what is nil.
func (w *walker) sayNilUsed(nothing ast.Expr, list ...ast.Expr) {
	name := shortly(nothing)
	if len(list) == 0 {
		return
	}
	if line, used := beginsIn(list[0], name); used {
		w.report.say(line, syntax.LastName(nothing), "test it the other way round: if "+name+" then",
			"%s is nil here", name)
	}
}

// beginsIn reports whether the first thing that an expression does is to look something up in a value with a name.
func beginsIn(e ast.Expr, name string) (line int, begins bool) {
	switch e := e.(type) {
	case *ast.AttrGetExpr:
		if shortly(e.Object) == name {
			return max(e.Line(), e.Key.Line()), true
		}
		return beginsIn(e.Object, name)
	case *ast.FuncCallExpr:
		switch {
		case e.Receiver != nil && shortly(e.Receiver) == name:
			return e.Line(), true
		case e.Receiver != nil:
			return beginsIn(e.Receiver, name)
		case named(e.Func) != nil && shortly(e.Func) != name && len(e.Args) > 0:
			return beginsIn(e.Args[0], name)
		}
		return beginsIn(e.Func, name)
	case *ast.ArithmeticOpExpr:
		return beginsIn(e.Lhs, name)
	case *ast.StringConcatOpExpr:
		return beginsIn(e.Lhs, name)
	case *ast.RelationalOpExpr:
		return beginsIn(e.Lhs, name)
	case *ast.LogicalOpExpr:
		return beginsIn(e.Lhs, name)
	case *ast.UnaryNotOpExpr:
		return beginsIn(e.Expr, name)
	case *ast.UnaryMinusOpExpr:
		return beginsIn(e.Expr, name)
	}
	return 0, false
}

// nilLookedUp checks not o and o:valid(), o == nil and o.hp, o or o.hp.
func (w *walker) nilLookedUp(e *ast.LogicalOpExpr) {
	nothing, hint := named(e.Lhs), "and"
	if e.Operator == "and" {
		nothing, hint = nothingIn(e.Lhs), "or"
	}
	if nothing == nil {
		return
	}
	if line, used := beginsIn(e.Rhs, shortly(nothing)); used {
		w.report.say(line, e.Operator, "write "+hint+" in the place of "+e.Operator, "%s is nil after %s", shortly(nothing),
			e.Operator)
	}
}

// alwaysLast checks a and false or b, which is b whatever a is.
func (w *walker) alwaysLast(e *ast.LogicalOpExpr) {
	both, ok := e.Lhs.(*ast.LogicalOpExpr)
	if !ok || e.Operator != "or" || both.Operator != "and" || !neverHolds(both.Rhs) {
		return
	}
	_, isFalse := both.Rhs.(*ast.FalseExpr)
	_, isTrue := e.Rhs.(*ast.TrueExpr)
	middle, last := "nil", "b"
	if isFalse {
		middle = "false"
	}
	hint := "write if ... then ... end, or not (a) and b or nil"
	if isTrue {
		last = "true"
	}
	if isFalse && isTrue {
		hint = "write not (a)"
	}
	w.report.say(e.Line(), "or", hint, "a and %s or %s is always %s", middle, last, last)
}
