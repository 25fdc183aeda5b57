package lint

import (
	"slices"
	"strings"

	"github.com/hindcast/hindcast/luabind/internal/api"
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// asTable returns how a call is written whose function takes a table, and is passed its values one by one; empty: it takes
// none, or what is passed has no place in it.
func (s *scope) asTable(m *api.Member, e *ast.FuncCallExpr) string {
	switch {
	case m == library.Function("", "cue"), m == library.Function("", "spawn"):
		if name, isText := syntax.TextOf(first(e.Args)); isText && len(e.Args) > 1 {
			return withTable(m.Name+"(\""+name+"\", ", s.named(e.Args[1:]), ")")
		}
	case len(m.Params) == 1 && m.Params[0].Keys() != nil && s.shows() != nil:
		keys := m.Params[0].Keys()
		if m.Name == "text" {
			keys = s.shows().textKeys(keys)
		}
		return withTable(m.Name+" ", s.placed(&m.Params[0], keys, e.Args), "")
	}
	return ""
}

// withTable joins the fields of a table and what stands around it; empty: there are none.
func withTable(before string, fields []string, behind string) string {
	if len(fields) == 0 {
		return ""
	}
	return "write " + before + "{ " + strings.Join(fields, ", ") + " }" + behind
}

// asWritten returns how a hint shows a value.
func asWritten(e ast.Expr) string {
	text := or(numberOf(e), shortly(e))
	if text == "this" {
		return "..."
	}
	return text
}

// named returns values as fields of a table, with the names that they have where they are passed; nil: two are called
// alike, or one is a table.
func (s *scope) named(values []ast.Expr) (fields []string) {
	used := map[string]bool{}
	for i, e := range values {
		name := syntax.LastName(e)
		if name == "" && literal(e) == "number" && i < 2 {
			name = []string{"x", "y"}[i]
		} else if name == "" {
			name = "value"
		}
		if used[name] || s.typeOf(e) == "table" {
			return nil
		}
		used[name] = true
		fields = append(fields, name+" = "+asWritten(e))
	}
	return fields
}

// placed returns values as fields of a table with certain keys: under the key with its name, otherwise under the first
// free one that takes its type; nil: there is none for one of them.
func (s *scope) placed(p *api.Param, keys []string, values []ast.Expr) (fields []string) {
	free := slices.DeleteFunc(slices.Clone(keys), func(k string) bool { return k == "id" || k == "dx" || k == "dy" })
	given := make([]string, len(values))
	take := func(i int, fits func(key string) bool) {
		if at := slices.IndexFunc(free, fits); at >= 0 && given[i] == "" {
			given[i] = free[at]
			free = slices.Delete(free, at, at+1)
		}
	}
	for i, e := range values {
		take(i, func(key string) bool { return key == syntax.LastName(e) })
	}
	for i, e := range values {
		of := s.typeOf(e)
		take(i, func(key string) bool { return of != "" && of == p.KeyType(key) && key != "color" && key != "at" })
		take(i, func(key string) bool { return of != "" && of == p.KeyType(key) })
		switch given[i] {
		case "":
			return nil
		case "[1]":
			fields = append(fields, asWritten(e))
		default:
			fields = append(fields, given[i]+" = "+asWritten(e))
		}
	}
	return fields
}

// twoInstead says how a method that takes two numbers is called, and is given one thing: setPosition({ x = 1, y = 2 }).
func twoInstead(m *api.Member, e *ast.FuncCallExpr) string {
	if len(m.Params) != 2 || len(e.Args) != 1 || m.Params[0].Type != "number" || m.Params[1].Type != "number" || e.Receiver == nil ||
		numberOf(e.Args[0]) != "" {
		return ""
	}
	x, y := valueOf(e.Args[0], "x"), valueOf(e.Args[0], "y")
	if t, ok := e.Args[0].(*ast.TableExpr); ok && x == nil && len(t.Fields) == 2 && t.Fields[0].Key == nil && t.Fields[1].Key == nil {
		x, y = t.Fields[0].Value, t.Fields[1].Value
	}
	if x == nil || y == nil {
		return ""
	}
	if !isPlainly(x) || !isPlainly(y) {
		return "pass the two numbers without a table: " + quoted(e.Receiver) + ":" + m.Name + "(" + m.Params[0].Name + ", " + m.Params[1].Name + ")"
	}
	return "write " + quoted(e.Receiver) + ":" + m.Name + "(" + asWritten(x) + ", " + asWritten(y) + ")"
}

// isPlainly reports whether a hint shows a value whole: a number, or a name.
func isPlainly(e ast.Expr) bool {
	_, isMember := e.(*ast.AttrGetExpr)
	return numberOf(e) != "" || syntax.NameOf(e) != "" || isMember && shortly(e) != "this"
}
