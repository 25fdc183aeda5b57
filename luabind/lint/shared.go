package lint

import (
	"slices"

	"github.com/hindcast/hindcast/luabind/internal/api"
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/hindcast/hindcast/world"
	"github.com/yuin/gopher-lua/ast"
)

// noteShared notes the globals that a file sets to tables.
func (g *game) noteShared(tree []ast.Stmt) {
	for _, s := range tree {
		a, ok := s.(*ast.AssignStmt)
		if !ok {
			continue
		}
		for i, e := range a.Lhs {
			if name := syntax.NameOf(e); name != "" && i < len(a.Rhs) && literal(a.Rhs[i]) == "table" {
				g.shared[name] = true
			}
		}
	}
}

// isShared reports whether a global is a table of a file.
func (g *game) isShared(global string) bool {
	return g.shared[global] && g.classes[global] == nil && !library.Has(global) // of the library: it is refused
}

// runsInTick reports whether a function runs only after the files are loaded: a method of a class, or a hook of
// game.lua.
func runsInTick(c *class, name, file string) bool {
	if c != nil {
		return true
	}
	like, exact := api.LikeHook(name, api.GameHooks())
	return file == api.GameFile && exact && like != world.HookCount
}

// written checks the left side of an assignment in a hook.
func (w *walker) written(e ast.Expr) {
	get, ok := e.(*ast.AttrGetExpr)
	if !ok {
		return
	}
	if w.classWritten(get) {
		return
	}
	w.reservedWritten(get)
	w.readOnly(get)
	w.sayShared(w.scope.sharedIn(get.Object), max(get.Line(), 1), scratchInstead(w.scope.infer(get.Object)))
}

// scratchInstead is the part of a hint that says how a table of the file is made a scratch table; empty: it cannot be
// one.
func scratchInstead(v value) string {
	if !v.Flat {
		return ""
	}
	return ", or a scratch table of it: each function writes its keys, which stay the same, before it reads them"
}

// isFlat reports whether a table that is written out has neither tables nor functions.
func isFlat(e ast.Expr) bool {
	t, ok := e.(*ast.TableExpr)
	return ok && !slices.ContainsFunc(t.Fields, func(f *ast.Field) bool {
		of := literal(f.Value)
		return of == "table" || of == "function"
	})
}

// sharedIn returns the table of the file, or the module, that a.b.c begins with; nil: it begins with neither.
func (s *scope) sharedIn(e ast.Expr) ast.Expr {
	for s.infer(e).Kind != shared && s.infer(e).Kind != module {
		inner, ok := e.(*ast.AttrGetExpr)
		if !ok {
			return nil
		}
		e = inner.Object
	}
	return e
}

// readOnly checks that the left side of an assignment is nothing that is given to scripts to read.
func (w *walker) readOnly(get *ast.AttrGetExpr) {
	line := max(get.Line(), 1)
	switch v := w.scope.infer(get.Object); v.Kind {
	case found:
		if _, isText := syntax.TextOf(get.Key); !isText {
			w.sayFound(get.Object, line)
		}
	case props:
		w.report.say(line, syntax.LastName(get), "declare what changes in state",
			"%s.objProps are constants", v.Class.name())
	case input:
		w.report.say(line, syntax.LastName(get), "keep it in a local variable, or in state",
			"an input can only be read")
	}
}

// sayFound reports a change of a list that a query has given.
func (w *walker) sayFound(e ast.Expr, line int) {
	w.report.say(line, nameIn(e), "copy what you need into a new table",
		"a list that objects(), players() and the like return can only be read")
}

// sharedChanged checks a call of table.insert and the like in a hook.
func (w *walker) sharedChanged(e *ast.FuncCallExpr) {
	get, ok := e.Func.(*ast.AttrGetExpr)
	if !ok || !w.scope.isGlobal(get.Object, "table") {
		return
	}
	if name, _ := syntax.TextOf(get.Key); name == "insert" || name == "remove" || name == "sort" {
		if list := first(e.Args); w.scope.infer(list).Kind == shared {
			w.sayShared(list, e.Line(), "")
		} else if root := w.scope.sharedIn(list); root != nil && w.scope.infer(root).Kind == module {
			w.sayShared(root, e.Line(), "")
		}
		if w.scope.infer(first(e.Args)).Kind == found {
			w.sayFound(first(e.Args), e.Line())
		}
	}
}

// sayShared reports a change of a table of the file. scratch is what scratchInstead returns.
func (w *walker) sayShared(e ast.Expr, line int, scratch string) {
	name := syntax.LastName(e)
	switch kind := w.scope.infer(e).Kind; {
	case !w.inTick || name == "":
	case kind == module:
		w.report.say(line, name, "declare what changes in state, or make the table in the hook",
			"%s is what a file has returned, which is frozen after loading", name)
	case kind == shared:
		hint := "declare what changes in state (self." + name + ", or game." + name + "), or make the table in the hook" + scratch
		if w.scope.shows() != nil {
			hint = "keep it: local " + name + " = keep { ... }"
		}
		w.report.say(line, name, hint, "%s is a table of the file, which is frozen after loading", name)
	}
}

// laterHere reports whether a function of a file of the game, with a name, runs only after the files are loaded.
func (w *walker) laterHere(name string) bool {
	return w.scope.outermost() && !w.testing && w.steered == nil && w.scope.shows() == nil && w.game.runsLater(name)
}
