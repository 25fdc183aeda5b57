package lint

import "github.com/yuin/gopher-lua/ast"

// inferred is what infer and typeOf have found out about an expression. Checks ask for the same expressions again and
// again: a chain of calls is asked for at each of its links, several times, and each answer needs those of the links
// below. So the time without it is exponential in the length of the chain.
type inferred struct {
	value             value
	of                string
	hasValue, hasType bool
}

// inferred returns what is remembered of an expression, to be filled in; nil: nothing is remembered, because the
// expression has no operands, or there are no variables yet.
func (s *scope) inferred(e ast.Expr) *inferred {
	switch e.(type) {
	case *ast.FuncCallExpr, *ast.AttrGetExpr, *ast.LogicalOpExpr, *ast.ArithmeticOpExpr, *ast.StringConcatOpExpr,
		*ast.UnaryMinusOpExpr, *ast.UnaryLenOpExpr:
	default:
		return nil
	}
	if s.block == nil {
		return nil
	}
	m := s.block.memo[e]
	if m == nil {
		if s.block.memo == nil {
			s.block.memo = map[ast.Expr]*inferred{}
		}
		m = &inferred{}
		s.block.memo[e] = m
	}
	return m
}

// set gives a variable of a block a value.
func (s *scope) set(of *locals, name string, v value) {
	of.vars[name] = v
	s.forget(of)
}

// forget drops what is remembered of expressions that see a variable of a block.
func (s *scope) forget(of *locals) {
	for b := s.block; b != nil; b = b.parent {
		b.memo = nil
		if b == of {
			return
		}
	}
}
