package syntax

import "github.com/yuin/gopher-lua/ast"

// Spawnable returns the texts of a file that may name a class of which it spawns objects: all but those that declare a
// class or ask for one.
func Spawnable(tree []ast.Stmt) map[string]bool {
	f := spawnFinder{names: map[string]bool{}}
	f.block(tree)
	return f.names
}

type spawnFinder struct{ names map[string]bool }

func (f *spawnFinder) block(list []ast.Stmt) {
	for _, s := range list {
		EachPart(s, f.expr, f.block)
	}
}

func (f *spawnFinder) expr(e ast.Expr) {
	switch e := e.(type) {
	case nil:
		return
	case *ast.StringExpr:
		f.names[e.Value] = true
	case *ast.AttrGetExpr:
		f.expr(e.Object)
		f.unlessText(e.Key)
		return
	case *ast.RelationalOpExpr: // o.class == "Shape"
		f.unlessText(e.Lhs)
		f.unlessText(e.Rhs)
		return
	case *ast.FuncCallExpr:
		if asksClass(e) {
			f.expr(e.Func)
			f.expr(e.Receiver)
			for _, a := range e.Args {
				f.unlessText(a)
			}
			return
		}
	}
	EachOperand(e, f.expr, f.block)
}

// unlessText walks an expression, unless it is a text.
func (f *spawnFinder) unlessText(e ast.Expr) {
	if _, isText := TextOf(e); !isText {
		f.expr(e)
	}
}

// asksClass reports whether a call declares a class, or asks for objects of one that are there.
func asksClass(e *ast.FuncCallExpr) bool {
	if e.Receiver != nil {
		return e.Method == "is"
	}
	switch NameOf(e.Func) {
	case "object", "objects", "nearest", "takeOver":
		return true
	}
	return false
}
