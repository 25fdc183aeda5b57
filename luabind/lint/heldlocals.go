package lint

import (
	"github.com/hindcast/hindcast/luabind/internal/api"
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// held is what a local variable holds that is given a value once, where it is declared.
type held struct {
	by     *api.Member // the function of the library whose first result it is; nil: it is none
	span   span
	spans  bool // span is known
	number ast.Expr
	text   *ast.StringExpr
	length *ast.UnaryLenOpExpr
	list   *ast.FuncCallExpr // a call of objects
	chosen ast.Expr          // a number that may be the place of an item: what random or math.floor gives, and less than that
}

// hold notes what a local variable was given that is in scope from now on.
func (s *scope) hold(name string, e ast.Expr) {
	h := held{}
	if s.mayChoose(e) {
		h.chosen = e
	}
	if call, isCall := e.(*ast.FuncCallExpr); isCall {
		h.by = s.calledMember(call)
		h.span, h.spans = s.spanOf(call)
		if s.isGlobal(call.Func, "objects") {
			h.list = call
		}
	} else if length, isLength := e.(*ast.UnaryLenOpExpr); isLength {
		h.length = length
	} else if _, isNumber := writtenNumber(e); isNumber {
		h.number = e
	} else if text, isText := e.(*ast.StringExpr); isText {
		h.text = text
	}
	if h == (held{}) || s.block == nil {
		return
	}
	if s.block.held == nil {
		s.block.held = map[string]held{}
	}
	s.block.held[name] = h
	s.forget(s.block)
}

// heldBy returns what the local variable holds that an expression is.
func (s *scope) heldBy(e ast.Expr) (h held) {
	name := syntax.NameOf(e)
	if b := s.blockOf(name); b != nil && name != "" {
		h = b.held[name]
	}
	return h
}

// numberIn returns the number that an expression is: written out, or that of a local variable.
func (s *scope) numberIn(e ast.Expr) (n float64, known bool) {
	if h := s.heldBy(e); h.number != nil {
		e = h.number
	}
	return writtenNumber(e)
}

// calledMember returns the function of the library that is called; nil: it is none, or not known.
func (s *scope) calledMember(e *ast.FuncCallExpr) *api.Member {
	if e.Receiver != nil {
		return s.infer(e.Receiver).method(e.Method)
	}
	return s.callee(e.Func)
}

// mayChoose reports whether an expression is a call of random or of math.floor, or one less 1.
func (s *scope) mayChoose(e ast.Expr) bool {
	if less, isLess := e.(*ast.ArithmeticOpExpr); isLess && less.Operator == "-" && numberOf(less.Rhs) == "1" {
		e = less.Lhs
	}
	call, isCall := e.(*ast.FuncCallExpr)
	return isCall && call.Receiver == nil && (s.isGlobal(call.Func, "random") || s.isFunction(call.Func, "math", "random") || s.isFunction(call.Func, "math", "floor"))
}
