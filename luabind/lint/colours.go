package lint

import (
	"regexp"

	"github.com/hindcast/hindcast/luabind/internal/api"
	"github.com/hindcast/hindcast/luabind/internal/ident"
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// rxBareHex matches the digits of a colour without what is before them.
var rxBareHex = regexp.MustCompile(`^([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$`)

// rxTemplate matches the colour of a look that is what one field holds.
var rxTemplate = regexp.MustCompile(`^\{(\w+)\}$`)

// firstColor reports a text that is no colour with which a field begins that look names.
func (c *class) firstColor(r *report) {
	for _, name := range ident.Keys(c.fields) {
		p, line := c.fields[name], c.declared[name]
		if p.color && line > 0 && !api.IsColor(p.text) {
			r.sayIn(syntax.Place{File: c.file, Line: line}, p.text, colorInstead(p.text), "%s: %q is not a colour", p.name, p.text)
		}
	}
}

// color reports the texts that an expression may be and that are no colours. of is what has the colour.
func (r *report) color(of string, e ast.Expr, line int) {
	for _, text := range textsOf(e) {
		if api.IsColor(text) {
			continue
		}
		r.say(line, text, colorInstead(text), "%s: %q is not a colour", of, text)
	}
}

// colorInstead says what to write in the place of a text that is no colour.
func colorInstead(text string) string {
	if rxBareHex.MatchString(text) {
		return "write #" + text
	}
	return didYouMean(text, api.ColorNames(), "a colour is #rgb, #rrggbb or a name such as orange")
}

// textsOf returns the texts that an expression may be: of a and "x" or "y", both.
func textsOf(e ast.Expr) []string {
	if text, ok := syntax.TextOf(e); ok {
		return []string{text}
	}
	either, ok := e.(*ast.LogicalOpExpr)
	switch {
	case !ok:
		return nil
	case either.Operator == "and":
		return textsOf(either.Rhs)
	}
	return append(textsOf(either.Lhs), textsOf(either.Rhs)...)
}

// isOneOfTexts reports whether an expression is one of the texts that textsOf returns, or no text.
func isOneOfTexts(e ast.Expr) bool {
	either, ok := e.(*ast.LogicalOpExpr)
	if !ok {
		return literal(e) == "string"
	}
	return isOneOfTexts(either.Rhs) && (either.Operator == "and" || isOneOfTexts(either.Lhs))
}

// teamColors checks the colours of teams { ... }.
func (r *report) teamColors(e ast.Expr) {
	teams, ok := e.(*ast.TableExpr)
	if !ok {
		return
	}
	for _, f := range teams.Fields {
		if color := valueOf(f.Value, "color"); color != nil {
			name, _ := syntax.TextOf(f.Key)
			r.color("teams."+name+".color", color, max(color.Line(), f.Value.Line()))
		}
	}
}
