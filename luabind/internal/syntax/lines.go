package syntax

import (
	"slices"

	"github.com/yuin/gopher-lua/ast"
)

// fileLines are the expressions of a file by line, and which of the names in
// them are local variables.
type fileLines struct {
	exprs   map[int][]ast.Expr
	locals  map[*ast.IdentExpr]bool
	ofFile  map[*ast.IdentExpr]bool // global, or a local variable of the file
	written map[int][]ast.Expr      // the tables that are written to
	scope   *localNames             // that is being read
}

// localNames are the names of local variables that a block declares.
type localNames struct {
	names  map[string]bool
	parent *localNames
}

func readLines(tree []ast.Stmt) *fileLines {
	f := &fileLines{exprs: map[int][]ast.Expr{}, locals: map[*ast.IdentExpr]bool{}, ofFile: map[*ast.IdentExpr]bool{},
		written: map[int][]ast.Expr{}}
	f.block(tree)
	return f
}

func (f *fileLines) on(line int) []ast.Expr { return f.exprs[line] }

// within reads code in a scope that declares names.
func (f *fileLines) within(names []string, read func()) {
	f.scope = &localNames{names: map[string]bool{}, parent: f.scope}
	f.declare(names)
	read()
	f.scope = f.scope.parent
}

func (f *fileLines) declare(names []string) {
	for _, n := range names {
		f.scope.names[n] = true
	}
}

// lookUp returns the scope that declares a name; nil: it is global.
func (f *fileLines) lookUp(name string) *localNames {
	for s := f.scope; s != nil; s = s.parent {
		if s.names[name] {
			return s
		}
	}
	return nil
}

func (f *fileLines) block(stmts []ast.Stmt) {
	f.within(nil, func() {
		for _, s := range stmts {
			f.stmt(s)
		}
	})
}

func (f *fileLines) stmt(s ast.Stmt) {
	parts := func() { EachPart(s, f.expr, f.block) }
	switch s := s.(type) {
	case *ast.LocalAssignStmt:
		parts()
		f.declare(s.Names)
	case *ast.AssignStmt:
		for _, to := range s.Lhs {
			if get, ok := to.(*ast.AttrGetExpr); ok {
				f.write(get.Object, to.Line())
			}
		}
		parts()
	case *ast.GenericForStmt:
		for _, e := range s.Exprs {
			f.expr(e)
		}
		f.within(s.Names, func() { f.block(s.Stmts) })
	case *ast.NumberForStmt:
		f.within([]string{s.Name}, parts)
	case *ast.FuncDefStmt:
		f.within(s.Func.ParList.Names, func() { f.block(s.Func.Stmts) })
	default:
		parts()
	}
}

// write notes that a table is written to in a line.
func (f *fileLines) write(table ast.Expr, line int) { f.written[line] = append(f.written[line], table) }

// writers are the functions that write to the table that is their first argument.
var writers = []string{"rawset", "setmetatable", "insert", "remove", "sort"}

func (f *fileLines) expr(e ast.Expr) {
	if e == nil {
		return
	}
	f.exprs[e.Line()] = append(f.exprs[e.Line()], e)
	operands := func(visit func(ast.Expr), block func([]ast.Stmt)) { EachOperand(e, visit, block) }
	operands(func(of ast.Expr) {
		if id, ok := of.(*ast.IdentExpr); ok {
			s := f.lookUp(id.Value)
			f.locals[id], f.ofFile[id] = s != nil, s == nil || s.parent == nil
		}
	}, func([]ast.Stmt) {})
	if c, ok := e.(*ast.FuncCallExpr); ok && c.Receiver == nil && len(c.Args) > 0 && slices.Contains(writers, LastName(c.Func)) {
		f.write(c.Args[0], e.Line())
	}
	if fn, ok := e.(*ast.FunctionExpr); ok {
		f.within(fn.ParList.Names, func() { f.block(fn.Stmts) })
		return
	}
	operands(f.expr, f.block)
}

// called returns the name that an expression looks up.
func (f *fileLines) called(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.IdentExpr:
		if f.locals[e] || e.Value == "self" {
			return "local '" + e.Value + "'"
		}
		return "global '" + e.Value + "'"
	case *ast.AttrGetExpr:
		switch key := e.Key.(type) {
		case *ast.StringExpr:
			return "field '" + key.Value + "'"
		case *ast.NumberExpr:
			return "item " + key.Value
		case *ast.IdentExpr:
			return "item [" + key.Value + "]"
		}
		return "an item"
	case *ast.FuncCallExpr:
		switch {
		case e.Receiver != nil:
			return "result of method '" + e.Method + "'"
		case LastName(e.Func) != "":
			return "result of '" + LastName(e.Func) + "'"
		}
	}
	return ""
}

// Place is a line of a file. Lines are counted from 1.
type Place struct {
	File string
	Line int
}
