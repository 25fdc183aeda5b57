package lint

import (
	"github.com/hindcast/hindcast/luabind/internal/api"
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// noClasses reports hooks of tables that are no classes: Boss = {} and function Boss:tick() end. Such a table is used
// for nothing else, and nothing calls the hook.
func (w *walker) noClasses(files []string) {
	made, others := map[string]ast.Expr{}, map[string]int{}
	for _, tree := range w.game.trees {
		for _, s := range tree {
			switch s := s.(type) {
			case *ast.AssignStmt:
				if len(s.Lhs) == 1 && len(s.Rhs) == 1 && syntax.NameOf(s.Lhs[0]) != "" && isMadeTable(s.Rhs[0]) {
					made[syntax.NameOf(s.Lhs[0])] = s.Rhs[0]
					others[syntax.NameOf(s.Lhs[0])]--
				}
			case *ast.LocalAssignStmt:
				if len(s.Names) == 1 && len(s.Exprs) == 1 && isMadeTable(s.Exprs[0]) {
					made[s.Names[0]] = s.Exprs[0]
				}
			}
		}
	}
	for _, tree := range w.game.trees {
		usesOf(tree, others)
	}
	said := map[string]bool{}
	for i, tree := range w.game.trees {
		for _, s := range tree {
			f, ok := s.(*ast.FuncDefStmt)
			if !ok || f.Name.Receiver == nil {
				continue
			}
			of, name := syntax.NameOf(f.Name.Receiver), f.Name.Method
			if made[of] == nil || others[of] > 0 || w.game.vars[of] != nil || api.HookMember(name) == nil || w.named[name] || said[of] {
				continue
			}
			said[of] = true
			extends := ""
			if base := extendedBy(made[of]); w.game.vars[base] != nil {
				extends = "extends = " + base + " "
			}
			w.report.sayIn(syntax.Place{File: files[i], Line: f.Line()}, name, "write "+of+" = object \""+of+"\" { "+extends+"}",
				"%s is a table and no class, so that nothing calls %s", of, name)
		}
	}
}

// isMadeTable reports whether an expression is a table that is written out, or one with a metatable.
func isMadeTable(e ast.Expr) bool {
	if call, ok := e.(*ast.FuncCallExpr); ok && syntax.NameOf(call.Func) == "setmetatable" {
		e = first(call.Args)
	}
	return literal(e) == "table"
}

// extendedBy returns the name of the table that the metatable of a new table names as __index; empty: none.
func extendedBy(e ast.Expr) string {
	call, ok := e.(*ast.FuncCallExpr)
	if !ok || len(call.Args) != 2 {
		return ""
	}
	return syntax.NameOf(valueOf(call.Args[1], "__index"))
}

// usesOf counts where code uses names, but for those before the name of a function, those in the functions of a table of
// that name, which only others call, and T.__index = T.
func usesOf(tree []ast.Stmt, uses map[string]int) {
	for _, s := range tree {
		own := ""
		switch s := s.(type) {
		case *ast.FuncDefStmt:
			own = syntax.NameOf(s.Name.Receiver)
			if get, ok := s.Name.Func.(*ast.AttrGetExpr); ok {
				own = syntax.NameOf(get.Object)
			}
		case *ast.AssignStmt:
			if get, ok := s.Lhs[0].(*ast.AttrGetExpr); ok && syntax.LastName(get) == "__index" && syntax.NameOf(s.Rhs[0]) == syntax.NameOf(get.Object) {
				own = syntax.NameOf(get.Object)
			}
		}
		eachExpr([]ast.Stmt{s}, func(e ast.Expr) {
			if id, ok := e.(*ast.IdentExpr); ok && id.Value != own {
				uses[id.Value]++
			}
		})
	}
}
