package rules

import (
	"go/ast"
	"slices"
)

// exactFunctions are those of package math that give the same bits on every
// CPU; the others differ, or hide which NaN they return. Constants are free.
var exactFunctions = []string{
	"Sqrt", "Floor", "Ceil", "Trunc", "Abs", "Mod", "Copysign",
	"Float64bits", "Float64frombits", "Float32bits", "Float32frombits",
	"Inf", "IsNaN", "IsInf", "NaN",
}

// inexactMath finds uses of all the others.
func inexactMath(s source) (found []finding) {
	s.inspect(func(n ast.Node) {
		id, ok := n.(*ast.Ident)
		if !ok {
			return
		}
		pkg, name, ok := s.function(id)
		if ok && pkg == "math" && !slices.Contains(exactFunctions, name) {
			found = append(found, at(s.fset.Position(id.Pos()),
				"math.%s is not on the list of functions with the same bits on every CPU: use world/detmath, or one of %s", name, list(exactFunctions)))
		}
	})
	return found
}
