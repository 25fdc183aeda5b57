package lint

import (
	"fmt"
	"slices"

	"github.com/hindcast/hindcast/luabind"
	"github.com/hindcast/hindcast/luabind/internal/api"
	"github.com/hindcast/hindcast/luabind/internal/ident"
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/hindcast/hindcast/world"
	"github.com/yuin/gopher-lua/ast"
)

// options checks the tables and lists, written out, that functions of hooks are given.
func (w *walker) options(e *ast.FuncCallExpr) {
	name := syntax.NameOf(e.Func)
	if name == "" || !w.scope.isGlobal(e.Func, name) {
		return
	}
	switch {
	case name == "cue":
		w.cueOptions(e)
	case name == "overlapPolygon":
		w.checks.corners(e)
	case luabind.JointOptions(name) != nil:
		if len(e.Args) > 1 && named(e.Args[0]) != nil && shortly(e.Args[0]) == shortly(e.Args[1]) {
			w.report.say(e.Line(), name, "give the other object, or nil for the world", "%s: an object cannot be joined with itself",
				name)
		}
		if len(e.Args) == 3 {
			w.jointOptions(name, e.Args[2])
		}
	case w.inTick && slices.Contains(declaring, name) && w.scope.shows() == nil && !w.testing:
		w.report.say(e.Line(), name, "give the field a value of its kind", "%s declares a field in state, and gives no value", name)
	case name == "fillTeams" && len(e.Args) > 0:
		w.checks.classNamed(name, e.Args[0], e.Line())
		w.checks.hasTeam(e)
	case name == "takeOver" && len(e.Args) > 1:
		w.checks.classNamed(name, e.Args[1], e.Line())
	}
}

// declaring are the functions that only declarations call.
var declaring = []string{"list", "record", "ref", "str"}

// jointOptions checks the options of a joint.
func (w *walker) jointOptions(of string, e ast.Expr) {
	t, ok := e.(*ast.TableExpr)
	if !ok {
		return
	}
	known := luabind.JointOptions(of)
	for _, f := range t.Fields {
		key, isText := syntax.TextOf(f.Key)
		if !isText {
			continue
		}
		line := max(f.Key.Line(), e.Line())
		switch given := w.scope.typeOf(f.Value); {
		case !slices.Contains(known, key):
			w.report.say(line, key, or(foreignOption(key, known), didYouMean(key, known, "there are "+world.Listed(ident.NearestFirst(key, known)))),
				"%s has no option %s", of, key)
		case key == "collide":
			w.flag(of, key, f.Value, line)
		case given != "" && given != "number":
			w.report.say(line, key, "give a number", "%s: %s must be a number, and is %s", of, key, aKind(given))
		}
	}
	if w.limitsGiven(of, t, e.Line()) {
		return
	}
	keys, whole := tableKeys(e)
	_, least := keys["min"]
	_, most := keys["max"]
	if whole && least != most && slices.Contains(known, "min") {
		w.report.say(max(keys["min"], keys["max"]), of, "set both, or neither", "%s: min and max belong together", of)
	}
}

// foreignOptions are options that joints have in other engines, with those in their place.
var foreignOptions = map[string][]string{
	"axis": {"angle", "direction"}, "collide": {"collideConnected", "collide_connected", "collides"},
	"damping": {"dampingRatio", "damping_ratio"}, "hertz": {"frequency", "freq", "stiffness"},
	"break_force": {"breakForce", "maxForce", "max_force", "strength", "strenght"}, "break_torque": {"breakTorque"},
	"length": {"dist", "distance", "len", "max", "maxLength", "max_length", "rest", "restLength", "rest_length", "l"},
	"max":    {"upper", "upperLimit"}, "min": {"lower", "lowerLimit"},
	"speed": {"motorSpeed", "motor", "motor_speed"}, "max_torque": {"maxTorque", "motorTorque", "torque"},
}

// foreignOption says which option stands for one that joints have in other engines; empty: none of the known ones.
func foreignOption(key string, known []string) string {
	for _, name := range known {
		if slices.Contains(foreignOptions[name], key) {
			return "write " + name
		}
	}
	return ""
}

// cueOptions checks who gets a cue, when and for how long, and how much it says.
func (w *walker) cueOptions(e *ast.FuncCallExpr) {
	if name, isText := syntax.TextOf(first(e.Args)); isText && name == "" {
		w.report.say(e.Line(), "cue", "give it a name, which onCue of view.lua shows", "cue: the name is empty")
	}
	if len(e.Args) < 2 {
		return
	}
	t, ok := e.Args[1].(*ast.TableExpr)
	if !ok {
		return
	}
	fields := 0
	for _, f := range t.Fields {
		key, isText := syntax.TextOf(f.Key)
		if !isText {
			return
		}
		line, given := max(f.Key.Line(), e.Line()), w.scope.typeOf(f.Value)
		wrong := given != "" && given != "string" && given != "nil"
		switch key {
		case "to":
			readers := luabind.CueReaders()
			for _, text := range textsOf(f.Value) {
				wrong = wrong || !slices.Contains(readers, text)
			}
			if wrong && given != "number" {
				w.report.say(line, key, "there are "+world.Listed(readers)+", and the number of a player",
					"cue: nobody is meant by to = %s", optionValue(f.Value, given))
			}
		case "when":
			for _, text := range textsOf(f.Value) {
				wrong = wrong || !slices.Contains(luabind.CueTimes(), text)
			}
			if wrong {
				w.report.say(line, key, "there are "+world.Listed(luabind.CueTimes()), "cue: there is no when = %s",
					optionValue(f.Value, given))
			}
		case "lasts":
			if given != "" && given != "number" && given != "nil" {
				w.report.say(line, key, "give a number of seconds", "cue: lasts must be a number, and is %s", aKind(given))
			}
			if n, isWritten := writtenNumber(f.Value); isWritten && (n < 0 || n > world.MaxCueLasts) {
				w.report.say(line, key, fmt.Sprintf("give 0 to %d seconds", world.MaxCueLasts), "cue: a cue cannot last %v seconds", n)
			}
		default:
			if slices.Contains(luabind.CueReserved(), key) {
				w.report.say(line, key, "give it another name: "+api.ViewFile+" finds there what Hindcast says about the cue",
					"cue: a field cannot be called %s", key)
			}
			fields++
		}
	}
	if fields > world.MaxCueFields {
		w.report.say(e.Line(), "cue", "send less, or two cues", "cue: %d values are given, and a cue has at most %d", fields,
			world.MaxCueFields)
	}
}

// optionValue returns how a message calls the value of an option.
func optionValue(e ast.Expr, given string) string {
	if text := shortly(e); text != "this" {
		return text
	}
	return aType(given)
}

// corners checks the corners of a polygon that are written out.
func (k *checks) corners(e *ast.FuncCallExpr) {
	const hint = "write { x1, y1, x2, y2, x3, y3 }: 3 to 8 corners"
	t, ok := first(e.Args).(*ast.TableExpr)
	if !ok {
		return
	}
	if n, exact := items(t); exact && (n%2 != 0 || n < 6 || n > 16) {
		k.report.say(e.Line(), "overlapPolygon", hint, "overlapPolygon: %s are no polygon", values(n))
	}
	for _, f := range t.Fields {
		if f.Key == nil && literal(f.Value) == "table" {
			k.report.say(e.Line(), "overlapPolygon", hint, "overlapPolygon: the corners are numbers, and not tables")
			return
		}
	}
}

// classNamed checks the name of a class that a function is given.
func (k *checks) classNamed(of string, e ast.Expr, line int) {
	known := k.game.spawnable()
	for _, name := range textsOf(e) {
		if k.game.class(name) == nil && !k.game.mayDeclare(name) {
			k.report.say(line, name, didYouMean(name, known, theyDeclare(known)), "%s: "+noClass+"%s", of, name)
		}
	}
}

// onlyHooks checks a method that only some hooks can call, and attach to itself.
func (w *walker) onlyHooks(e *ast.FuncCallExpr) {
	if e.Method == "attach" && named(e.Receiver) != nil && len(e.Args) > 0 && shortly(e.Receiver) == shortly(e.Args[0]) {
		w.report.say(e.Line(), e.Method, "give the object that is to hold it", "attach: an object cannot hold itself")
	}
	if e.Method != "asSeen" || w.hook == "" || w.hook == world.ApplyInput.String() || w.hook == world.Simulate.String() ||
		w.scope.infer(e.Receiver).Kind != object {
		return
	}
	w.report.say(e.Line(), e.Method, "call it in applyInput or simulate: the input says what the player's screen showed",
		"%s cannot look at what a player saw", w.hook)
}

// asking are the hooks of game.lua that can only read.
var asking = []string{"filterChat", "predicted", "relevant"}

// changes checks that a hook which can only read changes nothing, and the function of asSeen. name is what is called.
func (w *walker) changes(name string, line int) {
	if w.changesFromOutside(name, line) {
		return
	}
	if w.seeing {
		w.report.say(line, name, "return what is found, and change the world after asSeen",
			"nothing can be changed within asSeen, which looks at the past")
		return
	}
	if slices.Contains(asking, w.hook) {
		w.report.say(line, name, "change the world in a hook such as tick", "%s can only read: it answers a question", w.hook)
	}
}

// changesWorld reports whether a method of objects changes them.
func changesWorld(method string) bool {
	for _, begin := range []string{"set", "apply", "attach", "detach", "remove", "moveAndSlide"} {
		if library.Method(method) != nil && len(method) >= len(begin) && method[:len(begin)] == begin {
			return true
		}
	}
	return false
}

// noStats checks a field of stats(player) in a game that declares none.
func (k *checks) noStats(of ast.Expr, name string, line int) {
	call, ok := of.(*ast.FuncCallExpr)
	if !ok || syntax.NameOf(call.Func) != "stats" || k.game.class(world.PlayerClass) != nil || !k.game.isLoaded() ||
		name == "" || name == "team" || name == "entered" || !k.game.hidesNothing() {
		return
	}
	k.report.sayAbout(topic{sort: aMember, of: world.PlayerClass}, line, name, "write player { state = { "+name+" = 0 } } in game.lua",
		"stats: no file declares what players have, such as %s", name)
}

// unowned checks spawn("Ship", { x = 1 }) in onJoin: a class with inputs, of which no file gives any object to a player.
func (w *walker) unowned(e *ast.FuncCallExpr) {
	name, isText := syntax.TextOf(first(e.Args))
	c := w.game.class(name)
	if w.hook != "onJoin" || !isText || c == nil || !w.game.isLoaded() || w.game.own().gives || syntax.LastName(e.Func) != "spawn" {
		return
	}
	if len(e.Args) > 1 {
		keys, _ := tableKeys(e.Args[1])
		for _, key := range ident.Keys(keys) {
			if _, lacks := c.lacksSpawnKey(key); lacks {
				return // which is said, and may be meant
			}
		}
	}
	if inputs, known := c.inputNames(); !known || len(inputs) == 0 || c.isMethod(world.Think.String()) || c.inherits || len(c.below) > 0 {
		return
	}
	w.report.say(e.Line(), name, "write spawn(\""+name+"\", { owner = player })", "no file gives a %s an owner, so nobody steers it", name)
}

// methodOfNobody checks local f = self.remove f(): a method that is called without its object.
func (w *walker) methodOfNobody(e *ast.FuncCallExpr) {
	name := syntax.NameOf(e.Func)
	v, isLocal := w.scope.lookUp(name)
	if !isLocal || v.Of == nil || len(e.Args) > 0 && (w.scope.typeOf(e.Args[0]) == "" || w.scope.infer(e.Args[0]).isObject()) {
		return
	}
	w.report.say(e.Line(), name, "write self:"+v.Of.Name+"(...)", "%s is the method %s, which is called without its object",
		name, v.Of.Name)
}

// cutShort checks nearest("Coin", self:getPosition(), 5): of a call that is not the last argument only the first result
// is passed.
func (w *walker) cutShort(m *api.Member, e *ast.FuncCallExpr) {
	w.shifted(m, e)
	inner, call := w.scope.cut(m, e)
	if inner == nil {
		return
	}
	x, y := inner.Returns[0].Name, inner.Returns[1].Name
	w.report.say(e.Line(), inner.Name, "write local "+x+", "+y+" = "+shortlyCalled(call)+" before, and pass both",
		"%s: %s returns two values, and only the first is passed because another argument follows", m.Name, inner.Name)
}

// cut returns the call of which only the first of two results is passed, and what it calls; nil: there is none, or there
// are too many arguments anyway.
func (s *scope) cut(m *api.Member, e *ast.FuncCallExpr) (inner *api.Member, call *ast.FuncCallExpr) {
	if m == nil {
		return nil, nil
	}
	passed, _ := count(e.Args)
	if _, most := m.Arguments(); most >= 0 && passed > most {
		return nil, nil
	}
	for i, a := range e.Args[:max(len(e.Args)-1, 0)] {
		call, ok := a.(*ast.FuncCallExpr)
		if !ok || i+1 >= len(m.Params) {
			continue
		}
		inner := s.calledMember(call)
		if inner == nil || len(inner.Returns) != 2 || !paired(inner.Returns[0].Name, m.Params[i].Name) ||
			!paired(inner.Returns[1].Name, m.Params[i+1].Name) {
			continue
		}
		return inner, call
	}
	return nil, nil
}

// shifted checks overlapCircle(3, self:getPosition()), which gives x to y, and setPosition(self:getDirection(), 0), which
// gives an angle to x.
func (w *walker) shifted(m *api.Member, e *ast.FuncCallExpr) {
	if m == nil {
		return
	}
	for i, a := range e.Args {
		call, ok := a.(*ast.FuncCallExpr)
		if !ok || i >= len(m.Params) {
			continue
		}
		inner := w.scope.callee(call.Func)
		if call.Receiver != nil {
			inner = w.scope.infer(call.Receiver).method(call.Method)
		}
		if inner == nil || len(inner.Returns) == 0 {
			continue
		}
		given, takes := inner.Returns[0].Name, axisOf(m.Params[i].Name)
		switch last := i == len(e.Args)-1; {
		case last && len(inner.Returns) == 2 && axisOf(given) == "x" && takes == "y",
			given == "angle" && takes != "" && takesBoth(m):
			w.report.say(e.Line(), inner.Name, "the signature is "+m.Signature(), "%s: %s is given %s of %s", m.Name, m.Params[i].Name, theResult(given),
				inner.Name)
			return
		}
	}
}

// takesBoth reports whether a function takes coordinates: x and y.
func takesBoth(m *api.Member) bool {
	axes := map[string]bool{}
	for _, p := range m.Params {
		axes[axisOf(p.Name)] = true
	}
	return axes["x"] && axes["y"]
}

// theResult names a result of a function.
func theResult(name string) string {
	if name == "angle" {
		return "the angle"
	}
	return name
}

// paired reports whether a result and a parameter are the same coordinate: x and x, vx and x1.
func paired(result, param string) bool {
	return axisOf(result) != "" && axisOf(result) == axisOf(param)
}

// axisOf returns the axis of a coordinate, x or y; empty: a name is that of none.
func axisOf(name string) string {
	for _, a := range []string{"x", "y"} {
		if name == a || name == "v"+a || name == a+"1" || name == a+"2" || name == "f"+a || name == "j"+a {
			return a
		}
	}
	return ""
}
