package luabind

import (
	"math"
	"slices"

	"github.com/hindcast/hindcast/luabind/internal/ident"
	"github.com/hindcast/hindcast/world"
	lua "github.com/yuin/gopher-lua"
)

// worldEntries are what a script does with the world.
func worldEntries() []entry {
	return append(append(lookEntries(), jointEntries()...), entry{"spawn", (*VM).luaSpawn}, entry{"cue", (*VM).luaCue})
}

// lookEntries are those that only look.
func lookEntries() []entry {
	return []entry{
		{"objects", (*VM).luaObjects},
		{"raycast", (*VM).luaRaycast}, {"raycastAll", (*VM).luaRaycastAll}, {"circleCast", (*VM).luaCircleCast},
		{"overlapCircle", (*VM).luaOverlapCircle}, {"overlapBox", (*VM).luaOverlapBox}, {"overlapPolygon", (*VM).luaOverlapPolygon},
		{"nearest", (*VM).luaNearest}, {"players", (*VM).luaPlayers},
		{"now", (*VM).luaNow}, {"tickNumber", (*VM).luaTickNumber}, {"random", (*VM).luaRandom},
	}
}

// luaSpawn is spawn("Class", { x =, y =, ... }). The new object's onSpawn runs
// at once, with the new object as the acting one.
func (vm *VM) luaSpawn(L *lua.LState) int {
	vm.mayChange(L)
	vm.notMigrating(L)
	name := vm.stringArg(L, 1, "spawn: the class")
	args := vm.empty
	if L.Get(2) != lua.LNil {
		args = vm.tableArg(L, 2, "spawn: the second argument")
	}
	ci, ok := vm.schema.ClassByName(name)
	if !ok || world.BuiltIn(name) {
		L.RaiseError("spawn: there is no class %s; the scripts declare %s", name, world.Listed(vm.spawnable(name)))
	}
	c := &vm.classes[ci]
	if vm.depth >= maxSpawning && c.hooks[world.OnSpawn] != nil {
		L.RaiseError("spawn: onSpawn within onSpawn, %d deep", maxSpawning)
	}
	vm.budget.charge(L, 100)
	place, fields := vm.placement(L, c, args)
	slot, err := vm.w.Spawn(name, place)
	if err != nil {
		L.RaiseError("%s", err.Error())
	}
	id := vm.w.Now.Objects[slot].ID
	vm.tell(L, world.Op{Target: id}, name)
	u := vm.handle(id, c)
	for _, k := range fields {
		vm.setField(L, u.Value.(*handle), k, args.RawGetString(k))
	}
	vm.born(slot, c, args)
	L.Push(u)
	return 1
}

func (vm *VM) spawnable(name string) []string {
	var names []string
	for i := range vm.schema.Classes {
		if n := vm.schema.Classes[i].Name; !world.BuiltIn(n) {
			names = append(names, n)
		}
	}
	slices.Sort(names)
	return ident.NearestFirst(name, names)
}

// placement takes the arguments of spawn apart: where, and which fields.
func (vm *VM) placement(L *lua.LState, c *class, args *lua.LTable) (p world.Placement, fields []string) {
	for _, k := range vm.keysOf(L, args) {
		key := toText(k)
		to := map[string]*float64{"x": &p.X, "y": &p.Y, "angle": &p.Angle, "vx": &p.VX, "vy": &p.VY, "w": &p.W}[key]
		_, isField := c.fields[key]
		n, isNumber := args.RawGet(k).(lua.LNumber)
		switch {
		case isField:
			fields = append(fields, key)
		case to == nil && key != "owner":
			allowed := append([]string{"angle", "owner", "vx", "vy", "w", "x", "y"}, ident.Keys(c.fields)...)
			L.RaiseError("spawn: %s has no %s; there are %s", c.def.Name, key, world.Listed(ident.NearestFirst(key, allowed)))
		case !isNumber:
			L.RaiseError("spawn: %s must be a number, not %s", key, aTypeName(args.RawGet(k)))
		case to == nil:
			p.Owner = vm.player(L, float64(n))
		default:
			*to = float64(n)
		}
	}
	return p, fields
}

// born runs onSpawn of a new object. An error there is the object's own.
func (vm *VM) born(slot int, c *class, args *lua.LTable) {
	fn := c.hooks[world.OnSpawn]
	if fn == nil {
		return
	}
	keep := vm.budget.share()
	vm.depth++
	err := vm.run(fn, slot, world.OnSpawn, nil, args)
	vm.depth--
	vm.budget.give(keep)
	if err != nil {
		vm.w.Fault(slot, world.OnSpawn, err)
	}
}

// classArg is argument i, the name of a class.
func (vm *VM) classArg(L *lua.LState, i int, what string) int {
	name := vm.stringArg(L, i, what+": the class")
	ci, ok := vm.schema.ClassByName(name)
	if !ok {
		L.RaiseError("%s: there is no class %s; the scripts declare %s", what, name, world.Listed(vm.spawnable(name)))
	}
	return ci
}

// What a query costs depends on what it finds, never on how much there is in
// the world: a budget that did would tie all objects together.
const queryCost = 100

// luaObjects is objects("Class"): a frozen list in the order of spawning.
func (vm *VM) luaObjects(L *lua.LState) int {
	w := vm.queried(L)
	vm.slots = w.OfClass(vm.classArg(L, 1, "objects"), vm.slots[:0])
	vm.budget.charge(L, 10)
	return vm.pushList(L)
}

// pushList pushes a frozen list of the objects in vm.slots.
func (vm *VM) pushList(L *lua.LState) int {
	vm.budget.charge(L, len(vm.slots))
	vm.budget.alloc(L, 128+24*len(vm.slots))
	t := L.CreateTable(len(vm.slots), 0)
	for _, slot := range vm.slots {
		o := &vm.w.Now.Objects[slot]
		t.Append(vm.handle(o.ID, &vm.classes[o.Class]))
	}
	t.Metatable = vm.frozen
	L.Push(t)
	return 1
}

// luaPlayers is players(): a frozen list of the players who are here.
func (vm *VM) luaPlayers(L *lua.LState) int {
	vm.inWorld(L)
	t := L.CreateTable(len(vm.w.Now.Players), 0)
	vm.budget.alloc(L, 128+24*len(vm.w.Now.Players))
	for _, p := range vm.w.Now.Players {
		if p.Left == 0 {
			t.Append(vm.num(float64(p.ID)))
		}
	}
	t.Metatable = vm.frozen
	L.Push(t)
	return 1
}

// luaNow is now(): the time of the world in seconds.
func (vm *VM) luaNow(L *lua.LState) int {
	vm.inWorld(L)
	L.Push(vm.num(float64(vm.w.Now.Tick) / float64(vm.schema.Setup.TickRate)))
	return 1
}

func (vm *VM) luaTickNumber(L *lua.LState) int {
	vm.inWorld(L)
	L.Push(vm.num(float64(vm.w.Now.Tick)))
	return 1
}

// luaRandom is random() in [0, 1), random(n) from 1 to n, random(a, b).
func (vm *VM) luaRandom(L *lua.LState) int {
	vm.inWorld(L)
	var r float64
	if vm.bot != nil {
		r = vm.bot.random()
	} else {
		r = vm.w.Random()
	}
	if L.GetTop() == 0 {
		L.Push(vm.num(r))
		return 1
	}
	low, high := 1, vm.integer(L, 1, "random: n")
	if L.GetTop() > 1 {
		low, high = high, vm.integer(L, 2, "random: the upper bound")
	}
	if low > high {
		L.RaiseError("random(%d, %d): nothing lies between", low, high)
	}
	span := float64(high) - float64(low) + 1
	L.Push(vm.num(float64(low) + math.Floor(float64(r*span))))
	return 1
}
