package lint

import (
	"fmt"
	"math"

	"github.com/hindcast/hindcast/luabind/internal/ident"
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/hindcast/hindcast/world"
	"github.com/yuin/gopher-lua/ast"
)

// stateList returns the list of state that an expression is, nil if it is none.
func (s *scope) stateList(e ast.Expr) *part {
	if v := s.infer(e); v.Kind == kept && v.Part.item != nil {
		return v.Part
	}
	return nil
}

// partWritten checks what is written into a list or a record of state: self.hits[1] = "x", self.at.x = "x".
func (w *walker) partWritten(get *ast.AttrGetExpr, e ast.Expr) {
	v := w.scope.infer(get.Object)
	key, isText := syntax.TextOf(get.Key)
	switch line := max(get.Key.Line(), get.Line()); {
	case v.Kind != kept:
	case isText && v.Part.parts[key] != nil:
		w.fitsPart(v.Part.parts[key], e, line, key)
	case !isText && v.Part.item != nil:
		w.fitsItem(v.Part, e, line, nameIn(get.Object))
	}
}

// listPlace checks the number of an item of a list of state: it has no item 0, and none beyond the most that it holds.
func (k *checks) listPlace(list *part, e *ast.AttrGetExpr) {
	at, ok := writtenNumber(e.Key)
	number := fmt.Sprint(at)
	switch {
	case ok && list.parts != nil:
		known := ident.Keys(list.parts)
		k.report.say(e.Line(), number, "its parts have names: "+world.Listed(known), "%s is a record, and has no item %s", list.name, number)
	case !ok || list.item == nil:
	case at < 1:
		k.report.say(e.Line(), number, "write "+shortly(e.Object)+"[1]", "lists begin at 1, and %s has no item %s",
			list.name, number)
	case at != math.Trunc(at):
		k.report.say(e.Line(), number, "write math.floor(...) around what is computed", "%s has no item %s: they have "+
			"whole numbers", list.name, number)
	case at > float64(list.most):
		k.report.say(e.Line(), number, "declare list(..., "+number+")", "%s holds at most %d items, and has no item %s",
			list.name, list.most, number)
	}
}

// overfilled checks for i = 1, 8 do self.hits[i] = 0 end with a list that holds 4.
func (w *walker) overfilled(s *ast.NumberForStmt) {
	most, isWritten := writtenNumber(s.Limit)
	if !isWritten || s.Step != nil || leaves(s.Stmts) {
		return
	}
	for _, inner := range s.Stmts {
		a, ok := inner.(*ast.AssignStmt)
		if !ok {
			continue
		}
		for _, e := range a.Lhs {
			get, isItem := e.(*ast.AttrGetExpr)
			if !isItem || syntax.NameOf(get.Key) != s.Name {
				continue
			}
			if list := w.scope.stateList(get.Object); list != nil && most > float64(list.most) {
				w.report.say(max(get.Line(), 1), nameIn(get.Object), fmt.Sprintf("declare list(..., %v)", most), "%s holds at most %d items, and %s goes to %v",
					list.name, list.most, s.Name, most)
			}
		}
	}
}

// removesItem checks table.remove(list, v) in for i, v in ipairs(list) do: v is the item, and i its place.
func (w *walker) removesItem(s *ast.GenericForStmt) {
	call, ok := s.Exprs[0].(*ast.FuncCallExpr)
	if !ok || len(s.Names) != 2 || len(call.Args) != 1 || !w.scope.isGlobal(call.Func, "ipairs") || named(call.Args[0]) == nil {
		return
	}
	w.removesUpwards(call.Args[0], s.Names[0], s.Stmts)
	eachExpr(s.Stmts, func(e ast.Expr) {
		inner, isCall := e.(*ast.FuncCallExpr)
		if isCall && len(inner.Args) == 2 && w.scope.isFunction(inner.Func, "table", "remove") && syntax.NameOf(inner.Args[1]) == s.Names[1] &&
			shortly(inner.Args[0]) == shortly(call.Args[0]) && !declares(s.Stmts, s.Names[1]) {
			w.report.say(inner.Line(), "remove", "loop from the end: for i = #"+shortly(call.Args[0])+", 1, -1 do, and remove(list, i)", "remove takes the place "+
				"of an item, and %s is the item itself", s.Names[1])
		}
	})
}

// removesUpwards checks for i = 1, #list do ... table.remove(list, i) ... end, which goes on after the item: the next one
// takes its place, and is left out.
func (w *walker) removesUpwards(list ast.Expr, i string, body []ast.Stmt) {
	if named(list) == nil || leaves(body) {
		return
	}
	eachExpr(body, func(e ast.Expr) {
		call, isCall := e.(*ast.FuncCallExpr)
		if isCall && len(call.Args) == 2 && w.scope.isFunction(call.Func, "table", "remove") && syntax.NameOf(call.Args[1]) == i &&
			shortly(call.Args[0]) == shortly(list) && !declares(body, i) {
			of := shortly(list)
			w.report.say(call.Line(), "remove", "loop from the end: for "+i+" = #"+of+", 1, -1 do", "the item after the one that is removed takes its place, "+
				"and the loop leaves it out")
		}
	})
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

// concatenated checks table.concat(objects("Coin")): the items are no texts.
func (w *walker) concatenated(e *ast.FuncCallExpr) {
	m := w.scope.callee(e.Func)
	if m == nil || m != library.Function("table", "concat") {
		return
	}
	list := first(e.Args)
	v := w.scope.infer(list)
	of := ""
	switch {
	case v.Kind == found && v.Type == "":
		of = anObject
	case v.Kind == kept && v.Part.item != nil && v.Part.item.of == "boolean":
		of = "boolean"
	case v.Kind == kept && v.Part.item != nil && v.Part.item.ref:
		of = anObject
	default:
		return
	}
	w.report.say(e.Line(), m.Name, "make a list of texts in a loop, and join that", "concat joins texts and numbers, and an item of %s is %s",
		shortly(list), aType(of))
}

// inserted checks table.insert(self.hits, "x").
func (w *walker) inserted(e *ast.FuncCallExpr) {
	m := w.scope.callee(e.Func)
	if m == nil || m != library.Function("table", "insert") || len(e.Args) < 2 || len(e.Args) > 3 {
		return
	}
	if list := w.scope.stateList(e.Args[0]); list != nil {
		w.fitsItem(list, e.Args[len(e.Args)-1], e.Line(), m.Name)
	}
}
