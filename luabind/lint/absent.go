package lint

import (
	"slices"
	"strings"

	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// absence is what a function knows about results that may be nil.
type absence struct {
	asked  map[string]bool // calls that the function has made before, by absentKey
	guards bool            // a condition before may ask for the same in another way
}

// absentKey names what a call gives that may be nil, with what it is without; empty: it gives no such thing. A call is the
// same as another if it has the same name.
func (w *walker) absentKey(e ast.Expr) (key, without string) {
	call, ok := e.(*ast.FuncCallExpr)
	if !ok || w.scope.shows() != nil || w.testing || w.steered != nil || !w.game.isLoaded() {
		return "", ""
	}
	m := w.scope.callee(call.Func)
	if call.Receiver != nil {
		m = w.scope.infer(call.Receiver).method(call.Method)
	}
	if m == nil {
		return w.ownAbsentKey(call)
	}
	if len(m.Returns) == 0 || !strings.HasPrefix(m.Returns[0].Type, "Object?") {
		return "", ""
	}
	switch m {
	case library.Function("", "nearest"):
		name, isText := syntax.TextOf(first(call.Args))
		self, _ := w.scope.lookUp("self") // which is one of them in a method of the class
		isOne := self.Kind == object && self.Class.is(w.game.class(name))
		if c := w.game.class(name); isText && c != nil && !isOne && w.game.known.mayLack(c) {
			return "nearest " + name, "if there is no " + name
		}
	case library.Function("", "raycast"):
		return "raycast", "if the ray hits nothing"
	case library.Method("getHolder"):
		return "getHolder " + shortly(call.Receiver), "if it is attached to nothing"
	}
	return "", ""
}

// ownAbsentKey is absentKey for functions of the game's files that look for something.
func (w *walker) ownAbsentKey(call *ast.FuncCallExpr) (key, without string) {
	c := w.scope.ownCall(call)
	if c == nil || !givesNone(c.to.f) {
		return "", ""
	}
	if self, _ := w.scope.lookUp("self"); self.Kind == object && w.scope.resultOf(c).isObject() && slices.ContainsFunc(call.Args, mentionsSelf) {
		return "", "" // which may be what is found
	}
	key = "own " + c.name
	for _, a := range call.Args {
		key += " " + shortly(a)
	}
	return key, "if " + c.name + " finds none"
}

// mentionsSelf reports whether an expression has self.
func mentionsSelf(e ast.Expr) (found bool) {
	eachExpr([]ast.Stmt{&ast.ReturnStmt{Exprs: []ast.Expr{e}}}, func(e ast.Expr) { found = found || syntax.NameOf(e) == "self" })
	return found
}

// givesNone reports whether a function may give nil in the place of a value: it returns a value, and nil elsewhere, or it
// ends after a loop that looks for an item which is equal to something that it is given. Other loops may be sure to find
// an item, as one does that chooses by weights.
func givesNone(f *ast.FunctionExpr) bool {
	values, none := 0, false
	eachReturn(f.Stmts, func(r *ast.ReturnStmt) {
		switch {
		case len(r.Exprs) == 0, literal(r.Exprs[0]) == "nil":
			none = true
		case literal(r.Exprs[0]) == "boolean":
		default:
			values++
		}
	})
	if values == 0 || len(f.Stmts) == 0 {
		return false
	}
	loop, isLoop := f.Stmts[len(f.Stmts)-1].(*ast.GenericForStmt)
	return none || isLoop && looksFor(loop, f.ParList.Names)
}

// looksFor reports whether a loop returns, under a condition that something is equal to a parameter.
func looksFor(loop *ast.GenericForStmt, params []string) (looks bool) {
	eachStmt(loop.Stmts, func(s ast.Stmt) {
		branch, ok := s.(*ast.IfStmt)
		if !ok || !gives(branch.Then) {
			return
		}
		eachExpr([]ast.Stmt{&ast.ReturnStmt{Exprs: []ast.Expr{branch.Condition}}}, func(e ast.Expr) {
			r, isCompared := e.(*ast.RelationalOpExpr)
			looks = looks || isCompared && r.Operator == "==" && (slices.Contains(params, syntax.NameOf(r.Lhs)) || slices.Contains(params, syntax.NameOf(r.Rhs)))
		})
	})
	return looks
}

// mayLack reports whether a game may be without an object of a class: scripts remove some, or players steer them, who
// may not be there yet.
func (l *learned) mayLack(c *class) bool {
	inputs, known := c.inputNames()
	return l != nil && (l.removed[c] || known && len(inputs) > 0)
}

// is reports whether the class is another one, or extends it.
func (c *class) is(of *class) bool { return c == of || of != nil && slices.Contains(of.below, c) }

// noteRemoved notes that scripts remove objects of a class.
func (w *walker) noteRemoved(v value) {
	if l := w.game.learning; l != nil && v.Kind == object {
		l.removed[v.Class] = true
	}
}

// usedAtOnce checks nearest("Coin", x, y):remove(), which fails if there is none.
func (w *walker) usedAtOnce(e ast.Expr) {
	if call, ok := e.(*ast.FuncCallExpr); ok && call.Receiver == nil && w.scope.isGlobal(call.Func, "nearest", "raycast") && w.scope.misCalled(e) {
		return // which is said
	}
	key, without := w.absentKey(e)
	if key == "" || w.absent.guards || w.absent.asked[key] {
		return
	}
	call := e.(*ast.FuncCallExpr)
	name := nameIn(call)
	w.report.sayAbout(topic{sort: anAside}, call.Line(), name, "write local o = "+shortlyCalled(call)+" if o then ... end", "%s gives nil %s", name,
		strings.Replace(without, " "+name+" ", " it ", 1))
}

// noteAsked notes the call of a function whose result may be nil: the code may test it.
func (w *walker) noteAsked(e *ast.FuncCallExpr) {
	if w.scope.isGlobal(e.Func, "objects", "spawn") {
		name, _ := syntax.TextOf(first(e.Args))
		w.absent.asked["nearest "+name] = true
	}
	if key, _ := w.absentKey(e); key != "" {
		w.absent.asked[key] = true
	}
}

// noteGuard notes a condition that is more than a comparison of numbers: it may tell whether there is an object.
func (w *walker) noteGuard(e ast.Expr) { w.absent.guards = w.absent.guards || !w.isCount(e) }

// noteLeft notes the left side of a and b and c as noteGuard does. Of a chain it asks for the last link: the others are
// left sides themselves, and noted before anything is looked up.
func (w *walker) noteLeft(of *ast.LogicalOpExpr) {
	left := of.Lhs
	if chain, ok := left.(*ast.LogicalOpExpr); ok {
		left = chain.Rhs
	}
	w.noteGuard(left)
}

// isCount reports whether a condition only compares numbers, or asks for inputs.
func (w *walker) isCount(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.LogicalOpExpr:
		return w.isCount(e.Lhs) && w.isCount(e.Rhs)
	case *ast.UnaryNotOpExpr:
		return w.isCount(e.Expr)
	case *ast.RelationalOpExpr:
		return w.isNumeric(e.Lhs) && w.isNumeric(e.Rhs)
	case *ast.AttrGetExpr:
		return w.scope.infer(e.Object).Kind == input
	case *ast.FuncCallExpr:
		return e.Receiver != nil && w.scope.infer(e.Receiver).Kind == input
	}
	return false
}

// isNumeric reports whether an expression is a number that is no count of objects, as a variable may be that is increased.
func (w *walker) isNumeric(e ast.Expr) bool {
	name := syntax.NameOf(e)
	_, isLength := e.(*ast.UnaryLenOpExpr)
	return !isLength && (name == "" || !w.scope.again[name]) && w.scope.typeOf(e) == "number"
}

// usedNext checks local o = nearest("Coin", x, y) o:remove(): the first statement that has the variable looks something
// up in it, and nothing before tests it.
func (w *walker) usedNext(stmts []ast.Stmt, at int) {
	s := stmts[at].(*ast.LocalAssignStmt)
	if len(s.Exprs) != 1 || len(s.Names) == 0 {
		return
	}
	key, without := w.absentKey(s.Exprs[0])
	if key == "" || w.absent.guards || w.absent.asked[key] {
		return
	}
	name, others := s.Names[0], s.Names[1:]
	for _, next := range stmts[at+1:] {
		if line, other := computesIn(next, others); line > 0 && key == "raycast" && !mentions(next, name) {
			w.report.sayAbout(topic{sort: anAside}, line, other, "test it: if "+other+" then ... end", "%s is nil %s", other, without)
			return
		}
		if leaves([]ast.Stmt{next}) && !mentions(next, name) {
			return
		}
		if slices.ContainsFunc(others, func(n string) bool { return mentions(next, n) }) {
			others = nil // which it may test
		}
		if !mentions(next, name) {
			continue
		}
		if line := looksUpIn(next, name); line > 0 {
			w.report.sayAbout(topic{sort: anAside}, line, name, "test it: if "+name+" then ... end", "%s is nil %s", name, without)
		}
		return
	}
}

// computesIn returns the line in which a statement surely computes something with one of some variables, and its name; 0:
// it does not.
func computesIn(s ast.Stmt, names []string) (line int, name string) {
	eachSurely(s, func(e ast.Expr) {
		op, ok := e.(*ast.ArithmeticOpExpr)
		if !ok || line > 0 {
			return
		}
		for _, o := range []ast.Expr{op.Lhs, op.Rhs} {
			if n := syntax.NameOf(o); line == 0 && n != "" && slices.Contains(names, n) {
				line, name = max(op.Line(), 1), n
			}
		}
	})
	return line, name
}

// mentions reports whether a statement has a name.
func mentions(s ast.Stmt, name string) (found bool) {
	eachExpr([]ast.Stmt{s}, func(e ast.Expr) { found = found || syntax.NameOf(e) == name })
	return found
}

// looksUpIn returns the line in which a statement surely looks something up in a value with a name; 0: it does not, or
// only under a condition.
func looksUpIn(s ast.Stmt, name string) (line int) {
	eachSurely(s, func(e ast.Expr) {
		switch e := e.(type) {
		case *ast.AttrGetExpr:
			if syntax.NameOf(e.Object) == name && line == 0 {
				line = max(e.Line(), e.Key.Line())
			}
		case *ast.FuncCallExpr:
			if e.Receiver != nil && syntax.NameOf(e.Receiver) == name && line == 0 {
				line = e.Line()
			}
		}
	})
	return line
}

// eachSurely visits the expressions that a statement surely evaluates, with those in them: not those that run under a
// condition, nor those of functions.
func eachSurely(s ast.Stmt, visit func(ast.Expr)) {
	var expr func(ast.Expr)
	expr = func(e ast.Expr) {
		switch e := e.(type) {
		case nil, *ast.FunctionExpr:
			return
		case *ast.LogicalOpExpr:
			expr(e.Lhs)
			return
		}
		visit(e)
		syntax.EachOperand(e, expr, func([]ast.Stmt) {})
	}
	for _, e := range surelyIn(s) {
		expr(e)
	}
}

// surelyIn returns the expressions that a statement surely evaluates.
func surelyIn(s ast.Stmt) (list []ast.Expr) {
	switch s := s.(type) {
	case *ast.FuncCallStmt:
		list = []ast.Expr{s.Expr}
	case *ast.LocalAssignStmt:
		list = s.Exprs
	case *ast.AssignStmt:
		list = slices.Concat(s.Rhs, s.Lhs)
	case *ast.ReturnStmt:
		list = s.Exprs
	case *ast.IfStmt:
		list = []ast.Expr{s.Condition}
	case *ast.WhileStmt:
		list = []ast.Expr{s.Condition}
	}
	return list
}
