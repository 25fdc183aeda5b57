package lint

import (
	"slices"

	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// steadyIn returns the types of the variables of code that are assigned to, and hold values of one type whenever. plain
// says that no value has a metatable, so that arithmetic gives numbers.
func steadyIn(tree []ast.Stmt, plain bool) map[string]string {
	types, varies := map[string]string{}, map[string]bool{}
	note := func(name, of string) {
		if known, again := types[name]; of == "" || of == "nil" || again && known != of {
			varies[name] = true
		}
		types[name] = of
	}
	eachStmt(tree, func(s ast.Stmt) {
		switch s := s.(type) {
		case *ast.LocalAssignStmt:
			for i, n := range s.Names {
				of := ""
				if i < len(s.Exprs) {
					of = plainType(s.Exprs[i], plain)
				}
				note(n, of)
			}
		case *ast.AssignStmt:
			for i, e := range s.Lhs {
				of := ""
				if i < len(s.Rhs) {
					of = plainType(s.Rhs[i], plain)
				}
				note(syntax.NameOf(e), of)
			}
		case *ast.FuncDefStmt:
			note(syntax.NameOf(s.Name.Func), "")
		}
	})
	// order: a set
	for name := range varies {
		delete(types, name)
	}
	return types
}

// plainType returns the type of an expression that is one whatever its variables hold; "": it is not.
func plainType(e ast.Expr, plain bool) string {
	switch e := e.(type) {
	case *ast.ArithmeticOpExpr, *ast.UnaryMinusOpExpr, *ast.UnaryLenOpExpr:
		if plain {
			return "number"
		}
	case *ast.StringConcatOpExpr:
		if plain {
			return "string"
		}
	case *ast.RelationalOpExpr, *ast.UnaryNotOpExpr:
		return "boolean"
	case *ast.LogicalOpExpr:
		left := e.Lhs
		if both, ok := left.(*ast.LogicalOpExpr); ok && e.Operator == "or" && both.Operator == "and" {
			left = both.Rhs
		}
		if of := plainType(left, plain); of != "nil" && of == plainType(e.Rhs, plain) {
			return of
		}
	case *ast.StringExpr:
		if _, reads := syntax.ParseNumber(e.Value); reads {
			return ""
		}
	}
	if of := literal(e); slices.Contains([]string{"number", "string", "boolean", "nil"}, of) {
		return of
	}
	return ""
}

// steadyOf returns the types of the variables of a file, as steadyIn does.
func (g *game) steadyOf(tree []ast.Stmt) map[string]string {
	plain := true
	// order: one is enough
	for _, makes := range g.functionsOf.metatables {
		plain = plain && !makes
	}
	return steadyIn(tree, plain)
}

// steadily returns what is known of a variable that is assigned to again.
func (s *scope) steadily(name string) value { return value{Type: s.steady[name]} }
