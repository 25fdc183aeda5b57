package lint

import (
	"fmt"

	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// stateList returns the list of state that an expression is. Its name is empty if it is none.
func (s *scope) stateList(e ast.Expr) aList {
	if v := s.infer(e); v.Kind == kept && v.List.is {
		return v.List
	}
	return aList{}
}

// listWritten checks what is written into a list of state: self.hits[1] = "x".
func (w *walker) listWritten(get *ast.AttrGetExpr, e ast.Expr) {
	list := w.scope.stateList(get.Object)
	if _, isText := syntax.TextOf(get.Key); list.is && !isText {
		w.itemFits(list.name, list.of, e, max(get.Key.Line(), get.Line()), nameIn(get.Object))
	}
}

// listPlace checks the number of an item of a list of state: it has no item 0, and none beyond the most that it holds.
func (k *checks) listPlace(list aList, e *ast.AttrGetExpr, number string) {
	at, ok := syntax.ParseNumber(number)
	switch {
	case !ok || !list.is:
	case at < 1:
		k.report.say(e.Line(), number, "write "+shortly(e.Object)+"[1]", "lists begin at 1, and %s has no item %s",
			list.name, number)
	case at > float64(list.most):
		k.report.say(e.Line(), number, "declare list(..., "+number+")", "%s holds at most %d items, and has no item %s",
			list.name, list.most, number)
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
func (w *walker) listFits(list aList, e ast.Expr, line int, at string) {
	t, written := e.(*ast.TableExpr)
	if given := w.scope.typeOf(e); !written && given != "" && given != "table" {
		w.report.say(line, at, "assign a table, or add an item with table.insert", "%s is a list, and cannot be %s",
			list.name, aType(given))
	}
	if !written {
		return
	}
	if n, exact := items(t); n > list.most && exact {
		w.report.say(line, at, fmt.Sprintf("declare list(..., %d)", n), "%s holds at most %d items, and not %d", list.name,
			list.most, n)
		return
	}
	for _, f := range t.Fields {
		if f.Key == nil {
			w.itemFits(list.name, list.of, f.Value, max(line, f.Value.Line()), at)
		}
	}
}

// items returns how many items a table has that is written out. exact is false if there may be others.
func items(t *ast.TableExpr) (n int, exact bool) {
	values := make([]ast.Expr, 0, len(t.Fields))
	for _, f := range t.Fields {
		if f.Key != nil {
			return 0, false
		}
		values = append(values, f.Value)
	}
	n, open := count(values)
	return n, !open
}

// inserted checks table.insert(self.hits, "x").
func (w *walker) inserted(e *ast.FuncCallExpr) {
	m := w.scope.callee(e.Func)
	if m == nil || m != library.Function("table", "insert") || len(e.Args) < 2 || len(e.Args) > 3 {
		return
	}
	if list := w.scope.stateList(e.Args[0]); list.is {
		w.itemFits(list.name, list.of, e.Args[len(e.Args)-1], e.Line(), m.Name)
	}
}
