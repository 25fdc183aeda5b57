package lint

import (
	"fmt"

	"github.com/hindcast/hindcast/luabind/internal/api"
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// constant is a text that stands at the top of a file, in a variable or a table, and is used elsewhere.
type constant struct {
	name string
	text *ast.StringExpr
}

// color reports the texts that an expression may be and that are no colours. Those that the top of the file gives to
// variables and tables are reported there, however often they are used.
func (w *walker) color(of string, e ast.Expr, line int) {
	if either, ok := e.(*ast.LogicalOpExpr); ok {
		if either.Operator == "or" {
			w.color(of, either.Lhs, line)
		}
		w.color(of, either.Rhs, line)
		return
	}
	w.report.color(of, e, line)
	for _, c := range w.scope.constants(e) {
		if api.IsColor(c.text.Value) {
			continue
		}
		at := syntax.Place{File: w.report.current(), Line: max(c.text.Line(), 1)}
		w.report.sayOf(topic{aColour, fmt.Sprint(at.Line), c.text.Value}, at, c.text.Value, colorInstead(c.text.Value), "%s: %q is not a colour",
			c.name, c.text.Value)
		w.report.found[len(w.report.found)-1].used = fmt.Sprintf("%s:%d", at.File, line)
	}
}

// constants returns the texts at the top of the file that an expression may be: that of a variable, of a member of a
// table, or all texts of a table that has colours, of which it looks up one by a computed key.
func (s *scope) constants(e ast.Expr) (list []constant) {
	v := s.infer(e)
	if _, isName := e.(*ast.IdentExpr); isName && v.Const != nil {
		return []constant{{syntax.NameOf(e), v.Const}}
	}
	get, ok := e.(*ast.AttrGetExpr)
	if !ok {
		return nil
	}
	of := s.infer(get.Object)
	if of.Kind != shared || of.Text == nil {
		return nil
	}
	wanted, isText := syntax.TextOf(get.Key)
	colours := 0
	for _, f := range of.Text.Fields {
		text, written := f.Value.(*ast.StringExpr)
		key, _ := syntax.TextOf(f.Key)
		if !written {
			continue
		}
		if api.IsColor(text.Value) {
			colours++
		}
		if !isText || key == wanted {
			list = append(list, constant{shortly(get.Object) + keyed(key), text})
		}
	}
	if !isText && (literal(get.Key) != "" || colours == 0 || len(list) < len(of.Text.Fields)) {
		return nil
	}
	return list
}

// keyed returns how a message shows a key behind its table; empty: there is none.
func keyed(key string) string {
	if key == "" {
		return ""
	}
	return "." + key
}
