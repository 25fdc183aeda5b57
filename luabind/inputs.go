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

// inputMeta makes the metatable of the inputs of a class: what they have besides
// what the class declares is input:held.
func inputMeta(L *lua.LState, env *environment, sc *scene, def *world.Class) *lua.LTable {
	held := env.function(L, func(L call) int { return pushHeld(L, def, sc.acting().Input) })
	return withIndex(L, env.function(L, func(L call) int {
		key := toText(L.Get(2))
		if key != api.Held {
			noInput(L, def, key)
		}
		L.Push(held)
		return 1
	}))
}

// pushHeld implements input:held(name): the part of the tick, in 64ths, for which a
// button was down.
func pushHeld(L call, def *world.Class, in *world.Input) int {
	name := L.text(2, "input:held: the name of a bool")
	f, ok := world.FindInput(def.Inputs, name)
	switch {
	case in == nil:
		L.RaiseError("input:held(%q): only applyInput and simulate have an input", name)
	case !ok:
		noInput(L, def, name)
	case f.Axis:
		L.RaiseError("input:held(%q): %s is a number; held is for bools", name, name)
	}
	L.Push(L.num(float64(in.HeldParts(f.Index))))
	return 1
}

// noInput raises the error for an input that a class does not declare.
func noInput(L call, def *world.Class, key string) {
	L.RaiseError("%s declares no input %s; it has: %s", def.Name, key, strings.Join(ident.NearestFirst(key, inputNames(def)), ", "))
}

func inputNames(def *world.Class) (names []string) {
	for i := range def.Inputs {
		names = append(names, def.Inputs[i].Name)
	}
	return names
}

// inputOf reads a table of input fields. A bot plays games that it does not know:
// a field that the class does not declare is no error there, if another one is
// declared.
func inputOf(c *world.Class, v lua.LValue, isBot bool) (in world.Input, err error) {
	t, ok := v.(*lua.LTable)
	if !ok {
		return in, wrongInput(c, "is a "+v.Type().String()+", not a table of inputs", "")
	}
	keys := sortedTableKeys(t)
	known := slices.ContainsFunc(keys, func(k lua.LValue) bool { _, ok := world.FindInput(c.Inputs, toText(k)); return ok })
	for _, k := range keys {
		key, value := toText(k), t.RawGet(k)
		f, ok := world.FindInput(c.Inputs, key)
		if !ok && isBot && known {
			continue
		}
		if !ok {
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

// wrongInput says what an answer of think, or of a bot, may hold.
func wrongInput(c *world.Class, what, key string) error {
	return fmt.Errorf("the result %s; %s declares the inputs: %s", what, c.Name, strings.Join(ident.NearestFirst(key, inputNames(c)), ", "))
}
