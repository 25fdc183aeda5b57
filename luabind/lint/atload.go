package lint

import (
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// loading finds the functions that may run while the files are loaded: those whose names are used outside of functions
// with names, or in other such functions.
type loading struct {
	used   map[string]bool         // names, from there
	bodies map[string][][]ast.Stmt // of functions with names

	computes bool // a function is called that is looked up under a computed key
}

// newLoading reads the files of a game.
func newLoading(trees [][]ast.Stmt) *loading {
	l := &loading{used: map[string]bool{}, bodies: map[string][][]ast.Stmt{}}
	for _, tree := range trees {
		l.block(tree)
	}
	return l
}

// mayCallField reports whether a function in a table, under a name, may run while the files are loaded: also by code that
// goes through the table.
func (l *loading) mayCallField(name string) bool {
	return l.mayCall(name) || l.computes || l.used["pairs"] || l.used["ipairs"] || l.used["next"]
}

// mayCall reports whether a function with a name may run while the files are loaded.
func (l *loading) mayCall(name string) bool { return l.used[name] }

func (l *loading) block(stmts []ast.Stmt) {
	for _, s := range stmts {
		switch s := s.(type) {
		case *ast.FuncDefStmt:
			l.define(or(s.Name.Method, syntax.LastName(s.Name.Func)), s.Func)
			continue
		case *ast.LocalAssignStmt:
			for i, e := range s.Exprs {
				l.assign(i < len(s.Names), s.Names[min(i, len(s.Names)-1)], e)
			}
			continue
		case *ast.AssignStmt:
			for i, e := range s.Rhs {
				l.assign(i < len(s.Lhs), syntax.LastName(s.Lhs[min(i, len(s.Lhs)-1)]), e)
			}
			continue
		}
		syntax.EachPart(s, l.expr, l.block)
	}
}

// assign reads an expression that a name is given, or none.
func (l *loading) assign(named bool, name string, e ast.Expr) {
	if f, ok := e.(*ast.FunctionExpr); ok && named && name != "" {
		l.define(name, f)
		return
	}
	l.expr(e)
}

// define notes a function. It is read once its name is used.
func (l *loading) define(name string, f *ast.FunctionExpr) {
	if l.bodies[name] = append(l.bodies[name], f.Stmts); l.used[name] {
		l.block(f.Stmts)
	}
}

func (l *loading) expr(e ast.Expr) {
	switch e := e.(type) {
	case nil:
		return
	case *ast.IdentExpr:
		l.use(e.Value)
	case *ast.StringExpr:
		l.use(e.Value)
	case *ast.FuncCallExpr:
		l.use(e.Method)
		if get, ok := e.Func.(*ast.AttrGetExpr); ok && literal(get.Key) != "string" {
			l.computes = true
		}
	case *ast.TableExpr:
		l.table(e)
		return
	}
	syntax.EachOperand(e, l.expr, l.block)
}

// table reads a table, whose functions are read once the names of their keys are used.
func (l *loading) table(e *ast.TableExpr) {
	for _, f := range e.Fields {
		name, isText := syntax.TextOf(f.Key)
		if fn, ok := f.Value.(*ast.FunctionExpr); ok && isText && name != "" {
			l.define(name, fn)
			continue
		}
		if !isText {
			l.expr(f.Key)
		}
		l.expr(f.Value)
	}
}

// use notes that a name is used, and reads the functions that have it.
func (l *loading) use(name string) {
	if name == "" || l.used[name] {
		return
	}
	l.used[name] = true
	for _, body := range l.bodies[name] {
		l.block(body)
	}
}
