package lint

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/hindcast/hindcast/luabind/internal/api"
	"github.com/hindcast/hindcast/luabind/internal/ident"
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// surplus is a parameter of a hook that is never given anything.
type surplus struct {
	full, name string // of the hook
	param      string
	hint       string
	at         syntax.Place
}

// noteSurplus notes the parameters that a hook has beyond those that it is given, and uses.
func (w *walker) noteSurplus(c *class, name string, hook *api.Member, params []string, f *ast.FunctionExpr) {
	full := name
	if c != nil {
		full = c.name() + ":" + name
	}
	given := hook.Params
	if c == nil && name == "onJoin" && w.game.asksNothing {
		given = given[:1]
	}
	for _, p := range params[min(len(given), len(params)):] {
		used := false
		eachExpr(f.Stmts, func(e ast.Expr) { used = used || syntax.NameOf(e) == p })
		hint := "it is " + hook.Signature()
		if len(given) < len(hook.Params) {
			hint = "no entry { ... } asks players anything: declare one, or leave this out"
		}
		if p == "dt" || p == "dtime" || p == "delta" || p == "deltaTime" {
			hint = "all ticks last the same time, 1 / tick_rate of game.toml: write it into a constant"
		}
		if used && (len(given) == len(hook.Params) || onlyIndexed(f, p)) {
			at := syntax.Place{File: w.report.current(), Line: f.Line()}
			w.surplus = append(w.surplus, surplus{full, name, p, hint, at})
			return
		}
	}
}

// swapped checks function Ship:onContact(contact, other), whose parameters stand in another order. said reports that there
// is a finding.
func (w *walker) swapped(c *class, name string, hook *api.Member, params []string, f *ast.FunctionExpr) (said bool) {
	var known []string
	for _, p := range hook.Params {
		known = append(known, p.Name)
	}
	for i, p := range params {
		at := slices.Index(known, p)
		if at < 0 || at == i || i >= len(known) {
			continue
		}
		full := name
		if c != nil {
			full = c.name() + ":" + name
		}
		w.report.say(f.Line(), p, "write function "+full+"("+strings.Join(known[:max(i, at)+1], ", ")+")", "%s is given %s there, and not %s", name, known[i], p)
		return true
	}
	return false
}

// onlyIndexed reports whether a function uses a parameter only to look something up in it: it is nowhere tested.
func onlyIndexed(f *ast.FunctionExpr, param string) bool {
	all, indexed := 0, 0
	eachExpr(f.Stmts, func(e ast.Expr) {
		if syntax.NameOf(e) == param {
			all++
		}
		if get, ok := e.(*ast.AttrGetExpr); ok && syntax.NameOf(get.Object) == param {
			indexed++
		}
	})
	return all == indexed
}

// saySurplus reports them, unless scripts call the function themselves.
func (w *walker) saySurplus() {
	for _, s := range w.surplus {
		if !w.named[s.name] {
			w.report.sayIn(s.at, s.param, s.hint, "%s is given no %s", s.full, s.param)
		}
	}
}

// thoughtValues checks the types of what think, or a bot, returns.
func (w *walker) thoughtValues(s *ast.ReturnStmt) {
	if w.thinks == nil || len(s.Exprs) == 0 {
		return
	}
	called := "think"
	if w.steered != nil {
		called = "bot"
	}
	e, example := s.Exprs[0], "return a table of inputs, such as { "+anInput(w.thinks)+" = true }"
	if of := w.scope.typeOf(e); of != "" && of != "table" && of != "nil" {
		w.report.say(s.Line(), "return", example, "%s returns %s", called, aType(of))
		return
	}
	t, ok := e.(*ast.TableExpr)
	if !ok {
		return
	}
	for _, f := range t.Fields {
		name, isText := syntax.TextOf(f.Key)
		axis, known := w.thinks.axis(name)
		given := w.scope.typeOf(f.Value)
		line := max(f.Value.Line(), s.Line())
		switch {
		case f.Key == nil:
			if _, is := w.thinks.inputs[nameIn(f.Value)]; is && syntax.NameOf(f.Value) != "" {
				example = "write " + nameIn(f.Value) + " = " + nameIn(f.Value)
			}
			w.report.say(line, nameIn(f.Value), example, "%s returns a table with the names of inputs as keys", called)
			return
		case isText && known && axis && given != "" && given != "number" && given != "nil":
			hint := "give a number"
			if given == "function" && named(f.Value) != nil {
				hint = w.scope.callIt(f.Value)
			}
			w.report.say(max(line, f.Key.Line()), name, hint, "the input %s is a number, and cannot be %s",
				name,
				aType(given))
		case isText && known && !axis && given == "number":
			hint := "give true or false"
			if of := shortly(f.Value); nameIn(f.Value) == "random" {
				hint = "write random() < 0.5 for every other tick or so"
			} else if of != "this" && literal(f.Value) == "" {
				hint = "compare it, such as " + of + " > 0"
			}
			w.report.say(max(line, f.Key.Line()), name, hint, "the input %s is true or false, and a number is true whatever it is, 0, too", name)
		case isText && known && !axis && (given == "string" || given == "table" || given == anObject):
			w.report.say(max(line, f.Key.Line()), name, "give true or false",
				"the input %s is true or false, and cannot be %s", name, aType(given))
		}
	}
}

// placement checks what spawn is given besides fields.
func (w *walker) placement(c *class, t *ast.TableExpr, line int) {
	for _, f := range t.Fields {
		key, isText := syntax.TextOf(f.Key)
		given := w.scope.typeOf(f.Value)
		if n, isWritten := writtenNumber(f.Value); isWritten && key == "angle" && isDegrees(n) && !c.bodiless() {
			w.report.say(max(f.Key.Line(), line), key, fmt.Sprintf("write math.rad(%v)", n), "spawn: angle is in radians, and %v is an angle in degrees", n)
			return
		}
		switch {
		case isText && c.bodiless() && key != "owner" && slices.Contains(spawnKeys(), key) && c.fields[key] == nil:
			w.report.say(max(f.Key.Line(), line), key, "declare a body, or a field "+key,
				"spawn: %s has no body, and so no %s", c.name(), key)
			return
		case f.Key == nil:
			w.report.say(max(f.Value.Line(), line), "spawn", "write { x = 1, y = 2 }",
				"spawn: what an object is given has names")
			return
		case !isText || given == "" || given == "nil" || given == "number" || !slices.Contains(spawnKeys(), key):
		case key == "owner":
			w.report.say(max(f.Key.Line(), line), key, "give the number of a player, such as self.owner",
				"spawn: owner is a number, and cannot be %s", aType(given))
		default:
			hint := "give a number"
			if given == "function" && named(f.Value) != nil {
				hint = w.scope.callIt(f.Value)
			}
			w.report.say(max(f.Key.Line(), line), key, hint, "spawn: %s is a number, and cannot be %s", key,
				aType(given))
		}
	}
}

// positions checks the position that table.insert and table.remove are given.
func (k *checks) positions(s *scope, m *api.Member, e *ast.FuncCallExpr) {
	if m != nil && m == library.Function("table", "remove") && len(e.Args) == 2 && numberOf(e.Args[1]) == "0" {
		k.report.say(e.Line(), m.Name, "write 1 for the first item", "remove: positions begin at 1, and 0 removes nothing")
		return
	}
	if m == nil || m.Name != "insert" || m != library.Function("table", "insert") || len(e.Args) != 3 ||
		k.report.saidAt(e.Line(), m.Name) {
		return
	}
	n, isNumber := e.Args[1].(*ast.NumberExpr)
	switch of := s.typeOf(e.Args[1]); {
	case isNumber && n.Value == "0":
		k.report.say(e.Line(), m.Name, "write 1 for the first position", "insert: positions begin at 1")
	case of != "" && of != "number":
		k.report.say(e.Line(), m.Name, "the signature is insert(t, at, v)",
			"insert: at must be a whole number, and is %s",
			aKind(of))
	}
}

// listBehind returns the table that stands behind the first argument of a call of table.insert and the like; nil: there is
// none. at is that first argument.
func (s *scope) listBehind(m *api.Member, call *ast.FuncCallExpr, at ast.Expr) ast.Expr {
	if m == nil || m != library.Function("table", m.Name) || len(call.Args) < 2 || at != call.Args[0] {
		return nil
	}
	for _, a := range call.Args[1:] {
		if s.typeOf(a) == "table" && shortly(a) != "this" {
			return a
		}
	}
	return nil
}

// formatArguments returns what a call of string.format, or of format of a text, is given: the text first; nil: it is no
// such call.
func (s *scope) formatArguments(e *ast.FuncCallExpr) []ast.Expr {
	switch {
	case e.Receiver != nil && e.Method == "format" && s.typeOf(e.Receiver) == "string":
		return append([]ast.Expr{e.Receiver}, e.Args...)
	case e.Receiver == nil && s.isFunction(e.Func, "string", "format"):
		return e.Args
	}
	return nil
}

// isFunction reports whether an expression is a function of the library.
func (s *scope) isFunction(e ast.Expr, base, name string) bool {
	m := s.callee(e)
	return m != nil && m == library.Function(base, name)
}

// formatted checks that string.format is given as many values as its text shows.
func (w *walker) formatted(e *ast.FuncCallExpr) {
	args := w.scope.formatArguments(e)
	text, isText := syntax.TextOf(first(args))
	passed, open := count(args)
	if of := w.scope.typeOf(first(args)); len(args) > 1 && of == "number" {
		w.report.say(e.Line(), "format", "the text comes first: string.format(\"%d\", n)", "format: %s is a number, and no text to fill in", shortly(args[0]))
		return
	}
	if !isText || open {
		return
	}
	shows := strings.Count(strings.ReplaceAll(text, "%%", ""), "%")
	if shows != passed-1 {
		w.report.say(e.Line(), "format", "give one value for each %", "format: the text shows %s, and is given %d",
			values(shows), passed-1)
	}
}

// rxVerb matches what string.format replaces by a value.
var rxVerb = regexp.MustCompile(`%[-+#0]*\d*(\.\d+)?[cdeEfgGioqsuxX]`)

// printed checks print("%d", x) and error("%d", x), which do not format, and print(now), which prints no time.
func (w *walker) printed(e *ast.FuncCallExpr) {
	for _, a := range e.Args {
		if w.scope.isGlobal(e.Func, "print") && (w.scope.callee(a) != nil || w.scope.isOwnFunction(a)) {
			w.report.say(e.Line(), nameIn(a), w.scope.callIt(a), "%s is a function, and print shows no result of it", shortly(a))
		}
	}
	if e.Receiver != nil || !w.scope.isGlobal(e.Func, "print", "error") || len(e.Args) < 2 {
		return
	}
	text, _ := syntax.TextOf(e.Args[0])
	if n := len(rxVerb.FindAllString(strings.ReplaceAll(text, "%%", ""), -1)); n > 0 && n == len(e.Args)-1 {
		name := syntax.NameOf(e.Func)
		w.report.say(e.Line(), name, "write "+name+"(string.format("+shortly(e.Args[0])+", ...))",
			"%s does not put values into its text", name)
	}
}

// converted checks tonumber(self): there is no number in it.
func (w *walker) converted(e *ast.FuncCallExpr) {
	if e.Receiver != nil || !w.scope.isGlobal(e.Func, "tonumber") {
		return
	}
	hint := "use a number of it"
	switch of := w.scope.typeOf(first(e.Args)); of {
	case "boolean":
		hint = "write (" + shortly(e.Args[0]) + " and 1 or 0)"
	case anObject:
		hint = "use one of its fields, or its owner"
	case "function":
		hint = w.scope.callIt(e.Args[0])
	case "table":
		if w.scope.isList(e.Args[0]) {
			hint = "write #" + shortly(e.Args[0]) + " for the number of its items"
		}
	default:
		return
	}
	w.report.say(e.Line(), "tonumber", hint, "%s is %s, of which tonumber makes nil", shortly(e.Args[0]),
		aType(w.scope.typeOf(e.Args[0])))
}

// ordering checks the function that table.sort is given: it returns whether the first value comes before the second.
func (w *walker) ordering(e *ast.FuncCallExpr) {
	if e.Receiver != nil || len(e.Args) != 2 || !w.scope.isFunction(e.Func, "table", "sort") {
		return
	}
	f, ok := e.Args[1].(*ast.FunctionExpr)
	if !ok {
		return
	}
	const hint = "write function(a, b) return a < b end"
	if !gives(f.Stmts) {
		w.report.say(f.Line(), "sort", hint, "sort: the function returns nothing")
		return
	}
	for _, s := range f.Stmts {
		r, isReturn := s.(*ast.ReturnStmt)
		if isReturn && yieldsValue(first(r.Exprs)) && !isCall(first(r.Exprs)) {
			w.report.say(max(r.Line(), f.Line()), "return", hint, "sort: the function must return true or false, and a computed "+
				"value is always true")
		}
	}
}

func isCall(e ast.Expr) bool { _, is := e.(*ast.FuncCallExpr); return is }

// degrees checks setDirection(90) and math.cos(180): angles are in radians.
func (w *walker) degrees(m *api.Member, e *ast.FuncCallExpr) {
	if m == nil || len(e.Args) == 0 {
		return
	}
	of := m == library.Method("setDirection") || m == library.Method("setDirectionalForce") || m == library.Function("math", "sin") ||
		m == library.Function("math", "cos") || m == library.Function("math", "tan")
	if n, isWritten := w.scope.numberIn(e.Args[0]); of && isWritten && isDegrees(n) {
		w.report.say(e.Line(), m.Name, "write math.rad("+or(syntax.NameOf(e.Args[0]), fmt.Sprint(n))+")", "%s takes radians, and %v is an angle in degrees", m.Name, n)
	}
	call, isCall := e.Args[0].(*ast.FuncCallExpr)
	if of && (isCall && w.scope.isFunction(call.Func, "math", "deg") || w.scope.heldBy(e.Args[0]).by == library.Function("math", "deg")) {
		w.report.say(e.Line(), m.Name, "leave out math.deg", "%s takes radians, and math.deg gives degrees", m.Name)
	}
}

// isDegrees reports whether a number is an angle in degrees, as it is written: a multiple of 15 that radians hardly are.
func isDegrees(n float64) bool {
	return math.Abs(n) >= 15 && math.Abs(n) <= 360 && math.Mod(n, 15) == 0
}

// randomRange checks random(10, 1) and random(0).
func (w *walker) randomRange(e *ast.FuncCallExpr) {
	if e.Receiver != nil || !w.scope.isFunction(e.Func, "", "random") && !w.scope.isFunction(e.Func, "math", "random") {
		return
	}
	low, high := 1.0, 0.0
	var isLow, isHigh bool
	switch len(e.Args) {
	case 1:
		high, isHigh = writtenNumber(e.Args[0])
		isLow = true
	case 2:
		low, isLow = writtenNumber(e.Args[0])
		high, isHigh = writtenNumber(e.Args[1])
	}
	if whole := func(n float64) bool { return n == math.Trunc(n) }; isLow && isHigh && len(e.Args) > 0 && (!whole(low) || !whole(high)) {
		hint := fmt.Sprintf("write %v + random() * %v", low, high-low)
		if len(e.Args) == 1 {
			w.report.say(e.Line(), "random", fmt.Sprintf("write random() * %v", high), "random(%v) gives whole numbers from 1", high)
			return
		}
		w.report.say(e.Line(), "random", hint, "random gives whole numbers, and %v to %v is between others", low, high)
		return
	}
	if isLow && isHigh && low > high {
		hint := "random(n) gives 1 to n, and random() a number from 0 to 1"
		if len(e.Args) == 2 {
			hint = fmt.Sprintf("write random(%v, %v)", high, low)
		}
		w.report.say(e.Line(), "random", hint, "random: there is no number from %v to %v", low, high)
	}
}

func values(n int) string {
	if n == 1 {
		return "1 value"
	}
	return fmt.Sprintf("%d values", n)
}

// cueFields checks that the values of a cue can be sent.
func (w *walker) cueFields(e *ast.FuncCallExpr) {
	if !w.scope.isGlobal(e.Func, "cue") || len(e.Args) < 2 {
		return
	}
	t, ok := e.Args[1].(*ast.TableExpr)
	if !ok {
		return
	}
	for _, f := range t.Fields {
		key, isText := syntax.TextOf(f.Key)
		if isText {
			w.sent.note(textsOf(e.Args[0]), key, w.scope.argument(f.Value))
		}
		switch given := w.scope.typeOf(f.Value); {
		case f.Key == nil:
			w.report.say(max(f.Value.Line(), e.Line()), "cue", "write cue(name, { x = 1 })",
				"cue: what it says has names")
			return
		case isText && key != "to" && (given == "table" || given == "function" || given == anObject):
			hint := "send numbers, texts, true or false, such as x, y and id"
			if given == "function" && named(f.Value) != nil {
				hint = w.scope.callIt(f.Value)
			}
			w.report.say(max(f.Key.Line(), e.Line()), key, hint,
				"cue: %s is %s, which a cue cannot hold", key, aType(given))
			if w.sides != nil {
				w.sides.unsendable(textsOf(e.Args[0]))
			}
		}
	}
}

// fieldsIn returns the names that a file gives to fields of tables and to methods.
func fieldsIn(tree []ast.Stmt) map[string]bool {
	names := map[string]bool{}
	note := func(e ast.Expr) {
		if t, ok := e.(*ast.TableExpr); ok {
			keys, _ := tableKeys(t)
			for _, k := range ident.Keys(keys) {
				names[k] = true
			}
		}
	}
	eachExpr(tree, note)
	eachStmt(tree, func(s ast.Stmt) {
		switch s := s.(type) {
		case *ast.FuncDefStmt:
			names[s.Name.Method], names[syntax.LastName(s.Name.Func)] = true, true
		case *ast.AssignStmt:
			for _, e := range s.Lhs {
				names[syntax.LastName(e)] = true
			}
		case *ast.FuncCallStmt:
			if call, ok := s.Expr.(*ast.FuncCallExpr); ok && syntax.NameOf(call.Func) == "setmetatable" {
				for _, n := range []string{"concat", "insert", "remove", "sort", "unpack"} {
					names[n] = true
				}
			}
		}
	})
	return names
}
