package luabind

import (
	"math"
	"slices"
	"strings"

	"github.com/hindcast/hindcast/luabind/internal/api"
	"github.com/hindcast/hindcast/luabind/internal/ident"
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/hindcast/hindcast/world"
	lua "github.com/yuin/gopher-lua"
)

// reader reads the values of a declaration into a class. It reports an error of a value
// at the line of its key.
type reader struct {
	of    world.Class
	where place
	set   *declared
	shows *lua.LTable     // the functions that show fields, by Field.ShowWith; nil: none
	wrong map[string]bool // fields whose declaration is refused: what names them follows from that
}

// class returns the class that the declaration describes.
func (r *reader) class() *world.Class { return &r.of }

// fail notes a problem of the declaration, at the line of a key of it.
func (r *reader) fail(path []string, format string, args ...any) {
	r.set.fail(r.problem(path, format, args...))
}

// problem returns an error at the line of a key of the declaration.
func (r *reader) problem(path []string, format string, args ...any) error {
	line := r.where.Line
	if r.where.Keys != nil {
		line = r.where.Keys.Find(path...)
	}
	return syntax.Problem(r.where.File, max(line, 1), format, args...)
}

// addShow takes a function that shows a field, and returns its number.
func addShow(r *reader, fn *lua.LFunction) int {
	if r.shows == nil {
		r.shows = &lua.LTable{Metatable: lua.LNil}
	}
	r.shows.Append(fn)
	return r.shows.Len()
}

// showsIn returns these functions by their numbers; nil: there are none.
func showsIn(r *reader) *lua.LTable { return r.shows }

// unread returns the keys of a table, sorted; none if so many errors were noted that no more are.
func (r *reader) unread(t *lua.LTable) []lua.LValue {
	if r.set.full() {
		return nil
	}
	return sortedTableKeys(t)
}

// keys reports keys that a table of the declaration may not have.
func (r *reader) keys(path []string, t *lua.LTable, allowed []string) {
	for _, k := range r.unread(t) {
		if r.set.full() {
			return
		}
		name := toText(k)
		if _, isString := k.(lua.LString); isString && slices.Contains(allowed, name) {
			continue
		}
		what := strings.Join(append(append([]string{}, path...), name), ".")
		_, isHook := api.LikeHook(name, api.ObjectHooks())
		hint := "there are " + strings.Join(ident.NearestFirst(name, allowed), ", ")
		switch {
		case len(path) == 0 && isHook:
			hint = "a hook is written outside of the braces: function " + r.class().Name + ":" + name + "() ... end"
		case len(path) == 0 && len(ident.Nearest(name, allowed)) == 0 && !world.HoldsState(r.class().Name):
			hint = "a field is declared in state = { ... }, a constant in objProps = { ... }; " + hint
		case len(allowed) == 0:
			hint = "there are none: declare it first"
		}
		r.fail(append(append([]string{}, path...), name), "%s: unknown key %s; %s", r.class().Name, what, hint)
	}
}

// isTable returns v as a table, or notes that it is not one.
func (r *reader) isTable(path []string, v lua.LValue) (*lua.LTable, bool) {
	t, ok := v.(*lua.LTable)
	if !ok {
		r.fail(path, "%s.%s is a %s, not a table", r.class().Name, strings.Join(path, "."), typeName(v))
	}
	return t, ok
}

// number returns a finite number of a declaration.
func (r *reader) number(path []string, v lua.LValue) float64 {
	n, ok := v.(lua.LNumber)
	if !ok || math.IsNaN(float64(n)) || math.IsInf(float64(n), 0) {
		r.fail(path, "%s.%s is not a finite number", r.class().Name, strings.Join(path, "."))
		return 0
	}
	return float64(n)
}

// text returns a string of a declaration.
func (r *reader) text(path []string, v lua.LValue) string {
	s, ok := v.(lua.LString)
	if !ok {
		r.fail(path, "%s.%s is a %s, not a string", r.class().Name, strings.Join(path, "."), typeName(v))
	}
	return string(s)
}

// boolean is true or false.
func (r *reader) boolean(path []string, v lua.LValue) bool {
	on, ok := v.(lua.LBool)
	if !ok {
		r.fail(path, "%s.%s must be true or false, not %s", r.class().Name, strings.Join(path, "."), aTypeName(v))
	}
	return bool(on)
}

// options reports keys that a list of options may not have after its kind, which
// is number 1. ok is false if there is one.
func (r *reader) options(path []string, t *lua.LTable, allowed []string) (ok bool) {
	ok = true
	for _, k := range r.unread(t) {
		if r.set.full() {
			return ok
		}
		name, isString := k.(lua.LString)
		if k == lua.LNumber(1) || isString && slices.Contains(allowed, string(name)) {
			continue
		}
		r.fail(append(path, toText(k)), "%s.%s: unknown key %s; there are %s", r.class().Name,
			strings.Join(path, "."), toText(k), strings.Join(ident.NearestFirst(toText(k), allowed), ", "))
		ok = false
	}
	return ok
}

// declareCallable declares a function that the host program may call.
func declareCallable(r *reader, f world.Function) { r.set.callable(f) }

// reserved returns the names that no field may have.
func (r *reader) reserved() []string { return r.set.reservedNames() }

// failures counts the errors of the declarations so far.
func failures(r *reader) int { return len(r.set.failed()) }

// place returns where the declaration stands.
func (r *reader) place() (file string, line int) { return r.where.File, r.where.Line }
