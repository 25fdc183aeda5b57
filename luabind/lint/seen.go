package lint

import (
	"github.com/yuin/gopher-lua/ast"
)

// isSeen reports whether a call is self:asSeen(f), which gives the results of f.
func (s *scope) isSeen(e *ast.FuncCallExpr) bool {
	return e.Receiver != nil && e.Method == "asSeen" && len(e.Args) == 1 && s.infer(e.Receiver).isObject()
}

// seen returns the value of the first result of self:asSeen(f). A function that is written out there sees the variables
// around it.
func (s *scope) seen(e *ast.FuncCallExpr) value {
	f, written := e.Args[0].(*ast.FunctionExpr)
	if !written {
		if own := s.ownCall(&ast.FuncCallExpr{Func: e.Args[0]}); own != nil {
			return s.resultOf(own)
		}
		return value{}
	}
	inside := *s
	r := &results{scope: &inside}
	inside.within(unknown(f.ParList.Names), func() { r.block(f.Stmts) })
	return r.common(ends(f.Stmts))
}
