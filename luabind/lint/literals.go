package lint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hindcast/hindcast/luabind"
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

// argument is what is known of a value that a function is given.
type argument struct {
	of    string // its type; "": not known
	words bool   // it is a text that stands for no number
}

// argument returns what is known of a value that a function is given.
func (s *scope) argument(e ast.Expr) argument { return argument{s.typeOf(e), s.isWords(e)} }

// isWords reports whether an expression is a text that stands for no number: one that is written out, or the value of a
// declared field. Other texts may be numbers.
func (s *scope) isWords(e ast.Expr) bool {
	if text, isText := syntax.TextOf(e); isText {
		_, reads := syntax.ParseNumber(text)
		return !reads
	}
	v := s.infer(e)
	return v.Kind == anything && v.Type == "string" && v.Field
}

// fits reports whether a parameter may be given a value.
func (a argument) fits(p *api.Param) bool {
	if a.of == "" || a.of == "nil" && (p.Optional || strings.HasSuffix(p.Type, "?")) {
		return true
	}
	if strings.HasPrefix(p.Type, "{") || strings.HasPrefix(p.Type, "fun(") {
		return a.of == strings.NewReplacer("{", "table", "f", "function").Replace(p.Type[:1])
	}
	for _, of := range strings.Split(p.Type, "|") {
		if a.is(p, strings.TrimSpace(of)) {
			return true
		}
	}
	return false
}

// is reports whether a value is of one of the types that a parameter takes.
func (a argument) is(p *api.Param, of string) bool {
	switch of {
	case "number", "integer":
		return a.of == "number" || a.of == "string" && !a.words
	case "string":
		return a.of == "string" || a.of == "number" && !slices.Contains([]string{"class", "module", "name", "team"}, p.Name)
	case "function", "boolean", "thread":
		return a.of == of || of == "boolean"
	case "Object", "Joint":
		return a.of == anObject
	case "any":
		return true
	}
	return !isTableType(of) || a.of == "table"
}

// isTableType reports whether a type is that of a table with certain keys.
func isTableType(of string) bool {
	return strings.HasPrefix(of, "table") || strings.HasSuffix(of, "[]") || strings.HasSuffix(of, "Args") || strings.HasSuffix(of, "Options")
}

// types checks the arguments of a call whose types are known, up to the first that is wrong.
func (k *checks) types(s *scope, m *api.Member, e *ast.FuncCallExpr) {
	if slices.ContainsFunc(e.Args, s.isUndefined) {
		return // which is said, and one of these may be meant
	}
	_, most := m.Arguments()
	for i, a := range e.Args[:len(e.Args)-surplusNils(e.Args, most)] {
		p := &m.Params[min(i, len(m.Params)-1)]
		given, name := s.argument(a), p.Name
		if name == "..." {
			name = fmt.Sprintf("argument %d", i+1)
		}
		if of := s.infer(a); of.Kind == kept && p.Type == "table" && !takesKept(m, of.Part) {
			k.report.say(e.Line(), or(nameIn(e), m.Name), "copy it into a table of the hook", "%s: %s must be a table, and is %s of state",
				m.Name, name, of.Part.is())
			return
		}
		if !given.fits(p) {
			k.report.say(e.Line(), or(nameIn(e), m.Name), s.givingInstead(m, p, e, a, given), "%s: %s must be %s, and is %s", m.Name,
				name, kindOf(p.Type), aKind(given.of))
			return
		}
	}
}

// takesKept reports whether a function that takes a table takes a list, or a record, of state.
func takesKept(m *api.Member, p *part) bool {
	for _, name := range []string{"concat", "insert", "ipairs", "next", "pairs", "rawget", "rawset", "remove", "sort", "unpack"} {
		if m == library.Function("table", name) || m == library.Function("", name) {
			return p.item != nil || slices.Contains([]string{"next", "pairs", "rawget", "rawset"}, name)
		}
	}
	return false
}

// givingInstead says what to write in the place of an argument of a wrong type.
func (s *scope) givingInstead(m *api.Member, p *api.Param, call *ast.FuncCallExpr, e ast.Expr, given argument) string {
	if given.of == "function" && p.Name == "name" && api.StartsTimer(m.Name) {
		name := "later"
		if _, written := e.(*ast.FunctionExpr); !written {
			name = nameIn(e)
		}
		if api.HookMember(name) != nil || api.GameHookMember(name) != nil {
			return s.game.callingHook(m.Name, name)
		}
		if _, isLocal := s.lookUp(name); !isLocal && s.isOwnFunction(e) {
			return "name it: " + m.Name + "(..., \"" + name + "\")"
		}
		return "name a function of the class: " + m.Name + "(..., \"" + name + "\")"
	}
	if given.of == "function" && m == library.Function("", "spawn") {
		return "spawn(\"Class\", { x = 1, y = 2 }) makes an object, and after(seconds, \"name\") calls a function of the class later"
	}
	if given.of == "function" && s.isGlobal(e, "player") {
		return playerHint
	}
	if m.Name == "playerName" && given.of == "table" {
		return "give the number of a player: v.player, or " + shortly(e) + ".owner of an object"
	}
	if m.Name == "random" && given.of == "table" && named(e) != nil {
		return "write " + shortly(e) + "[random(#" + shortly(e) + ")] for one of its items"
	}
	if list := s.listBehind(m, call, e); list != nil {
		return "the list comes first: table." + m.Name + "(" + shortly(list) + ", ...)"
	}
	if c := s.classVariable(e); c != nil && p.Name == "class" {
		return "write the name of the class: " + m.Name + "(\"" + c.name() + "\")"
	}
	if given.of == anObject && (m.Name == "ipairs" || m.Name == "pairs") {
		return s.oneObject(e)
	}
	if p.Name == "options" && luabind.JointOptions(m.Name) != nil && given.of == "number" {
		return "write { " + luabind.MainOption(m.Name) + " = " + or(numberOf(e), shortly(e)) + " }"
	}
	if given.of == "function" && named(e) != nil && p.Name == "name" && p.Type == "string" {
		return "write the name as a text: " + m.Name + "(\"" + nameIn(e) + "\")"
	}
	if given.of == "function" && named(e) != nil && !api.StartsTimer(m.Name) {
		return s.callIt(e)
	}
	if _, isText := syntax.TextOf(e); api.StartsTimer(m.Name) && (isText || given.of == "function" || p.Name == "name") {
		return "the seconds come first: " + m.Name + `(0.5, "name")`
	}
	if strings.HasPrefix(p.Type, "{") && (given.of == "string" || given.of == "number") {
		return or(s.asTable(m, call), "write "+m.Name+" { ... }, with braces")
	}
	if p.Name == "b" && luabind.JointOptions(m.Name) != nil && given.of == "table" {
		return "the objects come first: " + m.Name + "(self, " + asWritten(call.Args[0]) + ", { ... }), or nil for the world"
	}
	if player := playerIn(s.infer(e), e); p.Name == "player" && given.of == "table" && player != "" {
		return "give the number of a player: " + player
	}
	if p.Name == "player" && (given.of == anObject || given.words) {
		return "give the number of a player, such as self.owner"
	}
	if _, isText := syntax.TextOf(e); given.words && !isText && (p.Type == "number" || p.Type == "integer") {
		return "write tonumber(" + shortly(e) + ") or 0"
	}
	return "the signature is " + m.Signature()
}

// oneObject says what to write in the place of a loop through one object.
func (s *scope) oneObject(e ast.Expr) string {
	call, ok := e.(*ast.FuncCallExpr)
	if name := nameIn(e); ok && call.Receiver == nil && (name == "raycast" || name == "nearest") {
		hint := "it gives one object, or nil: local o = " + name + "(...) if o then ... end"
		if name == "raycast" {
			hint += "; raycastAll gives a list"
		}
		return hint
	}
	return "it is one object, and no list of objects: use it without a loop"
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

// lacksMethod reports whether an expression is an object of a class that has no such method.
func (s *scope) lacksMethod(e ast.Expr, name string) bool {
	v := s.infer(e)
	return v.Kind == object && v.Class != nil && s.game.lacks(v.Class, name)
}

// dotted checks a call of a method of an object with a dot.
func (k *checks) dotted(s *scope, e *ast.FuncCallExpr) {
	get, ok := e.Func.(*ast.AttrGetExpr)
	if !ok {
		return
	}
	if k.testDotted(s, e, get) {
		return
	}
	name, _ := syntax.TextOf(get.Key)
	on := shortly(get.Object)
	isObject := func(e ast.Expr) bool { kind := s.infer(e).Kind; return kind == object || kind == someObject }
	if v := s.infer(get.Object); v.Kind == input && api.InputMethod(name) != nil {
		k.report.sayAbout(topic{anInputOf, v.Class.name(), ""}, e.Line(), name, "write "+on+":"+name+"(...)",
			"%s is called with a dot, and so without the input", name)
		return
	}
	if v := s.infer(get.Object); v.Kind == classTable && v.Class.colon[name] && api.HookMember(name) != nil &&
		len(e.Args) == 0 {
		k.report.say(e.Line(), name, "write "+on+"."+name+"(self)", "%s is called without an object", name)
		return
	}
	if v := s.infer(get.Object); v.Kind == classTable && len(e.Args) == 0 && s.game.needsSelf(s.game.functionsOf.ofClass(v.Class, name)) {
		k.report.say(e.Line(), name, "write "+on+"."+name+"(self)", "%s is called without an object", name)
		return
	}
	only := s.game.only(name)
	if v := s.infer(get.Object); (v.Kind == object && v.Class.colon[name] || v.Kind == someObject && only != nil && only.colon) &&
		(len(e.Args) == 0 || s.typeOf(e.Args[0]) != "" && !isObject(e.Args[0]) || s.lacksMethod(e.Args[0], name)) {
		k.report.say(e.Line(), name, "write "+on+":"+name+"(...)",
			"%s is called with a dot, and so without its object", name)
		return
	}
	if m := library.Method(name); m != nil && isObject(get.Object) && isObject(first(e.Args)) {
		rest := *e
		rest.Args = e.Args[1:]
		k.arguments(s, m, &rest)
		return
	}
	if on == "this" || library.Method(name) == nil || !isObject(get.Object) {
		return
	}
	k.report.say(e.Line(), name, "write "+on+":"+name+"(...)",
		"%s is called with a dot, and so without its object", name)
}
