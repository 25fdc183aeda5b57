package lint

import (
	"slices"
	"strings"

	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// metatables finds the tables of a file that are metatables of others.
type metatables struct {
	methods map[string][]string // by table: functions with a colon
	at      map[string]int      // where a table is given to setmetatable
	other   map[string]bool     // tables that may have __index
	any     bool                // any of them may
}

// withoutIndex checks setmetatable({}, Vec) where Vec has methods that are called, and no __index: what has it as its
// metatable finds none of them.
func (w *walker) withoutIndex(tree []ast.Stmt) {
	m := &metatables{methods: map[string][]string{}, at: map[string]int{}, other: map[string]bool{}}
	eachStmt(tree, m.stmt)
	eachExpr(tree, func(e ast.Expr) {
		if call, ok := e.(*ast.FuncCallExpr); ok {
			m.call(call, w.scope.isGlobal(call.Func, "setmetatable"))
		}
	})
	for _, s := range tree {
		local, ok := s.(*ast.LocalAssignStmt)
		if !ok || len(local.Names) != 1 || len(local.Exprs) != 1 {
			continue
		}
		t, isTable := local.Exprs[0].(*ast.TableExpr)
		n := local.Names[0]
		if !isTable || len(t.Fields) > 0 || m.at[n] == 0 || m.any || m.other[n] || w.scope.again[n] || !w.callsAny(m.methods[n], n) {
			continue
		}
		w.report.say(m.at[n], n, "write "+n+".__index = "+n, "%s has no __index, so that a table with this metatable finds none of its methods", n)
	}
}

// stmt notes the methods of tables, and which may have __index.
func (m *metatables) stmt(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.FuncDefStmt:
		of, name := s.Name.Receiver, s.Name.Method
		if get, ok := s.Name.Func.(*ast.AttrGetExpr); ok && of == nil {
			of, name = get.Object, syntax.LastName(get)
		}
		if name == "__index" {
			m.mayHave(of)
		}
		if s.Name.Receiver != nil {
			m.methods[syntax.NameOf(of)] = append(m.methods[syntax.NameOf(of)], name)
		}
	case *ast.AssignStmt:
		for _, e := range s.Lhs {
			get, ok := e.(*ast.AttrGetExpr)
			if key, isText := "", false; ok {
				if key, isText = syntax.TextOf(get.Key); !isText || key == "__index" {
					m.mayHave(get.Object)
				}
			}
		}
	}
}

// mayHave notes that a table may have __index: self.__index = self may be that of any.
func (m *metatables) mayHave(e ast.Expr) {
	name := syntax.NameOf(e)
	m.other[name] = true
	m.any = m.any || name == "" || name == "self" || name == "cls" || name == "class"
}

// call notes the metatable that a call of setmetatable is given. What other functions are given may get __index there.
func (m *metatables) call(e *ast.FuncCallExpr, sets bool) {
	for i, a := range e.Args {
		switch name := syntax.NameOf(a); {
		case name == "":
		case !sets || i != 1:
			m.other[name] = true
		case m.at[name] == 0:
			m.at[name] = max(e.Line(), 1)
		}
	}
}

// callsAny reports whether a file calls one of some methods of what is not the table itself.
func (w *walker) callsAny(methods []string, table string) (called bool) {
	for _, tree := range w.game.trees {
		eachExpr(tree, func(e ast.Expr) {
			call, ok := e.(*ast.FuncCallExpr)
			called = called || ok && call.Receiver != nil && slices.Contains(methods, call.Method) && syntax.NameOf(call.Receiver) != table
		})
	}
	return called
}

// selfTwice checks function Ship:onContact(self, other) end: the colon gives self already. It returns the parameters
// without it.
func (w *walker) selfTwice(s *ast.FuncDefStmt, params []string) []string {
	names := s.Func.ParList.Names
	if s.Name.Receiver == nil || len(names) == 0 || names[0] != "self" {
		return params
	}
	of := shortly(s.Name.Receiver) + ":" + s.Name.Method
	w.report.say(s.Line(), "self", "write function "+of+"("+strings.Join(names[1:], ", ")+")", "%s has self because of the colon, and has it twice", of)
	if len(params) > 1 && params[0] == "self" {
		return append([]string{"self"}, params[2:]...)
	}
	return params
}
