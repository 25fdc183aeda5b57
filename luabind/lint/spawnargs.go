package lint

import (
	"slices"

	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/hindcast/hindcast/world"
	"github.com/yuin/gopher-lua/ast"
)

// takesSpawnArgs reports whether a function is the onSpawn of a class, and nothing but spawn gives it its table, which it
// does not change: spawn takes no keys but those of a place and the fields of the class.
func (w *walker) takesSpawnArgs(c *class, name string, params []string, f *ast.FunctionExpr) bool {
	if c == nil || name != world.OnSpawn.String() || len(params) != 1 || !w.game.isLoaded() || w.game.sharesMethod(c, name) || assignedIn(f.Stmts)[params[0]] {
		return false
	}
	changed := false
	eachStmt(f.Stmts, func(s ast.Stmt) {
		a, ok := s.(*ast.AssignStmt)
		changed = changed || ok && slices.ContainsFunc(a.Lhs, func(e ast.Expr) bool { return ofName(e) == params[0] })
	})
	return !changed && !w.game.callsOnSpawn()
}

// callsOnSpawn reports whether a file gives an onSpawn a table of its own, other than the one that it is given itself.
func (g *game) callsOnSpawn() (calls bool) {
	for _, tree := range g.trees {
		aside, made := map[ast.Expr]bool{}, false // and whether args is anything else than what a function is given
		eachStmt(tree, func(s ast.Stmt) {
			switch s := s.(type) {
			case *ast.FuncDefStmt:
				aside[s.Name.Func] = true
			case *ast.LocalAssignStmt:
				made = made || slices.Contains(s.Names, "args")
			case *ast.AssignStmt:
				made = made || slices.ContainsFunc(s.Lhs, func(e ast.Expr) bool { return syntax.NameOf(e) == "args" || ofName(e) == "args" })
			}
		})
		eachExpr(tree, func(e ast.Expr) {
			switch e := e.(type) {
			case *ast.FuncCallExpr:
				passesOn := !made && e.Receiver == nil && syntax.NameOf(first(e.Args)) == "self" && len(e.Args) == 2 && syntax.NameOf(e.Args[1]) == "args"
				aside[e.Func] = aside[e.Func] || passesOn
				calls = calls || e.Method == world.OnSpawn.String()
			case *ast.AttrGetExpr:
				calls = calls || syntax.LastName(e) == world.OnSpawn.String() && !aside[e]
			}
		})
	}
	return calls
}

// spawnArg checks a field of what onSpawn is given.
func (k *checks) spawnArg(c *class, name string, line int) {
	for _, of := range append([]*class{c}, c.below...) {
		if _, lacks := of.lacksSpawnKey(name); !lacks {
			return
		}
	}
	if name == "" || k.game.mayDeclare(name) {
		return
	}
	known, _ := c.lacksSpawnKey(name)
	hint := didYouMean(name, known, "declare a field in state: "+name+" = 0")
	k.report.sayAbout(memberTopic(c.name(), name), line, name, hint, "spawn gives %s no %s, so that it is nil here", c.name(), name)
}
