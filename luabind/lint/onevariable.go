package lint

import (
	"slices"
	"strings"

	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// valueIs begins what is said where a loop has one variable, in the place of two.
const valueIs = "the value is the second variable"

// valueIsSecond says how a loop is written that goes through the items of a list, and not through their places.
func (w *walker) valueIsSecond(s *ast.GenericForStmt, call *ast.FuncCallExpr) string {
	place := "_"
	eachExpr(s.Stmts, func(e ast.Expr) {
		name := syntax.NameOf(e)
		if _, isLocal := w.scope.lookUp(name); !isLocal && slices.Contains(placeNames, name) && !declares(s.Stmts, name) {
			place = name
		}
	})
	return valueIs + ": for " + place + ", " + s.Names[0] + " in " + loopedOver(call) + " do"
}

// placeNames are names of variables for the place of an item, which a loop with one variable does not declare.
var placeNames = []string{"i", "idx", "index", "j", "k", "key", "n"}

// loopedOver returns how a loop over a list is written.
func loopedOver(call *ast.FuncCallExpr) string {
	of := shortly(first(call.Args))
	if inner, ok := first(call.Args).(*ast.FuncCallExpr); ok && inner.Receiver == nil {
		of = strings.Replace(of, nameIn(inner), shortly(inner.Func), 1) // v.all("Ship")
	}
	return syntax.NameOf(call.Func) + "(" + strings.Replace(of, "this", "...", 1) + ")"
}

// countsPlayers checks for p in ipairs(players()) do stats(p) end: p is a place in the list, and no player.
func (w *walker) countsPlayers(s *ast.GenericForStmt, over *ast.FuncCallExpr) {
	name := s.Names[0]
	if v := w.scope.infer(over.Args[0]); v.Kind != found || v.Type != "number" || declares(s.Stmts, name) {
		return
	}
	is := func(e ast.Expr) bool { return e != nil && syntax.NameOf(e) == name }
	taken := false
	eachExpr(s.Stmts, func(e ast.Expr) {
		switch e := e.(type) {
		case *ast.FuncCallExpr:
			m := w.scope.callee(e.Func)
			for i := 0; m != nil && e.Receiver == nil && i < min(len(m.Params), len(e.Args)); i++ {
				taken = taken || m.Params[i].Name == "player" && is(e.Args[i])
			}
		case *ast.TableExpr:
			taken = taken || is(valueOf(e, "owner"))
		case *ast.RelationalOpExpr:
			taken = taken || is(e.Lhs) && syntax.LastName(e.Rhs) == "owner" || is(e.Rhs) && syntax.LastName(e.Lhs) == "owner"
		}
	})
	if taken {
		w.report.say(s.Line(), name, w.valueIsSecond(s, over), "%s counts 1, 2, 3 here, and is not the number of a player", name)
	}
}
