package lint

import (
	"regexp"
	"slices"
	"strings"

	"github.com/hindcast/hindcast/luabind/internal/api"
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/hindcast/hindcast/world"
	"github.com/yuin/gopher-lua/ast"
)

// rxFieldName matches what may be the name of a field.
var rxFieldName = regexp.MustCompile(`^[A-Za-z_]\w*$`)

// calledValue checks a call of what is no function: self.fuel().
func (w *walker) calledValue(e *ast.FuncCallExpr) {
	if w.scope.infer(e.Func).Kind == arena {
		w.report.say(e.Line(), "arena", "write arena.width and arena.height, without ()", "arena is a table, and cannot be called")
		return
	}
	switch of := w.scope.typeOf(e.Func); of {
	case "number", "string", "boolean", "nil", anObject:
		if syntax.NameOf(e.Func) == "game" && !w.inTick {
			return // it declares the match
		}
		if of == "nil" && foreignList[syntax.LastName(e.Func)] != "" {
			return // it is said that tables have no such member
		}
		if t, again := w.calledAgain(e); again {
			w.report.say(t.Line(), "{", "write return { ... }", "what line %d calls is called again with the table of line %d", e.Func.Line(), t.Line())
			return
		}
		hint := "write it without ()"
		if of == "nil" {
			hint = "give it a function"
		}
		if field, isText := syntax.TextOf(first(e.Args)); isText && of == anObject && len(e.Args) == 1 && rxFieldName.MatchString(field) {
			hint = "write " + shortly(e.Func) + "." + field
		}
		w.report.say(e.Line(), nameIn(e.Func), hint, "%s is %s, and cannot be called",
			shortly(e.Func), aType(of))
	}
}

// calledAgain returns the table of a line of its own with which the result of the call in the line above is called.
func (w *walker) calledAgain(e *ast.FuncCallExpr) (t *ast.TableExpr, again bool) {
	_, isCall := e.Func.(*ast.FuncCallExpr)
	t, again = first(e.Args).(*ast.TableExpr)
	return t, again && isCall && len(e.Args) == 1 && t.Line() > e.Func.Line()
}

// misspeltLibrary checks math.foor(x) in a file of a subfolder, which may look whether the library has a function: a name
// that is called and nowhere tested is not meant to be missing. Of a function that the game does not use, only what is
// misspelt is said: it may be a library that is written for other programs. The loader finds it in other files.
func (w *walker) misspeltLibrary(e *ast.FuncCallExpr) {
	get, ok := e.Func.(*ast.AttrGetExpr)
	if !ok || !syntax.IsModule(w.report.current()) {
		return
	}
	base := syntax.NameOf(get.Object)
	name, _ := syntax.TextOf(get.Key)
	problem := library.NoMember(base, name)
	if problem == "" || !w.scope.isGlobal(get.Object, base) || !strings.Contains(problem, "did you mean") && !w.game.reached[w.within] ||
		w.scope.fields[name] || w.tested[base+"."+name] {
		return
	}
	message, hint, _ := strings.Cut(problem, "; ")
	hint = or(hint, "docs/reference.md lists what scripts can use")
	w.report.say(max(get.Line(), get.Key.Line()), name, hint, "%s", message)
}

// ofItself checks M.b() in the file that returns the table M, which has no b once the file is loaded.
func (w *walker) ofItself(e *ast.FuncCallExpr) {
	of, name := e.Receiver, e.Method
	if get, ok := e.Func.(*ast.AttrGetExpr); ok && of == nil {
		of = get.Object
		name, _ = syntax.TextOf(get.Key)
	}
	table := syntax.NameOf(of)
	if _, isLocal := w.scope.lookUp(table); !isLocal || table == "" || table != w.returns || w.scope.again[table] || w.scope.fields[name] ||
		w.tested[table+"."+name] {
		return
	}
	w.checks.ofModule(w.report.current(), name, e.Line(), "function", true)
}

// returnedBy returns the name of the variable that a file returns; empty: it returns something else.
func returnedBy(tree []ast.Stmt) string {
	if len(tree) == 0 {
		return ""
	}
	last, ok := tree[len(tree)-1].(*ast.ReturnStmt)
	if !ok || len(last.Exprs) != 1 {
		return ""
	}
	return syntax.NameOf(last.Exprs[0])
}

// testedIn returns the members of global tables that code looks up without calling them at once: math.pow of math.pow
// or f.
func testedIn(tree []ast.Stmt) map[string]bool {
	called, tested := map[ast.Expr]bool{}, map[string]bool{}
	eachExpr(tree, func(e ast.Expr) {
		switch e := e.(type) {
		case *ast.FuncCallExpr:
			called[e.Func] = true
		case *ast.AttrGetExpr:
			if name, isText := syntax.TextOf(e.Key); isText && !called[e] {
				tested[syntax.NameOf(e.Object)+"."+name] = true
			}
		}
	})
	return tested
}

// textMissing checks string.sub(1, 16): the text is missing, and the number is taken for it.
func (w *walker) textMissing(e *ast.FuncCallExpr) {
	get, ok := e.Func.(*ast.AttrGetExpr)
	name := nameIn(e)
	if !ok || !w.scope.isGlobal(get.Object, "string") || library.Function("string", name) == nil ||
		!slices.Contains([]string{"sub", "find", "match", "gmatch", "gsub"}, name) || literal(first(e.Args)) != "number" {
		return
	}
	w.report.say(e.Line(), name, "the text comes first: string."+name+"(text, ...)", "%s is given a number in the place of its text", name)
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
		return
	}
	if f := w.game.functionsOf.ofClass(c, name); f != nil && f.takesSelf() && usesObject(f.f.Stmts, c) {
		w.report.say(e.Line(), name, "write "+c.name()+"."+name+"(self, ...) for the method of the class "+c.name(),
			"%s:%s is given the class in the place of an object", c.name(), name)
	}
}

// takesSelf reports whether a function has self as its first parameter.
func (f *ownFunction) takesSelf() bool {
	return f.colon || len(f.f.ParList.Names) > 0 && f.f.ParList.Names[0] == "self"
}

// usesObject reports whether the code of a method looks up a field of self, or calls what only objects have.
func usesObject(stmts []ast.Stmt, c *class) (uses bool) {
	eachExpr(stmts, func(e ast.Expr) {
		switch e := e.(type) {
		case *ast.AttrGetExpr:
			name, _ := syntax.TextOf(e.Key)
			uses = uses || syntax.NameOf(e.Object) == "self" && c.fields[name] != nil
		case *ast.FuncCallExpr:
			uses = uses || e.Receiver != nil && syntax.NameOf(e.Receiver) == "self" && library.Method(e.Method) != nil
		}
	})
	return uses
}

// nothing returns the name of the function that an expression calls and that returns nothing; empty: it may return
// something, or is no such call.
func (s *scope) nothing(e ast.Expr) string {
	call, ok := e.(*ast.FuncCallExpr)
	if !ok {
		return ""
	}
	if own := s.ownCall(call); own != nil && own.silent() {
		if s.game.dropped[lastCall(own.to.f.Stmts)].said {
			return ""
		}
		return own.name
	}
	m := s.callee(call.Func)
	if call.Receiver != nil {
		v := s.infer(call.Receiver)
		if m = v.method(call.Method); v.Kind == object && v.Class.isSilent(call.Method) && s.game.isLoaded() {
			return call.Method
		}
	}
	if m == nil || len(m.Returns) > 0 || m.Name == "error" {
		return ""
	}
	return m.Name
}

// emptyCall returns the name of the function of the game's files that an expression calls and that returns nothing, as an
// empty one; empty: it is no such call.
func (s *scope) emptyCall(e ast.Expr) string {
	call, isCall := e.(*ast.FuncCallExpr)
	if !isCall {
		return ""
	}
	if own := s.ownCall(call); own != nil && len(own.to.f.Stmts) == 0 {
		return own.name
	}
	return ""
}

// givesNothing checks that the result of a function that has none is not used. said reports that there is a finding.
func (w *walker) givesNothing(e ast.Expr) (said bool) {
	name := w.scope.nothing(e)
	if name == "" {
		return false
	}
	call := e.(*ast.FuncCallExpr)
	own := w.scope.ownCall(call)
	if own == nil && w.scope.shows() != nil {
		return false
	}
	if own != nil && w.forgotten(own, call.Line()) {
		return true
	}
	hint := "write it on a line of its own"
	about := topic{}
	if own != nil {
		about = own.missingReturn()
		hint = "end it with return and a value (" + about.of + "), or call it on a line of its own"
	}
	if name == world.OnTick.String() && call.Receiver == nil && len(call.Args) == 0 {
		hint = "it is the hook that runs in each tick; now() is the time of the world in seconds"
	}
	if m := w.scope.callee(call.Func); m != nil {
		of := shortly(first(call.Args))
		if of != "this" && strings.HasPrefix(m.Signature(), m.Name+"(t") {
			hint += ", and use " + of
		}
	}
	w.report.sayAbout(about, call.Line(), name, hint, "%s returns nothing", name)
	return true
}

// givenNothing checks that no argument of a call is a call of a function that returns nothing: pcall(self:remove()).
func (w *walker) givenNothing(e *ast.FuncCallExpr) {
	for i, a := range e.Args {
		call, isCall := a.(*ast.FuncCallExpr)
		name := w.scope.nothing(a)
		if m := w.scope.calledMember(e); name == "" && m != nil && i < len(m.Params) && !m.Params[i].Optional && !strings.HasSuffix(m.Params[i].Type, "?") &&
			m.Params[i].Type != "any" && m.Params[i].Name != "..." {
			if name = w.scope.emptyCall(a); name != "" {
				w.report.say(e.Line(), name, "end it with return and a value", "%s returns nothing, and %s needs a value", name, m.Name)
				return
			}
		}
		if !isCall || name == "" {
			continue
		}
		of, instead := syntax.NameOf(e.Func), ""
		switch {
		case w.scope.isGlobal(e.Func, "select") && i > 0 && i == len(e.Args)-1:
			continue // select("#", f()) counts the results
		case w.scope.isGlobal(e.Func, "pcall", "xpcall") && i == 0:
			instead = "write " + of + "(" + passed(call) + ")"
		case w.scope.isGlobal(e.Func, api.After, api.Every) && i == 1:
			instead = "write " + of + "(" + or(numberOf(e.Args[0]), "seconds") + `, "` + name + `")`
		default:
			w.givesNothing(a)
			continue
		}
		w.report.say(e.Line(), of, instead, "%s is given what %s returns, which is nothing, because it is called before",
			of, name)
	}
}

// protectedMethod checks pcall(self.aim), which calls the method without its object, and pcall(cost(2)). said reports that
// there is a finding.
func (w *walker) protectedMethod(e *ast.FuncCallExpr) (said bool) {
	if !w.scope.isGlobal(e.Func, "pcall") || len(e.Args) != 1 {
		return false
	}
	if call, isCall := e.Args[0].(*ast.FuncCallExpr); isCall {
		if w.scope.isGlobal(call.Func, "error") {
			w.report.say(e.Line(), "pcall", "write pcall("+passed(call)+")", "error is called before pcall, which does not catch it")
			return true
		}
		own := w.scope.ownCall(call)
		if said = own != nil && !own.silent() && own.plain(); said {
			w.report.say(e.Line(), "pcall", "write pcall("+passed(call)+")", "pcall is given what %s returns, and not the function", own.name)
		}
		return said
	}
	get, ok := e.Args[0].(*ast.AttrGetExpr)
	if !ok {
		return false
	}
	name, _ := syntax.TextOf(get.Key)
	v, on := w.scope.infer(get.Object), shortly(get.Object)
	if isObject := v.Kind == object || v.Kind == someObject; !isObject || on == "this" ||
		library.Method(name) == nil && (v.Kind != object || !v.Class.colon[name]) {
		return false
	}
	w.report.say(e.Line(), "pcall", "write pcall("+on+"."+name+", "+on+")", "pcall calls %s without its object", name)
	return true
}

// plain reports whether a function of the game's files returns no functions, as far as its text tells.
func (c *ownCall) plain() bool {
	returns, plain := false, true
	eachStmt(c.to.f.Stmts, func(s ast.Stmt) {
		if r, ok := s.(*ast.ReturnStmt); ok && len(r.Exprs) > 0 {
			returns, plain = true, plain && isPlainValue(r.Exprs[0])
		}
	})
	return returns && plain
}

// isPlainValue reports whether an expression is no function whatever its variables hold.
func isPlainValue(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.ArithmeticOpExpr, *ast.RelationalOpExpr, *ast.StringConcatOpExpr, *ast.UnaryLenOpExpr, *ast.UnaryMinusOpExpr, *ast.UnaryNotOpExpr:
		return true
	case *ast.LogicalOpExpr:
		return isPlainValue(e.Rhs)
	}
	of := literal(e)
	return of != "" && of != "function"
}

// passed returns what pcall is given in the place of a call: self.remove, self.
func passed(call *ast.FuncCallExpr) string {
	parts := []string{shortly(call.Func)}
	if call.Receiver != nil {
		parts = []string{shortly(call.Receiver) + "." + call.Method, shortly(call.Receiver)}
	}
	for _, a := range call.Args {
		parts = append(parts, or(numberOf(a), shortly(a)))
	}
	if slices.Contains(parts, "this") {
		return parts[0] + ", ..."
	}
	return strings.Join(parts, ", ")
}

// shownNumbers checks the values of string.format that stand for numbers.
func (w *walker) shownNumbers(e *ast.FuncCallExpr) {
	args := w.scope.formatArguments(e)
	text, _ := syntax.TextOf(first(args))
	verbs := strings.Split(strings.ReplaceAll(text, "%%", ""), "%")[1:]
	for i, verb := range verbs {
		verb = strings.TrimLeft(verb, "-+ #0123456789.")
		if verb != "" && !strings.Contains("cdeEfgGioqsuxX", verb[:1]) {
			w.report.say(e.Line(), "format", "%d shows a number, %.2f one with two digits, %s a text, and %% is a %",
				"format: there is no %%%s", verb[:1])
			return
		}
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

// dottedMethod checks bus.emit("horn", self), where the only emit of the files is defined with a colon and called with one
// elsewhere, and looks something up in self: that is a text here.
func (w *walker) dottedMethod(e *ast.FuncCallExpr) {
	get, ok := e.Func.(*ast.AttrGetExpr)
	if !ok || w.game.known == nil || !w.game.isLoaded() || w.testing || w.steered != nil || w.scope.shows() != nil || w.scope.ownCall(e) != nil {
		return
	}
	name, _ := syntax.TextOf(get.Key)
	passed, open := count(e.Args)
	of := literal(first(e.Args))
	if passed == 0 && open || passed > 0 && !slices.Contains([]string{"string", "number", "boolean"}, of) {
		return
	}
	f := w.game.only(name)
	if v := w.scope.infer(get.Object); f == nil || !f.colon || w.game.known.forms[name] != isColon || v.Kind != module && (v.Kind != anything || v.Type != "") ||
		library.HasMember("string", name) || library.HasMember("table", name) || !looksInto(f.f, "self") || !w.game.callsWithColon(name) {
		return
	}
	on := shortly(get.Object)
	if call, isCall := get.Object.(*ast.FuncCallExpr); isCall {
		on = shortlyCalled(call)
	}
	w.report.say(e.Line(), name, "write "+on+":"+name+"(...)", "%s is called with a dot, and is defined with a colon, so that its self is %s", name,
		or(map[string]string{"string": "a text", "number": "a number", "boolean": "true or false"}[of], "nil"))
}

// callsWithColon reports whether files call a method with a name.
func (g *game) callsWithColon(name string) (calls bool) {
	for _, tree := range g.trees {
		eachExpr(tree, func(e ast.Expr) {
			call, ok := e.(*ast.FuncCallExpr)
			calls = calls || ok && call.Receiver != nil && call.Method == name
		})
	}
	return calls
}
