package lint

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/hindcast/hindcast/luabind/internal/api"
	"github.com/hindcast/hindcast/luabind/internal/ident"
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/hindcast/hindcast/world"
	"github.com/yuin/gopher-lua/ast"
)

// recordFields are the members of values of some kinds, which are numbers.
var recordFields = map[kind][]string{
	contact: {"impulse", "nx", "ny", "speed", "x", "y"}, bump: {"nx", "ny", "x", "y"}, arena: {"height", "width"},
	claimed: {"angle", "vx", "vy", "w", "x", "y"},
}

// jointMethods are the methods of joints.
var jointMethods = []string{"setLength", "setLimits", "setMotor", "setSpring"}

// jointInstead says what to write where a field of a joint is written.
func jointInstead(field string) string {
	switch {
	case field == "length", field == "max_length":
		return "write joint:setLength(...)"
	case field == "min", field == "max":
		return "write joint:setLimits(min, max)"
	case field == "hertz", field == "damping":
		return "write joint:setSpring(hertz, damping)"
	}
	return "its methods change it: " + world.Listed(jointMethods)
}

// ofJoint checks a member of a joint.
func (k *checks) ofJoint(name string, line int, what string) {
	if what == "method" && (name == "bodyA" || name == "bodyB") {
		k.report.say(line, name, "write it with a dot, and without ()", "%s of a joint is an object, and no method", name)
		return
	}
	known := slices.Concat(jointMethods, []string{"bodyA", "bodyB", "class", "id", "is", "owner", "remove", "valid"})
	if slices.Contains(known, name) || name == "" {
		return
	}
	k.report.say(line, name, or(foreignJoint[name], didYouMean(name, known, "its methods are "+world.Listed(jointMethods))), "a joint has no %s %s",
		what, name)
}

// foreignJoint are the members that joints have in other engines.
var foreignJoint = map[string]string{
	"a": "write bodyA", "body1": "write bodyA", "first": "write bodyA", "object": "write bodyA or bodyB", "objectA": "write bodyA",
	"Part0": "write bodyA", "Attachment0": "write bodyA", "node_a": "write bodyA", "connectedBody": "write bodyB",
	"b": "write bodyB", "body2": "write bodyB", "other": "write bodyB", "second": "write bodyB", "objectB": "write bodyB",
	"Part1": "write bodyB", "Attachment1": "write bodyB", "node_b": "write bodyB", "destroy": "write joint:remove()", "Destroy": "write joint:remove()",
	"delete": "write joint:remove()", "breakJoint": "write joint:remove()", "detach": "write joint:remove()", "isValid": "write joint:valid()",
}

// foreignContact are the members that contacts have in other engines.
var foreignContact = map[string]string{
	"force": "impulse is in N s", "normal": "nx and ny are the normal", "normalX": "write nx", "normalY": "write ny",
	"point": "x and y are where they touch", "pos": "x and y are where they touch",
	"position": "x and y are where they touch", "velocity": "speed is in m/s",
}

// foreignPose are the members that poses have in other engines, with those that verify is given in their place.
var foreignPose = map[string]string{
	"pos": "write x and y", "position": "write x and y", "velocity": "write vx and vy", "vel": "write vx and vy",
	"rotation": "write angle", "rot": "write angle", "direction": "write angle", "spin": "write w", "speed": "write vx and vy",
}

// indexed checks a name that is looked up in a value that is no object: a number has none.
func (k *checks) indexed(s *scope, v value, of ast.Expr, name string, line int, what string) {
	switch {
	case v.Kind == kept && v.Part.item != nil && name != "":
		instead := "its items have numbers, and table.insert(%s, v) adds one"
		if foreignList[name] != "" {
			instead = "write " + foreignList[name]
		}
		k.report.say(line, name, strings.ReplaceAll(instead, "%s", shortly(of)), "%s is a list, and has no %s %s",
			v.Part.name, what, name)
	case v.Kind == kept && v.Part.item == nil && v.Part.parts[name] == nil && name != "":
		k.noPart(v.Part, name, line)
	case v.Kind == found && name != "":
		hint := "loop over it: for _, o in ipairs(" + shortly(of) + ") do"
		if strings.HasPrefix(foreignList[name], "#") {
			hint = "write #" + shortly(of)
		}
		k.report.say(line, name, hint,
			"%s is a list, and has no %s %s", shortly(of), what, name)
	case v.Kind == shownList && name != "":
		hint := "loop over it: for _, o in ipairs(v." + shortly(of) + ") do"
		if strings.HasPrefix(foreignList[name], "#") {
			hint = "write #v." + shortly(of)
		}
		k.report.say(line, name, hint, "v.%s is a list, and has no %s %s", shortly(of), what, name)
	case v.Kind == joint:
		k.ofJoint(name, line, what)
	case v.Kind == bump && name == "object":
	case recordFields[v.Kind] != nil && !slices.Contains(recordFields[v.Kind], name):
		known, called := recordFields[v.Kind], map[kind]string{contact: "a contact", arena: "arena", claimed: "what the owner claims",
			bump: "what moveAndSlide returns"}[v.Kind]
		if v.Kind == bump {
			known = append(slices.Clone(known), "object")
		}
		hint := ""
		if v.Kind == contact || v.Kind == bump && strings.HasPrefix(foreignContact[name], "nx") {
			hint = foreignContact[name]
		}
		if v.Kind == claimed {
			hint = foreignPose[name]
		}
		if hint == "" {
			hint = didYouMean(name, known, "there are "+world.Listed(known))
		}
		k.report.say(line, name, hint, "%s has no %s %s", called, what, name)
	case v.Kind != anything:
	case v.Type == "nil":
		k.report.sayAbout(v.nilLocal(s.file, of), line, shortly(of), thereAre(nameIn(of), s.fieldsBeside(of), "give it a value"), "%s is never given a value, and has no %s %s",
			shortly(of), what, name)
	case v.Type == "function" && syntax.NameOf(of) == "objects" && k.game.class(name) != nil:
		k.report.say(line, name, "call it: objects(\""+name+"\")", "objects is a function, and has no %s %s", what, name)
	case v.Type == "function":
		k.report.say(line, name, or(besideFunction(of, name), s.callIt(of)), "%s is a function, and has no %s %s", shortly(of), what, name)
	case v.Type == "number" && (s.numberHint(of, name) == twoNumbers || strings.HasPrefix(v.Hint, valueIs)) && k.twice[shortly(of)]: // it is said of x
	case s.inputIn(of) != nil && slices.Contains(api.InputMethods(), name):
		get := s.inputIn(of)
		k.report.say(line, name, "write "+shortly(get.Object)+":"+name+"(\""+nameIn(of)+"\")", "%s is %s, and has no %s %s", shortly(of), aType(v.Type), what, name)
	case v.Type == "number", v.Type == "boolean":
		k.twice[shortly(of)] = true
		k.report.say(line, name, or(v.Hint, s.numberHint(of, name)), "%s is %s, and has no %s %s", shortly(of),
			aType(v.Type), what, name)
	case v.Type == "string" && v.Hint != "" && !library.HasMember("string", name):
		k.report.say(line, name, v.Hint, "%s is an id, and has no %s %s", shortly(of), what, name)
	case v.Type == "string" && (name == "length" || name == "size" || name == "count"):
		k.report.say(line, name, "write #"+shortly(of), "%s is a string, and has no %s %s", shortly(of), what, name)
	case v.Type == "string" && library.NoMember("string", name) != "":
		k.report.say(line, name, or(hintOf(library.NoMember("string", name)),
			"docs/reference.md lists what strings have"),
			"%s is a string, and has no %s %s", shortly(of), what, name)
	}
}

// inputIn returns an expression that looks a name up in the input of a hook; nil: it is another one.
func (s *scope) inputIn(e ast.Expr) *ast.AttrGetExpr {
	if get, ok := e.(*ast.AttrGetExpr); ok && s.infer(get.Object).Kind == input {
		return get
	}
	return nil
}

// ofModule checks a name that is looked up in what a file in a subfolder has returned. What is only read may be meant
// to be nil.
func (k *checks) ofModule(file, name string, line int, what string, called bool) {
	m, known := k.game.modules[file]
	switch {
	case known && name != "" && m.Type == "function":
		k.report.say(line, name, "call it: "+strings.TrimSuffix(path.Base(file), ".lua")+"(...), or end the file with return { "+name+" = "+name+" }",
			"%s returns a function, and has no %s %s", file, what, name)
	case !known || name == "" || !called && len(ident.Nearest(name, m.Members)) == 0 && !m.Nothing:
	case m.Nothing && k.nothing[file]:
	case m.Nothing:
		k.nothing[file] = true
		k.report.say(line, name, "end "+file+" with return and its table", "%s returns nothing, and has no %s %s", file, what,
			name)
	case m.Members != nil && !slices.Contains(m.Members, name):
		hint := "it returns an empty table"
		if len(m.Members) > 0 {
			hint = didYouMean(name, m.Members, "there are "+world.Listed(m.Members))
		}
		k.report.say(line, name, hint, "%s has no %s %s", file, what, name)
	}
}

// ofNothing checks rules[self.mode], where the file that rules is required from returns nothing.
func (k *checks) ofNothing(file string, e *ast.AttrGetExpr) {
	if m, known := k.game.modules[file]; !known || !m.Nothing || k.nothing[file] {
		return
	}
	k.nothing[file] = true
	k.report.say(max(e.Line(), e.Object.Line(), 1), nameIn(e.Object), "end "+file+" with return and its table", "%s returns nothing, and %s[...] looks into it",
		file, shortly(e.Object))
}

// hintOf returns the part of a message that says what to do.
func hintOf(message string) string {
	_, hint, _ := strings.Cut(message, "; ")
	return hint
}

// twoNumbers says where x and y are.
const twoNumbers = "getPosition() and the like return two numbers: local x, y = self:getPosition()"

// ofNumbers are the members that numbers have in other languages. %s is the number.
var ofNumbers = map[string]string{
	"tostring": "tostring(%s)", "tofixed": "string.format(\"%.2f\", %s)", "floor": "math.floor(%s)", "ceil": "math.ceil(%s)",
	"round": "math.floor(%s + 0.5)", "abs": "math.abs(%s)", "sqrt": "math.sqrt(%s)", "clamp": "math.max(low, math.min(%s, high))",
	"add": "%s = %s + n", "plus": "%s = %s + n", "sub": "%s = %s - n", "subtract": "%s = %s - n", "mul": "%s = %s * n",
	"len": "#tostring(%s)", "length": "#tostring(%s)", "format": "string.format(\"%d\", %s)", "toint": "math.floor(%s)",
}

// numberHint says where the member of a number may be that a script looks for.
func (s *scope) numberHint(of ast.Expr, name string) string {
	if instead := ofNumbers[strings.ToLower(name)]; instead != "" {
		return "write " + strings.ReplaceAll(instead, "%s", shortly(of))
	}
	_, isField := of.(*ast.AttrGetExpr)
	if !isField && (name == "x" || name == "y" || name == "X" || name == "Y") {
		return twoNumbers
	}
	if s.shows() != nil {
		return "if it is the number of a player, playerName(number) is the name, and v.players() have what player { ... } declares"
	}
	return "if it is the number of a player, stats(player) has the fields of player { ... }"
}

// item checks a number as a key: x[0].
func (k *checks) item(s *scope, v value, e *ast.AttrGetExpr) {
	n, isNumber := e.Key.(*ast.NumberExpr)
	switch {
	case v.Kind == anything && v.Type == "function" && literal(e.Key) != "string":
		k.indexedFunction(s, e)
	case v.Kind == kept:
		k.listPlace(v.Part, e)
	case !isNumber:
	case v.Kind == found && n.Value == "0":
		k.report.say(e.Line(), n.Value, "write "+shortly(e.Object)+"[1]", "lists begin at 1")
	case v.Kind == anything && v.Type == "number":
		k.report.say(e.Line(), n.Value, s.numberHint(e.Object, "x"), "%s is a number, and has no items", shortly(e.Object))
	case v.Kind == anything && v.Type == "string":
		k.report.say(e.Line(), n.Value, "write "+shortly(e.Object)+":sub("+n.Value+", "+n.Value+")",
			"a string has no items")
	}
}

// indexedFunction checks players[1] and stats[by]: a function that is not called.
func (k *checks) indexedFunction(s *scope, e *ast.AttrGetExpr) {
	name, key := shortly(e.Object), or(numberOf(e.Key), shortly(e.Key))
	m := library.Function("", name)
	if m == nil {
		k.report.say(e.Line(), nameIn(e.Object), s.callIt(e.Object), "%s is a function, and has no items", name)
		return
	}
	if key == "this" {
		key = "..."
	}
	hint := "call it: " + name + "(" + key + ")"
	if len(m.Params) == 0 {
		hint = "call it: " + name + "()[" + key + "]"
	} else if m.Params[0].Name == "class" {
		hint = "call it: " + name + "(\"Class\")[" + key + "]"
	}
	k.report.say(e.Line(), nameIn(e.Object), hint, "%s is a function, and has no items", name)
}

// foreignList are the members that lists have in other languages. %s is the list.
var foreignList = map[string]string{
	"add": "table.insert(%s, v)", "append": "table.insert(%s, v)", "concat": "table.concat(%s, \", \")",
	"count": "#%s", "forEach": "for _, v in ipairs(%s) do", "insert": "table.insert(%s, v)", "length": "#%s",
	"pop": "table.remove(%s)", "push": "table.insert(%s, v)", "remove": "table.remove(%s, i)", "size": "#%s",
	"sort": "table.sort(%s)", "unpack": "unpack(%s)",
}

// listMember checks t:insert(v), t.push(v) and t.length on a table that is written out in a local variable.
func (w *walker) listMember(v value, of ast.Expr, name string, line int) {
	instead := foreignList[name]
	if v.Kind == anything && v.Type == "table" && instead != "" && !w.scope.fields[name] && shortly(of) != "this" {
		hint := "write " + strings.ReplaceAll(instead, "%s", shortly(of))
		if w.functionBeside(of, name) != "" {
			hint = "write " + name + "(" + shortly(of) + ", ...)"
		}
		w.report.say(line, name, hint, "a table has no member %s", name)
	}
}

// measured checks #x.
func (w *walker) measured(e *ast.UnaryLenOpExpr) {
	switch of := w.scope.typeOf(e.Expr); of {
	case "table":
		w.namesMeasured(e)
		if v := w.scope.infer(e.Expr); v.Kind == kept && v.Part.item == nil {
			w.report.say(e.Line(), "#", "its parts have names: "+world.Listed(ident.Keys(v.Part.parts)),
				"%s is a record, which has no length", v.Part.name)
		}
	case "number", "boolean", "nil", "function", anObject:
		hint := "# counts the items of a list, or the bytes of a text"
		if of == "function" {
			hint = or(strings.Replace(w.scope.callIt(e.Expr), "call it: ", "call it: #", 1), hint)
		}
		w.report.say(e.Line(), "#", hint,
			"%s is %s, which has no length", shortly(e.Expr), aType(of))
	}
}

// numberFor checks the bounds of for i = a, b do, and loops over lists that begin at 0.
func (w *walker) numberFor(s *ast.NumberForStmt) {
	for _, e := range []ast.Expr{s.Init, s.Limit, s.Step} {
		if e == nil {
			continue
		}
		switch of := w.scope.typeOf(e); of {
		case "table":
			w.report.say(s.Line(), nameIn(e), "write #"+shortly(e), "the bounds of a loop are numbers, and %s is %s",
				shortly(e), aType(of))
			return
		case "string":
			w.report.say(s.Line(), nameIn(e), "write tonumber("+shortly(e)+") or 0, or #"+shortly(e)+" for its length",
				"the bounds of a loop are numbers, and %s is %s", shortly(e), aType(of))
			return
		case "boolean", "nil", "function", "thread", anObject:
			hint := "give numbers"
			if of == "function" && named(e) != nil {
				hint = w.scope.callIt(e)
			}
			w.report.say(s.Line(), nameIn(e), hint, "the bounds of a loop are numbers, and %s is %s",
				shortly(e), aType(of))
			return
		}
	}
	w.overfilled(s)
	if length, isLength := s.Limit.(*ast.UnaryLenOpExpr); isLength && s.Step == nil {
		w.removesUpwards(length.Expr, s.Name, s.Stmts)
	}
	if w.neverCounts(s) {
		return
	}
	limit, less := s.Limit, false
	if minus, isMinus := limit.(*ast.ArithmeticOpExpr); isMinus && minus.Operator == "-" && numberOf(minus.Rhs) == "1" {
		limit, less = minus.Lhs, true
	}
	length, isLength := limit.(*ast.UnaryLenOpExpr)
	if isLength && numberOf(s.Init) == "0" && (less || w.scope.isList(length.Expr)) && takesItem(s.Stmts, length.Expr, s.Name) {
		list := shortly(length.Expr)
		w.report.say(s.Line(), "0", "write for "+s.Name+" = 1, #"+list+" do", "lists begin at 1, and %s[0] is nil",
			list)
	}
}

// neverCounts checks for i = 10, 1 do. said reports that there is a finding.
func (w *walker) neverCounts(s *ast.NumberForStmt) (said bool) {
	from, isFrom := writtenNumber(s.Init)
	to, isTo := writtenNumber(s.Limit)
	step, isStep := 1.0, true
	if s.Step != nil {
		step, isStep = writtenNumber(s.Step)
	}
	switch {
	case isStep && step == 0:
		w.report.say(s.Line(), "0", "leave it out, or write 1 or -1", "a loop with a step of 0 does not count")
	case isFrom && isTo && isStep && step > 0 && from > to:
		w.report.say(s.Line(), s.Name, fmt.Sprintf("write for %s = %v, %v, -1 do to count down", s.Name, from, to),
			"a loop from %v up to %v never runs", from, to)
	case isFrom && isTo && isStep && step < 0 && from < to:
		w.report.say(s.Line(), s.Name, fmt.Sprintf("write for %s = %v, %v do to count up", s.Name, from, to),
			"a loop from %v down to %v never runs", from, to)
	default:
		return false
	}
	return true
}

// writtenNumber returns the value of a number that is written out. ok is false for other expressions.
func writtenNumber(e ast.Expr) (n float64, ok bool) {
	if minus, isMinus := e.(*ast.UnaryMinusOpExpr); isMinus {
		n, ok = writtenNumber(minus.Expr)
		return -n, ok
	}
	return syntax.ParseNumber(numberOf(e))
}

// takesItem reports whether code reads list[i].
func takesItem(stmts []ast.Stmt, list ast.Expr, i string) (taken bool) {
	name := shortly(list)
	eachExpr(stmts, func(e ast.Expr) {
		get, ok := e.(*ast.AttrGetExpr)
		taken = taken || ok && syntax.NameOf(get.Key) == i && name != "this" && shortly(get.Object) == name
	})
	return taken
}

// eachExpr visits all expressions of code.
func eachExpr(stmts []ast.Stmt, visit func(ast.Expr)) {
	var block func([]ast.Stmt)
	var expr func(ast.Expr)
	expr = func(e ast.Expr) {
		if e != nil {
			visit(e)
			syntax.EachOperand(e, expr, block)
		}
	}
	block = func(list []ast.Stmt) {
		for _, s := range list {
			syntax.EachPart(s, expr, block)
		}
	}
	block(stmts)
}

// overList checks that a list of a query is not called: for o in objects("Ship") do.
func (w *walker) overList(s *ast.GenericForStmt) {
	e := s.Exprs[0]
	_, written := e.(*ast.TableExpr)
	switch of := w.scope.typeOf(e); {
	case of == "number" && len(s.Exprs) > 1:
		w.report.say(s.Line(), s.Names[0], "write for "+s.Names[0]+" = "+or(numberOf(e), "1")+", "+or(numberOf(s.Exprs[1]), "n")+
			" do", "for goes through what a function gives, and this is a number")
	case len(s.Exprs) > 1:
	case w.scope.isList(e), w.scope.infer(e).Kind == shownList:
		list := shortly(e)
		if call, ok := e.(*ast.FuncCallExpr); ok && w.scope.shows() != nil && call.Receiver == nil {
			list = strings.Replace(list, nameIn(e), shortly(call.Func), 1)
		}
		w.report.say(s.Line(), nameIn(e), "write for _, o in ipairs("+list+") do", "%s is a list, which for cannot call", list)
	case of == "table" && literal(e) == "" && w.scope.infer(e).Kind == anything && !w.metatables:
		w.report.say(s.Line(), nameIn(e), "write ipairs("+shortly(e)+") for a list, and pairs("+shortly(e)+") for another table",
			"%s is a table, which for cannot call", shortly(e))
	case written:
		w.report.say(s.Line(), "{", "write ipairs(...) around a list, and pairs(...) around another table",
			"for goes through what a function gives, and this is a table")
	case of == anObject:
		w.report.say(s.Line(), nameIn(e), w.scope.oneObject(e), "for goes through what a function gives, and this is an object")
	case of == "number":
		w.report.say(s.Line(), nameIn(e), "write for i = 1, "+or(numberOf(e), "n")+" do",
			"for goes through what a function gives, and this is a number")
	}
}

// hookOf returns the description of a hook: of a class, or of game.lua for no class. It is nil if there is none.
func hookOf(c *class, name, file string) *api.Member {
	switch {
	case c != nil:
		return api.HookMember(name)
	case file == api.GameFile:
		return api.GameHookMember(name)
	}
	return nil
}

// numberOf returns a number that is written out; "": it is none.
func numberOf(e ast.Expr) string {
	if n, ok := e.(*ast.NumberExpr); ok {
		return n.Value
	}
	return ""
}
