package lint

import (
	"slices"
	"strings"

	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// notAnObject checks Foe.hurt(n / 2, by), where the method of the class is given something else in the place of self.
func (w *walker) notAnObject(e *ast.FuncCallExpr) {
	c := w.scope.ownCall(e)
	if c == nil || !c.onClass || e.Receiver != nil || !c.to.colon || len(e.Args) == 0 || w.report.saidAt(e.Line(), c.name) ||
		!usesObject(c.to.f.Stmts, c.class) || assignedIn(c.to.f.Stmts)["self"] {
		return
	}
	given := ""
	switch of := w.scope.typeOf(e.Args[0]); {
	case of == "number", of == "string", of == "boolean", of == "nil", of == "function":
		given = aType(of)
	case of == "table" && w.lacksFields(e.Args[0], c.to.f):
		given = "a table"
	case w.movedUp(c, e):
		given = syntax.NameOf(e.Args[0])
	default:
		return
	}
	says := []string{"self"}
	for _, a := range e.Args {
		if numberOf(a) == "" && named(a) == nil {
			says = []string{"self", "..."}
			break
		}
		says = append(says, or(numberOf(a), shortly(a)))
	}
	w.report.say(e.Line(), c.name, "write "+c.class.name()+"."+c.name+"("+strings.Join(says, ", ")+")",
		"%s.%s is given %s in the place of an object", c.class.name(), c.name, given)
}

// lacksFields reports whether a table that is written out has nothing of what a method looks up in self.
func (w *walker) lacksFields(e ast.Expr, method *ast.FunctionExpr) bool {
	keys, whole := tableKeys(e)
	if t, written := e.(*ast.TableExpr); !written || !whole && slices.ContainsFunc(t.Fields, func(f *ast.Field) bool { return f.Key != nil }) {
		return false
	}
	has := false
	eachExpr(method.Stmts, func(e ast.Expr) {
		switch e := e.(type) {
		case *ast.AttrGetExpr:
			name, _ := syntax.TextOf(e.Key)
			_, given := keys[name]
			has = has || syntax.NameOf(e.Object) == "self" && given
		case *ast.FuncCallExpr:
			_, given := keys[e.Method]
			has = has || e.Receiver != nil && given
		}
	})
	return !has
}

// movedUp reports whether a method calls the one that it overrides with all its own parameters but self, of which the
// first one is no object for that: function Boss:hurt(n) Foe.hurt(n) end.
func (w *walker) movedUp(c *ownCall, e *ast.FuncCallExpr) bool {
	params := c.to.f.ParList.Names
	of := w.game.demands(c.to.f, c.to.file)
	if w.within != c.name || w.nested > 0 || w.methodsOf == "" || len(e.Args) != len(params) || len(of) == 0 || !slices.Contains(of[0].refuses, anObject) {
		return false
	}
	for i, a := range e.Args {
		if v, isLocal := w.scope.lookUp(params[i]); syntax.NameOf(a) != params[i] || !isLocal || v.isObject() || w.scope.again[params[i]] {
			return false
		}
	}
	return true
}

// callsItself checks a method that calls itself on self whatever happens. It may mean the one that it overrides.
func (w *walker) callsItself(c *class, name string, params []string, f *ast.FunctionExpr) {
	if c == nil || len(params) == 0 || params[0] != "self" || !w.game.isLoaded() || w.testing || w.steered != nil || w.scope.shows() != nil {
		return
	}
	own := w.game.functionsOf.methodOf(c, name)
	redeclared := assignedIn(f.Stmts)["self"]
	eachName(f.Stmts, func(n string) { redeclared = redeclared || n == "self" })
	if own == nil || own.f != f || redeclared {
		return
	}
	for _, s := range f.Stmts {
		for _, e := range evaluated(s) {
			if call := w.callOf(c, name, e); call != nil {
				hint := "call it under a condition"
				if base := w.game.overridden(c, name); base != nil {
					hint = "write " + base.name() + "." + name + "(self, ...) for the method of " + base.name()
				}
				w.report.say(call.Line(), name, hint, "%s:%s calls itself whatever happens, without an end", c.name(), name)
				return
			}
		}
		if leaves([]ast.Stmt{s}) {
			return
		}
	}
}

// overridden returns the class that a class extends and whose method it has another of; nil: there is none.
func (g *game) overridden(c *class, name string) (base *class) {
	for _, b := range g.all() {
		if at, has := b.methods[name]; has && b != c && c.is(b) && at != c.methods[name] && (base == nil || b.is(base)) {
			base = b
		}
	}
	return base
}

// evaluated returns the expressions that a statement evaluates whatever they give.
func evaluated(s ast.Stmt) []ast.Expr {
	switch s := s.(type) {
	case *ast.FuncCallStmt:
		return []ast.Expr{s.Expr}
	case *ast.LocalAssignStmt:
		return s.Exprs
	case *ast.AssignStmt:
		return s.Rhs
	case *ast.ReturnStmt:
		return s.Exprs
	case *ast.IfStmt:
		return []ast.Expr{s.Condition}
	}
	return nil
}

// callOf returns the call of a method on self in an expression that is evaluated whatever the expression gives; nil: there
// is none.
func (w *walker) callOf(c *class, name string, e ast.Expr) (call *ast.FuncCallExpr) {
	look := func(list ...ast.Expr) *ast.FuncCallExpr {
		for _, e := range list {
			if call == nil && e != nil {
				call = w.callOf(c, name, e)
			}
		}
		return call
	}
	switch e := e.(type) {
	case *ast.FuncCallExpr:
		if e.Receiver != nil && e.Method == name && syntax.NameOf(e.Receiver) == "self" {
			return e
		}
		if get, ok := e.Func.(*ast.AttrGetExpr); ok && syntax.LastName(get) == name && syntax.NameOf(first(e.Args)) == "self" {
			if v := w.scope.infer(get.Object); v.Kind == classTable && v.Class == c {
				return e
			}
		}
		return look(append([]ast.Expr{e.Receiver}, e.Args...)...)
	case *ast.ArithmeticOpExpr:
		return look(e.Lhs, e.Rhs)
	case *ast.StringConcatOpExpr:
		return look(e.Lhs, e.Rhs)
	case *ast.RelationalOpExpr:
		return look(e.Lhs, e.Rhs)
	case *ast.LogicalOpExpr:
		return look(e.Lhs)
	case *ast.UnaryNotOpExpr:
		return look(e.Expr)
	case *ast.UnaryMinusOpExpr:
		return look(e.Expr)
	case *ast.UnaryLenOpExpr:
		return look(e.Expr)
	}
	return nil
}
