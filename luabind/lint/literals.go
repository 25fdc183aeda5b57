package lint

import (
	"strings"

	"github.com/hindcast/hindcast/luabind/internal/api"
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// literal returns the type of an expression that says it itself; "": it does not.
func literal(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.NumberExpr:
		return "number"
	case *ast.UnaryMinusOpExpr:
		if literal(e.Expr) == "number" {
			return "number"
		}
	case *ast.StringExpr:
		return "string"
	case *ast.TrueExpr, *ast.FalseExpr:
		return "boolean"
	case *ast.NilExpr:
		return "nil"
	case *ast.TableExpr:
		return "table"
	case *ast.FunctionExpr:
		return "function"
	}
	return ""
}

// takesLiteral reports whether a parameter may be given a literal of a type.
func takesLiteral(p *api.Param, kind string, e ast.Expr) bool {
	if kind == "" || kind == "nil" && p.Optional {
		return true
	}
	if strings.HasPrefix(p.Type, "{") || strings.HasPrefix(p.Type, "fun(") {
		return kind == strings.NewReplacer("{", "table", "f", "function").Replace(p.Type[:1])
	}
	for _, of := range strings.Split(p.Type, "|") {
		if takesKind(p, strings.TrimSpace(of), kind, e) {
			return true
		}
	}
	return false
}

func takesKind(p *api.Param, of, kind string, e ast.Expr) bool {
	switch of {
	case "number", "integer":
		text, isText := syntax.TextOf(e)
		_, reads := syntax.ParseNumber(text)
		return kind == "number" || kind == "string" && (!isText || reads)
	case "string":
		return kind == "string" || kind == "number" && p.Name != "class" && p.Name != "name" && p.Name != "module"
	case "function", "boolean":
		return kind == of || of == "boolean"
	case "Object", "Joint":
		return kind == anObject
	case "any":
		return true
	}
	return !isTableType(of) || kind == "table"
}

// isTableType reports whether a type is that of a table with certain keys.
func isTableType(of string) bool {
	return strings.HasPrefix(of, "table") || strings.HasSuffix(of, "Args") || strings.HasSuffix(of, "Options")
}

// types checks the arguments of a call whose types are known, up to the first that is wrong.
func (k *checks) types(s *scope, m *api.Member, e *ast.FuncCallExpr) {
	for i := range min(len(m.Params), len(e.Args)) {
		p, kind := &m.Params[i], s.typeOf(e.Args[i])
		if p.Name == "..." {
			return
		}
		if !takesLiteral(p, kind, e.Args[i]) {
			k.report.say(e.Line(), m.Name, "the signature is "+m.Signature(),
				"%s: %s must be %s, and is %s", m.Name, p.Name, kindOf(p.Type), aKind(kind))
			return
		}
	}
}

// aKind names the type of an argument with its article.
func aKind(kind string) string {
	if kind == anObject {
		return "an object"
	}
	return "a " + kind
}

// kindOf describes the type of a parameter.
func kindOf(of string) string {
	switch {
	case strings.HasPrefix(of, "{"), strings.HasPrefix(of, "table"), isTableType(of):
		return "a table"
	case strings.HasPrefix(of, "fun"):
		return "a function"
	case of == "Object":
		return "an object"
	case of == "integer":
		return "a whole number"
	}
	return "a " + of
}

// dotted checks a call of a method of an object with a dot.
func (k *checks) dotted(s *scope, e *ast.FuncCallExpr) {
	get, ok := e.Func.(*ast.AttrGetExpr)
	if !ok {
		return
	}
	name, _ := syntax.TextOf(get.Key)
	on := shortly(get.Object)
	isObject := func(e ast.Expr) bool { kind := s.infer(e).Kind; return kind == object || kind == someObject }
	if v := s.infer(get.Object); v.Kind == input && api.InputMethod(name) != nil {
		k.report.say(e.Line(), name, "write "+on+":"+name+"(...)",
			"%s is called with a dot, and so without the input", name)
		return
	}
	if v := s.infer(get.Object); v.Kind == classTable && v.Class.colon[name] && api.HookMember(name) != nil &&
		len(e.Args) == 0 {
		k.report.say(e.Line(), name, "write "+on+"."+name+"(self)", "%s is called without an object", name)
		return
	}
	if v := s.infer(get.Object); v.Kind == object && v.Class.colon[name] &&
		(len(e.Args) == 0 || s.typeOf(e.Args[0]) != "" && !isObject(e.Args[0])) {
		k.report.say(e.Line(), name, "write "+on+":"+name+"(...)",
			"%s is called with a dot, and so without its object", name)
		return
	}
	if on == "this" || library.Method(name) == nil || !isObject(get.Object) || isObject(first(e.Args)) {
		return
	}
	k.report.say(e.Line(), name, "write "+on+":"+name+"(...)",
		"%s is called with a dot, and so without its object", name)
}
