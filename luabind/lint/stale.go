package lint

import (
	"slices"

	"github.com/hindcast/hindcast/luabind/internal/api"
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/hindcast/hindcast/world"
	"github.com/yuin/gopher-lua/ast"
)

// staleReads checks what a hook reads of fields of other objects that it has written: what is written to another object
// takes effect when the order ends, not before the hook does, and until then the field has its old value. Only what is
// surely another object counts, and only what nobody means: if f.hp <= 0 after f.hp = f.hp - 5.
func (w *walker) staleReads(c *class, hook string, params []string, f *ast.FunctionExpr) {
	if w.testing || w.steered != nil || w.scope.shows() != nil || !w.game.isLoaded() || hook == world.OnSpawn.String() ||
		w.game.isCalledBack(hook) {
		return
	}
	if others := w.othersIn(c, hook, params, f); len(others) > 0 {
		w.staleIn(f.Stmts, others)
	}
}

// othersIn returns the local variables of a hook that are surely other objects than the one whose hook runs, and were
// there before it: what it touches, and what nearest and objects find of a class that has nothing to do with its own.
func (w *walker) othersIn(c *class, hook string, params []string, f *ast.FunctionExpr) map[string]bool {
	times, others := map[string]int{}, map[string]bool{}
	for _, p := range params {
		times[p]++
	}
	touches := []string{world.OnContact.String(), world.OnContactEnd.String(), world.OnTrigger.String()}
	if c != nil && len(params) > 1 && params[0] == "self" && slices.Contains(touches, hook) {
		others[params[1]] = true
	}
	foreign := func(e ast.Expr) bool {
		call, ok := e.(*ast.FuncCallExpr)
		if !ok || !w.scope.isGlobal(call.Func, "nearest", "objects") || len(call.Args) == 0 {
			return false
		}
		name, isText := syntax.TextOf(call.Args[0])
		of := w.game.class(name)
		return isText && of != nil && (c == nil || !of.is(c) && !c.is(of))
	}
	var block func([]ast.Stmt)
	var expr func(ast.Expr)
	expr = func(e ast.Expr) {
		if e == nil {
			return
		}
		if inner, ok := e.(*ast.FunctionExpr); ok {
			for _, p := range inner.ParList.Names {
				times[p]++
			}
		}
		syntax.EachOperand(e, expr, block)
	}
	block = func(stmts []ast.Stmt) {
		for _, s := range stmts {
			switch s := s.(type) {
			case *ast.LocalAssignStmt:
				for i, n := range s.Names {
					times[n]++
					call, _ := nth(s.Exprs, i).(*ast.FuncCallExpr)
					others[n] = others[n] || call != nil && syntax.NameOf(call.Func) == "nearest" && foreign(call)
				}
			case *ast.GenericForStmt:
				for _, n := range s.Names {
					times[n]++
				}
				if call, ok := first(s.Exprs).(*ast.FuncCallExpr); ok && len(s.Names) == 2 &&
					w.scope.isGlobal(call.Func, "ipairs", "pairs") {
					list, _ := first(call.Args).(*ast.FuncCallExpr)
					others[s.Names[1]] = others[s.Names[1]] || list != nil && syntax.NameOf(list.Func) == "objects" && foreign(list)
				}
			case *ast.NumberForStmt:
				times[s.Name]++
			case *ast.AssignStmt:
				for _, to := range s.Lhs {
					if n := syntax.NameOf(to); n != "" {
						times[n] += 2 // it is not what it was
					}
				}
			}
			syntax.EachPart(s, expr, block)
		}
	}
	block(f.Stmts)
	// order: each is looked at by itself
	for n := range others {
		if !others[n] || times[n] != 1 || times["nearest"]+times["objects"] > 0 {
			delete(others, n)
		}
	}
	return others
}

// staleIn looks at the blocks of a hook.
func (w *walker) staleIn(stmts []ast.Stmt, others map[string]bool) {
	for i, s := range stmts {
		if of, key, operator := changes(s); others[of] {
			w.staleAfter(stmts[i+1:], s.Line(), of, key, operator)
		}
		syntax.EachPart(s, func(ast.Expr) {}, func(inner []ast.Stmt) { w.staleIn(inner, others) })
	}
}

// staleAfter looks for the first read of a field after the line that has changed it, in the statements that follow.
func (w *walker) staleAfter(stmts []ast.Stmt, line int, of, key, operator string) {
	for _, s := range stmts {
		branch, ok := s.(*ast.IfStmt)
		for ok {
			if operator == "-" && comparesWithZero(branch.Condition, of, key) {
				w.report.say(branch.Condition.Line(), of, "keep the new value in a local variable, and look at that",
					"%s.%s is still what it was before line %d: what is written to another object takes effect after the hook",
					of, key, line)
				return
			}
			next, isIf := one(branch.Else)
			if branch, ok = next.(*ast.IfStmt); !isIf {
				break
			}
		}
		if writesField(s, of, key) {
			return
		}
	}
}

// one returns the statement of a block of one.
func one(stmts []ast.Stmt) (ast.Stmt, bool) {
	if len(stmts) != 1 {
		return nil, false
	}
	return stmts[0], true
}

// changes returns the variable o, the field f and the operator of o.f = o.f - 1; empty: the statement is none such.
func changes(s ast.Stmt) (of, key, operator string) {
	a, ok := s.(*ast.AssignStmt)
	if !ok || len(a.Lhs) != 1 || len(a.Rhs) != 1 {
		return "", "", ""
	}
	get, ok := a.Lhs[0].(*ast.AttrGetExpr)
	if !ok {
		return "", "", ""
	}
	key, isText := syntax.TextOf(get.Key)
	of = syntax.NameOf(get.Object)
	sum, isSum := a.Rhs[0].(*ast.ArithmeticOpExpr)
	if !isText || of == "" || !isSum || sum.Operator != "-" && sum.Operator != "+" || !isField(sum.Lhs, of, key) {
		return "", "", ""
	}
	return of, key, sum.Operator
}

// isField reports whether an expression is o.f.
func isField(e ast.Expr, of, key string) bool {
	get, ok := e.(*ast.AttrGetExpr)
	if !ok || syntax.NameOf(get.Object) != of {
		return false
	}
	name, isText := syntax.TextOf(get.Key)
	return isText && name == key
}

// writesField reports whether a statement writes to o.f anywhere.
func writesField(s ast.Stmt, of, key string) (writes bool) {
	var block func([]ast.Stmt)
	block = func(stmts []ast.Stmt) {
		for _, s := range stmts {
			if a, ok := s.(*ast.AssignStmt); ok {
				writes = writes || slices.ContainsFunc(a.Lhs, func(e ast.Expr) bool { return isField(e, of, key) })
			}
			syntax.EachPart(s, func(ast.Expr) {}, block)
		}
	}
	block([]ast.Stmt{s})
	return writes
}

// comparesWithZero reports whether a condition is o.f <= 0 or the like, or begins with it.
func comparesWithZero(e ast.Expr, of, key string) bool {
	switch e := e.(type) {
	case *ast.RelationalOpExpr:
		return isField(e.Lhs, of, key) && numberOf(e.Rhs) == "0" && e.Operator != "~="
	case *ast.LogicalOpExpr:
		return comparesWithZero(e.Lhs, of, key) || comparesWithZero(e.Rhs, of, key)
	}
	return false
}

// isCalledBack reports whether code calls a hook by itself, which then runs within the hook of another object.
func (g *game) isCalledBack(hook string) (called bool) {
	if api.HookMember(hook) == nil && api.GameHookMember(hook) == nil {
		return true
	}
	for _, tree := range g.trees {
		eachExpr(tree, func(e ast.Expr) {
			if call, ok := e.(*ast.FuncCallExpr); ok {
				called = called || call.Method == hook && syntax.NameOf(call.Receiver) != "self" ||
					call.Method == "" && syntax.LastName(call.Func) == hook && syntax.NameOf(first(call.Args)) != "self"
			}
		})
	}
	return called
}
