package lint

import (
	"maps"

	"github.com/hindcast/hindcast/luabind/internal/ident"
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/hindcast/hindcast/world"
	"github.com/yuin/gopher-lua/ast"
)

// narrowed returns the variables whose class is known where a condition has a verdict: other after other.class == "Ship".
func (s *scope) narrowed(e ast.Expr, verdict bool) (vars map[string]value) {
	switch e := e.(type) {
	case *ast.LogicalOpExpr:
		if (e.Operator == "and") == verdict {
			vars = s.narrowed(e.Lhs, verdict)
			if more := s.narrowed(e.Rhs, verdict); vars == nil {
				vars = more
			} else {
				maps.Copy(vars, more)
			}
		}
	case *ast.UnaryNotOpExpr:
		return s.narrowed(e.Expr, !verdict)
	case *ast.RelationalOpExpr:
		if get, ok := e.Lhs.(*ast.AttrGetExpr); ok && (e.Operator == "==") == verdict && (e.Operator == "==" || e.Operator == "~=") {
			if key, _ := syntax.TextOf(get.Key); key == "class" {
				return s.ofClass(get.Object, e.Rhs, false)
			}
		}
	case *ast.FuncCallExpr:
		if e.Receiver != nil && e.Method == "is" && verdict && len(e.Args) == 1 {
			return s.ofClass(e.Receiver, e.Args[0], true)
		}
	}
	return vars
}

// ofClass returns a variable as an object of a class, if it is one that was only known as an object. orBelow says that it
// may be one of a class that extends this one.
func (s *scope) ofClass(e, class ast.Expr, orBelow bool) map[string]value {
	name := syntax.NameOf(e)
	of, _ := syntax.TextOf(class)
	c := s.game.class(of)
	v, isLocal := s.lookUp(name)
	if !isLocal || v.Kind != someObject || s.again[name] || c == nil || c.called == "" || world.HoldsState(of) || s.view != nil ||
		orBelow && len(c.below) > 0 || !s.game.isLoaded() {
		return nil
	}
	return map[string]value{name: {Kind: object, Class: c}}
}

// branches walks an if whose condition tells the class of a variable. done reports that nothing of it is left to walk.
func (w *walker) branches(s *ast.IfStmt) (done bool) {
	vars, others := w.scope.narrowed(s.Condition, true), w.scope.narrowed(s.Condition, false)
	if len(vars) == 0 && len(others) == 0 {
		return false
	}
	w.expr(s.Condition)
	w.scope.within(vars, func() { w.block(s.Then) })
	w.scope.within(others, func() { w.block(s.Else) })
	return true
}

// afterBranch notes what holds after if other.class ~= "Ship" then return end.
func (w *walker) afterBranch(s *ast.IfStmt) {
	if len(s.Else) == 0 && ends(s.Then) {
		vars := w.scope.narrowed(s.Condition, false)
		for _, name := range ident.Keys(vars) {
			w.scope.set(w.scope.block, name, vars[name])
		}
	}
}
