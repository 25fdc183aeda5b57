package luabind

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/yuin/gopher-lua/ast"
)

func itoa(n int) string { return strconv.Itoa(n) }

// exprs rewrites a list in place. With open, the last one may spread: "..."
// there is paid for by its length.
func (r *rewriter) exprs(list []ast.Expr, open bool) {
	for i, e := range list {
		list[i] = r.expr(e)
		if dots, ok := list[i].(*ast.Comma3Expr); ok && open && i == len(list)-1 && !dots.AdjustRet {
			call := r.helper(fnVarargs, dots.Line(), dots)
			call.AdjustRet = false
			list[i] = call
		}
	}
}

// single makes an expression give exactly one value.
func single(e ast.Expr) ast.Expr {
	switch e := e.(type) {
	case *ast.FuncCallExpr:
		e.AdjustRet = true
	case *ast.Comma3Expr:
		e.AdjustRet = true
	}
	return e
}

// expr rewrites an expression.
func (r *rewriter) expr(e ast.Expr) ast.Expr {
	switch e := e.(type) {
	case *ast.NumberExpr:
		return r.number(e)
	case *ast.StringExpr:
		r.text(e)
	case *ast.IdentExpr:
		return r.ident(e)
	case *ast.Comma3Expr:
		if !r.fn.varargs {
			r.fail(e.Line(), "... is used outside a function that takes it")
		}
	case *ast.AttrGetExpr:
		return r.field(e)
	case *ast.TableExpr:
		return r.table(e)
	case *ast.FuncCallExpr:
		r.call(e)
	case *ast.FunctionExpr:
		r.function(e)
		return r.closure(e)
	default:
		return r.operator(e)
	}
	return e
}

// operator rewrites expressions made of operators.
func (r *rewriter) operator(e ast.Expr) ast.Expr {
	switch e := e.(type) {
	case *ast.LogicalOpExpr:
		e.Lhs, e.Rhs = r.expr(e.Lhs), r.expr(e.Rhs)
		return foldLogical(e)
	case *ast.RelationalOpExpr:
		e.Lhs, e.Rhs = r.expr(e.Lhs), r.expr(e.Rhs)
	case *ast.ArithmeticOpExpr:
		e.Lhs, e.Rhs = r.expr(e.Lhs), r.expr(e.Rhs)
		if e.Operator == "^" {
			return r.helper(fnPow, e.Line(), single(e.Lhs), single(e.Rhs))
		}
	case *ast.StringConcatOpExpr:
		return r.concat(e)
	case *ast.UnaryMinusOpExpr:
		e.Expr = r.expr(e.Expr)
	case *ast.UnaryLenOpExpr:
		e.Expr = r.expr(e.Expr)
	case *ast.UnaryNotOpExpr:
		e.Expr = r.expr(e.Expr)
		if isConstant(e.Expr) {
			return boolean(!truth(e.Expr), e.Line())
		}
	}
	return e
}

// concat rewrites a .. b .. c, which groups to the right, into one call, or
// several when the parts are too many for one.
func (r *rewriter) concat(e *ast.StringConcatOpExpr) ast.Expr {
	args := []ast.Expr{single(r.expr(e.Lhs))}
	rest := e.Rhs
	for {
		next, ok := rest.(*ast.StringConcatOpExpr)
		if !ok {
			break
		}
		if len(args) == 32 {
			return r.helper(fnConcat, e.Line(), append(args, r.concat(next))...)
		}
		args = append(args, single(r.expr(next.Lhs)))
		rest = next.Rhs
	}
	return r.helper(fnConcat, e.Line(), append(args, single(r.expr(rest)))...)
}

func boolean(v bool, line int) ast.Expr {
	if v {
		return at(&ast.TrueExpr{}, line)
	}
	return at(&ast.FalseExpr{}, line)
}

func isConstant(e ast.Expr) bool {
	switch e.(type) {
	case *ast.TrueExpr, *ast.FalseExpr, *ast.NilExpr, *ast.NumberExpr, *ast.StringExpr:
		return true
	}
	return false
}

// truth is whether a constant counts as true.
func truth(e ast.Expr) bool {
	switch e.(type) {
	case *ast.FalseExpr, *ast.NilExpr:
		return false
	}
	return true
}

// foldLogical decides an and/or whose left side is constant.
func foldLogical(e *ast.LogicalOpExpr) ast.Expr {
	if !isConstant(e.Lhs) {
		return e
	}
	if truth(e.Lhs) == (e.Operator == "and") {
		return single(e.Rhs)
	}
	return e.Lhs
}

// number puts a number into a form that gopher-lua reads as Lua does.
func (r *rewriter) number(e *ast.NumberExpr) ast.Expr {
	v, ok := parseNumber(e.Value)
	if !ok {
		r.fail(e.Line(), "malformed number %q", e.Value)
		return e
	}
	e.Value = strconv.FormatFloat(v, 'g', -1, 64)
	r.fn.constants[e.Value] = true
	return e
}

// maxNumberBytes bounds the time that reading a number takes.
const maxNumberBytes = 128

// parseNumber reads a number as Lua 5.1 does: decimal, or hexadecimal digits
// after 0x. Infinity and NaN have no literal form.
func parseNumber(s string) (float64, bool) {
	s = strings.Trim(s, " \t\n\v\f\r")
	digits := strings.TrimLeft(s, "+-")
	if len(s)-len(digits) > 1 || digits == "" || len(s) > maxNumberBytes || strings.ContainsAny(digits, "_ipnIPN") {
		return 0, false
	}
	if hex, ok := strings.CutPrefix(strings.ToLower(digits), "0x"); ok {
		n, err := strconv.ParseUint(hex, 16, 64)
		v := float64(n)
		if s[0] == '-' {
			v = -v
		}
		return v, err == nil
	}
	v, err := strconv.ParseFloat(s, 64)
	if err != nil && !math.IsInf(v, 0) { // out of range is infinity, as in C
		return 0, false
	}
	return v, true
}

// text checks a string literal.
func (r *rewriter) text(e *ast.StringExpr) {
	if len(e.Value) > MaxStringBytes {
		r.fail(e.Line(), "a string of %d bytes: at most %d", len(e.Value), MaxStringBytes)
	}
	r.fn.constants["\""+e.Value] = true
}

// ident notes a use of a name. What belongs to the library never changes, so
// that it can be taken from the file's imports.
func (r *rewriter) ident(e *ast.IdentExpr) ast.Expr {
	if !r.fn.isGlobal(e.Value) {
		return e
	}
	if r.lib.Has(e.Value) {
		return r.use(imported(e.Value), e.Line())
	}
	r.fn.constants["\""+e.Value] = true
	if r.fn.main() {
		r.first[e.Value] = true
	}
	if _, ok := r.reads[e.Value]; !ok {
		r.reads[e.Value] = e.Line()
	}
	return e
}

// imported is the name that a script cannot spell for a name of the library.
func imported(n string) string { return "(" + n + ")" }

// field rewrites object.key. A member of a library is looked up in one step;
// a name that some class declares goes through (get).
func (r *rewriter) field(e *ast.AttrGetExpr) ast.Expr {
	key, isName := e.Key.(*ast.StringExpr)
	if id, ok := e.Object.(*ast.IdentExpr); ok && isName && r.fn.isGlobal(id.Value) {
		if r.lib.HasMember(id.Value, key.Value) {
			return r.use(imported(id.Value+"."+key.Value), e.Line())
		}
		if wrong := r.lib.NoMember(id.Value, key.Value); wrong != "" {
			r.absent(e.Line(), wrong)
		}
	}
	e.Object, e.Key = single(r.expr(e.Object)), single(r.expr(e.Key))
	if isName && r.fields[key.Value] || r.any || !isName && mayBeHandle(e.Object) {
		return r.helper(fnGet, e.Line(), e.Object, e.Key)
	}
	return e
}

// mayBeHandle reports whether computed keys of an expression had better go
// through (get): of self, and of what comes out of a field of an object.
func mayBeHandle(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.IdentExpr:
		return e.Value == "self"
	case *ast.FuncCallExpr:
		id, ok := e.Func.(*ast.IdentExpr)
		return ok && id.Value == fnGet
	}
	return false
}

// table rewrites a constructor. It stays one, and is paid for by (table),
// which gets the number of positional values and of named fields; but one with
// computed keys goes through (put), and what spreads at its end through (list).
func (r *rewriter) table(e *ast.TableExpr) ast.Expr {
	if len(e.Fields) > maxFields {
		r.fail(e.Line(), "a table written out with %d fields: at most %d", len(e.Fields), maxFields)
	}
	last := len(e.Fields) - 1
	open := last >= 0 && e.Fields[last].Key == nil && isList(e.Fields[last].Value)
	switch {
	case slices.ContainsFunc(e.Fields, func(f *ast.Field) bool { return isComputed(f) || open && f.Key != nil }):
		return r.mixedTable(e, open)
	case open:
		return r.openTable(e)
	}
	positional := 0
	for _, f := range e.Fields {
		if f.Key == nil {
			positional++
		} else {
			r.text(f.Key.(*ast.StringExpr))
		}
		f.Value = single(r.expr(f.Value))
	}
	return r.helper(fnTable, e.Line(), e, r.count(positional+namedUnit*(len(e.Fields)-positional), e.Line()))
}

func (r *rewriter) count(n, line int) ast.Expr { return at(&ast.NumberExpr{Value: itoa(n)}, line) }

func isComputed(f *ast.Field) bool {
	_, isName := f.Key.(*ast.StringExpr)
	return f.Key != nil && !isName
}

// mixedTable is a constructor with computed keys: its fields go through (put),
// in their order, and what spreads at its end through (list).
func (r *rewriter) mixedTable(e *ast.TableExpr, open bool) ast.Expr {
	line, fields := e.Line(), e.Fields
	if open {
		fields = fields[:len(fields)-1]
	}
	out := ast.Expr(r.helper(fnTable, line, at(&ast.TableExpr{}, line), r.count(0, line)))
	n := 0
	for i := 0; i < len(fields); i += 16 {
		mask, args := 0, []ast.Expr(nil)
		for j, f := range fields[i:min(i+16, len(fields))] {
			key := f.Key
			if key == nil {
				n++
				mask |= 1 << j
				key = r.count(n, line)
			}
			args = append(args, single(r.expr(key)), single(r.expr(f.Value)))
		}
		out = r.helper(fnPut, line, append([]ast.Expr{out, r.count(mask, line)}, args...)...)
	}
	if open {
		spread := []ast.Expr{e.Fields[len(fields)].Value}
		r.exprs(spread, true)
		out = r.helper(fnList, line, out, r.count(n, line), spread[0])
	}
	return out
}

// openTable is a constructor of values only, which ends in a call or in "...".
func (r *rewriter) openTable(e *ast.TableExpr) ast.Expr {
	line := e.Line()
	if len(e.Fields) > 100 {
		r.fail(line, "a table written out with %d values and a call or ... at the end: at most 100", len(e.Fields))
	}
	args := []ast.Expr{at(&ast.TableExpr{}, line), r.count(0, line)}
	for _, f := range e.Fields {
		args = append(args, f.Value)
	}
	r.exprs(args, true)
	return r.helper(fnList, line, args...)
}

// call rewrites a call in place.
func (r *rewriter) call(e *ast.FuncCallExpr) {
	r.noteDeclaration(e)
	switch {
	case e.Func != nil:
		e.Func = r.expr(e.Func)
	case r.lib.HasMethod(e.Method):
		// An object's method is called as a function with the object; on
		// anything else that function looks the method up itself.
		e.Args = append([]ast.Expr{e.Receiver}, e.Args...)
		e.Func, e.Receiver = r.use(method(e.Method), e.Line()), nil
	default:
		e.Receiver = r.expr(e.Receiver)
		r.fn.constants["\""+e.Method] = true
	}
	r.exprs(e.Args, true)
}

// method is the name that a script cannot spell for a method of objects.
func method(n string) string { return "(:" + n + ")" }

// closure pays for what a function captures: each open variable makes every
// return and every further closure slower. Straight-line code of the main
// chunk is bounded by its length.
func (r *rewriter) closure(f *ast.FunctionExpr) ast.Expr {
	if r.fn.main() && !r.fn.inLoop() {
		return f
	}
	return r.helper(fnClosure, f.Line(), f)
}
