package lint

import (
	"fmt"

	"github.com/hindcast/hindcast/luabind/internal/api"
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// sayTwice reports methods of classes and hooks of game.lua that are written twice: the later one replaces the
// earlier. Whoever looks up the earlier one, as in local before = Ship.tick, means it.
func (w *walker) sayTwice(file string, tree []ast.Stmt) {
	for _, s := range tree {
		f, ok := s.(*ast.FuncDefStmt)
		if !ok {
			continue
		}
		c, name, _ := w.game.methodOf(file, f)
		full := name
		if c != nil {
			full = c.name() + ":" + name
		} else if f.Name.Receiver != nil || syntax.NameOf(f.Name.Func) != name || file != api.GameFile || api.GameHookMember(name) == nil {
			continue
		}
		if first := w.defined[full]; first.Line > 0 && !looksUp(tree, name) {
			where := fmt.Sprintf("line %d", first.Line)
			if first.File != file {
				where = fmt.Sprintf("%s:%d", first.File, first.Line)
			}
			w.report.say(s.Line(), name, "merge it with the one in "+where, "%s is written twice, and only the last one counts",
				full)
		}
		w.defined[full] = syntax.Place{File: file, Line: s.Line()}
	}
}

// looksUp reports whether a file assigns a function with a name to something else: local before = Ship.tick.
func looksUp(tree []ast.Stmt, name string) (found bool) {
	look := func(list []ast.Expr) {
		for _, e := range list {
			_, isName := e.(*ast.IdentExpr)
			_, isMember := e.(*ast.AttrGetExpr)
			found = found || (isName || isMember) && syntax.LastName(e) == name
		}
	}
	for _, s := range tree {
		switch s := s.(type) {
		case *ast.LocalAssignStmt:
			look(s.Exprs)
		case *ast.AssignStmt:
			look(s.Rhs)
		}
	}
	eachExpr(tree, func(e ast.Expr) {
		if call, ok := e.(*ast.FuncCallExpr); ok {
			look(call.Args)
		}
	})
	return found
}
