package lint

import (
	"slices"

	"github.com/hindcast/hindcast/luabind/internal/ident"
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// noteTextOf notes what a field of an object is given, among texts, by the class of the object. In a function of a table,
// such as States.idle(self), the object may be of a class that is not known: it is noted by the table.
func (w *walker) noteTextOf(of value, on ast.Expr, name string, e ast.Expr) {
	switch {
	case of.Kind == object && of.Class != nil:
		w.noteText(of.Class.name()+"."+name, e)
	case w.ofTable != "" && syntax.NameOf(on) == "self":
		w.noteText(w.ofTable+"[]."+name, e)
	}
}

// textsOfField returns texts that the files give a field of a class, which the functions of a table may do as well.
func (l *learned) textsOfField(c *class, table, name string) (all []string) {
	p := c.fields[name]
	if l == nil || p == nil || p.of != "string" {
		return nil
	}
	for _, key := range []string{c.name() + "." + name, table + "[]." + name} {
		if written := l.texts[key]; written != nil {
			all = append(all, written.all()...)
		}
	}
	if p.text != "" {
		all = append(all, p.text)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// dispatched checks States[self.state](self), where the table of the file has no function for a text that the files give
// the field.
func (w *walker) dispatched(e *ast.FuncCallExpr) {
	get, ok := e.Func.(*ast.AttrGetExpr)
	if !ok {
		return
	}
	by, isField := get.Key.(*ast.AttrGetExpr)
	table := syntax.NameOf(get.Object)
	if !isField || table == "" || w.guarded(e, by) {
		return
	}
	name, _ := syntax.TextOf(by.Key)
	v := w.scope.infer(by.Object)
	keys, whole := keysGiven(w.tree, table)
	if v.Kind != object || v.Class == nil || !whole {
		return
	}
	for _, text := range w.game.known.textsOfField(v.Class, table, name) {
		if !slices.Contains(keys, text) {
			w.report.say(e.Line(), table, didYouMean(text, keys, thereAre(text, keys, "write function "+table+"."+text+"(self) ... end")),
				"%s has no %q, which the files give %s", table, text, shortly(by))
			return
		}
	}
}

// guarded reports whether a call may be left out for some of the texts that a field holds: it stands within a branch or
// behind one that leaves, or the function looks at the field elsewhere.
func (w *walker) guarded(call *ast.FuncCallExpr, by *ast.AttrGetExpr) bool {
	at := slices.IndexFunc(w.body, func(s ast.Stmt) bool {
		alone, ok := s.(*ast.FuncCallStmt)
		return ok && alone.Expr == call
	})
	seen := 0
	eachExpr(w.body, func(e ast.Expr) {
		if get, ok := e.(*ast.AttrGetExpr); ok && shortly(get) == shortly(by) {
			seen++
		}
	})
	return at < 0 || seen != 1 || leaves(w.body[:at])
}

// keysGiven returns the texts under which a file gives a variable's table values. whole is false if there may be others:
// the table is not written out, or is used as a whole.
func keysGiven(tree []ast.Stmt, table string) (keys []string, whole bool) {
	found, looked := map[string]int{}, map[ast.Expr]bool{}
	written, open := 0, false
	give := func(e ast.Expr) {
		if get, ok := e.(*ast.AttrGetExpr); ok && syntax.NameOf(get.Object) == table {
			key, isText := syntax.TextOf(get.Key)
			found[key]++
			open = open || !isText
		}
	}
	eachStmt(tree, func(s ast.Stmt) {
		switch s := s.(type) {
		case *ast.LocalAssignStmt:
			for i, n := range s.Names {
				if n == table && i < len(s.Exprs) {
					inner, exact := tableKeys(s.Exprs[i])
					written, open = written+1, open || !exact
					for _, key := range ident.Keys(inner) {
						found[key]++
					}
				}
			}
		case *ast.AssignStmt:
			for _, e := range s.Lhs {
				give(e)
			}
		case *ast.FuncDefStmt:
			give(s.Name.Func)
			looked[s.Name.Receiver] = true
			if syntax.NameOf(s.Name.Receiver) == table {
				found[s.Name.Method]++
			}
		}
	})
	eachExpr(tree, func(e ast.Expr) {
		switch e := e.(type) {
		case *ast.AttrGetExpr:
			looked[e.Object] = true
		case *ast.IdentExpr:
			open = open || e.Value == table && !looked[e]
		}
	})
	return ident.Keys(found), written == 1 && !open
}
