package lint

import (
	"strings"

	"github.com/hindcast/hindcast/luabind/internal/api"
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// calledValue checks a call of what is no function: self.fuel().
func (w *walker) calledValue(e *ast.FuncCallExpr) {
	switch of := w.scope.typeOf(e.Func); of {
	case "number", "string", "boolean", "nil", anObject:
		if syntax.NameOf(e.Func) == "game" && !w.inTick {
			return // it declares the match
		}
		w.report.say(e.Line(), nameIn(e.Func), "write it without ()", "%s is %s, and cannot be called",
			shortly(e.Func), aType(of))
	}
}

// textDotted checks name.upper(): a call of a function of string with a dot on a text, which is not passed.
func (w *walker) textDotted(e *ast.FuncCallExpr) {
	get, ok := e.Func.(*ast.AttrGetExpr)
	if !ok || w.scope.typeOf(get.Object) != "string" {
		return
	}
	name, _ := syntax.TextOf(get.Key)
	m := library.Function("string", name)
	if m == nil {
		return
	}
	passed, open := count(e.Args)
	least, _ := m.Arguments()
	if of := w.scope.typeOf(first(e.Args)); !open && passed < least || of == "number" {
		w.report.say(e.Line(), name, "write "+quoted(get.Object)+":"+name+"(...)",
			"%s is called with a dot, and so without its text", name)
	}
}

// quoted returns how a call of a method of an expression is written.
func quoted(e ast.Expr) string {
	if _, written := e.(*ast.StringExpr); written {
		return "(" + shortly(e) + ")"
	}
	return shortly(e)
}

// classHook checks Ship:tick() and Ship.tick(), which give the hook the class, or nothing, instead of an object.
func (w *walker) classHook(c *class, name string, e *ast.FuncCallExpr) {
	if _, isMethod := c.methods[name]; isMethod && api.HookMember(name) != nil && c.colon[name] {
		w.report.say(e.Line(), name, "write "+c.name()+"."+name+"(self) for the hook of the class "+c.name(),
			"%s:%s is called without an object", c.name(), name)
	}
}

// givesNothing checks that the result of a function that has none is not used.
func (w *walker) givesNothing(e ast.Expr) {
	call, ok := e.(*ast.FuncCallExpr)
	if !ok || call.Receiver != nil || w.scope.shows() != nil {
		return
	}
	m := w.scope.callee(call.Func)
	if m == nil || len(m.Returns) > 0 || m.Name == "error" {
		return
	}
	hint := "write it on a line of its own"
	if of := shortly(first(call.Args)); of != "this" && strings.HasPrefix(m.Signature(), m.Name+"(t") {
		hint += ", and use " + of
	}
	w.report.say(call.Line(), m.Name, hint, "%s returns nothing", m.Name)
}

// shownNumbers checks the values of string.format that stand for numbers.
func (w *walker) shownNumbers(e *ast.FuncCallExpr) {
	args := w.scope.formatArguments(e)
	text, _ := syntax.TextOf(first(args))
	verbs := strings.Split(strings.ReplaceAll(text, "%%", ""), "%")[1:]
	for i, verb := range verbs {
		verb = strings.TrimLeft(verb, "-+ #0123456789.")
		if i+1 >= len(args) || verb == "" || !strings.Contains("diufgGeExXoc", verb[:1]) {
			continue
		}
		given := w.scope.argument(args[i+1])
		if given.of == "" || given.of == "number" || given.of == "string" && !given.words {
			continue
		}
		w.report.say(e.Line(), "format", "write %s for a text and for true or false",
			"format: %%%s shows a number, and is given %s", verb[:1], aType(given.of))
		return
	}
}
