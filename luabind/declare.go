package luabind

import (
	"math"
	"slices"
	"strings"

	"github.com/hindcast/hindcast/luabind/internal/ident"
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/hindcast/hindcast/world"
	lua "github.com/yuin/gopher-lua"
)

// declaration is one object "Name" {...}, or game {...}.
type declaration struct {
	vm       *VM
	class    world.Class
	where    place
	table    *lua.LTable // the class table: methods go into it
	objProps *lua.LTable
	hooks    [world.HookCount]*lua.LFunction
}

func declareEntries() []entry {
	return []entry{{"object", (*VM).luaObject}, {"str", (*VM).luaStr}, {"ref", (*VM).luaRef},
		{"list", (*VM).luaListType}, {"record", (*VM).luaRecord}}
}

// luaObject is object "Name", which waits for its table.
func (vm *VM) luaObject(L *lua.LState) int {
	vm.whileLoading(L, "object")
	name, ok := L.Get(1).(lua.LString)
	if !ok || !ident.Valid(string(name)) {
		L.RaiseError("a class has a name of letters, digits and _: object \"Ship\" { ... }")
	}
	L.Push(L.NewFunction(func(L *lua.LState) int {
		vm.whileLoading(L, "object")
		t, ok := L.Get(1).(*lua.LTable)
		if !ok {
			L.RaiseError("object %q is declared with a table: object %q { ... }", string(name), string(name))
		}
		d := vm.declare(L, string(name))
		d.read(t, classKeys)
		L.Push(d.table)
		return 1
	}))
	return 1
}

// whileLoading raises an error in a hook.
func (vm *VM) whileLoading(L *lua.LState, what string) {
	if vm.loading == nil {
		L.RaiseError("%s is called while the files are loaded, not in a hook", what)
	}
}

// openGame puts the handle of the game object among the globals. While the
// files are loaded it can be called: game { state = ... }.
func (vm *VM) openGame(L *lua.LState) {
	c := vm.newClass(L, &world.Class{Name: world.GameClass})
	c.meta.RawSetString("__call", vm.wrap(L, entry{"game", (*VM).luaGame}))
	vm.game = &lua.LUserData{Value: &handle{id: world.GameID, class: &c}, Metatable: c.meta}
	vm.handles.put(world.GameID, vm.game)
	vm.provide("game", vm.game)
	L.G.Global.RawSetString(syntax.Imported("game"), vm.game)
}

func (vm *VM) luaGame(L *lua.LState) int {
	vm.whileLoading(L, "game")
	t, ok := L.Get(2).(*lua.LTable)
	if !ok {
		L.RaiseError("the game is declared with a table: game { state = { ... } }")
	}
	d := vm.declare(L, world.GameClass)
	d.read(t, gameKeys)
	vm.loading.game = d
	return 0
}

// declare starts a declaration. One of a name that is taken is an error.
func (vm *VM) declare(L *lua.LState, name string) *declaration {
	d := &declaration{vm: vm, class: world.Class{Name: name}, table: L.CreateTable(0, 8)}
	d.where = vm.prog.decls[name]
	if m := rxPlace.FindStringSubmatch(L.Where(1) + " "); m != nil && (m[1] != d.where.file || d.where.keys == nil) {
		d.where = place{file: m[1], line: atoi(m[2])}
	}
	taken := name == world.WallClass || name == world.JointClass
	for _, other := range vm.loading.decls {
		taken = taken || other.class.Name == name
	}
	if taken {
		d.fail(nil, "the class %s is declared twice, or has a name that is taken", name)
	}
	vm.loading.decls = append(vm.loading.decls, d)
	return d
}

// fail notes a problem of the declaration, at the line of a key of it.
func (d *declaration) fail(path []string, format string, args ...any) {
	d.vm.loading.errs = append(d.vm.loading.errs, d.problem(path, format, args...))
}

// problem is an error at the line of a key of the declaration.
func (d *declaration) problem(path []string, format string, args ...any) error {
	line := d.where.line
	if d.where.keys != nil {
		line = d.where.keys.Find(path...)
	}
	return syntax.Problem(d.where.file, max(line, 1), format, args...)
}

// keyReaders are what a declaration may hold: each key with its reader.
type keyReaders map[string]func(d *declaration, key string, v lua.LValue)

var gameKeys = keyReaders{"state": (*declaration).fields, "aux": (*declaration).fields}

var classKeys = keyReaders{
	"input": (*declaration).inputs, "state": (*declaration).fields, "aux": (*declaration).fields,
	"objProps": (*declaration).constants, "body": (*declaration).body, "order": (*declaration).order,
	"look": (*declaration).look, "controls": (*declaration).controls,
	"lod": (*declaration).lod, "authority": (*declaration).authority, "ticking": (*declaration).ticking,
	"range": (*declaration).reach, "hidden": (*declaration).hidden, "seen": (*declaration).seen,
	"moves": (*declaration).moves,
}

// read takes a declaration's table apart.
func (d *declaration) read(t *lua.LTable, readers keyReaders) {
	if len(sortedTableKeys(t)) == 0 {
		return
	}
	d.keys(nil, t, ident.Keys(readers))
	for _, key := range []string{"input", "state", "aux", "objProps", "body", "order", "look", "controls", "lod", "authority", "ticking", "moves", "range", "hidden", "seen"} {
		if v := t.RawGetString(key); v != lua.LNil && readers[key] != nil {
			readers[key](d, key, v)
		}
	}
}

// keys reports keys that a table of the declaration may not have.
func (d *declaration) keys(path []string, t *lua.LTable, allowed []string) {
	for _, k := range sortedTableKeys(t) {
		name := toText(k)
		if _, isString := k.(lua.LString); isString && slices.Contains(allowed, name) {
			continue
		}
		what := strings.Join(append(append([]string{}, path...), name), ".")
		d.fail(append(append([]string{}, path...), name), "%s: unknown key %s; there are %s", d.class.Name, what, strings.Join(ident.NearestFirst(name, allowed), ", "))
	}
}

// isTable reports v as a table, or the problem that it is none.
func (d *declaration) isTable(path []string, v lua.LValue) (*lua.LTable, bool) {
	t, ok := v.(*lua.LTable)
	if !ok {
		d.fail(path, "%s.%s is a %s, not a table", d.class.Name, strings.Join(path, "."), typeName(v))
	}
	return t, ok
}

// number is a finite number of a declaration.
func (d *declaration) number(path []string, v lua.LValue) float64 {
	n, ok := v.(lua.LNumber)
	if !ok || math.IsNaN(float64(n)) || math.IsInf(float64(n), 0) {
		d.fail(path, "%s.%s is not a finite number", d.class.Name, strings.Join(path, "."))
		return 0
	}
	return float64(n)
}

// text is a string of a declaration.
func (d *declaration) text(path []string, v lua.LValue) string {
	s, ok := v.(lua.LString)
	if !ok {
		d.fail(path, "%s.%s is a %s, not a string", d.class.Name, strings.Join(path, "."), typeName(v))
	}
	return string(s)
}

// constants reads objProps.
func (d *declaration) constants(key string, v lua.LValue) {
	if t, ok := d.isTable([]string{key}, v); ok {
		d.objProps = t
		d.table.RawSetString("objProps", t)
	}
}

func (d *declaration) order(key string, v lua.LValue) {
	n := d.number([]string{key}, v)
	if n != math.Trunc(n) || math.Abs(n) > 1e6 {
		d.fail([]string{key}, "%s.order is a whole number from -1000000 to 1000000", d.class.Name)
		return
	}
	d.class.Order = int32(n)
}

// LookShapes returns the shapes that look can name; body is the shape of the
// body.
func LookShapes() []string {
	return []string{"arrow", "body", "circle", "diamond", "hexagon", "ship", "square", "star", "triangle"}
}

func (d *declaration) look(key string, v lua.LValue) {
	t, ok := d.isTable([]string{key}, v)
	if !ok {
		return
	}
	d.keys([]string{key}, t, []string{"bar", "color", "label", "shape"})
	for _, part := range []struct {
		name string
		to   *string
	}{{"bar", &d.class.Look.Bar}, {"color", &d.class.Look.Color}, {"label", &d.class.Look.Label}, {"shape", &d.class.Look.Shape}} {
		if v := t.RawGetString(part.name); v != lua.LNil {
			*part.to = d.text([]string{key, part.name}, v)
		}
	}
	d.class.Look.LabelParts(func(_, name string) {
		if name == "" {
			return
		}
		if f := d.shown([]string{key, "label"}, name); f != nil && f.Kind != world.Number && f.Kind != world.Bool && f.Kind != world.String {
			d.fail([]string{key, "label"}, "%s.look.label: {%s} is no number, string or boolean", d.class.Name, name)
		}
	})
	if name := d.class.Look.Bar; name != "" {
		if f := d.shown([]string{key, "bar"}, name); f != nil && (f.Kind != world.Number || !(f.Min < f.Max)) {
			d.fail([]string{key, "bar"}, "%s.look.bar: %s is no number with a range: declare it as %s = { \"number\", min = 0, max = 100 }", d.class.Name, name, name)
		}
	}
}

// shown is the field that a look names; nil, and a problem, if there is none.
func (d *declaration) shown(path []string, name string) *world.Field {
	f, ok := d.class.Field(name)
	if !ok {
		names := fieldNames(&d.class)
		hint := "it has no fields"
		if len(names) > 0 {
			hint = "there are " + strings.Join(ident.NearestFirst(name, names), ", ")
		}
		d.fail(path, "%s.%s: there is no field %s; %s", d.class.Name, strings.Join(path, "."), name, hint)
		return nil
	}
	return f
}

// lod reads how clients have the objects of the class.
func (d *declaration) lod(key string, v lua.LValue) {
	levels := [...]world.LOD{world.Predict, world.Interpolate, world.Extrapolate}
	s := d.text([]string{key}, v)
	for _, l := range levels {
		if s == l.String() {
			d.class.LOD = l
			return
		}
	}
	if s != "" {
		d.fail([]string{key}, "%s.lod = %q: must be \"predict\", \"interpolate\" or \"extrapolate\"", d.class.Name, s)
	}
}

// reach reads range: how far away clients are told of objects of the class.
func (d *declaration) reach(key string, v lua.LValue) {
	n := d.number([]string{key}, v)
	if !(n > 0 && n <= world.MaxRange) {
		d.fail([]string{key}, "%s.range is a distance in metres, above 0 and at most %g", d.class.Name, world.MaxRange)
		return
	}
	d.class.Range = n
}

func (d *declaration) hidden(key string, v lua.LValue) {
	on, ok := v.(lua.LBool)
	if !ok {
		d.fail([]string{key}, "%s.hidden is true or false, not a %s", d.class.Name, typeName(v))
	}
	d.class.Hidden = bool(on)
}
