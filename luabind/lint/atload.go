package lint

import (
	"slices"
	"strings"

	"github.com/hindcast/hindcast/luabind/internal/ident"
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// loading finds the functions that may run while the files are loaded: those whose names are used outside of functions
// with names, or in other such functions.
type loading struct {
	used   map[string]bool         // names, from there
	bodies map[string][][]ast.Stmt // of functions with names

	computes bool            // a function is called that is looked up under a computed key
	passes   bool            // one is called that a variable has, or that is passed to a function of the library
	called   map[string]bool // the names of variables and fields that are called

	storing *storing
	kept    map[*ast.FunctionExpr][]string // given to functions that only keep them: under which names
	waiting []*ast.FunctionExpr            // these, in turn
}

// newLoading reads the files of a game.
func newLoading(trees [][]ast.Stmt) *loading {
	l := &loading{used: map[string]bool{}, bodies: map[string][][]ast.Stmt{}, called: map[string]bool{},
		storing: newStoring(trees), kept: map[*ast.FunctionExpr][]string{}}
	for _, tree := range trees {
		l.block(tree)
	}
	for _, name := range ident.Keys(l.storing.byName) {
		if strings.HasPrefix(name, "__") { // metamethods: nothing names them where they run
			l.use(name)
		}
	}
	for l.callKept() {
	}
	return l
}

// callKept reads those functions that are kept and may be called while the files are loaded. It reports whether there
// was one.
func (l *loading) callKept() (any bool) {
	for i, f := range l.waiting {
		names, waits := l.kept[f]
		if waits && (l.passes || l.computes || slices.ContainsFunc(names, func(n string) bool { return l.called[n] })) {
			delete(l.kept, f)
			l.block(l.waiting[i].Stmts)
			any = true
		}
	}
	return any
}

// runsKeptLater reports whether a function is given to one that only keeps it, and that nothing calls it while the files
// are loaded.
func (l *loading) runsKeptLater(f *ast.FunctionExpr) bool {
	_, later := l.kept[f]
	return later
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
		l.call(e)
		l.expr(e.Func)
		l.expr(e.Receiver)
		for i, a := range e.Args {
			if f, ok := a.(*ast.FunctionExpr); ok && l.keep(e, i, f) {
				continue
			}
			l.expr(a)
		}
		return
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

// callers are functions of the library that call what they are given.
var callers = []string{"pcall", "xpcall", "sort", "gsub", "create", "wrap", "resume", "foreach", "foreachi"}

// call notes what a call calls.
func (l *loading) call(e *ast.FuncCallExpr) {
	name := or(e.Method, syntax.LastName(e.Func))
	l.called[name] = true
	if slices.Contains(callers, name) && (name != "sort" || len(e.Args) > 1) && slices.ContainsFunc(e.Args, func(a ast.Expr) bool {
		return literal(a) != "function" && literal(a) != "string"
	}) {
		l.passes = true
	}
	switch f := e.Func.(type) {
	case *ast.IdentExpr:
		l.passes = l.passes || !l.storing.isFixed(f.Value)
	case *ast.FuncCallExpr:
		l.passes = l.passes || syntax.NameOf(f.Func) != "object"
	case nil, *ast.AttrGetExpr, *ast.FunctionExpr: // a method; named, or computed; read here
	default:
		l.passes = true
	}
}

// keep notes a function that is the i-th argument of a call, if what is called only keeps it.
func (l *loading) keep(e *ast.FuncCallExpr, i int, f *ast.FunctionExpr) bool {
	names, ok := l.storing.keeps(e, i)
	if ok {
		if _, again := l.kept[f]; !again {
			l.waiting = append(l.waiting, f)
		}
		l.kept[f] = names
	}
	return ok
}
