package lint

import (
	"slices"

	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/hindcast/hindcast/world"
	"github.com/yuin/gopher-lua/ast"
)

// types are what type() gives.
var types = []string{"boolean", "function", "nil", "number", "string", "table", "userdata"}

// compared checks a comparison that can never hold.
func (w *walker) compared(e *ast.RelationalOpExpr) {
	if e.Operator != "==" && e.Operator != "~=" {
		return
	}
	w.comparedWith(e, e.Lhs, e.Rhs)
	w.comparedWith(e, e.Rhs, e.Lhs)
}

func (w *walker) comparedWith(e *ast.RelationalOpExpr, what, with ast.Expr) {
	kind := literal(with)
	switch what := what.(type) {
	case *ast.FuncCallExpr:
		if text, ok := syntax.TextOf(with); ok && w.scope.isGlobal(what.Func, "type") && !slices.Contains(types, text) {
			w.report.say(e.Line(), text, didYouMean(text, types, "there are "+world.Listed(types)),
				"type() never gives %q", text)
		}
	case *ast.AttrGetExpr:
		v := w.scope.infer(what.Object)
		name, _ := syntax.TextOf(what.Key)
		if v.Kind != input || kind == "" || kind == "nil" {
			return
		}
		switch axis, known := v.Class.axis(name); {
		case !known:
		case !axis && kind != "boolean":
			w.report.say(e.Line(), name, "write if "+syntax.NameOf(what.Object)+"."+name+" then",
				"the input %s is true or false, and never a %s", name, kind)
		case axis && kind != "number":
			w.report.say(e.Line(), name, "compare it with a number", "the input %s is a number, and never a %s", name, kind)
		}
	}
}
