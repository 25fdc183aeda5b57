package rules

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"golang.org/x/tools/go/packages"
)

// A source is one package with its types, without its tests.
type source struct {
	dir   string // slash path from the root
	fset  *token.FileSet
	files []*ast.File
	info  *types.Info
	pkg   *types.Package
}

// isPublic says that programs of other modules may import the package, and that
// it is meant for them.
func (s source) isPublic() bool {
	return s.pkg.Name() != "main" && !within(s.dir, "cmd/...", "docs/...") && !strings.Contains("/"+s.dir+"/", "/internal/")
}

// A module is the packages of this module.
type module []source

// dir finds the package in a folder.
func (m module) dir(dir string) (source, bool) {
	i := slices.IndexFunc(m, func(s source) bool { return s.dir == dir })
	if i < 0 {
		return source{}, false
	}
	return m[i], true
}

// checked is the module as the first test that asked for it read it.
var checked struct {
	once sync.Once
	all  module
}

// loadModule type-checks every package of the module, once for all tests.
func loadModule(t *testing.T) module {
	t.Helper()
	checked.once.Do(func() { checked.all = load(t, openRepo(t).root, "./...") })
	return checked.all
}

// A codeRule is a rule on the code of some packages.
type codeRule struct {
	name  string
	dirs  []string // patterns as in within
	check func(source) []finding
}

// simulated is the code whose result must be the same everywhere, every time.
var simulated = []string{"world/...", "luabind/...", "runtime/..."}

// machines is the code that takes events and a tick and returns an output.
var machines = []string{"world/...", "luabind/...", "runtime/...", "net/link", "net/wire", "net/clocksync", "net/memlink"}

var codeRules = []codeRule{
	{"floats", simulated, fusedProducts},
	{"maps", simulated, mapOrder},
	{"math", []string{"world/...", "luabind/..."}, inexactMath},
	{"machine", machines, outsideWorld},
}

// load type-checks the packages of patterns; what they import comes from the
// build cache.
func load(t *testing.T, root string, patterns ...string) (all []source) {
	t.Helper()
	const mode = packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedTypes | packages.NeedSyntax | packages.NeedTypesInfo
	fset := token.NewFileSet()
	list, err := packages.Load(&packages.Config{Mode: mode, Dir: root, Fset: fset}, patterns...)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range list {
		if len(p.Errors) > 0 {
			t.Errorf("%s does not compile, so more may be found in it later: %v", p.PkgPath, p.Errors[0])
		}
		all = append(all, source{strings.TrimPrefix(p.PkgPath, modulePath+"/"), relative(fset, root), p.Syntax, p.TypesInfo, p.Types})
	}
	return all
}

// relative makes every position in fset name its file from the root.
func relative(fset *token.FileSet, root string) *token.FileSet {
	fset.Iterate(func(f *token.File) bool {
		if rel, err := filepath.Rel(root, f.Name()); err == nil && f.LineCount() > 0 {
			f.AddLineColumnInfo(0, filepath.ToSlash(rel), 1, 1)
		}
		return true
	})
	return fset
}

// TestCode runs every rule on the packages it is for.
func TestCode(t *testing.T) {
	r := openRepo(t)
	all := loadModule(t)
	for _, rule := range codeRules {
		t.Run(rule.name, func(t *testing.T) {
			var found []finding
			for _, s := range all {
				if within(s.dir, rule.dirs...) && !within(s.dir, testPackages...) {
					found = append(found, rule.check(s)...)
				}
			}
			report(t, found)
		})
	}
	t.Run("complete", func(t *testing.T) { report(t, unread(r, all)) })
}

// unread finds files of the simulation that load did not see: a file for one
// system would be code that other machines do not run.
func unread(r repo, all []source) (found []finding) {
	seen := map[string]bool{}
	for _, s := range all {
		for _, f := range s.files {
			seen[s.fset.Position(f.Package).Filename] = true
		}
	}
	for _, f := range r.goFiles() {
		if within(path.Dir(f), machines...) && !strings.HasSuffix(f, "_test.go") && !seen[f] {
			found = append(found, finding{f, 0, "not built here: code of the simulation has no build constraints"})
		}
	}
	return found
}

// TestCodeRules runs each rule on a package made to break it: on the lines
// with "// want: TEXT" there must be a finding that has TEXT, and on no other.
func TestCodeRules(t *testing.T) {
	r := openRepo(t)
	for _, rule := range codeRules {
		t.Run(rule.name, func(t *testing.T) {
			dir := "docs/rules/testdata/" + rule.name
			for _, s := range load(t, r.root, "./"+dir) {
				compare(t, wants(s), rule.check(s))
			}
		})
	}
}

func compare(t *testing.T, want map[string]string, got []finding) {
	t.Helper()
	if len(want) == 0 {
		t.Fatal("no line has // want:")
	}
	for _, f := range got {
		place := f.file + ":" + strconv.Itoa(f.line)
		if text, ok := want[place]; !ok {
			t.Errorf("not wanted: %v", f)
		} else if !strings.Contains(f.text, text) {
			t.Errorf("%v: want %q", f, text)
		}
	}
	for _, place := range slices.Sorted(maps.Keys(want)) {
		if !slices.ContainsFunc(got, func(f finding) bool { return f.file+":"+strconv.Itoa(f.line) == place }) {
			t.Errorf("%s: nothing found, want %q", place, want[place])
		}
	}
}

// wants reads the // want: comments, by FILE:LINE.
func wants(s source) map[string]string {
	want := map[string]string{}
	for _, f := range s.files {
		for _, group := range f.Comments {
			for _, c := range group.List {
				if text, ok := strings.CutPrefix(c.Text, "// want: "); ok {
					p := s.fset.Position(c.Pos())
					want[p.Filename+":"+strconv.Itoa(p.Line)] = text
				}
			}
		}
	}
	return want
}

// inspect walks every node of a package.
func (s source) inspect(visit func(ast.Node)) {
	for _, f := range s.files {
		ast.Inspect(f, func(n ast.Node) bool {
			if n != nil {
				visit(n)
			}
			return true
		})
	}
}

// kinds returns the types that a value of type t can have underneath: one or,
// for a type parameter, all that its constraint lists.
func kinds(t types.Type) (all []types.Type) {
	if t == nil {
		return nil
	}
	if _, ok := types.Unalias(t).(*types.TypeParam); !ok {
		return []types.Type{t.Underlying()}
	}
	var terms func(types.Type)
	terms = func(t types.Type) {
		switch u := t.Underlying().(type) {
		case *types.Interface:
			for i := range u.NumEmbeddeds() {
				terms(u.EmbeddedType(i))
			}
		case *types.Union:
			for i := range u.Len() {
				terms(u.Term(i).Type())
			}
		default:
			all = append(all, u)
		}
	}
	terms(t)
	return all
}

// function returns the package and name of the function that id uses, if it is
// one of a package (not a method).
func (s source) function(id *ast.Ident) (pkg, name string, ok bool) {
	f, ok := s.info.Uses[id].(*types.Func)
	if !ok || f.Pkg() == nil || f.Signature().Recv() != nil {
		return "", "", false
	}
	return f.Pkg().Path(), f.Name(), true
}

func TestUnread(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "x.go"), []byte("package x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	found := unread(repo{dir, []string{"world/x.go", "world/x_test.go", "net/kcplink/x.go"}}, nil)
	if len(found) != 1 || found[0].file != "world/x.go" {
		t.Errorf("found %v, want world/x.go alone", found)
	}
}
