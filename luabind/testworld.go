package luabind

import (
	"slices"
	"strings"

	"github.com/hindcast/hindcast/luabind/internal/ident"
	"github.com/hindcast/hindcast/world"
	lua "github.com/yuin/gopher-lua"
)

// maxTestTicks bounds one step of a test: an hour at 60 Hz.
const maxTestTicks = 3600 * 60

// testRun is a running test: the world that the test reads, and the stage on which it
// plays.
type testRun struct {
	vm     *VM
	stage  Stage
	w      *world.World // shows the test a state
	opened bool
	given  *world.Schema // whose classes have the objProps of the game
}

// testRefusal is the error of a test that tries to change the world that it reads.
const testRefusal = "a test changes its world through w only: w:spawn, w:call, w:input, w:step"

// newTestRun begins a test, which sees an empty world at first.
func newTestRun(vm *VM, stage Stage) *testRun {
	r := &testRun{vm: vm, stage: stage, w: world.New()}
	r.show(nil, stage.Schema())
	return r
}

// show sets the state that the test's handles and queries read.
func (r *testRun) show(s *world.State, schema *world.Schema) {
	r.w.Load(s, schema)
	r.vm.lookAt(r.w.Reader(), &question{refusal: testRefusal, random: mix(schema.Setup.Seed)})
	if game := r.stage.Game(); game != nil && r.given != schema {
		r.given = schema
		r.vm.takeConstants(game)
	}
}

// look shows the present state of the host.
func (r *testRun) look(L call) {
	s, schema, err := r.stage.Look(0)
	must(L, err)
	r.show(s, schema)
}

// must raises an error of the stage.
func must(L call, err error) {
	if err != nil {
		L.RaiseError("%s", err.Error())
	}
}

// methods returns the methods of the t that is passed to the test.
func (r *testRun) methods(log *testLog) []entry {
	return append([]entry{{"world", r.world}}, (&testChecks{log, r.vm.fields}).entries()...)
}

// table makes a table of methods. Their first argument is number 2.
func (r *testRun) table(methods []entry) *lua.LTable {
	t := r.vm.newTable(len(methods))
	for _, m := range methods {
		t.RawSetString(m.Name, r.vm.function(func(L call) int {
			if L.Get(1) != t {
				L.RaiseError("%s must be called with a colon: :%s(...)", m.Name, m.Name)
			}
			return m.Fn(L)
		}))
	}
	r.vm.freeze(t)
	return t
}

// world implements t:world { seed =, players =, net =, empty = }.
func (r *testRun) world(L call) int {
	if r.opened {
		L.RaiseError("a test can have only one world")
	}
	o := StageOptions{}
	if L.Get(2) != lua.LNil {
		o = testOptions(L, L.table(2, "world: the argument"))
	}
	r.opened = true
	must(L, r.stage.Open(o))
	r.look(L)
	L.Push(r.table(r.worldMethods()))
	return 1
}

func testOptions(L call, t *lua.LTable) (o StageOptions) {
	for _, k := range sortedTableKeys(t) {
		v := valueAt(t, k)
		n, isNumber := v.(lua.LNumber)
		switch name := toText(k); {
		case name == "seed" && isNumber && n >= 0:
			o.Seed = uint64(clampInt(float64(n)))
		case name == "players" && isNumber && n >= 0 && n <= 64:
			o.Players = clampInt(float64(n))
		case name == "net" && v.Type() == lua.LTString:
			o.Net = string(v.(lua.LString))
		case name == "empty" && v.Type() == lua.LTBool:
			o.Empty = bool(v.(lua.LBool))
		case slices.Contains([]string{"seed", "players", "net", "empty"}, name):
			L.RaiseError(
				"world: %s = %s; want seed = a number, players = 0 to 64, net = \"bad\" or another profile, empty "+
					"= true", name,
				showValue(v, 0))
		default:
			L.RaiseError("world: unknown key %s; there are %s", name,
				strings.Join(ident.NearestFirst(name, []string{"empty", "net", "players", "seed"}), ", "))
		}
	}
	return o
}

// worldMethods returns the methods of the w that t:world returns.
func (r *testRun) worldMethods() []entry {
	return []entry{{"step", r.step}, {"input", r.input}, {"spawn", r.spawn}, {"call", r.call},
		{"join", r.join}, {"leave", r.leave}, {"cues", r.cues}, {"told", r.told}, {"seenBy", r.seenBy}, {"confirmed", r.confirmed}, {"settle", r.confirmAll}, {"errors", r.errors}}
}

// step implements w:step(ticks), one tick by default.
func (r *testRun) step(L call) int {
	n := L.integerOr(2, "step: the number of ticks", 1)
	if n < 0 || n > maxTestTicks {
		L.RaiseError("step(%d): must be 0 to %d ticks", n, maxTestTicks)
	}
	must(L, r.stage.Step(n))
	r.look(L)
	return 0
}

// refuseForeign raises an error if a table of inputs has one that no class declares.
func (r *testRun) refuseForeign(L call, t *lua.LTable) {
	var names []string
	for i := range r.vm.Schema().Classes {
		names = append(names, inputNames(&r.vm.Schema().Classes[i])...)
	}
	for _, k := range sortedTableKeys(t) {
		if key := toText(k); !slices.Contains(names, key) {
			L.RaiseError("input: no class declares an input %s; the classes declare: %s", key,
				strings.Join(slices.Compact(ident.NearestFirst(key, names)), ", "))
		}
	}
}

// input implements w:input(player, { Accel = true }, object).
func (r *testRun) input(L call) int {
	p := playerOf(L, L.number(2, "input: the player"))
	t := L.table(3, "input: the inputs")
	var object world.ObjectID
	if L.Get(4) != lua.LNil {
		object = objectArg(L, 4, "input: the object")
	}
	byClass := make([]world.Input, len(r.vm.Schema().Classes))
	var wrong error
	known := len(sortedTableKeys(t)) == 0
	for i := range r.vm.Schema().Classes {
		c := &r.vm.Schema().Classes[i]
		if len(c.Inputs) == 0 {
			continue
		}
		in, err := inputOf(c, t, func(string) {}, nil)
		if err != nil {
			wrong = err
			if declaresAny(c, t) { // the class is meant, and a value is wrong
				L.RaiseError("input: the table %s", err)
			}
			continue
		}
		byClass[i], known = in, true
	}
	switch {
	case !known && wrong != nil:
		L.RaiseError("input: the table %s", wrong)
	case !known:
		L.RaiseError("input: no class declares any input")
	}
	r.refuseForeign(L, t)
	must(L, r.stage.Input(p, object, byClass))
	return 0
}

func objectArg(L call, i int, what string) world.ObjectID {
	if u, ok := L.Get(i).(*lua.LUserData); ok {
		if h, ok := u.Value.(*handle); ok {
			return h.ID
		}
	}
	L.RaiseError("%s must be an object, not %s", what, aTypeName(L.Get(i)))
	return 0
}

// spawn implements w:spawn("Ship", { x =, y =, angle =, vx =, vy =, w =, owner = }), with fields of the object as spawn
// has them.
func (r *testRun) spawn(L call) int {
	name := L.text(2, "spawn: the class")
	_, ok := r.vm.Schema().ClassByName(name)
	if !ok || world.BuiltIn(name) {
		L.RaiseError("spawn: there is no class %s; the scripts declare %s", name, world.Listed(r.vm.spawnable(name)))
	}
	args := &lua.LTable{Metatable: lua.LNil}
	if L.Get(3) != lua.LNil {
		args = L.table(3, "spawn: the second argument")
	}
	place, names := r.vm.placementOf(L, name, args)
	fields := map[string]any{}
	for _, k := range names {
		fields[k] = fieldValue(L, args.RawGetString(k), k)
	}
	id, err := r.stage.Spawn(name, place, fields)
	must(L, err)
	r.look(L)
	L.Push(r.vm.handleOf(id))
	return 1
}

// fieldValue returns the value of a field as Stage.Spawn takes it. A table with the key 1 or without
// any is a list, another one a record.
func fieldValue(L call, v lua.LValue, what string) any {
	switch v := v.(type) {
	case lua.LNumber:
		return float64(v)
	case lua.LBool:
		return bool(v)
	case lua.LString:
		return string(v)
	case *lua.LUserData:
		if h, ok := v.Value.(*handle); ok {
			return h.ID
		}
	case *lua.LTable:
		keys := keysOf(L, v)
		if n := v.Len(); n == len(keys) {
			items := make([]any, n)
			for i := range items {
				items[i] = fieldValue(L, v.RawGetInt(i+1), what)
			}
			return items
		}
		parts := map[string]any{}
		for _, k := range keys {
			parts[toText(k)] = fieldValue(L, valueAt(v, k), what+"."+toText(k))
		}
		return parts
	}
	L.RaiseError("spawn: %s cannot be %s", what, aTypeName(v))
	return nil
}

// call implements w:call("start", 3, true): it calls a function of game.lua as the host program does.
func (r *testRun) call(L call) int {
	name := L.text(2, "call: the function")
	var args []world.Value
	for i := 3; i <= L.GetTop(); i++ {
		args = append(args, callArg(L, i))
	}
	must(L, r.stage.Call(name, args))
	r.look(L)
	return 0
}

// callArg returns an argument for a function of game.lua.
func callArg(L call, i int) world.Value {
	switch v := L.Get(i).(type) {
	case lua.LNumber:
		return world.NumberValue(float64(v))
	case lua.LBool:
		return world.BoolValue(bool(v))
	case lua.LString:
		return world.TextValue(string(v))
	case *lua.LNilType:
		return world.RefValue(0)
	}
	return world.RefValue(objectArg(L, i, "call: an argument"))
}

// join implements w:join { team = "Red" }: one more player joins, who answers this to the entry form.
func (r *testRun) join(L call) int {
	var answers []string
	if L.Get(2) != lua.LNil {
		answers = r.answers(L, L.table(2, "join: the answers"))
	}
	if answers == nil {
		answers = []string{"-"}
	}
	p, err := r.stage.Join(strings.Join(answers, " "))
	must(L, err)
	r.look(L)
	L.Push(lua.LNumber(p))
	return 1
}

// answers reads a table of answers to the entry form.
func (r *testRun) answers(L call, t *lua.LTable) (out []string) {
	_, form := r.vm.Schema().Functions.EntryForm()
	if form == nil {
		L.RaiseError("join: the game asks nothing: game.lua has no entry { ... }")
	}
	for _, k := range sortedTableKeys(t) {
		name, answer := toText(k), toText(valueAt(t, k))
		at := slices.IndexFunc(form.Questions, func(q world.Question) bool { return q.Name == name })
		if at < 0 {
			L.RaiseError("join: the entry form has no question %s; it has %s", name, world.Listed(questions(form)))
		}
		options := optionNames(form.Questions[at].Options)
		if !slices.Contains(options, answer) {
			L.RaiseError("join: %s = %q: the answers are %s", name, answer, world.Listed(ident.NearestFirst(answer, options)))
		}
		out = append(out, name+"="+answer)
	}
	return out
}

func questions(form *world.EntryForm) (names []string) {
	for _, q := range form.Questions {
		names = append(names, q.Name)
	}
	return names
}

func optionNames(options []world.Option) (names []string) {
	for _, o := range options {
		names = append(names, o.Name)
	}
	return names
}

// leave implements w:leave(player).
func (r *testRun) leave(L call) int {
	must(L, r.stage.Leave(playerOf(L, L.number(2, "leave: the player"))))
	r.look(L)
	return 0
}

// cues implements w:cues("goal"): the cues of this name so far, or all of them.
func (r *testRun) cues(L call) int {
	name := ""
	if L.Get(2) != lua.LNil {
		name = L.text(2, "cues: the name")
	}
	now, _, err := r.stage.Look(0)
	must(L, err)
	rate := float64(r.vm.Schema().Setup.TickRate)
	list := L.CreateTable(0, 0)
	for _, c := range r.stage.Cues() {
		if _, message := c.Message(); message || name != "" && c.Name != name {
			continue
		}
		t := L.CreateTable(0, len(c.Fields)+3)
		addCueFields(t, &c)
		t.RawSetString("name", lua.LString(c.Name))
		t.RawSetString("age", lua.LNumber(float64(now.Tick-min(c.Tick, now.Tick))/rate))
		if c.Object != 0 && c.Object != world.MatchID {
			t.RawSetString("object", r.vm.handleOf(c.Object))
		}
		r.vm.freeze(t)
		list.Append(t)
	}
	r.vm.freeze(list)
	L.Push(list)
	return 1
}

// told implements w:told(player): what the game has told the player so far.
func (r *testRun) told(L call) int {
	p := playerOf(L, L.number(2, "told: the player"))
	list := L.CreateTable(0, 0)
	for _, c := range r.stage.Cues() {
		if text, message := c.Message(); message && c.Owner == p {
			list.Append(lua.LString(text))
		}
	}
	r.vm.freeze(list)
	L.Push(list)
	return 1
}

// seenBy implements w:seenBy(player, function() ... end): it calls the function with
// the world of that player's client.
func (r *testRun) seenBy(L call) int {
	p := playerOf(L, L.number(2, "seenBy: the player"))
	s, schema, err := r.stage.Look(p)
	must(L, err)
	return r.within(L, 3, s, schema)
}

// confirmed implements w:confirmed(function() ... end): the same on the newest
// committed state of the host.
func (r *testRun) confirmed(L call) int {
	s, schema, err := r.stage.Confirmed()
	must(L, err)
	return r.within(L, 2, s, schema)
}

// within calls argument i with a different state to read.
func (r *testRun) within(L call, i int, s *world.State, schema *world.Schema) int {
	fn, ok := L.Get(i).(*lua.LFunction)
	if !ok {
		L.RaiseError("the last argument must be a function, not %s", aTypeName(L.Get(i)))
	}
	r.show(s, schema)
	top := L.GetTop()
	L.Push(fn)
	L.Call(0, lua.MultRet) // an error ends the test: nothing is to be put back
	n := L.GetTop() - top
	r.look(L)
	return n
}

func (r *testRun) confirmAll(L call) int {
	must(L, r.stage.Confirm())
	r.look(L)
	return 0
}

// errors implements w:errors(): the errors of hooks so far, which then do not fail the
// test.
func (r *testRun) errors(L call) int {
	t := L.CreateTable(0, 0)
	for _, e := range r.stage.Errors() {
		t.Append(lua.LString(e))
	}
	r.vm.freeze(t)
	L.Push(t)
	return 1
}
