package lint

import (
	"regexp"
	"slices"

	"github.com/hindcast/hindcast/luabind/internal/ident"
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/hindcast/hindcast/world"
	"github.com/yuin/gopher-lua/ast"
)

// types are what type() gives.
var types = []string{"boolean", "function", "nil", "number", "string", "table", "thread", "userdata"}

// ofLuaJIT is a type of LuaJIT, for which libraries look that run there too.
const ofLuaJIT = "cdata"

// compared checks a comparison that can never hold, or that ends the hook.
func (w *walker) compared(e *ast.RelationalOpExpr) {
	switch {
	case w.comparedSpan(e):
	case e.Operator != "==" && e.Operator != "~=":
		w.ordered(e)
	case w.comparedFalse(e, e.Lhs, e.Rhs) || w.comparedFalse(e, e.Rhs, e.Lhs):
	case w.comparedWord(e, e.Lhs, e.Rhs) || w.comparedWord(e, e.Rhs, e.Lhs):
	case w.comparedOptional(e, e.Lhs, e.Rhs) || w.comparedOptional(e, e.Rhs, e.Lhs):
	case w.comparedText(e, e.Lhs, e.Rhs) || w.comparedText(e, e.Rhs, e.Lhs):
	case !w.comparedWith(e, e.Lhs, e.Rhs):
		w.comparedWith(e, e.Rhs, e.Lhs)
	}
}

// ordered checks a < b and the like.
func (w *walker) ordered(e *ast.RelationalOpExpr) {
	left, right := w.scope.typeOf(e.Lhs), w.scope.typeOf(e.Rhs)
	_, chained := e.Lhs.(*ast.RelationalOpExpr)
	switch plain := left == "number" || left == "string" || left == "boolean" || left == "function"; {
	case chained:
		w.report.say(e.Line(), e.Operator, "write a < b and b < c",
			"a comparison is true or false, and %s cannot compare that", e.Operator)
	case left == right && (left == anObject && w.scope.infer(e.Lhs).Kind != joint || w.scope.isItem(e.Lhs) && w.scope.isItem(e.Rhs)):
		w.report.say(e.Line(), or(nameIn(e.Lhs), e.Operator), "compare one of their fields", "%s and %s are %s, which %s cannot compare", shortly(e.Lhs),
			shortly(e.Rhs), map[bool]string{true: "objects", false: "tables"}[left == anObject], e.Operator)
	case plain && right != "" && right != left ||
		left != "" && left != right && (right == "number" || right == "string"),
		left == "boolean" && right == left:
		hint := "compare two numbers, or two texts"
		if left == "table" && w.scope.isList(e.Lhs) {
			hint = "write #" + shortly(e.Lhs)
		} else if right == "table" && w.scope.isList(e.Rhs) {
			hint = "write #" + shortly(e.Rhs)
		} else if left == "function" {
			hint = w.scope.callIt(e.Lhs)
		} else if right == "function" {
			hint = w.scope.callIt(e.Rhs)
		}
		w.report.say(e.Line(), or(nameIn(e.Lhs), nameIn(e.Rhs)), hint,
			"%s cannot compare %s with %s", e.Operator, aType(left), aType(right))
	}
}

// or returns the first of two texts, the second if it is empty.
func or(a, b string) string {
	if a == "" {
		return b
	}
	return a
}

// comparedText checks type(x) == "text" and o.class == "Name". said reports that there is a finding.
func (w *walker) comparedText(e *ast.RelationalOpExpr, what, with ast.Expr) (said bool) {
	if _, either := with.(*ast.LogicalOpExpr); either {
		for _, text := range textsOf(with) {
			said = w.comparedText(e, what, &ast.StringExpr{Value: text}) || said
		}
		return said
	}
	text, isText := syntax.TextOf(with)
	switch what := what.(type) {
	case *ast.IdentExpr:
		if isText && w.scope.infer(what).Level && w.noLevel(text, e.Line()) {
			return true
		}
		return isText && w.comparedParam(e, what.Value, text)
	case *ast.FuncCallExpr:
		if isText && w.scope.isQuery(what.Func, "level") && w.noLevel(text, e.Line()) {
			return true
		}
		if isText && w.scope.isGlobal(what.Func, "type") && !slices.Contains(types, text) &&
			!(text == ofLuaJIT && syntax.IsModule(w.report.current())) {
			w.report.say(e.Line(), text, didYouMean(text, types, "there are "+world.Listed(types)),
				"type() never gives %q", text)
			return true
		}
	case *ast.AttrGetExpr:
		name, _ := syntax.TextOf(what.Key)
		v := w.scope.infer(what.Object)
		if isText && name == "team" && v.Kind == object && w.checks.teamOf(v.Class, with, e.Line()) {
			return true
		}
		if isText && name == "team" && v.Kind == object && w.comparedTeam(v.Class, text, e.Line()) {
			return true
		}
		if isText && v.Kind == frame && name == "level" && w.noLevel(text, e.Line()) {
			return true
		}
		if known := w.game.own().teamNames(); isText && v.Kind == shown && name == "team" && v.Class == w.scope.view.player() &&
			len(known) > 0 && text != "" && !slices.Contains(known, text) {
			w.report.say(e.Line(), text, didYouMean(text, known, "there are "+world.Listed(known)), "there is no team %s", text)
			return true
		}
		if isText && v.Kind == asked && w.comparedAnswer(name, text, e) {
			return true
		}
		if isText && w.comparedCue(v, what, text, e) {
			return true
		}
		if v.Kind == shown && name == "class" && isText && w.scope.view.objects != nil && w.scope.view.object(text) == nil {
			known := ident.Keys(w.scope.view.objects)
			w.report.say(e.Line(), text, didYouMean(text, known, theyDeclare(known)), noClass+"%s", text)
			return true
		}
		if name == "class" && v == (value{}) && !w.game.fieldNames[name] && w.classCompared(what, with, e.Line()) {
			return true
		}
		if name != "class" || !v.isObject() {
			return isText && w.comparedField(e, what, text)
		}
		if w.classCompared(what, with, e.Line()) {
			return true
		}
		if isText && v.Kind == object && w.comparedClass(v.Class, text, what.Object, e.Operator, e.Line()) {
			return true
		}
		if known := w.game.spawnable(); isText && w.game.anyObject() != nil && w.game.hidesNothing() &&
			w.game.class(text) == nil && text != world.WallClass {
			w.report.say(e.Line(), text, didYouMean(text, append(slices.Clone(known), world.WallClass), theyDeclare(known)),
				noClass+"%s", text)
			return true
		}
	}
	return false
}

// classCompared checks o.class == Ship. said reports that there is a finding.
func (w *walker) classCompared(what, with ast.Expr, line int) (said bool) {
	c := w.scope.classVariable(with)
	if c != nil {
		w.report.say(line, "class", "write "+shortly(what)+` == "`+c.name()+`"`,
			"%s is the name of the class, a text, and never equals the class itself", shortly(what))
	}
	return c != nil
}

// rxID matches what the id of an object looks like.
var rxID = regexp.MustCompile(`^[0-9a-f]*$`)

// comparedCue checks c.name == "goal" in the function of another cue, and a comparison of the id of an object with a text
// that is none. said reports that there is a finding.
func (w *walker) comparedCue(v value, what *ast.AttrGetExpr, text string, e *ast.RelationalOpExpr) (said bool) {
	name, _ := syntax.TextOf(what.Key)
	never := verdicts[e.Operator == "~="]
	isID := name == "object" && v.Kind == shownCue || name == "id" && (v.Kind == shown && v.Class != w.scope.view.player() || v.isObject())
	switch {
	case v.Kind == shownCue && name == "name" && v.Class.called != "the cue "+text:
		w.report.say(e.Line(), text, "write onCue(\""+text+"\", function(c) ... end) for the other", "%s is shown here, and c.name %s %q %s",
			v.Class.name(), e.Operator, text, never)
	case isID && !rxID.MatchString(text):
		hint := "compare its class, or a field of state"
		if v.Kind == shownCue {
			hint = "send what is needed in the cue, such as class = self.class"
		}
		w.report.say(e.Line(), text, hint, "%s is the id of an object, such as \"1a2\", so that %s %q %s", shortly(what), e.Operator, text, never)
	default:
		return false
	}
	return true
}

// noLevel checks the name of a level. said reports that there is a finding.
func (w *walker) noLevel(name string, line int) (said bool) {
	known := w.game.own().levelNames()
	if len(known) == 0 || slices.Contains(known, name) || name == "main" {
		return false
	}
	w.report.sayAbout(topic{sort: aLevel, name: name}, line, name, didYouMean(name, known, "there are "+world.Listed(known)),
		"level: game.toml has no [level.%s]", name)
	return true
}

// classVariable returns the class that a global is, nil if it is none.
func (s *scope) classVariable(e ast.Expr) *class {
	name := syntax.NameOf(e)
	if _, isLocal := s.lookUp(name); name == "" || isLocal {
		return nil
	}
	return s.game.vars[name]
}

// comparedWith checks a comparison of values of two types. said reports that there is a finding.
func (w *walker) comparedWith(e *ast.RelationalOpExpr, what, with ast.Expr) (said bool) {
	of, kind := w.scope.typeOf(what), w.scope.typeOf(with)
	_, table := with.(*ast.TableExpr)
	_, isCall := what.(*ast.FuncCallExpr)
	switch get, isGet := what.(*ast.AttrGetExpr); {
	case kind == "nil" && isGet && of != "" && of != anObject && of != "function" && w.scope.infer(get.Object).Kind == object:
		hint := "compare it with " + aType(of)
		if nameIn(what) == "owner" {
			hint = "the owner 0 is nobody: write " + shortly(what) + " == 0"
		} else if w.scope.isList(what) {
			hint = "an empty one has no items: write #" + shortly(what) + " == 0"
		} else if of == "table" {
			hint = "compare one of its parts"
		}
		w.report.say(e.Line(), nameIn(what), hint, "%s is %s, and never nil", shortly(what), aType(of))
		return true
	case kind == "nil" && isCall && w.scope.infer(what).Kind == found && shortly(what) != "this":
		w.report.say(e.Line(), nameIn(what), "an empty one has no items: write #"+shortly(what)+" == 0", "%s is a list, and never nil", shortly(what))
		return true
	case kind == "nil" && isGet && w.scope.neverNilShown(get):
		hint := "compare it with " + aType(of)
		if nameIn(what) == "player" {
			hint = "a spectator has the number 0: write " + shortly(what) + " == 0"
		}
		w.report.say(e.Line(), nameIn(what), hint, "%s is %s, and never nil", shortly(what), aType(of))
		return true
	case kind == "nil" && !isGet && literal(what) == "" && !w.scope.infer(what).Maybe && (of == "number" || of == "boolean" || of == "string"):
		w.report.say(e.Line(), nameIn(what), "compare it with "+aType(of), "%s is %s, and never nil", shortly(what), aType(of))
		return true
	case table:
		w.report.say(e.Line(), or(nameIn(what), "{"), "compare what the tables hold",
			"a new table never equals anything")
		return true
	case isGet && w.scope.infer(get.Object).Own != nil: // the file gives it values of its own
		return false
	case kind == "boolean" && w.scope.infer(what).False: // as what x and stats(p) gives
		return false
	case of == "" || kind == "" || of == kind || of == "nil" || kind == "nil" ||
		literal(what) != "" && literal(with) == "":
		return false
	case isGet && w.scope.infer(get.Object).Kind == input:
		name, _ := syntax.TextOf(get.Key)
		if of == "boolean" {
			w.report.say(e.Line(), name, "write if "+syntax.NameOf(get.Object)+"."+name+" then",
				"the input %s is true or false, and never %s", name, aKind(kind))
		} else {
			w.report.say(e.Line(), name, "compare it with a number",
				"the input %s is a number, and never %s", name, aKind(kind))
		}
		return true
	}
	hint := "compare it with " + aType(of)
	if of == "table" && kind == "number" {
		hint = "write #" + shortly(what)
	}
	if w.scope.infer(what).Kind == shown && kind == "number" {
		hint = "write " + shortly(what) + ".owner for the number of its player"
	}
	if of == "function" {
		hint = w.scope.callIt(what)
	}
	if c := w.scope.classVariable(with); of == anObject && c != nil {
		hint = "write " + shortly(what) + `:is("` + c.name() + `")`
	}
	if _, isNot := what.(*ast.UnaryNotOpExpr); isNot {
		hint = "not a == b is (not a) == b: write a ~= b"
	} else if text, isText := syntax.TextOf(with); of == anObject && isText && w.game.class(text) != nil {
		hint = "write " + shortly(what) + `:is("` + text + `")`
	} else if of == anObject && kind == "number" {
		hint = "write " + shortly(what) + ".owner for the number of its player"
	}
	if w.comparedGiven(e, what, with, of, kind) {
		return true
	}
	w.report.say(e.Line(), nameIn(what), hint, "%s is %s, and never %s", shortly(what), aType(of), aKind(kind))
	return true
}

// comparedGiven says of a comparison with a parameter whose only call gives it a value of another type that the call does,
// because what it is compared with is declared. said reports that there is a finding.
func (w *walker) comparedGiven(e *ast.RelationalOpExpr, what, with ast.Expr, of, kind string) (said bool) {
	get, isGet := what.(*ast.AttrGetExpr)
	function, param, call := w.onlyCall(with)
	if !isGet || call == nil || w.scope.partAt(get) == nil {
		return false
	}
	hint := "give it " + aType(of)
	if given := shortly(call.args[param]); kind == anObject && of == "number" && given != "this" {
		hint = "write " + given + ".owner for the number of its player"
	}
	w.report.sayOf(topic{aParameter, call.at.File + ":" + function, syntax.NameOf(with)}, call.at, function, hint, "%s: %s is %s, and %s:%d compares it with %s, %s", function,
		syntax.NameOf(with), aType(kind), w.report.current(), e.Line(), shortly(what), aType(of))
	return true
}

// playerHint says what to write where player is used as if it were a player.
const playerHint = "onJoin and onLeave are given the number of a player, self.owner is one, and stats(number) has what " +
	"player { ... } declares"

// callIt says what to write where a function is used in the place of its result.
func (s *scope) callIt(e ast.Expr) string {
	if syntax.NameOf(e) == "player" {
		return playerHint
	}
	how := s.called(e)
	if own := s.ownCall(&ast.FuncCallExpr{Func: e}); own != nil {
		switch {
		case own.returnsNothing():
			return "it returns nothing: call it on a line of its own"
		case len(own.to.f.ParList.Names) == 0 && !own.to.f.ParList.HasVargs && !own.onClass:
			return "call it: " + how + "()"
		}
	}
	if m := library.Function("", syntax.NameOf(e)); m != nil && len(m.Params) == 0 {
		return "call it: " + how + "()"
	}
	return "call it: " + how + "(...)"
}

// called returns how a function or a method that an expression is, or looks up, is called.
func (s *scope) called(e ast.Expr) string {
	if get, ok := e.(*ast.AttrGetExpr); ok && s.takesColon(get) {
		return shortly(get.Object) + ":" + nameIn(e)
	}
	return shortly(e)
}

// takesColon reports whether what an expression looks up is called with a colon: a method of an object or of a text, and a
// function of a table that is defined with one.
func (s *scope) takesColon(get *ast.AttrGetExpr) bool {
	v, name := s.infer(get.Object), nameIn(get)
	switch v.Kind {
	case object, someObject, input, joint, test, testWorld:
		return true
	case classTable:
		return false
	}
	if own := s.ownCall(&ast.FuncCallExpr{Func: get}); own != nil {
		return own.to.colon
	}
	if v.Kind == anything && v.Type == "string" {
		return true
	}
	of := s.game.functionsOf.methods[name]
	// order: it asks whether there is any
	for _, f := range of {
		if f != nil && f.colon {
			return true
		}
	}
	return false
}
