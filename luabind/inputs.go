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

// inputMeta makes the metatable of the inputs of a class: besides the declared fields,
// they have the methods.
func inputMeta(L *lua.LState, env *environment, sc *scene, def *world.Class) *lua.LTable {
	methods := map[string]*lua.LFunction{}
	// order: each is made alone
	for name, m := range inputMethods {
		methods[name] = env.function(L, func(L call) int {
			m(L, sc.acting(), buttonOf(L, def, name, sc.acting().Input))
			return 1
		})
	}
	return withIndex(L, env.function(L, func(L call) int {
		key := toText(L.Get(2))
		method, ok := methods[key]
		if !ok {
			noInput(L, def, key)
		}
		L.Push(method)
		return 1
	}))
}

// inputMethod is a method of inputs that takes the name of a bool.
type inputMethod func(L call, a actor, f *world.InputField)

var inputMethods = map[string]inputMethod{
	// for which part of the tick a button was down, in 64ths
	api.Held: func(L call, a actor, f *world.InputField) { L.Push(L.num(float64(a.Input.HeldParts(f.Index)))) },
	// whether a button went down or up since the object's last input, and how often it went down
	api.Pressed:  func(L call, a actor, f *world.InputField) { L.Push(lua.LBool(a.Presses.Down.Of(f.Index) > 0)) },
	api.Released: func(L call, a actor, f *world.InputField) { L.Push(lua.LBool(a.Presses.Up.Of(f.Index) > 0)) },
	api.Presses:  func(L call, a actor, f *world.InputField) { L.Push(L.num(float64(a.Presses.Down.Of(f.Index)))) },
}

// buttonOf returns the bool that is the argument of a method of an input.
func buttonOf(L call, def *world.Class, method string, in *world.Input) *world.InputField {
	L.charge(2 * changeCost)
	name := L.text(2, "input:"+method+": the name of a bool")
	f, ok := world.FindInput(def.Inputs, name)
	switch {
	case in == nil:
		L.RaiseError("input:%s(%q): only applyInput and simulate have an input", method, name)
	case !ok:
		noInput(L, def, name)
	case f.Axis:
		L.RaiseError("input:%s(%q): %s is a number; %s is for bools", method, name, name, method)
	case api.CountsPresses(method) && !f.Counted:
		L.RaiseError("input:%s(%q): the presses of %s are not counted, because no file calls the method with its "+
			"name; write input:%s(%q)", method, name, name, method, name)
	}
	return f
}

// noInput raises the error for an input that a class does not declare.
func noInput(L call, def *world.Class, key string) {
	L.RaiseError("%s declares no input %s; it has: %s", def.Name, key,
		strings.Join(ident.NearestFirst(key, inputNames(def)), ", "))
}

func inputNames(def *world.Class) (names []string) {
	for i := range def.Inputs {
		names = append(names, def.Inputs[i].Name)
	}
	return names
}

// inputOf reads a table of input fields. A bot, or a test, plays classes that it does not know: for it, ignore is called
// with each field that the class does not declare, if another one is declared. With a nil ignore such a field is an
// error. Numbers are brought into their ranges; clamped, which may be nil, is called with what it does to one that is far
// outside.
func inputOf(c *world.Class, v lua.LValue, ignore, clamped func(string)) (in world.Input, err error) {
	t, ok := v.(*lua.LTable)
	if !ok {
		return in, wrongInput(c, "is a "+v.Type().String()+", not a table of inputs", "")
	}
	known := declaresAny(c, t)
	for _, k := range sortedTableKeys(t) {
		key, value := toText(k), valueAt(t, k)
		f, ok := world.FindInput(c.Inputs, key)
		if !ok && ignore != nil && known {
			ignore(key)
			continue
		}
		if !ok {
			return in, wrongInput(c, "sets "+key, key)
		}
		n, isNumber := value.(lua.LNumber)
		switch {
		case f.Axis && isNumber:
			in.Axes[f.Index] = float64(n)
			if clamped != nil && outside(f, float64(n)) {
				clamped(fmt.Sprintf("sets %[1]s to a number outside its range of %[2]s to %[3]s, to which it is clamped; declare "+
					"the range in %[4]s, as in %[1]s = { \"number\", min = -4, max = 4 }", key, toText(lua.LNumber(f.Min)),
					toText(lua.LNumber(f.Max)), c.Name+".input"))
			}
		case f.Axis:
			return in, wrongInput(c, "sets "+key+" to a "+value.Type().String()+", not a number", "")
		case lua.LVAsBool(value):
			in.Buttons |= 1 << f.Index
		}
	}
	return world.Conform(c.Inputs, in), nil
}

// outside reports whether a number is outside the range of an input by more than a hundredth of it.
func outside(f *world.InputField, n float64) bool {
	most := (f.Max - f.Min) / 100
	return n < f.Min-most || n > f.Max+most
}

// declaresAny reports whether a class declares one of the inputs in a table.
func declaresAny(c *world.Class, t *lua.LTable) bool {
	return slices.ContainsFunc(sortedTableKeys(t),
		func(k lua.LValue) bool { _, ok := world.FindInput(c.Inputs, toText(k)); return ok })
}

// wrongInput returns the message about a field that a table of inputs may not have. The caller
// puts before it which table that is.
func wrongInput(c *world.Class, what, key string) error {
	return fmt.Errorf("%s; %s declares the inputs: %s", what, c.Name,
		strings.Join(ident.NearestFirst(key, inputNames(c)), ", "))
}
