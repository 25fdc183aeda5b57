package syntax

import "github.com/yuin/gopher-lua/ast"

// Attached are the classes whose objects a file may attach to others.
type Attached struct {
	Of  map[string]bool // self:attach in their methods: by the variable that has the class
	Any bool            // attach of another object: it may be of any class
}

const attach = "attach"

// attachedIn finds them.
func attachedIn(tree []ast.Stmt) Attached {
	f := attachFinder{found: Attached{Of: map[string]bool{}}}
	f.block(tree)
	return f.found
}

type attachFinder struct {
	found Attached
	self  string // the variable with the class whose method the walk is in; empty: none
}

func (f *attachFinder) block(list []ast.Stmt) {
	for _, s := range list {
		if def, ok := s.(*ast.FuncDefStmt); ok && def.Name.Method != "" {
			if of, named := def.Name.Receiver.(*ast.IdentExpr); named {
				outer := f.self
				f.self = of.Value
				f.expr(def.Func)
				f.self = outer
				continue
			}
		}
		EachPart(s, f.expr, f.block)
	}
}

func (f *attachFinder) expr(e ast.Expr) {
	switch e := e.(type) {
	case nil:
		return
	case *ast.FuncCallExpr:
		if e.Receiver != nil && e.Method == attach {
			f.call(e.Receiver)
		}
	case *ast.AttrGetExpr: // local f = ball.attach
		if key, ok := TextOf(e.Key); ok && key == attach {
			f.found.Any = true
		}
	}
	EachOperand(e, f.expr, f.block)
}

func (f *attachFinder) call(of ast.Expr) {
	if name, ok := of.(*ast.IdentExpr); ok && name.Value == "self" && f.self != "" {
		f.found.Of[f.self] = true
	} else {
		f.found.Any = true
	}
}
