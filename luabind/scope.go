package luabind

import "github.com/yuin/gopher-lua/ast"

// variable is a local variable of a script.
type variable struct {
	name     string
	captured bool // a function inside uses it
}

// block is a scope of local variables within a function.
type block struct {
	vars   []*variable
	parent *block
	// loop marks the body of a loop. close is set when a break leaves a block
	// with captured variables inside it.
	loop, close bool
}

// function is a function on its way through the rewriter.
type function struct {
	block     *block
	parent    *function
	varargs   bool
	constants map[string]bool
}

func (f *function) main() bool { return f.parent == nil }

// inLoop reports whether the code at hand may run more than once for one call.
func (f *function) inLoop() bool {
	for b := f.block; b != nil; b = b.parent {
		if b.loop {
			return true
		}
	}
	return false
}

func (f *function) open(loop bool) *block {
	f.block = &block{parent: f.block, loop: loop}
	return f.block
}

func (f *function) close() { f.block = f.block.parent }

func (f *function) declare(names ...string) {
	for _, n := range names {
		f.block.vars = append(f.block.vars, &variable{name: n})
	}
}

func (f *function) find(name string) *variable {
	for b := f.block; b != nil; b = b.parent {
		for i := len(b.vars) - 1; i >= 0; i-- {
			if b.vars[i].name == name {
				return b.vars[i]
			}
		}
	}
	return nil
}

// isGlobal looks a name up in the scopes around the code at hand, and marks a
// variable that belongs to a function further out as captured.
func (f *function) isGlobal(name string) bool {
	if f.find(name) != nil {
		return false
	}
	for outer := f.parent; outer != nil; outer = outer.parent {
		if v := outer.find(name); v != nil {
			v.captured = true
			return false
		}
	}
	return true
}

// breaks notes a break: the blocks that it leaves early, up to the body of the
// loop, are not closed by gopher-lua unless the body has captured variables of
// its own. Then the body is given one.
func (f *function) breaks() {
	leaves := false
	for b := f.block; b != nil; b = b.parent {
		if b.loop {
			b.close = b.close || leaves
			return
		}
		for _, v := range b.vars {
			leaves = leaves || v.captured
		}
	}
}

// checkTree refuses a syntax tree that is too deep for the compiler, whose time
// grows with the square of the depth.
func checkTree(file string, stmts []ast.Stmt) error {
	var d depther
	d.stmts(stmts, 1)
	if d.deepest > maxTreeDepth {
		return problem(file, max(d.line, 1), "this is nested, or chained by operators, more than %d deep; use local variables for the parts", maxTreeDepth)
	}
	return nil
}

// depther finds the deepest place of a tree.
type depther struct{ deepest, line int }

func (d *depther) at(depth int, p ast.PositionHolder) bool {
	if depth > d.deepest {
		d.deepest, d.line = depth, p.Line()
	}
	return depth <= maxTreeDepth
}

func (d *depther) stmts(list []ast.Stmt, depth int) {
	for _, s := range list {
		if d.at(depth, s) {
			eachPart(s, func(e ast.Expr) { d.expr(e, depth+1) }, func(inner []ast.Stmt) { d.stmts(inner, depth+1) })
		}
	}
}

func (d *depther) expr(e ast.Expr, depth int) {
	if e == nil || !d.at(depth, e) {
		return
	}
	eachOperand(e, func(inner ast.Expr) { d.expr(inner, depth+1) }, func(body []ast.Stmt) { d.stmts(body, depth+1) })
}

// eachPart calls expr and block for the direct parts of a statement.
func eachPart(s ast.Stmt, expr func(ast.Expr), block func([]ast.Stmt)) {
	all := func(list []ast.Expr) {
		for _, e := range list {
			expr(e)
		}
	}
	switch s := s.(type) {
	case *ast.AssignStmt:
		all(s.Lhs)
		all(s.Rhs)
	case *ast.LocalAssignStmt:
		all(s.Exprs)
	case *ast.FuncCallStmt:
		expr(s.Expr)
	case *ast.DoBlockStmt:
		block(s.Stmts)
	case *ast.WhileStmt:
		expr(s.Condition)
		block(s.Stmts)
	case *ast.RepeatStmt:
		block(s.Stmts)
		expr(s.Condition)
	case *ast.IfStmt:
		expr(s.Condition)
		block(s.Then)
		block(s.Else)
	case *ast.NumberForStmt:
		all([]ast.Expr{s.Init, s.Limit, s.Step})
		block(s.Stmts)
	case *ast.GenericForStmt:
		all(s.Exprs)
		block(s.Stmts)
	case *ast.FuncDefStmt:
		expr(s.Name.Func)
		expr(s.Name.Receiver)
		expr(s.Func)
	case *ast.ReturnStmt:
		all(s.Exprs)
	}
}

// eachOperand calls expr and block for the direct parts of an expression.
func eachOperand(e ast.Expr, expr func(ast.Expr), block func([]ast.Stmt)) {
	switch e := e.(type) {
	case *ast.AttrGetExpr:
		expr(e.Object)
		expr(e.Key)
	case *ast.TableExpr:
		for _, f := range e.Fields {
			expr(f.Key)
			expr(f.Value)
		}
	case *ast.FuncCallExpr:
		expr(e.Func)
		expr(e.Receiver)
		for _, a := range e.Args {
			expr(a)
		}
	case *ast.LogicalOpExpr:
		expr(e.Lhs)
		expr(e.Rhs)
	case *ast.RelationalOpExpr:
		expr(e.Lhs)
		expr(e.Rhs)
	case *ast.StringConcatOpExpr:
		expr(e.Lhs)
		expr(e.Rhs)
	case *ast.ArithmeticOpExpr:
		expr(e.Lhs)
		expr(e.Rhs)
	case *ast.UnaryMinusOpExpr:
		expr(e.Expr)
	case *ast.UnaryNotOpExpr:
		expr(e.Expr)
	case *ast.UnaryLenOpExpr:
		expr(e.Expr)
	case *ast.FunctionExpr:
		block(e.Stmts)
	}
}
