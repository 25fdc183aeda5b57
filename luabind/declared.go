package luabind

import (
	"errors"
	"slices"
	"strings"

	"github.com/hindcast/hindcast/luabind/internal/api"
	"github.com/hindcast/hindcast/luabind/internal/ident"
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/hindcast/hindcast/world"
	lua "github.com/yuin/gopher-lua"
)

// declared has the declarations of the files of a bundle.
type declared struct {
	list    []*declaration
	errs    []error
	leaves  int // fields of all classes, see maxLeaves
	library *api.Library
	filters filters // of game.lua
	calls   hostCalls
	lobby   lobby
}

// full reports whether so many errors were noted that no more are.
func (de *declared) full() bool { return len(de.errs) >= syntax.MaxProblems }

// fail notes an error, unless there are so many that nobody reads it.
func (de *declared) fail(err error) {
	if !de.full() {
		de.errs = append(de.errs, err)
	}
}

// failed returns the errors, without those that a class has only because it extends one that has them.
func (de *declared) failed() []error {
	return slices.DeleteFunc(slices.Clone(de.errs), func(err error) bool {
		return slices.ContainsFunc(de.list, func(d *declaration) bool { return de.inherits(d, err) })
	})
}

// inherits reports whether an error of a class is that of a class which it extends, too.
func (de *declared) inherits(d *declaration, err error) bool {
	message := func(err error) string {
		if se := (*world.ScriptError)(nil); errors.As(err, &se) {
			return se.Message
		}
		return err.Error()
	}
	for at := d.extends; at != nil; at = at.extends {
		theirs := strings.ReplaceAll(message(err), d.class().Name, at.class().Name)
		if theirs != message(err) &&
			slices.ContainsFunc(de.errs, func(e error) bool { return message(e) == theirs }) {
			return true
		}
	}
	return false
}

// reservedNames returns the names that no field and no method may have.
func (de *declared) reservedNames() []string { return de.library.Reserved() }

// asked returns the functions of game.lua that are asked between ticks.
func (de *declared) asked() filters { return de.filters }

// declare starts a declaration.
func (de *declared) declare(L *lua.LState, name string, at place) *declaration {
	d := &declaration{reader: &reader{of: world.Class{Name: name}, where: at, set: de}, table: L.CreateTable(0, 8)}
	switch other := de.named(name); {
	case name == world.WallClass || name == world.JointClass:
		d.fail(nil, "%s", ofEngine(name))
	case other != nil && other.where.File == at.File: // of the places in a file, the last one is known
		d.fail(nil, "the class %s is declared twice in this file", name)
	case other != nil && other.where.File != "":
		d.fail(nil, "the class %s is declared twice: %s:%d declares it, too", name, other.where.File, other.where.Line)
	case other != nil:
		d.fail(nil, "%s", ofEngine(name))
	}
	de.list = append(de.list, d)
	return d
}

// ofEngine is the error of a class that has the name of one of the engine.
func ofEngine(name string) string {
	said := "the engine has an object class " + name + " itself"
	switch name {
	case world.WallClass:
		return said + ", that of the walls of the level; give yours another name"
	case world.JointClass:
		return said + ", that of the objects that joint functions return; give yours another name"
	}
	return said + "; " + name + " { state = { ... } } declares its fields, and a class of your own needs another name"
}

// named returns the declaration of a class, nil if there is none.
func (de *declared) named(name string) *declaration {
	i := slices.IndexFunc(de.list, func(d *declaration) bool { return d.class().Name == name })
	if i < 0 {
		return nil
	}
	return de.list[i]
}

// finish finds the hooks among the methods of each class and among globals, once
// all files have run. partial says that some classes may be missing.
func (de *declared) finish(globals *lua.LTable, writes map[string]place, chunks []*syntax.Chunk, partial bool) {
	for _, f := range de.lobby.playerFields() {
		de.addPlayerField(f)
	}
	var errs []error
	members := 0
	for _, d := range de.list { // those that others extend come before them
		d.inherit()
		if members += len(sortedTableKeys(d.table)); members > maxMembers {
			de.fail(d.problem(nil,
				"%s: the classes up to this one have more than %d methods and constants, with those that "+
					"they take over", d.class().Name, maxMembers))
			return
		}
		if d.class().Name != world.GameClass {
			errs = append(errs, d.finish()...)
		}
	}
	errs = append(errs, de.gameGlobals(globals, writes)...)
	for _, d := range de.list {
		if err := d.findTimers(globals, writes, chunks); err != nil {
			errs = append(errs, err)
		}
	}
	if len(de.errs) == 0 && !partial { // else the class on a layer may be one of those at fault
		errs = append(errs, de.checkLayers()...)
		errs = append(errs, de.checkHidden()...)
	}
	for _, err := range errs {
		de.fail(err)
	}
}

// checkHidden finds classes that are hidden although every client simulates
// them.
func (de *declared) checkHidden() (errs []error) {
	for _, d := range de.list {
		if d.class().Ranges.Hidden && d.class().LOD == world.Predict {
			errs = append(
				errs,
				d.problem([]string{"hidden"},
					"%s.hidden: all clients simulate this class, so nothing of it can be hidden; write lod = "+
						"\"interpolate\"",
					d.class().Name),
			)
		}
	}
	return errs
}

// checkLayers finds names of layers that no class is on, and layers beyond the
// limit.
func (de *declared) checkLayers() (errs []error) {
	known := []string{world.DefaultLayer, world.WallLayer}
	for _, d := range de.list {
		if b := d.class().Body; b != nil && b.Layer != "" && !slices.Contains(known, b.Layer) {
			if known = append(known, b.Layer); len(known) == world.MaxLayers+1 {
				errs = append(
					errs,
					d.problem([]string{"body", "layer"},
						"%s.body.layer = %q is one layer too many: a game has at most %d, %s and %s included",
						d.class().Name, b.Layer, world.MaxLayers, world.DefaultLayer, world.WallLayer),
				)
			}
		}
	}
	slices.Sort(known)
	for _, d := range de.list {
		if d.class().Body == nil {
			continue
		}
		for _, name := range d.class().Body.Collides {
			if !slices.Contains(known, name) {
				errs = append(
					errs,
					d.problem([]string{"body", "collides"}, "%s.body.collides: no class is on layer %q; there are %s",
						d.class().Name, name, strings.Join(ident.NearestFirst(name, known), ", ")),
				)
			}
		}
	}
	return errs
}

// gameGlobals finds the hooks of game.lua among the globals.
func (de *declared) gameGlobals(globals *lua.LTable, writes map[string]place) (errs []error) {
	d := de.named(world.GameClass)
	if d == nil {
		d = &declaration{
			reader: &reader{of: world.Class{Name: world.GameClass}, set: de},
			table:  &lua.LTable{Metatable: lua.LNil},
		}
		de.list = append(de.list, d)
	}
	for _, n := range ident.Keys(writes) {
		at := writes[n]
		fn, isFunction := globals.RawGetString(n).(*lua.LFunction)
		if !isFunction {
			continue
		}
		hook, exact := api.LikeHook(n, api.GameHooks())
		switch {
		case api.IsFilter(n) && at.File == api.GameFile:
			de.filters.take(n, fn)
		case api.IsFilter(n):
			errs = append(errs, syntax.Problem(at.File, at.Line, "%s is a function of %s", n, api.GameFile))
		case exact && at.File != api.GameFile:
			errs = append(
				errs,
				syntax.Problem(at.File, at.Line,
					"%s is a hook of %s when it is a global function; did you mean a method, function Class:%s?", n,
					api.GameFile, n),
			)
		case exact:
			d.hook(hook, fn)
		case at.File == api.GameFile && hook != world.HookCount && !de.calls.has(n):
			errs = append(errs, syntax.Problem(at.File, at.Line, "%s is not a hook; did you mean %s?", n, hook))
		}
	}
	errs = append(errs, de.calls.bind(d, globals, writes)...)
	return append(errs, de.lobby.finish(d, &de.calls, globals)...)
}

// hostCalls returns the functions that the host program may call.
func (de *declared) hostCalls() hostCalls { return de.calls }

// functions returns their declarations.
func (de *declared) functions() []world.Function { return de.calls.functions() }

// callable adds one.
func (de *declared) callable(f world.Function) { de.calls.declare(f) }

// classes returns the declared classes, in the order of their declarations.
func (de *declared) classes() (out []world.Class) {
	for _, d := range de.list {
		out = append(out, *d.class())
	}
	return out
}

// schemaProblem gives an error of the schema a position: that of the class that the
// error names, or that of the game's settings.
func (de *declared) schemaProblem(err error) error {
	var of *world.ClassError
	for _, d := range de.list {
		if errors.As(err, &of) && of.Class == d.class().Name {
			file, line := d.place()
			return syntax.Problem(file, max(line, 1), "%s", err)
		}
	}
	return syntax.Problem("game.toml", 1, "%s", err)
}

// give passes the declarations to the classes of the VM.
func (de *declared) give(ob *objects) {
	for _, d := range de.list {
		d.give(ob.named(d.class().Name))
	}
}

// of returns the declaration that made the table of a class, nil if none did.
func (de *declared) of(table *lua.LTable) *declaration {
	i := slices.IndexFunc(de.list, func(d *declaration) bool { return d.table == table })
	if i < 0 {
		return nil
	}
	return de.list[i]
}

// descendants returns the names of the classes that extend one of those in of, or are among them.
func (de *declared) descendants(of map[string]bool) map[string]bool {
	all := map[string]bool{}
	for _, d := range de.list {
		for at := d; at != nil && !all[d.class().Name]; at = at.extends {
			all[d.class().Name] = of[at.class().Name]
		}
	}
	return all
}
