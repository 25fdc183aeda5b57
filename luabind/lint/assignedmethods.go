package lint

import (
	"slices"

	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// A method need not be written as function C:m(): C.m = function(self) end and C.m = C.other set one as well, and so do a
// loop over a table, a mixin or rawset. What the loaded classes have tells which function each of them calls m.

// notePlaces notes where the functions of a file begin.
func (o *ownFunctions) notePlaces(file string, tree []ast.Stmt) {
	note := func(f *ast.FunctionExpr, colon bool) {
		at := syntax.Place{File: file, Line: f.Line()}
		if known, again := o.at[at]; again && (known == nil || known.f != f) {
			o.at[at] = nil
			return
		}
		o.at[at] = &ownFunction{f, colon, file}
	}
	eachExpr(tree, func(e ast.Expr) {
		if f, ok := e.(*ast.FunctionExpr); ok {
			note(f, false)
		}
	})
	eachStmt(tree, func(s ast.Stmt) {
		if def, ok := s.(*ast.FuncDefStmt); ok {
			note(def.Func, def.Name.Receiver != nil)
		}
	})
}

// declarers are the functions whose results declare fields, and are not called.
var declarers = []string{"list", "record", "ref", "str"}

// noteValues notes the names under which a file puts what may be a function into a table, other than by the statement
// function T.name() at its outermost level.
func (o *ownFunctions) noteValues(tree []ast.Stmt) {
	note := func(key, e ast.Expr) {
		switch e := e.(type) {
		case *ast.FuncCallExpr:
			if slices.Contains(declarers, syntax.NameOf(e.Func)) {
				return
			}
		case *ast.FunctionExpr, *ast.IdentExpr, *ast.AttrGetExpr, *ast.LogicalOpExpr:
		default:
			return
		}
		if name, isText := syntax.TextOf(key); isText {
			o.values[name] = true
		}
	}
	outermost := map[ast.Stmt]bool{}
	for _, s := range tree {
		outermost[s] = true
	}
	eachStmt(tree, func(s ast.Stmt) {
		switch s := s.(type) {
		case *ast.FuncDefStmt:
			if name := or(s.Name.Method, syntax.LastName(s.Name.Func)); !outermost[s] {
				o.values[name] = true
			}
		case *ast.AssignStmt:
			for i, e := range s.Lhs {
				if get, ok := e.(*ast.AttrGetExpr); ok {
					note(get.Key, nth(s.Rhs, min(i, len(s.Rhs)-1)))
				}
			}
		}
	})
	eachExpr(tree, func(e ast.Expr) {
		if t, ok := e.(*ast.TableExpr); ok {
			for _, f := range t.Fields {
				if f.Key != nil {
					note(f.Key, f.Value)
				}
			}
		}
	})
}

// method returns the function that a loaded class has as a method with a name, and that begins at a place; nil: it is not
// known.
func (o *ownFunctions) method(name string, at syntax.Place) *ownFunction {
	if f := o.methods[name][at]; f != nil {
		return f
	}
	return o.at[at]
}

// only returns the function that is the only one of a table with a name, such as the method of a single class; nil: there
// are others, or none.
func (g *game) only(name string) (f *ownFunction) {
	o := g.functionsOf
	if library.Method(name) != nil || len(o.methods[name]) != 1 || o.values[name] {
		return nil
	}
	var there syntax.Place
	// order: there is one
	for at, known := range o.methods[name] {
		there, f = at, known
	}
	for _, c := range g.all() {
		if at, isMethod := c.methods[name]; isMethod && at != there {
			return nil
		}
	}
	return f
}
