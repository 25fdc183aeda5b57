package syntax

import (
	"slices"

	"github.com/yuin/gopher-lua/ast"
)

// extended adds the globals to names that declarations of classes in a file extend: extends = Enemy.
func extended(tree []ast.Stmt, names map[string]bool) {
	var expr func(e ast.Expr)
	block := func(list []ast.Stmt) { extended(list, names) }
	expr = func(e ast.Expr) {
		if e == nil {
			return
		}
		if call, ok := e.(*ast.FuncCallExpr); ok {
			if t, ok := only(call.Args).(*ast.TableExpr); ok {
				for _, f := range t.Fields {
					if key, ok := TextOf(f.Key); ok && key == "extends" && NameOf(f.Value) != "" {
						names[NameOf(f.Value)] = true
					}
				}
			}
		}
		EachOperand(e, expr, block)
	}
	for _, s := range tree {
		EachPart(s, expr, block)
	}
}

// InOrder returns the indexes of files in the order in which they are loaded: as they are, but a class is declared
// before those that extend it. A nil tree extends nothing.
func InOrder(trees [][]ast.Stmt) (order []int) {
	assigned, uses := make([]map[string]bool, len(trees)), make([]map[string]bool, len(trees))
	for i, t := range trees {
		assigned[i], uses[i] = map[string]bool{}, map[string]bool{}
		AssignedGlobals(t, assigned[i])
		extended(t, uses[i])
	}
	seen := make([]bool, len(trees))
	var visit func(i int)
	visit = func(i int) {
		if seen[i] {
			return
		}
		seen[i] = true
		for j := range trees {
			if slices.ContainsFunc(namesOf(uses[i]), func(n string) bool { return assigned[j][n] && !assigned[i][n] }) {
				visit(j)
			}
		}
		order = append(order, i)
	}
	for i := range trees {
		visit(i)
	}
	return order
}

func namesOf(set map[string]bool) (names []string) {
	// order: they are only looked for
	for n := range set {
		names = append(names, n)
	}
	return names
}
