package luabind

import (
	"slices"

	"github.com/hindcast/hindcast/luabind/internal/api"
	"github.com/hindcast/hindcast/luabind/internal/ident"
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/hindcast/hindcast/world"
	lua "github.com/yuin/gopher-lua"
)

// maxHandles is how many handles are kept between hooks.
const maxHandles = 1 << 15

// objects has the handles of objects, with the tables of their classes.
type objects struct {
	schema  *world.Schema
	classes []class
	gone    class          // the class of handles to objects whose class is not known any more
	game    *lua.LUserData // the handle of the game object, which is a global

	handles handles

	env       *environment
	library   *api.Library
	outside   bool // tests or a bot use them, which load no files of the game: classes have no functions and constants
	inputMeta func(*lua.LState, *world.Class) *lua.LTable
	// read pushes a field of a handle.
	read func(L call, u *lua.LUserData, h *handle, name string) int
}

// newObjects begins without a schema. inputMeta makes the metatable of the inputs
// of a class.
func newObjects(env *environment, library *api.Library,
	inputMeta func(*lua.LState, *world.Class) *lua.LTable) *objects {
	return &objects{env: env, library: library, inputMeta: inputMeta}
}

// handle returns the handle of an object of a known class.
func (ob *objects) handle(id world.ObjectID, c *class) *lua.LUserData {
	u, ok := ob.handles.find(id)
	if !ok {
		u = &lua.LUserData{Value: &handle{ID: id, Class: c}, Metatable: c.metatable()}
		ob.handles.put(id, u)
		return u
	}
	if h := u.Value.(*handle); h.Class != c { // the id belongs to another class when the tick is run again
		h.Class, h.Views, u.Metatable = c, nil, c.metatable()
	}
	return u
}

// open forgets the handles of earlier interpreters.
func (ob *objects) open() { ob.handles.clear() }

// trim forgets handles when there are too many.
func (ob *objects) trim() {
	if ob.handles.count() > maxHandles {
		ob.forget()
	}
}

// forget forgets all handles but that of the game, which is a global. No other
// outlives a hook.
func (ob *objects) forget() {
	ob.handles.clear()
	ob.handles.put(world.MatchID, ob.game)
}

// openGame returns the handle of the game object, for the globals. The game's
// class is not known until the files have run.
func (ob *objects) openGame(L *lua.LState, call *lua.LFunction) *lua.LUserData {
	c := ob.newClass(L, &world.Class{Name: world.GameClass})
	c.metatable().RawSetString("__call", call)
	ob.game = &lua.LUserData{Value: &handle{ID: world.MatchID, Class: &c}, Metatable: c.metatable()}
	ob.handles.put(world.MatchID, ob.game)
	return ob.game
}

// define makes the classes for a schema.
func (ob *objects) define(L *lua.LState, s *world.Schema) {
	ob.schema = s
	ob.classes = make([]class, len(s.Classes))
	for i := range ob.classes {
		ob.classes[i] = ob.newClass(L, &s.Classes[i])
	}
	if i, ok := s.ClassByName(world.GameClass); ok && ob.game != nil {
		ob.handle(world.MatchID, &ob.classes[i])
	}
	ob.gone = ob.newClass(L, &world.Class{Name: "object"})
}

// newClass makes the tables of a class.
func (ob *objects) newClass(L *lua.LState, def *world.Class) class {
	missing := ob.env.function(L, func(L call) int { return ob.miss(L, def) })
	return newClass(L, def, ob.env.none(), missing, ob.inputMeta(L, def))
}

// miss looks up a member of a handle that the script did not declare: a method of every
// object, or an error. Calls of methods do not use it.
func (ob *objects) miss(L call, def *world.Class) int {
	key, ok := L.Get(2).(lua.LString)
	if fn := ob.env.method(string(key)); fn != nil {
		L.Push(fn)
		return 1
	}
	if !ok {
		L.RaiseError("the fields of an object have names, as in other.hp, and %s is none", aTypeName(L.Get(2)))
	}
	if u := computedOn(L, def); u != nil { // syntax.Get sees to names that are written out
		if h := u.Value.(*handle); h.Class.reads(string(key)) {
			L.charge(computedCost)
			return ob.read(L, u, h, string(key))
		}
	}
	if def == ob.gone.def() {
		L.RaiseError("the object has been removed and no longer has %s; call valid() before you use a handle that "+
			"was kept",
			string(key))
	}
	L.explains()
	L.RaiseError("%s", ob.unknown(def, "field or method", string(key)))
	return 0
}

// computedCost is the price of a read of a field of an object by a computed name, in instructions.
const computedCost = 30

// computedOn returns the object that the script which calls this function reads with a computed key, as in o[k]; nil: it
// does something else. A metatable's __index is not given the object, but only the table that it has led to.
func computedOn(L call, def *world.Class) *lua.LUserData {
	frame, ok := L.GetStack(1)
	if !ok {
		return nil
	}
	fn, err := L.GetInfo("f", frame, lua.LNil)
	f, isFunction := fn.(*lua.LFunction)
	if err != nil || !isFunction || f.IsG {
		return nil
	}
	at := f.Proto.Code[instructionOf(frame)]
	if int(at>>26) != lua.OP_GETTABLE {
		return nil
	}
	_, of := L.GetLocal(frame, int(at&0x1ff)+1) // by the number of the register, from 1
	if u, isObject := of.(*lua.LUserData); isObject {
		if h, ok := u.Value.(*handle); ok && h.Class.def() == def {
			return u
		}
	}
	return nil
}

// unknown returns the message about a member that a class does not have.
func (ob *objects) unknown(def *world.Class, what, key string) string {
	names := fieldNames(def)
	msg := def.Name + " has no " + what + " " + key
	instead := api.ForeignMember(key)
	switch {
	case instead != "":
		return msg + ": " + instead
	case world.BuiltIn(def.Name) && !world.HoldsState(def.Name):
		msg += ": the class is built in; look at other.class first, say"
	case world.HoldsState(def.Name):
		msg += ": declare a field: " + def.Name + " { state = { " + key + " = 0 } }"
	case ob.outside:
		msg += ": tests and bots see fields, and no functions and constants of the scripts; declare a field in state"
	case what == "field":
		msg += ": declare a field in state"
	default:
		msg += ": declare a field in state, or write function " + def.Name + ":" + key + "()"
	}
	if near := ident.Nearest(key, append(names, ob.library.Reserved()...)); len(near) > 0 {
		msg += "; did you mean " + near[0] + "?"
	}
	return msg
}

// class returns a class of the schema.
func (ob *objects) class(i uint16) *class { return &ob.classes[i] }

// named returns a class of the schema by its name, nil if there is none.
func (ob *objects) named(name string) *class {
	i, ok := ob.schema.ClassByName(name)
	if !ok {
		return nil
	}
	return &ob.classes[i]
}

// removed returns the class of handles to objects that do not exist.
func (ob *objects) removed() *class { return &ob.gone }

// inForce returns the schema.
func (ob *objects) inForce() *world.Schema { return ob.schema }

// spawnable returns the classes that a script can spawn, those like name first.
func (ob *objects) spawnable(name string) []string {
	var names []string
	for i := range ob.schema.Classes {
		if n := ob.schema.Classes[i].Name; !world.BuiltIn(n) {
			names = append(names, n)
		}
	}
	slices.Sort(names)
	return ident.NearestFirst(name, names)
}

// classArg returns argument i, the name of a class, as an index in the schema.
func (ob *objects) classArg(L call, i int, what string) int {
	name := L.text(i, what, ": the class")
	ci, ok := ob.schema.ClassByName(name)
	if !ok {
		L.RaiseError("%s: there is no class %s; the scripts declare %s", what, name, world.Listed(ob.spawnable(name)))
	}
	return ci
}

// tables returns what scripts gave the classes.
func (ob *objects) tables() (out []*lua.LTable) {
	for i := range ob.classes {
		out = append(out, ob.classes[i].tables()...)
	}
	return out
}

// withTable returns the name of the class that one of tables is of, "" for none.
func (ob *objects) withTable(t *lua.LTable) string {
	for i := range ob.classes {
		if slices.Contains(ob.classes[i].tables(), t) {
			return ob.classes[i].def().Name
		}
	}
	return ""
}

// members returns what is in the tables of the classes.
func (ob *objects) members() map[string]map[string]syntax.Place {
	out := map[string]map[string]syntax.Place{}
	for i := range ob.classes {
		places := map[string]syntax.Place{}
		for _, k := range sortedTableKeys(ob.classes[i].table()) {
			places[toText(k)] = syntax.Place{}
			if f, ok := ob.classes[i].table().RawGet(k).(*lua.LFunction); ok && f.Proto != nil {
				places[toText(k)] = syntax.Place{File: f.Proto.SourceName, Line: f.Proto.LineDefined}
			}
		}
		out[ob.classes[i].def().Name] = places
	}
	return out
}

// takeConstants gives the classes what a function makes of the objProps of the classes of these names in another VM.
func (ob *objects) takeConstants(from *objects,
	copyOf func(t *lua.LTable, made map[*lua.LTable]*lua.LTable) *lua.LTable) {
	made := map[*lua.LTable]*lua.LTable{}
	for i := range from.classes {
		props := from.classes[i].constants()
		to, ok := ob.schema.ClassByName(from.classes[i].def().Name)
		if props != nil && ok && to < len(ob.classes) {
			ob.classes[to].giveConstants(copyOf(props, made))
		}
	}
}

// constants returns the values in the objProps of the classes, by names such as
// "Ship.objProps.wings[2].span".
func (ob *objects) constants() map[string]string {
	out := map[string]string{}
	for i := range ob.classes {
		name := ob.classes[i].def().Name
		if props := ob.classes[i].constants(); props != nil && !world.BuiltIn(name) {
			leaves(name+".objProps", props, out, map[*lua.LTable]bool{})
		}
	}
	return out
}
