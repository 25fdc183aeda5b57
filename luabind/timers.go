package luabind

import (
	"slices"

	"github.com/hindcast/hindcast/luabind/internal/api"
	"github.com/hindcast/hindcast/luabind/internal/ident"
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/hindcast/hindcast/world"
	lua "github.com/yuin/gopher-lua"
)

// timers starts and stops the timers of the acting object.
type timers struct {
	rights  *rights
	scene   *scene
	objects *objects
}

// timerCost is the price of starting or stopping a timer, in instructions.
const timerCost = 20

// entries returns these functions.
func (tm *timers) entries() []entry {
	return []entry{
		{api.After, func(L call) int { return tm.start(L, api.After, false) }},
		{api.Every, func(L call) int { return tm.start(L, api.Every, true) }},
		{"stopTimer", tm.stop}, {"timeLeft", tm.left},
	}
}

// start implements after(seconds, name) and every(seconds, name).
func (tm *timers) start(L call, name string, again bool) int {
	tm.rights.mayChange(L)
	seconds := L.number(1, name+": the time")
	i := tm.timer(L, 2, name)
	L.charge(timerCost)
	if err := world.TimersOf(tm.scene.world()).Start(i, seconds, again); err != nil {
		L.RaiseError("%s: %s", name, err.Error())
	}
	return 0
}

// stop implements stopTimer(name).
func (tm *timers) stop(L call) int {
	tm.rights.mayChange(L)
	i := tm.timer(L, 1, "stopTimer")
	L.charge(timerCost)
	if err := world.TimersOf(tm.scene.world()).Stop(i); err != nil {
		L.RaiseError("stopTimer: %s", err.Error())
	}
	return 0
}

// left implements timeLeft(name).
func (tm *timers) left(L call) int {
	tm.rights.inWorld(L)
	L.charge(changeCost)
	if seconds, running := world.TimersOf(tm.scene.world()).Left(tm.timer(L, 1, "timeLeft")); running {
		L.Push(L.num(seconds))
		return 1
	}
	L.Push(lua.LNil)
	return 1
}

// timer returns the index of the timer that an argument names.
func (tm *timers) timer(L call, arg int, of string) int {
	if _, isFunction := L.Get(arg).(*lua.LFunction); isFunction {
		L.RaiseError("%s: a timer is the name of a function, not a function: write %s(..., \"explode\")", of, of)
	}
	name := L.text(arg, of+": the function")
	c := tm.objects.class(tm.scene.world().State().Objects[tm.scene.acting().Slot].Class).def()
	i, ok := slices.BinarySearch(c.Timers, name)
	switch {
	case ok:
	case slices.Contains(api.NewLibrary().Reserved(), name) || isHook(name):
		L.RaiseError("%s: %s is no timer: write a function of its own that calls it, and name that: %s(..., \"vanish\")", of,
			name, of)
	case c.Name == world.GameClass:
		L.RaiseError(
			"%s: the match has no timer %q: write function %s() in %s, and name it as a text: after(1, %q)", of,
			name, name, api.GameFile, name)
	default:
		L.RaiseError("%s: %s has no timer %q: write function %s:%s(), and name it as a text: after(1, %q)", of,
			c.Name, name, c.Name, name, name)
	}
	return i
}

// isHook reports whether a name is that of a hook, or almost.
func isHook(name string) bool {
	h, _ := api.LikeHook(name, slices.Concat(api.ObjectHooks(), api.GameHooks()))
	return h != world.HookCount
}

// findTimers finds the timers of a class: its functions that a call of after or every names in any file.
func (d *declaration) findTimers(globals *lua.LTable, writes map[string]place, chunks []*syntax.Chunk) error {
	d.timers = map[string]*lua.LFunction{}
	for _, c := range chunks {
		// order: the names are sorted below
		for name := range c.Timers {
			if fn := timed(d, name, globals, writes); fn != nil {
				d.timers[name] = fn
			}
		}
	}
	c := d.class()
	if c.Timers = ident.Keys(d.timers); len(c.Timers) > 0 {
		c.Hooks |= 1 << world.OnTimer
	}
	if len(c.Timers) > world.MaxTimers {
		return d.problem(nil, "%s has %d timers: %s; calls of after and every can name at most %d of its functions",
			c.Name, len(c.Timers), world.Listed(c.Timers), world.MaxTimers)
	}
	return nil
}

// timed returns a function of the class, or of game.lua, that is no hook; nil if there is none.
func timed(d *declaration, name string, globals *lua.LTable, writes map[string]place) *lua.LFunction {
	of, hooks := d.table, api.ObjectHooks()
	if d.class().Name == world.GameClass {
		if writes[name].File != api.GameFile || api.IsFilter(name) {
			return nil
		}
		of, hooks = globals, api.GameHooks()
	}
	fn, isFunction := of.RawGetString(name).(*lua.LFunction)
	if _, isHook := api.LikeHook(name, hooks); isHook || !isFunction || fn.Proto == nil {
		return nil
	}
	return fn
}
