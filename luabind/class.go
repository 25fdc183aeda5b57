package luabind

import (
	"github.com/hindcast/hindcast/luabind/internal/ident"
	"github.com/hindcast/hindcast/world"
	lua "github.com/yuin/gopher-lua"
)

// class is the VM's part of a class of the schema.
type class struct {
	declared *world.Class
	fields   map[string]*shape // of its objects
	hooks    [world.HookCount]*lua.LFunction
	timers   []*lua.LFunction // as the class of the schema lists them
	shows    *lua.LTable      // functions that show fields; nil: none

	// index holds the members that the script gave the class: its methods and
	// objProps. A lookup in a table costs no call, and the smaller the table
	// is, the less it costs. The methods of every object are found by
	// objects.miss.
	index *lua.LTable
	meta  *lua.LTable // of handles: __index = index

	inputs    map[uint32]*lua.LTable // by buttons
	inputMeta *lua.LTable
}

// maxInputs is how many input tables are kept for a class.
const maxInputs = 256

// newClass makes the tables of a class. missing is called for members that the
// index does not have.
func newClass(L *lua.LState, def *world.Class, objProps *lua.LTable, missing *lua.LFunction,
	inputMeta *lua.LTable) class {
	c := class{declared: def, fields: shapesOf(def), inputs: map[uint32]*lua.LTable{}, inputMeta: inputMeta}
	c.index = L.CreateTable(0, 8)
	c.index.RawSetString("objProps", objProps)
	c.index.RawSetString("class", lua.LString(def.Name))
	c.index.Metatable = withIndex(L, missing)
	c.meta = withIndex(L, c.index)
	return c
}

// def returns the class of the schema.
func (c *class) def() *world.Class { return c.declared }

// field returns a field of the objects of the class, as scripts see it.
func (c *class) field(name string) (s *shape, ok bool) {
	s, ok = c.fields[name]
	return s, ok
}

// reads reports whether objects of the class have a field of a name, or what is read as one.
func (c *class) reads(name string) bool {
	_, ok := c.fields[name]
	return ok || name == "id" || name == "owner"
}

// fieldNames returns the names of these fields, sorted.
func (c *class) fieldNames() []string { return ident.Keys(c.fields) }

// metatable returns the metatable of handles.
func (c *class) metatable() *lua.LTable { return c.meta }

// hook returns the function of a hook, nil if the class has none.
func (c *class) hook(h world.Hook) *lua.LFunction { return c.hooks[h] }

// give takes over the hooks, members and functions that show fields of the declaration.
func (c *class) give(members, objProps *lua.LTable, hooks [world.HookCount]*lua.LFunction, shows *lua.LTable) {
	for _, k := range sortedTableKeys(members) {
		if n, ok := k.(lua.LString); ok {
			c.index.RawSetString(string(n), members.RawGetString(string(n)))
		}
	}
	if objProps != nil {
		c.giveConstants(objProps)
	}
	c.hooks, c.shows = hooks, shows
}

// giveConstants sets objProps.
func (c *class) giveConstants(objProps *lua.LTable) { c.index.RawSetString("objProps", objProps) }

// giveTimers takes over the functions of timers.
func (c *class) giveTimers(fns map[string]*lua.LFunction) {
	c.timers = nil
	for _, name := range c.def().Timers {
		c.timers = append(c.timers, fns[name])
	}
}

// timer returns the function of a timer, an index of Class.Timers.
func (c *class) timer(i int) *lua.LFunction { return c.timers[i] }

// show returns function n of those that show fields, from 1.
func (c *class) show(n int) *lua.LFunction { return c.shows.RawGetInt(n).(*lua.LFunction) }

// tables returns what the script gave the class: its members, and the functions that show fields.
func (c *class) tables() []*lua.LTable {
	if c.shows == nil {
		return []*lua.LTable{c.index}
	}
	return []*lua.LTable{c.index, c.shows}
}

// table returns the members that the script gave the class.
func (c *class) table() *lua.LTable { return c.index }

// constants returns objProps.
func (c *class) constants() *lua.LTable {
	t, _ := c.index.RawGetString("objProps").(*lua.LTable)
	return t
}

// input returns the read-only table of an input. There is one table for each
// combination of buttons. The numbers are written into it for each call.
func (c *class) input(L call, first *lua.LState, in *world.Input) *lua.LTable {
	t, ok := c.inputs[in.Buttons]
	if !ok {
		if len(c.inputs) >= maxInputs {
			clear(c.inputs)
		}
		t = c.newInput(first, in.Buttons)
		c.inputs[in.Buttons] = t
	}
	for i := range c.def().Inputs {
		if f := &c.def().Inputs[i]; f.Axis {
			t.RawSetString(f.Name, L.num(in.Axes[f.Index]))
		}
	}
	return t
}

func (c *class) newInput(L *lua.LState, buttons uint32) *lua.LTable {
	t := L.CreateTable(0, len(c.def().Inputs))
	for i := range c.def().Inputs {
		if f := &c.def().Inputs[i]; !f.Axis {
			t.RawSetString(f.Name, lua.LBool(buttons&(1<<f.Index) != 0))
		}
	}
	t.Metatable = c.inputMeta
	return t
}

// withIndex returns a metatable whose __index is v.
func withIndex(L *lua.LState, v lua.LValue) *lua.LTable {
	t := L.CreateTable(0, 1)
	t.RawSetString("__index", v)
	return t
}
