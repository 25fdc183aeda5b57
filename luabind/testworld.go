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

// world is t:world { seed =, players =, net =, empty = }.
func (r *testRun) world(L *lua.LState) int {
	if r.opened {
		L.RaiseError("a test has one world")
	}
	o := StageOptions{}
	if L.Get(2) != lua.LNil {
		o = r.options(L, r.vm.tableArg(L, 2, "world: the argument"))
	}
	r.opened = true
	r.must(L, r.stage.Open(o))
	r.look(L)
	L.Push(r.table(L, r.worldMethods()))
	return 1
}

func (r *testRun) options(L *lua.LState, t *lua.LTable) (o StageOptions) {
	for _, k := range sortedTableKeys(t) {
		v := t.RawGet(k)
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
			L.RaiseError("world: %s = %s; want seed = a number, players = 0 to 64, net = \"bad\" or another profile, empty = true", name, showValue(v, 0))
		default:
			L.RaiseError("world: unknown key %s; there are %s", name, strings.Join(ident.NearestFirst(name, []string{"empty", "net", "players", "seed"}), ", "))
		}
	}
	return o
}

// worldMethods are those of the w that t:world gives.
func (r *testRun) worldMethods() []testMethod {
	return []testMethod{{"step", (*testRun).step}, {"input", (*testRun).input}, {"spawn", (*testRun).spawn},
		{"seenBy", (*testRun).seenBy}, {"confirmed", (*testRun).confirmed}, {"settle", (*testRun).settle}, {"errors", (*testRun).errors}}
}

// step is w:step(ticks), one tick unless it says otherwise.
func (r *testRun) step(L *lua.LState) int {
	n := r.vm.integerOr(L, 2, "step: the number of ticks", 1)
	if n < 0 || n > maxTestTicks {
		L.RaiseError("step(%d): 0 to %d ticks", n, maxTestTicks)
	}
	r.must(L, r.stage.Step(n))
	r.look(L)
	return 0
}

// input is w:input(player, { Accel = true }, object).
func (r *testRun) input(L *lua.LState) int {
	p := r.vm.player(L, r.vm.number(L, 2, "input: the player"))
	t := r.vm.tableArg(L, 3, "input: the inputs")
	var object world.ObjectID
	if L.Get(4) != lua.LNil {
		object = r.object(L, 4, "input: the object")
	}
	byClass := make([]world.Input, len(r.vm.schema.Classes))
	var wrong error
	known := len(sortedTableKeys(t)) == 0
	for i := range r.vm.schema.Classes {
		c := &r.vm.schema.Classes[i]
		if len(c.Inputs) == 0 {
			continue
		}
		in, err := inputOf(c, t, true)
		if err != nil {
			wrong = err
			continue
		}
		byClass[i], known = in, true
	}
	switch {
	case !known && wrong != nil:
		L.RaiseError("input: %s", strings.Replace(wrong.Error(), "the answer", "the table", 1))
	case !known:
		L.RaiseError("input: no class declares any input")
	}
	r.must(L, r.stage.Input(p, object, byClass))
	return 0
}

func (r *testRun) object(L *lua.LState, i int, what string) world.ObjectID {
	if u, ok := L.Get(i).(*lua.LUserData); ok {
		if h, ok := u.Value.(*handle); ok {
			return h.id
		}
	}
	L.RaiseError("%s must be an object, not %s", what, aTypeName(L.Get(i)))
	return 0
}

// spawn is w:spawn("Ship", { x =, y =, angle =, vx =, vy =, w =, owner = }).
func (r *testRun) spawn(L *lua.LState) int {
	name := r.vm.stringArg(L, 2, "spawn: the class")
	ci, ok := r.vm.schema.ClassByName(name)
	if !ok || name == world.GameClass || name == world.WallClass {
		L.RaiseError("spawn: there is no class %s; the scripts declare %s", name, world.Listed(r.vm.spawnable(name)))
	}
	args := r.vm.empty
	if L.Get(3) != lua.LNil {
		args = r.vm.tableArg(L, 3, "spawn: the second argument")
	}
	place, fields := r.vm.placement(L, &r.vm.classes[ci], args)
	if len(fields) > 0 {
		L.RaiseError("spawn: a test cannot set the field %s; set it where the game does, in onSpawn or another hook", fields[0])
	}
	id, err := r.stage.Spawn(name, place)
	r.must(L, err)
	r.look(L)
	L.Push(r.vm.handleOf(id))
	return 1
}

// seenBy is w:seenBy(player, function() ... end): what it gives when it looks
// at the world as that player's client has it.
func (r *testRun) seenBy(L *lua.LState) int {
	p := r.vm.player(L, r.vm.number(L, 2, "seenBy: the player"))
	s, schema, err := r.stage.Look(p)
	r.must(L, err)
	return r.within(L, 3, s, schema)
}

// confirmed is w:confirmed(function() ... end): on the newest state of the
// host that cannot change any more.
func (r *testRun) confirmed(L *lua.LState) int {
	s, schema, err := r.stage.Confirmed()
	r.must(L, err)
	return r.within(L, 2, s, schema)
}

// within calls argument i with another state to look at.
func (r *testRun) within(L *lua.LState, i int, s *world.State, schema *world.Schema) int {
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

func (r *testRun) settle(L *lua.LState) int {
	r.must(L, r.stage.Settle())
	r.look(L)
	return 0
}

// errors is w:errors(): what hooks did wrong up to now, which then does not
// fail the test.
func (r *testRun) errors(L *lua.LState) int {
	t := L.CreateTable(0, 0)
	for _, e := range r.stage.Errors() {
		t.Append(lua.LString(e))
	}
	t.Metatable = r.vm.frozen
	L.Push(t)
	return 1
}
