package luabind

import (
	"slices"

	"github.com/hindcast/hindcast/luabind/internal/api"
	"github.com/hindcast/hindcast/luabind/internal/ident"
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/hindcast/hindcast/world"
	lua "github.com/yuin/gopher-lua"
)

// timers starts and stops timers. A call of after and the like in a function that has a self is given it as the last
// argument: see package syntax.
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
	of, i := tm.timer(L, 2, name)
	L.charge(timerCost)
	tm.did(L, name, of.Start(i, seconds, again))
	return 0
}

// stop implements stopTimer(name).
func (tm *timers) stop(L call) int {
	tm.rights.mayChange(L)
	of, i := tm.timer(L, 1, "stopTimer")
	L.charge(timerCost)
	tm.did(L, "stopTimer", of.Stop(i))
	return 0
}

// did raises the error of a function.
func (tm *timers) did(L call, name string, err error) {
	if err != nil {
		L.RaiseError("%s: %s", name, err.Error())
	}
}

// left implements timeLeft(name).
func (tm *timers) left(L call) int {
	tm.rights.inWorld(L)
	L.charge(changeCost)
	of, i := tm.timer(L, 1, "timeLeft")
	if seconds, running := of.Left(i); running {
		L.Push(L.num(seconds))
		return 1
	}
	L.Push(lua.LNil)
	return 1
}

// timer returns the timer that an argument names: of self, which the argument behind it may be, or else of the object
// whose hook runs. Where its class has no function of the name, the timer is that of the match.
func (tm *timers) timer(L call, arg int, of string) (world.Timers, int) {
	if _, isFunction := L.Get(arg).(*lua.LFunction); isFunction {
		L.RaiseError("%s: a timer is the name of a function, not a function: write %s(..., \"explode\")", of, of)
	}
	name := L.text(arg, of+": the function")
	id, c, hasSelf := tm.owner(L, arg+1)
	if i, ok := slices.BinarySearch(c.Timers, name); ok {
		return world.TimersOf(tm.scene.world(), id), i
	}
	if i, ok := slices.BinarySearch(tm.match().Timers, name); ok {
		return world.TimersOf(tm.scene.world(), world.MatchID), i
	}
	owner := tm.ownerOf(name)
	switch {
	case slices.Contains(api.NewLibrary().Reserved(), name) || isHook(name):
		L.RaiseError("%s: %s is no timer: write a function of its own that calls it, and name that: %s(..., \"vanish\")", of,
			name, of)
	case tm.isMethod(c, name):
		L.RaiseError("%s: the name of a timer is written as a text in the call: write %s(..., %q)", of, startOf(of), name)
	case owner != "" && hasSelf:
		L.RaiseError("%s: %s has no timer %q, which %s has; a timer belongs to self: start it in a method of %s", of, c.Name, name, owner, owner)
	case owner != "":
		acting := c.Name
		if acting == world.GameClass {
			acting = "the match"
		}
		L.RaiseError("%s: %s has no timer %q, which %s has; a timer belongs to self, and where there is none, to the object whose hook runs: "+
			"start it in a method, function %s:freeze(...), and call o:freeze(...)", of, acting, name, owner, owner)
	case c.Name == world.GameClass:
		L.RaiseError(
			"%s: the match has no timer %q: write function %s() in %s, and name it as a text: after(1, %q)", of,
			name, name, api.GameFile, name)
	default:
		L.RaiseError("%s: %s has no timer %q: write function %s:%s(), and name it as a text: after(1, %q)", of,
			c.Name, name, c.Name, name, name)
	}
	return world.Timers{}, 0
}

// startOf returns the function that starts the timer about which a function is asked.
func startOf(of string) string {
	if api.StartsTimer(of) {
		return of
	}
	return api.After
}

// isMethod reports whether a class has a function with a name.
func (tm *timers) isMethod(c *world.Class, name string) bool {
	i := slices.IndexFunc(tm.objects.classes, func(o class) bool { return o.declared == c })
	if i < 0 {
		return false
	}
	_, is := tm.objects.classes[i].index.RawGetString(name).(*lua.LFunction)
	return is
}

// ownerOf returns the name of a class of objects that has a timer, which its base does not have; empty: there is none.
func (tm *timers) ownerOf(name string) string {
	classes := tm.objects.schema.Classes
	for i := range classes {
		base, extends := tm.objects.schema.ClassByName(classes[i].Extends)
		if c := &classes[i]; c.Name != world.GameClass && slices.Contains(c.Timers, name) && (!extends || !slices.Contains(classes[base].Timers, name)) {
			return c.Name
		}
	}
	return ""
}

// owner returns the object whose timers are meant, and its class: self, if the argument is an object, or else the
// object whose hook runs.
func (tm *timers) owner(L call, self int) (id world.ObjectID, of *world.Class, hasSelf bool) {
	if u, ok := L.Get(self).(*lua.LUserData); ok {
		if h, ok := u.Value.(*handle); ok {
			tm.scene.look(L, h)
			return h.ID, h.Class.def(), true
		}
	}
	acting := tm.scene.acting()
	return acting.ID, tm.objects.class(tm.scene.world().State().Objects[acting.Slot].Class).def(), false
}

// match returns the class of the match.
func (tm *timers) match() *world.Class {
	return tm.objects.game.Value.(*handle).Class.def()
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
