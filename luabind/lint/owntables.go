package lint

import (
	"github.com/hindcast/hindcast/luabind/internal/ident"
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// ownTable is what is known of the fields of the tables that a variable of a file has: they are written out, and are
// passed nowhere, so that the file gives them all their fields.
type ownTable struct {
	fields   map[string]string // by field: its type; "": not known
	tested   map[string]bool   // fields that the file tests: they may be meant to be nil
	compared map[string]bool   // fields that it compares with a value
	open     bool              // it may have other fields

	returned bool            // a function returns it: others may give it fields
	computed bool            // it is given fields with computed names
	numbered bool            // it may be given items
	words    map[string]bool // the texts of the game, which such names may be

	list    string          // of an item of a list: the variable of that
	written map[string]bool // the fields that any file gives to tables after they are made
	items   *ownTable       // of a list: what its items are; nil: that is not known
}

// ownTables finds the tables of the variables of a file.
type ownTables struct {
	of         map[string]*ownTable
	plain      bool                    // the file makes no metatables, so that arithmetic gives numbers
	ordinarily map[*ast.IdentExpr]bool // names where the table is not passed on
}

// ownTablesIn returns the tables of the local variables of code and of globals, by their names. given says how often
// globals are given a value.
func ownTablesIn(tree []ast.Stmt, given map[string]int) map[string]*ownTable {
	o := &ownTables{of: map[string]*ownTable{}, plain: true, ordinarily: map[*ast.IdentExpr]bool{}}
	eachStmt(tree, func(s ast.Stmt) {
		switch s := s.(type) {
		case *ast.LocalAssignStmt:
			for i := range min(len(s.Names), len(s.Exprs)) {
				if t := tableIn(s.Exprs[i]); t != nil {
					o.written(o.at(s.Names[i]), t)
				}
			}
		case *ast.AssignStmt:
			for i := range min(len(s.Lhs), len(s.Rhs)) {
				id, isName := s.Lhs[i].(*ast.IdentExpr)
				if t, isTable := s.Rhs[i].(*ast.TableExpr); isName && isTable && given[id.Value] == 1 {
					o.written(o.at(id.Value), t)
					o.ordinarily[id] = true
				}
			}
		}
	})
	eachExpr(tree, func(e ast.Expr) {
		o.plain = o.plain && syntax.NameOf(e) != "setmetatable"
		o.used(e)
	})
	eachStmt(tree, o.assigned)
	for _, s := range tree {
		if r, ok := s.(*ast.ReturnStmt); ok { // it is what the file returns
			o.pass(r.Exprs)
		}
	}
	eachExpr(tree, func(e ast.Expr) {
		if id, ok := e.(*ast.IdentExpr); ok && !o.ordinarily[id] && o.of[id.Value] != nil {
			o.of[id.Value].open = true
		}
	})
	return o.of
}

// tableIn returns a table that is written out, and the one that keep is given; nil: an expression is neither.
func tableIn(e ast.Expr) *ast.TableExpr {
	if call, isCall := e.(*ast.FuncCallExpr); isCall && syntax.NameOf(call.Func) == "keep" {
		e = first(call.Args)
	}
	t, _ := e.(*ast.TableExpr)
	return t
}

// at returns the table of a variable.
func (o *ownTables) at(name string) *ownTable {
	if o.of[name] == nil {
		o.of[name] = &ownTable{fields: map[string]string{}, tested: map[string]bool{}, compared: map[string]bool{}}
	}
	return o.of[name]
}

// written notes the fields of a table that is written out.
func (o *ownTables) written(t *ownTable, as *ast.TableExpr) {
	for _, f := range as.Fields {
		key, isText := syntax.TextOf(f.Key)
		switch {
		case isText:
			o.give(t, key, f.Value)
		case f.Key != nil && literal(f.Key) != "number":
			t.open = true
		default:
			t.numbered = true
		}
	}
}

// give notes that a field is given a value.
func (o *ownTables) give(t *ownTable, field string, e ast.Expr) {
	of := literal(e)
	switch e := e.(type) {
	case *ast.ArithmeticOpExpr, *ast.UnaryMinusOpExpr:
		if o.plain {
			of = "number"
		}
	case *ast.StringExpr:
		if _, reads := syntax.ParseNumber(e.Value); reads {
			of = ""
		}
	case *ast.RelationalOpExpr, *ast.UnaryNotOpExpr:
		of = "boolean"
	}
	if known, again := t.fields[field]; again && known != of || of == "nil" {
		of = ""
	}
	t.fields[field] = of
}

// tableOf returns the table and the field that t.field looks up; nil: it is no such expression.
func (o *ownTables) tableOf(e ast.Expr) (t *ownTable, field string, name *ast.IdentExpr) {
	get, ok := e.(*ast.AttrGetExpr)
	if !ok {
		return nil, "", nil
	}
	id, isName := get.Object.(*ast.IdentExpr)
	if !isName {
		return nil, "", nil
	}
	field, isText := syntax.TextOf(get.Key)
	if !isText && literal(get.Key) != "number" {
		return nil, "", nil
	}
	return o.of[id.Value], field, id
}

// assigned notes what a statement gives to fields, and which it tests.
func (o *ownTables) assigned(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.AssignStmt:
		for i, e := range s.Lhs {
			t, field, _ := o.tableOf(e)
			switch {
			case t == nil || field == "":
				o.computed(e)
			case len(s.Lhs) != len(s.Rhs):
				t.fields[field] = ""
			case computesWith(s.Rhs[i], e): // which gives it no first value
			default:
				o.give(t, field, s.Rhs[i])
			}
		}
	case *ast.FuncDefStmt:
		if t, field, _ := o.tableOf(s.Name.Func); t != nil {
			t.fields[field] = "function"
		}
		if id, ok := s.Name.Receiver.(*ast.IdentExpr); ok && o.of[id.Value] != nil {
			o.of[id.Value].fields[s.Name.Method] = "function"
		}
	case *ast.ReturnStmt:
		for _, e := range s.Exprs {
			if id, ok := e.(*ast.IdentExpr); ok && o.of[id.Value] != nil {
				o.of[id.Value].returned, o.ordinarily[id] = true, true
			}
		}
	case *ast.IfStmt:
		o.test(s.Condition)
	case *ast.WhileStmt:
		o.test(s.Condition)
	case *ast.RepeatStmt:
		o.test(s.Condition)
	}
}

// pass notes that tables are passed on.
func (o *ownTables) pass(list []ast.Expr) {
	for _, e := range list {
		if t := o.of[syntax.NameOf(e)]; t != nil {
			t.open = true
		}
	}
}

// computed notes that a table is given a field with a computed name.
func (o *ownTables) computed(e ast.Expr) {
	get, ok := e.(*ast.AttrGetExpr)
	if t := o.of[ofName(e)]; ok && t != nil {
		_, isText := syntax.TextOf(get.Key)
		t.numbered = t.numbered || !isText && named(get.Key) == nil
	}
	if !ok || literal(get.Key) == "number" {
		return
	}
	if _, isText := syntax.TextOf(get.Key); !isText && o.of[syntax.NameOf(get.Object)] != nil {
		o.of[syntax.NameOf(get.Object)].computed = true
	}
}

// computesWith reports whether an expression computes with what another looks up.
func computesWith(e, with ast.Expr) bool {
	switch e := e.(type) {
	case *ast.ArithmeticOpExpr:
		return shortly(e.Lhs) == shortly(with) || computesWith(e.Lhs, with)
	case *ast.StringConcatOpExpr:
		return shortly(e.Lhs) == shortly(with) || computesWith(e.Lhs, with)
	}
	return false
}

// test notes that fields are tested.
func (o *ownTables) test(list ...ast.Expr) {
	for _, e := range list {
		if t, field, _ := o.tableOf(e); t != nil {
			t.tested[field] = true
		}
	}
}

// compare notes that a field is compared with something. A comparison with nil tests it.
func (o *ownTables) compare(e, with ast.Expr) {
	if t, field, _ := o.tableOf(e); t != nil && neverHolds(with) {
		t.tested[field] = true
	} else if t != nil {
		t.compared[field] = true
	}
}

// used notes where names stand without passing their tables on, and which fields an expression tests.
func (o *ownTables) used(e ast.Expr) {
	ordinary := func(e ast.Expr) {
		if id, ok := e.(*ast.IdentExpr); ok {
			o.ordinarily[id] = true
		}
	}
	switch e := e.(type) {
	case *ast.AttrGetExpr:
		ordinary(e.Object)
	case *ast.UnaryLenOpExpr:
		ordinary(e.Expr)
	case *ast.UnaryNotOpExpr:
		ordinary(e.Expr)
		o.test(e.Expr)
	case *ast.LogicalOpExpr:
		o.test(e.Lhs, e.Rhs)
	case *ast.RelationalOpExpr:
		ordinary(e.Lhs)
		ordinary(e.Rhs)
		if e.Operator == "==" || e.Operator == "~=" {
			o.compare(e.Lhs, e.Rhs)
			o.compare(e.Rhs, e.Lhs)
		}
	case *ast.FuncCallExpr:
		if name := syntax.NameOf(e.Func); name == "ipairs" || name == "pairs" || name == "print" || name == "unpack" {
			for _, a := range e.Args {
				ordinary(a)
			}
		}
		if get, ok := e.Func.(*ast.AttrGetExpr); ok && syntax.NameOf(get.Object) == "table" {
			ordinary(first(e.Args))
			if t := o.of[syntax.NameOf(first(e.Args))]; t != nil {
				t.numbered = true
			}
		}
	}
}

// fieldOf returns the type of a field of a table of a variable, nil if the file gives it none; empty: it is not known,
// or lacks says that it is missing.
func (t *ownTable) fieldOf(name string) (of string) {
	if t.list != "" {
		return ""
	}
	of, has := t.fields[name]
	switch {
	case t.computed || t.returned && (!has || t.written[name]):
		return ""
	case has || t.open || t.tested[name] || t.compared[name] || name == "" || t.lacks(name) != "":
		return of
	}
	return "nil"
}

// plainField is fieldOf without tables, of which more is known.
func (t *ownTable) plainField(name string) string {
	if of := t.fieldOf(name); of != "table" {
		return of
	}
	return ""
}

// lacks returns the field that seems to be meant by a name that is that of none; empty: it is one, or may be meant.
func (t *ownTable) lacks(name string) (meant string) {
	if _, has := t.fields[name]; has || t.open || t.tested[name] || name == "" {
		return ""
	}
	if (t.computed || t.returned) && (t.written[name] || t.words[name]) {
		return ""
	}
	if near := ident.Nearest(name, ident.Keys(t.fields)); len(near) > 0 {
		return near[0]
	}
	return ""
}

// ownTable checks a field of a table of a variable that is read, and that the file never gives it.
func (k *checks) ownTable(v value, of ast.Expr, name string, line int) {
	if v.Kind == shared && v.Text != nil && v.Own == nil && k.game.isLoaded() {
		k.sharedField(v.Text, of, name, line)
	}
	if v.Own == nil || !k.game.isLoaded() {
		return
	}
	if v.Own.list != "" {
		k.itemField(v.Own, name, line)
		return
	}
	if meant := v.Own.lacks(name); meant != "" {
		k.report.say(line, name, "did you mean "+meant+"?", "%s has no field %s", shortly(of), name)
	}
}

// sharedField checks a field of a table within a table of a file, which has a name that no file gives to a field.
func (k *checks) sharedField(t *ast.TableExpr, of ast.Expr, name string, line int) {
	keys, whole := tableKeys(t)
	if _, has := keys[name]; has || !whole || name == "" || k.game.fieldNames[name] {
		return
	}
	if near := ident.Nearest(name, ident.Keys(keys)); len(near) > 0 {
		k.report.say(line, name, "did you mean "+near[0]+"?", "%s has no field %s", shortly(of), name)
	}
}

// ofName returns the name of what a field is looked up in; empty: it has none.
func ofName(e ast.Expr) string {
	if get, ok := e.(*ast.AttrGetExpr); ok {
		return syntax.NameOf(get.Object)
	}
	return ""
}

// noteKey notes the type of a computed key that a table of a variable is given.
func (w *walker) noteKey(get *ast.AttrGetExpr) {
	own := w.scope.infer(get.Object).Own
	if l := w.game.learning; l != nil && own != nil && own.computed && literal(get.Key) != "string" {
		l.counted[own] = l.counted[own] || w.scope.typeOf(get.Key) != "string"
	}
}

// namesMeasured checks #t of a table whose fields all have names.
func (w *walker) namesMeasured(e *ast.UnaryLenOpExpr) {
	t := w.scope.infer(e.Expr).Own
	if t == nil || t.open || t.numbered || t.list != "" || len(t.fields) == 0 || !w.game.isLoaded() {
		return
	}
	if l := w.game.known; t.computed && (l == nil || l.counted[t]) {
		return
	}
	w.report.say(e.Line(), "#", "count them: for _ in pairs("+shortly(e.Expr)+") do n = n + 1 end; next("+shortly(e.Expr)+") == nil asks whether it is empty",
		"the fields of %s have names, which # does not count", shortly(e.Expr))
}
