package lint

import (
	"slices"
	"strings"

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
			name := syntax.NameOf(e)
			if i >= len(a.Rhs) || name == "" {
				continue
			}
			if call, isCall := a.Rhs[i].(*ast.FuncCallExpr); isCall && syntax.NameOf(call.Func) == "require" {
				g.required[name] = call
			}
			if literal(a.Rhs[i]) == "table" {
				_, again := g.shared[name]
				if g.shared[name] = a.Rhs[i].(*ast.TableExpr); again {
					g.shared[name] = nil
				}
			}
		}
	}
}

// isShared reports whether a global is a table of a file.
func (g *game) isShared(global string) bool {
	_, is := g.shared[global]
	return is && g.classes[global] == nil && !library.Has(global) // of the library: it is refused
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

// nested returns the value of a member of a table of the file that is written as text; nil: it is not known.
func nested(text *ast.TableExpr, name string) value {
	if text == nil {
		return value{}
	}
	if inner, ok := valueOf(text, name).(*ast.TableExpr); ok {
		return value{Kind: shared, Text: inner}
	}
	return value{}
}

// nestedItem returns the value of the items of a table of the file, if all are tables.
func nestedItem(text *ast.TableExpr) (v value) {
	if text == nil {
		return v
	}
	for _, f := range text.Fields {
		inner, ok := f.Value.(*ast.TableExpr)
		if !ok {
			return value{}
		}
		v = value{Kind: shared, Text: inner}
	}
	return v
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
	w.libraryWritten(get, w.stored)
	w.reservedWritten(get)
	w.readOnly(get)
	if w.scope.infer(get.Object).isObject() {
		w.changes(syntax.LastName(get), max(get.Line(), 1))
	}
	w.weakWritten(get)
	w.keptMisspelt(get)
	if name := syntax.NameOf(get.Object); name != "" && syntax.LastName(get) == "__index" && syntax.NameOf(w.stored) == name {
		return // a frozen table can be its own __index in a hook
	}
	root := w.scope.sharedIn(get.Object)
	own := root == get.Object && w.scope.infer(root).Kind != module // no metatable is seen for others
	if !own && (w.game.fieldNames["__newindex"] || w.game.unread) || w.game.guarded[syntax.LastName(get.Object)] {
		return // a function, or a table with weak keys, may take what is written
	}
	w.sayShared(root, max(get.Line(), 1), scratchInstead(w.scope.infer(get.Object)))
}

// weakMode returns the mode of setmetatable({}, { __mode = "k" }); empty: it is no such call.
func weakMode(e ast.Expr) string {
	call, ok := e.(*ast.FuncCallExpr)
	if !ok || syntax.NameOf(call.Func) != "setmetatable" || len(call.Args) != 2 {
		return ""
	}
	keys, whole := tableKeys(call.Args[1])
	mode, isText := syntax.TextOf(valueOf(call.Args[1], "__mode"))
	if !isText || !whole || len(keys) != 1 {
		return ""
	}
	return mode
}

// listsIn reports whether an expression is setmetatable({}, { __index = table }).
func (s *scope) listsIn(e ast.Expr) bool {
	call, ok := e.(*ast.FuncCallExpr)
	if !ok || !s.isGlobal(call.Func, "setmetatable") || len(call.Args) != 2 || literal(call.Args[0]) != "table" {
		return false
	}
	keys, whole := tableKeys(call.Args[1])
	index := valueOf(call.Args[1], "__index")
	return whole && len(keys) == 1 && syntax.NameOf(index) == "table" && s.isGlobal(index, "table")
}

// listOfFile checks queue:insert(v) in a hook, where queue is such a table of the file.
func (w *walker) listOfFile(v value, e *ast.FuncCallExpr) {
	name := syntax.NameOf(e.Receiver)
	if !v.Lists || !w.inTick || !slices.Contains([]string{"insert", "remove", "sort"}, e.Method) {
		return
	}
	w.report.sayAbout(topic{aFrozen, w.report.current(), name}, e.Line(), name, "declare what changes in state (self."+name+", or game."+name+
		"), or make the table in the hook", "%s is a table of the file, which is frozen after loading", name)
}

// weakWritten checks a write into a weak table of the file, which takes entries for tables and functions only, and only
// with weak keys.
func (w *walker) weakWritten(get *ast.AttrGetExpr) {
	v := w.scope.infer(get.Object)
	of := w.scope.typeOf(get.Key)
	plain := of == "number" || of == "string" || of == "boolean" || of == anObject
	if v.Weak == "" || !w.inTick || strings.Contains(v.Weak, "k") && !plain {
		return
	}
	w.report.say(max(get.Line(), 1), nameIn(get.Object), "declare what changes in state, or make the table in the hook",
		"%s is a table of the file, which takes new entries only for tables and functions, and with __mode = \"k\"", shortly(get.Object))
}

// scratchInstead is the part of a hint that says how a table of the file is made a scratch table; empty: it cannot be
// one.
func scratchInstead(v value) string {
	if !v.Flat {
		return ""
	}
	return ", or a scratch table of it: each function writes its keys, which stay the same, before it reads them"
}

// readEarly checks a table of the file that functions use as a scratch table, but for one, which reads fields before it
// writes them. said reports that there is a finding.
func (w *walker) readEarly(s *ast.LocalAssignStmt, i int) (said bool) {
	if w.spoilt[s] == nil || w.spoilt[s][i] == 0 || w.testing || w.steered != nil {
		return false
	}
	name := s.Names[i]
	w.report.say(w.spoilt[s][i], name, "write first what is read, as the other functions do, or declare what lasts in state (self."+name+", or game."+name+")",
		"%s is a scratch table of the file, of which nothing lasts, and is read before it is written here", name)
	return true
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
	for of := e; of != nil; {
		if s.infer(of).Kind == module {
			return of
		}
		inner, ok := of.(*ast.AttrGetExpr)
		if !ok {
			break
		}
		of = inner.Object
	}
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
	if of := w.scope.propsIn(get.Object); of != nil && w.scope.infer(get.Object).Kind != props {
		w.sayProps(of, nameIn(get.Object), line)
		return
	}
	switch v := w.scope.infer(get.Object); v.Kind {
	case found:
		if _, isText := syntax.TextOf(get.Key); !isText {
			w.sayFound(get.Object, line)
		}
	case props:
		w.sayProps(v.Class, syntax.LastName(get), line)
	case input, contact, bump, arena, asked:
		w.report.say(line, or(syntax.LastName(get), shortly(get.Object)), "keep it in a local variable, or in state",
			"%s can only be read", map[kind]string{input: "an input", contact: "a contact", bump: "what moveAndSlide returns",
				arena: "arena", asked: "what players have answered"}[v.Kind])
	case past:
		w.report.say(line, or(syntax.LastName(get), shortly(get.Object)), "write self."+or(syntax.LastName(get), "field"),
			"the old state that migrate is given can only be read")
	case frame, committed, shown, shownCue, shownList:
		w.report.say(line, or(syntax.LastName(get), shortly(get.Object)),
			"compute it in a local variable, or in a table that keep { ... } makes", "what %s is given can only be read",
			api.ViewFile)
	case joint:
		w.report.say(line, or(syntax.LastName(get), shortly(get.Object)), jointInstead(syntax.LastName(get)),
			"the fields of a joint can only be read")
	}
}

// propsIn returns the class whose objProps a.objProps.b.c begins with; nil: it begins with none.
func (s *scope) propsIn(e ast.Expr) *class {
	for {
		if v := s.infer(e); v.Kind == props {
			return v.Class
		}
		inner, ok := e.(*ast.AttrGetExpr)
		if !ok {
			return nil
		}
		e = inner.Object
	}
}

// sayProps reports a change of constants.
func (w *walker) sayProps(c *class, name string, line int) {
	w.report.say(line, name, "declare what changes in state", "%s.objProps are constants", c.name())
}

// sayFound reports a change of a list that a query has given.
func (w *walker) sayFound(e ast.Expr, line int) {
	w.report.say(line, nameIn(e), "copy what you need into a new table",
		"a list that objects(), players() and the like return can only be read")
}

// sharedChanged checks a call of table.insert and the like in a hook.
func (w *walker) sharedChanged(e *ast.FuncCallExpr) {
	if w.scope.isGlobal(e.Func, "rawset", "setmetatable") {
		w.listChanged(e)
	}
	get, ok := e.Func.(*ast.AttrGetExpr)
	if !ok || !w.scope.isGlobal(get.Object, "table") {
		return
	}
	if name, _ := syntax.TextOf(get.Key); name == "insert" || name == "remove" || name == "sort" {
		w.listChanged(e)
	}
}

// listChanged checks the table that a function which changes it is given.
func (w *walker) listChanged(e *ast.FuncCallExpr) {
	list := first(e.Args)
	if list == nil {
		return
	}
	if root := w.scope.sharedIn(list); root != nil {
		w.sayShared(root, e.Line(), "")
		return
	}
	if of := w.scope.propsIn(list); of != nil {
		w.sayProps(of, nameIn(list), e.Line())
		return
	}
	switch w.scope.infer(list).Kind {
	case found:
		w.sayFound(list, e.Line())
	case shownList:
		w.report.say(e.Line(), nameIn(list), "copy what you need into a new table", "what %s is given can only be read",
			api.ViewFile)
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
		of, what, about := variableOf(e), "a table of the file", topic{aFrozen, w.report.current(), name}
		if v, isLocal := w.scope.lookUp(of); of != name && (v.Kind == shared || !isLocal && w.game.isShared(of)) {
			name, what, about.name = shortly(e), "in the table "+of+" of the file", of
		} else {
			of = name
		}
		if _, isLocal := w.scope.lookUp(of); !isLocal {
			about.of = ""
		}
		w.report.sayAbout(about, line, of, hint, "%s is %s, which is frozen after loading", name, what)
	}
}

// variableOf returns the variable that a.b.c begins with; empty: it begins with none.
func variableOf(e ast.Expr) string {
	for {
		get, ok := e.(*ast.AttrGetExpr)
		if !ok {
			return syntax.NameOf(e)
		}
		e = get.Object
	}
}

// guardedIn returns the names of what code gives metatables, if any of these may take what is written: they have
// __newindex, or __mode.
func guardedIn(tree []ast.Stmt, fieldNames map[string]bool) map[string]bool {
	names := map[string]bool{}
	named := func(name string, e ast.Expr) {
		if weakMode(e) != "" {
			names[name] = true
		}
	}
	eachExpr(tree, func(e ast.Expr) {
		switch e := e.(type) {
		case *ast.FuncCallExpr:
			if syntax.NameOf(e.Func) == "setmetatable" && fieldNames["__newindex"] {
				names[syntax.LastName(first(e.Args))] = true
			}
		case *ast.TableExpr:
			for _, f := range e.Fields {
				if name, ok := syntax.TextOf(f.Key); ok {
					named(name, f.Value)
				}
			}
		}
	})
	eachStmt(tree, func(s ast.Stmt) {
		if set, ok := s.(*ast.AssignStmt); ok && len(set.Lhs) == len(set.Rhs) {
			for i, to := range set.Lhs {
				if get, ok := to.(*ast.AttrGetExpr); ok {
					named(syntax.LastName(get), set.Rhs[i])
				}
			}
		}
	})
	delete(names, "")
	return names
}

// laterHere reports whether a function of a file of the game, with a name, runs only after the files are loaded.
func (w *walker) laterHere(name string) bool {
	return w.scope.outermost() && !w.testing && w.steered == nil && w.scope.shows() == nil && w.game.runsLater(name)
}
