package luabind

import (
	"slices"
	"strings"

	"github.com/hindcast/hindcast/luabind/internal/api"
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/hindcast/hindcast/world"
	lua "github.com/yuin/gopher-lua"
)

// declaration is one object "Name" {...}, or game {...}.
type declaration struct {
	*reader
	table    *lua.LTable // the class table: methods go into it
	given    *lua.LTable // what it was declared with, with what it takes over from the class that it extends
	extends  *declaration
	depth    int // how many classes it extends
	objProps *lua.LTable
	hooks    [world.HookCount]*lua.LFunction
	timers   map[string]*lua.LFunction // functions of timers
}

// declaredKey is a key that a declaration may hold.
type declaredKey struct {
	Name string
	Read func(d *declaration, key string, v lua.LValue)
}

func readFields(d *declaration, key string, v lua.LValue) { fieldReader{d.reader}.fields(key, v) }

// gameKeys are the keys of game {...}.
var gameKeys = []declaredKey{
	{"state", readFields},
	{"aux", readFields},
	{"calls", func(d *declaration, key string, v lua.LValue) { callReader{d.reader}.calls(key, v) }},
}

// playerKeys are the keys of player {...}.
var playerKeys = []declaredKey{{"state", readFields}, {"aux", readFields}}

// playerReserved are the members of a player in view.lua besides the fields and id.
var playerReserved = []string{"mine", "name", "object"}

// classKeys are the keys of object "Name" {...}, in the order in which they are
// read.
var classKeys = []declaredKey{
	{"extends", func(*declaration, string, lua.LValue) {}}, // see extend
	{"input", func(d *declaration, key string, v lua.LValue) { inputReader{d.reader}.inputs(key, v) }},
	{"state", readFields}, {"aux", readFields},
	{"objProps", (*declaration).constants},
	{"body", func(d *declaration, key string, v lua.LValue) { bodyReader{d.reader}.body(key, v) }},
	{"order", func(d *declaration, key string, v lua.LValue) { settings{d.reader}.order(key, v) }},
	{"look", func(d *declaration, key string, v lua.LValue) { settings{d.reader}.look(key, v) }},
	{"controls", func(d *declaration, key string, v lua.LValue) { inputReader{d.reader}.controls(key, v) }},
	{"lod", func(d *declaration, key string, v lua.LValue) { settings{d.reader}.lod(key, v) }},
	{"authority", func(d *declaration, key string, v lua.LValue) { ownerReader{d.reader}.authority(key, v) }},
	{"ticking", func(d *declaration, key string, v lua.LValue) { ownerReader{d.reader}.ticking(key, v) }},
	{"moves", func(d *declaration, key string, v lua.LValue) { ownerReader{d.reader}.moves(key, v) }},
	{"correct", func(d *declaration, key string, v lua.LValue) { settings{d.reader}.correct(key, v) }},
	{"range", func(d *declaration, key string, v lua.LValue) { settings{d.reader}.reach(key, v) }},
	{"predict_range", func(d *declaration, key string, v lua.LValue) { settings{d.reader}.reach(key, v) }},
	{"hidden", func(d *declaration, key string, v lua.LValue) { settings{d.reader}.hidden(key, v) }},
	{"seen", func(d *declaration, key string, v lua.LValue) { settings{d.reader}.seen(key, v) }},
}

// keyNames returns the names of keys, sorted.
func keyNames(list []declaredKey) (names []string) {
	for _, k := range list {
		names = append(names, k.Name)
	}
	slices.Sort(names)
	return names
}

// DeclaredKeys returns the keys of the declaration of a class; of game {...} and player {...}, by their names.
func DeclaredKeys(class string) []string {
	switch class {
	case world.GameClass:
		return keyNames(gameKeys)
	case world.PlayerClass:
		return keyNames(playerKeys)
	}
	return keyNames(classKeys)
}

// read reads the table of the declaration.
func (d *declaration) read(t *lua.LTable, known []declaredKey) {
	if len(sortedTableKeys(t)) == 0 {
		return
	}
	d.keys(nil, t, keyNames(known))
	for _, k := range known {
		if v := t.RawGetString(k.Name); v != lua.LNil {
			k.Read(d, k.Name, v)
		}
	}
}

// constants reads objProps.
func (d *declaration) constants(key string, v lua.LValue) {
	if t, ok := d.isTable([]string{key}, v); ok {
		d.objProps = t
		d.table.RawSetString("objProps", t)
	}
}

// methods returns the class table.
func (d *declaration) methods() *lua.LTable { return d.table }

// hook notes the function of a hook.
func (d *declaration) hook(h world.Hook, fn *lua.LFunction) {
	d.hooks[h] = fn
	if d.class().Hooks &^= 1 << h; fn != nil {
		d.class().Hooks |= 1 << h
	}
}

// give passes the hooks and members of the declaration to a class of the VM.
func (d *declaration) give(c *class) {
	c.give(d.table, d.objProps, d.hooks, showsIn(d.reader))
	c.giveTimers(d.timers)
}

// finish finds the hooks among the methods, once all files have run.
func (d *declaration) finish() (errs []error) {
	hooks := api.ObjectHooks()
	for _, k := range sortedTableKeys(d.table) {
		fn, isFunction := valueAt(d.table, k).(*lua.LFunction)
		if err := d.checkMember(toText(k), fn); err != nil {
			errs = append(errs, err)
		}
		if !isFunction {
			continue
		}
		for _, h := range hooks {
			if toText(k) == h.String() {
				d.hook(h, fn)
			}
		}
	}
	return append(errs, checkOwnership(d)...)
}

// checkMember refuses members of a class whose name is reserved, is that of a
// field, or is almost that of a hook.
func (d *declaration) checkMember(name string, fn *lua.LFunction) error {
	file, line := d.place()
	if fn != nil && fn.Proto != nil {
		file, line = fn.Proto.SourceName, fn.Proto.LineDefined
	}
	if name == "objProps" && fn == nil {
		return nil
	}
	if names := d.reserved(); slices.Contains(names, name) {
		return syntax.Problem(file, line, "%s:%s: the name is reserved; these are: %s", d.class().Name, name,
			strings.Join(names, ", "))
	}
	if _, isField := d.class().Field(name); isField {
		return syntax.Problem(file, line, "%s has a field and a method named %s", d.class().Name, name)
	}
	if hook, exact := api.LikeHook(name, api.ObjectHooks()); fn != nil && !exact && hook != world.HookCount {
		return syntax.Problem(file, line, "%s:%s is not a hook; did you mean %s?", d.class().Name, name, hook)
	}
	return nil
}

// checkOwnership finds settings of authority and ticking that exclude each other.
func checkOwnership(d *declaration) (errs []error) {
	c := d.class()
	hooked := func(h world.Hook) bool { return c.Hooks.Has(h) }
	say := func(path []string, format string, args ...any) { errs = append(errs, d.problem(path, format, args...)) }
	if c.Moves != nil && c.Body == nil {
		say([]string{"authority"},
			"%s.authority = \"owner\" needs a body, because the owner decides where it is", c.Name)
	}
	if c.Moves == nil && hooked(world.Verify) {
		errs = append(errs, d.atHook(world.Verify, "%s:verify is only for classes with authority = \"owner\"", c.Name))
	}
	switch {
	case c.Independent && !hooked(world.Simulate):
		say([]string{"ticking"}, "%s.ticking = \"independent\" needs a function %s:simulate(input, dt)", c.Name, c.Name)
	case !c.Independent && hooked(world.Simulate):
		errs = append(errs,
			d.atHook(world.Simulate, "%s:simulate is only for classes with ticking = \"independent\"", c.Name))
	}
	for _, h := range []world.Hook{world.ApplyInput, world.Think} {
		if c.Independent && hooked(h) {
			errs = append(errs,
				d.atHook(h, "%s ticks independently: %s:simulate takes the place of %s", c.Name, c.Name, h))
		}
	}
	return errs
}

// atHook returns a problem at the line of a hook.
func (d *declaration) atHook(h world.Hook, format string, args ...any) error {
	p := d.hooks[h].Proto
	return syntax.Problem(p.SourceName, p.LineDefined, format, args...)
}
