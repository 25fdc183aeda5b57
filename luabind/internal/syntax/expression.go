package syntax

import (
	"math"
	"strconv"

	"github.com/hindcast/hindcast/luabind/internal/api"
	"github.com/hindcast/hindcast/luabind/internal/ident"
	"github.com/yuin/gopher-lua/ast"
)

// exprs rewrites a list in place. If open is set, the last expression may
// spread; then "..." there is charged by its length.
func (r rewriter) exprs(list []ast.Expr, open bool) {
	for i, e := range list {
		list[i] = r.expr(e)
		if dots, ok := list[i].(*ast.Comma3Expr); ok && open && i == len(list)-1 && !dots.AdjustRet {
			call := r.u.helper(Varargs, dots.Line(), dots)
			call.AdjustRet = false
			list[i] = call
		}
	}
}

// freeReturns is how many values a function can return, written out, for nothing but what they cost themselves.
const freeReturns = 16

// results rewrites a return. What adds to the results of another call is charged by its length, as "..." is: calls
// within each other could pile results up, and each copies all of them.
func (r rewriter) results(s *ast.ReturnStmt) {
	n := len(s.Exprs)
	if n <= freeReturns && (n < 2 || !isList(s.Exprs[n-1])) {
		r.exprs(s.Exprs, true)
		return
	}
	r.exprs(s.Exprs, false)
	call := r.u.helper(Varargs, s.Line(), s.Exprs...)
	call.AdjustRet = false
	s.Exprs = []ast.Expr{call}
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
func (r rewriter) expr(e ast.Expr) ast.Expr {
	if r.u.work.Exceeded() {
		return e
	}
	around := r.u.sums
	defer func() { r.u.sums = around }()
	r.u.work.spend(nodeWork + sumWork*around)
	switch e.(type) {
	case *ast.ArithmeticOpExpr, *ast.UnaryMinusOpExpr:
		r.u.sums++
	default:
		r.u.sums = 0
	}
	return r.part(e)
}

// part rewrites an expression and its parts.
func (r rewriter) part(e ast.Expr) ast.Expr {
	switch e := e.(type) {
	case *ast.NumberExpr:
		return r.number(e)
	case *ast.StringExpr:
		r.text(e)
		if len(e.Value) > ShortString && !(r.u.scope().main() && !r.u.scope().inLoop()) {
			return r.u.helper(Text, e.Line(), e)
		}
	case *ast.IdentExpr:
		return r.ident(e)
	case *ast.Comma3Expr:
		if r.u.scope().main() && IsModule(r.u.chunk.File) {
			return at(&ast.StringExpr{Value: ModuleName(r.u.chunk.File)}, e.Line()) // as require passes it
		}
		if !r.u.scope().takesVarargs() {
			r.u.fail(e.Line(), "... is used outside a function that takes it")
		}
	case *ast.AttrGetExpr:
		return r.field(e)
	case *ast.TableExpr:
		return tables{r}.table(e)
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
func (r rewriter) operator(e ast.Expr) ast.Expr {
	switch e := e.(type) {
	case *ast.LogicalOpExpr:
		e.Lhs, e.Rhs = r.expr(e.Lhs), r.expr(e.Rhs)
		return foldLogical(e)
	case *ast.RelationalOpExpr:
		return r.relation(e)
	case *ast.ArithmeticOpExpr:
		e.Lhs, e.Rhs = r.expr(e.Lhs), r.expr(e.Rhs)
		switch n, isNumber := constantNumber(e); {
		case e.Operator == "^":
			return r.u.helper(Pow, e.Line(), single(e.Lhs), single(e.Rhs))
		case e.Operator == "%" && isNumber && n == 0:
			return r.count(0, e.Line())
		case e.Operator == "%" && !isNumber: // its time depends on the numbers
			return r.u.helper(Mod, e.Line(), single(e.Lhs), single(e.Rhs))
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

// relation rewrites a comparison. The interpreter compares two strings byte by byte within one instruction: slowly, if
// it is to find which one comes first.
func (r rewriter) relation(e *ast.RelationalOpExpr) ast.Expr {
	free := e.Operator == "==" || e.Operator == "~=" || r.isShort(e.Lhs) || r.isShort(e.Rhs)
	e.Lhs, e.Rhs = r.expr(e.Lhs), r.expr(e.Rhs)
	if !free {
		e.Lhs = r.u.helper(Order, e.Line(), single(e.Lhs))
	}
	return e
}

// MostOrdered is the length up to which strings are compared without a charge.
const MostOrdered = 64

// isShort reports whether the value of an expression that is not rewritten yet is no string, or a short one. The result
// of an operator can be any value, because metatables define it.
func (r rewriter) isShort(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.StringExpr:
		return len(e.Value) <= MostOrdered
	case *ast.NumberExpr:
		return true
	case *ast.AttrGetExpr:
		return r.isOfMath(e)
	case *ast.FuncCallExpr:
		return r.isOfMath(e.Func) || r.isGlobalOf(e.Func, "now") || r.isGlobalOf(e.Func, "tickNumber") ||
			r.isGlobalOf(e.Func, "random")
	}
	_, isNumber := constantNumber(e)
	return isNumber
}

// isOfMath reports whether an expression is a function or a constant of the tables math and vec of the library.
func (r rewriter) isOfMath(e ast.Expr) bool {
	get, ok := e.(*ast.AttrGetExpr)
	if !ok {
		return false
	}
	key, isName := TextOf(get.Key)
	return isName && (r.isGlobalOf(get.Object, "math") && r.names.Library.HasMember("math", key) ||
		r.isGlobalOf(get.Object, "vec") && r.names.Library.HasMember("vec", key))
}

// isGlobalOf reports whether an expression is a name of the library, and no local variable.
func (r rewriter) isGlobalOf(e ast.Expr, name string) bool {
	return NameOf(e) == name && r.u.scope().isGlobal(name) && r.names.Library.Has(name)
}

// concat rewrites a .. b .. c, which groups to the right, into one call, or
// into several if there are too many parts for one.
func (r rewriter) concat(e *ast.StringConcatOpExpr) ast.Expr {
	args := []ast.Expr{single(r.expr(e.Lhs))}
	rest := e.Rhs
	for {
		next, ok := rest.(*ast.StringConcatOpExpr)
		if !ok {
			break
		}
		if len(args) == 32 {
			return r.u.helper(Concat, e.Line(), append(args, r.concat(next))...)
		}
		args = append(args, single(r.expr(next.Lhs)))
		rest = next.Rhs
	}
	return r.u.helper(Concat, e.Line(), append(args, single(r.expr(rest)))...)
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

// truth reports whether a constant counts as true.
func truth(e ast.Expr) bool {
	switch e.(type) {
	case *ast.FalseExpr, *ast.NilExpr:
		return false
	}
	return true
}

// constantNumber returns the value of an expression of numbers without "^", which is not folded.
func constantNumber(e ast.Expr) (n float64, ok bool) {
	switch e := e.(type) {
	case *ast.NumberExpr:
		return ParseNumber(e.Value)
	case *ast.UnaryMinusOpExpr:
		n, ok = constantNumber(e.Expr)
		return -n, ok
	case *ast.ArithmeticOpExpr:
		a, aOK := constantNumber(e.Lhs)
		b, bOK := constantNumber(e.Rhs)
		ok = aOK && bOK
		switch e.Operator {
		case "+":
			return a + b, ok
		case "-":
			return a - b, ok
		case "*":
			return a * b, ok
		case "/":
			return a / b, ok
		case "%":
			if n = math.Mod(a, b); n*b < 0 {
				n += b
			}
			return n, ok
		}
	}
	return 0, false
}

// foldLogical replaces an and/or whose left side is constant.
func foldLogical(e *ast.LogicalOpExpr) ast.Expr {
	if !isConstant(e.Lhs) {
		return e
	}
	if truth(e.Lhs) == (e.Operator == "and") {
		return single(e.Rhs)
	}
	return e.Lhs
}

// number rewrites a number in a form that gopher-lua reads as Lua does.
func (r rewriter) number(e *ast.NumberExpr) ast.Expr {
	v, ok := ParseNumber(e.Value)
	if !ok {
		r.u.fail(e.Line(), "malformed number %q", e.Value)
		return e
	}
	e.Value = strconv.FormatFloat(v, 'g', -1, 64)
	r.u.scope().constant(e.Value)
	return e
}

// text checks a string literal.
func (r rewriter) text(e *ast.StringExpr) {
	if len(e.Value) > MaxKeptString {
		r.u.fail(e.Line(), "a string of %d bytes: at most %d are written out", len(e.Value), MaxKeptString)
	}
	r.u.scope().constant("\"" + e.Value)
}

// ident notes the use of a name. A name of the library never changes its value,
// so it is taken from the imports of the file.
func (r rewriter) ident(e *ast.IdentExpr) ast.Expr {
	if !r.u.scope().isGlobal(e.Value) {
		return e
	}
	if r.names.Library.Has(e.Value) {
		return r.u.use(Imported(e.Value), e.Line())
	}
	r.u.scope().constant("\"" + e.Value)
	r.u.reads(e.Value, e.Line())
	return e
}

// Imported returns the name of a library value among the imports. No script can
// spell it.
func Imported(n string) string { return "(" + n + ")" }

// field rewrites object.key. A member of a library table is looked up in one
// step. A name that some class declares is read with Get.
func (r rewriter) field(e *ast.AttrGetExpr) ast.Expr {
	if name := r.named(e); name != "" {
		return r.global(name, e.Line())
	}
	key, isName := e.Key.(*ast.StringExpr)
	if id, ok := e.Object.(*ast.IdentExpr); ok && isName && r.u.scope().isGlobal(id.Value) {
		if r.names.Library.HasMember(id.Value, key.Value) {
			return r.u.use(Imported(id.Value+"."+key.Value), e.Line())
		}
		if !r.u.full() {
			if wrong := r.names.Library.NoMember(id.Value, key.Value); wrong != "" {
				r.u.absent(e.Line(), wrong)
			}
		}
	}
	e.Object, e.Key = single(r.expr(e.Object)), single(r.expr(e.Key))
	if isName && r.names.Fields[key.Value] || r.names.AnyField || !isName && mayBeHandle(e.Object) {
		return r.u.helper(Get, e.Line(), e.Object, e.Key)
	}
	return e
}

// named returns the global that _G.name means, nil for other expressions. _G alone does not exist.
func (r rewriter) named(e *ast.AttrGetExpr) string {
	key, isName := TextOf(e.Key)
	if NameOf(e.Object) != "_G" || !isName || !ident.Valid(key) || !r.u.scope().isGlobal("_G") {
		return ""
	}
	return key
}

// global rewrites _G.name. A library may look in this way whether a global is there.
func (r rewriter) global(n string, line int) ast.Expr {
	switch {
	case r.names.Library.Has(n):
		return r.u.use(Imported(n), line)
	case IsModule(r.u.chunk.File) && api.LeftOut(n):
		return at(&ast.NilExpr{}, line)
	}
	r.checkHidden(n, line)
	if !IsModule(r.u.chunk.File) {
		r.u.reads(n, line)
	}
	r.u.scope().constant("\"" + n)
	return name(n, line)
}

// checkHidden refuses _G.name where a local variable has the same name, because the compiler finds that.
func (r rewriter) checkHidden(n string, line int) {
	if !r.u.scope().isGlobal(n) {
		r.u.fail(line, "_G.%s: a local variable has the same name here: call it something else", n)
	}
}

// mayBeHandle reports whether a computed key of an expression is read with Get:
// the key of self, of the match, and of what comes out of a field of an object.
func mayBeHandle(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.IdentExpr:
		return e.Value == "self" || e.Value == "game" || e.Value == Imported("game")
	case *ast.FuncCallExpr:
		id, ok := e.Func.(*ast.IdentExpr)
		return ok && id.Value == Get
	}
	return false
}

// call rewrites a call in place.
func (r rewriter) call(e *ast.FuncCallExpr) {
	r.u.declares(e)
	switch {
	case e.Func != nil:
		if n := api.NamesTimer(NameOf(e.Func)); n > 0 && n == len(e.Args) && r.isGlobalOf(e.Func, NameOf(e.Func)) &&
			!r.u.scope().isGlobal("self") {
			e.Args = append(e.Args, name("self", e.Line())) // whose timer it is
		}
		e.Func = r.expr(e.Func)
	case r.names.Library.HasMethod(e.Method):
		// A method of objects is called as a function of the object. Called on
		// anything else, that function looks up the method itself.
		e.Args = append([]ast.Expr{e.Receiver}, e.Args...)
		e.Func, e.Receiver = r.u.use(Method(e.Method), e.Line()), nil
	default:
		e.Receiver = r.expr(e.Receiver)
		r.u.scope().constant("\"" + e.Method)
	}
	r.exprs(e.Args, true)
}

// Method returns the name of a method of objects among the imports. No script
// can spell it.
func Method(n string) string { return "(:" + n + ")" }

// closure charges for what a function captures: each open variable makes every
// return and every further closure slower. Straight-line code of the main chunk
// is not charged, since its length is limited.
func (r rewriter) closure(f *ast.FunctionExpr) ast.Expr {
	if r.u.scope().main() && !r.u.scope().inLoop() {
		return f
	}
	return r.u.helper(Closure, f.Line(), f)
}
