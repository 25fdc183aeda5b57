package luabind

import (
	"slices"
	"strings"

	"github.com/hindcast/hindcast/luabind/internal/api"
	"github.com/hindcast/hindcast/luabind/internal/ident"
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/hindcast/hindcast/world"
	lua "github.com/yuin/gopher-lua"
)

// maxParams is how many parameters a function may have that the host program calls.
const maxParams = 8

// paramKinds are the values of game { calls = { start = { ... } } }.
var paramKinds = map[string]world.FieldKind{
	"number": world.Number,
	"bool":   world.Bool,
	"string": world.String,
	"ref":    world.Ref,
}

// hostCalls are the functions of game.lua that the host program may call.
type hostCalls struct {
	list []world.Function // as declared, sorted by name
	fns  map[string]*lua.LFunction
}

// function returns the function that an event calls.
func (hc *hostCalls) function(e *world.Event) *lua.LFunction { return hc.fns[e.Name] }

// functions returns the declarations.
func (hc *hostCalls) functions() []world.Function { return hc.list }

// declare adds a declaration.
func (hc *hostCalls) declare(f world.Function) { hc.list = append(hc.list, f) }

// has reports whether a function of that name is declared.
func (hc *hostCalls) has(name string) bool {
	return slices.ContainsFunc(hc.list, func(f world.Function) bool { return f.Name == name })
}

// callReader reads game { calls = ... }.
type callReader struct{ *reader }

// calls reads the functions by their names.
func (d callReader) calls(key string, v lua.LValue) {
	t, ok := d.isTable([]string{key}, v)
	if !ok {
		return
	}
	for _, k := range sortedTableKeys(t) {
		path := []string{key, toText(k)}
		name, isString := k.(lua.LString)
		if !isString || !ident.Valid(string(name)) || len(name) > world.MaxFunctionName {
			d.fail(path,
				"game.%s: a function needs a name of letters, digits and _, and a list of its parameters: start = "+
					"{ \"number\" }",
				strings.Join(path, "."))
			continue
		}
		params, ok := d.isTable(path, valueAt(t, k))
		if !ok {
			continue
		}
		if kinds, ok := d.params(path, params); ok { // else the function would be said to have too many
			declareCallable(d.reader, world.Function{Name: string(name), Params: kinds, Command: isCommand(params)})
		}
	}
}

// params reads the kinds of parameters. ok is false if it has said what is wrong with them.
func (d callReader) params(path []string, t *lua.LTable) (kinds []world.FieldKind, ok bool) {
	n := t.Len()
	if n > maxParams || len(sortedTableKeys(t)) != n {
		d.fail(path, "game.%s: the parameters must be a list of at most %d kinds: { \"number\", \"string\" }",
			strings.Join(path, "."), maxParams)
		return nil, false
	}
	for i := 1; i <= n; i++ {
		kind, ok := paramKinds[toText(t.RawGetInt(i))]
		if i == 1 && isCommand(t) {
			kind, ok = world.Number, true
		}
		if ok && kind == world.Ref && isCommand(t) {
			d.fail(path, "game.%s: parameter %d is a ref, which players cannot write in a line of chat",
				strings.Join(path, "."), i)
			return nil, false
		}
		if !ok {
			d.fail(path,
				"game.%s: parameter %d is %s; there are \"number\", \"bool\", \"string\" and \"ref\", and "+
					"\"player\" as the first of a command", strings.Join(path, "."), i, showValue(t.RawGetInt(i), 0))
			return nil, false
		}
		kinds = append(kinds, kind)
	}
	return kinds, true
}

// isCommand reports whether players call the function too: then its first parameter is "player".
func isCommand(params *lua.LTable) bool { return toText(params.RawGetInt(1)) == "player" }

// bind finds the declared functions among the globals of game.lua.
func (hc *hostCalls) bind(game *declaration, globals *lua.LTable, writes map[string]place) (errs []error) {
	say := func(name, format string, args ...any) {
		errs = append(errs, game.problem([]string{"calls", name}, format, args...))
	}
	hc.fns = map[string]*lua.LFunction{}
	for i := range hc.list {
		f := &hc.list[i]
		fn, isFunction := globals.RawGetString(f.Name).(*lua.LFunction)
		_, isHook := api.LikeHook(f.Name, api.GameHooks())
		switch {
		case isHook || api.IsFilter(f.Name):
			say(f.Name, "game.calls.%s: the runtime calls this hook; the host program cannot call it", f.Name)
		case !isFunction || fn.Proto == nil || writes[f.Name].File != api.GameFile:
			say(f.Name, "game.calls.%s: there is no function %s in %s", f.Name, f, api.GameFile)
		case int(fn.Proto.NumParameters) != len(f.Params) && fn.Proto.IsVarArg == 0:
			errs = append(
				errs,
				syntax.Problem(fn.Proto.SourceName, fn.Proto.LineDefined,
					"%s has %d parameters, and game.calls declares %s", f.Name, fn.Proto.NumParameters, f),
			)
		default:
			hc.fns[f.Name] = fn
		}
	}
	return errs
}

// pushCall pushes the arguments of a function that the host program calls.
func (ha *hookArgs) pushCall(L call, e *world.Event) int {
	if s := answered(ha.scene.world(), e); s != nil {
		return ha.pushAnswers(L, s, e)
	}
	for i := range e.Values {
		switch v := &e.Values[i].Value; v.Kind {
		case world.Bool:
			L.Push(lua.LBool(v.Word != 0))
		case world.String:
			L.Push(lua.LString(v.Text))
		case world.Ref:
			if v.Word == 0 {
				L.Push(lua.LNil)
			} else {
				L.Push(ha.scene.handleOf(world.ObjectID(v.Word)))
			}
		default:
			L.Push(L.num(v.Number()))
		}
	}
	return len(e.Values)
}
