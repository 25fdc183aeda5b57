package rules

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"math"
	"slices"
)

// fusedProducts finds products that meet + or - unrounded. Some CPUs compute
// such a pair in one instruction that rounds once, where others round twice:
// the bits differ. The language forbids it across a conversion, so that
// float64(a*b) + c is the same everywhere (Go spec, "Floating-point
// operators"). The compiler makes a/64 a product too. Products of constants
// are exact and pass.
//
// It reads expressions only: .ci/fma finds the rest in the machine code.
func fusedProducts(s source) (found []finding) {
	say := func(operand ast.Expr, op token.Token) {
		if p := s.product(operand); p != nil {
			t := types.TypeString(s.info.TypeOf(p), func(*types.Package) string { return "" })
			found = append(found, at(s.fset.Position(p.OpPos),
				"this product meets %s unrounded, and some CPUs fuse the two: write %s(%s)", op, t, types.ExprString(p)))
		}
	}
	s.inspect(func(n ast.Node) {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			if n.Op == token.ADD || n.Op == token.SUB {
				say(n.X, n.Op)
				say(n.Y, n.Op)
			}
			if (n.Op == token.MUL || n.Op == token.QUO) && s.isBasic(n, types.IsComplex) {
				found = append(found, at(s.fset.Position(n.OpPos), "complex products and quotients fuse inside: write out the parts"))
			}
		case *ast.AssignStmt:
			if n.Tok == token.ADD_ASSIGN || n.Tok == token.SUB_ASSIGN {
				say(n.Rhs[0], n.Tok)
			}
		}
	})
	return found
}

// product returns the product that e is, through brackets and signs; nil if it
// is none, not of floats, or of constants alone.
func (s source) product(e ast.Expr) *ast.BinaryExpr {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return s.product(e.X)
	case *ast.UnaryExpr:
		if e.Op == token.SUB || e.Op == token.ADD {
			return s.product(e.X)
		}
	case *ast.BinaryExpr:
		multiplies := e.Op == token.MUL || e.Op == token.QUO && s.isPowerOfTwo(e.Y)
		if multiplies && s.info.Types[e].Value == nil && s.isBasic(e, types.IsFloat) {
			return e
		}
	}
	return nil
}

// isPowerOfTwo is for constants: to divide by one is to multiply by its
// reciprocal, which is exact.
func (s source) isPowerOfTwo(e ast.Expr) bool {
	v := s.info.Types[e].Value
	if v == nil || v.Kind() != constant.Int && v.Kind() != constant.Float {
		return false
	}
	x, _ := constant.Float64Val(v)
	frac, _ := math.Frexp(x)
	return math.Abs(frac) == 0.5
}

func (s source) isBasic(e ast.Expr, property types.BasicInfo) bool {
	return slices.ContainsFunc(kinds(s.info.TypeOf(e)), func(t types.Type) bool {
		b, ok := t.(*types.Basic)
		return ok && b.Info()&property != 0
	})
}
