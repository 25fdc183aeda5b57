package lint

import (
	"maps"
	"slices"

	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// overloaded are the metamethods by which an operator computes with a table.
var overloaded = map[string]string{
	"+": "__add", "-": "__sub", "*": "__mul", "/": "__div", "%": "__mod", "^": "__pow", "..": "__concat",
	"minus": "__unm", // of one operand
}

// overloads are the operators that may compute with tables, because a file has the name of the metamethod.
type overloads map[string]bool

// arithmetic reports whether what is computed may be no number.
func (o overloads) arithmetic() bool { return len(o) > 1 || len(o) == 1 && !o[".."] }

// note notes the operators of a file. One that does not parse may have all of them, and one that puts their names
// together.
func (o overloads) note(tree []ast.Stmt) {
	named := map[string]bool{}
	eachExpr(tree, func(e ast.Expr) {
		if text, isText := syntax.TextOf(e); isText {
			named[text] = true
		}
	})
	eachStmt(tree, func(s ast.Stmt) {
		if def, ok := s.(*ast.FuncDefStmt); ok {
			named[def.Name.Method] = true
		}
	})
	for _, operator := range slices.Sorted(maps.Keys(overloaded)) {
		if tree == nil || named["__"] || named[overloaded[operator]] {
			o[operator] = true
		}
	}
}

// mayCompute reports whether the metatable of a value may compute with the other operand of an operator, whatever that is:
// path / "file.txt", matrix * { 1, 2 }.
func (s *scope) mayCompute(operator string, e ast.Expr) bool {
	of := s.typeOf(e)
	return (of == "" || of == "table") && s.game.overloads[operator] && !s.isPlain(e)
}

// mayOverload is mayCompute for an expression in a file, where nothing is known of variables.
func (g *game) mayOverload(operator string, e ast.Expr, file string) bool {
	if !g.overloads[operator] || literal(e) != "" {
		return false
	}
	switch e := e.(type) {
	case *ast.RelationalOpExpr, *ast.UnaryNotOpExpr, *ast.UnaryLenOpExpr:
		return false
	case *ast.ArithmeticOpExpr:
		return g.mayOverload(e.Operator, e.Lhs, file) || g.mayOverload(e.Operator, e.Rhs, file)
	case *ast.StringConcatOpExpr:
		return g.mayOverload("..", e.Lhs, file) || g.mayOverload("..", e.Rhs, file)
	case *ast.AttrGetExpr:
		name, of := syntax.LastName(e), syntax.NameOf(e.Object)
		isField := func(c *class) bool { return c.fields[name] != nil }
		return of != "self" && of != "game" || g.functionsOf.metatables[file] || !slices.ContainsFunc(g.all(), isField)
	}
	return true
}
