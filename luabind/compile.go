package luabind

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hindcast/hindcast/luabind/internal/api"
	"github.com/hindcast/hindcast/luabind/internal/ident"
	"github.com/hindcast/hindcast/world"
	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/ast"
	"github.com/yuin/gopher-lua/parse"
)

func init() {
	// How far a table's array part may reach before keys go to its hash part:
	// a global of gopher-lua, which has no setting for one LState. Its default
	// lets one assignment take 1 GB; writes up to ours are paid for by (set).
	lua.MaxArrayIndex = maxArray
}

// maxArray bounds the array part of a table.
const maxArray = 1 << 16

// Program is a compiled bundle: byte code and schema. It never changes and may
// be shared between goroutines; its VMs may not.
type Program struct {
	files   []string
	sources []world.Source // for messages
	chunks  []chunk
	lib     *api.Library
	extra   []entry
	owned   map[*lua.FunctionProto]int
	decls   map[string]place // classes: where their declarations stand
	writes  map[string]place // globals: where each is first assigned
	setup   world.Setup
	schema  *world.Schema
}

// chunk is a compiled file and the names of what it is to be given.
type chunk struct {
	proto   *lua.FunctionProto
	imports []string
}

// place is a line of a file; keys tells more of a declaration.
type place struct {
	file string
	line int
	keys *lines
}

// Compile turns the files of a bundle into a Program. Every problem found is
// reported: the error joins *world.ScriptErrors that name file and line. A
// view.lua is checked and left to NewView.
func Compile(files []world.Source, setup world.Setup) (*Program, error) {
	if err := setup.Check(); err != nil {
		return nil, err
	}
	if errs := checkSources(files); len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	_, viewErr := NewView(files, setup, nil)
	files = loadOrder(withoutView(files))
	names := map[string]bool{"id": true, "owner": true}
	p, errs := compileWith(files, setup, names, false)
	if len(errs) == 0 && p.lacksFields(names) { // declared by code that we could not read: once more, with the names that came out
		p, errs = compileWith(files, setup, names, false)
	}
	if errs = append(errs, viewErr); errors.Join(errs...) != nil {
		return nil, errors.Join(errs...)
	}
	return p, nil
}

// loadOrder sorts by name, game.lua last.
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

// lacksFields adds the fields of the schema to names and reports whether any
// was missing.
func (p *Program) lacksFields(names map[string]bool) (lacks bool) {
	for _, c := range p.schema.Classes {
		for _, n := range fieldNames(&c) {
			lacks = lacks || !names[n]
			names[n] = true
		}
	}
	return lacks
}

// compileWith compiles files in their order. names are the fields that handles
// may have; with any, every field may be one of a handle. extra are functions
// that these files can call besides the usual ones.
func compileWith(files []world.Source, setup world.Setup, names map[string]bool, any bool, extra ...entry) (*Program, []error) {
	p := &Program{sources: files, extra: extra, lib: api.NewLibrary(entryNames(extra)...), owned: map[*lua.FunctionProto]int{}, decls: map[string]place{}, writes: map[string]place{}, setup: setup}
	trees, errs := parseAll(files)
	for _, t := range trees {
		declaredNames(t, names)
	}
	unread := len(errs) > 0
	var rewritten []*rewriter
	reads := map[string]place{}
	for i, f := range files {
		p.files = append(p.files, f.Name)
		if trees[i] == nil {
			continue
		}
		r := newRewriter(f.Name, names, p.lib)
		r.any = any
		proto, fileErrs := p.file(r, trees[i])
		if proto != nil {
			p.chunks = append(p.chunks, chunk{proto, r.imports})
		}
		errs = append(errs, fileErrs...)
		rewritten = append(rewritten, r)
		p.note(r, reads)
	}
	if n := functions(rewritten); n > maxFunctions {
		return nil, append(errs, fmt.Errorf("%d functions: a bundle has at most %d", n, maxFunctions))
	}
	if !unread { // else a file that does not parse may define them
		errs = append(errs, p.undefined(reads)...)
	}
	if len(errs) > 0 {
		return nil, append(errs, p.declaredWrong(rewritten)...)
	}
	vm, errs := p.trial()
	if len(errs) > 0 {
		return nil, errs
	}
	p.schema = vm.schema
	return p, nil
}

// functions is how many functions the files hold.
func functions(files []*rewriter) (n int) {
	for _, r := range files {
		n += r.literal
	}
	return n
}

// declaredWrong runs what can be run of files that have errors already, for
// what their declarations do wrong besides. Left out is what may follow from
// those errors: all that fails while it runs, and the declarations of files
// that need, to be loaded, a name which is not there.
func (p *Program) declaredWrong(files []*rewriter) (errs []error) {
	doubtful := map[string]bool{}
	for _, r := range files {
		doubtful[r.file] = r.doubt
		for _, n := range ident.Keys(r.first) {
			if _, ok := p.writes[n]; !ok {
				doubtful[r.file] = true
			}
		}
	}
	for _, err := range newVM(p).loadLoosely() {
		if se := (*world.ScriptError)(nil); errors.As(err, &se) && !doubtful[se.File] {
			errs = append(errs, err)
		}
	}
	return errs
}

// parseAll gives a tree for each file, nil where the file is at fault.
func parseAll(files []world.Source) (trees [][]ast.Stmt, errs []error) {
	trees = make([][]ast.Stmt, len(files))
	for i, f := range files {
		tree, err := parseFile(f)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		trees[i] = tree
	}
	return trees, errs
}

func parseFile(f world.Source) (tree []ast.Stmt, err error) {
	if err := checkNesting(f); err != nil {
		return nil, err
	}
	tree, err = parse.Parse(strings.NewReader(f.Text), f.Name)
	if err != nil {
		return nil, parseProblem(f, err)
	}
	if tree == nil {
		tree = []ast.Stmt{}
	}
	return tree, checkTree(f.Name, tree)
}

// file rewrites, compiles and verifies one file.
func (p *Program) file(r *rewriter, tree []ast.Stmt) (proto *lua.FunctionProto, errs []error) {
	tree = r.chunk(tree)
	if r.broken {
		return nil, r.errs
	}
	defer func() {
		if broken := recover(); broken != nil {
			errs = []error{problem(r.file, 1, "internal error: the compiler failed: %s", clean(fmt.Sprint(broken)))}
		}
	}()
	proto, err := lua.Compile(tree, r.file)
	if err != nil {
		return nil, []error{compileProblem(r.file, err)}
	}
	return proto, append(r.errs, verify(r.file, proto, p.owned)...)
}

// note collects what a file's rewriter saw.
func (p *Program) note(r *rewriter, reads map[string]place) {
	for _, n := range ident.Keys(r.writes) {
		if _, ok := p.writes[n]; !ok {
			p.writes[n] = place{file: r.file, line: r.writes[n]}
		}
	}
	for _, n := range ident.Keys(r.reads) {
		if _, ok := reads[n]; !ok {
			reads[n] = place{file: r.file, line: r.reads[n]}
		}
	}
	// order: they go into another map
	for class, l := range r.decls {
		p.decls[class] = place{file: r.file, line: l.line, keys: l}
	}
}

// undefined reports globals that are read but that nobody sets.
func (p *Program) undefined(reads map[string]place) (errs []error) {
	known := append(p.lib.Globals(), ident.Keys(p.writes)...)
	for _, n := range ident.Keys(reads) {
		if _, ok := p.writes[n]; ok || p.lib.Has(n) {
			continue
		}
		at := reads[n]
		errs = append(errs, problem(at.file, at.line, "%s is not defined%s", n, api.Instead(n, known, "")))
	}
	return errs
}

func (p *Program) hasFile(name string) bool { return slices.Contains(p.files, name) }

// Schema is what the scripts declare.
func (p *Program) Schema() *world.Schema { return p.schema }
