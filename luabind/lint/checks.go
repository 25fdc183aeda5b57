package lint

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/hindcast/hindcast/luabind/internal/api"
	"github.com/hindcast/hindcast/luabind/internal/ident"
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/hindcast/hindcast/world"
	"github.com/yuin/gopher-lua/ast"
)

// checks compares the names that code uses with those that are declared.
type checks struct {
	game    *game
	report  *report
	twice   map[string]bool // variables of the function of which it has been said that they are numbers
	nothing map[string]bool // files that return nothing, of which that has been said
}

// member checks a member of an object of a class. what it should be is part of
// the message.
func (k *checks) member(c *class, name string, line int, what, hint string) {
	if p := c.fields[name]; p != nil && what == "method" && !c.isMethod(name) {
		k.report.say(line, name, "write it with a dot, and without ()", "%s is %s, and cannot be called", p.name, p.is())
		return
	}
	if k.game.lacks(c, name) {
		if _, known := c.lacksProp(name); c.props[name] && !known {
			hint = "write objProps." + name
		}
		if !strings.HasPrefix(hint, name+" is a function: ") {
			hint = or(k.game.elsewhere(c, name, what, hint), memberHint(name, what, k.game.members(c), hint))
		}
		if fields := c.ownFields(); c.name() == world.GameClass && len(fields) > 0 {
			hint = strings.Replace(hint, "members of the object: write self.fuel", "members of game: write game."+fields[0], 1)
		}
		k.report.sayAbout(memberTopic(c.name(), name), line, name, hint, "%s has no %s %s", c.name(),
			what, name)
	}
}

// elsewhere returns the hint for a member that the game declares in another class than the one it is looked up in; empty:
// none has it, or the class has one with almost that name. otherwise is what is said without that.
func (g *game) elsewhere(c *class, name, what, otherwise string) string {
	if len(ident.Nearest(name, slices.Concat(c.ownFields(), c.ownMethods()))) > 0 {
		return ""
	}
	for _, o := range g.all() {
		is := ""
		switch {
		case world.BuiltIn(o.name()) || o == c:
		case o.declared[name] > 0 && what != "method":
			is = "it is a field of " + o.name()
		case o.isMethod(name) && api.HookMember(name) == nil:
			is = "it is a method of " + o.name()
		}
		if is == "" {
			continue
		}
		for _, list := range []string{"there are ", "there is "} {
			if rest, lists := strings.CutPrefix(otherwise, list); lists {
				return is + ", and " + c.name() + " has " + rest
			}
		}
		return is + ", or " + otherwise
	}
	return ""
}

// memberTopic is what a finding about a member is about that does not exist. x and y, and other members that one thing
// stands for here, are one mistake.
func memberTopic(of, name string) topic {
	return topic{aMember, of, or(or(membersElsewhere[name], api.ForeignMember(name)), name)}
}

// memberHint returns the hint for a member that does not exist.
func memberHint(name, what string, known []string, fallback string) string {
	getter := "get" + strings.ToUpper(name[:min(1, len(name))]) + name[min(1, len(name)):]
	declared := slices.DeleteFunc(slices.Clone(known), func(n string) bool { return library.Method(n) != nil })
	switch near := ident.Nearest(name, declared); {
	case len(near) > 0 && (what != "method" || ident.Nearest(name, known)[0] == near[0]): // no method of the library is nearer
		return "did you mean " + near[0] + "?"
	case what != "method" && slices.Contains(known, getter) && api.ForeignMember(name) == "":
		return "write " + getter + "()"
	}
	if hint := or(membersElsewhere[name], api.ForeignMember(name)); hint != "" {
		return hint
	}
	if library.Function("", name) != nil {
		return "it is a function: write it without the object before it"
	}
	return didYouMean(name, known, or(api.ForeignHook(name), fallback))
}

// someMember checks a member of an object of a class that is not known. any has the members of all classes, or of some.
func (k *checks) someMember(any *class, name string, line int, what, function string) {
	if k.game.lacks(any, name) && name == "object" {
		k.report.sayAbout(topic{sort: aMember, name: name}, line, name, "what it is looked up in is the object itself", noMember+"%s %s", what,
			name)
	} else if k.game.lacks(any, name) {
		says, about := noMember, memberTopic("", name)
		if len(any.either) > 0 {
			says, about = neitherOf(any.either)+" has a ", memberTopic(any.either[0].name(), name)
		}
		hint := function
		if hint == "" {
			hint = memberHint(name, what, k.game.members(any), thereAre(name, any.ownMembers(what), declaringIn(what, name)))
		}
		k.report.sayAbout(about, line, name, hint, says+"%s %s", what, name)
	}
}

// input checks an input that is read.
func (k *checks) input(c *class, name string, line int) {
	if c.reads(name) {
		k.missingInput(c, name, line)
	}
}

// inputMethod checks input:held("Fire") and its like.
func (k *checks) inputMethod(c *class, e *ast.FuncCallExpr) {
	if known := api.InputMethods(); !slices.Contains(known, e.Method) {
		if inputs, _ := c.inputNames(); slices.Contains(inputs, e.Method) {
			c.reads(e.Method)
			k.report.say(e.Line(), e.Method, "write "+shortly(e.Receiver)+"."+e.Method, "%s is an input, and no method", e.Method)
			return
		}
		k.report.sayAbout(topic{anInputOf, c.name(), ""}, e.Line(), e.Method, didYouMean(e.Method, known, "there are "+world.Listed(known)),
			"an input has no method %s", e.Method)
		c.allInputs()
		return
	}
	if !isOneOfTexts(first(e.Args)) {
		c.allInputs()
	}
	for _, name := range textsOf(first(e.Args)) {
		k.heldInput(c, e, name)
	}
}

// heldInput checks an input of which a method asks something.
func (k *checks) heldInput(c *class, e *ast.FuncCallExpr, name string) {
	k.input(c, name, e.Line())
	if axis, known := c.axis(name); known && axis {
		k.report.sayAbout(topic{anInputOf, c.name(), ""}, e.Line(), name, "compare it: input."+name+" > 0", "the input %s is a number, of which there is no %s", name,
			e.Method)
	}
}

func (k *checks) missingInput(c *class, name string, line int) {
	if k.game.mayDeclare(name) {
		return
	}
	known, _ := c.inputNames()
	k.report.sayAbout(topic{anInputOf, c.name(), name}, line, name, didYouMean(name, known, thereAre(name, known, "declare it in input")),
		"%s declares no input %s", c.name(), name)
}

// prop checks a constant in objProps.
func (k *checks) prop(c *class, name string, line int) {
	if known, lacks := c.lacksProp(name); lacks && !k.game.mayDeclare(name) {
		k.report.sayAbout(topic{aConstant, c.name(), name}, line, name, didYouMean(name, known, thereAre(name, known, "declare it in objProps")), "%s.objProps has no %s",
			c.name(), name)
	}
}

// spawnCall checks the classes that the first argument of spawn, objects and nearest may be, and what spawn is given for
// the object.
func (k *checks) spawnCall(fn string, e *ast.FuncCallExpr, names []writtenText) {
	k.className(fn, names)
	for _, name := range names {
		if c := k.game.class(name.text); c != nil && fn == "spawn" && len(e.Args) > 1 {
			k.spawned(c, e.Args[1])
		}
	}
}

// className checks the names of classes that the first argument of a call may be.
func (k *checks) className(fn string, names []writtenText) {
	for _, t := range names {
		if known, name := k.game.spawnable(), t.text; k.game.class(name) == nil && name != world.WallClass && !k.game.mayDeclare(name) {
			meant := known
			if fn != "spawn" {
				meant = append(slices.Clone(known), world.WallClass)
			}
			k.report.sayOf(topic{sort: aClassName, name: name}, t.at, name, didYouMean(name, meant, theyDeclare(known)),
				"%s: "+noClass+"%s", fn, name)
		}
	}
}

// classItself checks that spawn and the like are given the name of a class, and not the class. said reports that there
// is a finding.
func (k *checks) classItself(s *scope, fn string, e *ast.FuncCallExpr) (said bool) {
	c := s.classVariable(first(e.Args))
	if c != nil {
		k.report.say(e.Line(), fn, "write "+fn+"(\""+c.name()+"\")",
			"%s takes the name of a class, and not the class itself", fn)
	}
	return c != nil
}

// timer checks the name of a timer that after, every, stopTimer and timeLeft are given. It is a function of self, or of
// the object whose hook runs, whatever that is, or of the match. said reports that there is a finding.
func (w *walker) timer(e *ast.FuncCallExpr) (said bool) {
	at := 0
	if api.StartsTimer(syntax.NameOf(e.Func)) {
		at = 1
	}
	if len(e.Args) != at+1 || w.game.anyObject() == nil || !w.game.isLoaded() {
		return false
	}
	if w.passedTimer(e, e.Args[at]) {
		return true
	}
	for _, name := range w.names(e.Args[at]) {
		said = !w.game.mayDeclare(name.text) && (w.foreignTimer(e, name.text) || w.checks.timerName(e, name.text)) || said
	}
	return said
}

// foreignTimer reports the name of a timer that neither self nor the match has, but other classes. said reports that
// there is a finding.
func (w *walker) foreignTimer(e *ast.FuncCallExpr, name string) (said bool) {
	self, isLocal := w.scope.lookUp("self")
	c := self.Class
	if !isLocal || self.Kind != object || c == nil || !w.game.timed[name] || c.mayTime(name) || w.game.matchTimes(name) {
		return false
	}
	have := slices.DeleteFunc(w.game.all(), func(o *class) bool { return !slices.Contains(o.timers, name) })
	for _, o := range have {
		if !slices.ContainsFunc(have, func(base *class) bool { return slices.Contains(base.below, o) }) {
			w.report.say(e.Line(), name, "write function "+c.name()+":"+name+"() ... end, or start it in a function of "+o.name(),
				"%s: %s has no function %s, which %s has", syntax.NameOf(e.Func), c.name(), name, o.name())
			return true
		}
	}
	return false
}

// matchTimes reports whether the match may have a timer.
func (g *game) matchTimes(name string) bool {
	c := g.class(world.GameClass)
	return c == nil || c.mayTime(name)
}

// mayTime reports whether an object of the class may have a timer.
func (c *class) mayTime(name string) bool {
	return slices.Contains(c.timers, name) || slices.ContainsFunc(c.below, func(b *class) bool { return b.mayTime(name) })
}

// timerName checks one of the names that a timer may have. said reports that there is a finding.
func (k *checks) timerName(e *ast.FuncCallExpr, name string) (said bool) {
	of := syntax.NameOf(e.Func)
	starts := api.StartsTimer(of)
	if k.game.timed[name] {
		return starts && k.timedArguments(e, name)
	}
	if i := strings.LastIndexAny(name, ".:"); i >= 0 {
		k.report.say(e.Line(), name, fmt.Sprintf("write %s(..., %q)", of, strings.TrimSuffix(name[i+1:], "()")), "%s: %s is no name of a function", of, name)
		return true
	}
	hook, isHook := api.LikeHook(name, slices.Concat(api.ObjectHooks(), api.GameHooks()))
	own := or(map[bool]string{true: "vanish"}[name == "remove"], "later")
	switch isFunction := k.game.isFunction(name); {
	case isHook && isFunction:
		k.report.say(e.Line(), name, k.game.callingHook(of, name), "%s: %s is a hook, and no timer", of, hook)
	case library.Method(name) != nil:
		k.report.say(e.Line(), name, "write function Class:"+own+"() self:"+name+"(...) end, and "+of+`(..., "`+own+`")`,
			"%s: %s is a method of all objects, and no timer", of, name)
	case isFunction && !starts && k.game.startsOtherwise(name): // which is said
	case isFunction && !starts:
		k.report.sayAbout(topic{sort: anUnstarted, name: name}, e.Line(), name, "after(seconds, \""+name+"\") and every(seconds, \""+name+"\") start it",
			"%s: nothing starts the timer %s", of, name)
	case !isFunction:
		hint := didYouMean(name, append(k.game.timeable(), k.game.members(k.game.anyObject())...),
			"write function Class:"+name+"() ... end, or function "+name+"() in game.lua")
		if f := k.game.functionsOf.locals[api.GameFile][name]; f != nil {
			hint = fmt.Sprintf("leave out local in %s:%d: function %s() ... end", api.GameFile, f.f.Line(), name)
		}
		k.report.sayAbout(topic{sort: aNoTimer, name: name}, e.Line(), name, hint, "%s: there is no function %s", of, name)
	default: // no call names it by a text
		k.report.say(e.Line(), name, "write "+of+"(..., \""+name+"\")", "%s: the name of a timer is written as a text in the call", of)
	}
	return true
}

// callingHook says what to write where a timer is to call a hook.
func (g *game) callingHook(of, hook string) string {
	if _, isGlobal := g.functions[hook]; isGlobal {
		return "write a function that calls it: function later() " + hook + "() end, and " + of + `(..., "later")`
	}
	return "write a function that calls it: function Class:later() self:" + hook + "() end, and " + of + `(..., "later")`
}

// period checks the seconds that after and every are given.
func (k *checks) period(e *ast.FuncCallExpr) {
	of := syntax.NameOf(e.Func)
	switch seconds, isWritten := writtenNumber(first(e.Args)); {
	case !isWritten:
	case seconds < 0:
		k.report.say(e.Line(), of, "give the seconds until then: "+of+"(0.5, ...)", "%s: a time is not negative", of)
	case isMilliseconds(seconds):
		k.report.say(e.Line(), of, fmt.Sprintf("write %s(%v, ...) if milliseconds are meant", of, seconds/1000), "%s takes seconds: this is after %.0f minutes",
			of, seconds/60)
	case seconds == 0 && of == api.Every:
		k.report.say(e.Line(), of, "tick runs in each tick: function Class:tick() ... end",
			"every: a period of 0 s is that of each tick")
	}
}

// laterBy checks now() + 3000, which is meant to be later by 3 s.
func (w *walker) laterBy(e *ast.ArithmeticOpExpr) {
	call, ok := e.Lhs.(*ast.FuncCallExpr)
	seconds, isWritten := writtenNumber(e.Rhs)
	if ok && isWritten && e.Operator == "+" && w.scope.isGlobal(call.Func, "now") && isMilliseconds(seconds) {
		w.report.say(e.Line(), "now", fmt.Sprintf("write now() + %v if milliseconds are meant", seconds/1000),
			"now() is in seconds: this is after %.0f minutes", seconds/60)
	}
}

// isMilliseconds reports whether a number of seconds seems to be one of milliseconds: 1000 or more, and not whole minutes
// as somebody writes them.
func isMilliseconds(seconds float64) bool {
	return seconds >= 1000 && (math.Mod(seconds, 1000) == 0 || math.Mod(seconds, 60) != 0)
}

// levelCall checks the names that the argument of level may be.
func (k *checks) levelCall(names []writtenText) {
	known := k.game.own().levelNames()
	for _, t := range names {
		if name := t.text; len(known) > 0 && !slices.Contains(known, name) {
			k.report.sayOf(topic{sort: aLevel, name: name}, t.at, name, didYouMean(name, known, "there are "+world.Listed(known)),
				"level: game.toml has no [level.%s]", name)
		}
	}
}

// spawned checks the keys of spawn's second argument.
func (k *checks) spawned(c *class, args ast.Expr) {
	keys, _ := tableKeys(args)
	for _, key := range ident.Keys(keys) {
		if key == "objProps" && k.game.isLoaded() && c.fields[key] == nil {
			k.report.say(keys[key], key, "declare a field in state, and give that", "spawn: objProps are constants of the class %s", c.name())
			continue
		}
		if allowed, lacks := c.lacksSpawnKey(key); lacks && !k.game.mayDeclare(key) {
			k.report.say(keys[key], key, or(foreignPlacement[key], didYouMean(key, allowed,
				"spawn takes x, y, angle, vx, vy, w, owner and the fields of "+c.name())),
				"spawn: %s has no %s", c.name(), key)
		}
	}
}

// foreignPlacement are keys with which objects are placed in other engines, with those in their place.
var foreignPlacement = map[string]string{
	"player": "write owner", "position": "write x = 1, y = 2", "pos": "write x = 1, y = 2", "velocity": "write vx = 1, vy = 2",
	"vel": "write vx = 1, vy = 2", "speed": "write vx = 1, vy = 2", "rotation": "write angle, in radians", "rot": "write angle, in radians",
	"direction": "write angle, in radians", "heading": "write angle, in radians", "state": "fields stand beside x and y: { x = 1, fuel = 3 }",
	"fields": "fields stand beside x and y: { x = 1, fuel = 3 }", "aux": "fields stand beside x and y: { x = 1, fuel = 3 }",
	"parent": "attach the object after it is spawned: o:attach(self)", "class": "the class is the first argument: spawn(\"Class\", { ... })",
}

// thought checks the inputs that think, or a bot, returns.
func (k *checks) thought(thinks *class, s *ast.ReturnStmt) {
	if thinks == nil || len(s.Exprs) != 1 {
		return
	}
	keys, _ := tableKeys(s.Exprs[0])
	for _, key := range ident.Keys(keys) {
		if thinks.lacksInput(key) {
			k.missingInput(thinks, key, keys[key])
		}
	}
}

// testCall checks a call of a method of t or w in a test file.
func (k *checks) testCall(of kind, e *ast.FuncCallExpr, names []writtenText) {
	known, what := api.TestMethods(), "a test"
	if of == testWorld {
		known, what = api.TestWorldMethods(), "a test's world"
	}
	switch {
	case !slices.Contains(known, e.Method):
		k.report.say(e.Line(), e.Method, didYouMean(e.Method, known, "there are "+world.Listed(known)),
			"%s has no method %s", what, e.Method)
	case of == testWorld && e.Method == "input" && len(e.Args) > 1:
		k.testInputs(e.Args[1])
	case of == testWorld && e.Method == "spawn":
		k.spawnCall("spawn", e, names)
	case of == testWorld && e.Method == "cues" && k.game.sent != nil:
		for _, name := range textsOf(first(e.Args)) {
			if !slices.Contains(k.game.sent, name) {
				k.report.sayAbout(topic{sort: aCue, name: name}, e.Line(), name,
					didYouMean(name, k.game.sent, theyEmit(k.game.sent)), "cues: no script emits a cue %s", name)
			}
		}
	}
}

// theyEmit returns the hint that lists the cues of the scripts.
func theyEmit(cues []string) string {
	if len(cues) == 0 {
		return "the scripts emit no cue"
	}
	return "the scripts emit " + world.Listed(cues)
}

// testInputs checks the inputs that a test gives to objects of any class.
func (k *checks) testInputs(e ast.Expr) {
	var known []string
	for _, c := range k.game.all() {
		names, all := c.inputNames()
		if !all {
			return
		}
		known = append(known, names...)
	}
	keys, _ := tableKeys(e)
	for _, key := range ident.Keys(keys) {
		if !slices.Contains(known, key) && !k.game.mayDeclare(key) {
			k.report.say(keys[key], key, didYouMean(key, known, "declare it in input"),
				"no class declares an input %s", key)
		}
	}
}

// botWorldMember checks world.name in a bot's file.
func (k *checks) botWorldMember(name string, line int) {
	if known := api.BotWorldMembers(); !slices.Contains(known, name) {
		k.report.say(line, name, didYouMean(name, known, "there are "+world.Listed(known)),
			"a bot's world has no %s", name)
	}
}

func first(list []ast.Expr) ast.Expr {
	if len(list) == 0 {
		return nil
	}
	return list[0]
}
