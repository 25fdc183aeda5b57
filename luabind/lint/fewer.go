package lint

import (
	"fmt"
	"slices"

	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// valuesIn returns how many values a list of expressions gives at most. known is false if there may be others: the last
// is a call of a function whose results are not known, or ....
func (s *scope) valuesIn(list []ast.Expr) (n int, known bool) {
	if _, open := count(list); !open {
		return len(list), true
	}
	call, isCall := list[len(list)-1].(*ast.FuncCallExpr)
	if !isCall {
		return 0, false
	}
	if own := s.ownCall(call); own != nil {
		most, known := mostResults(own.to.f)
		return len(list) - 1 + most, known && !own.fails()
	}
	m := s.calledMember(call)
	if m == nil || len(m.Returns) == 0 || m.Name == "byte" || m.Returns[len(m.Returns)-1].Name == "..." ||
		m.Returns[len(m.Returns)-1].Type == "any" {
		return 0, false
	}
	return len(list) - 1 + len(m.Returns), true
}

// mostResults returns the most values that the returns of a function give. known is false if one of them ends with a call
// or with ..., which may give any number.
func mostResults(f *ast.FunctionExpr) (most int, known bool) {
	known = true
	eachReturn(f.Stmts, func(r *ast.ReturnStmt) {
		n, open := count(r.Exprs)
		most, known = max(most, n), known && !open
	})
	return most, known
}

// surplusResults checks local x, y, z = self:getPosition(): more variables than results.
func (w *walker) surplusResults(s *ast.LocalAssignStmt) {
	if len(s.Exprs) == 0 || len(s.Names) <= len(s.Exprs) {
		return
	}
	call, isCall := s.Exprs[len(s.Exprs)-1].(*ast.FuncCallExpr)
	n, known := w.scope.valuesIn(s.Exprs)
	results := n - len(s.Exprs) + 1
	if isCall && known && results > 0 && !call.AdjustRet && n < len(s.Names) && !w.scope.again[s.Names[n]] {
		hint := "leave " + s.Names[n] + " out"
		if w.scope.ownCall(call) != nil {
			hint += ", or return it in " + nameIn(call)
		}
		w.report.say(max(call.Line(), 1), s.Names[n], hint,
			"%s returns %s, so that %s is nil", nameIn(call), values(results), s.Names[n])
	}
}

// fewerValues checks game.a, game.b = 1: a field that is given no value, and that cannot be nil.
func (w *walker) fewerValues(s *ast.AssignStmt) {
	n, known := w.scope.valuesIn(s.Rhs)
	if !known {
		return
	}
	for _, e := range s.Lhs[min(n, len(s.Lhs)):] {
		get, ok := e.(*ast.AttrGetExpr)
		if !ok {
			continue
		}
		p, name := w.scope.partAt(get), nameIn(get)
		if p == nil || p.of == "" && p.item == nil && p.parts == nil {
			continue
		}
		hint := fmt.Sprintf("there are %d names and %s", len(s.Lhs), values(n))
		if call, isCall := s.Rhs[len(s.Rhs)-1].(*ast.FuncCallExpr); isCall && !call.AdjustRet {
			if n == 0 {
				return // it is said that the function returns nothing
			}
			hint = nameIn(call) + " returns " + values(n-len(s.Rhs)+1)
		}
		w.report.say(max(get.Line(), get.Key.Line(), s.Line()), name, hint, "%s is %s, and is given no value", p.name, p.is())
		return
	}
}

// partAt returns what is declared of a field of an object, or of a part of a record, that an expression looks up; nil: it
// is no such thing, or not known.
func (s *scope) partAt(get *ast.AttrGetExpr) *part {
	name, isText := syntax.TextOf(get.Key)
	switch v := s.infer(get.Object); {
	case !isText:
	case v.Kind == kept:
		return v.Part.parts[name]
	case v.isObject() && v.Class != nil:
		return v.Class.fields[name]
	}
	return nil
}

// withoutValue checks local x, y = 5: a variable that is given no value, neither here nor later, and that is used.
func (w *walker) withoutValue(stmts []ast.Stmt, at int) {
	s := stmts[at].(*ast.LocalAssignStmt)
	n, open := count(s.Exprs)
	if n == 0 || open || n >= len(s.Names) || literal(s.Exprs[n-1]) == "nil" {
		return
	}
	for _, name := range s.Names[n:] {
		if !w.scope.again[name] && used(stmts[at+1:], name) {
			w.report.say(max(s.Line(), s.Exprs[0].Line(), 1), name, "there are "+fmt.Sprint(len(s.Names))+" names and "+values(n), "%s is given no value, and is nil", name)
			return
		}
	}
}

// used reports whether statements use a variable that is declared before them, and never ask whether it is nil.
func used(stmts []ast.Stmt, name string) (is bool) {
	for i, s := range stmts {
		is = is || mentions(s, name)
		if local, ok := s.(*ast.LocalAssignStmt); ok && slices.Contains(local.Names, name) {
			stmts = stmts[:i+1]
			break
		}
	}
	return is && !asks(stmts, name)
}

// asks reports whether code tests a variable, or compares it with == or ~=.
func asks(stmts []ast.Stmt, name string) (found bool) {
	test := func(list ...ast.Expr) {
		for _, e := range list {
			found = found || syntax.NameOf(e) == name
		}
	}
	eachStmt(stmts, func(s ast.Stmt) {
		switch s := s.(type) {
		case *ast.IfStmt:
			test(s.Condition)
		case *ast.WhileStmt:
			test(s.Condition)
		case *ast.RepeatStmt:
			test(s.Condition)
		}
	})
	eachExpr(stmts, func(e ast.Expr) {
		switch e := e.(type) {
		case *ast.LogicalOpExpr:
			test(e.Lhs, e.Rhs)
		case *ast.UnaryNotOpExpr:
			test(e.Expr)
		case *ast.RelationalOpExpr:
			if e.Operator == "==" || e.Operator == "~=" {
				test(e.Lhs, e.Rhs)
			}
		}
	})
	return found
}
