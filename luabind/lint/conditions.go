package lint

import (
	"slices"

	"github.com/hindcast/hindcast/luabind/internal/api"
	"github.com/hindcast/hindcast/luabind/internal/ident"
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/hindcast/hindcast/world"
	"github.com/yuin/gopher-lua/ast"
)

// condition checks a condition that always holds: if o.valid then, if self.fuel then, if x == 1 or 2 then.
func (w *walker) condition(e ast.Expr) {
	switch e := e.(type) {
	case *ast.UnaryNotOpExpr:
		w.condition(e.Expr)
	case *ast.LogicalOpExpr:
		w.condition(e.Lhs)
		w.alternative(e)
		w.condition(e.Rhs)
	case *ast.UnaryLenOpExpr:
		w.report.say(e.Line(), "#", "compare it: "+shortly(e)+" > 0", "%s is a number, and always true, 0 as well", shortly(e))
	case *ast.IdentExpr:
		if w.scope.heldBy(e).length != nil {
			w.report.say(max(e.Line(), 1), e.Value, "compare it: "+e.Value+" > 0", "%s is a number, and always true, 0 as well", e.Value)
		}
	case *ast.FuncCallExpr:
		w.givesNothing(e)
	case *ast.AttrGetExpr:
		w.conditionOn(e)
	}
}

// alternative checks x == 1 or 2.
func (w *walker) alternative(e *ast.LogicalOpExpr) {
	left, compares := e.Lhs.(*ast.RelationalOpExpr)
	if other, isOr := e.Lhs.(*ast.LogicalOpExpr); isOr && other.Operator == e.Operator {
		left, compares = other.Rhs.(*ast.RelationalOpExpr)
	}
	given := literal(e.Rhs)
	if !compares || given != "number" && given != "string" {
		return
	}
	w.report.say(e.Line(), e.Operator, "write "+shortly(left.Lhs)+" "+left.Operator+" a "+e.Operator+" "+
		shortly(left.Lhs)+" "+left.Operator+" b", "%s after %s is always true", aType(given), e.Operator)
}

// axisOf reports whether a member of an input is a number; known is false for other values.
func (v value) axisOf(name string) (axis, known bool) {
	if v.Kind != input {
		return false, false
	}
	return v.Class.axis(name)
}

func (w *walker) conditionOn(e *ast.AttrGetExpr) {
	name, _ := syntax.TextOf(e.Key)
	v := w.scope.infer(e.Object)
	line := max(e.Line(), e.Key.Line())
	switch axis, known := v.axisOf(name); {
	case known && axis:
		w.report.say(line, name, "compare it: "+shortly(e)+" ~= 0", "the input %s is a number, and always true, 0 as well", name)
	case !v.isObject():
	case library.Method(name) != nil:
		w.report.say(line, name, "write "+shortly(e.Object)+":"+name+"(...)", "%s is a method, and always true", name)
	case v.Kind == object && v.Class.fieldType(name) == "number":
		w.report.say(line, name, "compare it: "+shortly(e)+" ~= 0", "%s is a number, and always true, 0 as well",
			shortly(e))
	case v.Kind == object && v.Class.fieldType(name) == "string":
		w.report.say(line, name, "compare it: "+shortly(e)+` ~= ""`, `%s is a string, and always true, "" as well`,
			shortly(e))
	}
}

// endless checks while true do ... end and repeat ... until false without a way out.
func (w *walker) endless(keyword string, line int, body []ast.Stmt) {
	if !w.inTick || leaves(body) {
		return
	}
	each := "a hook runs once in each tick: write what one tick does, and keep the rest in state"
	if w.report.current() == api.ViewFile {
		each = "the function runs anew for each picture: write what one picture shows"
	}
	w.report.say(line, keyword, each, "this loop never ends, so that the budget ends the hook")
}

// alwaysHolds reports whether an expression is true, whatever runs.
func alwaysHolds(e ast.Expr) bool { of := literal(e); return of != "" && !neverHolds(e) }

// neverHolds reports whether an expression is nil or false, whatever runs.
func neverHolds(e ast.Expr) bool {
	switch e.(type) {
	case *ast.NilExpr, *ast.FalseExpr:
		return true
	}
	return false
}

// leaving are functions that end a loop, or let it wait.
var leaving = []string{"assert", "error", "yield"}

// leaves reports whether code has a break, a return, an error or a yield.
func leaves(stmts []ast.Stmt) (found bool) {
	for _, s := range stmts {
		switch s.(type) {
		case *ast.BreakStmt, *ast.ReturnStmt:
			return true
		}
		syntax.EachPart(s, func(ast.Expr) {}, func(inner []ast.Stmt) { found = found || leaves(inner) })
	}
	eachExpr(stmts, func(e ast.Expr) {
		call, ok := e.(*ast.FuncCallExpr)
		found = found || ok && call.Func != nil && slices.Contains(leaving, syntax.LastName(call.Func))
	})
	return found
}

// givenTwice checks a table that has a key twice.
func (w *walker) givenTwice(t *ast.TableExpr) {
	seen := map[string]bool{}
	for _, f := range t.Fields {
		key, isText := syntax.TextOf(f.Key)
		if isText && seen[key] {
			w.report.say(f.Key.Line(), key, "leave one of them out",
				"the table has %s twice, and the last one counts", key)
		}
		seen[key] = isText
	}
}

// looksOn are the queries that layers restrict, with the number of arguments before these.
var looksOn = map[string]int{"circleCast": 5, "overlapBox": 4, "overlapCircle": 3, "overlapPolygon": 1, "raycast": 4,
	"raycastAll": 4}

// layers checks the names of the layers that restrict a query.
func (w *walker) layers(e *ast.FuncCallExpr) {
	name := syntax.LastName(e.Func)
	known := w.game.layers()
	if !w.scope.isQuery(e.Func, ident.Keys(looksOn)...) || len(known) == 0 || len(e.Args) <= looksOn[name] {
		return
	}
	for _, a := range e.Args[looksOn[name]:] {
		for _, layer := range textsOf(a) {
			if !slices.Contains(known, layer) {
				w.report.say(e.Line(), layer, didYouMean(layer, known, "there are "+world.Listed(known)),
					"%s: no class is on layer %s", name, layer)
			}
		}
	}
}

// ofLua are functions of Lua, which libraries look for in different versions of it.
var ofLua = []string{"assert", "error", "getmetatable", "ipairs", "next", "pairs", "pcall", "print", "rawequal", "rawget", "rawlen", "rawset",
	"require", "select", "setmetatable", "tonumber", "tostring", "type", "unpack", "xpcall"}

// functionTested checks if ready then, where ready is a function that is meant to be called: it is always true. A
// branch that mentions the function makes sure that there is one.
func (w *walker) functionTested(e ast.Expr, s ast.Stmt) {
	switch e := e.(type) {
	case *ast.UnaryNotOpExpr:
		w.functionTested(e.Expr, s)
	case *ast.LogicalOpExpr:
		w.functionTested(e.Lhs, s)
		w.functionTested(e.Rhs, s)
	case *ast.IdentExpr:
		isOfGame := w.scope.callee(e) != nil && !slices.Contains(ofLua, e.Value)
		if all := 0; isOfGame || w.scope.isOwnFunction(e) {
			eachExpr([]ast.Stmt{s}, func(o ast.Expr) {
				if syntax.NameOf(o) == e.Value {
					all++
				}
			})
			if all == 1 {
				w.report.say(max(e.Line(), s.Line(), 1), e.Value, w.scope.callIt(e), "%s is a function, and always true", e.Value)
			}
		}
	case *ast.AttrGetExpr:
		w.methodTested(e, s)
	}
}

// methodTested checks if self.isDead then, where isDead is a method of the class. A branch that mentions a method of that
// name makes sure that there is one.
func (w *walker) methodTested(e *ast.AttrGetExpr, s ast.Stmt) {
	name, isText := syntax.TextOf(e.Key)
	v := w.scope.infer(e.Object)
	if !isText || v.Kind != object || !v.Class.isMethod(name) || v.Class.fields[name] != nil || library.Method(name) != nil {
		return
	}
	all := 0
	eachExpr([]ast.Stmt{s}, func(o ast.Expr) {
		switch o := o.(type) {
		case *ast.StringExpr:
			if o.Value == name {
				all++
			}
		case *ast.FuncCallExpr:
			if o.Method == name {
				all++
			}
		}
	})
	if all == 1 {
		w.report.say(max(e.Line(), e.Key.Line(), 1), name, w.scope.callIt(e), "%s is a function, and always true", shortly(e))
	}
}

// valueTested checks self.isDead and 1 or 2 as methodTested does. What is tested before or may be the value: self.hurt or
// fallback chooses a function. And true asks whether there is a method.
func (w *walker) valueTested(e *ast.LogicalOpExpr) {
	if _, asks := e.Rhs.(*ast.TrueExpr); e.Operator == "and" && !asks {
		w.methodsTested(e.Lhs)
	}
}

// valueNegated checks not self.isDead as methodTested does. Not not asks whether there is a method.
func (w *walker) valueNegated(e *ast.UnaryNotOpExpr) {
	if get, ok := e.Expr.(*ast.AttrGetExpr); ok && w.negated != e {
		w.methodTested(get, w.statement)
	} else if inner, twice := e.Expr.(*ast.UnaryNotOpExpr); twice {
		w.negated = inner
	}
}

// methodsTested checks the methods in a condition that is part of an expression. Of a and b and c it asks for the last: the
// others are left sides themselves.
func (w *walker) methodsTested(e ast.Expr) {
	switch e := e.(type) {
	case *ast.UnaryNotOpExpr:
		w.methodsTested(e.Expr)
	case *ast.LogicalOpExpr:
		if e.Operator == "or" {
			w.methodsTested(e.Lhs)
		}
		w.methodsTested(e.Rhs)
	case *ast.AttrGetExpr:
		w.methodTested(e, w.statement)
	}
}

// comparedFalse checks self:isDead() == false, where isDead returns true or nothing. said reports that there is a finding.
func (w *walker) comparedFalse(e *ast.RelationalOpExpr, what, with ast.Expr) (said bool) {
	call, isCall := what.(*ast.FuncCallExpr)
	_, isFalse := with.(*ast.FalseExpr)
	if !isCall || !isFalse {
		return false
	}
	own := w.scope.ownCall(call)
	if own == nil || !own.trueOrNothing() {
		return false
	}
	hint := "write not " + shortlyCalled(call)
	if e.Operator == "~=" {
		hint = "leave out ~= false"
	}
	w.report.say(e.Line(), own.name, hint, "%s returns true or nothing, so that %s false %s", own.name, e.Operator, verdicts[e.Operator == "~="])
	return true
}

// trueOrNothing reports whether a function of the game's files returns true in one place and nothing, or nil, in another.
func (c *ownCall) trueOrNothing() bool {
	yes, nothing, other := false, !ends(c.to.f.Stmts), false
	eachReturn(c.to.f.Stmts, func(r *ast.ReturnStmt) {
		switch {
		case len(r.Exprs) == 0 || literal(r.Exprs[0]) == "nil":
			nothing = true
		case isTrueOrNil(r.Exprs[0]):
			yes = true
			_, isTrue := r.Exprs[0].(*ast.TrueExpr)
			nothing = nothing || !isTrue
		default:
			other = true
		}
	})
	return yes && nothing && !other
}

// isTrueOrNil reports whether an expression is true or x == y or nil.
func isTrueOrNil(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.TrueExpr:
		return true
	case *ast.LogicalOpExpr:
		if e.Operator != "or" || literal(e.Rhs) != "nil" {
			return false
		}
		switch e.Lhs.(type) {
		case *ast.RelationalOpExpr, *ast.UnaryNotOpExpr:
			return true
		}
	}
	return false
}
