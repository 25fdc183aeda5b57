package lint

import (
	"slices"
	"strings"

	"github.com/hindcast/hindcast/luabind/internal/api"
	"github.com/hindcast/hindcast/luabind/internal/ident"
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/hindcast/hindcast/world"
	"github.com/yuin/gopher-lua/ast"
)

// onlyReads returns what the files are that are walked, and what they do instead of changing the world; empty: they may
// change it.
func (w *walker) onlyReads() (what, instead string) {
	switch {
	case w.testing:
		return "a test changes its world through w only", "write w:spawn, w:call, w:input or w:step, with w of t:world { ... }"
	case w.steered != nil:
		return "a bot can only read the world", "return a table of inputs, such as { " + anInput(w.steered) + " = true }"
	}
	return "", ""
}

// changesFromOutside checks that a test and a bot change nothing. name is what they call, or the field that they write to. said reports that there is a
// finding.
func (w *walker) changesFromOutside(name string, line int) (said bool) {
	what, instead := w.onlyReads()
	if what == "" {
		return false
	}
	if w.testing && name == "spawn" {
		instead = "write w:spawn(...), with w of t:world { ... }"
	}
	w.report.say(line, name, instead, "%s, and %s would change it", what, name)
	return true
}

// unseen checks that a test and a bot look up no function and no constant of a class: they load no files of the game, and
// see fields and the methods of all objects. said reports that there is a finding.
func (w *walker) unseen(c *class, name string, line int) (said bool) {
	what, hint := "tests", "look at fields, or call a function of calls: w:call(\"name\", ...)"
	switch {
	case w.steered != nil && w.game.isLoaded():
		what, hint = "bots", "look at fields"
	case !w.testing || !w.game.isLoaded():
		return false
	}
	if name == "objProps" && w.testing { // which have them
		return false
	}
	if name == "objProps" && c.fields[name] == nil && !world.HoldsState(c.name()) {
		w.report.sayAbout(memberTopic(c.name(), name), line, name, hint, "objProps are constants of the scripts, which %s do not see", what)
		return true
	}
	isFunction := c.isMethod(name)
	if c == w.steered { // an object of any class
		for _, o := range w.game.all() {
			if o.members[name] && !o.isMethod(name) || world.HoldsState(o.name()) && o.isMethod(name) {
				return false
			}
			isFunction = isFunction || o.isMethod(name)
		}
	}
	if c.fields[name] != nil || slices.Contains(library.Reserved(), name) || library.Method(name) != nil || api.ForeignMember(name) != "" ||
		!isFunction && (c == w.steered || !c.members[name] || world.HoldsState(c.name())) {
		return false
	}
	is := map[bool]string{true: "function", false: "constant"}[isFunction]
	w.report.sayAbout(memberTopic(c.name(), name), line, name, hint, "%s is a %s of the scripts, which %s do not see", name, is, what)
	return true
}

// ofTestDotted checks t.eq(1, 1) and w.step(3), and members that these do not have. done reports that there is a finding.
func (k *checks) ofTestDotted(v value, e *ast.AttrGetExpr, called bool) (done bool) {
	known, what := api.TestMethods(), "a test"
	if v.Kind == testWorld {
		known, what = api.TestWorldMethods(), "a test's world"
	}
	name, isText := syntax.TextOf(e.Key)
	if !isText || slices.Contains(known, name) {
		return false
	}
	is := "field"
	if called {
		is = "method"
	}
	k.report.say(max(e.Key.Line(), e.Line()), name, didYouMean(name, known, "there are "+world.Listed(known)), "%s has no %s %s", what, is, name)
	return true
}

// testDotted checks w.step(3), which is called without the world. said reports that there is a finding.
func (k *checks) testDotted(s *scope, e *ast.FuncCallExpr, get *ast.AttrGetExpr) (said bool) {
	v := s.infer(get.Object)
	name, _ := syntax.TextOf(get.Key)
	if (v.Kind != test && v.Kind != testWorld) || v.method(name) == nil || s.infer(first(e.Args)).Kind == v.Kind {
		return false
	}
	k.report.say(e.Line(), name, "write "+shortly(get.Object)+":"+name+"(...)", "%s is called with a dot, and so without %s", name,
		shortly(get.Object))
	return true
}

// ofBotWorld checks world:objects("Ship"), whose functions take no world.
func (k *checks) ofBotWorld(e *ast.FuncCallExpr) {
	if slices.Contains(api.BotWorldMembers(), e.Method) {
		k.report.say(e.Line(), e.Method, "write "+shortly(e.Receiver)+"."+e.Method+"(...)",
			"the functions of a bot's world are called with a dot: the colon gives the world to %s", e.Method)
		return
	}
	k.botWorldMember(e.Method, e.Line())
}

// testOptions are what t:world takes, with the types of it.
var testOptions = map[string]string{"seed": "number", "players": "number", "net": "string", "empty": "boolean"}

// testWorldOptions checks the table that t:world is given.
func (w *walker) testWorldOptions(e *ast.FuncCallExpr) {
	t, ok := first(e.Args).(*ast.TableExpr)
	if !ok {
		return
	}
	known := ident.Keys(testOptions)
	for _, f := range t.Fields {
		key, isText := syntax.TextOf(f.Key)
		if f.Key == nil || !isText {
			continue
		}
		line, given := max(f.Key.Line(), f.Value.Line(), e.Line()), w.scope.typeOf(f.Value)
		of := testOptions[key]
		n, isNumber := writtenNumber(f.Value)
		switch {
		case of == "":
			w.report.say(line, key, didYouMean(key, known, "there are "+world.Listed(known)), "the world of a test has no option %s", key)
		case given != "" && given != of && given != "nil":
			w.report.say(line, key, "write "+map[string]string{
				"number": key + " = 2", "string": key + ` = "bad"`, "boolean": key + " = true",
			}[of], "world: %s must be %s, and is %s", key, aType(of), aType(given))
		case key == "players" && isNumber && (n < 0 || n > 64):
			w.report.say(line, key, "give 0 to 64", "world: there are no %v players", n)
		case key == "net":
			w.testNet(f.Value, line)
		}
	}
}

// testNet checks the connection that t:world is given, also by the callers of a helper.
func (w *walker) testNet(e ast.Expr, line int) {
	known := api.NetProfiles()
	for _, t := range w.namesOnce(e) {
		if strings.Contains(t.text, "=") || slices.Contains(known, t.text) {
			continue
		}
		if !t.passed {
			t.at.Line = line
		}
		w.report.sayIn(t.at, t.text, didYouMean(t.text, known, "there are "+world.Listed(known)+
			", and delay=80ms,jitter=20ms,loss=5%"), "world: there is no connection %q", t.text)
	}
}

// hostCall checks the name that w:call is given, which game { calls = ... } must declare.
func (w *walker) hostCall(e *ast.FuncCallExpr) {
	for _, name := range textsOf(first(e.Args)) {
		if w.game.isLoaded() && w.game.isCalled(name) {
			w.hostValues(name, e)
		}
		if !w.game.isLoaded() || w.game.isCalled(name) {
			continue
		}
		known := ident.Keys(w.game.called)
		hint := thereAre(name, known, "declare it: game { calls = { "+name+" = {} } }")
		if _, isFunction := w.game.functions[name]; !isFunction || len(ident.Nearest(name, known)) > 0 {
			hint = didYouMean(name, known, hint)
		}
		w.report.say(e.Line(), name, hint, "game.lua declares no function %s for the host program", name)
	}
}

// hostValues checks what w:call gives a function, unless a function around it may catch the error.
func (w *walker) hostValues(name string, e *ast.FuncCallExpr) {
	at := slices.IndexFunc(w.game.takes, func(f world.Function) bool { return f.Name == name })
	passed, open := count(e.Args[1:])
	if at < 0 || open || w.nested > 0 || w.game.takes[at].Entry != nil {
		return
	}
	var kinds []string
	for i, kind := range w.game.takes[at].Params {
		of := map[world.FieldKind]string{world.Number: "number", world.Bool: "boolean", world.String: "string", world.Ref: "object"}[kind]
		if kinds = append(kinds, of); i == 0 && w.game.takes[at].Command {
			kinds[i] = "player"
		}
	}
	is := "it is " + name + "(" + strings.Join(kinds, ", ") + ")"
	if passed != len(kinds) {
		w.report.say(e.Line(), name, is, "%s takes %s, and is called with %s", name, takes(len(kinds), len(kinds)), with(passed, false))
		return
	}
	for i, a := range e.Args[1:] {
		of, given := strings.Replace(kinds[i], "player", "number", 1), w.scope.typeOf(a)
		if given != "" && given != of && of != "object" {
			w.report.say(e.Line(), name, is, "%s takes %s as argument %d, and is given %s", name, aType(of), i+1, aType(given))
			return
		}
	}
}
