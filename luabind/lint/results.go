package lint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hindcast/hindcast/luabind/internal/api"
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/hindcast/hindcast/world"
	"github.com/yuin/gopher-lua/ast"
)

// discarded checks a statement that calls a function only for its result, such as self.name:upper(). said reports that
// there is a finding.
func (w *walker) discarded(e ast.Expr) (said bool) {
	call, ok := e.(*ast.FuncCallExpr)
	if !ok || w.scope.shows() != nil {
		return false
	}
	var m *api.Member
	text := false
	if call.Receiver != nil {
		v := w.scope.infer(call.Receiver)
		m, text = v.method(call.Method), v.Kind == anything && v.Type == "string"
	} else {
		m = w.scope.callee(call.Func)
		get, isMember := call.Func.(*ast.AttrGetExpr)
		text = isMember && slices.Contains([]string{"math", "string", "vec"}, syntax.NameOf(get.Object)) ||
			m != nil && m == library.Function("table", "concat") || w.onlyAnswers(m, call)
	}
	if call.Receiver != nil && (m == library.Method("valid") || m == library.Method("is") || m != nil && strings.HasPrefix(m.Name, "get") &&
		m == library.Method(m.Name) || w.scope.infer(call.Receiver).Kind == input && m != nil) {
		text = true
	}
	callsBack := m != nil && m.Name == "gsub" && len(call.Args) > 0 && literal(call.Args[len(call.Args)-1]) != "string"
	if m == nil || len(m.Returns) == 0 || callsBack || m.Name == "random" || !text {
		return false
	}
	passed, open := count(call.Args)
	if least, most := m.Arguments(); open || passed < least || passed > most && most >= 0 {
		return false // which is reported
	}
	w.report.say(call.Line(), m.Name, w.usingResult(call), "%s only returns a value, which "+
		"nothing uses", m.Name)
	return true
}

// shortlyCalled returns how a message calls a call with its receiver.
func shortlyCalled(call *ast.FuncCallExpr) string {
	inside := "()"
	if len(call.Args) > 0 {
		inside = "(...)"
	}
	if call.Receiver != nil {
		return quoted(call.Receiver) + ":" + call.Method + inside
	}
	return shortly(call.Func) + inside
}

// always checks a condition that is a list, a record or a value that is written out: it always holds.
func (w *walker) always(e ast.Expr) {
	if not, ok := e.(*ast.UnaryNotOpExpr); ok {
		e = not.Expr
	}
	v := w.scope.infer(e)
	get, isMember := e.(*ast.AttrGetExpr)
	isField := isMember && syntax.LastName(get) != "" // an item may be nil
	switch of := literal(e); {
	case v.Kind == kept && isField, v.Kind == found:
		hint := "use one of its parts"
		if w.scope.isList(e) {
			hint = "compare the number of its items: #" + shortly(e) + " > 0"
		}
		w.report.say(max(e.Line(), 1), nameIn(e), hint, "%s is %s, and always true", shortly(e), kindOfTable(v))
	case w.scope.calledWrongly(e): // which is said
	case of == "" && yieldsValue(e) && !v.Maybe && (w.scope.typeOf(e) == "number" || w.scope.typeOf(e) == "string"):
		w.report.say(max(e.Line(), 1), nameIn(e), "compare something with it", "%s is %s, and always true", shortly(e),
			aType(w.scope.typeOf(e)))
	case of == "number" || of == "string" || of == "table":
		w.report.say(max(e.Line(), 1), or(numberOf(e), nameIn(e)), "compare something with it", "%s is always true",
			aType(of))
	}
}

// calledWrongly reports whether an expression is a call of a method with too few or too many arguments, or of held and
// the like for an input that is a number.
func (s *scope) calledWrongly(e ast.Expr) bool {
	call, ok := e.(*ast.FuncCallExpr)
	if !ok || call.Receiver == nil {
		return false
	}
	v := s.infer(call.Receiver)
	if name, isText := syntax.TextOf(first(call.Args)); isText && v.Kind == input {
		if axis, known := v.Class.axis(name); known && axis {
			return true
		}
	}
	m := v.method(call.Method)
	return m != nil && !takesCount(m, call.Args)
}

// misCalled reports whether an expression is a call of a function with wrong arguments.
func (s *scope) misCalled(e ast.Expr) bool {
	call, ok := e.(*ast.FuncCallExpr)
	if !ok {
		return false
	}
	m := s.callee(call.Func)
	if call.Receiver != nil {
		m = s.infer(call.Receiver).method(call.Method)
	}
	if m == nil {
		return false
	}
	if !takesCount(m, call.Args) {
		return true
	}
	_, most := m.Arguments()
	given := call.Args[:len(call.Args)-surplusNils(call.Args, most)]
	return len(m.Params) > 0 && slices.ContainsFunc(given, func(a ast.Expr) bool {
		i := slices.Index(given, a)
		return !s.argument(a).fits(&m.Params[min(i, len(m.Params)-1)])
	})
}

// yieldsValue reports whether an expression is a call or computes something.
func yieldsValue(e ast.Expr) bool {
	switch e.(type) {
	case *ast.FuncCallExpr, *ast.ArithmeticOpExpr, *ast.UnaryMinusOpExpr, *ast.StringConcatOpExpr:
		return true
	}
	return false
}

// kindOfTable names a list or a record.
func kindOfTable(v value) string {
	if v.Kind == kept {
		return v.Part.is()
	}
	return "a list"
}

// yielded checks coroutine.yield() in a hook, which is no coroutine.
func (w *walker) yielded(e *ast.FuncCallExpr) {
	if w.hook != "" && w.nested == 0 && !w.testing && w.scope.isFunction(e.Func, "coroutine", "yield") {
		w.report.say(e.Line(), "yield", "after(seconds, \"name\") calls a function of the class later",
			"a hook is no coroutine, and cannot wait")
	}
}

// filtered checks what filterChat returns.
func (w *walker) filtered(s *ast.ReturnStmt) {
	if w.hook != api.FilterChat || w.nested > 0 || len(s.Exprs) != 1 {
		return
	}
	if of := w.scope.typeOf(s.Exprs[0]); of == "boolean" || of == "number" || of == "table" || of == anObject {
		w.report.say(s.Line(), "return", "return the text, or nil to drop the line", "filterChat returns %s, and must return a text "+
			"or nil", aType(of))
	}
}

// verdict checks what a hook returns that answers a question with true or false.
func (w *walker) verdict(s *ast.ReturnStmt) {
	if !slices.Contains([]string{"predicted", "relevant", world.Verify.String()}, w.hook) || w.nested > 0 || len(s.Exprs) == 0 {
		return
	}
	switch of := w.scope.typeOf(s.Exprs[0]); of {
	case "number", "string", "table", "function":
		w.report.say(s.Line(), "return", "return true or false", "%s returns %s, which is a yes whatever it is", w.hook, aType(of))
	}
}

// bound is what a comparison demands of a value.
type bound struct {
	of       string // the value
	operator string
	text     string  // what it is compared with
	n        float64 // if that is a number
	isNumber bool
	line     int
}

// boundOf returns what a comparison with a number or a text that is written out demands. ok is false for others.
func boundOf(e ast.Expr) (b bound, ok bool) {
	r, isCompared := e.(*ast.RelationalOpExpr)
	if !isCompared || named(r.Lhs) == nil {
		return b, false
	}
	b = bound{of: shortly(r.Lhs), operator: r.Operator, line: r.Line()}
	b.n, b.isNumber = writtenNumber(r.Rhs)
	text, isText := syntax.TextOf(r.Rhs)
	if b.text = text; b.isNumber {
		b.text = fmt.Sprint(b.n)
	} else if isText {
		b.text = fmt.Sprintf("%q", text)
	}
	return b, b.isNumber || isText
}

// excludes reports whether two demands on one value cannot both be met.
func (b bound) excludes(o bound) bool {
	switch {
	case b.of != o.of:
		return false
	case b.operator == "==" && o.operator == "==":
		return b.text != o.text
	case !b.isNumber || !o.isNumber:
		return false
	case strings.HasPrefix(b.operator, "<") && strings.HasPrefix(o.operator, ">"):
		return o.n > b.n
	case strings.HasPrefix(b.operator, ">") && strings.HasPrefix(o.operator, "<"):
		return b.n > o.n
	}
	return false
}

// shadowed checks if x > 10 then ... elseif x > 20 then, whose second part never runs.
func (w *walker) shadowed(s *ast.IfStmt) {
	before, ok := boundOf(s.Condition)
	for ok && len(s.Else) == 1 {
		next, isIf := s.Else[0].(*ast.IfStmt)
		if !isIf {
			return
		}
		b, isBound := boundOf(next.Condition)
		if isBound && (b.excludes(before.negated()) || b.of == before.of && b.operator == before.operator && b.text == before.text) {
			w.report.say(b.line, b.operator, "test it first: if "+b.of+" "+b.operator+" "+b.text+" then ... elseif "+before.of+" "+before.operator+" "+
				before.text+" then", "this never runs, because %s %s %s holds before", before.of, before.operator, before.text)
			return
		}
		s = next
	}
}

// same checks x or x and self.fuel = self.fuel.
func (w *walker) same(e *ast.LogicalOpExpr) {
	if named(e.Lhs) != nil && named(e.Rhs) != nil && shortly(e.Lhs) == shortly(e.Rhs) {
		w.report.say(e.Line(), e.Operator, "one of them is meant to be another", "%s stands on both sides of %s", shortly(e.Lhs), e.Operator)
	}
}

// toItself checks self.fuel = self.fuel, which changes nothing.
func (w *walker) toItself(s *ast.AssignStmt) {
	if len(s.Lhs) != 1 || len(s.Rhs) != 1 || named(s.Lhs[0]) == nil || named(s.Rhs[0]) == nil || shortly(s.Lhs[0]) != shortly(s.Rhs[0]) {
		return
	}
	get, ok := s.Lhs[0].(*ast.AttrGetExpr)
	if ok && w.scope.infer(get.Object).Kind == object {
		w.report.say(max(get.Line(), 1), nameIn(get), "leave it out, or assign something else", "%s is assigned to itself", shortly(get))
	}
}

// negated returns the demand that holds where this one does not.
func (b bound) negated() bound {
	b.operator = map[string]string{"==": "~=", "~=": "==", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}[b.operator]
	return b
}

// contradicts checks x == 1 and x == 2, which never holds, and x ~= 1 or x ~= 2, which always does.
func (w *walker) contradicts(e *ast.LogicalOpExpr) {
	last, ok := boundOf(e.Rhs)
	for left := e.Lhs; ok; {
		inner, chained := left.(*ast.LogicalOpExpr)
		chained = chained && inner.Operator == e.Operator
		if chained {
			left = inner.Rhs
		}
		first, isBound := boundOf(left)
		switch {
		case isBound && e.Operator == "and" && first.excludes(last):
			w.report.say(last.line, "and", "write or", "%s %s %s and %s %s %s never holds", first.of, first.operator,
				first.text, last.of, last.operator, last.text)
			return
		case isBound && e.Operator == "or" && first.negated().excludes(last.negated()):
			w.report.say(last.line, "or", "write and", "%s %s %s or %s %s %s always holds", first.of, first.operator,
				first.text, last.of, last.operator, last.text)
			return
		case !chained:
			return
		}
		left = inner.Lhs
	}
}

// surplusValues checks x = 1, 5: a value that nothing is given.
func (w *walker) surplusValues(names int, list []ast.Expr) {
	if len(list) <= names {
		return
	}
	if of := literal(list[names]); of != "" {
		w.report.say(max(list[names].Line(), 1), or(numberOf(list[names]), nameIn(list[names])),
			"leave it out; a number is written 1.5", "there are more values than names: %d for %d", len(list), names)
	}
}
