package lint

import (
	"slices"

	"github.com/hindcast/hindcast/luabind/internal/api"
	"github.com/hindcast/hindcast/luabind/internal/ident"
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/hindcast/hindcast/world"
	"github.com/yuin/gopher-lua/ast"
)

// refusal is what it means that a hook returns nothing, now and whatever it is asked, and what to do about it.
type refusal struct{ once, always, instead string }

// refusals are the hooks whose result counts, except those that give inputs.
var refusals = map[string]refusal{
	api.FilterChat: {"drops the line", "drops every line", "return text, or nil to drop the line"}, api.Predicted: {"is no", "is no for all", "return true or false"},
	api.Relevant: {"is no", "is no for all", "return true for what the player may know"}, world.Verify.String(): {"refuses the pose", "refuses every pose", "return true or false"},
}

// answered checks that a function whose result counts returns one. steers is the class whose inputs it returns, nil if it
// returns something else.
func (w *walker) answered(c *class, name string, steers *class, f *ast.FunctionExpr) {
	isHook := hookOf(c, name, w.report.current()) != nil && (c != nil || w.scope.outermost())
	no := refusals[name]
	switch {
	case steers != nil:
		no = refusal{once: "presses no input", instead: "return a table of inputs, such as { " + anInput(steers) + " = true }"}
	case !isHook || no.once == "":
		return
	}
	switch {
	case steers != nil && w.lost(f.Stmts, name, steers.lacksInput):
	case gives(f.Stmts):
		w.fallsOff(name, no, steers, f)
	case c == nil && steers != nil && len(f.Stmts) == 0: // a bot that does nothing
	case steers != nil:
		called := name
		if c != nil {
			called = c.name() + ":" + name
		}
		if given := len(w.surplus) - 1; given >= 0 && w.surplus[given].full == called { // one line about both
			p := w.surplus[given].param
			w.surplus, no.instead = w.surplus[:given], "it is given no "+p+": make a table and return it, local "+p+" = {} ... return "+p
		}
		w.report.say(f.Line(), name, no.instead, "%s returns nothing, so it steers nothing", called)
	default:
		w.report.say(f.Line(), name, no.instead, "%s returns nothing, which %s", name, no.always)
	}
}

// fallsOff checks how a function ends that returns something elsewhere.
func (w *walker) fallsOff(name string, no refusal, steers *class, f *ast.FunctionExpr) {
	ends := endsWithout(f.Stmts, nil)
	if len(ends) == 0 {
		return
	}
	if returns, refuses := w.onlyRefuses(name, f.Stmts); returns > 0 && refuses {
		last := ends[len(ends)-1]
		w.report.sayAbout(topic{sort: anAside}, max(last.Line(), 1), "", no.instead, "%s ends here without a return, which %s like its returns", name, no.once)
		return
	}
	for _, s := range ends {
		if lost := lostBy(s, name, steers, f); lost != "" {
			w.report.say(max(s.Line(), 1), lost, "write return and its value",
				"%s ends here without a return, which %s, and nothing uses %s", name, no.once, lost)
		}
	}
}

// lost checks code that ends with local r = { ... }, a table which is meant to be returned. said reports that there is a
// finding.
func (w *walker) lost(stmts []ast.Stmt, hook string, lacks func(key string) bool) (said bool) {
	for _, s := range endsWithout(stmts, nil) {
		last, ok := s.(*ast.LocalAssignStmt)
		if !ok || len(last.Exprs) != 1 {
			continue
		}
		if keys, _ := tableKeys(last.Exprs[0]); len(keys) > 0 && !slices.ContainsFunc(ident.Keys(keys), lacks) {
			w.report.say(max(last.Line(), last.Exprs[0].Line()), last.Names[0], "write return { ... }", "%s ends without the table that it makes, and returns nothing",
				hook)
			said = true
		}
	}
	return said
}

// endsWithout returns the last statements of the ways on which code comes to its end. of is the statement that it belongs
// to, which is the last one if the code is empty.
func endsWithout(stmts []ast.Stmt, of ast.Stmt) []ast.Stmt {
	if len(stmts) == 0 {
		return slices.DeleteFunc([]ast.Stmt{of}, func(s ast.Stmt) bool { return s == nil })
	}
	switch s := stmts[len(stmts)-1].(type) {
	case *ast.ReturnStmt:
		return nil
	case *ast.IfStmt:
		return append(endsWithout(s.Then, s), endsWithout(s.Else, s)...)
	case *ast.DoBlockStmt:
		return endsWithout(s.Stmts, s)
	case *ast.WhileStmt:
		if alwaysHolds(s.Condition) {
			return nil
		}
	case *ast.FuncCallStmt:
		if call, ok := s.Expr.(*ast.FuncCallExpr); ok && syntax.NameOf(call.Func) == "error" {
			return nil
		}
	}
	return stmts[len(stmts)-1:]
}

// onlyRefuses returns how many returns code has, and whether all of them are like none.
func (w *walker) onlyRefuses(name string, stmts []ast.Stmt) (returns int, refuses bool) {
	refuses = true
	for _, s := range stmts {
		if r, ok := s.(*ast.ReturnStmt); ok {
			returns++
			refuses = refuses && (len(r.Exprs) == 0 || len(r.Exprs) == 1 && neverHolds(r.Exprs[0]) &&
				(literal(r.Exprs[0]) == "nil" || slices.Contains([]string{api.Predicted, api.Relevant, world.Verify.String()}, name)))
		}
		syntax.EachPart(s, func(ast.Expr) {}, func(inner []ast.Stmt) {
			n, all := w.onlyRefuses(name, inner)
			returns, refuses = returns+n, refuses && all
		})
	}
	return returns, refuses
}

// lostBy returns the variable that the last statement of a function gives a value, which nothing uses then; empty: it
// gives none, or something else may see it.
func lostBy(s ast.Stmt, name string, steers *class, f *ast.FunctionExpr) string {
	switch s := s.(type) {
	case *ast.LocalAssignStmt:
		if steers == nil && len(s.Names) == 1 && len(s.Exprs) == 1 && s.Names[0] != "_" && literal(s.Exprs[0]) != "function" {
			return s.Names[0]
		}
	case *ast.AssignStmt:
		if len(s.Lhs) != 1 || len(s.Rhs) != 1 {
			return ""
		}
		to := syntax.NameOf(s.Lhs[0])
		if to != "" && steers == nil && isOwnVariable(to, f) && !seenByOthers(to, f, false) {
			return to
		}
		if get, isMember := s.Lhs[0].(*ast.AttrGetExpr); isMember && steers != nil {
			to = syntax.NameOf(get.Object)
			if key, isText := syntax.TextOf(get.Key); isText && !steers.lacksInput(key) && madeIn(to, f) && !seenByOthers(to, f, true) {
				return to
			}
		}
	}
	return ""
}

// isOwnVariable reports whether a name is that of a parameter or of a local variable of a function, whatever scope it has
// there.
func isOwnVariable(name string, f *ast.FunctionExpr) bool {
	return slices.Contains(f.ParList.Names, name) || slices.ContainsFunc(f.Stmts, func(s ast.Stmt) bool {
		local, ok := s.(*ast.LocalAssignStmt)
		return ok && slices.Contains(local.Names, name)
	})
}

// madeIn reports whether a name is that of a single local variable of a function, which begins with a new table.
func madeIn(name string, f *ast.FunctionExpr) bool {
	n := 0
	eachName(f.Stmts, func(other string) {
		if other == name {
			n++
		}
	})
	return n == 1 && !slices.Contains(f.ParList.Names, name) && !assignedIn(f.Stmts)[name] && slices.ContainsFunc(f.Stmts, func(s ast.Stmt) bool {
		local, ok := s.(*ast.LocalAssignStmt)
		return ok && len(local.Names) == 1 && local.Names[0] == name && literal(first(local.Exprs)) == "table"
	})
}

// seenByOthers reports whether something besides the statements of a function may see a variable, or the table that it
// has: a function in it, and for a table, all that it is given to.
func seenByOthers(name string, f *ast.FunctionExpr, isTable bool) (seen bool) {
	apart := map[ast.Expr]bool{} // where the table is looked into, and where it is returned
	eachExpr(f.Stmts, func(e ast.Expr) {
		if get, ok := e.(*ast.AttrGetExpr); ok {
			apart[get.Object] = true
		}
		if inner, ok := e.(*ast.FunctionExpr); ok {
			eachExpr(inner.Stmts, func(e ast.Expr) { seen = seen || syntax.NameOf(e) == name })
		}
	})
	eachStmt(f.Stmts, func(s ast.Stmt) {
		if r, ok := s.(*ast.ReturnStmt); ok {
			for _, e := range r.Exprs {
				apart[e] = true
			}
		}
	})
	eachExpr(f.Stmts, func(e ast.Expr) { seen = seen || isTable && syntax.NameOf(e) == name && !apart[e] })
	return seen
}
