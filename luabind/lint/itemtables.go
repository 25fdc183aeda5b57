package lint

import (
	"github.com/hindcast/hindcast/luabind/internal/ident"
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/hindcast/hindcast/world"
	"github.com/yuin/gopher-lua/ast"
)

// itemTables finds what the items of the lists of a file are: tables that are written out where they are put into a list.
type itemTables struct {
	of    map[string]*ownTable    // by the variable of the list: what its items are
	mixed map[string]bool         // lists that are given something else, or are passed on
	uses  map[*ast.IdentExpr]bool // names where the list is not passed on
}

// itemTablesIn returns what the items of the lists of a file are, by the variables of the lists. written are the fields
// that any file gives to tables after they are made.
func itemTablesIn(tree []ast.Stmt, written map[string]bool) map[string]*ownTable {
	t := &itemTables{of: map[string]*ownTable{}, mixed: map[string]bool{}, uses: map[*ast.IdentExpr]bool{}}
	eachMade(tree, t.made)
	eachStmt(tree, func(s ast.Stmt) {
		switch s := s.(type) {
		case *ast.AssignStmt:
			for i, e := range s.Lhs {
				if get, ok := e.(*ast.AttrGetExpr); ok && i < len(s.Rhs) {
					if _, isText := syntax.TextOf(get.Key); !isText {
						t.put(get.Object, s.Rhs[i])
					}
				} else if ok {
					t.mixed[syntax.NameOf(get.Object)] = true
				}
			}
		case *ast.ReturnStmt:
			for _, e := range s.Exprs {
				t.ordinary(e)
			}
		}
	})
	eachExpr(tree, func(e ast.Expr) {
		for _, name := range keptBy(e) {
			t.ordinary(name)
		}
		if list, item := insertedBy(e); list != nil {
			t.put(list, item)
		}
	})
	eachExpr(tree, func(e ast.Expr) {
		if id, ok := e.(*ast.IdentExpr); ok && !t.uses[id] {
			t.mixed[id.Value] = true
		}
	})
	tested := lookedUpAsConditions(tree)
	for _, name := range ident.Keys(t.of) {
		items := t.of[name]
		if t.mixed[name] || items.open {
			delete(t.of, name)
			continue
		}
		items.list, items.written, items.tested = name, written, tested
	}
	return t.of
}

// made notes the items of a list as it is first written.
func (t *itemTables) made(name string, as *ast.TableExpr) {
	for _, f := range as.Fields {
		switch item, isTable := f.Value.(*ast.TableExpr); {
		case f.Key != nil || !isTable:
			t.mixed[name] = true
		default:
			t.item(name, item)
		}
	}
}

// put notes what is put into a list.
func (t *itemTables) put(list, e ast.Expr) {
	id, isName := list.(*ast.IdentExpr)
	if !isName {
		return
	}
	switch item, isTable := e.(*ast.TableExpr); {
	case isTable:
		t.item(id.Value, item)
	case literal(e) != "nil":
		t.mixed[id.Value] = true
	}
}

// item notes an item that is written out.
func (t *itemTables) item(list string, as *ast.TableExpr) {
	of := t.of[list]
	if of == nil {
		of = &ownTable{fields: map[string]string{}}
		t.of[list] = of
	}
	for _, f := range as.Fields {
		key, isText := syntax.TextOf(f.Key)
		if of.open = of.open || !isText; isText {
			of.fields[key] = ""
		}
	}
	of.open = of.open || len(as.Fields) == 0
}

// ordinary notes a name where the list is not passed on.
func (t *itemTables) ordinary(e ast.Expr) {
	if id, ok := e.(*ast.IdentExpr); ok {
		t.uses[id] = true
	}
}

// lookedUpAsConditions returns the fields that code tests, or compares with nil: they may be meant to be missing.
func lookedUpAsConditions(tree []ast.Stmt) map[string]bool {
	tested := map[string]bool{}
	eachCondition(tree, func(get *ast.AttrGetExpr) { tested[syntax.LastName(get)] = true })
	return tested
}

// eachCondition visits what code looks up to test it, or to compare it with nil.
func eachCondition(tree []ast.Stmt, visit func(*ast.AttrGetExpr)) {
	note := func(list ...ast.Expr) {
		for _, e := range list {
			if get, ok := e.(*ast.AttrGetExpr); ok {
				visit(get)
			}
		}
	}
	eachExpr(tree, func(e ast.Expr) {
		switch e := e.(type) {
		case *ast.UnaryNotOpExpr:
			note(e.Expr)
		case *ast.LogicalOpExpr:
			note(e.Lhs, e.Rhs)
		case *ast.RelationalOpExpr:
			if literal(e.Rhs) == "nil" || literal(e.Lhs) == "nil" {
				note(e.Lhs, e.Rhs)
			}
		}
	})
	eachStmt(tree, func(s ast.Stmt) {
		switch s := s.(type) {
		case *ast.IfStmt:
			note(s.Condition)
		case *ast.WhileStmt:
			note(s.Condition)
		case *ast.RepeatStmt:
			note(s.Condition)
		}
	})
}

// computedField stands in the fields that writtenIn returns for those with a computed name.
const computedField = "[]"

// writtenIn returns the fields that code gives to tables after they are made, other than to self and game. It has
// computedField if a function writes a computed field of a table that it is given.
func writtenIn(tree []ast.Stmt) map[string]bool {
	written, made := map[string]bool{}, map[string]bool{}
	eachMade(tree, func(name string, _ *ast.TableExpr) { made[name] = true })
	eachStmt(tree, func(s ast.Stmt) {
		switch s := s.(type) {
		case *ast.AssignStmt:
			for _, e := range s.Lhs {
				get, ok := e.(*ast.AttrGetExpr)
				if !ok {
					continue
				}
				of := syntax.NameOf(get.Object)
				name, isText := syntax.TextOf(get.Key)
				if isText && of != "self" && of != "game" {
					written[name] = true
				}
				if !isText && of != "" && !made[of] {
					written[computedField] = true
				}
			}
		case *ast.FuncDefStmt:
			written[or(s.Name.Method, syntax.LastName(s.Name.Func))] = true
		}
	})
	eachExpr(tree, func(e ast.Expr) {
		if name := syntax.NameOf(e); name == "rawset" || name == "setmetatable" {
			written[computedField] = true
		}
	})
	return written
}

// wordsIn returns the texts of code that are no names of fields.
func wordsIn(tree []ast.Stmt) map[string]bool {
	words, names := map[string]bool{}, map[ast.Expr]bool{}
	eachExpr(tree, func(e ast.Expr) {
		switch e := e.(type) {
		case *ast.AttrGetExpr:
			names[e.Key] = true
		case *ast.TableExpr:
			for _, f := range e.Fields {
				names[f.Key] = true
			}
		case *ast.StringExpr:
			words[e.Value] = words[e.Value] || !names[e]
		}
	})
	return words
}

// lacksField returns what to say about a field that no item of a list has. ok is false if it may have it.
func (t *ownTable) lacksField(l *learned, name string) (hint string, ok bool) {
	if _, has := t.fields[name]; has || name == "" || t.tested[name] || t.written[name] && l.writesField(name) {
		return "", false
	}
	known := ident.Keys(t.fields)
	if near := ident.Nearest(name, known); len(near) > 0 {
		return "did you mean " + near[0] + "?", true
	}
	return "there are " + world.Listed(known), !t.written[computedField]
}

// writesField reports whether files write a field of what may be a table without a class.
func (l *learned) writesField(name string) bool { return l == nil || len(l.writes[name]) > 0 }

// itemField checks a field of an item of a list whose items are written out.
func (k *checks) itemField(t *ownTable, name string, line int) {
	if hint, lacks := t.lacksField(k.game.known, name); lacks {
		k.report.sayAbout(topic{aMember, "[] " + t.list, name}, line, name, hint, "an item of %s has no field %s", t.list, name)
	}
}

// noteOrdering notes what the function that table.sort is given compares.
func (w *walker) noteOrdering(e *ast.FuncCallExpr) {
	if e.Receiver != nil || len(e.Args) != 2 || !w.scope.isFunction(e.Func, "table", "sort") {
		return
	}
	f, ok := e.Args[1].(*ast.FunctionExpr)
	item := w.scope.itemOf(e.Args[0])
	if !ok || item == (value{}) {
		return
	}
	again := assignedIn(f.Stmts)
	for _, p := range f.ParList.Names {
		if !again[p] && w.comparing != nil {
			w.comparing[f] = item
		}
	}
}

// compares returns what is known of the parameters of a function without a name.
func (w *walker) compares(f *ast.FunctionExpr) map[string]value {
	vars := unknown(f.ParList.Names)
	if item, ok := w.comparing[f]; ok {
		for _, p := range f.ParList.Names {
			vars[p] = item
		}
	}
	return vars
}

// playerIn returns how the number of a player is written that is a field of a table; empty: none seems to be.
func playerIn(v value, e ast.Expr) string {
	if v.Own == nil {
		return ""
	}
	for _, name := range []string{"player", "p", "owner", "number", "id"} {
		if _, has := v.Own.fields[name]; has {
			return written(e) + "." + name
		}
	}
	return ""
}

// written returns how an expression is written, with the number of an item.
func written(e ast.Expr) string {
	if get, ok := e.(*ast.AttrGetExpr); ok && numberOf(get.Key) != "" {
		return shortly(get.Object) + "[" + numberOf(get.Key) + "]"
	}
	return shortly(e)
}

// isItem reports whether an expression is an item of a list whose items are written out, without a metatable.
func (s *scope) isItem(e ast.Expr) bool {
	own := s.infer(e).Own
	return own != nil && own.list != "" && !own.written[computedField]
}
