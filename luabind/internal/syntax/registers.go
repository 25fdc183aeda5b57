package syntax

import (
	"fmt"
	"strings"

	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/ast"
)

// maxRegisters is how many values a function of the interpreter has at once.
const maxRegisters = 200

// fieldsAtOnce is how many values of a constructor the interpreter computes before it stores them.
const fieldsAtOnce = 50

// tooLarge explains an error of the compiler, which knows only where the function begins that is too large for it. tree
// is the rewritten file.
func tooLarge(tree []ast.Stmt, ce *lua.CompileError) (line int, message string) {
	switch {
	case strings.Contains(ce.Message, "too long to jump"):
		return ce.Line, tooLong
	case !strings.Contains(ce.Message, "register overflow") && !strings.Contains(ce.Message, "too many local"):
		return ce.Line, ce.Message
	}
	var m registerMeter
	m.body(tree, nil)
	locals, engine := m.locals, ""
	if m.worst.engine > 0 {
		locals -= m.worst.engine
		engine = fmt.Sprintf(", %d functions of the engine that the file uses", m.worst.engine)
	}
	return m.line, fmt.Sprintf("a function has room for %d values at once, and %s needs %d here: for %d local variables "+
		"and arguments%s, and %d for this statement; use fewer local variables (do ... end ends them, and a part of the "+
		"code can be a function of its own), or put many values into a table", maxRegisters, m.worst.what, m.most, locals, engine,
		m.most-m.locals)
}

// registerMeter finds the statement of a file that needs the most registers. Functions inside others are looked at alone.
type registerMeter struct {
	most, locals, line int
	worst              measuring
	now                measuring
}

// measuring is the function that is looked at.
type measuring struct {
	what   string
	engine int // local variables of the main chunk which the rewriter has made
}

// body measures a function with its parameters, or a file with none.
func (m *registerMeter) body(stmts []ast.Stmt, f *ast.FunctionExpr) {
	keep := m.now
	defer func() { m.now = keep }()
	if f == nil {
		m.now = measuring{what: "the file, outside of its functions,"}
		if first, ok := firstLocal(stmts); ok && len(first.Exprs) == 1 {
			if _, ok := first.Exprs[0].(*ast.Comma3Expr); ok {
				m.now.engine = len(first.Names)
			}
		}
		m.block(stmts, 0)
		return
	}
	m.now = measuring{what: "this one"}
	m.needs(len(f.ParList.Names), len(f.ParList.Names), f.Line())
	m.block(f.Stmts, len(f.ParList.Names))
}

func firstLocal(stmts []ast.Stmt) (*ast.LocalAssignStmt, bool) {
	if len(stmts) == 0 {
		return nil, false
	}
	first, ok := stmts[0].(*ast.LocalAssignStmt)
	return first, ok
}

// needs notes that a line needs n registers, of which some have local variables.
func (m *registerMeter) needs(n, locals, line int) {
	if n > m.most {
		m.most, m.locals, m.line, m.worst = n, locals, line, m.now
	}
}

// block measures statements, before which so many local variables are in sight.
func (m *registerMeter) block(stmts []ast.Stmt, locals int) {
	for _, s := range stmts {
		width, inner := 0, locals
		switch s := s.(type) {
		case *ast.LocalAssignStmt:
			width = max(m.list(s.Exprs), len(s.Names))
		case *ast.AssignStmt:
			width = m.list(s.Lhs) + m.list(s.Rhs)
		case *ast.ReturnStmt:
			width = m.list(s.Exprs)
		case *ast.NumberForStmt:
			width, inner = max(m.list([]ast.Expr{s.Init, s.Limit, s.Step}), 4), locals+4
		case *ast.GenericForStmt:
			width, inner = max(m.list(s.Exprs), 3+len(s.Names), 6), locals+3+len(s.Names)
		default:
			EachPart(s, func(e ast.Expr) { width = max(width, m.width(e)) }, func([]ast.Stmt) {})
		}
		m.needs(locals+width, locals, s.Line())
		EachPart(s, func(ast.Expr) {}, func(stmts []ast.Stmt) { m.block(stmts, inner) })
		if s, ok := s.(*ast.LocalAssignStmt); ok {
			locals += len(s.Names)
		}
	}
}

// list returns how many registers values need that are kept one behind the other.
func (m *registerMeter) list(list []ast.Expr) (n int) {
	for i, e := range list {
		n = max(n, i+m.width(e))
	}
	return n
}

// width returns how many registers an expression needs.
func (m *registerMeter) width(e ast.Expr) int {
	switch e := e.(type) {
	case nil:
		return 0
	case *ast.FunctionExpr:
		m.body(e.Stmts, e)
		return 1
	case *ast.FuncCallExpr:
		if e.Receiver != nil {
			return max(m.width(e.Receiver), 2+m.list(e.Args))
		}
		return max(m.width(e.Func), 1+m.list(e.Args))
	case *ast.TableExpr:
		n, listed := 1, 0
		for _, f := range e.Fields {
			n = max(n, 1+listed+m.width(f.Value), 2+listed+m.width(f.Key))
			if f.Key == nil {
				listed = listed%fieldsAtOnce + 1
			}
		}
		return n
	}
	n, before := 1, 0
	EachOperand(e, func(inner ast.Expr) {
		n = max(n, before+m.width(inner))
		before = 1
	}, func([]ast.Stmt) {})
	return n
}
