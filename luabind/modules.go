package luabind

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hindcast/hindcast/luabind/internal/api"
	"github.com/hindcast/hindcast/luabind/internal/ident"
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/hindcast/hindcast/world"
	lua "github.com/yuin/gopher-lua"
)

// withModules returns roots, and the modules among files that they and other modules require.
func withModules(roots, files []world.Source) []world.Source {
	modules := slices.DeleteFunc(slices.Clone(files), func(f world.Source) bool { return !syntax.IsModule(f.Name) })
	if len(modules) == 0 {
		return roots
	}
	names := sourceNames(append(slices.Clone(roots), modules...))
	out := slices.Clone(roots)
	for i := 0; i < len(out); i++ { // out grows
		tree, err := syntax.Parse(out[i])
		if err != nil {
			continue
		}
		asked := syntax.RequiredIn(tree)
		for _, m := range modules {
			wanted := asked.Any
			for _, name := range asked.All() {
				file, ok := syntax.ModuleFile(name, names)
				wanted = wanted || ok && file == m.Name
			}
			if wanted && !slices.Contains(sourceNames(out), m.Name) {
				out = append(out, m)
			}
		}
	}
	return out
}

func sourceNames(files []world.Source) (names []string) {
	for _, f := range files {
		names = append(names, f.Name)
	}
	return names
}

// UnusedModules returns the files in subfolders that neither the files of the simulation nor view.lua require. It leaves
// out those that a file which does not parse mentions, and those that may be meant where a module is required that does
// not exist.
func UnusedModules(files []world.Source) (names []string) {
	used := withModules(topLevel(files), files)
	for i := 0; i < len(files); i++ {
		f := files[i]
		if syntax.IsModule(f.Name) && !slices.Contains(sourceNames(used), f.Name) && mayUse(used, files, f.Name) {
			used = withModules(append(slices.Clone(used), f), files)
			i = -1 // what it requires may be used as well, and so may what is mentioned there
		}
	}
	for _, f := range files {
		if syntax.IsModule(f.Name) && !slices.Contains(sourceNames(used), f.Name) {
			names = append(names, f.Name)
		}
	}
	return names
}

// mayUse reports whether used, which are among files, have a mistake without which they may require a module.
func mayUse(used, files []world.Source, module string) bool {
	name, names := syntax.ModuleName(module), sourceNames(files)
	last := func(name string) string { return name[strings.LastIndexAny(name, "./")+1:] }
	for _, f := range used {
		tree, err := syntax.Parse(f)
		if err != nil {
			if strings.Contains(f.Text, last(name)) {
				return true
			}
			continue
		}
		required := syntax.RequiredIn(tree)
		for _, asked := range required.All() {
			_, ok := syntax.ModuleFile(asked, names)
			if !ok && len(ident.Nearest(asked, []string{name}))+len(ident.Nearest(last(asked), []string{last(name)})) > 0 {
				return true
			}
		}
	}
	return false
}

// topLevel returns the files that are no modules.
func topLevel(files []world.Source) []world.Source {
	return slices.DeleteFunc(slices.Clone(files), func(f world.Source) bool { return syntax.IsModule(f.Name) })
}

// ofSimulation returns the files of the simulation, with the modules that they require.
func ofSimulation(files []world.Source) []world.Source {
	files = api.WithoutView(files)
	return withModules(topLevel(files), files)
}

// modules runs each file once, and has what the files returned.
type modules struct {
	rights *rights
	env    *environment
	files  []string
	run    func(L *lua.LState, file string) lua.LValue // runs a file, and raises its errors
	text   func(err lua.LValue) string                 // of the value with which a file ended
	values map[string]lua.LValue                       // by file; LNil: it is being run, or has failed
	failed map[string]string                           // by file: the error that ended it
	stack  []string                                    // files that are being run
}

// begin starts to run the files.
func (mo *modules) begin() {
	mo.values, mo.failed, mo.stack = map[string]lua.LValue{}, map[string]string{}, nil
}

// entries returns require.
func (mo *modules) entries() []entry { return []entry{{"require", mo.require}} }

// require implements require(name): the value that a file returns, which runs once. In a hook, all files have run.
func (mo *modules) require(L call) int {
	name := L.text(1, "require: the name of a module")
	file, ok := syntax.ModuleFile(name, mo.files)
	if !ok {
		L.RaiseError("%s", noModule(name, file, mo.files))
	}
	L.charge(10)
	v, ran := mo.values[file]
	why, failed := mo.failed[file]
	switch {
	case failed:
		L.RaiseError("require(%q): %s ended with an error when it was loaded: %s", name, file, why)
	case ran && v == lua.LNil:
		L.RaiseError("%s", inCycle(name, append(slices.Clone(mo.stack[slices.Index(mo.stack, file):]), file)))
	case !ran && mo.rights.loading():
		v = mo.load(L.LState, file)
	case !ran:
		L.RaiseError("require(%q): %s was not loaded with the other files: write its name out, as in require(%q)",
			name, file, syntax.ModuleName(file))
	}
	L.Push(v)
	return 1
}

// load runs a file that has not run yet. A file that fails stays without a value.
func (mo *modules) load(L *lua.LState, file string) lua.LValue {
	mo.values[file] = lua.LNil
	mo.stack = append(mo.stack, file)
	defer func() {
		mo.stack = mo.stack[:len(mo.stack)-1]
		if r := recover(); r != nil {
			mo.failed[file] = fmt.Sprint(r)
			if err, ok := r.(*lua.ApiError); ok && err.Type == lua.ApiErrorRun && !isText(err.Object) {
				mo.failed[file] = mo.text(err.Object)
			} else if err, ok := r.(error); ok {
				mo.failed[file] = messageOf(err)
			}
			panic(r)
		}
	}()
	v := mo.run(L, file)
	if v == lua.LNil {
		v = lua.LTrue
	}
	mo.values[file] = v
	return v
}

// has reports whether a file has run, or is being run.
func (mo *modules) has(file string) bool {
	_, ok := mo.values[file]
	return ok
}

// table returns what the files returned.
func (mo *modules) table() *lua.LTable {
	t := &lua.LTable{Metatable: lua.LNil}
	for _, file := range ident.Keys(mo.values) {
		t.RawSetString(file, mo.values[file])
	}
	return t
}

// Module is what a file in a subfolder has returned.
type Module struct {
	Nothing bool     // not even nil is written out: require gives true
	Type    string   // of what it has returned
	Members []string // of a table that has no other members, sorted; nil: it may have, or is no table
}

// module returns what a file has returned.
func (mo *modules) module(file string) Module {
	v := mo.values[file]
	t, isTable := v.(*lua.LTable)
	if !isTable || t.Metatable != lua.LNil && metaOf(t) != nil {
		return Module{Nothing: v == lua.LTrue, Type: v.Type().String()}
	}
	m := Module{Type: "table", Members: []string{}}
	t.ForEach(func(k, _ lua.LValue) {
		if s, isText := k.(lua.LString); isText {
			m.Members = append(m.Members, string(s))
		}
	})
	slices.Sort(m.Members)
	return m
}

// inCycle returns the message about files of which each requires the next one, the last one the first.
func inCycle(name string, files []string) string {
	if len(files) == 2 {
		return fmt.Sprintf("require(%q): %s requires itself; leave that out: the file has its own variables", name,
			files[0])
	}
	return fmt.Sprintf("require(%q): the files require each other: %s; move what both need into a file of its own, or "+
		"call require in the function that needs it, which runs when all files are loaded", name,
		strings.Join(files, " -> "))
}

// noModule returns the message about a module that does not exist.
func noModule(name, file string, files []string) string {
	msg := "require(\"" + name + "\"): "
	if file == ".lua" {
		return msg + "the name of a module is missing; require(\"lib.vector\") loads lib/vector.lua"
	}
	msg += "there is no file " + file
	var known []string
	folder := ""
	for _, f := range files {
		if syntax.IsModule(f) {
			known = append(known, syntax.ModuleName(f))
		}
		if strings.HasPrefix(f, strings.TrimSuffix(file, ".lua")+"/") && folder == "" {
			folder = syntax.ModuleName(f)
		}
	}
	if folder != "" {
		return msg + " and no " + strings.TrimSuffix(file, ".lua") + "/init.lua; a file of the folder is loaded by its name: " +
			"require(\"" + folder + "\")"
	}
	if near := ident.Nearest(name, known); len(near) > 0 {
		return msg + "; did you mean " + near[0] + "?"
	}
	return msg + " in the folder of the game; require(\"lib.vector\") loads lib/vector.lua"
}
