package rules

import (
	"go/ast"
	"go/doc"
	"path"
	"slices"
	"strings"
	"testing"
)

// TestPublicPackagesAreShown: a package that programs of other modules import has an Example with
// output, which go test runs. Its comment says once, below "# Concurrency", what may be called from
// several goroutines.
func TestPublicPackagesAreShown(t *testing.T) {
	has := openRepo(t).examples(t)
	for _, s := range loadModule(t) {
		if !s.forEmbedders() {
			continue
		}
		if !has[s.dir] && !slices.Contains(needTests, s.dir) {
			t.Errorf("%s has no Example with an // Output: comment: write a short one of what the package is for in example_test.go, in the package with _test", s.dir)
		}
		if !strings.Contains(s.packageComment(), "\n# Concurrency\n") {
			t.Errorf("%s: doc.go has no section %q: say which types serve one goroutine at a time, what may be shared, and on which goroutine callbacks run", s.dir, "# Concurrency")
		}
	}
}

// exampleFiles are the files of Examples, of public packages: those whose names begin with example.
func (r repo) exampleFiles() (files []string) {
	for _, file := range r.goFiles() {
		if strings.HasPrefix(path.Base(file), "example") && strings.HasSuffix(file, "_test.go") && !within(path.Dir(file), "cmd/...", "docs/...") {
			files = append(files, file)
		}
	}
	return files
}

// needTests are packages whose Example cannot have output.
var needTests = []string{
	"net/link/linktest", // what it shows needs a *testing.T
}

// ownTests are public packages that only tests of this repository use.
var ownTests = []string{"runtime/simtest/draws", "runtime/simtest/figures", "runtime/simtest/golden"}

// forEmbedders says that a package is for programs of other modules, or their tests.
func (s source) forEmbedders() bool {
	return s.isPublic() && !within(s.dir, ownTests...)
}

// packageComment is the text of all package comments.
func (s source) packageComment() (text string) {
	for _, f := range s.files {
		text += f.Doc.Text()
	}
	return text
}

// examples are the folders of packages that have an Example function with output.
func (r repo) examples(t *testing.T) map[string]bool {
	has := map[string]bool{}
	r.eachTest(t, func(dir string, f *ast.File) {
		for _, example := range doc.Examples(f) {
			if example.Output != "" || example.EmptyOutput {
				has[dir] = true
			}
		}
	})
	return has
}
