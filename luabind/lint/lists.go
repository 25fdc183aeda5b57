package lint

import (
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// stateList returns the list of state that an expression is, as Class.field, and the type of its items; "": it is none.
func (s *scope) stateList(e ast.Expr) (list, of string) {
	get, ok := e.(*ast.AttrGetExpr)
	if !ok {
		return "", ""
	}
	name, _ := syntax.TextOf(get.Key)
	v := s.infer(get.Object)
	if v.Kind != object || !v.Class.lists[name].is {
		return "", ""
	}
	return v.Class.name() + "." + name, v.Class.lists[name].of
}

// listWritten checks what is written into a list of state: self.hits[1] = "x", self.hits.first = 1.
func (w *walker) listWritten(get *ast.AttrGetExpr, e ast.Expr) {
	list, of := w.scope.stateList(get.Object)
	key, isText := syntax.TextOf(get.Key)
	switch line := max(get.Key.Line(), get.Line()); {
	case list == "":
	case isText:
		w.report.say(line, key, "table.insert(list, v) adds one", "%s is a list, whose items have numbers", list)
	default:
		w.itemFits(list, of, e, line, nameIn(get.Object))
	}
}

// itemFits checks the type of an item that is written into a list.
func (w *walker) itemFits(list, of string, e ast.Expr, line int, at string) {
	if given := w.scope.typeOf(e); of != "" && given != "" && given != "nil" && given != of {
		w.report.say(line, at, "give it what it was declared with", "an item of %s is %s, and cannot be %s", list,
			aType(of), aType(given))
	}
}

// listFits checks what is assigned to a list of state as a whole, or inserted into it.
func (w *walker) listFits(list, of string, e ast.Expr, line int, at string) {
	t, written := e.(*ast.TableExpr)
	if given := w.scope.typeOf(e); !written && given != "" && given != "table" {
		w.report.say(line, at, "assign a table, or add an item with table.insert", "%s is a list, and cannot be %s",
			list, aType(given))
	}
	if !written {
		return
	}
	for _, f := range t.Fields {
		if f.Key == nil {
			w.itemFits(list, of, f.Value, max(line, f.Value.Line()), at)
		}
	}
}

// inserted checks table.insert(self.hits, "x").
func (w *walker) inserted(e *ast.FuncCallExpr) {
	m := w.scope.callee(e.Func)
	if m == nil || m != library.Function("table", "insert") || len(e.Args) < 2 || len(e.Args) > 3 {
		return
	}
	if list, of := w.scope.stateList(e.Args[0]); list != "" {
		w.itemFits(list, of, e.Args[len(e.Args)-1], e.Line(), m.Name)
	}
}
