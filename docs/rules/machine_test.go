package rules

import (
	"go/ast"
	"go/types"
	"slices"
)

// clockFunctions are those of package time that read the clock or wait on it.
var clockFunctions = []string{"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "Tick", "NewTimer", "NewTicker"}

// outsideWorld finds what ties a machine to the world around it: the clock,
// goroutines, and variables that outlive it. The driver owns the clock; a
// package's variables are written where they are declared, or by init.
func outsideWorld(s source) (found []finding) {
	say := func(n ast.Node, format string, args ...any) {
		if p := s.fset.Position(n.Pos()); !ownsClock(p.Filename) {
			found = append(found, at(p, format, args...))
		}
	}
	inInit := s.initBodies()
	write := func(n ast.Node, e ast.Expr) {
		if v := s.global(e); v != nil && !inInit(n) {
			say(e, "%s is a variable of package %s, and is written here: keep it in a value that is handed in", v.Name(), v.Pkg().Name())
		}
	}
	s.inspect(func(n ast.Node) {
		switch n := n.(type) {
		case *ast.GoStmt:
			say(n, "a goroutine: only a driver starts one")
		case *ast.Ident:
			if pkg, name, ok := s.function(n); ok && pkg == "time" && slices.Contains(clockFunctions, name) {
				say(n, "time.%s: take now as a parameter; only a driver knows the clock", name)
			}
		case *ast.AssignStmt:
			for _, left := range n.Lhs {
				write(n, left)
			}
		case *ast.IncDecStmt:
			write(n, n.X)
		}
	})
	return found
}

// global returns the package variable that writing to e changes; nil if none.
func (s source) global(e ast.Expr) *types.Var {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return s.global(e.X)
	case *ast.StarExpr:
		return s.global(e.X)
	case *ast.IndexExpr:
		return s.global(e.X)
	case *ast.SelectorExpr:
		if v := s.packageVar(e.Sel); v != nil {
			return v // of another package
		}
		return s.global(e.X)
	case *ast.Ident:
		return s.packageVar(e)
	}
	return nil
}

func (s source) packageVar(id *ast.Ident) *types.Var {
	v, ok := s.info.Uses[id].(*types.Var)
	if !ok || v.Pkg() == nil || v.Parent() != v.Pkg().Scope() {
		return nil
	}
	return v
}

// initBodies tells whether a node lies in one of the package's init functions.
func (s source) initBodies() func(ast.Node) bool {
	var bodies []*ast.BlockStmt
	s.inspect(func(n ast.Node) {
		if f, ok := n.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == "init" {
			bodies = append(bodies, f.Body)
		}
	})
	return func(n ast.Node) bool {
		return slices.ContainsFunc(bodies, func(b *ast.BlockStmt) bool { return b.Pos() <= n.Pos() && n.End() <= b.End() })
	}
}
