package syntax

import (
	"slices"

	"github.com/yuin/gopher-lua/ast"
)

// assignments rewrites assignments, local declarations and named functions.
type assignments struct{ r rewriter }

// local rewrites "local a, b = x, y" and "local function f".
func (w assignments) local(s *ast.LocalAssignStmt) []ast.Stmt {
	f, isFunc := only(s.Exprs).(*ast.FunctionExpr)
	if isFunc && len(s.Names) == 1 {
		return w.localFunction(s, f)
	}
	w.r.exprs(s.Exprs, false)
	w.r.u.scope().declare(s.Names...)
	out := append(spread(len(s.Names)-len(s.Exprs), s.Line()), s)
	if scratch := w.r.scratch.variables[s]; scratch != nil {
		out = append(out, w.scratch(s, scratch))
	}
	if tables := w.r.scratch.tables[s]; tables != nil {
		out = append(out, w.scratchTables(s, tables))
	}
	return out
}

// nilsPrice is how many variables that get no value of their own one instruction sets.
const nilsPrice = 8

// spread returns statements that do nothing and are as many instructions as it takes to set n variables to nil, or to
// the results of a call, without the one that does: a loop may do so again and again.
func spread(n, line int) (out []ast.Stmt) {
	for ; n > nilsPrice; n -= nilsPrice {
		out = append(out, at(&ast.DoBlockStmt{Stmts: []ast.Stmt{local(line, []string{"(=nil)"})}}, line))
	}
	return out
}

// scratchTables returns the call that tells ScratchTable of the variables among those that a statement has just
// declared that may have scratch tables.
func (w assignments) scratchTables(s *ast.LocalAssignStmt, which []bool) ast.Stmt {
	var names, texts []ast.Expr
	for i, n := range s.Names {
		if v := w.r.u.scope().find(n); which[i] && v != nil {
			v.captured = true
			names = append(names, name(n, s.Line()))
			texts = append(texts, at(&ast.StringExpr{Value: n}, s.Line()))
		}
	}
	file := at(&ast.StringExpr{Value: w.r.u.chunk.File}, s.Line())
	args := append([]ast.Expr{returning(names, s.Line()), file}, texts...)
	return statement(w.r.u.helper(ScratchTable, s.Line(), args...))
}

// returning returns a function that returns variables.
func returning(names []ast.Expr, line int) ast.Expr {
	return at(&ast.FunctionExpr{
		ParList: &ast.ParList{},
		Stmts:   []ast.Stmt{at(&ast.ReturnStmt{Exprs: names}, line)},
	}, line)
}

// scratch notes the scratch variables among those that a statement has just declared, and returns the call that tells
// Scratch of them.
func (w assignments) scratch(s *ast.LocalAssignStmt, which []bool) ast.Stmt {
	var names []ast.Expr
	for i, n := range s.Names {
		if v := w.r.u.scope().find(n); which[i] && v != nil {
			v.scratch, v.captured = true, true
			w.r.u.chunk.changed[n] = true
			names = append(names, name(n, s.Line()))
		}
	}
	return statement(w.r.u.helper(Scratch, s.Line(), returning(names, s.Line())))
}

func only(list []ast.Expr) ast.Expr {
	if len(list) != 1 {
		return nil
	}
	return list[0]
}

// localFunction distinguishes two forms that gopher-lua compiles the same: in
// "local function f" the name is visible inside, in "local f = function" it is
// not. The parser sets the last line of the first form only.
func (w assignments) localFunction(s *ast.LocalAssignStmt, f *ast.FunctionExpr) []ast.Stmt {
	line := s.Line()
	if s.LastLine() == 0 {
		w.r.function(f)
		s.Exprs[0] = w.r.closure(f)
		w.r.u.scope().declare(s.Names...)
		if _, wrapped := s.Exprs[0].(*ast.FunctionExpr); !wrapped {
			return []ast.Stmt{s}
		}
		// Two names: gopher-lua then gives none of them to the function.
		s.Names = append(s.Names, w.r.u.temp())
		s.Exprs = append(s.Exprs, at(&ast.NilExpr{}, line))
		return []ast.Stmt{s}
	}
	w.r.u.scope().declare(s.Names...)
	w.r.function(f)
	out := []ast.Stmt{s}
	if call, ok := w.r.closure(f).(*ast.FuncCallExpr); ok {
		call.Args[0] = name(s.Names[0], line)
		out = append(out, statement(call))
	}
	return out
}

// define rewrites "function a.b.c()" and "function A:m()" into assignments.
func (w assignments) define(s *ast.FuncDefStmt) []ast.Stmt {
	target := s.Name.Func
	if target == nil {
		key := at(&ast.StringExpr{Value: s.Name.Method}, s.Line())
		target = at(&ast.AttrGetExpr{Object: s.Name.Receiver, Key: key}, s.Line())
		s.Func.ParList.Names = append([]string{"self"}, s.Func.ParList.Names...)
	}
	a := at(&ast.AssignStmt{Lhs: []ast.Expr{target}, Rhs: []ast.Expr{s.Func}}, s.Line())
	return w.assign(a)
}

// assign rewrites an assignment. Fields are written with Set. Several targets
// get their values through temporaries, from right to left as in Lua.
func (w assignments) assign(s *ast.AssignStmt) []ast.Stmt {
	sums, revised := w.sums(s)
	if len(s.Lhs) == 1 && len(s.Rhs) == 1 {
		if sums[0] != nil {
			return []ast.Stmt{w.change(s.Lhs[0].(*ast.AttrGetExpr), sums[0])}
		}
		t := w.target(s.Lhs[0], nil)
		return t.write(w.r, w.r.expr(s.Rhs[0]), revised[0])
	}
	var before, after []ast.Stmt
	targets := make([]target, len(s.Lhs))
	for i, e := range s.Lhs {
		targets[i] = w.target(e, &before)
	}
	values := w.values(s, sums)
	var names []string
	for _, sum := range sums {
		if names = append(names, w.r.u.temp()); sum != nil {
			names = append(names, w.r.u.temp())
		}
	}
	before = append(before, local(s.Line(), names, values...))
	last := len(names)
	for i := len(targets) - 1; i >= 0; i-- {
		t, line := targets[i], s.Line()
		if last--; sums[i] == nil {
			after = append(after, t.write(w.r, name(names[last], line), revised[i])...)
			continue
		}
		last--
		args := []ast.Expr{t.object, t.key, w.r.count(sums[i].operator, line), name(names[last], line), name(names[last+1], line)}
		after = append(after, statement(w.r.u.helper(Sum, line, args...)))
	}
	return []ast.Stmt{at(&ast.DoBlockStmt{Stmts: append(before, after...)}, s.Line())}
}

// values rewrites the right sides of an assignment to several targets: two for a sum.
func (w assignments) values(s *ast.AssignStmt, sums []*sum) (values []ast.Expr) {
	if !slices.ContainsFunc(sums, func(s *sum) bool { return s != nil }) {
		w.r.exprs(s.Rhs, false)
		return s.Rhs
	}
	for i, e := range s.Rhs { // as many as there are targets
		if sum := sums[i]; sum != nil {
			values = append(values, w.old(sum), single(w.r.expr(sum.by)))
		} else {
			values = append(values, single(w.r.expr(e)))
		}
	}
	return values
}

// target is the left side of an assignment: a variable, or a field of an
// object.
type target struct {
	line        int
	variable    *ast.IdentExpr
	frozen      ast.Stmt // stands before the change of a variable that only loading may change
	object, key ast.Expr
}

// target rewrites the left side of an assignment. If before is not nil, object
// and key are put into temporaries, which it appends to before.
func (w assignments) target(e ast.Expr, before *[]ast.Stmt) target {
	id, ok := e.(*ast.IdentExpr)
	if a, isField := e.(*ast.AttrGetExpr); isField && w.r.named(a) != "" {
		id, ok = name(w.r.named(a), e.Line()), true
		w.r.checkHidden(id.Value, e.Line())
	}
	if ok {
		if w.r.u.scope().isGlobal(id.Value) {
			w.r.u.scope().constant("\"" + id.Value)
			w.assignGlobal(id.Value, id.Line())
		}
		return target{line: id.Line(), variable: id, frozen: w.frozen(id)}
	}
	a := e.(*ast.AttrGetExpr)
	if isConstant(a.Object) {
		w.r.u.fail(a.Line(), "a constant has no fields to assign to")
	}
	t := target{line: a.Line(), object: w.r.expr(a.Object), key: w.r.expr(a.Key)}
	if before != nil {
		names := []string{w.r.u.temp(), w.r.u.temp()}
		*before = append(*before, local(t.line, names, t.object, t.key))
		t.object, t.key = name(names[0], t.line), name(names[1], t.line)
	}
	return t
}

// frozen returns the call that stands before the change of a local variable of the file in a function, nil for other
// variables.
func (w assignments) frozen(id *ast.IdentExpr) ast.Stmt {
	v := w.r.u.scope().ofFile(id.Value)
	if v == nil || v.scratch {
		return nil
	}
	line := max(id.Line(), 1)
	w.r.u.chunk.changed[id.Value] = true
	w.r.names.Locals.change(v, w.r.u.chunk.File, line, w.r.u.scope().name)
	return statement(w.r.u.helper(Frozen, line, w.r.count(v.number, line)))
}

// assignGlobal checks an assignment to a global name.
func (w assignments) assignGlobal(n string, line int) {
	if w.r.names.Library.Has(n) {
		w.r.u.fail(line, "%s belongs to the language or its library; use another name, or a local variable", n)
	}
	w.r.u.writes(n, line)
}

// write returns the statement that puts value into the target. A chain of
// and/or is computed in a temporary before it goes into a variable.
func (t target) write(r rewriter, value ast.Expr, revised revision) []ast.Stmt {
	if t.variable == nil && revised != notRevised {
		same := r.count(int(revised), t.line)
		return []ast.Stmt{statement(r.u.helper(Revise, t.line, t.object, t.key, single(value), same))}
	}
	if t.variable == nil {
		return []ast.Stmt{statement(r.u.helper(Set, t.line, t.object, t.key, single(value)))}
	}
	switch v := value.(type) { // one target takes one value; the adjusted forms would overwrite other variables
	case *ast.FuncCallExpr:
		v.AdjustRet = false
	case *ast.Comma3Expr:
		v.AdjustRet = false
	}
	put := at(&ast.AssignStmt{Lhs: []ast.Expr{t.variable}, Rhs: []ast.Expr{value}}, t.line)
	if _, ok := value.(*ast.LogicalOpExpr); !ok {
		if t.frozen != nil {
			return []ast.Stmt{t.frozen, put}
		}
		return []ast.Stmt{put}
	}
	n := r.u.temp()
	put.Rhs[0] = name(n, t.line)
	out := []ast.Stmt{local(t.line, []string{n}, value), put}
	if t.frozen != nil {
		out = append([]ast.Stmt{t.frozen}, out...)
	}
	return []ast.Stmt{at(&ast.DoBlockStmt{Stmts: out}, t.line)}
}

// Operators are the operators that Change knows, by index.
const Operators = "+-*/"

// sum is the right side of self.hp = self.hp - 1 or game.score = game.score + by.
type sum struct {
	operator int // in Operators
	from     ast.Expr
	read     *ast.AttrGetExpr // from, if it is only the place
	by       ast.Expr
}

// revision says how a value is computed from the field that it is written to.
type revision int

// What Revise is told.
const (
	notRevised  revision = iota
	revisedAnew          // it changes each time, as o.n * 2 + 1 does
	RevisedOnce          // as math.max(o.n, 3): to compute it again from itself changes nothing
)

// sums returns the sums among the right sides of an assignment, and how its other values are computed from the fields
// that they are written to.
func (w assignments) sums(s *ast.AssignStmt) (sums []*sum, how []revision) {
	sums, how = make([]*sum, len(s.Lhs)), make([]revision, len(s.Lhs))
	if len(s.Lhs) != len(s.Rhs) {
		return sums, how
	}
	for i, e := range s.Lhs {
		to, isField := e.(*ast.AttrGetExpr)
		if !isField {
			continue
		}
		if sums[i] = w.sum(to, s.Rhs[i]); sums[i] == nil {
			how[i] = w.revises(to, s.Rhs[i])
		}
	}
	return sums, how
}

// sum returns the right side of an assignment to a place in the state of an object, if it is the place, or (place or
// 0), an operator, and what is added to it.
func (w assignments) sum(to *ast.AttrGetExpr, right ast.Expr) *sum {
	e, isSum := right.(*ast.ArithmeticOpExpr)
	if !isSum || !w.isStored(to) {
		return nil
	}
	from, read := e.Lhs, (*ast.AttrGetExpr)(nil)
	if or, isOr := from.(*ast.LogicalOpExpr); isOr && or.Operator == "or" && isNumber(or.Rhs) {
		from = or.Lhs
	} else {
		read, _ = from.(*ast.AttrGetExpr)
	}
	if !samePlace(to, from) {
		return nil
	}
	for i := range Operators {
		if e.Operator == Operators[i:i+1] {
			return &sum{i, e.Lhs, read, e.Rhs}
		}
	}
	return nil
}

func isNumber(e ast.Expr) bool {
	_, ok := e.(*ast.NumberExpr)
	return ok
}

// change rewrites an assignment of a sum into one call, so that it is an operation of addition on another
// object. Change makes no intermediate value: it reads the field after the
// right operand is computed, which makes no difference if the operand is a number,
// a variable, or made of these. Sum is for all other operands.
func (w assignments) change(to *ast.AttrGetExpr, s *sum) ast.Stmt {
	t := w.target(to, nil)
	args := []ast.Expr{t.object, t.key, w.r.count(s.operator, t.line)}
	if s.read != nil && w.isQuiet(s.by) {
		return statement(w.r.u.helper(Change, t.line, append(args, w.r.expr(s.by))...))
	}
	return statement(w.r.u.helper(Sum, t.line, append(args, w.old(s), single(w.r.expr(s.by)))...))
}

// old rewrites the left side of a sum.
func (w assignments) old(s *sum) ast.Expr {
	if s.read == nil {
		return single(w.r.expr(s.from))
	}
	line := s.read.Line()
	return w.r.u.helper(Old, line, single(w.r.expr(s.read.Object)), single(w.r.expr(s.read.Key)))
}

// isStored reports whether a place may be in the state of an object: a field with a name that some class declares, of
// what is the same object if it is looked up again, an item of such a field, or any field of self, game or stats(p).
func (w assignments) isStored(e *ast.AttrGetExpr) bool {
	if key, isName := e.Key.(*ast.StringExpr); isName {
		return w.r.names.Fields[key.Value] && w.isSteady(e.Object)
	}
	if !w.isSteady(e.Key) {
		return false
	}
	switch o := e.Object.(type) {
	case *ast.IdentExpr:
		return o.Value == "self" || o.Value == "game" && w.r.u.scope().isGlobal(o.Value)
	case *ast.FuncCallExpr:
		return w.isSteady(o) && NameOf(o.Func) == "stats"
	case *ast.AttrGetExpr:
		return w.isStored(o)
	}
	return false
}

// isSteady reports whether an expression changes nothing and has the same value if it is evaluated again at once: it is
// made of constants, variables, fields and lengths of these, and objects that functions find with these.
func (w assignments) isSteady(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.NumberExpr, *ast.StringExpr:
		return true
	case *ast.IdentExpr:
		return e.Value == "game" || !w.r.u.scope().isGlobal(e.Value)
	case *ast.AttrGetExpr:
		return w.isSteady(e.Object) && w.isSteady(e.Key)
	case *ast.UnaryMinusOpExpr:
		return w.isSteady(e.Expr)
	case *ast.UnaryLenOpExpr:
		return w.isSteady(e.Expr)
	case *ast.ArithmeticOpExpr:
		return w.isSteady(e.Lhs) && w.isSteady(e.Rhs)
	case *ast.FuncCallExpr:
		f, isName := e.Func.(*ast.IdentExpr)
		return isName && slices.Contains([]string{"stats", "nearest", "objects"}, f.Value) && w.r.u.scope().isGlobal(f.Value) &&
			!slices.ContainsFunc(e.Args, func(a ast.Expr) bool { return !w.isSteady(a) })
	}
	return false
}

// revises returns how a value is computed from the field of an object that it is written to.
func (w assignments) revises(to *ast.AttrGetExpr, value ast.Expr) revision {
	if key, isName := TextOf(to.Key); !mentions(value, to) || isName && !w.r.names.Fields[key] || !isName && !w.isStored(to) {
		return notRevised
	}
	switch e := value.(type) {
	case *ast.FuncCallExpr: // math.max(o.n, 3)
		f, _ := e.Func.(*ast.AttrGetExpr)
		if f != nil && NameOf(f.Object) == "math" && w.r.u.scope().isGlobal("math") && e.Receiver == nil {
			name, _ := TextOf(f.Key)
			if slices.Contains([]string{"max", "min", "abs", "floor", "ceil"}, name) && mentionsPlainly(e.Args, to) {
				return RevisedOnce
			}
		}
	case *ast.ArithmeticOpExpr:
		if e.Operator == "%" && samePlace(e.Lhs, to) && !mentions(e.Rhs, to) {
			return RevisedOnce
		}
	}
	return revisedAnew
}

// mentionsPlainly reports whether a place is among expressions as it is, and no other one of them mentions it.
func mentionsPlainly(list []ast.Expr, place *ast.AttrGetExpr) bool {
	return !slices.ContainsFunc(list, func(e ast.Expr) bool { return mentions(e, place) && !samePlace(e, place) })
}

// mentions reports whether an expression reads a place, but for the functions in it.
func mentions(e ast.Expr, place *ast.AttrGetExpr) (found bool) {
	var look func(ast.Expr)
	look = func(e ast.Expr) {
		if e == nil || found {
			return
		}
		if found = samePlace(e, place); !found {
			EachOperand(e, look, func([]ast.Stmt) {})
		}
	}
	look(e)
	return found
}

// isQuiet reports whether an expression only reads variables.
func (w assignments) isQuiet(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.NumberExpr:
		return true
	case *ast.IdentExpr:
		return !w.r.u.scope().isGlobal(e.Value)
	case *ast.UnaryMinusOpExpr:
		return w.isQuiet(e.Expr)
	case *ast.ArithmeticOpExpr:
		return e.Operator != "^" && w.isQuiet(e.Lhs) && w.isQuiet(e.Rhs)
	}
	return false
}

// samePlace reports whether two expressions are written identically.
func samePlace(a, b ast.Expr) bool {
	switch a := a.(type) {
	case *ast.IdentExpr:
		b, ok := b.(*ast.IdentExpr)
		return ok && a.Value == b.Value
	case *ast.StringExpr:
		b, ok := b.(*ast.StringExpr)
		return ok && a.Value == b.Value
	case *ast.NumberExpr:
		b, ok := b.(*ast.NumberExpr)
		return ok && a.Value == b.Value
	case *ast.UnaryMinusOpExpr:
		b, ok := b.(*ast.UnaryMinusOpExpr)
		return ok && samePlace(a.Expr, b.Expr)
	case *ast.UnaryLenOpExpr:
		b, ok := b.(*ast.UnaryLenOpExpr)
		return ok && samePlace(a.Expr, b.Expr)
	case *ast.ArithmeticOpExpr:
		b, ok := b.(*ast.ArithmeticOpExpr)
		return ok && a.Operator == b.Operator && samePlace(a.Lhs, b.Lhs) && samePlace(a.Rhs, b.Rhs)
	case *ast.AttrGetExpr:
		b, ok := b.(*ast.AttrGetExpr)
		return ok && samePlace(a.Object, b.Object) && samePlace(a.Key, b.Key)
	case *ast.FuncCallExpr:
		b, ok := b.(*ast.FuncCallExpr)
		return ok && a.Receiver == nil && b.Receiver == nil && samePlace(a.Func, b.Func) &&
			slices.EqualFunc(a.Args, b.Args, samePlace)
	}
	return false
}
