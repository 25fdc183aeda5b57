package syntax

import (
	"github.com/hindcast/hindcast/luabind/internal/api"
	"github.com/yuin/gopher-lua/ast"
)

// Presses are the buttons whose presses the calls in a file ask for, such as
// input:pressed("Fire").
type Presses struct {
	Of  map[string]bool // by name
	Any bool            // a call names its button by other than a text: it may be any
}

// Has reports whether the presses of a button may be asked for.
func (p *Presses) Has(button string) bool { return p.Any || p.Of[button] }

// pressesIn finds them.
func pressesIn(tree []ast.Stmt) Presses {
	p := Presses{Of: map[string]bool{}}
	p.block(tree)
	return p
}

func (p *Presses) block(list []ast.Stmt) {
	for _, s := range list {
		EachPart(s, p.expr, p.block)
	}
}

func (p *Presses) expr(e ast.Expr) {
	if e == nil {
		return
	}
	if call, ok := e.(*ast.FuncCallExpr); ok && call.Receiver != nil && api.CountsPresses(call.Method) {
		p.call(call)
	}
	EachOperand(e, p.expr, p.block)
}

func (p *Presses) call(e *ast.FuncCallExpr) {
	if len(e.Args) == 0 {
		return
	}
	if name, ok := TextOf(e.Args[0]); ok {
		p.Of[name] = true
	} else {
		p.Any = true
	}
}
