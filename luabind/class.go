package luabind

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hindcast/hindcast/luabind/internal/api"
	"github.com/hindcast/hindcast/luabind/internal/ident"
	"github.com/hindcast/hindcast/world"
	lua "github.com/yuin/gopher-lua"
)

// class is what a VM keeps of a class of the schema.
type class struct {
	def    *world.Class
	fields map[string]*shape // what handles of the class have
	hooks  [world.HookCount]*lua.LFunction

	// A handle's members: the script's methods and objProps. Looking them up
	// in a table costs no call, and the less the smaller it is; our methods are
	// found by miss.
	index *lua.LTable
	meta  *lua.LTable // of handles: __index = index

	inputs    map[uint32]*lua.LTable // by buttons
	inputMeta *lua.LTable
}

// buildClasses makes the classes of the schema. Those that the scripts
// declared have their methods and constants in their declarations.
func (vm *VM) buildClasses(L *lua.LState) {
	vm.classes = make([]class, len(vm.schema.Classes))
	for i := range vm.classes {
		vm.classes[i] = vm.newClass(L, &vm.schema.Classes[i])
	}
	if i, ok := vm.schema.ClassByName(world.GameClass); ok && vm.game != nil {
		vm.handle(world.GameID, &vm.classes[i])
	}
	vm.gone = vm.newClass(L, &world.Class{Name: "object"})
	if vm.loading == nil {
		return
	}
	for _, d := range vm.loading.decls {
		i, _ := vm.schema.ClassByName(d.class.Name)
		d.give(&vm.classes[i])
	}
}

func (vm *VM) newClass(L *lua.LState, def *world.Class) class {
	c := class{def: def, fields: shapesOf(def), inputs: map[uint32]*lua.LTable{}}
	c.index = L.CreateTable(0, 8)
	c.index.RawSetString("objProps", vm.empty)
	c.index.RawSetString("class", lua.LString(def.Name))
	c.index.Metatable = withIndex(L, L.NewFunction(func(L *lua.LState) int { return vm.miss(L, def) }))
	c.meta = withIndex(L, c.index)
	held := L.NewFunction(func(L *lua.LState) int { return vm.luaHeld(L, def) })
	c.inputMeta = withIndex(L, L.NewFunction(func(L *lua.LState) int { return vm.missInput(L, def, held) }))
	return c
}

// members are the names in the index tables of the classes.
func (vm *VM) members() map[string][]string {
	out := map[string][]string{}
	for i := range vm.classes {
		var names []string
		for _, k := range sortedTableKeys(vm.classes[i].index) {
			names = append(names, toText(k))
		}
		out[vm.classes[i].def.Name] = names
	}
	return out
}

// withIndex is a metatable whose __index is v.
func withIndex(L *lua.LState, v lua.LValue) *lua.LTable {
	t := L.CreateTable(0, 1)
	t.RawSetString("__index", v)
	return t
}

// give hands a class what its declaration holds: methods, hooks, constants.
func (d *declaration) give(c *class) {
	for _, k := range sortedTableKeys(d.table) {
		if n, ok := k.(lua.LString); ok {
			c.index.RawSetString(string(n), d.table.RawGetString(string(n)))
		}
	}
	if d.objProps != nil {
		c.index.RawSetString("objProps", d.objProps)
	}
	c.hooks = d.hooks
}

// miss looks up a member of a handle that the script did not declare: one of
// our methods, or an error. Calls of our methods do not come by here, see
// rewriter.call.
func (vm *VM) miss(L *lua.LState, def *world.Class) int {
	key, ok := L.Get(2).(lua.LString)
	if fn := vm.methods[string(key)]; fn != nil {
		L.Push(fn)
		return 1
	}
	if !ok {
		L.RaiseError("a handle's fields are read by name, as in other.hp, not with other[...]")
	}
	if slices.Contains(fieldNames(def), string(key)) { // (get) sees to names that are written out
		L.RaiseError("the field %s is read by its name written out, as in other.%s, not with other[...]", string(key), string(key))
	}
	if def == vm.gone.def {
		L.RaiseError("the object has been removed, and has no %s any more; ask valid() before using a handle that was kept", string(key))
	}
	L.RaiseError("%s", vm.unknown(def, "field or method", string(key)))
	return 0
}

// unknown says that a class lacks a member, what is like it, and what to do.
func (vm *VM) unknown(def *world.Class, what, key string) string {
	names := fieldNames(def)
	msg := def.Name + " has no " + what + " " + key + ": declare a field in state"
	if near := ident.Nearest(key, append(names, vm.prog.library.Reserved()...)); len(near) > 0 {
		msg += "; did you mean " + near[0] + "?"
	}
	return msg
}

// missInput gives what an input has besides what a class declares: held.
func (vm *VM) missInput(L *lua.LState, def *world.Class, held *lua.LFunction) int {
	key := toText(L.Get(2))
	if key != api.Held {
		noInput(L, def, key)
	}
	L.Push(held)
	return 1
}

// noInput raises the error for an input that a class does not declare.
func noInput(L *lua.LState, def *world.Class, key string) {
	var names []string
	for i := range def.Inputs {
		names = append(names, def.Inputs[i].Name)
	}
	L.RaiseError("%s declares no input %s; it has: %s", def.Name, key, strings.Join(ident.NearestFirst(key, names), ", "))
}

// luaHeld is input:held(name): for how many 64ths of the tick a button was down.
func (vm *VM) luaHeld(L *lua.LState, def *world.Class) int {
	name := vm.stringArg(L, 2, "input:held: the name of a bool")
	f := inputField(def, name)
	switch {
	case vm.actor.input == nil:
		L.RaiseError("input:held(%q): only applyInput and simulate have an input", name)
	case f == nil:
		noInput(L, def, name)
	case f.Axis:
		L.RaiseError("input:held(%q): %s is a number; held is for bools", name, name)
	}
	L.Push(vm.num(float64(vm.actor.input.HeldParts(f.Index))))
	return 1
}

// inputTable is the read-only table of an input. There is one for each
// combination of buttons; numbers are written into it anew.
func (vm *VM) inputTable(in *world.Input) *lua.LTable {
	c := &vm.classes[vm.w.Now.Objects[vm.actor.slot].Class]
	t, ok := c.inputs[in.Buttons]
	if !ok {
		if len(c.inputs) >= maxInputs {
			clear(c.inputs)
		}
		t = c.newInput(vm.states[0], in.Buttons)
		c.inputs[in.Buttons] = t
	}
	for i := range c.def.Inputs {
		if f := &c.def.Inputs[i]; f.Axis {
			t.RawSetString(f.Name, vm.num(in.Axes[f.Index]))
		}
	}
	return t
}

func (c *class) newInput(L *lua.LState, buttons uint32) *lua.LTable {
	t := L.CreateTable(0, len(c.def.Inputs))
	for i := range c.def.Inputs {
		if f := &c.def.Inputs[i]; !f.Axis {
			t.RawSetString(f.Name, lua.LBool(buttons&(1<<f.Index) != 0))
		}
	}
	t.Metatable = c.inputMeta
	return t
}

// takeInput reads what think gave back into an input.
func (vm *VM) takeInput(v lua.LValue, a *world.Args) error {
	c := vm.classes[vm.w.Now.Objects[vm.actor.slot].Class].def
	a.Input = world.Input{}
	if v == lua.LNil {
		return nil
	}
	in, err := inputOf(c, v, false)
	if err != nil {
		return vm.placed(err, world.Think)
	}
	a.Input = in
	return nil
}

// inputOf reads a table of input fields. A bot plays games that it does not
// know: what the class does not declare is no error there, if something is.
func inputOf(c *world.Class, v lua.LValue, isBot bool) (in world.Input, err error) {
	t, ok := v.(*lua.LTable)
	if !ok {
		return in, wrongInput(c, "gives a "+v.Type().String()+", not a table of inputs", "")
	}
	keys := sortedTableKeys(t)
	known := slices.ContainsFunc(keys, func(k lua.LValue) bool { return inputField(c, toText(k)) != nil })
	for _, k := range keys {
		key, value := toText(k), t.RawGet(k)
		f := inputField(c, key)
		if f == nil && isBot && known {
			continue
		}
		if f == nil {
			return in, wrongInput(c, "sets "+key, key)
		}
		n, isNumber := value.(lua.LNumber)
		switch {
		case f.Axis && isNumber:
			in.Axes[f.Index] = float64(n)
		case f.Axis:
			return in, wrongInput(c, "sets "+key+" to a "+value.Type().String()+", not a number", "")
		case lua.LVAsBool(value):
			in.Buttons |= 1 << f.Index
		}
	}
	return world.Conform(c.Inputs, in), nil
}

func inputField(c *world.Class, name string) *world.InputField {
	for i := range c.Inputs {
		if c.Inputs[i].Name == name {
			return &c.Inputs[i]
		}
	}
	return nil
}

// wrongInput says what an answer of think, or of a bot, may hold.
func wrongInput(c *world.Class, what, key string) error {
	var names []string
	for i := range c.Inputs {
		names = append(names, c.Inputs[i].Name)
	}
	return fmt.Errorf("the answer %s; %s declares the inputs: %s", what, c.Name, strings.Join(ident.NearestFirst(key, names), ", "))
}
