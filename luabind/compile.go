package luabind

import (
	"cmp"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/hindcast/hindcast/luabind/internal/api"
	"github.com/hindcast/hindcast/luabind/internal/ident"
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/hindcast/hindcast/world"
	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/ast"
)

func init() {
	// MaxArrayIndex is how far the array part of a table may reach before keys
	// go to its hash part. It is a global of gopher-lua, which has no setting
	// for one interpreter. With its default, one assignment can take 1 GB.
	// Writes up to our limit are charged by syntax.Set.
	lua.MaxArrayIndex = maxArray
}

// maxArray bounds the array part of a table.
const maxArray = 1 << 16

// Program is a compiled bundle: byte code and schema. It never changes and may
// be shared between goroutines. Its VMs may not.
type Program struct {
	files   []string
	sources []world.Source // for messages
	chunks  []*syntax.Chunk
	library *api.Library
	extra   []extra
	decls   map[string]place // classes: where their declarations stand
	placed  map[string]place // classes: the same, and where functions declare others
	writes  map[string]place // globals: where each is first assigned
	setup   world.Setup
	schema  *world.Schema
	// captures counts the variables that functions capture, and ofFile says which of them are local variables of the
	// file, see syntax.Chunk.
	captures map[*lua.FunctionProto]int
	ofFile   map[*lua.FunctionProto][]bool
	locals   *syntax.Locals
}

// place is where a class or a hook is declared; the zero place if it is not
// there.
type place struct {
	File string
	Line int
	Keys *syntax.Lines
}

// NewProgram compiles the files of a bundle. Every problem found is reported: the
// error joins *world.ScriptErrors that name file and line. A view.lua is checked
// and left to NewView.
func NewProgram(files []world.Source, setup world.Setup) (*Program, error) {
	if err := setup.Check(); err != nil {
		return nil, err
	}
	if errs := syntax.CheckSources(files); len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	_, viewErr := NewView(files, setup, nil)
	game := dialect{all: sourceNames(files), work: syntax.NewWork(syntax.MostWork)}
	files = loadOrder(ofSimulation(files))
	names := map[string]bool{"id": true, "owner": true}
	p, errs := compileAs(game, files, setup, names)
	if len(errs) == 0 && p.lacksFields(names) { // fields that code declares: compile again, with these names
		p, errs = compileAs(game, files, setup, names)
	}
	if errs = withoutRepeated(append(errs, listed(viewErr)...)); len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	return p, nil
}

// listed returns the errors that an error joins.
func listed(err error) []error {
	if many, ok := err.(interface{ Unwrap() []error }); ok {
		return many.Unwrap()
	}
	if err == nil {
		return nil
	}
	return []error{err}
}

// withoutRepeated leaves out errors that say what one before says: a module that view.lua requires, too, is loaded for it
// once more.
func withoutRepeated(errs []error) []error {
	said := map[string]bool{}
	return slices.DeleteFunc(errs, func(err error) bool {
		again := said[err.Error()]
		said[err.Error()] = true
		return again
	})
}

// Compile compiles the files of a bundle and makes a VM of them. It is the
// world.Compile of games in Lua. To make several VMs of one program, use NewProgram.
// The error joins every problem, each a *world.ScriptError.
func Compile(files []world.Source, setup world.Setup) (world.Script, error) {
	p, err := NewProgram(files, setup)
	if err != nil {
		return nil, err
	}
	return p.NewVM(), nil
}

// loadOrder sorts files by name, with game.lua last.
func loadOrder(files []world.Source) []world.Source {
	files = slices.Clone(files)
	slices.SortFunc(files, func(a, b world.Source) int {
		switch {
		case a.Name == b.Name:
			return 0
		case a.Name == api.GameFile:
			return 1
		case b.Name == api.GameFile:
			return -1
		}
		return strings.Compare(a.Name, b.Name)
	})
	return files
}

// lacksFields adds the fields of the schema to names, and reports whether any
// of them was missing there.
func (p *Program) lacksFields(names map[string]bool) (lacks bool) {
	for _, c := range p.schema.Classes {
		for _, n := range fieldNames(&c) {
			lacks = lacks || !names[n]
			names[n] = true
		}
	}
	return lacks
}

// dialect is how files of a kind differ from those of a game.
type dialect struct {
	anyField bool     // every field may be that of an object, because the classes are not known yet
	extra    []extra  // functions that these files can call besides the usual ones
	all      []string // names of the files of the bundle, for messages about those that are not there
	work     *syntax.Work
}

// compileAs compiles files in the given order. fields are the names of fields
// that objects may have; compileAs adds those that the files declare.
func compileAs(d dialect, files []world.Source, setup world.Setup, fields map[string]bool) (*Program, []error) {
	p := &Program{
		sources:  files,
		extra:    d.extra,
		decls:    map[string]place{},
		placed:   map[string]place{},
		writes:   map[string]place{},
		setup:    setup,
		captures: map[*lua.FunctionProto]int{},
		ofFile:   map[*lua.FunctionProto][]bool{},
		locals:   &syntax.Locals{},
	}
	trees, errs := parseAll(files)
	files, trees = inOrder(files, trees)
	p.sources = files
	assigned := map[string]bool{}
	for _, t := range trees {
		syntax.DeclaredNames(t, fields)
		syntax.AssignedGlobals(t, assigned)
	}
	p.library = api.NewLibrary(entryNames(d.extra)...).Without(assigned)
	functions := 0
	reads := map[string]place{}
	for i, f := range files {
		p.files = append(p.files, f.Name)
		if trees[i] == nil {
			continue
		}
		c, fileErrs := syntax.Compile(f.Name, trees[i],
			syntax.Names{Library: p.library, Fields: fields, AnyField: d.anyField, Work: d.work, Locals: p.locals})
		errs = append(errs, fileErrs...)
		p.chunks = append(p.chunks, c)
		maps.Copy(p.captures, c.Captures)
		maps.Copy(p.ofFile, c.OfFile)
		p.note(c, reads)
		if d.work.Exceeded() {
			return nil, errs
		}
		if functions += c.Functions; functions > maxFunctions {
			return nil, append(errs, syntax.Problem(f.Name, 1, "more than %d functions with those of the files before: "+
				"split the game, or leave some out", maxFunctions))
		}
	}
	errs = append(errs, p.missingModules(d.all)...)
	for i, f := range files {
		if trees[i] == nil { // the file does not parse: it may define any name that is in it
			maps.DeleteFunc(reads, func(name string, _ place) bool { return strings.Contains(f.Text, name) })
		}
	}
	errs = append(errs, p.undefined(reads)...)
	if len(errs) > 0 {
		return nil, append(errs, p.declaredWrong()...)
	}
	vm := newVM(p)
	errs = vm.load(nil)
	if errs = append(errs, vm.locals.wrong(p.mentions(), func(string) bool { return false })...); len(errs) > 0 {
		return nil, errs
	}
	p.schema = vm.Schema()
	return p, nil
}

// maxFunctions is how many functions the files of a bundle may hold together.
const maxFunctions = 4096

// declaredWrong runs as much as possible of files with errors, and returns the errors
// of their declarations. It leaves out what may follow from the errors: everything that
// fails while it runs, and the declarations of files whose main chunk needs a name that
// does not exist.
func (p *Program) declaredWrong() (errs []error) {
	defined := func(global string) bool { _, ok := p.writes[global]; return ok }
	doubtful := map[string]bool{}
	for _, c := range p.chunks {
		doubtful[c.File] = !c.Loads(defined)
	}
	vm := newVM(p)
	for _, err := range vm.loadLoosely() {
		if se := (*world.ScriptError)(nil); errors.As(err, &se) && !doubtful[se.File] {
			errs = append(errs, err)
		}
	}
	// a module that did not run to its end may change its variables later
	return append(errs,
		vm.locals.wrong(p.mentions(), func(file string) bool { return syntax.IsModule(file) && doubtful[file] })...)
}

// Reached returns the names that the game may come to use: of functions of modules, those that it may call.
func (p *Program) Reached() map[string]bool { return syntax.Reached(p.mentions()) }

// mentions returns the mentions of the files.
func (p *Program) mentions() (list []*syntax.Mentions) {
	for _, c := range p.chunks {
		list = append(list, c.Mentions)
	}
	return list
}

// parseAll returns the tree of each file, nil for a file that does not parse.
func parseAll(files []world.Source) (trees [][]ast.Stmt, errs []error) {
	trees = make([][]ast.Stmt, len(files))
	for i, f := range files {
		tree, err := syntax.Parse(f)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		trees[i] = tree
	}
	return trees, errs
}

// inOrder returns the files in the order in which they are loaded.
func inOrder(files []world.Source, trees [][]ast.Stmt) (inFiles []world.Source, inTrees [][]ast.Stmt) {
	for _, i := range syntax.InOrder(trees) {
		inFiles, inTrees = append(inFiles, files[i]), append(inTrees, trees[i])
	}
	return inFiles, inTrees
}

// note collects the names of a file. If several files use the same name, the first one
// counts.
func (p *Program) note(c *syntax.Chunk, reads map[string]place) {
	for _, n := range ident.Keys(c.Writes) {
		if _, ok := p.writes[n]; !ok {
			p.writes[n] = place{File: c.File, Line: c.Writes[n]}
		}
	}
	for _, n := range ident.Keys(c.Reads) {
		if syntax.IsModule(c.File) && api.LeftOut(n) {
			continue // a library may look whether it is there
		}
		if _, ok := reads[n]; !ok {
			reads[n] = place{File: c.File, Line: c.Reads[n]}
		}
	}
	// order: they go into another map
	for class, l := range c.Declarations {
		p.decls[class] = place{File: c.File, Line: l.Line, Keys: l}
	}
}

// undefined reports globals that are read and that no file assigns. In functions of a module that the game does not
// name they are nil, as in Lua.
func (p *Program) undefined(reads map[string]place) (errs []error) {
	written := ident.Keys(p.writes)
	known := append(p.library.Globals(), written[:min(len(written), maxSimilar)]...)
	names := ident.Keys(reads)
	slices.SortStableFunc(names, func(a, b string) int {
		return cmp.Or(strings.Compare(reads[a].File, reads[b].File), cmp.Compare(reads[a].Line, reads[b].Line))
	})
	var reached map[string]bool
	for _, n := range names {
		if _, ok := p.writes[n]; ok || p.library.Has(n) {
			continue
		}
		if syntax.IsModule(reads[n].File) {
			if reached == nil {
				reached = p.Reached()
			}
			if !reached[n] {
				continue // only in functions that the game does not use
			}
		}
		if len(errs) == syntax.MaxProblems {
			break
		}
		at := reads[n]
		errs = append(errs, syntax.Problem(at.File, at.Line, "%s is not defined%s", n, api.Instead(n, known, "")))
	}
	return errs
}

// maxSimilar is how many globals are compared with a name that is not defined.
const maxSimilar = 1000

// aloneRefusal says why a test or a bot finds no module.
const aloneRefusal = "tests and bots see the game from outside, and load none of its files; " +
	"write the function into this file, or call it in a hook"

// missingModules reports names of modules that no file has. all are the names of the files of the bundle; nil: a test
// or a bot is compiled, without a bundle.
func (p *Program) missingModules(all []string) (errs []error) {
	for _, c := range p.chunks {
		for _, name := range ident.Keys(c.Required.Names) {
			if len(errs) == syntax.MaxProblems {
				return errs
			}
			if file, ok := syntax.ModuleFile(name, p.files); !ok && !c.Required.MayLack() {
				why := noModule(name, file, all)
				if all == nil {
					why = "require(\"" + name + "\"): " + aloneRefusal
				}
				errs = append(errs, syntax.Problem(c.File, c.Required.Names[name], "%s", why))
			}
		}
	}
	return errs
}

// Members returns, for each class of the schema, the methods and constants that scripts find on
// its objects besides the methods of every object, as they are after loading: by their names, where
// the function of a method begins. Other values have no place.
func (p *Program) Members() map[string]map[string]syntax.Place { return p.NewVM().members() }

// Modules returns what the files in subfolders have returned that others require, by file.
func (p *Program) Modules() map[string]Module {
	mo, out := p.NewVM().modules, map[string]Module{}
	for _, file := range ident.Keys(mo.values) {
		out[file] = mo.module(file)
	}
	return out
}

// declares returns the line of a declaration, if there is any.
func (p *Program) declares() (line int, any bool) {
	for _, n := range ident.Keys(p.decls) {
		return p.decls[n].Line, true
	}
	return 0, false
}

func (p *Program) hasFile(name string) bool { return slices.Contains(p.files, name) }

// Schema returns what the scripts declare.
func (p *Program) Schema() *world.Schema { return p.schema }
