package rules

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

const modulePath = "github.com/hindcast/hindcast"

// A repo is the checkout these tests run in.
type repo struct {
	root  string   // the folder that has go.mod
	files []string // every file but those git ignores: slash paths from root, sorted
}

// openRepo finds the module root above this package and lists its files, once for
// all tests. The folders are read here, not by git, so that go test's cache sees a
// new file.
func openRepo(t *testing.T) repo {
	t.Helper()
	r, err := theRepo()
	if err != nil {
		t.Fatal(err)
	}
	return r
}

var theRepo = sync.OnceValues(func() (repo, error) {
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		return repo{}, err
	}
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil || !strings.HasPrefix(string(mod), "module "+modulePath+"\n") {
		return repo{}, fmt.Errorf("%s is not the root of module %s: %w", root, modulePath, err)
	}
	files, err := walk(root)
	ignored := gitIgnored(root, files)
	return repo{root, slices.DeleteFunc(files, func(f string) bool { return ignored[f] })}, err
})

func walk(root string) (files []string, err error) {
	err = filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // gone since its folder was read: a test's scratch file
		}
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, name)
		switch {
		case err != nil:
			return err
		case rel == ".git" && entry.IsDir():
			return filepath.SkipDir
		case rel == ".git": // the file of a worktree
		case !entry.IsDir():
			files = append(files, filepath.ToSlash(rel))
		}
		return nil
	})
	slices.Sort(files)
	return files, err
}

// gitIgnored returns those of files that git leaves out; none without git.
func gitIgnored(root string, files []string) map[string]bool {
	cmd := exec.Command("git", "check-ignore", "-z", "--stdin")
	cmd.Dir = root
	cmd.Stdin = strings.NewReader(strings.Join(files, "\x00"))
	out, err := cmd.Output()
	if err != nil {
		return nil // exit 1: none is ignored; else: no git, or not a clone
	}
	ignored := map[string]bool{}
	for name := range bytes.SplitSeq(out, []byte{0}) {
		ignored[string(name)] = true
	}
	return ignored
}

// otherModules are the folders with a go.mod of their own, which the go
// command of this module does not enter.
func (r repo) otherModules() (dirs []string) {
	for _, f := range r.files {
		if dir, name := path.Split(f); name == "go.mod" && dir != "" && !isHidden(f) {
			dirs = append(dirs, strings.TrimSuffix(dir, "/"))
		}
	}
	return dirs
}

// goFiles are the files that the go command builds or tests.
func (r repo) goFiles() (files []string) {
	other := r.otherModules()
	for i := range other {
		other[i] += "/..."
	}
	for _, f := range r.files {
		if strings.HasSuffix(f, ".go") && !isHidden(f) && !within(path.Dir(f), other...) {
			files = append(files, f)
		}
	}
	return files
}

// isHidden says that wildcards such as ./... do not see the file.
func isHidden(file string) bool {
	return slices.ContainsFunc(strings.Split(file, "/"), func(part string) bool {
		return part == "testdata" || strings.HasPrefix(part, ".") || strings.HasPrefix(part, "_")
	})
}

// within reports whether dir matches a pattern: a path, or a path and "/..."
// for it and all below.
func within(dir string, patterns ...string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool {
		stem, below := strings.CutSuffix(p, "/...")
		return dir == stem || below && strings.HasPrefix(dir, stem+"/")
	})
}

// read returns the text of a file.
func (r repo) read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(r.root, filepath.FromSlash(file)))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// parse reads a Go file without types. The positions name the file from the root.
func (r repo) parse(t *testing.T, file string) (*token.FileSet, *ast.File) {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, file, r.read(t, file), parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	return fset, f
}

// testFiles are the files of tests, parsed by the first test that asks for them.
var testFiles map[string]*ast.File

// eachTest visits the files of tests.
func (r repo) eachTest(t *testing.T, visit func(dir string, f *ast.File)) {
	t.Helper()
	if testFiles == nil {
		testFiles = map[string]*ast.File{}
		for _, file := range r.goFiles() {
			if strings.HasSuffix(file, "_test.go") {
				_, testFiles[file] = r.parse(t, file)
			}
		}
	}
	for _, file := range slices.Sorted(maps.Keys(testFiles)) {
		visit(path.Dir(file), testFiles[file])
	}
}

// importsOf are the packages that a file imports, by the name that it has for them.
func importsOf(f *ast.File) map[string]string {
	imports := map[string]string{}
	for _, spec := range f.Imports {
		pkg := strings.Trim(spec.Path.Value, "\"")
		name := path.Base(strings.TrimSuffix(pkg, "/v2"))
		if spec.Name != nil {
			name = spec.Name.Name
		}
		imports[name] = pkg
	}
	return imports
}

// A finding is a place where a rule is broken.
type finding struct {
	file string // slash path from the root
	line int    // 0: the whole file
	text string
}

func (f finding) String() string {
	if f.line == 0 {
		return fmt.Sprintf("%s: %s", f.file, f.text)
	}
	return fmt.Sprintf("%s:%d: %s", f.file, f.line, f.text)
}

// at makes a finding of a place in loaded source.
func at(p token.Position, format string, args ...any) finding {
	return finding{p.Filename, p.Line, fmt.Sprintf(format, args...)}
}

// report fails the test with every finding, in order of place.
func report(t *testing.T, found []finding) {
	t.Helper()
	slices.SortStableFunc(found, func(a, b finding) int {
		return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.line, b.line))
	})
	for _, f := range slices.Compact(found) {
		t.Error(f)
	}
}

func TestWithin(t *testing.T) {
	for pattern, want := range map[string]bool{"world": false, "world/...": true, "world/physics": true, "world/physics/...": true, "wor/...": false} {
		if got := within("world/physics", pattern); got != want {
			t.Errorf("within(%q, %q) = %v", "world/physics", pattern, got)
		}
	}
}
