package lint

import (
	"fmt"
	"math"
	"strings"

	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/hindcast/hindcast/world"
	"github.com/yuin/gopher-lua/ast"
)

// span is between what numbers the value of an expression is.
type span struct {
	low, high float64
	below     bool // it is always below high
	whole     bool
}

// anyNumber is the span of all numbers.
var anyNumber = span{low: math.Inf(-1), high: math.Inf(1)}

// spanOf returns between what the number is that an expression gives. known is false if that is not known.
func (s *scope) spanOf(e ast.Expr) (of span, known bool) {
	switch e := e.(type) {
	case *ast.UnaryLenOpExpr:
		of = span{high: math.Inf(1), whole: true}
		if list := s.stateList(e.Expr); list != nil {
			of.high = float64(list.most)
		} else if p := s.fieldOf(e.Expr); p != nil && p.size > 0 {
			of.high = float64(p.size)
		}
		return of, s.lengthType(e.Expr) == "number"
	case *ast.ArithmeticOpExpr:
		n, isWritten := writtenNumber(e.Rhs)
		return span{high: n, below: true}, e.Operator == "%" && isWritten && n > 0 && s.typeOf(e.Lhs) == "number"
	case *ast.AttrGetExpr:
		if p := s.fieldOf(e); p != nil && p.min < p.max {
			return span{low: p.min, high: p.max}, true
		}
	case *ast.FuncCallExpr:
		return s.spanOfCall(e)
	case *ast.IdentExpr:
		h := s.heldBy(e)
		return h.span, h.spans
	}
	return of, false
}

// fieldOf returns what is declared of a field that an expression looks up; nil: it is none.
func (s *scope) fieldOf(e ast.Expr) *part {
	get, ok := e.(*ast.AttrGetExpr)
	if !ok {
		return nil
	}
	name, _ := syntax.TextOf(get.Key)
	if v := s.infer(get.Object); (v.Kind == object || v.Kind == shown) && v.Class != nil {
		return v.Class.fields[name]
	}
	return nil
}

// spanOfCall is spanOf for a call.
func (s *scope) spanOfCall(e *ast.FuncCallExpr) (of span, known bool) {
	if e.Receiver != nil {
		most := map[string]float64{"presses": maxPresses, "held": maxHeld}[e.Method]
		return span{high: most, whole: true}, most > 0 && s.infer(e.Receiver).Kind == input
	}
	m := s.callee(e.Func)
	if m == nil || s.typeOf(e) != "number" {
		return of, false
	}
	switch get, isMember := e.Func.(*ast.AttrGetExpr); {
	case m.Name == "random" && (!isMember || syntax.NameOf(get.Object) == "math"):
		return randomSpan(e.Args)
	case !isMember || syntax.NameOf(get.Object) != "math":
		return of, false
	case m.Name == "floor" || m.Name == "ceil":
		of = anyNumber
		of.whole = true
		return of, true
	case m.Name == "abs" || m.Name == "sqrt":
		return span{high: math.Inf(1)}, true
	case m.Name == "sin" || m.Name == "cos":
		return span{low: -1, high: 1}, true
	}
	return of, false
}

// maxPresses is what input:presses gives at most.
const maxPresses = 4

// maxHeld is what input:held gives at most: a tick has so many parts.
const maxHeld = world.PressParts

// randomSpan returns the span of random, given its arguments.
func randomSpan(args []ast.Expr) (of span, known bool) {
	switch low, isLow := writtenNumber(first(args)); {
	case len(args) == 0:
		return span{high: 1, below: true}, true
	case len(args) == 1 && isLow:
		return span{low: 1, high: low, whole: true}, low >= 1
	case len(args) == 2 && isLow:
		high, isHigh := writtenNumber(args[1])
		return span{low: low, high: high, whole: true}, isHigh && high >= low
	}
	return of, false
}

// is describes a span.
func (of span) is() string {
	what := "a number"
	if of.whole {
		what = "a whole number"
	}
	switch {
	case math.IsInf(of.low, -1):
		return what
	case math.IsInf(of.high, 1):
		return fmt.Sprintf("%s from %v on", what, of.low)
	case of.below:
		return fmt.Sprintf("%s from %v to below %v", what, of.low, of.high)
	}
	return fmt.Sprintf("%s from %v to %v", what, of.low, of.high)
}

// holds reports whether value operator n can hold for a value of a span.
func (of span) holds(operator string, n float64) bool {
	switch operator {
	case "==", "~=":
		return n >= of.low && n <= of.high && !(of.below && n == of.high) && !(of.whole && n != math.Trunc(n))
	case "<":
		return of.low < n
	case "<=":
		return of.low <= n
	case ">":
		return of.high > n
	}
	return of.high > n || of.high == n && !of.below
}

// mirrored are the operators of comparisons that are read from right to left.
var mirrored = map[string]string{"==": "==", "~=": "~=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}

// comparedSpan checks a comparison with a number that the other side cannot reach: random(6) == 0. said reports that
// there is a finding.
func (w *walker) comparedSpan(e *ast.RelationalOpExpr) (said bool) {
	what, operator := e.Lhs, e.Operator
	n, isWritten := writtenNumber(e.Rhs)
	if !isWritten {
		what, operator = e.Rhs, mirrored[e.Operator]
		n, isWritten = writtenNumber(e.Lhs)
	}
	if not, isNaN := isNotANumber(e.Lhs, e.Rhs); isNaN && (e.Operator == "==" || e.Operator == "~=") {
		w.report.say(e.Line(), or(nameIn(not), "/"), "x ~= x holds for what is no number", "0 / 0 is no number, and %s with it %s",
			e.Operator, verdicts[e.Operator == "~="])
		return true
	}
	of, known := w.scope.spanOf(what)
	if !isWritten || !known || of.holds(operator, n) {
		return false
	}
	hint := "compare it with what it can be"
	switch {
	case of.high == maxHeld:
		hint = "held counts the 64ths of one tick; to count longer, add it to a field of state"
	case of.whole && n != math.Trunc(n) && !math.IsInf(of.high, 1) && of.low >= 1:
		hint = "random() gives a number from 0 to below 1"
	case of.whole && n != math.Trunc(n):
		hint = "compare it with a whole number"
	case of.below && isCall(what):
		hint = "random(n) gives a whole number from 1 to n"
	case of.below && n == of.high && (operator == "==" || operator == "~="):
		hint = "write " + operator + " 0"
	}
	w.report.say(e.Line(), nameIn(what), hint, "%s is %s, so that %s %v %s", valueCalled(what), of.is(), operator, n,
		verdicts[operator == "~="])
	return true
}

// verdicts are what messages say of comparisons, by whether they always hold.
var verdicts = map[bool]string{false: "never holds", true: "always holds"}

// valueCalled returns how a message calls a value.
func valueCalled(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.ArithmeticOpExpr:
		return shortly(e.Lhs) + " " + e.Operator + " " + numberOf(e.Rhs)
	case *ast.FuncCallExpr:
		if e.Receiver == nil && len(e.Args) > 0 {
			var args []string
			for _, a := range e.Args {
				args = append(args, or(numberOf(a), shortly(a)))
			}
			return shortly(e.Func) + "(" + strings.Join(args, ", ") + ")"
		}
	}
	return shortly(e)
}

// isNotANumber reports whether one of two sides is 0 / 0, and returns the other.
func isNotANumber(left, right ast.Expr) (other ast.Expr, is bool) {
	for _, pair := range [][2]ast.Expr{{left, right}, {right, left}} {
		by, ok := pair[0].(*ast.ArithmeticOpExpr)
		if ok && by.Operator == "/" && numberOf(by.Lhs) == "0" && numberOf(by.Rhs) == "0" {
			return pair[1], true
		}
	}
	return nil, false
}

// comparedWord checks a comparison with a text that is written out and that the other side cannot be:
// s:lower() == "Boss", s:sub(1, 1) == "ab". said reports that there is a finding.
func (w *walker) comparedWord(e *ast.RelationalOpExpr, what, with ast.Expr) (said bool) {
	text, isText := syntax.TextOf(with)
	if !isText {
		return false
	}
	hint, is, about := "", "", topic{}
	switch name, args := w.scope.textCall(what); {
	case name == "lower" && strings.ToLower(text) != text:
		is, hint = "has no capital letters", fmt.Sprintf("write %q", strings.ToLower(text))
	case name == "upper" && strings.ToUpper(text) != text:
		is, hint = "has only capital letters", fmt.Sprintf("write %q", strings.ToUpper(text))
	case name == "sub" && len(args) == 2:
		from, isFrom := writtenNumber(args[0])
		to, isTo := writtenNumber(args[1])
		if most := to - from + 1; isFrom && isTo && from*to > 0 && float64(len(text)) > max(most, 0) {
			is, hint = fmt.Sprintf("has no more than %v of the bytes", max(most, 0)), "s:sub(i, j) is from byte i to byte j"
		}
	case name == "":
		if p := w.scope.fieldOf(what); p != nil && p.size > 0 && len(text) > p.size {
			is, hint = fmt.Sprintf("holds at most %d bytes", p.size), fmt.Sprintf("declare str(%d)", len(text))
			about = topic{aLongText, text, nameIn(what)}
		}
	}
	if is == "" {
		return false
	}
	w.report.sayAbout(about, e.Line(), or(nameIn(what), text), hint, "%s %s, so that %s %q %s", shortly(what), is, e.Operator, text,
		verdicts[e.Operator == "~="])
	return true
}

// textCall returns the function of string that an expression calls on a text, and its arguments besides the text; empty:
// it is no such call.
func (s *scope) textCall(e ast.Expr) (name string, args []ast.Expr) {
	call, ok := e.(*ast.FuncCallExpr)
	switch {
	case !ok:
		return "", nil
	case call.Receiver != nil && s.typeOf(call.Receiver) == "string":
		return call.Method, call.Args
	case call.Receiver != nil:
		return "other", nil
	}
	get, isMember := call.Func.(*ast.AttrGetExpr)
	if isMember && syntax.NameOf(get.Object) == "string" && s.isGlobal(get.Object, "string") && len(call.Args) > 0 {
		return syntax.LastName(get), call.Args[1:]
	}
	return "other", nil
}

// comparedOptional checks a comparison of a result that may be nil with what it never is: s:find("x") == true,
// tonumber(s) == "5". said reports that there is a finding.
func (w *walker) comparedOptional(e *ast.RelationalOpExpr, what, with ast.Expr) (said bool) {
	kind := literal(with)
	if kind == "" || kind == "nil" {
		return false
	}
	m := w.scope.heldBy(what).by
	if call, isCall := what.(*ast.FuncCallExpr); isCall {
		m = w.scope.calledMember(call)
	}
	if m == nil || len(m.Returns) == 0 {
		return false
	}
	of, maybe := strings.CutSuffix(m.Returns[0].Type, "?")
	of = simpleType(of)
	n, _ := writtenNumber(with)
	switch {
	case !maybe || of == "":
		return false
	case of == kind && m.Name == "find" && n < 1 && kind == "number":
		w.report.say(e.Line(), m.Name, "write "+e.Operator+" nil", "%s gives nil if there is none, and never %v", m.Name, n)
	case of != kind:
		w.report.say(e.Line(), m.Name, "compare it with "+aType(of)+", or with nil", "%s is %s or nil, and never %s", shortly(what),
			aType(of), aKind(kind))
	default:
		return false
	}
	return true
}

// comparedClass checks self.class == "Enemy" in a class that is another one. said reports that there is a finding.
func (w *walker) comparedClass(of *class, text string, what ast.Expr, operator string, line int) (said bool) {
	c := w.game.class(text)
	if c == nil || of.called == "" || of == c || of == w.steered || !w.game.isLoaded() || of.mayBe(c) || of.sharesMethods(c) {
		return false
	}
	hint := "it is " + of.name() + ", or a class that extends it"
	if c.mayBe(of) {
		hint = "write " + shortly(what) + ":is(\"" + text + "\"), which holds for classes that extend it, too"
	}
	w.report.say(line, or(text, "class"), hint, "%s is an object of %s, so that .class %s %q %s", shortly(what), of.name(), operator, text,
		verdicts[operator == "~="])
	return true
}

// isNever checks self:is("Rock") in a class that is another one.
func (w *walker) isNever(v value, e *ast.FuncCallExpr) {
	text, _ := syntax.TextOf(first(e.Args))
	c := w.game.class(text)
	if v.Kind != object || c == nil || v.Class == w.steered || v.Class.called == "" || c.called == "" || v.Class == c || !w.game.isLoaded() ||
		world.HoldsState(v.Class.name()) || v.Class.mayBe(c) || c.mayBe(v.Class) || v.Class.sharesMethods(c) {
		return
	}
	w.report.say(e.Line(), or(text, "is"), "ask an object that may be one, such as other of onContact", "%s is an object of %s, which is never of the class %s",
		shortly(e.Receiver), v.Class.name(), text)
}

// mayBe reports whether an object of a class may be one of another: the other extends it.
func (c *class) mayBe(other *class) bool {
	for _, b := range c.below {
		if b == other {
			return true
		}
	}
	return false
}

// sharesMethods reports whether two classes have a function in common, which runs for objects of both.
func (c *class) sharesMethods(other *class) bool {
	// order: it is asked whether there is one
	for name, at := range c.methods {
		if there, has := other.methods[name]; has && at == there && !other.mayBe(c) {
			return true
		}
	}
	return false
}
