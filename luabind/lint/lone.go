package lint

import (
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// droppedSelf checks self = nil, which forgets the object, and does not remove it. It stands before the value of self is
// forgotten.
func (w *walker) droppedSelf(s *ast.AssignStmt) {
	for i, e := range s.Lhs {
		if syntax.NameOf(e) != "self" || i >= len(s.Rhs) || literal(s.Rhs[i]) != "nil" {
			continue
		}
		if v, _ := w.scope.lookUp("self"); v.Kind == object {
			w.report.say(max(e.Line(), s.Line()), "self", "write self:remove()", "self = nil only forgets the object here, and removes nothing")
		}
	}
}

// ofOne checks math.min(x) and math.max(x), which return x.
func (w *walker) ofOne(e *ast.FuncCallExpr) {
	for _, name := range []string{"min", "max"} {
		passed, open := count(e.Args)
		if passed != 1 || open || !w.scope.isFunction(e.Func, "math", name) || w.scope.typeOf(e.Args[0]) == "table" {
			continue
		}
		if call, isCall := e.Args[0].(*ast.FuncCallExpr); isCall && call.AdjustRet {
			continue // math.min((f())) wants the first result
		}
		limit := map[string]string{"min": "most", "max": "least"}[name]
		x := shortly(e.Args[0])
		if x == "this" {
			x = "x"
		}
		w.report.say(e.Line(), name, "give it another: math."+name+"("+x+", "+limit+")", "%s is given one value, and returns that", name)
	}
}
