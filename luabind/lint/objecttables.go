package lint

import (
	"github.com/hindcast/hindcast/luabind/internal/ident"
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// holds is what the table of a local variable may be followed as.
type holds uint8

const (
	holdsUnknown holds = iota // it is passed on
	holdsItems                // a list: it has no fields with names
	holdsFields               // it has nothing but fields with names
)

// objectTable is a place in a table that is written out in a function: a field, or its items.
type objectTable struct {
	table *ast.TableExpr
	field string // empty: its items
}

// objectTables finds the tables that local variables of functions have and that are passed nowhere, so that what they hold
// is what the function puts into them.
type objectTables struct {
	of       map[string][]*ast.TableExpr // by variable
	uses     map[ast.Expr]bool           // names where the table is not passed on
	open     map[string]bool             // variables whose tables are passed on
	names    map[string]bool             // variables whose tables are given fields with names
	items    map[string]bool             // variables whose tables are given others
	returned map[string]bool             // variables whose tables a function returns
}

// objectTablesIn returns what the tables of the local variables in functions of a file may be followed as. A variable with
// the same name in another function is another one.
func objectTablesIn(tree []ast.Stmt) map[*ast.TableExpr]holds {
	found := map[*ast.TableExpr]holds{}
	for _, s := range tree {
		t := &objectTables{map[string][]*ast.TableExpr{}, map[ast.Expr]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}}
		t.within([]ast.Stmt{s})
		for _, name := range ident.Keys(t.of) {
			for _, made := range t.of[name] {
				switch {
				case t.open[name], t.names[name] && t.items[name]:
				case t.names[name]:
					found[made] = holdsFields
				default:
					found[made] = holdsItems
				}
			}
		}
	}
	return found
}

// within reads an outermost statement of a file.
func (t *objectTables) within(stmts []ast.Stmt) {
	eachMade(stmts, t.made)
	eachStmt(stmts, func(s ast.Stmt) {
		switch s := s.(type) {
		case *ast.AssignStmt:
			for _, e := range s.Lhs {
				if get, ok := e.(*ast.AttrGetExpr); ok {
					_, isText := syntax.TextOf(get.Key)
					t.give(syntax.NameOf(get.Object), isText)
				}
			}
		case *ast.FuncDefStmt:
			t.open[syntax.NameOf(s.Name.Receiver)] = true
			if get, ok := s.Name.Func.(*ast.AttrGetExpr); ok {
				t.open[syntax.NameOf(get.Object)] = true
			}
		case *ast.ReturnStmt:
			for _, e := range s.Exprs {
				t.uses[e] = true
				t.returned[syntax.NameOf(e)] = true
			}
		}
	})
	eachExpr(stmts, func(e ast.Expr) {
		for _, name := range keptBy(e) {
			t.uses[name] = true
		}
		if list, _ := insertedBy(e); list != nil {
			t.give(syntax.NameOf(list), false)
		}
	})
	eachExpr(stmts, func(e ast.Expr) {
		switch e := e.(type) {
		case *ast.IdentExpr:
			t.open[e.Value] = t.open[e.Value] || !t.uses[e]
		case *ast.FunctionExpr: // which may see what a caller puts into a table that is returned
			eachExpr(e.Stmts, func(e ast.Expr) {
				if inner, ok := e.(*ast.FunctionExpr); ok {
					eachExpr(inner.Stmts, func(e ast.Expr) { t.open[syntax.NameOf(e)] = t.open[syntax.NameOf(e)] || t.returned[syntax.NameOf(e)] })
				}
			})
		}
	})
}

// made notes a table as it is first written.
func (t *objectTables) made(name string, as *ast.TableExpr) {
	t.of[name] = append(t.of[name], as)
	for _, f := range as.Fields {
		_, isText := syntax.TextOf(f.Key)
		t.give(name, f.Key != nil && isText)
	}
}

// give notes that a table is given a field with a name, or another one.
func (t *objectTables) give(name string, isText bool) {
	t.names[name] = t.names[name] || isText
	t.items[name] = t.items[name] || !isText
}

// eachMade visits the tables that are written out where local variables are declared.
func eachMade(stmts []ast.Stmt, visit func(name string, made *ast.TableExpr)) {
	eachStmt(stmts, func(s ast.Stmt) {
		if local, ok := s.(*ast.LocalAssignStmt); ok {
			for i := range min(len(local.Names), len(local.Exprs)) {
				if made, isTable := local.Exprs[i].(*ast.TableExpr); isTable {
					visit(local.Names[i], made)
				}
			}
		}
	})
}

// keptBy returns the operands of an expression whose tables it uses without passing them on.
func keptBy(e ast.Expr) []ast.Expr {
	switch e := e.(type) {
	case *ast.AttrGetExpr:
		return []ast.Expr{e.Object}
	case *ast.UnaryLenOpExpr:
		return []ast.Expr{e.Expr}
	case *ast.UnaryNotOpExpr:
		return []ast.Expr{e.Expr}
	case *ast.RelationalOpExpr:
		return []ast.Expr{e.Lhs, e.Rhs}
	case *ast.FuncCallExpr:
		get, isMember := e.Func.(*ast.AttrGetExpr)
		name := syntax.NameOf(e.Func)
		if len(e.Args) > 0 && e.Receiver == nil && (name == "ipairs" || name == "pairs" || name == "next" || name == "unpack" ||
			isMember && syntax.NameOf(get.Object) == "table" && library.HasMember("table", syntax.LastName(get))) {
			return e.Args[:1]
		}
	}
	return nil
}

// insertedBy returns the list and the item of a call of table.insert; nil: it is none.
func insertedBy(e ast.Expr) (list, item ast.Expr) {
	call, ok := e.(*ast.FuncCallExpr)
	if !ok || len(call.Args) < 2 {
		return nil, nil
	}
	get, isMember := call.Func.(*ast.AttrGetExpr)
	if !isMember || syntax.NameOf(get.Object) != "table" || syntax.LastName(get) != "insert" {
		return nil, nil
	}
	return call.Args[0], call.Args[len(call.Args)-1]
}

// follow notes what a table holds that is written out for a local variable, and returns the value with it.
func (w *walker) follow(v value, e ast.Expr) value {
	made, isTable := e.(*ast.TableExpr)
	if !isTable || w.scope.outermost() || w.scope.shows() != nil || w.testing || w.steered != nil {
		return v
	}
	if w.scope.holding[made] == holdsUnknown {
		return v
	}
	for i, f := range made.Fields {
		name, _ := syntax.TextOf(f.Key)
		if f.Key == nil && i == len(made.Fields)-1 && !isSingle(f.Value) {
			w.noteHeld(objectTable{made, ""}, value{})
			continue
		}
		w.noteHeld(objectTable{made, name}, w.scope.given("", f.Value))
	}
	v.Made = made
	return v
}

// isSingle reports whether an expression surely has one value.
func isSingle(e ast.Expr) bool {
	call, ok := e.(*ast.FuncCallExpr)
	_, isRest := e.(*ast.Comma3Expr)
	return !isRest && (!ok || call.AdjustRet)
}

// noteHeld notes what a place in a table is given.
func (w *walker) noteHeld(at objectTable, v value) {
	if v.Type != "nil" {
		w.game.reassigned.holds[at] = append(w.game.reassigned.holds[at], v)
	}
}

// noteItems notes what an assignment puts into tables.
func (w *walker) noteItems(s *ast.AssignStmt) {
	for i, e := range s.Lhs {
		get, ok := e.(*ast.AttrGetExpr)
		if !ok {
			continue
		}
		made := w.scope.infer(get.Object).Made
		if made == nil {
			continue
		}
		name, _ := syntax.TextOf(get.Key)
		v := value{}
		if i < len(s.Rhs) {
			if from, isGet := s.Rhs[i].(*ast.AttrGetExpr); isGet && name == "" && syntax.LastName(from) == "" && w.scope.infer(from.Object).Made == made {
				continue // items change their places
			}
			v = w.scope.given("", s.Rhs[i])
		}
		w.noteHeld(objectTable{made, name}, v)
	}
}

// noteInserted notes what table.insert puts into a table.
func (w *walker) noteInserted(e *ast.FuncCallExpr) {
	if !w.scope.isFunction(e.Func, "table", "insert") || len(e.Args) < 2 {
		return
	}
	if made := w.scope.infer(e.Args[0]).Made; made != nil {
		w.noteHeld(objectTable{made, ""}, w.scope.given("", e.Args[len(e.Args)-1]))
	}
}

// heldIn returns the objects that a place in a table holds, if it holds nothing else; they may be nil besides.
func (s *scope) heldIn(made *ast.TableExpr, field string) (v value) {
	as := s.holding[made]
	if made == nil || as == holdsUnknown || (as == holdsItems) != (field == "") || !s.game.isLoaded() {
		return value{}
	}
	for i, given := range s.game.reassigned.held[objectTable{made, field}] {
		ok := given.isObject() && given.Class != nil && !given.False
		if ok && i > 0 {
			given, ok = s.game.joined(v, given)
		}
		if !ok {
			return value{}
		}
		v = s.game.objectOfClass(given.Class)
	}
	return v
}
