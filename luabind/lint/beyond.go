package lint

import (
	"fmt"
	"slices"

	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// beyond checks the number of an item that a list never has: KINDS[0], KINDS[#KINDS + 1], and KINDS[random(0, #KINDS)],
// which may be such a one.
func (w *walker) beyond(v value, e *ast.AttrGetExpr) {
	list := shortly(e.Object)
	items, isConstant := w.constantItems(v, e.Object)
	isList := v.Kind == found || v.Kind == shownList || v.Kind == kept && v.Part.item != nil
	if !isConstant && !isList || list == "this" {
		return
	}
	n, isNumber := writtenNumber(e.Key)
	over, isOver := w.overLength(e.Object, e.Key)
	switch {
	case isNumber && n == 0 && (isConstant || v.Kind == shownList):
		w.report.say(max(e.Line(), 1), numberOf(e.Key), "write "+list+"[1]", "lists begin at 1, and %s[0] is nil", list)
	case isNumber && isConstant && (n < 1 || n > float64(items)) && !w.looksForItem(e, false) && !w.asksFor(e):
		w.report.say(max(e.Line(), 1), or(numberOf(e.Key), nameIn(e.Object)), fmt.Sprintf("give 1 to %d", items), "%s has %d items, and no item %v", list, items, n)
	case isOver && w.target == e && (v.Kind != kept || over < 2):
	case isOver && w.target == e:
		w.report.say(max(e.Line(), 1), nameIn(e.Object), "write "+list+"[#"+list+" + 1]", "the next item of %s is number #%s + 1, and a list has no gaps", v.Part.name,
			list)
	case isOver:
		w.report.say(max(e.Line(), 1), nameIn(e.Object), "write "+list+"[#"+list+"] for the last one", "%s has no item after the last one", list)
	default:
		w.mayBeZero(e)
	}
}

// constantItems returns how many items a table of the file has that is written out as a list, and that no file changes or
// gives away.
func (w *walker) constantItems(v value, e ast.Expr) (n int, is bool) {
	name := syntax.NameOf(e)
	if v.Kind != shared || v.Text == nil || len(v.Text.Fields) == 0 || name == "" || !w.game.isLoaded() || w.metatables {
		return 0, false
	}
	if n, is = items(v.Text); !is {
		return n, false
	}
	trees := [][]ast.Stmt{w.tree}
	if _, isLocal := w.scope.lookUp(name); !isLocal {
		trees = w.game.trees
	}
	for _, tree := range trees {
		if w.game.changed(tree)[name] {
			return n, false
		}
	}
	return n, true
}

// changed returns the names in a file of what may be a table that something changes: it is written to, or given away.
func (g *game) changed(tree []ast.Stmt) map[string]bool {
	if len(tree) == 0 {
		return nil
	}
	if g.changedIn == nil {
		g.changedIn = map[ast.Stmt]map[string]bool{}
	}
	if known := g.changedIn[tree[0]]; known != nil {
		return known
	}
	changed, read := map[string]bool{}, map[ast.Expr]bool{}
	eachExpr(tree, func(e ast.Expr) {
		switch e := e.(type) {
		case *ast.AttrGetExpr:
			read[e.Object] = true
		case *ast.UnaryLenOpExpr:
			read[e.Expr] = true
		case *ast.FuncCallExpr:
			of, isMember := e.Func.(*ast.AttrGetExpr)
			if slices.Contains([]string{"ipairs", "pairs", "unpack", "next", "print"}, syntax.NameOf(e.Func)) ||
				isMember && syntax.NameOf(of.Object) == "table" && syntax.LastName(of) == "concat" {
				read[first(e.Args)] = true
			}
		}
	})
	eachStmt(tree, func(s ast.Stmt) {
		switch s := s.(type) {
		case *ast.AssignStmt:
			for i, e := range s.Lhs {
				if get, ok := e.(*ast.AttrGetExpr); ok {
					read[get.Object] = false
				}
				if i < len(s.Rhs) && literal(s.Rhs[i]) == "table" && slices.Contains(tree, ast.Stmt(s)) {
					read[e] = true // where a global is given its table; a second time, nothing is known of it
				}
			}
		case *ast.FuncDefStmt:
			changed[syntax.NameOf(s.Name.Receiver)] = true
			if get, ok := s.Name.Func.(*ast.AttrGetExpr); ok {
				changed[syntax.NameOf(get.Object)] = true
			}
		}
	})
	eachExpr(tree, func(e ast.Expr) {
		if id, ok := e.(*ast.IdentExpr); ok && !read[e] {
			changed[id.Value] = true
		}
	})
	g.changedIn[tree[0]] = changed
	return changed
}

// overLength returns by how much a key is more than the length of its list: n of #list + n.
func (w *walker) overLength(list, key ast.Expr) (n float64, is bool) {
	sum, ok := key.(*ast.ArithmeticOpExpr)
	if !ok || sum.Operator != "+" || !isLengthOf(sum.Lhs, list) {
		return 0, false
	}
	n, is = writtenNumber(sum.Rhs)
	return n, is && n >= 1
}

// isLengthOf reports whether an expression is #list.
func isLengthOf(e, list ast.Expr) bool {
	length, ok := e.(*ast.UnaryLenOpExpr)
	return ok && named(list) != nil && shortly(length.Expr) == shortly(list)
}

// mayBeZero checks list[random(0, #list)] and the like, unless the code looks whether there is an item.
func (w *walker) mayBeZero(e *ast.AttrGetExpr) {
	key, counter := e.Key, syntax.NameOf(e.Key)
	if h := w.scope.heldBy(key); h.chosen != nil {
		key = h.chosen
	}
	written, leavesOut := w.fromZero(e.Object, key)
	if written == "" || counter != "" && comparesIn(w.body, counter) || w.looksForItem(e, !leavesOut) {
		return
	}
	list := shortly(e.Object)
	w.report.say(max(e.Line(), 1), nameIn(e.Object), "write "+list+"[random(#"+list+")]", "lists begin at 1, and %s may be 0", written)
}

// fromZero returns how a number is written that is from 0 to the length of a list or below; empty: it is another one.
// leavesOut reports that it never is the length, so that the last item is left out.
func (w *walker) fromZero(list, key ast.Expr) (written string, leavesOut bool) {
	of := "#" + shortly(list)
	isRandom := func(e ast.Expr, args int) *ast.FuncCallExpr {
		call, ok := e.(*ast.FuncCallExpr)
		if !ok || call == nil || len(call.Args) != args || !w.scope.isGlobal(call.Func, "random") && !w.scope.isFunction(call.Func, "math", "random") {
			return nil
		}
		return call
	}
	if call := isRandom(key, 2); call != nil && numberOf(call.Args[0]) == "0" && isLengthOf(call.Args[1], list) {
		return "random(0, " + of + ")", false
	}
	if less, ok := key.(*ast.ArithmeticOpExpr); ok && less.Operator == "-" && numberOf(less.Rhs) == "1" {
		if call := isRandom(less.Lhs, 1); call != nil && isLengthOf(call.Args[0], list) {
			return "random(" + of + ") - 1", true
		}
	}
	call, ok := key.(*ast.FuncCallExpr)
	if !ok || call == nil || len(call.Args) != 1 || !w.scope.isFunction(call.Func, "math", "floor") {
		return "", false
	}
	by, isProduct := call.Args[0].(*ast.ArithmeticOpExpr)
	if isProduct && by.Operator == "*" && (isRandom(by.Lhs, 0) != nil && isLengthOf(by.Rhs, list) ||
		isRandom(by.Rhs, 0) != nil && isLengthOf(by.Lhs, list)) {
		return "math.floor(random() * " + of + ")", true
	}
	return "", false
}

// comparesIn reports whether code compares a variable with something, or tests it.
func comparesIn(stmts []ast.Stmt, name string) (compares bool) {
	eachExpr(stmts, func(e ast.Expr) {
		r, ok := e.(*ast.RelationalOpExpr)
		compares = compares || ok && (syntax.NameOf(r.Lhs) == name || syntax.NameOf(r.Rhs) == name)
	})
	return compares || tests(stmts, name, false)
}

// looksForItem reports whether code asks whether an item that it has looked up is there. Where givenAway is true, it may
// also be returned, or given to a function of the game, which asks.
func (w *walker) looksForItem(get *ast.AttrGetExpr, givenAway bool) (looks bool) {
	item := ast.Expr(get)
	eachExpr([]ast.Stmt{w.statement}, func(e ast.Expr) {
		switch e := e.(type) {
		case *ast.LogicalOpExpr:
			looks = looks || e.Lhs == item || e.Rhs == item
		case *ast.RelationalOpExpr:
			looks = looks || e.Lhs == item || e.Rhs == item
		case *ast.UnaryNotOpExpr:
			looks = looks || e.Expr == item
		case *ast.FuncCallExpr:
			looks = looks || givenAway && slices.Contains(e.Args, item) && (e.Receiver != nil || w.scope.callee(e.Func) == nil)
		}
	})
	switch s := w.statement.(type) {
	case *ast.IfStmt:
		looks = looks || s.Condition == item
	case *ast.WhileStmt:
		looks = looks || s.Condition == item
	case *ast.ReturnStmt:
		looks = looks || givenAway && slices.Contains(s.Exprs, item)
	case *ast.LocalAssignStmt:
		if i := slices.Index(s.Exprs, item); i >= 0 && i < len(s.Names) {
			looks = looks || comparesIn(w.body, s.Names[i]) || givenAway && passedOn(w.body, s.Names[i], w.scope)
		}
	case *ast.AssignStmt:
		if i := slices.Index(s.Rhs, item); i >= 0 && i < len(s.Lhs) && syntax.NameOf(s.Lhs[i]) != "" {
			looks = looks || comparesIn(w.body, syntax.NameOf(s.Lhs[i])) || givenAway
		}
	}
	return looks
}

// asksFor reports whether the file tests the same item of a list somewhere.
func (w *walker) asksFor(get *ast.AttrGetExpr) (asks bool) {
	eachCondition(w.tree, func(e *ast.AttrGetExpr) { asks = asks || written(e) == written(get) })
	return asks
}

// passedOn reports whether code returns a variable, or gives it to a function that is none of the library.
func passedOn(stmts []ast.Stmt, name string, s *scope) (passed bool) {
	is := func(e ast.Expr) bool { return syntax.NameOf(e) == name }
	eachExpr(stmts, func(e ast.Expr) {
		call, ok := e.(*ast.FuncCallExpr)
		passed = passed || ok && slices.ContainsFunc(call.Args, is) && (call.Receiver != nil || s.callee(call.Func) == nil)
	})
	eachStmt(stmts, func(st ast.Stmt) {
		r, ok := st.(*ast.ReturnStmt)
		passed = passed || ok && slices.ContainsFunc(r.Exprs, is)
	})
	return passed
}
