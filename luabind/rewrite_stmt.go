package luabind

import "github.com/yuin/gopher-lua/ast"

// stmt rewrites one statement into one or more.
func (r *rewriter) stmt(s ast.Stmt) []ast.Stmt {
	switch s := s.(type) {
	case *ast.AssignStmt:
		return r.assign(s)
	case *ast.LocalAssignStmt:
		return r.local(s)
	case *ast.FuncCallStmt:
		r.call(s.Expr.(*ast.FuncCallExpr))
	case *ast.DoBlockStmt:
		s.Stmts = r.body(s.Stmts)
	case *ast.WhileStmt:
		return r.while(s)
	case *ast.RepeatStmt:
		s.Stmts = r.loop(nil, s.Stmts, &s.Condition)
	case *ast.IfStmt:
		return r.branch(s)
	case *ast.NumberForStmt:
		s.Init, s.Limit = r.expr(s.Init), r.expr(s.Limit)
		if s.Step != nil {
			s.Step = r.expr(s.Step)
		}
		s.Stmts = r.loop([]string{s.Name}, s.Stmts, nil)
	case *ast.GenericForStmt:
		return r.forIn(s)
	case *ast.FuncDefStmt:
		return r.define(s)
	case *ast.ReturnStmt:
		r.exprs(s.Exprs, true)
	case *ast.BreakStmt:
		r.fn.breaks()
	case *ast.GotoStmt:
		r.fail(s.Line(), "goto is not in Lua 5.1")
	case *ast.LabelStmt:
		r.fail(s.Line(), "labels are not in Lua 5.1")
	}
	return []ast.Stmt{s}
}

func (r *rewriter) while(s *ast.WhileStmt) []ast.Stmt {
	s.Condition = r.expr(s.Condition)
	s.Stmts = r.loop(nil, s.Stmts, nil)
	if isConstant(s.Condition) && !truth(s.Condition) {
		return nil
	}
	return []ast.Stmt{s}
}

// branch rewrites an if; one with a constant condition becomes the part that
// is taken.
func (r *rewriter) branch(s *ast.IfStmt) []ast.Stmt {
	s.Condition = r.expr(s.Condition)
	s.Then, s.Else = r.body(s.Then), r.body(s.Else)
	if !isConstant(s.Condition) {
		return []ast.Stmt{s}
	}
	taken := s.Then
	if !truth(s.Condition) {
		taken = s.Else
	}
	if len(taken) == 0 {
		return nil
	}
	return []ast.Stmt{at(&ast.DoBlockStmt{Stmts: taken}, s.Line())}
}

// forIn makes sure that a generic for gets its three values from one call or
// from three names: else gopher-lua leaves old values in their places.
func (r *rewriter) forIn(s *ast.GenericForStmt) []ast.Stmt {
	r.exprs(s.Exprs, true)
	var before []ast.Stmt
	if len(s.Exprs) != 1 || !isList(s.Exprs[0]) {
		names := []string{r.temp(), r.temp(), r.temp()}
		before = append(before, local(s.Line(), names, s.Exprs...))
		s.Exprs = []ast.Expr{name(names[0], s.Line()), name(names[1], s.Line()), name(names[2], s.Line())}
	}
	s.Stmts = r.loop(s.Names, s.Stmts, nil)
	if before == nil {
		return []ast.Stmt{s}
	}
	return []ast.Stmt{at(&ast.DoBlockStmt{Stmts: append(before, s)}, s.Line())}
}

// isList reports whether an expression may give several values.
func isList(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.FuncCallExpr:
		return !e.AdjustRet
	case *ast.Comma3Expr:
		return !e.AdjustRet
	}
	return false
}

// local rewrites "local a, b = x, y" and "local function f".
func (r *rewriter) local(s *ast.LocalAssignStmt) []ast.Stmt {
	f, isFunc := only(s.Exprs).(*ast.FunctionExpr)
	if isFunc && len(s.Names) == 1 {
		return r.localFunction(s, f)
	}
	r.exprs(s.Exprs, false)
	r.fn.declare(s.Names...)
	return []ast.Stmt{s}
}

func only(list []ast.Expr) ast.Expr {
	if len(list) != 1 {
		return nil
	}
	return list[0]
}

// localFunction keeps apart what gopher-lua compiles the same: in "local
// function f" the name is visible inside, in "local f = function" it is not.
// The parser sets the last line of the first form only.
func (r *rewriter) localFunction(s *ast.LocalAssignStmt, f *ast.FunctionExpr) []ast.Stmt {
	line := s.Line()
	if s.LastLine() == 0 {
		r.function(f)
		s.Exprs[0] = r.closure(f)
		r.fn.declare(s.Names...)
		if _, wrapped := s.Exprs[0].(*ast.FunctionExpr); !wrapped {
			return []ast.Stmt{s}
		}
		// Two names: gopher-lua then gives none of them to the function.
		s.Names = append(s.Names, r.temp())
		s.Exprs = append(s.Exprs, at(&ast.NilExpr{}, line))
		return []ast.Stmt{s}
	}
	r.fn.declare(s.Names...)
	r.function(f)
	out := []ast.Stmt{s}
	if call, ok := r.closure(f).(*ast.FuncCallExpr); ok {
		call.Args[0] = name(s.Names[0], line)
		out = append(out, statement(call))
	}
	return out
}

// define rewrites "function a.b.c()" and "function A:m()" into assignments.
func (r *rewriter) define(s *ast.FuncDefStmt) []ast.Stmt {
	target := s.Name.Func
	if target == nil {
		key := at(&ast.StringExpr{Value: s.Name.Method}, s.Line())
		target = at(&ast.AttrGetExpr{Object: s.Name.Receiver, Key: key}, s.Line())
		s.Func.ParList.Names = append([]string{"self"}, s.Func.ParList.Names...)
	}
	a := at(&ast.AssignStmt{Lhs: []ast.Expr{target}, Rhs: []ast.Expr{s.Func}}, s.Line())
	return r.assign(a)
}

// assign rewrites an assignment. Fields are written through (set), and several
// targets get their values through temporaries, from right to left as in Lua.
func (r *rewriter) assign(s *ast.AssignStmt) []ast.Stmt {
	if len(s.Lhs) == 1 && len(s.Rhs) == 1 {
		if changed, ok := r.change(s); ok {
			return []ast.Stmt{changed}
		}
		t := r.target(s.Lhs[0], nil)
		value := r.expr(s.Rhs[0])
		return t.write(r, value)
	}
	var before, after []ast.Stmt
	targets := make([]target, len(s.Lhs))
	for i, e := range s.Lhs {
		targets[i] = r.target(e, &before)
	}
	r.exprs(s.Rhs, false)
	names := make([]string, len(s.Lhs))
	for i := range names {
		names[i] = r.temp()
	}
	before = append(before, local(s.Line(), names, s.Rhs...))
	for i := len(targets) - 1; i >= 0; i-- {
		after = append(after, targets[i].write(r, name(names[i], s.Line()))...)
	}
	return []ast.Stmt{at(&ast.DoBlockStmt{Stmts: append(before, after...)}, s.Line())}
}

// target is where an assignment goes: a variable, or a field of an object.
type target struct {
	line        int
	variable    *ast.IdentExpr
	object, key ast.Expr
}

// target rewrites the left side of an assignment. With before, object and key
// are put into temporaries first.
func (r *rewriter) target(e ast.Expr, before *[]ast.Stmt) target {
	if id, ok := e.(*ast.IdentExpr); ok {
		if r.fn.isGlobal(id.Value) {
			r.assignGlobal(id.Value, id.Line())
		}
		return target{line: id.Line(), variable: id}
	}
	a := e.(*ast.AttrGetExpr)
	if isConstant(a.Object) {
		r.fail(a.Line(), "a constant has no fields to assign to")
	}
	t := target{line: a.Line(), object: r.expr(a.Object), key: r.expr(a.Key)}
	if before != nil {
		names := []string{r.temp(), r.temp()}
		*before = append(*before, local(t.line, names, t.object, t.key))
		t.object, t.key = name(names[0], t.line), name(names[1], t.line)
	}
	return t
}

// write is the statement that puts value into the target. A chain of and/or is
// finished before it goes into a variable.
func (t target) write(r *rewriter, value ast.Expr) []ast.Stmt {
	if t.variable == nil {
		return []ast.Stmt{statement(r.helper(fnSet, t.line, t.object, t.key, single(value)))}
	}
	switch v := value.(type) { // one target takes one value; the adjusted forms would overwrite other variables
	case *ast.FuncCallExpr:
		v.AdjustRet = false
	case *ast.Comma3Expr:
		v.AdjustRet = false
	}
	put := at(&ast.AssignStmt{Lhs: []ast.Expr{t.variable}, Rhs: []ast.Expr{value}}, t.line)
	if _, ok := value.(*ast.LogicalOpExpr); !ok {
		return []ast.Stmt{put}
	}
	n := r.temp()
	put.Rhs[0] = name(n, t.line)
	return []ast.Stmt{at(&ast.DoBlockStmt{Stmts: []ast.Stmt{local(t.line, []string{n}, value), put}}, t.line)}
}
