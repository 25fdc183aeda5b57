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

// finishDeclarations finds the hooks among the methods of each class and the
// globals of game.lua, once all files have run.
func (vm *VM) finishDeclarations(L *lua.LState) (errs []error) {
	for _, d := range vm.loading.decls {
		if d.class.Name == world.GameClass {
			continue
		}
		for _, k := range sortedTableKeys(d.table) {
			fn, isFunction := d.table.RawGet(k).(*lua.LFunction)
			if err := d.checkMember(toText(k), fn); err != nil {
				errs = append(errs, err)
			}
			if !isFunction {
				continue
			}
			for _, h := range api.ObjectHooks() {
				if toText(k) == h.String() {
					d.hooks[h] = fn
					d.class.Hooks |= 1 << h
				}
			}
		}
		errs = append(errs, d.checkOwnership()...)
	}
	errs = append(errs, vm.gameGlobals(L)...)
	if len(vm.loading.errs) == 0 && !vm.loading.partial { // else the class on a layer may be one of those at fault
		errs = append(errs, vm.checkLayers()...)
		errs = append(errs, vm.checkHidden()...)
	}
	return errs
}

// checkHidden finds secrets that every client would simulate.
func (vm *VM) checkHidden() (errs []error) {
	for _, d := range vm.loading.decls {
		if d.class.Hidden && d.class.LOD == world.Predict {
			errs = append(errs, d.problem([]string{"hidden"}, "%s.hidden: all clients simulate it, so they know of it; say lod = \"interpolate\"", d.class.Name))
		}
	}
	return errs
}

// checkLayers finds layers that no class is on, and those that are too many.
func (vm *VM) checkLayers() (errs []error) {
	known := []string{world.DefaultLayer, world.WallLayer}
	for _, d := range vm.loading.decls {
		if b := d.class.Body; b != nil && b.Layer != "" && !slices.Contains(known, b.Layer) {
			if known = append(known, b.Layer); len(known) == world.MaxLayers+1 {
				errs = append(errs, d.problem([]string{"body", "layer"}, "%s.body.layer = %q is one too many: a game has at most %d layers, %s and %s among them",
					d.class.Name, b.Layer, world.MaxLayers, world.DefaultLayer, world.WallLayer))
			}
		}
	}
	slices.Sort(known)
	for _, d := range vm.loading.decls {
		if d.class.Body == nil {
			continue
		}
		for _, name := range d.class.Body.Collides {
			if !slices.Contains(known, name) {
				errs = append(errs, d.problem([]string{"body", "collides"}, "%s.body.collides: no class is on layer %q; there are %s",
					d.class.Name, name, strings.Join(ident.NearestFirst(name, known), ", ")))
			}
		}
	}
	return errs
}

// gameGlobals takes the global functions of game.lua that are hooks.
func (vm *VM) gameGlobals(L *lua.LState) (errs []error) {
	d := vm.loading.game
	if d == nil {
		d = &declaration{vm: vm, class: world.Class{Name: world.GameClass}, table: L.CreateTable(0, 0)}
		vm.loading.decls = append(vm.loading.decls, d)
	}
	for _, n := range ident.Keys(vm.prog.writes) {
		at := vm.prog.writes[n]
		fn, isFunction := L.G.Global.RawGetString(n).(*lua.LFunction)
		if !isFunction {
			continue
		}
		hook, exact := api.LikeHook(n, api.GameHooks())
		switch {
		case n == api.Relevant && at.file == api.GameFile:
			vm.judge = fn
		case n == api.Relevant:
			errs = append(errs, syntax.Problem(at.file, at.line, "%s is a function of %s", n, api.GameFile))
		case exact && at.file != api.GameFile:
			errs = append(errs, syntax.Problem(at.file, at.line, "%s is a hook of %s when it is a global function; did you mean a method, function Class:%s?", n, api.GameFile, n))
		case exact:
			d.hooks[hook] = fn
			d.class.Hooks |= 1 << hook
		case at.file == api.GameFile && hook != world.HookCount:
			errs = append(errs, syntax.Problem(at.file, at.line, "%s is not a hook; did you mean %s?", n, hook))
		}
	}
	return errs
}

// checkMember refuses members of a class with names that are reserved, taken
// by a field, or nearly that of a hook.
func (d *declaration) checkMember(name string, fn *lua.LFunction) error {
	file, line := d.where.file, d.where.line
	if fn != nil && fn.Proto != nil {
		file, line = fn.Proto.SourceName, fn.Proto.LineDefined
	}
	if name == "objProps" && fn == nil {
		return nil
	}
	if names := d.vm.prog.library.Reserved(); slices.Contains(names, name) {
		return syntax.Problem(file, line, "%s:%s: the name is reserved; these are: %s", d.class.Name, name, strings.Join(names, ", "))
	}
	if _, isField := d.class.Field(name); isField {
		return syntax.Problem(file, line, "%s has a field and a method named %s", d.class.Name, name)
	}
	if hook, exact := api.LikeHook(name, api.ObjectHooks()); fn != nil && !exact && hook != world.HookCount {
		return syntax.Problem(file, line, "%s:%s is not a hook; did you mean %s?", d.class.Name, name, hook)
	}
	return nil
}

// worldClasses are the declared classes, in the order of their declarations.
func (vm *VM) worldClasses() []world.Class {
	var out []world.Class
	for _, d := range vm.loading.decls {
		out = append(out, d.class)
	}
	return out
}

// schemaProblem puts what the schema finds wrong into our form: at the class
// that it names, else at the game's settings.
func (vm *VM) schemaProblem(err error) error {
	for _, d := range vm.loading.decls {
		if strings.HasPrefix(err.Error(), "class "+d.class.Name+":") {
			return syntax.Problem(d.where.file, max(d.where.line, 1), "%s", err)
		}
	}
	return syntax.Problem("game.toml", 1, "%s", err)
}

// placed is an error that no instruction raised, at the hook's first line.
func (vm *VM) placed(err error, h world.Hook) error {
	fn := vm.classes[vm.w.Now.Objects[vm.actor.slot].Class].hooks[h]
	return syntax.Problem(fn.Proto.SourceName, fn.Proto.LineDefined, "%s", err)
}
