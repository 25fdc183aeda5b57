package lint

import (
	"slices"
	"strings"

	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// defined is a function with a name.
type defined struct {
	*ast.FunctionExpr
	method bool // it is written with a colon
}

// storing knows the functions of a game that keep a function that they are given in a table or a variable, as
// on("goal", function() ... end) does, and do nothing else with it.
type storing struct {
	byName map[string][]defined
	bound  map[string]bool // variables that may be another function than those with their name
}

// newStoring reads the functions of files.
func newStoring(trees [][]ast.Stmt) *storing {
	s := &storing{byName: map[string][]defined{}, bound: map[string]bool{}}
	for _, tree := range trees {
		s.block(tree)
	}
	return s
}

func (s *storing) block(stmts []ast.Stmt) {
	for _, stmt := range stmts {
		switch stmt := stmt.(type) {
		case *ast.FuncDefStmt:
			s.define(or(stmt.Name.Method, syntax.LastName(stmt.Name.Func)), stmt.Func, stmt.Name.Method != "")
		case *ast.LocalAssignStmt:
			for i, name := range stmt.Names {
				s.bind(name, nth(stmt.Exprs, i))
			}
		case *ast.AssignStmt:
			for i, to := range stmt.Lhs {
				if name := syntax.LastName(to); syntax.NameOf(to) != "" {
					s.bind(name, nth(stmt.Rhs, i))
				} else if f, ok := nth(stmt.Rhs, i).(*ast.FunctionExpr); ok && name != "" {
					s.define(name, f, false)
				}
			}
		case *ast.NumberForStmt:
			s.bound[stmt.Name] = true
		case *ast.GenericForStmt:
			for _, name := range stmt.Names {
				s.bound[name] = true
			}
		}
		syntax.EachPart(stmt, s.expr, s.block)
	}
}

func (s *storing) expr(e ast.Expr) {
	switch e := e.(type) {
	case nil:
		return
	case *ast.FunctionExpr:
		for _, name := range e.ParList.Names {
			s.bound[name] = true
		}
	case *ast.TableExpr:
		for _, f := range e.Fields {
			if fn, ok := f.Value.(*ast.FunctionExpr); ok {
				if name, isText := syntax.TextOf(f.Key); isText {
					s.define(name, fn, false)
				}
			}
		}
	}
	syntax.EachOperand(e, s.expr, s.block)
}

func (s *storing) define(name string, f *ast.FunctionExpr, method bool) {
	s.byName[name] = append(s.byName[name], defined{f, method})
}

// bind notes what a variable is given: a function that is written out, or what has the same name elsewhere, or something
// else.
func (s *storing) bind(name string, e ast.Expr) {
	if f, ok := e.(*ast.FunctionExpr); ok {
		s.define(name, f, false)
	} else if e != nil && (syntax.NameOf(e) != "" || syntax.LastName(e) != name) {
		s.bound[name] = true
	}
}

// nth returns the i-th of some expressions, nil if there is none.
func nth(list []ast.Expr, i int) ast.Expr {
	if i < len(list) {
		return list[i]
	}
	return nil
}

// isFixed reports whether a variable that is called is surely a function that is written out under this name, or one of
// the library that calls nothing.
func (s *storing) isFixed(name string) bool {
	if s.bound[name] {
		return false
	}
	return len(s.byName[name]) > 0 || library.Has(name)
}

// keeps reports whether a call gives its i-th argument to a function that only keeps it, and the names under which it
// does. An item of a list has no name.
func (s *storing) keeps(e *ast.FuncCallExpr, i int) (names []string, ok bool) {
	name := or(e.Method, syntax.LastName(e.Func))
	list := s.byName[name]
	if len(list) == 0 || syntax.NameOf(e.Func) != "" && s.bound[name] {
		return nil, false
	}
	for _, f := range list {
		if f.method != (e.Method != "") || i >= len(f.ParList.Names) {
			return nil, false
		}
		k := keeping{of: f.ParList.Names[i], ok: true}
		k.block(f.Stmts)
		if !k.ok || !k.kept {
			return nil, false
		}
		for _, key := range k.keys {
			if at := slices.Index(f.ParList.Names, syntax.NameOf(key)); at >= 0 {
				if at >= len(e.Args) {
					return nil, false
				}
				key = e.Args[at]
			}
			switch key := key.(type) {
			case *ast.StringExpr:
				if strings.HasPrefix(key.Value, "__") { // a metamethod, perhaps
					return nil, false
				}
				names = append(names, key.Value)
			case *ast.NumberExpr, *ast.ArithmeticOpExpr, *ast.UnaryLenOpExpr:
			default:
				return nil, false
			}
		}
	}
	return names, true
}

// keeping looks for what a function does with a parameter.
type keeping struct {
	of   string
	ok   bool // so far: it only keeps and tests it
	kept bool
	keys []ast.Expr // under which it keeps it
}

func (k *keeping) is(e ast.Expr) bool { return syntax.NameOf(e) == k.of }

func (k *keeping) block(stmts []ast.Stmt) {
	for _, s := range stmts {
		switch s := s.(type) {
		case *ast.LocalAssignStmt:
			k.ok = k.ok && !slices.Contains(s.Names, k.of)
		case *ast.NumberForStmt:
			k.ok = k.ok && s.Name != k.of
		case *ast.GenericForStmt:
			k.ok = k.ok && !slices.Contains(s.Names, k.of)
		case *ast.AssignStmt:
			k.assign(s)
			continue
		case *ast.IfStmt:
			if k.is(s.Condition) {
				k.block(s.Then)
				k.block(s.Else)
				continue
			}
		case *ast.FuncCallStmt:
			if call, ok := s.Expr.(*ast.FuncCallExpr); ok && syntax.NameOf(call.Func) == "assert" && k.is(first(call.Args)) {
				continue
			}
		}
		syntax.EachPart(s, k.expr, k.block)
	}
}

// assign reads t[key] = f and v = f.
func (k *keeping) assign(s *ast.AssignStmt) {
	for i, e := range s.Rhs {
		if !k.is(e) || len(s.Rhs) != len(s.Lhs) {
			k.expr(e)
			continue
		}
		k.kept = true
		if get, ok := s.Lhs[i].(*ast.AttrGetExpr); ok {
			k.keys = append(k.keys, get.Key)
		}
	}
	for _, e := range s.Lhs {
		k.expr(e)
	}
}

func (k *keeping) expr(e ast.Expr) {
	switch e := e.(type) {
	case nil:
		return
	case *ast.IdentExpr:
		k.ok = k.ok && !k.is(e)
	case *ast.FunctionExpr:
		k.ok = k.ok && !slices.Contains(e.ParList.Names, k.of)
	case *ast.UnaryNotOpExpr:
		if k.is(e.Expr) {
			return
		}
	case *ast.RelationalOpExpr:
		_, isNil := e.Rhs.(*ast.NilExpr)
		if k.is(e.Lhs) && isNil {
			return
		}
	case *ast.TableExpr: // { name = name, run = f }
		for _, f := range e.Fields {
			k.expr(f.Key)
			if !k.is(f.Value) {
				k.expr(f.Value)
				continue
			}
			if k.kept = true; f.Key != nil {
				k.keys = append(k.keys, f.Key)
			}
		}
		return
	case *ast.FuncCallExpr:
		if syntax.NameOf(e.Func) == "type" && k.is(first(e.Args)) {
			return
		}
		if k.inserts(e) {
			return
		}
	}
	syntax.EachOperand(e, k.expr, k.block)
}

// inserts reads table.insert(list, f).
func (k *keeping) inserts(e *ast.FuncCallExpr) bool {
	get, ok := e.Func.(*ast.AttrGetExpr)
	if !ok || syntax.NameOf(get.Object) != "table" || syntax.LastName(get) != "insert" || len(e.Args) < 2 ||
		!k.is(e.Args[len(e.Args)-1]) {
		return false
	}
	k.kept = true
	for _, a := range e.Args[:len(e.Args)-1] {
		k.expr(a)
	}
	return true
}
