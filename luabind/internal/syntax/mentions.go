package syntax

import (
	"maps"
	"strings"

	"github.com/hindcast/hindcast/luabind/internal/ident"
	"github.com/yuin/gopher-lua/ast"
)

// Mentions are the names that a file uses: of variables, fields and methods, and texts that may be one. With those of
// all files, they say which functions of a module the game may come to call.
type Mentions struct {
	always map[string]bool            // outside of the functions of a module that have a name
	within map[string]map[string]bool // by the name of such a function, or of another value: in it
	named  map[*ast.FunctionExpr]string
}

// mentionsIn returns the mentions of a file. The functions of a file that is no module are hooks, or may be called by
// one.
func mentionsIn(file string, tree []ast.Stmt) *Mentions {
	m := &Mentions{always: map[string]bool{}, within: map[string]map[string]bool{},
		named: map[*ast.FunctionExpr]string{}}
	if IsModule(file) {
		m.module(tree)
	} else {
		m.block(tree, m.always)
	}
	return m
}

// Reached returns the names that the files of a bundle may come to use. A function that they do not contain is not
// called, unless its name is computed.
func Reached(files []*Mentions) map[string]bool {
	out := map[string]bool{}
	var open []string
	add := func(names map[string]bool) {
		for _, n := range ident.Keys(names) {
			if !out[n] {
				out[n] = true
				open = append(open, n)
			}
		}
	}
	within := map[string]map[string]bool{}
	for _, m := range files {
		add(m.always)
		for _, n := range ident.Keys(m.within) {
			if within[n] == nil {
				within[n] = map[string]bool{}
			}
			maps.Copy(within[n], m.within[n])
			if strings.HasPrefix(n, "__") { // the interpreter calls metamethods
				add(map[string]bool{n: true})
			}
		}
	}
	for len(open) > 0 {
		n := open[len(open)-1]
		open = open[:len(open)-1]
		add(within[n])
	}
	return out
}

// of returns where the mentions of a value go that has a name.
func (m *Mentions) of(name string) map[string]bool {
	if name == "" {
		return m.always
	}
	if m.within[name] == nil {
		m.within[name] = map[string]bool{}
	}
	return m.within[name]
}

// module walks the main chunk of a module.
func (m *Mentions) module(list []ast.Stmt) {
	for _, s := range list {
		switch s := s.(type) {
		case *ast.FuncDefStmt:
			name := s.Name.Method
			if s.Name.Func != nil {
				name = LastName(s.Name.Func)
			}
			m.value(name, s.Func)
		case *ast.AssignStmt:
			for i, e := range s.Rhs {
				m.value(LastName(s.Lhs[min(i, len(s.Lhs)-1)]), e)
			}
		case *ast.LocalAssignStmt:
			for i, e := range s.Exprs {
				m.value(s.Names[min(i, len(s.Names)-1)], e)
			}
		default:
			EachPart(s, func(e ast.Expr) { m.value("", e) }, m.module)
		}
	}
}

// value notes the mentions of a value of the main chunk of a module. Functions in a table have the names of its fields.
func (m *Mentions) value(name string, e ast.Expr) {
	switch e := e.(type) {
	case *ast.FunctionExpr:
		m.named[e] = name
	case *ast.TableExpr:
		for _, f := range e.Fields {
			if key, ok := TextOf(f.Key); ok {
				m.value(key, f.Value)
				continue
			}
			m.expr(f.Key, m.of(name))
			m.value(name, f.Value)
		}
		return
	}
	m.expr(e, m.of(name))
}

func (m *Mentions) block(list []ast.Stmt, to map[string]bool) {
	for _, s := range list {
		if f, ok := s.(*ast.FuncDefStmt); ok && f.Name.Method != "" {
			to[f.Name.Method] = true
		}
		EachPart(s, func(e ast.Expr) { m.expr(e, to) }, func(inner []ast.Stmt) { m.block(inner, to) })
	}
}

func (m *Mentions) expr(e ast.Expr, to map[string]bool) {
	switch e := e.(type) {
	case nil:
		return
	case *ast.IdentExpr:
		to[e.Value] = true
	case *ast.StringExpr:
		if ident.Valid(e.Value) {
			to[e.Value] = true
		}
	case *ast.FuncCallExpr:
		if e.Method != "" {
			to[e.Method] = true
		}
	}
	EachOperand(e, func(inner ast.Expr) { m.expr(inner, to) }, func(list []ast.Stmt) { m.block(list, to) })
}
